// SPDX-License-Identifier: MIT
// glTF files as meshes: positions against closed forms, and files that are wrong.
#include "compute/scene/mesh_report.h"
#include "compute/scene/motion.h"
#include "files/base/failure.h"
#include "files/model/scene_glb.h"
#include "files/scene/gltf_file.h"
#include "files/scene/gltf_model.h"
#include "files/scene/mesh_loader.h"
#include "files/scene/scene.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_folder.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gmock/gmock.h>
#include <tiny_gltf.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

namespace wisp::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kFloat = TINYGLTF_COMPONENT_TYPE_FLOAT, kInt = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;

/// Writes a model with one buffer.
struct Builder {
    tinygltf::Model model;

    Builder() {
        model.asset.version = "2.0";
        model.buffers.resize(1);
        model.scenes.resize(1);
        model.defaultScene = 0;
    }
    template <class T>
    int add(const std::vector<T>& values, int type, int component, std::size_t count) {
        tinygltf::BufferView view;
        view.buffer = 0;
        view.byteOffset = model.buffers[0].data.size();
        view.byteLength = values.size() * sizeof(T);
        model.buffers[0].data.resize(view.byteOffset + view.byteLength);
        std::memcpy(model.buffers[0].data.data() + view.byteOffset, values.data(), view.byteLength);
        tinygltf::Accessor accessor;
        accessor.bufferView = static_cast<int>(model.bufferViews.size());
        accessor.type = type;
        accessor.componentType = component;
        accessor.count = count;
        model.bufferViews.push_back(view);
        model.accessors.push_back(accessor);
        return static_cast<int>(model.accessors.size()) - 1;
    }
    int vectors(const std::vector<glm::vec3>& v) { return add(v, TINYGLTF_TYPE_VEC3, kFloat, v.size()); }
    int vectors4(const std::vector<glm::vec4>& v) { return add(v, TINYGLTF_TYPE_VEC4, kFloat, v.size()); }
    int times(const std::vector<float>& v) { return add(v, TINYGLTF_TYPE_SCALAR, kFloat, v.size()); }

    int mesh(const Mesh& from) {
        tinygltf::Primitive part;
        part.mode = TINYGLTF_MODE_TRIANGLES;
        part.attributes["POSITION"] = vectors(from.positions);
        part.indices = add(from.triangles, TINYGLTF_TYPE_SCALAR, kInt, 3 * from.triangles.size());
        model.meshes.emplace_back().primitives.push_back(part);
        return static_cast<int>(model.meshes.size()) - 1;
    }
    tinygltf::Node& node(int mesh, bool inScene = true) {
        if (inScene) model.scenes[0].nodes.push_back(static_cast<int>(model.nodes.size()));
        model.nodes.emplace_back().mesh = mesh;
        return model.nodes.back();
    }
    void animate(int node, const std::string& path, const std::string& blend, int input, int output) {
        model.animations.resize(1);
        tinygltf::AnimationSampler sampler;
        sampler.interpolation = blend;
        sampler.input = input;
        sampler.output = output;
        tinygltf::AnimationChannel channel;
        channel.target_node = node;
        channel.target_path = path;
        channel.sampler = static_cast<int>(model.animations[0].samplers.size());
        model.animations[0].samplers.push_back(sampler);
        model.animations[0].channels.push_back(channel);
    }
    std::filesystem::path save(const std::filesystem::path& file) {
        tinygltf::TinyGLTF writer;
        EXPECT_TRUE(writer.WriteGltfSceneToFile(&model, file.string(), false, false, true, file.extension() == ".glb"));
        return file;
    }
};

class Gltf : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path at(const std::string& name) const { return scratch.path() / name; }
    std::string problemOf(const std::filesystem::path& file) {
        try {
            (void)GltfScene(file);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    /// The error of a cube in a file that `damage` has changed.
    std::string problemAfter(const std::function<void(tinygltf::Model&)>& damage) {
        Builder b;
        b.node(b.mesh(test::cuboid(glm::vec3(1.0f))));
        damage(b.model);
        return problemOf(b.save(at("bad.glb")));
    }
    test::ScratchFolder scratch;
};

TEST_F(Gltf, ATurnedMeshIsReadFromBothKindsOfFile) {
    const Mesh ball = test::icosphere(2, 1.0f);
    Builder b;
    tinygltf::Node& parent = b.node(-1);
    parent.translation = {1.0, 2.0, 3.0};
    parent.rotation = {0.0, std::sqrt(0.5), 0.0, std::sqrt(0.5)};  // by 90 degrees about y: (x, y, z) to (z, y, -x)
    parent.scale = {2.0, 2.0, 2.0};
    parent.children = {1};
    tinygltf::Node& child = b.node(b.mesh(ball), false);
    child.translation = {0.5, 0.0, 0.0};
    for (const char* const name : {"a.glb", "b.gltf"}) {
        const Mesh read = loadMesh({.file = b.save(at(name))});
        EXPECT_EQ(read.triangles, ball.triangles);
        EXPECT_EQ(read.source.file, at(name));
        ASSERT_EQ(read.positions.size(), ball.positions.size());
        for (std::size_t v = 0; v < ball.positions.size(); ++v) {
            const glm::vec3 p = ball.positions[v];
            EXPECT_LT(glm::distance(read.positions[v], glm::vec3(1.0f + 2.0f * p.z, 2.0f + 2.0f * p.y, 3.0f - 2.0f * (p.x + 0.5f))), 2e-6f);
        }
    }
    EXPECT_TRUE(std::filesystem::exists(at("b.bin")));
}

TEST_F(Gltf, AMirroredNodeKeepsItsOutside) {
    Builder b;
    b.node(b.mesh(test::cuboid(glm::vec3(1.0f)))).scale = {-1.0, 1.0, 1.0};
    const Mesh read = loadMesh({.file = b.save(at("m.glb"))});
    double volume = 0.0;
    for (const glm::uvec3& t : read.triangles)
        volume += glm::dot(glm::dvec3(read.positions[t.x]), glm::cross(glm::dvec3(read.positions[t.y]), glm::dvec3(read.positions[t.z]))) /
                  6.0;
    EXPECT_NEAR(volume, 8.0, 1e-6);
}

TEST_F(Gltf, StripsFansAndOtherScenes) {
    const Mesh cube = test::cuboid(glm::vec3(1.0f));
    Builder b;
    b.node(b.mesh(cube));
    tinygltf::Primitive strip, fan, line;
    strip.attributes["POSITION"] = fan.attributes["POSITION"] = line.attributes["POSITION"] = b.vectors(
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0}});
    strip.mode = TINYGLTF_MODE_TRIANGLE_STRIP;
    fan.mode = TINYGLTF_MODE_TRIANGLE_FAN;
    line.mode = TINYGLTF_MODE_LINE;
    b.model.meshes.emplace_back().primitives = {strip, line, fan};
    b.node(1);
    b.node(0, false);  // in no scene
    const GltfScene scene(b.save(at("s.glb")));
    ASSERT_EQ(scene.triangles().size(), cube.triangles.size() + 6);
    const auto first = static_cast<std::uint32_t>(cube.positions.size());
    const std::vector<glm::uvec3> flat(scene.triangles().end() - 6, scene.triangles().end());
    const std::vector<glm::uvec3> expected{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {5, 6, 7}, {5, 7, 8}, {5, 8, 9}};
    for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(flat[n], expected[n] + first) << n;
    EXPECT_EQ(scene.positions(0.0).size(), first + 10);
}

TEST_F(Gltf, AnimationsHaveTheirClosedForms) {
    Builder b;
    b.node(b.mesh({.positions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .triangles = {{0, 1, 2}}}));
    const float quarter = std::sqrt(0.5f);
    b.animate(0, "rotation", "LINEAR", b.times({1.0f, 3.0f}), b.vectors4({{0, 0, 0, 1}, {0, 0, -quarter, -quarter}}));  // 90 degrees, as -q
    b.animate(0, "scale", "STEP", b.times({0.0f, 2.0f}), b.vectors({{1, 1, 1}, {3, 1, 1}}));
    // x runs as a Hermite spline from 0 to 1 in 4 s, with the speeds 0.5 m/s and -0.25 m/s.
    b.animate(0, "translation", "CUBICSPLINE", b.times({0.0f, 4.0f}),
              b.vectors({{9, 9, 9}, {0, 0, 0}, {0.5f, 0, 0}, {-0.25f, 0, 0}, {1, 0, 0}, {9, 9, 9}}));
    const GltfScene scene(b.save(at("a.glb")));
    EXPECT_TRUE(scene.animated());
    EXPECT_EQ(scene.duration(), 4.0);
    for (const double t : {-1.0, 0.0, 1.0, 1.5, 1.99, 2.0, 2.75, 3.0, 3.5, 4.0, 9.0}) {
        const double s = std::clamp(t / 4.0, 0.0, 1.0), angle = glm::half_pi<double>() * std::clamp((t - 1.0) / 2.0, 0.0, 1.0);
        const double x = (s * s * s - 2 * s * s + s) * 4.0 * 0.5 + (3 * s * s - 2 * s * s * s) + (s * s * s - s * s) * 4.0 * -0.25;
        const double wide = t < 2.0 ? 1.0 : 3.0;
        const std::vector<glm::vec3> p = scene.positions(t);
        EXPECT_LT(glm::distance(glm::dvec3(p[0]), glm::dvec3(x + wide * std::cos(angle), wide * std::sin(angle), 0.0)), 1e-6) << t;
        EXPECT_LT(glm::distance(glm::dvec3(p[1]), glm::dvec3(x - std::sin(angle), std::cos(angle), 0.0)), 1e-6) << t;
        EXPECT_LT(glm::distance(glm::dvec3(p[2]), glm::dvec3(x, 0.0, 1.0)), 1e-6) << t;
    }
}

TEST_F(Gltf, ASkinBlendsItsBones) {
    Builder b;
    tinygltf::Primitive part;
    part.mode = TINYGLTF_MODE_TRIANGLES;
    part.attributes["POSITION"] = b.vectors({{1, 0, 0}, {0, 2, 0}, {0, 3, 0}});
    const std::vector<std::uint8_t> joints{0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, weights{255, 0, 0, 0, 51, 204, 0, 0, 255, 0, 0, 0};
    part.attributes["JOINTS_0"] = b.add(joints, TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, 3);
    part.attributes["WEIGHTS_0"] = b.add(weights, TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, 3);
    b.model.accessors.back().normalized = true;
    b.model.meshes.emplace_back().primitives = {part};
    tinygltf::Node& body = b.node(0);
    body.skin = 0;
    body.translation = {50.0, 0.0, 0.0};  // has no effect on a skin
    b.node(-1).children = {2};
    b.node(-1, false).translation = {0.0, 1.0, 0.0};  // the second bone, at (0, 1, 0)
    glm::mat4 down(1.0f);
    down[3] = {0, -1, 0, 1};
    tinygltf::Skin skin;
    skin.joints = {1, 2};
    skin.inverseBindMatrices = b.add(std::vector<glm::mat4>{glm::mat4(1.0f), down}, TINYGLTF_TYPE_MAT4, kFloat, 2);
    b.model.skins = {skin};
    b.animate(2, "rotation", "LINEAR", b.times({0.0f, 1.0f}), b.vectors4({{0, 0, 0, 1}, {0, 0, std::sqrt(0.5f), std::sqrt(0.5f)}}));
    const GltfScene scene(b.save(at("s.glb")));
    EXPECT_TRUE(scene.animated());
    for (const double t : {0.0, 0.25, 0.5, 1.0}) {
        const double a = glm::half_pi<double>() * t;
        const auto bone = [&](glm::dvec3 p) {  // turned about (0, 1, 0)
            return glm::dvec3(std::cos(a) * p.x - std::sin(a) * (p.y - 1.0), 1.0 + std::sin(a) * p.x + std::cos(a) * (p.y - 1.0), p.z);
        };
        const std::vector<glm::vec3> p = scene.positions(t);
        EXPECT_LT(glm::distance(glm::dvec3(p[0]), glm::dvec3(1, 0, 0)), 1e-6) << t;
        EXPECT_LT(glm::distance(glm::dvec3(p[1]), 0.2 * glm::dvec3(0, 2, 0) + 0.8 * bone({0, 2, 0})), 1e-6) << t;
        EXPECT_LT(glm::distance(glm::dvec3(p[2]), bone({0, 3, 0})), 1e-6) << t;
    }
}

/// What --scene-out writes has the positions of the simulation when it is read again.
TEST_F(Gltf, ReadsTheSceneOfARun) {
    Settings s;
    s.timeStep = 0.01f;
    s.obstacles.resize(1);
    ObstacleSettings& o = s.obstacles[0];
    o.shape = {.kind = ShapeKind::Box, .centre = {0.5f, 0.5f, 0.5f}, .half = {0.1f, 0.2f, 0.3f}};
    o.velocity = {1.0f, 0.0f, 0.0f};
    o.angularVelocity = {1.0f, 2.0f, 3.0f};
    const FilmFrames frames{.count = 5, .fps = 10.0, .stepsPerFrame = 10};
    std::ofstream(at("run.glb"), std::ios::binary) << encodeSceneGlb(s, frames);
    const GltfScene scene(at("run.glb"));
    for (int n = 0; n < 5; ++n) {
        const gpu::ShapeData pose = obstacleData(o, s.grid, 0.1 * (n + 1), 0.0).shape;
        const glm::quat turn(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
        for (const glm::vec3& p : scene.positions(0.1 * n)) {
            const glm::vec3 own = glm::conjugate(turn) * (p - pose.centre);
            EXPECT_LT(glm::distance(glm::abs(own), o.shape.half), 1e-5f) << n;
        }
    }
}

TEST_F(Gltf, IsABodyOfAScene) {
    Builder b;
    b.node(b.mesh(test::icosphere(2, 1.0f)));
    b.save(at("ball.glb"));
    const auto scene = [&](const std::string& table) {
        return parseScene("[[" + table + "]]\nshape = \"mesh\"\nfile = \"ball.glb\"\nsize = 0.5\n", at("t.toml").string());
    };
    EXPECT_NEAR(scene("obstacle").obstacles[0].shape.scale, 0.25f, 1e-3f);
    EXPECT_EQ(scene("emitter").meshes.size(), 1u);
    b.animate(0, "translation", "LINEAR", b.times({0.0f, 1.0f}), b.vectors({{0, 0, 0}, {1, 0, 0}}));
    b.save(at("ball.glb"));
    const Settings moving = parseScene("[[obstacle]]\nshape = \"mesh\"\nfile = \"ball.glb\"\nstart = 2.0\n", at("t.toml").string());
    const Mesh& mesh = *moving.meshes[0];
    ASSERT_TRUE(mesh.motion);
    EXPECT_LT(glm::distance(boundsOf(mesh, mesh.motion->positions(2.25)).middle(), glm::dvec3(0.25, 0.0, 0.0)), 1e-6);
    EXPECT_EQ(mesh.motion->positions(1.9), mesh.positions);
    EXPECT_NEAR(mesh.range.speed, 1.0, 1e-5);
    EXPECT_NE(mesh.motionHash, 0u);
    // Only what moves the triangles counts.
    b.model.animations[0].channels[0].target_node = 1;
    b.node(-1).name = "moves";
    b.save(at("ball.glb"));
    EXPECT_FALSE(GltfScene(at("ball.glb")).animated());
}

TEST_F(Gltf, OneNodeOfAScene) {
    Builder b;
    b.node(b.mesh(test::cuboid(glm::vec3(1.0f)))).name = "box";
    b.node(-1).name = "arm";
    b.node(b.mesh(test::icosphere(1, 0.5f)), false).name = "hand";
    b.model.nodes[1].children = {2};
    b.model.nodes[1].translation = {5.0, 0.0, 0.0};
    b.animate(0, "translation", "LINEAR", b.times({0.0f, 1.0f}), b.vectors({{0, 0, 0}, {1, 0, 0}}));
    const std::string file = b.save(at("m.glb"));
    EXPECT_EQ(loadMesh({.file = file}).triangles.size(), 12u + 80u);
    for (const char* node : {"arm", "hand"}) {
        const Mesh mesh = loadMesh({.file = file, .node = node});
        EXPECT_EQ(mesh.triangles.size(), 80u) << node;
        EXPECT_NEAR(boundsOf(mesh).middle().x, 5.0, 1e-6) << "the nodes above it place it";
        EXPECT_FALSE(mesh.motion) << "another node moves";
    }
    EXPECT_TRUE(loadMesh({.file = file, .node = "box"}).motion);
    try {
        (void)loadMesh({.file = file, .node = "foot"});
        ADD_FAILURE() << "a node that does not exist was accepted";
    } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "has no node \"foot\" in its scene; its nodes are \"box\", \"arm\", \"hand\"");
    }
}

TEST_F(Gltf, CutShortAnywhereIsAnError) {
    Builder b;
    b.node(b.mesh(test::cuboid(glm::vec3(1.0f))));
    b.save(at("whole.glb"));
    std::ifstream in(at("whole.glb"), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    ASSERT_GT(bytes.size(), 400u);
    for (std::size_t size = 0; size < bytes.size(); size += size < 64 ? 1 : 7) {
        std::ofstream(at("cut.glb"), std::ios::binary) << bytes.substr(0, size);
        EXPECT_THAT(problemOf(at("cut.glb")), HasSubstr("cut short")) << size;
    }
    b.save(at("text.gltf"));
    std::filesystem::resize_file(at("text.bin"), 8);
    EXPECT_NE(problemOf(at("text.gltf")), "");
    std::filesystem::remove(at("text.bin"));
    EXPECT_THAT(problemOf(at("text.gltf")), HasSubstr("text.bin"));
}

TEST_F(Gltf, WrongPartsAreNamed) {
    using Model = tinygltf::Model;
    EXPECT_EQ(problemAfter([](Model&) {}), "");
    EXPECT_THAT(problemAfter([](Model& m) { m.nodes[0].mesh = 9; }), HasSubstr("mesh 9, but the file has 1"));
    EXPECT_THAT(problemAfter([](Model& m) { m.scenes[0].nodes = {7}; }), HasSubstr("node 7, but the file has 1"));
    EXPECT_THAT(problemAfter([](Model& m) { m.scenes.clear(); }), HasSubstr("scene"));
    EXPECT_THAT(problemAfter([](Model& m) {
                    m.scenes[0].nodes.clear();
                    m.scenes[0].name = "empty";
                }),
                HasSubstr("no triangles"));
    EXPECT_NE(problemAfter([](Model& m) { m.meshes[0].primitives[0].attributes["POSITION"] = 12; }), "");
    EXPECT_NE(problemAfter([](Model& m) { m.meshes[0].primitives[0].indices = 12; }), "");
    EXPECT_NE(problemAfter([](Model& m) { m.accessors[0].bufferView = 12; }), "");
    EXPECT_THAT(problemAfter([](Model& m) { m.bufferViews[0].buffer = 12; }), HasSubstr("buffer 12, but the file has 1"));
    EXPECT_THAT(problemAfter([](Model& m) { m.bufferViews[0].byteLength = 1u << 30; }), HasSubstr("ends after its buffer"));
    EXPECT_THAT(problemAfter([](Model& m) { m.bufferViews[0].byteOffset = 1u << 30; }), HasSubstr("ends after its buffer"));
    EXPECT_THAT(problemAfter([](Model& m) { m.accessors[0].count += 1; }), HasSubstr("ends after its bufferView"));
    EXPECT_THAT(problemAfter([](Model& m) { m.accessors[0].byteOffset = 4; }), HasSubstr("ends after its bufferView"));
    EXPECT_THAT(problemAfter([](Model& m) { m.bufferViews[0].byteStride = 4; }), HasSubstr("stride"));
    EXPECT_THAT(problemAfter([](Model& m) { m.accessors[0].type = TINYGLTF_TYPE_VEC4; }), HasSubstr("another type"));
    EXPECT_THAT(problemAfter([](Model& m) { m.accessors[0].componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE; }),
                HasSubstr("no floats"));
    EXPECT_THAT(problemAfter([](Model& m) { m.accessors[1].componentType = kFloat; }), HasSubstr("no whole numbers"));
    EXPECT_THAT(problemAfter([](Model& m) {
                    const float bad = std::numeric_limits<float>::quiet_NaN();
                    std::memcpy(m.buffers[0].data.data() + 8, &bad, sizeof bad);
                }),
                HasSubstr("not finite"));
    EXPECT_THAT(problemAfter([](Model& m) { m.buffers[0].data[m.bufferViews[1].byteOffset + 1] = 1; }), HasSubstr("uses vertex"));
    EXPECT_THAT(problemAfter([](Model& m) { m.nodes[0].children = {0}; }), HasSubstr("their own ancestors"));
    EXPECT_THAT(problemAfter([](Model& m) {
                    m.nodes.resize(3);
                    m.nodes[2].name = "child";
                    m.nodes[0].children = m.nodes[1].children = {2};
                }),
                HasSubstr("child of two nodes"));
    EXPECT_THAT(problemAfter([](Model& m) { m.nodes[0].rotation = {0, 0, 0, 0}; }), HasSubstr("unit quaternion"));
    EXPECT_THAT(problemAfter([](Model& m) { m.nodes[0].scale = {1, 1}; }), HasSubstr("2 numbers"));
    EXPECT_THAT(problemAfter([](Model& m) { m.meshes[0].primitives[0].targets = {{{"POSITION", 0}}}; }), HasSubstr("morph targets"));
    EXPECT_THAT(problemAfter([](Model& m) { m.extensionsRequired = {"KHR_draco_mesh_compression"}; }),
                HasSubstr("KHR_draco_mesh_compression"));
    EXPECT_THAT(problemAfter([](Model& m) { m.nodes.resize(kMaxGltfParts + 1); }), HasSubstr("65537 nodes, must have at most 65536"));
    for (const char* const text : {"", "{", "[]", "{\"asset\": 1}", "\xff\xfe", "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[3]}"}) {
        std::ofstream(at("t.gltf")) << text;
        EXPECT_NE(problemOf(at("t.gltf")), "") << text;
    }
    std::ofstream(at("deep.gltf")) << std::string(100000, '[');
    EXPECT_THAT(problemOf(at("deep.gltf")), HasSubstr("nested"));
}

TEST_F(Gltf, BuffersAreOnlyReadBesideTheFile) {
    std::ofstream(at("secret.bin"), std::ios::binary) << std::string(36, '\0');
    std::filesystem::create_directory(at("below"));
    for (const std::string& uri : {std::string("../secret.bin"), at("secret.bin").string()}) {
        std::ofstream(at("below/t.gltf")) << R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":")" + uri + R"("}]})";
        EXPECT_NE(problemOf(at("below/t.gltf")), "has no scene") << uri;
        EXPECT_NE(problemOf(at("below/t.gltf")), "") << uri;
    }
    std::ofstream(at("t.gltf")) << R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"secret.bin"}]})";
    EXPECT_EQ(problemOf(at("t.gltf")), "has no scene");  // it was read
}

/// An image is not decoded: neither a damaged one nor one whose bufferView is wrong matters.
TEST_F(Gltf, ImagesAreLeftOut) {
    Builder b;
    b.node(b.mesh(test::cuboid(glm::vec3(1.0f))));
    b.save(at("i.gltf"));
    std::ifstream in(at("i.gltf"));
    std::string text(std::istreambuf_iterator<char>(in), {});
    const std::size_t open = text.find('{');
    text.insert(open + 1, R"("images":[{"bufferView":77,"mimeType":"image/png"}],"textures":[{"source":0}],"extras":{"a":[1]},)");
    std::ofstream(at("i.gltf")) << text;
    EXPECT_EQ(problemOf(at("i.gltf")), "");
}

}  // namespace
}  // namespace wisp::app
