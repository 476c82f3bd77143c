// SPDX-License-Identifier: MIT
#include "files/model/scene_glb.h"

#include "compute/scene/motion.h"
#include "files/base/failure.h"
#include "files/model/glb_model.h"
#include "third_party/tinygltf_versions.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp {
namespace {

/// Half edge of an infinite ground, in longest edges of the box.
constexpr float kGroundEdges = 100.0f;
/// Largest share of a spot's half angle without falloff: in glTF the inner cone must be smaller than the outer one.
constexpr double kMostInner = 0.999;

float longestEdge(const Settings& s) { return std::max({s.grid.size.x, s.grid.size.y, s.grid.size.z}); }

/// A function of the end of the step before each picture, called with the time of the step's start [s].
template <class Function>
std::vector<NodePose> posesOf(const Settings& s, const FilmFrames& frames, Function pose) {
    std::vector<NodePose> poses;
    for (std::size_t n = 0; n < frames.count; ++n) {
        const double steps = static_cast<double>(n + 1) * frames.stepsPerFrame;
        poses.push_back(pose((steps - 1.0) * static_cast<double>(s.timeStep)));
    }
    return poses;
}

/// A dielectric over a diffuse base. `specular` is the reflectance at normal incidence, which glTF expresses as index of refraction.
int addMaterial(GlbModel& glb, const std::string& name, glm::vec3 albedo, float specular, float roughness) {
    tinygltf::Material material;
    material.name = name;
    material.pbrMetallicRoughness.baseColorFactor = {albedo.r, albedo.g, albedo.b, 1.0};
    material.pbrMetallicRoughness.metallicFactor = 0.0;
    material.pbrMetallicRoughness.roughnessFactor = static_cast<double>(roughness);
    const double root = std::sqrt(static_cast<double>(specular));
    const double ior = root < 1.0 ? (1.0 + root) / (1.0 - root) : 0.0;  // the extension takes 0 for infinite
    material.extensions["KHR_materials_ior"] = tinygltf::Value(tinygltf::Value::Object{{"ior", tinygltf::Value(ior)}});
    glb.model().materials.push_back(std::move(material));
    return static_cast<int>(glb.model().materials.size()) - 1;
}

void addBodies(GlbModel& glb, const Settings& s, const FilmFrames& frames) {
    for (std::size_t i = 0; i < s.obstacles.size(); ++i) {
        const ObstacleSettings& body = s.obstacles[i];
        tinygltf::Node node;
        node.name = fmt::format("obstacle[{}]", i);
        const RenderSettings& r = s.render;
        const int material = addMaterial(glb, node.name, body.colour.value_or(r.obstacleColour), r.obstacleSpecular, r.obstacleRoughness);
        node.mesh = glb.addMesh(node.name, trianglesOf(body.shape, s.meshes), material);
        glb.addNode(std::move(node), posesOf(s, frames, [&](double start) {
                        GridSettings grid = s.grid;  // the periodic image of a body is that in the box
                        grid.origin += grid.cellSize() * glm::vec3(cellsFollowed(s, s.grid.origin, start));
                        const gpu::ShapeData shape = obstacleData(body, grid, start, static_cast<double>(s.timeStep)).shape;
                        return NodePose{shape.centre, glm::quat(shape.rotation.w, shape.rotation.x, shape.rotation.y, shape.rotation.z)};
                    }));
    }
}

void addGround(GlbModel& glb, const Settings& s) {
    if (!s.environment.ground) return;
    const float half = s.environment.groundRadius > 0.0f ? s.environment.groundRadius : kGroundEdges * longestEdge(s);
    const BodyTriangles plane{.positions = {{-half, 0, half}, {half, 0, half}, {half, 0, -half}, {-half, 0, -half}},
                              .normals = std::vector<glm::vec3>(4, {0, 1, 0}),
                              .triangles = {{0, 1, 2}, {0, 2, 3}}};
    tinygltf::Node node;
    node.name = "ground";
    node.mesh = glb.addMesh(node.name, plane, addMaterial(glb, node.name, s.render.groundColour, 0.0f, 1.0f));
    const glm::vec3 middle = s.grid.origin + 0.5f * s.grid.size;
    const NodePose pose{{middle.x, s.grid.origin.y, middle.z}};
    glb.addNode(std::move(node), {&pose, 1});
}

void addCamera(GlbModel& glb, const Settings& s, const FilmFrames& frames) {
    const float aspect = static_cast<float>(s.render.size.x) / static_cast<float>(s.render.size.y);
    const bool flat = s.grid.isFlat();
    const double most = 1000.0 * static_cast<double>(longestEdge(s));
    const auto cameraOf = [&](double start) {
        const CameraSettings camera = cameraAt(s, start + static_cast<double>(s.timeStep));
        return flat && camera.height == 0.0f ? planeCamera(s.grid, aspect) : camera;
    };
    const CameraSettings first = cameraOf(0.0);
    tinygltf::Camera camera;
    camera.name = "camera";
    camera.type = flat ? "orthographic" : "perspective";
    camera.perspective.aspectRatio = static_cast<double>(aspect);
    camera.perspective.yfov = static_cast<double>(first.fov);
    camera.perspective.znear = camera.orthographic.znear = 1e-6 * most;
    camera.perspective.zfar = camera.orthographic.zfar = most;
    camera.orthographic.ymag = 0.5 * static_cast<double>(first.height);
    camera.orthographic.xmag = camera.orthographic.ymag * static_cast<double>(aspect);
    glb.model().cameras.push_back(std::move(camera));
    tinygltf::Node node;
    node.name = "camera";
    node.camera = 0;
    glb.addNode(std::move(node), posesOf(s, frames, [&](double start) {
                    const CameraSettings c = cameraOf(start);
                    if (!flat) return NodePose{c.eye, rotationTowards(glm::dvec3(c.target) - glm::dvec3(c.eye))};
                    return NodePose{c.target + glm::vec3(0.0f, 0.0f, longestEdge(s))};  // an orthographic camera along -z
                }));
}

void addLights(GlbModel& glb, const Settings& s) {
    for (std::size_t i = 0; i < s.lights.size(); ++i) {
        const LightSettings& from = s.lights[i];
        const float brightest = std::max({from.colour.r, from.colour.g, from.colour.b});
        const glm::vec3 colour = brightest > 0.0f ? from.colour / brightest : glm::vec3(1.0f);  // in [0, 1] in glTF
        tinygltf::Light light;
        light.name = fmt::format("light[{}]", i);
        light.type = from.kind == LightKind::Sun ? "directional" : from.kind == LightKind::Point ? "point" : "spot";
        light.color = {colour.r, colour.g, colour.b};
        light.intensity = kLumensPerWatt * static_cast<double>(from.intensity) * static_cast<double>(brightest);
        light.spot.outerConeAngle = std::min(0.5 * static_cast<double>(from.angle), glm::half_pi<double>());
        light.spot.innerConeAngle = light.spot.outerConeAngle * std::min(1.0 - static_cast<double>(from.softness), kMostInner);
        glb.model().lights.push_back(std::move(light));
        tinygltf::Node node;
        node.name = fmt::format("light[{}]", i);
        third_party::setLight(node, static_cast<int>(i));
        NodePose pose{from.position};
        if (from.kind != LightKind::Point) pose.rotation = rotationTowards(from.direction);
        // The position of a sun has no effect. Outside of the box it is in nobody's way.
        if (from.kind == LightKind::Sun)
            pose.position = s.grid.origin + 0.5f * s.grid.size - 2.0f * longestEdge(s) * glm::normalize(from.direction);
        glb.addNode(std::move(node), {&pose, 1});
    }
}

}  // namespace

std::string encodeSceneGlb(const Settings& s, const FilmFrames& frames) {
    std::vector<float> times;
    for (std::size_t n = 0; n < frames.count; ++n) times.push_back(static_cast<float>(static_cast<double>(n) / frames.fps));
    GlbModel glb(std::move(times));
    addBodies(glb, s, frames);
    addGround(glb, s);
    addCamera(glb, s, frames);
    addLights(glb, s);
    if (!glb.model().materials.empty()) glb.model().extensionsUsed.emplace_back("KHR_materials_ior");
    return glb.encode();
}

}  // namespace wisp
