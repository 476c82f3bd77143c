// SPDX-License-Identifier: MIT
#pragma once

#include "compute/pressure/pressure.h"
#include "tests/physics/simulation.h"

namespace wisp::test {

struct Solution {
    std::vector<double> residuals;  ///< before the solve, and after each cycle or after each ten sweeps
    Numbers q;
};

class PressureSolve : public PhysicsTest {
protected:
    /// Solves with the right-hand side b(p), where p is the centre of a cell in cells. Starts from zero.
    template <class F>
    Solution solve(const Settings& s, F&& b, bool tiles = true) {
        Simulation simulation(device(), s);
        Fields& f = simulation.simulator.fields();
        if (!tiles) f.pressure.pyramid.tiledCells = 0;
        const gpu::PressureLevel level = f.domain.pressureLevel();
        std::vector<float> values(static_cast<std::size_t>(gpu::cellCount(level)));
        forEach(level.cells,
                [&](ivec3 c) { values[static_cast<std::size_t>(gpu::cellIndex(level, c))] = static_cast<float>(b(dvec3(c) + 0.5)); });
        upload(f.pressure.rhs, values);
        const auto trace = std::make_shared<std::vector<double>>();
        simulation.recorder.begin();
        recordPressure(simulation.recorder, f.domain, f.pressure, s.pressure, isClosed(s.grid), trace);
        simulation.recorder.submit();
        simulation.recorder.finish();
        Solution result{*trace, Numbers(level.cells)};
        const std::vector<float> q = download(f.pressure.pressure[0]);
        forEach(level.cells, [&](ivec3 c) { result.q(c) = q[static_cast<std::size_t>(gpu::cellIndex(level, c))]; });
        return result;
    }
};

}  // namespace wisp::test
