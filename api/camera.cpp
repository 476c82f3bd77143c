// SPDX-License-Identifier: MIT
#include "wisp/camera.h"

#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wisp {
namespace {

std::array<float, 3> listOf(const glm::dvec3& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

template <class Numbers>
bool finite(const Numbers& numbers) {
    return std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); });
}

void require(bool right, const char* message) {
    if (!right) throw Error(ErrorCode::Argument, message);
}

}  // namespace

Camera Camera::lookAt(const std::array<float, 3>& eye, const std::array<float, 3>& target, float fov, float aspect) {
    require(finite(eye) && finite(target), "Camera::lookAt: eye and target must be finite");
    require(fov > 0.0f && fov < std::numbers::pi_v<float>, "Camera::lookAt: fov must be between 0 and pi");
    require(aspect > 0.0f && std::isfinite(aspect), "Camera::lookAt: aspect must be above 0");
    const glm::dvec3 from = glm::vec3(eye[0], eye[1], eye[2]), way = glm::dvec3(target[0], target[1], target[2]) - from;
    require(glm::dot(way, way) > 0.0, "Camera::lookAt: eye and target are the same point");
    const glm::dvec3 forward = glm::normalize(way);
    // Straight up or down, the y axis defines no horizon, so the z axis is used, as in scenes.
    const glm::dvec3 right = glm::normalize(glm::cross(forward, std::abs(forward.y) > 0.9999 ? glm::dvec3(0, 0, 1) : glm::dvec3(0, 1, 0)));
    const double half = std::tan(0.5 * static_cast<double>(fov));
    Camera camera;
    camera.eye = eye;
    camera.forward = listOf(forward);
    camera.right = listOf(right * half * static_cast<double>(aspect));
    camera.up = listOf(glm::cross(right, forward) * half);
    return camera;
}

Camera Camera::fromMatrices(const std::array<float, 16>& view, const std::array<float, 16>& projection, bool yUp) {
    require(finite(view) && finite(projection), "Camera::fromMatrices: the matrices must be finite");
    const glm::dmat4 V(glm::make_mat4(view.data())), P(glm::make_mat4(projection.data()));
    const glm::dmat3 R(V), product = R * glm::transpose(R) - glm::dmat3(1.0);
    for (int column = 0; column < 3; ++column)
        require(glm::length(product[column]) < 1e-4, "Camera::fromMatrices: the view must be a rotation and a translation, in metres");
    require(V[0][3] == 0.0 && V[1][3] == 0.0 && V[2][3] == 0.0 && V[3][3] == 1.0, "Camera::fromMatrices: the view must be affine");
    require(P[0][3] == 0.0 && P[1][3] == 0.0 && P[2][3] == -1.0 && P[3][3] == 0.0 && P[0][0] != 0.0 && P[1][1] != 0.0,
            "Camera::fromMatrices: the projection must be a perspective of a right-handed eye that looks along -z");
    require(P[1][0] == 0.0 && P[0][1] == 0.0 && P[2][0] == 0.0 && P[2][1] == 0.0 && P[3][0] == 0.0 && P[3][1] == 0.0,
            "Camera::fromMatrices: the centre of the projection must be in the middle of the picture: no jitter or shift");
    const glm::dmat3 back = glm::transpose(R);
    Camera camera;
    camera.eye = listOf(-(back * glm::dvec3(V[3])));
    camera.forward = listOf(-back[2]);
    camera.right = listOf(back[0] / P[0][0]);
    camera.up = listOf(back[1] / (yUp ? P[1][1] : -P[1][1]));  // row 0 of the picture is at y = -1, or 1 with yUp
    camera.depthFactor = static_cast<float>(P[3][2]);
    camera.depthOffset = static_cast<float>(P[2][2]);
    return camera;
}

}  // namespace wisp
