// SPDX-License-Identifier: MIT
// The effective viscosity of the advection schemes, as documented in docs/physics.md.
#include "tests/physics/simulation.h"
#include "tests/support/source_folder.h"

#include <cmath>
#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

class EffectiveViscosity : public PhysicsTest {
protected:
    // As in scripts/viscosity.py: a vortex without viscosity, whose energy falls with exp(-4 pi^2 nu t / (1 m)^2). [m^2/s]
    double measured(AdvectionScheme scheme) {
        constexpr std::uint32_t kCells = 32, kSteps = 19;
        Settings s = stillBox({kCells, kCells, 1}, 1.0f / kCells);
        s.grid.precision = Precision::Float;
        s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
        s.advection = {scheme, Filter::Exact};
        s.timeStep = 0.5f / kCells;
        s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 4};
        Simulation simulation(device(), s);
        simulation.step(6);
        const double first = simulation.measure().kineticEnergy;
        simulation.step(kSteps);
        const double last = simulation.measure().kineticEnergy;
        return std::log(first / last) / (4.0 * M_PI * M_PI * kSteps * static_cast<double>(s.timeStep));
    }
    // The number in the first column of the table.
    double documented(const std::string& scheme) {
        std::ifstream page(sourceFolder() + "/docs/physics.md");
        for (std::string line; std::getline(page, line);)
            if (const std::string row = "| `" + scheme + "` | "; line.starts_with(row)) return 1e-4 * std::stod(line.substr(row.size()));
        ADD_FAILURE() << "docs/physics.md has no table row for the scheme " << scheme;
        return 0.0;
    }
};

TEST_F(EffectiveViscosity, MatchesTheDocumentation) {
    for (const auto& [scheme, name] : {std::pair{AdvectionScheme::SemiLagrangian, "semi_lagrangian"},
                                       {AdvectionScheme::MacCormack, "maccormack"},
                                       {AdvectionScheme::MacCormackUnclamped, "maccormack_unclamped"},
                                       {AdvectionScheme::Bfecc, "bfecc"}}) {
        const double nu = documented(name);
        // The page rounds to 0.005e-4. The remainder of the pressure solve, 1e-4 of the change in a step, is less than 1 % of the loss.
        EXPECT_NEAR(measured(scheme), nu, 0.02 * std::abs(nu) + 0.006e-4) << name;
    }
}

}  // namespace
}  // namespace wisp::test
