// SPDX-License-Identifier: MIT
// The file of --scene-out, read back with tinygltf.
#include "files/model/scene_glb.h"
#include "app/run/render_files.h"
#include "compute/scene/motion.h"
#include "files/base/failure.h"
#include "files/model/body_triangles.h"
#include "tests/support/meshes.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gmock/gmock.h>
#include <tiny_gltf.h>

#include <cmath>
#include <cstring>
#include <map>

namespace wisp::app {
namespace {

using testing::HasSubstr;

/// A .glb file, as a program sees it that knows glTF.
struct Glb {
    tinygltf::Model model;

    Glb(const Settings& settings, const FilmFrames& frames) {
        const std::string bytes = encodeSceneGlb(settings, frames);
        tinygltf::TinyGLTF reader;
        std::string errors, warnings;
        const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
        EXPECT_TRUE(reader.LoadBinaryFromMemory(&model, &errors, &warnings, data, static_cast<unsigned>(bytes.size()))) << errors;
        EXPECT_EQ(errors + warnings, "");
    }

    [[nodiscard]] int node(const std::string& name) const {
        for (std::size_t n = 0; n < model.nodes.size(); ++n)
            if (model.nodes[n].name == name) return static_cast<int>(n);
        ADD_FAILURE() << "no node " << name;
        return 0;
    }
    template <class T>
    [[nodiscard]] std::vector<T> values(int accessor, std::size_t perElement = 1) const {
        const tinygltf::Accessor& a = model.accessors[static_cast<std::size_t>(accessor)];
        const tinygltf::BufferView& view = model.bufferViews[static_cast<std::size_t>(a.bufferView)];
        std::vector<T> found(a.count / perElement);
        EXPECT_LE(view.byteOffset + found.size() * sizeof(T), model.buffers[0].data.size());
        std::memcpy(found.data(), model.buffers[0].data.data() + view.byteOffset + a.byteOffset, found.size() * sizeof(T));
        return found;
    }
    /// Values of the channel of a node, and their times; empty if there is none.
    template <class T>
    [[nodiscard]] std::map<float, T> channel(const std::string& name, const std::string& path) const {
        std::map<float, T> found;
        for (const tinygltf::Animation& animation : model.animations)
            for (const tinygltf::AnimationChannel& c : animation.channels) {
                if (c.target_node != node(name) || c.target_path != path) continue;
                const tinygltf::AnimationSampler& sampler = animation.samplers[static_cast<std::size_t>(c.sampler)];
                EXPECT_EQ(sampler.interpolation, "LINEAR");
                const auto times = values<float>(sampler.input);
                const auto results = values<T>(sampler.output);
                EXPECT_EQ(times.size(), results.size());
                for (std::size_t n = 0; n < times.size(); ++n) found[times[n]] = results[n];
            }
        return found;
    }
    [[nodiscard]] BodyTriangles body(const std::string& name) const {
        const int mesh = model.nodes[static_cast<std::size_t>(node(name))].mesh;
        const tinygltf::Primitive& part = model.meshes[static_cast<std::size_t>(mesh)].primitives[0];
        BodyTriangles body{.positions = values<glm::vec3>(part.attributes.at("POSITION")),
                           .normals = {},
                           .triangles = values<glm::uvec3>(part.indices, 3)};
        if (part.attributes.contains("NORMAL")) body.normals = values<glm::vec3>(part.attributes.at("NORMAL"));
        return body;
    }
    [[nodiscard]] glm::quat rotation(const std::string& name) const {
        const std::vector<double>& q = model.nodes[static_cast<std::size_t>(node(name))].rotation;
        return glm::dquat(q[3], q[0], q[1], q[2]);
    }
    [[nodiscard]] glm::vec3 position(const std::string& name) const {
        const std::vector<double>& p = model.nodes[static_cast<std::size_t>(node(name))].translation;
        return {p[0], p[1], p[2]};
    }
};

Settings sceneOf(const Shape& shape) {
    Settings s;
    s.obstacles.resize(1);
    s.obstacles[0].shape = shape;
    s.obstacles[0].shape.centre = {0.5f, 0.25f, 0.75f};
    return s;
}

double volumeOf(const BodyTriangles& body) {
    double six = 0.0;
    for (const glm::uvec3& t : body.triangles) {
        const glm::dvec3 a = body.positions[t.x], b = body.positions[t.y], c = body.positions[t.z];
        six += glm::dot(a, glm::cross(b, c));
    }
    return six / 6.0;
}

/// Every edge has one triangle on each side, in opposite directions. Vertices at the same position count as one.
void expectClosed(const BodyTriangles& body) {
    std::map<std::array<float, 6>, int> edges;
    for (const glm::uvec3& t : body.triangles)
        for (int k = 0; k < 3; ++k) {
            const glm::vec3 a = body.positions[t[k]], b = body.positions[t[(k + 1) % 3]];
            ++edges[{a.x, a.y, a.z, b.x, b.y, b.z}];
            --edges[{b.x, b.y, b.z, a.x, a.y, a.z}];
        }
    for (const auto& [edge, count] : edges) ASSERT_EQ(count, 0);
}

constexpr float kSag = 1.0f - 0.998795f;  // 1 - cos(pi / 64): between two of 64 vertices around a circle

TEST(SceneGlb, RoundBodiesAreClosedWithinTheErrorOfTheirTriangles) {
    const Shape sphere{.kind = ShapeKind::Sphere, .radius = 0.3f};
    const Shape capsule{.kind = ShapeKind::Capsule, .radius = 0.2f, .half = {0.1f, 0.3f, -0.2f}};
    for (const Shape& shape : {sphere, capsule}) {
        const BodyTriangles body = Glb(sceneOf(shape), {}).body("obstacle[0]");
        expectClosed(body);
        ASSERT_EQ(body.normals.size(), body.positions.size());
        const glm::vec3 half = shape.kind == ShapeKind::Capsule ? shape.half : glm::vec3(0.0f);
        const auto axisPoint = [&](glm::vec3 x) {
            return half == glm::vec3(0.0f) ? half : glm::clamp(glm::dot(x, half) / glm::dot(half, half), -1.0f, 1.0f) * half;
        };
        for (std::size_t v = 0; v < body.positions.size(); ++v) {
            const glm::vec3 out = body.positions[v] - axisPoint(body.positions[v]);
            ASSERT_NEAR(glm::length(out), shape.radius, 1e-6f);
            ASSERT_NEAR(glm::dot(glm::normalize(out), body.normals[v]), 1.0f, 1e-5f);
        }
        // The sags around the axis and along the meridian add. The middle of a triangle is the point that is furthest inside.
        for (const glm::uvec3& t : body.triangles) {
            const glm::vec3 middle = (body.positions[t.x] + body.positions[t.y] + body.positions[t.z]) / 3.0f;
            const float distance = glm::length(middle - axisPoint(middle));
            ASSERT_LE(distance, shape.radius * 1.00001f);
            ASSERT_GE(distance, shape.radius * (1.0f - 2.0f * kSag));
        }
        // Outward triangles have a positive volume; it lacks at most a shell of the thickness of both sags.
        const double r = 0.0 + shape.radius, length = 2.0 * glm::length(glm::dvec3(half)), pi = glm::pi<double>();
        const double whole = pi * r * r * (4.0 / 3.0 * r + length), shell = 2.0 * kSag * r * (4.0 * pi * r * r + 2.0 * pi * r * length);
        EXPECT_LT(volumeOf(body), whole);
        EXPECT_GT(volumeOf(body), whole - shell);
    }
}

TEST(SceneGlb, BoxesAndMeshesAreExact) {
    const glm::vec3 half(0.1f, 0.2f, 0.35f);
    const Glb box(sceneOf({.kind = ShapeKind::Box, .half = half}), {});
    const BodyTriangles body = box.body("obstacle[0]");
    expectClosed(body);
    EXPECT_NEAR(volumeOf(body), 8.0 * 0.1 * 0.2 * 0.35, 1e-8);
    for (const glm::vec3& p : body.positions) EXPECT_EQ(glm::abs(p), half);
    EXPECT_EQ(box.position("obstacle[0]"), glm::vec3(0.5f, 0.25f, 0.75f));

    Settings s = sceneOf({.kind = ShapeKind::Mesh, .scale = 0.5f});
    s.meshes = {test::shared(test::moved(test::cuboid({0.25f, 0.5f, 1.0f}), {7.0f, 8.0f, 9.0f}))};
    const BodyTriangles mesh = Glb(s, {}).body("obstacle[0]");
    EXPECT_EQ(mesh.triangles, s.meshes[0]->triangles);
    for (const glm::vec3& p : mesh.positions) EXPECT_EQ(glm::abs(p), glm::vec3(0.125f, 0.25f, 0.5f));
    EXPECT_TRUE(mesh.normals.empty());
}

TEST(SceneGlb, BodiesMoveAsInTheSimulation) {
    Settings s = sceneOf({.kind = ShapeKind::Box, .half = glm::vec3(0.1f)});
    s.timeStep = 0.01f;
    s.obstacles[0].rotation = {0.3f, 0.0f, 0.2f};
    s.obstacles[0].angularVelocity = {0.0f, 30.0f, 0.0f};  // turns over 2 pi, where q becomes -q
    s.obstacles[0].keys = {{0.05f, {0.5f, 0.5f, 0.5f}}, {0.2f, {0.8f, 0.4f, 0.5f}}, {0.4f, {0.8f, 0.7f, 0.2f}}};
    s.obstacles.push_back({.shape = {.kind = ShapeKind::Sphere, .centre = {1.0f, 0.5f, 0.5f}}, .velocity = {3.0f, 0.0f, 0.0f}});
    s.grid.sides[0] = s.grid.sides[1] = Side::Periodic;
    s.obstacles.push_back({.shape = {.kind = ShapeKind::Sphere, .centre = {0.2f, 0.2f, 0.2f}, .radius = 0.05f}});
    const FilmFrames frames{.count = 12, .fps = 25.0, .stepsPerFrame = 4};
    const Glb glb(s, frames);
    const auto positions = glb.channel<glm::vec3>("obstacle[0]", "translation"),
               wrapped = glb.channel<glm::vec3>("obstacle[1]", "translation");
    const auto rotations = glb.channel<glm::vec4>("obstacle[0]", "rotation");
    ASSERT_EQ(positions.size(), frames.count);
    ASSERT_EQ(wrapped.size(), frames.count);
    ASSERT_EQ(rotations.size(), frames.count);
    glm::vec4 before(0.0f);
    for (std::size_t n = 0; n < frames.count; ++n) {
        const auto time = static_cast<float>(static_cast<double>(n) / 25.0);
        const double start = (4.0 * static_cast<double>(n + 1) - 1.0) * static_cast<double>(s.timeStep);  // of the last step of the frame
        const gpu::ObstacleData body = obstacleData(s.obstacles[0], s.grid, start, static_cast<double>(s.timeStep));
        ASSERT_TRUE(positions.contains(time)) << n;
        EXPECT_EQ(positions.at(time), body.shape.centre) << n;
        // q and -q are the same rotation.
        EXPECT_NEAR(std::abs(glm::dot(rotations.at(time), body.shape.rotation)), 1.0f, 1e-6f) << n;
        EXPECT_GE(glm::dot(before, rotations.at(time)), 0.0f) << "the long way to frame " << n;
        before = rotations.at(time);
        const double x = 1.0 + 3.0 * (start + static_cast<double>(s.timeStep));
        EXPECT_NEAR(wrapped.at(time).x, x - 2.0 * std::floor(x / 2.0), 1e-5) << n;
    }
    EXPECT_TRUE(glb.channel<glm::vec4>("obstacle[1]", "rotation").empty());
    EXPECT_TRUE(glb.channel<glm::vec3>("obstacle[2]", "translation").empty());
    EXPECT_EQ(glb.position("obstacle[2]"), glm::vec3(0.2f, 0.2f, 0.2f));
}

TEST(SceneGlb, ColoursAndTheCoatBecomeMaterials) {
    Settings s = sceneOf({});
    s.obstacles[0].colour = glm::vec3(0.75f, 0.5f, 0.25f);
    s.obstacles.push_back({});
    s.lights.resize(1);
    s.render.obstacleColour = {0.5f, 0.25f, 0.125f};
    s.render.obstacleRoughness = 0.25f;
    s.render.obstacleSpecular = 0.04f;
    s.environment.ground = true;
    s.render.groundColour = {0.25f, 0.5f, 0.75f};
    s.environment.groundRadius = 4.0f;
    s.grid.origin = {1.0f, -0.5f, 2.0f};
    const Glb glb(s, {});
    const auto materialOf = [&](const std::string& name) {
        const int mesh = glb.model.nodes[static_cast<std::size_t>(glb.node(name))].mesh;
        return glb.model.materials[static_cast<std::size_t>(glb.model.meshes[static_cast<std::size_t>(mesh)].primitives[0].material)];
    };
    const auto colourOf = [&](const std::string& name) { return materialOf(name).pbrMetallicRoughness.baseColorFactor; };
    EXPECT_THAT(colourOf("obstacle[0]"), testing::ElementsAre(0.75, 0.5, 0.25, 1.0));
    EXPECT_THAT(colourOf("obstacle[1]"), testing::ElementsAre(0.5, 0.25, 0.125, 1.0));
    EXPECT_THAT(colourOf("ground"), testing::ElementsAre(0.25, 0.5, 0.75, 1.0));
    EXPECT_EQ(materialOf("obstacle[0]").pbrMetallicRoughness.metallicFactor, 0.0);
    EXPECT_EQ(materialOf("obstacle[0]").pbrMetallicRoughness.roughnessFactor, 0.25);
    // ((n - 1) / (n + 1))^2 is 0.04 for n = 1.5.
    EXPECT_NEAR(materialOf("obstacle[0]").extensions.at("KHR_materials_ior").Get("ior").GetNumberAsDouble(), 1.5, 1e-6);
    EXPECT_EQ(materialOf("ground").extensions.at("KHR_materials_ior").Get("ior").GetNumberAsDouble(), 1.0);
    EXPECT_THAT(glb.model.extensionsUsed, testing::UnorderedElementsAre("KHR_lights_punctual", "KHR_materials_ior"));
    for (const glm::vec3& p : glb.body("ground").positions) EXPECT_EQ(glm::abs(p), glm::vec3(4.0f, 0.0f, 4.0f));
    EXPECT_EQ(glb.position("ground"), glm::vec3(2.0f, -0.5f, 2.5f));
    s.environment.ground = false;
    for (const tinygltf::Node& node : Glb(s, {}).model.nodes) EXPECT_NE(node.name, "ground");
}

/// Whether the node looks along `forward`, with `up` upwards: the axes -z and +y.
void expectView(const glm::quat& rotation, glm::vec3 forward, glm::vec3 up) {
    EXPECT_LT(glm::distance(rotation * glm::vec3(0, 0, -1), glm::normalize(forward)), 1e-5f);
    EXPECT_LT(glm::distance(rotation * glm::vec3(0, 1, 0), up), 1e-5f);
}

TEST(SceneGlb, TheCameraSeesThePicture) {
    Settings s;
    s.render.size = {640, 320};
    s.camera = {.eye = {1.0f, 2.0f, 3.0f}, .target = {1.0f, 2.0f, 0.0f}, .fov = 0.5f};
    Glb glb(s, {.count = 5});
    ASSERT_EQ(glb.model.cameras.size(), 1u);
    EXPECT_EQ(glb.model.cameras[0].type, "perspective");
    EXPECT_EQ(glb.model.cameras[0].perspective.aspectRatio, 2.0);
    EXPECT_EQ(glb.model.cameras[0].perspective.yfov, 0.5);
    EXPECT_EQ(glb.model.nodes[static_cast<std::size_t>(glb.node("camera"))].camera, 0);
    EXPECT_EQ(glb.position("camera"), glm::vec3(1.0f, 2.0f, 3.0f));
    expectView(glb.rotation("camera"), {0, 0, -1}, {0, 1, 0});
    EXPECT_TRUE(glb.model.animations.empty());
    s.camera.target = {4.0f, 2.0f, 3.0f};
    expectView(Glb(s, {}).rotation("camera"), {1, 0, 0}, {0, 1, 0});
    s.camera.target = {1.0f, 0.0f, 3.0f};
    expectView(Glb(s, {}).rotation("camera"), {0, -1, 0}, {0, 0, 1});

    s.timeStep = 0.125f;
    s.camera.keys = {{0.0f, {0, 1, 2}, {0, 0, 0}}, {1.0f, {2, 1, 0}, {0, 0, 0}}};
    const Glb moving(s, {.count = 4, .fps = 10.0, .stepsPerFrame = 2});
    const auto eyes = moving.channel<glm::vec3>("camera", "translation");
    const auto turns = moving.channel<glm::vec4>("camera", "rotation");
    ASSERT_EQ(eyes.size(), 4u);
    for (int n = 0; n < 4; ++n) {
        const CameraSettings camera = cameraAt(s, 0.25 * (n + 1));
        const auto time = static_cast<float>(n / 10.0);
        EXPECT_EQ(eyes.at(time), camera.eye);
        const glm::vec4 q = turns.at(time);
        EXPECT_LT(glm::distance(glm::quat(q.w, q.x, q.y, q.z) * glm::vec3(0, 0, -1), glm::normalize(camera.target - camera.eye)), 1e-5f);
    }
}

/// A matrix has two quaternions, q and -q. Neighbours in time must have the near one, or programs turn the camera the long way.
TEST(SceneGlb, ACameraThatOrbitsTurnsTheShortWay) {
    Settings s;
    s.timeStep = 0.125f;
    s.camera.keys.clear();
    for (int n = 0; n <= 16; ++n) {
        const float turn = glm::two_pi<float>() * static_cast<float>(n) / 16.0f;
        s.camera.keys.push_back({0.25f * static_cast<float>(n), {2.0f * std::sin(turn), 1.0f, 2.0f * std::cos(turn)}, {0.0f, 0.5f, 0.0f}});
    }
    const Glb glb(s, {.count = 16, .fps = 10.0, .stepsPerFrame = 2});
    const auto turns = glb.channel<glm::vec4>("camera", "rotation");
    ASSERT_EQ(turns.size(), 16u);
    glm::vec4 before = turns.begin()->second;
    for (const auto& [time, q] : turns) {
        EXPECT_GT(glm::dot(before, q), 0.9f) << time;  // the camera turns by a sixteenth of a circle: cos(pi / 16) is 0.98
        before = q;
    }
}

TEST(SceneGlb, AFlatGridHasAnOrthographicCamera) {
    Settings s;
    s.grid.cells = {64, 32, 1};
    s.grid.size = {2.0f, 1.0f, 1.0f / 32};
    s.render.size = {200, 100};
    s.camera.target = {1.0f, 0.5f, 0.0f};
    s.camera.height = 0.5f;
    const Glb glb(s, {});
    EXPECT_EQ(glb.model.cameras[0].type, "orthographic");
    EXPECT_EQ(glb.model.cameras[0].orthographic.ymag, 0.25);
    EXPECT_EQ(glb.model.cameras[0].orthographic.xmag, 0.5);
    expectView(glb.rotation("camera"), {0, 0, -1}, {0, 1, 0});
    s.camera.height = 0.0f;
    EXPECT_EQ(Glb(s, {}).model.cameras[0].orthographic.ymag, 0.5);  // the whole grid
}

TEST(SceneGlb, LightsAreInLumens) {
    Settings s;
    s.lights = {
        {.kind = LightKind::Sun, .direction = {0, -2, 0}, .colour = {2, 1, 0}, .intensity = 3.0f},
        {.kind = LightKind::Point, .position = {1, 2, 3}, .intensity = 0.5f},
        {.kind = LightKind::Spot, .direction = {3, 0, 0}, .position = {4, 5, 6}, .intensity = 2.0f, .angle = 0.8f, .softness = 0.25f},
        {.kind = LightKind::Spot, .direction = {0, 0, 1}, .angle = 6.0f, .softness = 0.0f}};
    const Glb glb(s, {});
    const std::vector<tinygltf::Light>& lights = glb.model.lights;
    ASSERT_EQ(lights.size(), 4u);
    EXPECT_EQ(lights[0].type, "directional");
    EXPECT_EQ(lights[1].type, "point");
    EXPECT_EQ(lights[2].type, "spot");
    EXPECT_NEAR(lights[0].intensity, 683.0 * 6.0, 1e-3);  // the brightest channel: in glTF no colour is above 1
    EXPECT_THAT(lights[0].color, testing::ElementsAre(1.0, 0.5, 0.0));
    EXPECT_NEAR(lights[1].intensity, 683.0 * 0.5, 1e-3);
    EXPECT_NEAR(lights[2].intensity, 683.0 * 2.0, 1e-3);
    EXPECT_NEAR(lights[2].spot.outerConeAngle, 0.4, 1e-6);
    EXPECT_NEAR(lights[2].spot.innerConeAngle, 0.3, 1e-6);
    EXPECT_NEAR(lights[3].spot.outerConeAngle, glm::half_pi<double>(), 1e-6);
    EXPECT_LT(lights[3].spot.innerConeAngle, lights[3].spot.outerConeAngle);
    for (int i = 0; i < 4; ++i) {
        const tinygltf::Node& node = glb.model.nodes[static_cast<std::size_t>(glb.node("light[" + std::to_string(i) + "]"))];
        EXPECT_EQ(node.extensions.at("KHR_lights_punctual").Get("light").GetNumberAsInt(), i);
    }
    EXPECT_LT(glm::distance(glb.rotation("light[0]") * glm::vec3(0, 0, -1), glm::vec3(0, -1, 0)), 1e-5f);
    EXPECT_LT(glm::distance(glb.rotation("light[2]") * glm::vec3(0, 0, -1), glm::vec3(1, 0, 0)), 1e-5f);
    EXPECT_EQ(glb.position("light[1]"), glm::vec3(1, 2, 3));
    EXPECT_EQ(glb.position("light[2]"), glm::vec3(4, 5, 6));
}

TEST(SceneGlb, ASceneOfNothingIsAFile) {
    Settings s;
    s.lights.clear();
    const Glb glb(s, {});
    EXPECT_EQ(glb.model.nodes.size(), 1u);  // the camera
    EXPECT_EQ(glb.model.asset.version, "2.0");
}

TEST(SceneGlb, TheNameMustEndInGlb) {
    EXPECT_NO_THROW(requireSceneOutName("out/x.glb"));
    for (const char* const name : {"x.gltf", "x", ".glb"}) {
        try {
            requireSceneOutName(name);
            ADD_FAILURE() << name;
        } catch (const Failure& e) {
            EXPECT_EQ(e.status(), Exit::Usage);
            EXPECT_THAT(e.what(), HasSubstr("--scene-out"));
            EXPECT_THAT(e.what(), HasSubstr(".glb"));
        }
    }
}

}  // namespace
}  // namespace wisp::app
