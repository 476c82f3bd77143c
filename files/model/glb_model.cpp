// SPDX-License-Identifier: MIT
#include "files/model/glb_model.h"

#include "compute/picture/camera.h"
#include "files/base/failure.h"

#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

namespace wisp {
namespace {

constexpr int kFloat = TINYGLTF_COMPONENT_TYPE_FLOAT;
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() - (1u << 20);  // the sizes in a .glb have 32 bits

/// Least and greatest value of each component: required of positions and times.
template <class T>
void setBounds(tinygltf::Accessor& accessor, std::span<const T> values) {
    if (values.empty()) return;
    T low = values[0], high = values[0];
    for (const T& v : values) {
        low = glm::min(low, v);
        high = glm::max(high, v);
    }
    if constexpr (std::is_same_v<T, float>) {
        accessor.minValues = {static_cast<double>(low)};
        accessor.maxValues = {static_cast<double>(high)};
    } else {
        accessor.minValues = {low.x, low.y, low.z};
        accessor.maxValues = {high.x, high.y, high.z};
    }
}

}  // namespace

glm::quat rotationTowards(glm::vec3 direction) {
    gpu::ViewData view{};
    setCamera(view, {.eye = glm::vec3(0.0f), .target = direction}, glm::uvec2(1));
    return glm::quat_cast(glm::mat3(glm::normalize(view.right), glm::normalize(view.up), -view.forward));
}

GlbModel::GlbModel(std::vector<float> times) : times_(std::move(times)) {
    model_.asset.version = "2.0";
    model_.asset.generator = "wisp " WISP_VERSION;
    model_.buffers.resize(1);
    model_.scenes.resize(1);
    model_.defaultScene = 0;
}

template <class T>
int GlbModel::addAccessor(std::span<const T> values, int type, int componentType, int target) {
    std::vector<unsigned char>& bytes = model_.buffers[0].data;  // all components have four bytes, so every offset is aligned
    if (bytes.size() + values.size_bytes() > kMostBytes) throw Failure(Exit::Output, "--scene-out: a .glb file has at most 4 GB");
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = bytes.size();
    view.byteLength = values.size_bytes();
    view.target = target;
    const auto raw = std::as_bytes(values);
    bytes.resize(view.byteOffset + raw.size());
    std::memcpy(bytes.data() + view.byteOffset, raw.data(), raw.size());
    tinygltf::Accessor accessor;
    accessor.bufferView = static_cast<int>(model_.bufferViews.size());
    accessor.type = type;
    accessor.componentType = componentType;
    accessor.count = type == TINYGLTF_TYPE_SCALAR ? values.size_bytes() / sizeof(float) : values.size();
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, glm::vec3>) setBounds(accessor, values);
    model_.bufferViews.push_back(std::move(view));
    model_.accessors.push_back(std::move(accessor));
    return static_cast<int>(model_.accessors.size()) - 1;
}

int GlbModel::addMesh(const std::string& name, const BodyTriangles& body, int material) {
    tinygltf::Primitive part;
    part.mode = TINYGLTF_MODE_TRIANGLES;
    part.material = material;
    part.attributes["POSITION"] = addAccessor(std::span(body.positions), TINYGLTF_TYPE_VEC3, kFloat, TINYGLTF_TARGET_ARRAY_BUFFER);
    if (!body.normals.empty())
        part.attributes["NORMAL"] = addAccessor(std::span(body.normals), TINYGLTF_TYPE_VEC3, kFloat, TINYGLTF_TARGET_ARRAY_BUFFER);
    part.indices = addAccessor(std::span(body.triangles), TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                               TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    tinygltf::Mesh mesh;
    mesh.name = name;
    mesh.primitives.push_back(std::move(part));
    model_.meshes.push_back(std::move(mesh));
    return static_cast<int>(model_.meshes.size()) - 1;
}

void GlbModel::animate(int node, const char* path, int output) {
    if (timeAccessor_ < 0) {
        timeAccessor_ = addAccessor(std::span<const float>(times_), TINYGLTF_TYPE_SCALAR, kFloat, 0);
        model_.animations.resize(1);
        model_.animations[0].name = "scene";
    }
    tinygltf::Animation& animation = model_.animations[0];
    tinygltf::AnimationSampler sampler;
    sampler.input = timeAccessor_;
    sampler.output = output;
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(animation.samplers.size());
    channel.target_node = node;
    channel.target_path = path;
    animation.samplers.push_back(std::move(sampler));
    animation.channels.push_back(std::move(channel));
}

int GlbModel::addNode(tinygltf::Node node, std::span<const NodePose> poses) {
    const int index = static_cast<int>(model_.nodes.size());
    std::vector<glm::vec3> positions;
    std::vector<glm::vec4> rotations;
    for (const NodePose& pose : poses) {
        glm::vec4 rotation(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
        // q and -q are the same rotation, but programs interpolate between them by the long way.
        if (!rotations.empty() && glm::dot(rotations.back(), rotation) < 0.0f) rotation = -rotation;
        positions.push_back(pose.position);
        rotations.push_back(rotation);
    }
    const glm::vec3 p = positions.front();
    const glm::vec4 q = rotations.front();
    node.translation = {p.x, p.y, p.z};
    node.rotation = {q.x, q.y, q.z, q.w};
    model_.nodes.push_back(std::move(node));
    model_.scenes[0].nodes.push_back(index);
    const auto constant = [](const auto& values) { return std::ranges::all_of(values, [&](const auto& v) { return v == values[0]; }); };
    if (!constant(positions)) {
        const int output = addAccessor(std::span<const glm::vec3>(positions), TINYGLTF_TYPE_VEC3, kFloat, 0);
        animate(index, "translation", output);
    }
    if (!constant(rotations)) {
        const int output = addAccessor(std::span<const glm::vec4>(rotations), TINYGLTF_TYPE_VEC4, kFloat, 0);
        animate(index, "rotation", output);
    }
    return index;
}

std::string GlbModel::encode() {
    std::ostringstream out;
    if (model_.buffers[0].data.empty()) model_.buffers.clear();  // a scene without bodies; an empty buffer is not allowed
    tinygltf::TinyGLTF writer;
    writer.WriteGltfSceneToStream(&model_, out, false, true);
    return std::move(out).str();
}

}  // namespace wisp
