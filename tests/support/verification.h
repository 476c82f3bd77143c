// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <source_location>
#include <string>
#include <string_view>

/// The checks of docs/verification.md. The functions below test a result, and append one line of JSON to the file that the environment
/// variable WISP_VERIFY_OUT names. scripts/verify.sh makes the tables from these lines.
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
    Momentum,
    Slab,
    Phase,
    ScatteredAcross,
    ScatteredFromBehind,
    ScatteredFromCamera,
    Isothermal,
    Furnace,
    RaymarchPath,
    AllDirections,
    LampInSmoke,
    HotBall,
    LiquidStill,
    LiquidBox,
    LiquidFront,
    Count
};

struct RowText {
    std::string_view table, text;
};
/// Indexed by Row.
inline constexpr std::array<RowText, static_cast<std::size_t>(Row::Count)> kRows{{
    {"Numerics", "Gaussian, sigma 0.06 of the box edge, one rotation, CFL 2"},
    {"Numerics", "Zalesak's disc, one rotation"},
    {"Numerics", "translation by whole cells, CFL 1"},
    {"Numerics", "Taylor-Green vortex in a closed box, 1 s, CFL 0.5"},
    {"Numerics", "Poisson, cos(pi x) cos(2 pi y) cos(pi z), Neumann"},
    {"Numerics", "discrete cosine mode, 50 sweeps of Jacobi"},
    {"Numerics", "multigrid: residual reduction per cycle; conjugate gradients with a thin plate"},
    {"Numerics", "divergence after a converged solve, speeds of about 1, h = 1"},
    {"Numerics", "hydrostatic: vertical force that depends on y only, obstacle, closed box"},
    {"Numerics", "one projection of a uniform stream past a sphere, against potential flow"},
    {"Numerics", "Galilean invariance: sphere moving through still air against sphere at rest in a wind"},
    {"Numerics", "moving sphere through smoke"},
    {"Numerics", "conservation of mass in a closed box, 1000 steps"},
    {"Numerics", "mirror-symmetric plume, 30 steps"},
    {"Numerics", "plume with 30, 60 and 144 steps per second, and on a grid twice as fine"},
    {"Numerics", "pressure ratios 1, 2 and 4"},
    {"Numerics", "vortices behind a cylinder in a flat grid, against Fey, König, Eckelmann 1998"},
    {"Numerics", "sphere in a stream, Re 100: drag coefficient, against 1.09 (Clift, Grace, Weber 1978)"},
    {"Numerics", "momentum of a jet and two lumps in a periodic box without forces, 128 steps"},
    {"Light", "uniform slab, no scattering: exp(-tau)"},
    {"Light", "phase function: integral 1, mean cosine g"},
    {"Light", "single scattering, light across the view"},
    {"Light", "single scattering, light from behind the smoke"},
    {"Light", "single scattering, light from the camera"},
    {"Light", "isothermal emission in an environment of the same radiance"},
    {"Light", "white furnace, path mode"},
    {"Light", "raymarch against path mode, single scattering, z-test of every pixel"},
    {"Light", "multiple scattering, sun and camera in directions that are no axes, raymarch over path mode"},
    {"Light", "lamp in or beside a ball of smoke, raymarch over path mode"},
    {"Light", "smoke around a hot ball, raymarch over path mode"},
    {"Liquid", "column at rest, 1 s"},
    {"Liquid", "dam break in a closed box with a ball, 20 s"},
    {"Liquid", "front of a dam break, T from 1 to 3, against Martin and Moyce 1952"},
}};

/// True if scripts/verify.sh asks for the sizes of the tables (WISP_VERIFY=full). The normal test suite uses smaller sizes.
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
/// Writes a value for which no limit is documented.
void reportOnly(Row row, const std::string& what, double got);

}  // namespace wisp::test
