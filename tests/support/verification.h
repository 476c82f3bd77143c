// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <source_location>
#include <string>
#include <string_view>

/// The promises of docs/verification.md. A test says with the functions below what it expects and what it got: an expectation of the
/// test, and a line of JSON in the file that WISP_VERIFY_OUT names, from which scripts/verify.sh makes the tables.
namespace wisp::test {

enum class Row {
    Gaussian,
    Zalesak,
    WholeCells,
    TaylorGreen,
    Poisson,
    CosineMode,
    Multigrid,
    Divergence,
    Hydrostatic,
    PotentialFlow,
    Galilean,
    MovingSphere,
    ClosedBox,
    Mirror,
    StepsAndGrids,
    Ratios,
    Strouhal,
    Drag,
    Slab,
    Phase,
    ScatteredAcross,
    ScatteredFromBehind,
    ScatteredFromCamera,
    Isothermal,
    Furnace,
    RaymarchPath,
    LiquidStill,
    LiquidBox,
    LiquidFront,
    Count
};

struct RowText {
    std::string_view table, text;
};
/// By Row.
inline constexpr std::array<RowText, static_cast<std::size_t>(Row::Count)> kRows{{
    {"Numerics", "Gaussian, sigma .06 of the box, one rotation, CFL 2"},
    {"Numerics", "Zalesak's disc, one turn"},
    {"Numerics", "translation by whole cells, CFL 1"},
    {"Numerics", "Taylor-Green vortex in a closed box, 1 s, CFL .5"},
    {"Numerics", "Poisson, cos(pi x) cos(2 pi y) cos(pi z), Neumann"},
    {"Numerics", "discrete cosine mode, 50 sweeps of Jacobi"},
    {"Numerics", "multigrid: a cycle's factor; conjugate gradients past a plate"},
    {"Numerics", "divergence after a converged solve, speeds of about 1, h = 1"},
    {"Numerics", "hydrostatic: a vertical force of y alone, an obstacle, closed box"},
    {"Numerics", "uniform stream past a sphere, one projection, against potential flow"},
    {"Numerics", "Galilean: a moving sphere and one in a wind"},
    {"Numerics", "moving sphere through smoke"},
    {"Numerics", "closed box, 1000 steps"},
    {"Numerics", "mirror-symmetric plume, 30 steps"},
    {"Numerics", "plume at 30, 60, 144 steps a second; grid 1x, 2x"},
    {"Numerics", "pressure ratio 1, 2, 4"},
    {"Numerics", "vortices behind a cylinder in a flat grid, against Fey, König, Eckelmann 1998"},
    {"Numerics", "sphere in a stream, Re 100: drag coefficient, against 1.09 (Clift, Grace, Weber 1978)"},
    {"Light", "even slab, no scattering: exp(-tau)"},
    {"Light", "phase function: integral 1, mean cosine g"},
    {"Light", "single scattering, lit across"},
    {"Light", "single scattering, lit from behind"},
    {"Light", "single scattering, lit from the camera"},
    {"Light", "isothermal emission in surroundings of the same radiance"},
    {"Light", "white furnace, path mode"},
    {"Light", "raymarch against path mode, single scattering, z-test of every pixel"},
    {"Liquid", "column at rest, 1 s"},
    {"Liquid", "column that falls in a closed box with a ball, 20 s"},
    {"Liquid", "front of a falling column, T from 1 to 3, against Martin and Moyce 1952"},
}};

/// Whether scripts/verify.sh asks for the tables' sizes (WISP_VERIFY=full); the suite takes small ones.
bool fullSizes();
template <class T>
T sized(T small, T full) {
    return fullSizes() ? full : small;
}

using Where = std::source_location;
void expectAtMost(Row row, const std::string& what, double got, double limit, Where where = Where::current());
void expectAtLeast(Row row, const std::string& what, double got, double limit, Where where = Where::current());
void expectBetween(Row row, const std::string& what, double got, double low, double high, Where where = Where::current());
/// Within `tolerance` of `exact`.
void expectNear(Row row, const std::string& what, double got, double exact, double tolerance, Where where = Where::current());
/// A number that nothing was promised about.
void reportOnly(Row row, const std::string& what, double got);

}  // namespace wisp::test
