// SPDX-License-Identifier: MIT
// In a step with moving obstacles, the passes that turn obstacles into fields run only over the cells that obstacles touch or touched.
// The fields are bit-identical to those of a simulation that writes all cells for the same positions.
#include "tests/physics/simulation.h"

#include <map>
#include <string>
#include <vector>

namespace wisp::test {
namespace {

using Bytes = std::vector<std::byte>;

class ObstacleBoxes : public PhysicsTest {
protected:
    struct Case {
        int steps = 8;
        double largest = 0.25;  // part of the cells that a step may write
    };

    std::map<std::string, Bytes> fieldsOf(Simulation& s) {
        const Fields& f = s.simulator.fields();
        std::map<std::string, const engine::Image*> images{
            {"aperture", &f.domain.aperture}, {"solid distance", &f.domain.solidDistance}, {"solid velocity", &f.domain.solidVelocity}};
        std::map<std::string, const engine::Buffer*> buffers;
        if (!f.liquid) {  // with a liquid, each step computes the weights
            buffers = {{"weights", &f.pressure.weights},
                       {"regular cells", &f.pressure.regular},
                       {"coarser weights", &f.pressure.pyramid.weights},
                       {"coarser regular cells", &f.pressure.pyramid.regular}};
        }
        const auto addBlocks = [&](const std::string& grid, const Blocks& blocks) {
            buffers[grid + " open faces"] = &blocks.openFaces;
            buffers[grid + " smooth faces"] = &blocks.smoothFaces;
        };
        if (f.domain.grid.pressureRatio > 1) addBlocks("fine", f.pressure.blocks);
        if (f.pressure.middle) {
            addBlocks("middle", f.pressure.middle->blocks);
            images["middle aperture"] = &f.pressure.middle->aperture;
        }
        std::map<std::string, Bytes> fields;
        for (const auto& [name, image] : images) fields[name] = encodeTexels(VK_FORMAT_R32_SFLOAT, download(*image));
        for (const auto& [name, buffer] : buffers) fields[name] = downloadBytes(*buffer);
        return fields;
    }

    void expectWholeFields(Simulation& moving, Simulation& whole, const std::string& when) {
        whole.recorder.begin();
        whole.simulator.resume(whole.recorder, moving.simulator.state());
        whole.recorder.submit();
        whole.recorder.finish();
        const std::map<std::string, Bytes> expected = fieldsOf(whole);
        for (const auto& [name, bytes] : fieldsOf(moving)) EXPECT_TRUE(bytes == expected.at(name)) << name << ", " << when;
    }

    // Compares after every step. From the second step on both images of the aperture have been written, so the box is small.
    void expectSame(const Settings& s, const Case& c) {
        Simulation moving(device(), s), whole(device(), s);
        for (int step = 1; step <= c.steps; ++step) {
            moving.step();
            const Domain& d = moving.simulator.fields().domain;
            EXPECT_TRUE(d.obstaclesMoved);
            if (step > 1) {
                EXPECT_LE(static_cast<double>(countOf(d.rewritten.size)), c.largest * static_cast<double>(countOf(d.cells())));
            }
            expectWholeFields(moving, whole, "step " + std::to_string(step));
        }
    }

    // A sphere that moves along the diagonal, and a thin box that turns: it leaves gaps in blocks and cuts off pieces of fluid. Odd numbers
    // of cells, so that the last blocks are truncated. A wall, an inflow, and open sides.
    static Settings ballAndPlate(std::uint32_t ratio) {
        Settings s = stillBox({43, 41, 39}, 1.0f / 16);
        s.grid.pressureRatio = ratio;
        s.grid.sides = {Side::Inflow, Side::Open, Side::Wall, Side::Open, Side::Open, Side::Open};
        s.flow.inflow = {0.5f, 0.0f, 0.0f};
        s.timeStep = 1.0f / 32;
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 1};
        s.obstacles.push_back({.shape = {.centre = {0.6f, 0.55f, 0.5f}, .radius = 0.17f}, .velocity = {1.3f, 0.9f, 1.1f}});
        s.obstacles.push_back({.shape = {.kind = ShapeKind::Box, .centre = {1.0f, 1.1f, 1.2f}, .half = {0.3f, 0.21f, 0.04f}},
                               .rotation = {0.4f, 0.2f, 0.1f},
                               .angularVelocity = {2.0f, 5.0f, 3.0f}});
        return s;
    }
};

TEST_F(ObstacleBoxes, GiveTheFieldsOfTheWholeGridForEveryRatio) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        expectSame(ballAndPlate(ratio), {.steps = 6, .largest = 0.5});
    }
}

// Half a cell per step along the path, so that a block is entered and left over several steps. Leaves the box at its end.
TEST_F(ObstacleBoxes, FollowASmallSphere) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = ballAndPlate(ratio);
        s.obstacles.resize(1);
        s.obstacles[0].shape.centre = {2.4f, 1.2f, 1.9f};
        s.obstacles[0].velocity = {1.0f, 0.1f, 0.7f};
        expectSame(s, {.steps = 16, .largest = 0.15});
    }
}

// An obstacle moves by more than its length in a step and leaves cells that it touched two moves ago. The box of three such paths may be
// most of the grid, so its size shows nothing.
TEST_F(ObstacleBoxes, ContainFastObstacles) {
    Settings s = ballAndPlate(2);
    s.obstacles.resize(1);
    s.obstacles[0].velocity = glm::vec3(0.0f);
    const glm::vec3 a(0.4f, 1.2f, 0.5f), b(1.1f, 1.2f, 0.5f), c(1.1f, 0.5f, 1.8f);
    s.obstacles[0].keys = {{0.0f, a},      {1.0f / 32, b},         {2.0f / 32, a}, {3.0f / 32, a + 0.02f},
                           {4.0f / 32, c}, {5.0f / 32, c + 0.02f}, {6.0f / 32, c}};
    expectSame(s, {.steps = 6, .largest = 1.0});
}

TEST_F(ObstacleBoxes, HoldForFlatGrids) {
    Settings s = stillBox({71, 45, 1}, 1.0f / 32);
    s.grid.pressureRatio = 2;
    s.timeStep = 1.0f / 64;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 1};
    s.obstacles.push_back({.shape = {.kind = ShapeKind::Box, .centre = {0.6f, 0.6f, 0.5f / 32}, .half = {0.1f, 0.02f, 0.5f}},
                           .velocity = {1.0f, 0.4f, 0.0f},
                           .angularVelocity = {0.0f, 0.0f, 6.0f}});
    expectSame(s, {.largest = 1.0});  // its depth of a metre makes its bounding sphere large
    s.obstacles[0] = {.shape = {.centre = {0.6f, 0.6f, 0.5f / 32}, .radius = 0.12f}, .velocity = {1.0f, 0.4f, 0.0f}};
    expectSame(s, {.largest = 0.25});
}

TEST_F(ObstacleBoxes, HoldForLiquids) {
    Settings s = stillBox({32, 30, 28}, 1.0f / 16);
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 1};
    s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = {0.2f, 0.4f, 0.4f}, .half = {0.2f, 0.4f, 0.4f}}, .liquid = true});
    s.obstacles.push_back({.shape = {.centre = {0.9f, 0.5f, 0.8f}, .radius = 0.15f}, .velocity = {-1.0f, 0.3f, 0.2f}});
    expectSame(s, {.steps = 5, .largest = 0.25});
}

// Changes of the time step, the inflow, a side or the number of obstacles make the next writes of both images cover all cells. After that
// only obstacles move.
TEST_F(ObstacleBoxes, GiveWayToTheWholeGrid) {
    Settings s = ballAndPlate(2);
    s.byHand = true;
    s.obstacles.resize(1);
    Simulation moving(device(), s);
    const auto expectSteps = [&](const std::string& what, int wholeSteps) {
        Simulation whole(device(), moving.simulator.settings());
        for (int step = 1; step <= 4; ++step) {
            moving.step();
            const Domain& d = moving.simulator.fields().domain;
            EXPECT_EQ(d.rewritten.size == d.cells(), step <= wholeSteps) << what << ", step " << step;
            expectWholeFields(moving, whole, what + ", step " + std::to_string(step));
        }
    };
    const auto change = [&](const std::string& what, const auto& edit) {
        edit(s);
        moving.simulator.change(s);
        expectSteps(what, 2);
    };
    expectSteps("at the start", 1);  // the reset has written the other image
    change("time step", [](Settings& n) { n.timeStep = 1.0f / 40; });
    change("inflow", [](Settings& n) { n.flow.inflow.x = 0.3f; });
    change("side", [](Settings& n) { n.grid.sides[4] = Side::Wall; });
    change("another obstacle", [](Settings& n) {
        n.obstacles.push_back({.shape = {.centre = {1.6f, 1.6f, 1.6f}, .radius = 0.15f}, .velocity = {0.3f, 0.0f, 0.0f}});
    });
    change("one obstacle less", [](Settings& n) { n.obstacles.erase(n.obstacles.begin()); });
}

TEST_F(ObstacleBoxes, GiveWayToTheWholeGridWhereTheBoxFollows) {
    Settings s = ballAndPlate(2);
    s.obstacles.resize(1);
    s.obstacles[0].velocity = {1.0f, 0.3f, 0.2f};
    s.grid.sides = {};
    s.flow.inflow = {0.5f, 0.0f, 0.0f};
    s.follow.keys = {{0.0f, {1.3f, 1.3f, 1.2f}}, {1.0f, {3.3f, 1.3f, 1.2f}}};  // a pressure cell in two steps
    Simulation moving(device(), s), whole(device(), s);
    for (int step = 1; step <= 10; ++step) {
        moving.step();
        expectWholeFields(moving, whole, "step " + std::to_string(step));
    }
}

}  // namespace
}  // namespace wisp::test
