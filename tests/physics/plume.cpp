// SPDX-License-Identifier: MIT
// A hot plume with the pressure on the fine grid and on coarser ones.
#include "tests/physics/simulation.h"

#include <cmath>
#include <numbers>

namespace wisp::test {
namespace {

struct Plume {
    double height = 0.0, width = 0.0;     // [m]: below which 95 % of the smoke is; rms distance from the axis
    std::array<double, 4> bands{};        // kinetic energy [m^2/s^2] by wavelength: above 8, 8 to 4, 4 to 8/3, below 8/3 cells
};

// Energy of a component by wave number along x, of rows through the box: a sine transform row by row, summed.
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
    Plume rise(std::uint32_t ratio, float detailDecay) {
        Settings s = stillBox({32, 64, 32}, 1.0f / 32);
        for (std::size_t side : {0u, 1u, 3u, 4u, 5u}) s.grid.sides[side] = Side::Open;
        s.grid.pressureRatio = ratio;
        s.timeStep = 1.0f / 60;
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
        s.flow.buoyancy = 0.03f;
        s.flow.vorticity = 0.2f;
        s.flow.detailDecay = detailDecay;
        s.advection.filter = Filter::Exact;
        EmitterSettings source;
        source.shape = {.centre = {0.5f, 0.15f, 0.5f}, .radius = 0.12f};
        source.density = 1.0f;
        source.temperature = 100.0f;
        s.emitters.push_back(source);
        Simulation simulation(device(), s);
        simulation.step(60);
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
        plume.bands = spectrum(velocityOf(simulation), cells);
        return plume;
    }
};

// The large motion is the pressure's, and that converges with its grid; what the coarse grids lose are the smallest eddies.
TEST_F(PlumeRatio, IsTheSamePlume) {
    const Plume exact = rise(1, 0.0f);
    for (const auto& [ratio, decay] : {std::pair{1u, 0.0f}, {2u, 0.0f}, {2u, 20.0f}, {4u, 0.0f}, {4u, 20.0f}}) {
        const Plume plume = ratio == 1 ? exact : rise(ratio, decay);
        const std::string what = "ratio " + std::to_string(ratio) + " detail_decay " + std::to_string(static_cast<int>(decay));
        std::string row = std::to_string(plume.height) + " " + std::to_string(plume.width);
        for (const double b : plume.bands) row += " " + std::to_string(b);
        RecordProperty(what, row);
        if (ratio != 2 || decay > 0.0f) continue;  // detail_decay is friction, which ratio 1 has none of
        EXPECT_NEAR(plume.height, exact.height, 0.05 * exact.height) << what;
        EXPECT_NEAR(plume.width, exact.width, 0.05 * exact.width) << what;
    }
}

}  // namespace
}  // namespace wisp::test
