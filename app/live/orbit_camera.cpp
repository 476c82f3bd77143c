// SPDX-License-Identifier: MIT
#include "app/live/orbit_camera.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

constexpr float kSteepest = 1.55f;                   // [rad], below pi/2, where the camera would look along y
constexpr float kNearest = 1e-3f, kFarthest = 1e4f;  // distance to the target [m]

}  // namespace

void OrbitCamera::set(const CameraSettings& camera) {
    const glm::vec3 back = camera.eye - camera.target;
    target_ = camera.target;
    distance_ = std::clamp(glm::length(back), kNearest, kFarthest);
    yaw_ = std::atan2(back.x, back.z);
    setPitch(std::asin(std::clamp(back.y / distance_, -1.0f, 1.0f)));
    fov_ = camera.fov;
    height_ = camera.height;
}

void OrbitCamera::setPitch(float pitch) { pitch_ = std::clamp(pitch, -kSteepest, kSteepest); }

glm::vec3 OrbitCamera::forward() const {
    return -glm::vec3(std::cos(pitch_) * std::sin(yaw_), std::sin(pitch_), std::cos(pitch_) * std::cos(yaw_));
}
glm::vec3 OrbitCamera::right() const { return {std::cos(yaw_), 0.0f, -std::sin(yaw_)}; }
glm::vec3 OrbitCamera::up() const { return glm::cross(right(), forward()); }

CameraSettings OrbitCamera::settings() const {
    return {.eye = target_ - distance_ * forward(), .target = target_, .fov = fov_, .height = height_};
}

CameraSettings OrbitCamera::seen() const {
    CameraSettings camera = settings();
    if (height_ == 0.0f) camera.fov = 2.0f * std::atan(halfHeight());
    return camera;
}

float OrbitCamera::halfHeight() const { return height_ > 0.0f ? 0.5f * height_ : widened_ * std::tan(0.5f * fov_); }

void OrbitCamera::orbit(glm::vec2 motion) {
    if (height_ > 0.0f) return;
    yaw_ -= motion.x * glm::pi<float>();
    setPitch(pitch_ + motion.y * glm::pi<float>());
}

void OrbitCamera::pan(glm::vec2 motion) {
    const float height = 2.0f * halfHeight() * (height_ > 0.0f ? 1.0f : distance_);  // visible height at the target [m]
    target_ += height * (motion.y * up() - motion.x * right());
}

void OrbitCamera::dolly(float notches) {
    float& range = height_ > 0.0f ? height_ : distance_;
    range = std::clamp(range * std::pow(0.9f, notches), kNearest, kFarthest);
}

void OrbitCamera::fly(glm::vec3 motion) { target_ += motion.x * right() + motion.y * glm::vec3(0, 1, 0) + motion.z * forward(); }

void OrbitCamera::frame(glm::vec3 low, glm::vec3 high, float aspect) {
    target_ = 0.5f * (low + high);
    const float vertical = std::atan(halfHeight()), horizontal = std::atan(std::tan(vertical) * aspect);
    distance_ = std::clamp(1.05f * 0.5f * glm::length(high - low) / std::sin(std::min(vertical, horizontal)), kNearest, kFarthest);
}

Ray OrbitCamera::rayThrough(glm::vec2 point, glm::vec2 size) const {
    const float half = halfHeight();
    const glm::vec2 at = (2.0f * point - size) / size.y * half;
    if (height_ > 0.0f) return {target_ - distance_ * forward() + at.x * right() - at.y * up(), forward()};
    return {target_ - distance_ * forward(), glm::normalize(forward() + at.x * right() - at.y * up())};
}

std::optional<glm::vec2> OrbitCamera::project(glm::vec3 x, glm::vec2 size) const {
    const glm::vec3 toPoint = x - settings().eye;
    const float depth = glm::dot(toPoint, forward());
    if (depth <= 1e-6f) return std::nullopt;
    const float scale = 0.5f * size.y / (halfHeight() * (height_ > 0.0f ? 1.0f : depth));
    return 0.5f * size + scale * glm::vec2(glm::dot(toPoint, right()), -glm::dot(toPoint, up()));
}

}  // namespace wisp::app
