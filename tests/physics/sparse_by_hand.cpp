// SPDX-License-Identifier: MIT
// What users add to a sparse simulation, and what they look at.
#include "compute/picture/field_view.h"
#include "tests/physics/sparse.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wisp::test {
namespace {

using SparseByHand = SparsePhysics;

// Strokes by hand, tracers and a view of the vorticity.
TEST_F(SparseByHand, StrokesTracersAndViewsAgreeWithDense) {
    Settings s = plume();
    s.byHand = true;
    s.tracers = {.count = 500, .lifetime = 0.2f};
    s.view.field = ViewField::Vorticity;
    s.view.slice = SliceAxis::Z;
    s.render.size = {64, 96};
    const StrokeSettings stroke{.radius = 0.04f, .force = 2.0f, .density = 1.0f};
    const auto run = [&](Simulation& simulation, int steps) {
        for (int n = 0; n < steps; ++n) {
            const float x = 0.3f + 0.01f * static_cast<float>(n);
            if (n < 6) simulation.simulator.paint(stroke, {{x, 1.1f, 0.5f}, {x + 0.01f, 1.1f, 0.5f}});  // in clear air, far from the plume
            simulation.step();
        }
    };
    const auto drawn = [&](Simulation& simulation) {
        FieldView view(device(), simulation.simulator.settings());
        simulation.recorder.begin();
        view.draw(simulation.recorder, simulation.simulator.fields());
        simulation.recorder.submit();
        simulation.recorder.finish();
        return fieldOf(view.value());
    };
    Settings other = dense(s);
    other.seed = s.seed + 1;
    Simulation sparse(device(), s), whole(device(), dense(s)), reseeded(device(), other);
    for (Simulation* each : {&sparse, &whole, &reseeded}) run(*each, 12);
    const Field density = densityOf(whole);
    EXPECT_GT(density({23, 70, 32}).x, 0.1) << "the stroke adds smoke";
    EXPECT_LT(rms(densityOf(sparse), density), rms(densityOf(reseeded), density) / 5.0);
    const Field a = drawn(sparse), b = drawn(whole), c = drawn(reseeded);
    EXPECT_GT(rms(b, Field(b.size())), 0.1);
    EXPECT_LT(rms(a, b), rms(c, b) / 5.0);
    // Tracers start at the same places, and move with velocities that differ little.
    const std::vector<float> t = download(sparse.simulator.fields().smoke.tracers), u = download(whole.simulator.fields().smoke.tracers);
    ASSERT_EQ(t.size(), u.size());
    std::size_t far = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        double distance = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            distance = std::max(distance, std::abs(double(t[4 * i + axis]) - double(u[4 * i + axis])));
        far += !(distance < 0.25);
    }
    std::printf("%zu of 500 tracers are more than a quarter of a cell away\n", far);
    EXPECT_LT(far, 10u) << "those that one of the simulations has spawned again";
}

}  // namespace
}  // namespace wisp::test
