// SPDX-License-Identifier: MIT
// A box whose target is moved while it runs, by hands on a stage, without a window.
#include "app/live/history.h"
#include "app/live/interaction.h"
#include "app/live/scene_session.h"
#include "compute/scene/motion.h"
#include "files/scene/scene.h"
#include "tests/support/gpu_test.h"
#include "tests/support/window_library.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::app {
namespace {

constexpr const char* kWind = R"(
name = "wind"
[grid]
cells = [16, 8, 16]
pressure_ratio = 1
size = [16.0, 8.0, 16.0]
[time]
step = 0.016
[flow]
inflow = [2.0, 0.0, 0.5]
density_decay = 0.0
velocity_decay = 0.0
[follow]
keys = [{ t = 0.0, centre = [8.0, 4.0, 8.0] }]
[[initial]]
shape = "box"
min = [0.0, 0.0, 0.0]
max = [16.0, 8.0, 16.0]
density = 1.0
velocity = [0.0, 3.0, 0.0]
[tracers]
count = 64
[grass]
count = 64
low = [0.0, 0.0, 0.0]
high = [16.0, 0.0, 16.0]
[[light]]
intensity = 5.0
[camera]
eye = [8.0, 10.0, 30.0]
target = [8.0, 4.0, 8.0]
follows = true
)";

class SceneSessionTarget : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        session.emplace(test::windowLibrary(device()), parseScene(kWind, "wind.toml"));
        interaction.emplace(session->settings, camera);
        session->resize({64, 48});
        steps(2);
    }
    void TearDown() override {
        interaction.reset();
        session.reset();
        GpuTest::TearDown();
    }
    void steps(int count) {
        session->simulation().step(static_cast<std::uint32_t>(count));
        quality = session->simulation().quality();
        session->renderer().draw();
        ASSERT_TRUE(quality.finite());
    }
    void move(glm::vec3 place) {
        interaction->target.move(place, session->simulation().time(), std::nullopt);
        EXPECT_EQ(session->apply(false), "");
    }
    glm::vec3 origin() { return session->box().origin; }

    std::optional<SceneSession> session;
    OrbitCamera camera{{}};
    std::optional<Interaction> interaction;
    Quality quality;
};

TEST_F(SceneSessionTarget, AMovedTargetTakesTheBoxAlongAndKeepsThePictureItself) {
    const std::vector<std::uint8_t> before = session->renderer().read().rgba;
    const double mass = quality.mass;
    move({11.2f, 4.0f, 6.0f});
    EXPECT_EQ(session->renderer().read().rgba, before) << "the picture must not be drawn again, although the camera of the scene has moved";
    steps(1);
    EXPECT_EQ(origin(), glm::vec3(3.0f, 0.0f, -2.0f));
    EXPECT_EQ(session->settings.grid.origin, glm::vec3(0.0f)) << "the origin in the scene must not change";
    EXPECT_LT(quality.mass, 0.9 * mass) << "13 x 14 of 16 x 16 columns keep their smoke";
    EXPECT_GT(quality.mass, 0.5 * mass);
}

TEST_F(SceneSessionTarget, AJumpBeginsAgainInTheAirOutsideAndUndoGoesBack) {
    History history;
    history.reset(session->settings);
    for (const float far : {100.0f, -5000.0f, 8.9e5f}) {
        move({far, 4.0f, 8.0f});
        history.keep(session->settings);
        steps(1);
        EXPECT_NEAR(origin().x, far - 8.0f, 0.51f);
        for (const float density : session->simulation().read("density").values) ASSERT_EQ(density, 0.0f);
        const std::vector<float> wind = session->simulation().read("velocity").values;
        ASSERT_EQ(wind.size(), 3u * 16 * 8 * 16);
        for (std::size_t i = 0; i < wind.size(); i += 3)
            ASSERT_LT(glm::distance(glm::vec3(wind[i], wind[i + 1], wind[i + 2]), glm::vec3(2.0f, 0.0f, 0.5f)), 0.01f) << i / 3;
    }
    for (const float before : {-5000.0f, 100.0f, 8.0f}) {
        session->settings = history.undo().value();
        EXPECT_EQ(session->apply(false), "");
        steps(1);
        EXPECT_NEAR(origin().x, before - 8.0f, 0.51f);
    }
    EXPECT_EQ(origin(), glm::vec3(0.0f));
}

TEST_F(SceneSessionTarget, BeginningAgainGivesTheSceneItsWayBack) {
    move({300.0f, 4.0f, 8.0f});
    steps(1);
    ASSERT_TRUE(interaction->target.restorePath());
    EXPECT_EQ(session->apply(false), "");
    session->simulation().reset();
    EXPECT_EQ(origin(), glm::vec3(0.0f));
    steps(1);
    EXPECT_GT(quality.mass, 100.0) << "the initial smoke of the scene";
}

// The mouse drags it farther than the positions that a scene may contain.
TEST_F(SceneSessionTarget, ATargetThatIsDraggedOutOfTheWorldStaysInIt) {
    for (const float way : {1e6f, 1e12f, 1e38f}) {
        for (const glm::vec3 direction : {glm::vec3(1, 0, 0), glm::vec3(-1, -1, 1)}) {
            move(direction * way);
            EXPECT_LE(std::abs(targetPosition(session->settings.follow, 0.0).x), 9e5f);
            steps(2);
        }
    }
}

}  // namespace
}  // namespace wisp::app
