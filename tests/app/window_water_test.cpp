// SPDX-License-Identifier: MIT
// A tank of water in the window: a ball is dragged through the water, water is added, gravity is turned.
#include "files/checkpoint/checkpoint_file.h"
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

namespace wisp::test {
namespace {

// The tank is half full. It is seen from the front and fills the height of the window.
constexpr const char* kWater = R"(
name = "window"
[grid]
cells = [16, 16, 16]
pressure_ratio = 1
size = [1.0, 1.0, 1.0]
sides = { x0 = "wall", x1 = "wall", y0 = "wall", y1 = "wall", z0 = "wall", z1 = "wall" }
[[initial]]
shape = "box"
min = [0.0, 0.0, 0.0]
max = [1.0, 0.5, 1.0]
liquid = true
[[obstacle]]
centre = [0.5, 0.75, 0.5]
radius = 0.12
[[light]]
intensity = 8.0
[environment]
ground = true
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
fov = 36.0
)";

class WindowWater : public WindowTest {
protected:
    /// For scripts: `at X Y` moves the mouse, in fractions of the window. `run N` saves checkpoint N. `kept N` saves scene N. `later` waits
    /// for pictures that begin after the previous actions.
    Outcome water(const std::string& script) {
        return drive(
            "xdotool windowsize --sync $ID 480 480; later; xdotool key Tab; later\n"
            "at() { xdotool mousemove --window $ID $((480 * $1 / 100)) $((480 * $2 / 100)); sleep 0.3; }\n"
            "kept() { later; xdotool key ctrl+s; until_true \"[ -e window-$1.toml ]\"; }\n"
            "run() { xdotool key ctrl+shift+s; until_true \"[ -e window-$1.checkpoint ]\"; }\n" +
                script,
            "", kWater);
    }
    Settings scene(const std::string& number) { return loadScene(folder.path() / ("window-" + number + ".toml")); }
    /// Positions of all particles in a checkpoint [cells].
    std::vector<glm::vec3> particles(const std::string& number) {
        CheckpointFile file(folder.path() / ("window-" + number + ".checkpoint"));
        const auto& fields = file.head().fields;
        std::vector<std::vector<std::byte>> all(fields.size());
        for (std::size_t n = 0; n < fields.size(); ++n) all[n].resize(fields[n].bytes());
        file.read([&](std::size_t field, std::uint64_t offset, std::span<const std::byte> bytes) {
            std::ranges::copy(bytes, all[field].begin() + static_cast<std::ptrdiff_t>(offset));
        });
        const auto bytesOf = [&](const std::string& name) -> const std::vector<std::byte>& {
            return all[static_cast<std::size_t>(std::ranges::find(fields, name, &StoredField::name) - fields.begin())];
        };
        std::uint32_t count = 0;
        std::memcpy(&count, bytesOf("liquid in cells").data() + std::size_t{16} * 16 * 16 * sizeof count, sizeof count);
        std::vector<glm::vec3> places(count);
        for (std::size_t n = 0; n < count; ++n) std::memcpy(&places[n], bytesOf("liquid places").data() + n * 16, sizeof(glm::vec3));
        return places;
    }
    static glm::vec3 middleOf(const std::vector<glm::vec3>& places) {
        return std::accumulate(places.begin(), places.end(), glm::vec3(0.0f)) / static_cast<float>(places.size());
    }
};

TEST_F(WindowWater, ABallIsDraggedThroughIt) {
    const Outcome o = water(
        "at 50 30; xdotool mousedown 1; said \"interaction started\" 1; at 50 50; later; at 50 70; later; xdotool mouseup 1; said "
        "\"interaction ended\" 1; kept 000; run 000; shot 000; xdotool key ctrl+q");
    expectEnded(o);
    const glm::vec3 ball = scene("000").obstacles[0].shape.centre;
    EXPECT_LT(ball.y, 0.45f) << "the ball must be under water";
    const std::vector<glm::vec3> places = particles("000");
    EXPECT_EQ(places.size(), 16u * 16 * 8 * 8) << "no particle may be lost";
    // In cells: a particle counts as inside from 0.1 below the surface on. Between grid points a distance is too large by up to (1 / 8) (2
    // / R), R = 1.92.
    for (const glm::vec3& p : places)
        EXPECT_GT(glm::distance(p, 16.0f * ball), 16.0f * 0.12f - 0.1f - 0.25f / 1.92f) << "particles in the ball";
}

TEST_F(WindowWater, WaterIsPouredInAndTurned) {
    const Outcome o = water(
        "at 25 20; xdotool mousedown 3; later; at 40 20; later; xdotool mouseup 3; later; run 000\n"
        "xdotool keydown g; at 90 50; later 20; xdotool keyup g; kept 000; run 001; shot 000\n"
        "xdotool key ctrl+z; kept 001; xdotool key c; later; run 002; xdotool key ctrl+q");
    expectEnded(o);
    const std::vector<glm::vec3> poured = particles("000"), turned = particles("001");
    EXPECT_GT(poured.size(), 16u * 16 * 8 * 8 + 100);
    EXPECT_NEAR(static_cast<double>(turned.size()), static_cast<double>(poured.size()), 0.02 * static_cast<double>(poured.size()))
        << "a few particles may be deleted and not yet spawned again";
    EXPECT_GT(glm::normalize(scene("000").flow.gravity).x, 0.99f);
    EXPECT_GT(middleOf(turned).x, middleOf(poured).x + 1.0f) << "the water must flow to the right";
    EXPECT_EQ(scene("001").flow.gravity, glm::vec3(0.0f, -9.81f, 0.0f)) << "undo must revert the whole turn of gravity";
    EXPECT_EQ(particles("002").size(), 0u) << "C must remove all water";
    EXPECT_THAT(o.errors, testing::Not(testing::HasSubstr("no longer finite")));
}

}  // namespace
}  // namespace wisp::test
