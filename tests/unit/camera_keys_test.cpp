// SPDX-License-Identifier: MIT
#include "compute/scene/motion.h"
#include "files/scene/scene.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>

#include <string>

namespace wisp::test {
namespace {

using testing::HasSubstr;

const std::string kTwo =
    "[camera]\nkeys = [ { t = 1.0, eye = [0, 1, 3], target = [0, 0, 0] }, { t = 3.0, eye = [4, 1, 3], target = [0, 1, 0] } ]\n";

std::string errorOf(const std::string& scene) {
    try {
        parseScene(scene, "t.toml", {});
    } catch (const SceneFailure& e) {
        return e.what();
    }
    return "";
}

TEST(CameraKeys, MoveEyeAndTarget) {
    const Settings s = parseScene(kTwo, "t.toml", {});
    const auto expectAt = [&](double t, glm::vec3 eye, glm::vec3 target) {
        const CameraSettings camera = cameraAt(s, t);
        EXPECT_LT(glm::distance(camera.eye, eye), 1e-6f) << t;
        EXPECT_LT(glm::distance(camera.target, target), 1e-6f) << t;
    };
    expectAt(0.0, {0, 1, 3}, {0, 0, 0});  // the camera rests before the first key and after the last key
    expectAt(1.0, {0, 1, 3}, {0, 0, 0});
    expectAt(2.0, {2, 1, 3}, {0, 0.5f, 0});  // linear between two keys
    expectAt(3.0, {4, 1, 3}, {0, 1, 0});
    expectAt(9.0, {4, 1, 3}, {0, 1, 0});
}

TEST(CameraKeys, MoveWithAFollowedTarget) {
    const Settings s = parseScene(
        kTwo + "follows = true\n[follow]\nkeys = [ { t = 0.0, centre = [1, 0.5, 0.5] }, { t = 4.0, centre = [5, 0.5, 0.5] } ]\n", "t.toml",
        {});
    EXPECT_LT(glm::distance(cameraAt(s, 2.0).eye, glm::vec3(4, 1, 3)), 1e-6f);
}

TEST(CameraKeys, AlwaysGiveAViewDirection) {
    const Settings s = parseScene(
        "[camera]\nkeys = [ { t = 0.0, eye = [0, 0, 1], target = [0, 0, -1] }, { t = 1.0, eye = [0, 0, -1], target = [0, 0, 1] } ]\n",
        "t.toml", {});
    EXPECT_GT(glm::distance(cameraAt(s, 0.5).eye, cameraAt(s, 0.5).target), 0.5f);
}

TEST(CameraKeys, ErrorsNameTheKey) {
    EXPECT_THAT(errorOf("[camera]\nkeys = [ { t = 1.0 , eye = [0, 0, 1] }, { t = 0.5, eye = [0, 0, 1] } ]\n"),
                HasSubstr("camera.keys[1].t: is 0.5, must be later than the key before it, at 1"));
    EXPECT_THAT(errorOf("[camera]\nkeys = [ { t = 1.0, eye = [1, 2, 3], target = [1, 2, 3] } ]\n"),
                HasSubstr("camera.keys[0].target: is the same point as its eye"));
    EXPECT_THAT(errorOf("[camera]\nkeys = [ { t = -1.0, eye = [1, 2, 3] } ]\n"), HasSubstr("camera.keys[0].t: is -1"));
    EXPECT_THAT(errorOf("[camera]\nkeys = [ { t = 0.0, eye = [nan, 2, 3] } ]\n"), HasSubstr("camera.keys[0].eye: "));
    EXPECT_THAT(errorOf("[grid]\ncells = [16, 16, 1]\nsize = [1.0, 1.0, 1.0]\n" + kTwo),
                HasSubstr("camera.keys: cannot be used with a flat grid"));
}

}  // namespace
}  // namespace wisp::test
