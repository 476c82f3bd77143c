// SPDX-License-Identifier: MIT
#include "world.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <cmath>
#include <numbers>
#include <sstream>

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kTube = 0.045f;  // radius [m]
constexpr glm::vec3 kBoxLow{-0.6f, 0.0f, -0.6f}, kBoxSize{1.2f, 1.5f, 1.2f};
constexpr float kExtinction = 45.0f;  // [1/m] per unit density
constexpr glm::vec3 kHorizon{0.028f, 0.036f, 0.05f}, kZenith{0.05f, 0.066f, 0.09f}, kNadir = 2.0f * kHorizon - kZenith;

/// A trefoil knot. @param s from 0 to 1
glm::vec3 knot(float s) {
    const float a = 2.0f * kPi * s, ring = 0.21f + 0.1f * std::cos(3.0f * a);
    return {ring * std::sin(2.0f * a), 0.6f + ring * std::cos(2.0f * a), 0.11f * std::sin(3.0f * a)};
}

std::string list(const glm::vec3& v) {
    std::ostringstream text;
    text.precision(9);
    text << "[" << v.x << ", " << v.y << ", " << v.z << "]";
    return text.str();
}

void addKnot(Mesh& mesh) {
    constexpr std::uint32_t along = 384, around = 32;
    for (std::uint32_t i = 0; i < along; ++i) {
        const float s = static_cast<float>(i) / along, small = 1e-3f;
        const glm::vec3 at = knot(s), forward = glm::normalize(knot(s + small) - knot(s - small));
        const glm::vec3 side = glm::normalize(glm::cross(forward, at - glm::vec3(0.0f, 0.6f, 0.0f))), up = glm::cross(side, forward);
        for (std::uint32_t k = 0; k < around; ++k) {
            const float angle = 2.0f * kPi * static_cast<float>(k) / around;
            const glm::vec3 normal = std::cos(angle) * side + std::sin(angle) * up;
            mesh.vertices.push_back({at + kTube * normal, normal, {0.62f, 0.12f, 0.035f, 0.0f}});
            const std::uint32_t i2 = (i + 1) % along, k2 = (k + 1) % around;
            for (const auto& [m, n] : {std::pair{i, k}, {i2, k}, {i2, k2}, {i, k}, {i2, k2}, {i, k2}})
                mesh.indices.push_back(m * around + n);
        }
    }
}

void addFloor(Mesh& mesh) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const auto& [x, z] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}})
        mesh.vertices.push_back({{2.5f * x, 0.0f, 2.5f * z}, {0.0f, 1.0f, 0.0f}, {0.13f, 0.13f, 0.14f, 1.0f}});
    for (const std::uint32_t n : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(first + n);
}

}  // namespace

World makeWorld() {
    World world{};
    for (std::size_t n = 0; n < World::kCapsules; ++n) {
        const auto at = [](std::size_t k) { return knot(static_cast<float>(k) / World::kCapsules); };
        world.capsuleFrom[n] = glm::vec4(at(n), kTube);
        world.capsuleTo[n] = glm::vec4(at(n + 1), 0.0f);
    }
    world.lights[0] = {glm::vec4(glm::normalize(glm::vec3(-0.45f, 0.9f, 0.35f)), 0.0f), glm::vec4(12.0f, 10.3f, 8.4f, 0.0f)};
    world.lights[1] = {glm::vec4(glm::normalize(glm::vec3(0.8f, 0.35f, -0.6f)), 0.0f), glm::vec4(2.0f, 3.2f, 5.6f, 0.0f)};
    world.skyMean = glm::vec4(kHorizon, 0.0f);
    world.skySlope = glm::vec4(kZenith - kHorizon, 0.0f);
    world.boxLow = glm::vec4(kBoxLow, kExtinction);
    world.boxSize = glm::vec4(kBoxSize, 0.0f);
    return world;
}

Mesh makeMesh() {
    Mesh mesh;
    addKnot(mesh);
    addFloor(mesh);
    return mesh;
}

wisp::Scene makeScene(const World& world) {
    wisp::Scene scene = wisp::Scene::parse(R"(
        name = "host"
        [grid]
        sides = { y0 = "wall" }
        [time]
        step = 0.0166666667
        [flow]
        buoyancy = 0.03
        weight = 0.2
        vorticity = 0.6
        density_decay = 0.3
        side_fade = 0.12
        [[emitter]]
        centre = [0.0, 0.03, 0.0]
        radius = 0.13
        velocity = [0.0, 0.5, 0.0]
        turbulence = 0.9
        turbulence_scale = 0.07
        density = 1.0
        temperature = 130.0
        [medium]
        albedo = [0.9, 0.9, 0.9]
        phase = { g = 0.6, g_back = -0.3, blend = 0.3 }
    )");
    scene.set("grid.cells", {64, 80, 64});
    scene.set("grid.origin", wisp::Value::toml(list(kBoxLow))).set("grid.size", wisp::Value::toml(list(kBoxSize)));
    scene.set("medium.extinction", static_cast<double>(kExtinction));
    scene.set("environment.colour", wisp::Value::toml(list(kHorizon)));
    scene.set("environment.top", wisp::Value::toml(list(kZenith))).set("environment.bottom", wisp::Value::toml(list(kNadir)));
    for (const World::Light& light : world.lights)
        scene.add("light", "{type = \"sun\", intensity = 1.0, size = 6.0, direction = " + list(-glm::vec3(light.towards)) +
                               ", colour = " + list(glm::vec3(light.irradiance)) + "}");
    for (std::size_t n = 0; n < World::kCapsules; ++n) {
        const glm::vec3 from(world.capsuleFrom[n]), to(world.capsuleTo[n]);
        scene.add("obstacle", "{shape = \"capsule\", radius = " + std::to_string(world.capsuleFrom[n].w) +
                                  ", centre = " + list(0.5f * (from + to)) + ", half = " + list(0.5f * (to - from)) + "}");
    }
    return scene;
}

Matrices orbit(double time, float aspect) {
    const auto angle = static_cast<float>(0.35 + 2.0 * std::numbers::pi * time / 16.0);
    const glm::vec3 eye{1.9f * std::sin(angle), 0.8f, 1.9f * std::cos(angle)};
    const float near = 0.05f, focal = 1.0f / std::tan(0.5f * glm::radians(34.0f));
    glm::mat4 projection(0.0f);
    projection[0][0] = focal / aspect;
    projection[1][1] = -focal;  // y points down in Vulkan's clip space
    projection[2][3] = -1.0f;
    projection[3][2] = near;
    return {glm::lookAt(eye, glm::vec3(0.0f, 0.55f, 0.0f), glm::vec3(0.0f, 1.0f, 0.0f)), projection};
}
