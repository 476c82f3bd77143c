// SPDX-License-Identifier: MIT
#pragma once

#include "files/model/body_triangles.h"

#include <glm/gtc/quaternion.hpp>
#include <tiny_gltf.h>

#include <span>
#include <string>

namespace wisp {

/// Position and rotation of a node.
struct NodePose {
    glm::vec3 position{0.0f};  ///< [m]
    glm::quat rotation = glm::quat(1, 0, 0, 0);
    bool operator==(const NodePose&) const = default;
};

/// The rotation of a camera or a light that looks along `direction`: in glTF they look along -z, and +y is up. The horizon is that of
/// setCamera.
glm::quat rotationTowards(glm::vec3 direction);

/// Builds a glTF model of one scene, one buffer and one animation.
class GlbModel {
public:
    /// The times of the poses of animated nodes [s].
    explicit GlbModel(std::vector<float> times);

    /// Adds a node to the scene. With more than one pose, one for each time: it is animated if it moves.
    int addNode(tinygltf::Node node, std::span<const NodePose> poses);
    int addMesh(const std::string& name, const BodyTriangles& body, int material);
    [[nodiscard]] tinygltf::Model& model() { return model_; }
    /// The whole file. @throws Failure Output if it is larger than a .glb can be.
    [[nodiscard]] std::string encode();

private:
    template <class T>
    int addAccessor(std::span<const T> values, int type, int componentType, int target);
    void animate(int node, const char* path, int output);

    tinygltf::Model model_;
    std::vector<float> times_;
    int timeAccessor_ = -1;  ///< shared by all samplers; added with the first
};

}  // namespace wisp
