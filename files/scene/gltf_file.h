// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// The triangles of the default scene of a glTF 2.0 file, at any time of its animations. All animations of the file play at once. Triangle
/// strips and fans become triangles; points and lines are left out. Skins have four joints a vertex, and blend linearly.
class GltfScene {
public:
    /// @param node name of a node: only its triangles and those of all nodes below it; empty: the whole scene
    /// @throws std::runtime_error with the reason.
    explicit GltfScene(const std::filesystem::path& file, const std::string& node = "");

    /// Whether any vertex may move.
    [[nodiscard]] bool animated() const { return !channels_.empty(); }
    [[nodiscard]] double duration() const { return duration_; }  ///< time of the last key [s]
    [[nodiscard]] std::vector<double> keyTimes() const;          ///< of all keys, increasing
    [[nodiscard]] const std::vector<glm::uvec3>& triangles() const { return triangles_; }
    /// Positions of all vertices at t [s]. Before its first key and after its last, a channel is constant.
    [[nodiscard]] std::vector<glm::vec3> positions(double t) const;

private:
    struct Node {
        std::array<glm::dvec4, 3> parts{};  ///< translation, rotation (x, y, z, w), scale
        std::optional<glm::dmat4> matrix;   ///< replaces the parts
        int parent = -1;
        int mesh = -1, skin = -1;
    };
    enum class Blend { Step, Linear, Cubic };
    struct Channel {
        std::size_t node = 0, part = 0;
        Blend blend = Blend::Linear;
        std::vector<float> times;
        std::vector<glm::vec4> values;  ///< of cubic: tangent, value, tangent
    };
    struct Skin {
        std::vector<std::size_t> joints;
        std::vector<glm::mat4> inverse;
    };
    /// Vertices of a primitive of a node.
    struct Part {
        std::size_t node = 0;
        std::optional<std::size_t> skin;
        std::vector<glm::vec3> positions;
        std::vector<glm::uvec4> joints;
        std::vector<glm::vec4> weights;
    };
    friend class GltfLoader;

    [[nodiscard]] static glm::dvec4 valueAt(const Channel& channel, double t);
    [[nodiscard]] std::vector<glm::dmat4> transforms(double t) const;

    std::vector<Node> nodes_;
    std::vector<std::size_t> order_;  ///< of nodes: parents before children
    std::vector<Skin> skins_;
    std::vector<Channel> channels_;
    std::vector<Part> parts_;
    std::vector<glm::uvec3> triangles_;
    double duration_ = 0.0;
};

/// Whether the file name is that of a glTF file.
bool isGltf(const std::filesystem::path& file);

}  // namespace wisp
