// SPDX-License-Identifier: MIT
#include "files/scene/gltf_file.h"

#include "files/base/extension.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr std::size_t kTranslation = 0, kRotation = 1, kScale = 2;

glm::dquat rotationOf(const glm::dvec4& q) { return {q.w, q.x, q.y, q.z}; }

glm::dmat4 matrixOf(const std::array<glm::dvec4, 3>& parts) {
    const glm::dmat4 moved = glm::translate(glm::dmat4(1.0), glm::dvec3(parts[kTranslation]));
    return glm::scale(moved * glm::mat4_cast(rotationOf(parts[kRotation])), glm::dvec3(parts[kScale]));
}

/// Along the shorter arc, as glTF demands.
glm::dvec4 turned(const glm::dvec4& a, const glm::dvec4& b, double s) {
    const glm::dquat q = glm::slerp(rotationOf(a), rotationOf(b), s);
    return {q.x, q.y, q.z, q.w};
}

}  // namespace

glm::dvec4 GltfScene::valueAt(const Channel& c, double t) {
    const bool cubic = c.blend == Blend::Cubic;
    const auto value = [&](std::size_t key) { return glm::dvec4(c.values[cubic ? 3 * key + 1 : key]); };
    const auto after = std::upper_bound(c.times.begin(), c.times.end(), t,
                                        [](double v, float key) { return v < static_cast<double>(key); });
    if (after == c.times.begin()) return value(0);
    const auto i = static_cast<std::size_t>(after - c.times.begin()) - 1;
    if (after == c.times.end() || c.blend == Blend::Step) return value(i);
    const double from = static_cast<double>(c.times[i]), span = static_cast<double>(c.times[i + 1]) - from;
    const double s = (t - from) / span;
    if (c.blend == Blend::Linear) return c.part == kRotation ? turned(value(i), value(i + 1), s) : glm::mix(value(i), value(i + 1), s);
    const glm::dvec4 out = c.values[3 * i + 2], in = c.values[3 * (i + 1)];
    const double s2 = s * s, s3 = s2 * s;
    const glm::dvec4 p = (2 * s3 - 3 * s2 + 1) * value(i) + (s3 - 2 * s2 + s) * span * out + (3 * s2 - 2 * s3) * value(i + 1) +
                         (s3 - s2) * span * in;
    if (c.part != kRotation) return p;
    const double length = glm::length(p);
    return length > 0.0 ? p / length : value(i);
}

std::vector<glm::dmat4> GltfScene::transforms(double t) const {
    std::vector<std::array<glm::dvec4, 3>> parts;
    for (const Node& node : nodes_) parts.push_back(node.parts);
    for (const Channel& channel : channels_) parts[channel.node][channel.part] = valueAt(channel, t);
    std::vector<glm::dmat4> world(nodes_.size());
    for (const std::size_t n : order_) {
        const glm::dmat4 own = nodes_[n].matrix ? *nodes_[n].matrix : matrixOf(parts[n]);
        world[n] = nodes_[n].parent < 0 ? own : world[static_cast<std::size_t>(nodes_[n].parent)] * own;
    }
    return world;
}

std::vector<glm::vec3> GltfScene::positions(double t) const {
    const std::vector<glm::dmat4> world = transforms(t);
    std::vector<glm::vec3> result;
    for (const Part& part : parts_) {
        std::vector<glm::dmat4> joints;  // the node of a skin has no effect itself
        if (part.skin)
            for (std::size_t j = 0; j < skins_[*part.skin].joints.size(); ++j)
                joints.push_back(world[skins_[*part.skin].joints[j]] * glm::dmat4(skins_[*part.skin].inverse[j]));
        for (std::size_t v = 0; v < part.positions.size(); ++v) {
            const glm::dvec4 p(glm::dvec3(part.positions[v]), 1.0);
            glm::dvec4 sum(0.0);
            if (!part.skin) sum = world[part.node] * p;
            else
                for (int k = 0; k < 4; ++k)
                    if (const double weight = static_cast<double>(part.weights[v][k]); weight != 0.0)
                        sum += weight * (joints[part.joints[v][k]] * p);
            result.emplace_back(sum);
        }
    }
    return result;
}

std::vector<double> GltfScene::keyTimes() const {
    std::vector<double> times;
    for (const Channel& c : channels_) times.insert(times.end(), c.times.begin(), c.times.end());
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

bool isGltf(const std::filesystem::path& file) { return extensionOf(file) == ".glb" || extensionOf(file) == ".gltf"; }

}  // namespace wisp
