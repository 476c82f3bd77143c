// SPDX-License-Identifier: MIT
// From the parts of a glTF file to a GltfScene. Every index is checked here.
#include "files/scene/gltf_file.h"
#include "files/scene/gltf_model.h"
#include "files/scene/mesh_file.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace wisp {
namespace {

/// @throws std::runtime_error if there is no such element.
template <class List>
std::size_t within(const List& list, int index, const char* user, const char* what) {
    if (index < 0 || static_cast<std::size_t>(index) >= list.size())
        failGltf("a {} uses {} {}, but the file has {}", user, what, index, list.size());
    return static_cast<std::size_t>(index);
}

/// `given`, or the default if it is empty. The last component of a vec3 is 0.
glm::dvec4 numbers(const std::vector<double>& given, glm::dvec4 usual, std::size_t count) {
    if (given.empty()) return usual;
    if (given.size() != count) failGltf("a node has {} numbers where it needs {}", given.size(), count);
    glm::dvec4 result(0.0);
    for (std::size_t n = 0; n < count; ++n) {
        if (!std::isfinite(given[n]) || std::abs(given[n]) > 1e9) failGltf("a node has the number {}, must be at most 1e9", given[n]);
        result[static_cast<glm::length_t>(n)] = given[n];
    }
    return result;
}

glm::dvec4 unit(const glm::dvec4& rotation) {
    const double length = glm::length(rotation);
    if (!(length > 1e-6)) failGltf("a rotation is 0, must be a unit quaternion");
    return rotation / length;
}

/// Three indices for each triangle.
std::vector<glm::uvec3> trianglesOf(const std::vector<std::uint32_t>& corners, int mode) {
    std::vector<glm::uvec3> result;
    if (mode == TINYGLTF_MODE_TRIANGLES)
        for (std::size_t i = 0; i + 2 < corners.size(); i += 3) result.emplace_back(corners[i], corners[i + 1], corners[i + 2]);
    if (mode == TINYGLTF_MODE_TRIANGLE_STRIP)
        for (std::size_t i = 0; i + 2 < corners.size(); ++i)
            result.emplace_back(corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]);
    if (mode == TINYGLTF_MODE_TRIANGLE_FAN)
        for (std::size_t i = 1; i + 1 < corners.size(); ++i) result.emplace_back(corners[0], corners[i], corners[i + 1]);
    return result;
}

}  // namespace

class GltfLoader {
public:
    GltfLoader(const tinygltf::Model& model, const std::string& only, GltfScene& scene)
        : model_(model), reader_(model), only_(only), scene_(scene) {}

    void load() {
        for (const tinygltf::Node& node : model_.nodes) addNode(node);
        connect();
        for (const tinygltf::Skin& skin : model_.skins) addSkin(skin);
        for (const tinygltf::Animation& animation : model_.animations)
            for (const tinygltf::AnimationChannel& channel : animation.channels) addChannel(animation, channel);
        const std::vector<glm::dmat4> world = scene_.transforms(0.0);
        for (const std::size_t n : shownNodes())
            if (scene_.nodes_[n].mesh >= 0) addMesh(n, glm::determinant(glm::dmat3(world[n])) < 0.0);
        if (scene_.triangles_.empty()) failGltf("has no triangles in its {}", only_.empty() ? "scene" : "node \"" + only_ + "\"");
        keepChannelsThatMatter();
    }

private:
    void addNode(const tinygltf::Node& from) {
        GltfScene::Node node;
        node.parts = {numbers(from.translation, glm::dvec4(0.0), 3), unit(numbers(from.rotation, {0, 0, 0, 1}, 4)),
                      numbers(from.scale, {1, 1, 1, 0}, 3)};
        if (!from.matrix.empty()) {
            if (from.matrix.size() != 16) failGltf("a node has a matrix of {} numbers, must have 16", from.matrix.size());
            node.matrix = glm::dmat4(1.0);
            for (int column = 0; column < 4; ++column)
                (*node.matrix)[column] = numbers({from.matrix.begin() + 4 * column, from.matrix.begin() + 4 * column + 4}, {}, 4);
        }
        if (from.mesh >= 0) node.mesh = static_cast<int>(within(model_.meshes, from.mesh, "node", "mesh"));
        if (from.skin >= 0) node.skin = static_cast<int>(within(model_.skins, from.skin, "node", "skin"));
        scene_.nodes_.push_back(node);
    }

    /// Parents of nodes, and their order. @throws std::runtime_error if a node has two parents or is its own ancestor.
    void connect() {
        std::vector<GltfScene::Node>& nodes = scene_.nodes_;
        for (std::size_t n = 0; n < nodes.size(); ++n)
            for (const int child : model_.nodes[n].children) {
                GltfScene::Node& below = nodes[within(model_.nodes, child, "node", "node")];
                if (below.parent >= 0) failGltf("node {} is a child of two nodes", child);
                below.parent = static_cast<int>(n);
            }
        for (std::size_t n = 0; n < nodes.size(); ++n)
            if (nodes[n].parent < 0) scene_.order_.push_back(n);
        for (std::size_t done = 0; done < scene_.order_.size(); ++done)
            for (const int child : model_.nodes[scene_.order_[done]].children) scene_.order_.push_back(static_cast<std::size_t>(child));
        if (scene_.order_.size() != nodes.size()) failGltf("has nodes that are their own ancestors");
    }

    void addSkin(const tinygltf::Skin& from) {
        GltfScene::Skin skin;
        for (const int joint : from.joints) skin.joints.push_back(within(model_.nodes, joint, "skin", "node"));
        if (from.inverseBindMatrices >= 0) {
            requireRoom(from.inverseBindMatrices);
            skin.inverse = reader_.matrices(from.inverseBindMatrices);
        } else {
            skin.inverse.assign(skin.joints.size(), glm::mat4(1.0f));
        }
        if (skin.joints.empty() || skin.inverse.size() < skin.joints.size())
            failGltf("a skin has {} joints and {} inverse bind matrices", skin.joints.size(), skin.inverse.size());
        scene_.skins_.push_back(std::move(skin));
    }

    void addChannel(const tinygltf::Animation& animation, const tinygltf::AnimationChannel& from) {
        if (from.target_node < 0 || from.target_path == "weights") return;  // there are no morph targets
        GltfScene::Channel channel;
        channel.node = within(model_.nodes, from.target_node, "channel", "node");
        if (scene_.nodes_[channel.node].matrix) failGltf("node {} has a matrix and is animated, must have one of them", channel.node);
        const tinygltf::AnimationSampler& sampler = animation.samplers[within(animation.samplers, from.sampler, "channel", "sampler")];
        if (from.target_path == "rotation") channel.part = 1;
        else if (from.target_path == "scale") channel.part = 2;
        else if (from.target_path != "translation") failGltf("a channel animates \"{}\"", from.target_path.substr(0, 50));
        if (sampler.interpolation == "STEP") channel.blend = GltfScene::Blend::Step;
        else if (sampler.interpolation == "CUBICSPLINE") channel.blend = GltfScene::Blend::Cubic;
        else if (sampler.interpolation != "LINEAR") failGltf("a sampler has the interpolation \"{}\"", sampler.interpolation.substr(0, 50));
        requireRoom(sampler.input);
        requireRoom(sampler.output);
        channel.times = reader_.scalars(sampler.input);
        for (std::size_t n = 1; n < channel.times.size(); ++n)
            if (!(channel.times[n] > channel.times[n - 1])) failGltf("the times of a sampler do not increase");
        const bool cubic = channel.blend == GltfScene::Blend::Cubic;
        if (channel.part == 1) channel.values = reader_.vectors4(sampler.output);
        else
            for (const glm::vec3& v : reader_.vectors(sampler.output)) channel.values.emplace_back(v, 0.0f);
        if (channel.values.size() != channel.times.size() * (cubic ? 3 : 1))
            failGltf("a sampler has {} values for {} times", channel.values.size(), channel.times.size());
        if (channel.part == 1)
            for (std::size_t n = cubic ? 1 : 0; n < channel.values.size(); n += cubic ? 3 : 1) channel.values[n] = unit(channel.values[n]);
        scene_.channels_.push_back(std::move(channel));
    }

    /// Several uses of one accessor must not take more memory than a file may have.
    void requireRoom(int accessor) {
        elements_ += reader_.count(accessor);
        if (elements_ > kMaxMeshVertices) failGltf("has more than {} vertices and keys", kMaxMeshVertices);
    }

    /// Nodes of the default scene.
    [[nodiscard]] std::vector<std::size_t> shownNodes() const {
        if (model_.scenes.empty()) failGltf("has no scene");
        std::vector<bool> shown(model_.nodes.size(), false);
        for (const int n : model_.scenes[within(model_.scenes, std::max(model_.defaultScene, 0), "file", "scene")].nodes)
            shown[within(model_.nodes, n, "scene", "node")] = true;
        std::vector<bool> wanted(model_.nodes.size(), only_.empty());
        std::vector<std::size_t> result;
        for (const std::size_t n : scene_.order_) {  // parents come first
            const auto parent = static_cast<std::size_t>(std::max(scene_.nodes_[n].parent, 0));
            const bool below = scene_.nodes_[n].parent >= 0;
            if (below && shown[parent]) shown[n] = true;
            if ((below && wanted[parent]) || model_.nodes[n].name == only_) wanted[n] = true;
            if (shown[n] && wanted[n]) result.push_back(n);
        }
        if (result.empty() && !only_.empty()) failGltf("has no node \"{}\" in its scene; its nodes are {}", only_, namesOf(model_.nodes));
        return result;
    }

    static std::string namesOf(const std::vector<tinygltf::Node>& nodes) {
        constexpr std::size_t kShown = 10;
        std::string names;
        for (std::size_t n = 0; n < std::min(nodes.size(), kShown); ++n)
            names += fmt::format("{}\"{}\"", n > 0 ? ", " : "", nodes[n].name.substr(0, 50));
        return nodes.size() > kShown ? names + fmt::format(" and {} more", nodes.size() - kShown) : names;
    }

    void addMesh(std::size_t node, bool mirrored) {
        for (const tinygltf::Primitive& from : model_.meshes[static_cast<std::size_t>(scene_.nodes_[node].mesh)].primitives) {
            const int mode = from.mode < 0 ? TINYGLTF_MODE_TRIANGLES : from.mode;
            if (mode < TINYGLTF_MODE_TRIANGLES) continue;  // points and lines
            const auto attribute = [&](const char* name) {
                const auto found = from.attributes.find(name);
                return found == from.attributes.end() ? -1 : found->second;
            };
            if (attribute("POSITION") < 0) failGltf("a primitive has no positions");
            requireRoom(attribute("POSITION"));
            GltfScene::Part part;
            part.node = node;
            part.positions = reader_.vectors(attribute("POSITION"));
            if (scene_.nodes_[node].skin >= 0 && attribute("JOINTS_0") >= 0)
                addWeights(part, attribute("JOINTS_0"), attribute("WEIGHTS_0"));
            addTriangles(part, from, mode, mirrored && !part.skin);
            scene_.parts_.push_back(std::move(part));
        }
    }

    void addTriangles(const GltfScene::Part& part, const tinygltf::Primitive& from, int mode, bool mirrored) {
        std::vector<std::uint32_t> corners;
        if (from.indices >= 0) {
            if (reader_.count(from.indices) > 3 * kMaxMeshTriangles) failGltf("has more than {} triangles", kMaxMeshTriangles);
            corners = reader_.indices(from.indices);
        } else {
            for (std::uint32_t n = 0; n < part.positions.size(); ++n) corners.push_back(n);
        }
        for (const std::uint32_t corner : corners)
            if (corner >= part.positions.size())
                failGltf("a triangle uses vertex {}, but its primitive has {}", corner, part.positions.size());
        for (glm::uvec3 triangle : trianglesOf(corners, mode)) {
            if (mirrored) std::swap(triangle.y, triangle.z);
            scene_.triangles_.push_back(triangle + vertices_);
        }
        vertices_ += static_cast<std::uint32_t>(part.positions.size());
        if (scene_.triangles_.size() > kMaxMeshTriangles) failGltf("has more than {} triangles", kMaxMeshTriangles);
    }

    void addWeights(GltfScene::Part& part, int joints, int weights) {
        part.skin = static_cast<std::size_t>(scene_.nodes_[part.node].skin);
        if (reader_.count(joints) != part.positions.size() || weights < 0 || reader_.count(weights) != part.positions.size())
            failGltf("a primitive has another number of joints or weights than of positions");
        part.joints = reader_.joints(joints);
        part.weights = reader_.vectors4(weights);
        const std::size_t most = scene_.skins_[*part.skin].joints.size();
        for (std::size_t v = 0; v < part.weights.size(); ++v) {
            glm::vec4& w = part.weights[v];
            const float sum = w.x + w.y + w.z + w.w;
            if (!(sum > 1e-6f) || !std::isfinite(sum)) failGltf("vertex {} has weights whose sum is {}, must be 1", v, sum);
            w /= sum;
            for (int k = 0; k < 4; ++k)
                if (w[k] != 0.0f && part.joints[v][k] >= most)
                    failGltf("vertex {} uses joint {}, but its skin has {}", v, part.joints[v][k], most);
        }
    }

    /// Cameras and other bodies may move, too.
    void keepChannelsThatMatter() {
        std::vector<bool> matters(scene_.nodes_.size(), false);
        for (const GltfScene::Part& part : scene_.parts_) {
            matters[part.node] = matters[part.node] || !part.skin;
            if (part.skin)
                for (const std::size_t joint : scene_.skins_[*part.skin].joints) matters[joint] = true;
        }
        for (auto n = scene_.order_.rbegin(); n != scene_.order_.rend(); ++n)  // children first
            if (const int parent = scene_.nodes_[*n].parent; parent >= 0 && matters[*n]) matters[static_cast<std::size_t>(parent)] = true;
        std::erase_if(scene_.channels_, [&](const GltfScene::Channel& c) { return !matters[c.node]; });
        for (const GltfScene::Channel& c : scene_.channels_)
            scene_.duration_ = std::max(scene_.duration_, static_cast<double>(c.times.back()));
    }

    const tinygltf::Model& model_;
    GltfReader reader_;
    const std::string& only_;  ///< name of a node; empty: all
    GltfScene& scene_;
    std::size_t elements_ = 0;    ///< read so far
    std::uint32_t vertices_ = 0;  ///< of parts so far
};

GltfScene::GltfScene(const std::filesystem::path& file, const std::string& node) {
    const tinygltf::Model model = readGltfModel(file);
    GltfLoader(model, node, *this).load();
}

}  // namespace wisp
