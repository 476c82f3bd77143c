// SPDX-License-Identifier: MIT
// A hot plume with the pressure on the fine grid and on coarser grids.
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace wisp::test {
namespace {

struct Plume {
    double height = 0.0, width = 0.0;  // [m]: height below which 95 % of the smoke is; rms distance from the axis
    double mass = 0.0;                 // [m^3] times density
    std::array<double, 4> bands{};     // kinetic energy [m^2/s^2] by wavelength: above 8, 8 to 4, 4 to 8/3, below 8/3 cells
};

// Kinetic energy by wave number along x: a cosine transform of every row, summed over the rows.
std::array<double, 4> spectrum(const Field& velocity, ivec3 cells) {
    std::array<double, 4> bands{};
    const int n = cells.x;
    for (int k = 1; k < n; ++k) {
        const auto band = static_cast<std::size_t>(4 * k / n);  // wavelength 2 n / k cells: > 8, > 4, > 8/3
        for (int z = 0; z < cells.z; ++z) {
            for (int y = 0; y < cells.y; ++y) {
                dvec3 sum(0.0);
                for (int x = 0; x < n; ++x) sum += dvec3(velocity({x, y, z})) * std::cos(std::numbers::pi * k * (x + 0.5) / n);
                const dvec3 square = sum * sum;
                bands[band] += (square.x + square.y + square.z) / (n * double(cells.y * cells.z));
            }
        }
    }
    return bands;
}

class PlumeRatio : public PhysicsTest {
protected:
    // One second of a plume, in a box of 1 x 2 x 1 m.
    static Settings source(std::uint32_t across) {
        Settings s = stillBox(glm::uvec3(across, 2 * across, across), 1.0f / static_cast<float>(across));
        for (std::size_t side : {0u, 1u, 3u, 4u, 5u}) s.grid.sides[side] = Side::Open;
        s.timeStep = 1.0f / 60;
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
        s.flow.buoyancy = 0.03f;
        s.flow.vorticity = 0.2f;
        s.advection.filter = Filter::Exact;
        EmitterSettings source;
        source.shape = {.centre = {0.5f, 0.15f, 0.5f}, .radius = 0.12f};
        source.density = 1.0f;
        source.temperature = 100.0f;
        s.emitters.push_back(source);
        return s;
    }
    Plume rise(std::uint32_t ratio, float detailDecay) {
        Settings s = source(32);
        s.grid.pressureRatio = ratio;
        s.flow.detailDecay = detailDecay;
        return rise(s);
    }
    Plume rise(const Settings& s) {
        Simulation simulation(device(), s);
        simulation.step(static_cast<int>(std::lround(1.0 / double(s.timeStep))));
        const ivec3 cells(s.grid.cells);
        Plume plume;
        const Field density = densityOf(simulation);
        double mass = 0.0, spread = 0.0;
        std::vector<double> layers(static_cast<std::size_t>(cells.y), 0.0);
        forEach(cells, [&](ivec3 c) {
            const double m = density(c).x, h = double(s.grid.cellSize());
            const double x = (c.x + 0.5) * h - 0.5, z = (c.z + 0.5) * h - 0.5;
            mass += m;
            spread += m * (x * x + z * z);
            layers[static_cast<std::size_t>(c.y)] += m;
        });
        double below = 0.0;
        for (std::size_t y = 0; below < 0.95 * mass; ++y) {
            const double share = std::min(1.0, (0.95 * mass - below) / layers[y]);
            below += layers[y];
            plume.height = (static_cast<double>(y) + share) * double(s.grid.cellSize());
        }
        plume.width = std::sqrt(spread / mass);
        plume.mass = mass * std::pow(double(s.grid.cellSize()), 3.0);
        plume.bands = spectrum(velocityOf(simulation), cells);
        return plume;
    }
};

// The pressure determines the large-scale motion, which converges with the pressure grid. Coarse pressure grids lose only the smallest
// vortices.
TEST_F(PlumeRatio, GivesTheSamePlume) {
    const Plume exact = rise(1, 0.0f);
    for (const auto& [ratio, decay] : {std::pair{1u, 0.0f}, {2u, 0.0f}, {2u, 20.0f}, {4u, 0.0f}, {4u, 20.0f}}) {
        const Plume plume = ratio == 1 ? exact : rise(ratio, decay);
        const std::string what = "ratio " + std::to_string(ratio) + " detail_decay " + std::to_string(static_cast<int>(decay));
        std::string row = std::to_string(plume.height) + " " + std::to_string(plume.width);
        for (const double b : plume.bands) row += " " + std::to_string(b);
        RecordProperty(what, row);
        if (ratio == 1 || decay > 0.0f) continue;  // detail_decay is friction, which has no effect at ratio 1
        const double height = std::abs(plume.height / exact.height - 1.0), width = std::abs(plume.width / exact.width - 1.0);
        const std::string pair = "plume, ratio " + std::to_string(ratio) + " against ratio 1, ";
        if (ratio == 2) {
            expectAtMost(Row::Ratios, pair + "relative difference of the height", height, 0.05);
            expectAtMost(Row::Ratios, pair + "relative difference of the width", width, 0.05);
        } else {
            reportOnly(Row::Ratios, pair + "relative difference of the height", height);
            reportOnly(Row::Ratios, pair + "relative difference of the width", width);
        }
    }
}

class PlumeSteps : public PlumeRatio {
protected:
    // The emitter has a rate, so that the emitted mass is known.
    static Settings steady(std::uint32_t across) {
        Settings s = source(across);
        s.emitters[0].density = 0.0f;
        s.emitters[0].densityRate = 2.0f;
        return s;
    }
    void expectSame(const std::string& what, const Plume& plume, const Plume& other, double height, double mass) {
        expectAtMost(Row::StepsAndGrids, what + ", relative difference of the height", std::abs(plume.height / other.height - 1.0), height);
        expectAtMost(Row::StepsAndGrids, what + ", relative difference of the mass", std::abs(plume.mass / other.mass - 1.0), mass);
        reportOnly(Row::StepsAndGrids, what + ", relative difference of the width", std::abs(plume.width / other.width - 1.0));
    }
};

constexpr double kDrift = 2.0 * 0.01;  // for the masses of two plumes: advection may change each by as much as in a closed box

// Effects with a rate do not depend on the length of a step. Emission, forces and advection in sequence are of first order in the time
// step, and a step of 1/30 s moves the smoke by two cells.
TEST_F(PlumeSteps, DoNotChangeThePlume) {
    const std::uint32_t across = sized(16u, 32u);
    Plume plumes[3];
    constexpr int kRates[] = {30, 60, 144};
    for (int n = 0; n < 3; ++n) {
        Settings s = steady(across);
        s.timeStep = 1.0f / static_cast<float>(kRates[n]);
        plumes[n] = rise(s);
    }
    for (const int n : {0, 2})
        expectSame(fmt::format("{} cells across, {} against 60 steps per second", across, kRates[n]), plumes[n], plumes[1], 0.05, kDrift);
}

// The edge of an emitter is smooth over h on both sides, with a variance of h^2 / 5, so a ball of radius R emits 1 + 3/5 (h/R)^2 of its
// volume. In a second the smoke rises by about ten radii. The edges of emitter and plume, one cell each, are a first-order error of that.
TEST_F(PlumeSteps, GridDoesNotChangeThePlume) {
    const std::uint32_t across = sized(16u, 32u);
    const Settings s = steady(across);
    const double edge = 0.6 * std::pow(double(s.grid.cellSize() / s.emitters[0].shape.radius), 2.0);
    expectSame(fmt::format("{} against {} cells across", across, 2 * across), rise(s), rise(steady(2 * across)), 0.10,
               kDrift + (1.0 - 0.25) * edge);
}

}  // namespace
}  // namespace wisp::test
