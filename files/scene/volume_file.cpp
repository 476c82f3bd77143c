// SPDX-License-Identifier: MIT
#include "files/scene/volume_file.h"

#include "files/base/extension.h"
#include "files/base/openvdb_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace wisp {
namespace {

namespace fs = std::filesystem;

bool isOpenVdb(const fs::path& file) {
    const std::string extension = extensionOf(file);
    if (extension != ".vdb" && extension != ".nvdb") throw std::runtime_error("must be a .vdb or .nvdb file");
    return extension == ".vdb";
}

void checkExists(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) throw std::runtime_error("does not exist");
    if (!fs::is_regular_file(status)) throw std::runtime_error("is not a file");
    if (fs::file_size(file, error) > kMaxVolumeFile) throw std::runtime_error(fmt::format("is larger than {} GiB", kMaxVolumeFile >> 30));
}

template <class Function>
Function openVdb(const char* name) {
    if (const std::string problem = openVdbProblem(); !problem.empty())
        throw std::runtime_error(fmt::format("OpenVDB is missing ({}). .nvdb needs no library", problem));
    return reinterpret_cast<Function>(openVdbFunction(name));
}

void checkPlace(const VolumeGridHead& head, std::size_t mostBlocks, double bytesPerVoxel) {
    const auto fail = [&](const std::string& why) { throw std::runtime_error(fmt::format("{}: {}", head.name, why)); };
    if (!head.problem.empty()) throw std::runtime_error(head.problem);
    if (!head.isLinear) fail("the transform is not linear");
    constexpr double kSmallest = 1e-6, kLargest = 1e6;
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (!std::isfinite(head.toWorld[column][row])) fail("its transform has a number that is not finite");
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = glm::length(glm::dvec3(head.toWorld[axis]));
        if (!(edge >= kSmallest && edge <= kLargest))
            fail(fmt::format("its voxels have an edge of {:g} m, must be {:g} to {:g} m", edge, kSmallest, kLargest));
        if (std::abs(head.toWorld[3][axis]) > kLargest)
            fail(fmt::format("its origin is at {:g} m, must be within {:g} m", head.toWorld[3][axis], kLargest));
    }
    const glm::dmat3 linear(head.toWorld);
    const double volume = glm::length(linear[0]) * glm::length(linear[1]) * glm::length(linear[2]);
    if (std::abs(glm::determinant(linear)) < 1e-6 * volume) fail("its transform is not invertible");
    constexpr int kFarthest = 1 << 24;  // indices are exact as floats
    if (head.activeVoxels == 0) return;
    for (int axis = 0; axis < 3; ++axis)
        if (head.low[axis] < -kFarthest || head.high[axis] > kFarthest || head.low[axis] > head.high[axis])
            fail(fmt::format("its voxels have indices from {} to {} along {}, must be within {}", head.low[axis], head.high[axis],
                             "xyz"[axis], kFarthest));
    // A block has at least one active voxel, and all of them fit into the bounds.
    const glm::dvec3 blocks = glm::dvec3(head.high / 8 - head.low / 8) + 2.0;
    const double most = static_cast<double>(mostBlocks) * 512.0;
    if (static_cast<double>(head.activeVoxels) > most)
        fail(fmt::format("has {} active voxels, which need {:.1f} GiB; at most {:.0f} are allowed", head.activeVoxels,
                         static_cast<double>(head.activeVoxels) * bytesPerVoxel / (1 << 30), most));
    if (blocks.x * blocks.y * blocks.z > 64.0 * static_cast<double>(kMaxVolumeBlocks))
        fail(fmt::format("its voxels are spread over {:.0f}x{:.0f}x{:.0f} voxels, which is too much", 8.0 * blocks.x, 8.0 * blocks.y,
                         8.0 * blocks.z));
}

/// @param finite whether the values of a block are finite
template <class Lattice, class Finite>
void checkBlocks(const Lattice& lattice, const VolumeGridHead& head, Finite finite) {
    for (const auto& block : lattice.blocks) {
        if (!std::ranges::all_of(block.values, finite))
            throw std::runtime_error(fmt::format("{}: has a value that is not finite", head.name));
        if (glm::any(glm::lessThan(block.corner + 7, head.low)) || glm::any(glm::greaterThan(block.corner, head.high)))
            throw std::runtime_error(fmt::format("{}: has voxels outside of the bounds that its head gives", head.name));
    }
}

using BlockNumbers = std::map<std::array<int, 3>, std::size_t>;  ///< of corners

/// Moves the components of a staggered velocity from the lower faces of the voxels to their centres: there it is the mean of the two faces,
/// as StaggeredBoxSampler of OpenVDB has it. Where the upper face is not known, it is that of the lower one.
void moveToCentres(VolumeVelocity& velocity) {
    BlockNumbers numbers;
    for (std::size_t n = 0; n < velocity.blocks.size(); ++n) {
        const glm::ivec3 c = velocity.blocks[n].corner;
        numbers.emplace(std::array{c.x, c.y, c.z}, n);
    }
    // In rising order, so that an upper face is still what the file says.
    for (const auto& [corner, number] : numbers) {
        VolumeVelocity::Block& block = velocity.blocks[number];
        for (std::size_t n = 0; n < 512; ++n)
            for (int axis = 0; axis < 3; ++axis) {
                const std::size_t step = axis == 0 ? 64 : axis == 1 ? 8 : 1;
                const bool isLast = n / step % 8 == 7;
                std::array<int, 3> above = corner;
                above[static_cast<std::size_t>(axis)] += 8;
                const VolumeVelocity::Block* upper = &block;
                if (isLast) {
                    const auto next = numbers.find(above);
                    if (next == numbers.end()) continue;
                    upper = &velocity.blocks[next->second];
                }
                const std::size_t m = isLast ? n - 7 * step : n + step;
                const bool known = (block.known[n / 32] >> n % 32 & upper->known[m / 32] >> m % 32 & 1u) != 0;
                if (known) block.values[n][axis] = 0.5f * (block.values[n][axis] + upper->values[m][axis]);
            }
    }
}

/// A velocity that is added up from the values of its components at points.
class ComponentSums {
public:
    /// @param needed values of a component at a point that make the velocity known there
    explicit ComponentSums(int needed) : needed_(needed) {}
    void add(glm::ivec3 point, int axis, float value) {
        const glm::ivec3 c = point & 7, corner = point - c;
        if (blocks_.empty() || blocks_[last_].corner != corner) last_ = numberOf(corner);
        const auto n = static_cast<std::size_t>((c.x * 8 + c.y) * 8 + c.z);
        blocks_[last_].values[n][axis] += value;
        if (++counts_[last_][n][axis] == needed_) blocks_[last_].known[n / 32] |= 1u << n % 32;
    }
    /// The blocks with points where the velocity is known.
    std::vector<VolumeVelocity::Block> take() {
        for (VolumeVelocity::Block& b : blocks_)
            for (std::size_t n = 0; n < 512; ++n)
                if ((b.known[n / 32] >> n % 32 & 1u) == 0) b.values[n] = glm::vec3(0.0f);
        std::erase_if(blocks_,
                      [](const VolumeVelocity::Block& b) { return std::ranges::all_of(b.known, [](auto word) { return word == 0; }); });
        return std::move(blocks_);
    }

private:
    std::size_t numberOf(glm::ivec3 corner) {
        const auto [entry, isNew] = numbers_.emplace(std::array{corner.x, corner.y, corner.z}, blocks_.size());
        if (isNew) blocks_.push_back({.corner = corner, .known = {}, .values = {}});
        if (isNew) counts_.emplace_back();
        return entry->second;
    }
    int needed_;
    std::vector<VolumeVelocity::Block> blocks_;
    std::vector<std::array<glm::ivec3, 512>> counts_;  ///< of values at each point
    BlockNumbers numbers_;
    std::size_t last_ = 0;
};

/// Three grids of components. At the same points the velocity is known where any of them is active. At faces it is the mean of both faces
/// of a voxel, and known if both are active along any axis; faces that are not active are 0.
VolumeVelocity fromComponents(const fs::path& file, const VelocityHeads& heads) {
    const bool areFaces = atFaces(heads);
    VolumeVelocity velocity{.toWorld = heads.front()->toWorld, .blocks = {}};
    if (areFaces) velocity.toWorld[3] += 0.5 * velocity.toWorld[0];
    ComponentSums sums(areFaces ? 2 : 1);
    for (int axis = 0; axis < 3; ++axis) {
        glm::ivec3 below(0);
        below[axis] = 1;
        for (const VolumeLattice::Block& from : readVolumeLattice(file, *heads[static_cast<std::size_t>(axis)], true).blocks)
            for (int n = 0; n < 512; ++n) {
                float value = from.values[static_cast<std::size_t>(n)];
                if (value == 0.0f) continue;  // not active
                if (value == std::numeric_limits<float>::min()) value = 0.0f;
                const glm::ivec3 point = from.corner + glm::ivec3(n / 64, n / 8 % 8, n % 8);
                sums.add(point, axis, areFaces ? 0.5f * value : value);
                if (areFaces) sums.add(point - below, axis, 0.5f * value);
            }
    }
    velocity.blocks = sums.take();
    if (velocity.blocks.size() > kMaxVelocityBlocks) throw std::runtime_error(fmt::format("{}: has too many voxels", heads.front()->name));
    return velocity;
}

}  // namespace

void checkVelocityHead(const VolumeGridHead& head) { checkPlace(head, kMaxVelocityBlocks, sizeof(glm::vec3)); }
void checkVolumePlace(const VolumeGridHead& head) { checkPlace(head, kMaxVolumeBlocks, sizeof(float)); }

VolumeHead readVolumeHead(const fs::path& file) {
    const bool isVdb = isOpenVdb(file);
    checkExists(file);
    VolumeHead head;
    if (isVdb) {
        using Head = void (*)(const std::string&, VolumeHead&, std::string&);
        std::string error;
        openVdb<Head>("wispHeadOfOpenVdb")(file.string(), head, error);
        if (!error.empty()) throw std::runtime_error(error);
    } else {
        head = readNanoVdbHead(file);
    }
    return head;
}

VolumeLattice readVolumeLattice(const fs::path& file, const VolumeGridHead& head, bool marksZeros) {
    VolumeLattice lattice;
    const float zero = marksZeros ? std::numeric_limits<float>::min() : 0.0f;
    if (isOpenVdb(file)) {
        using Read = void (*)(const std::string&, const std::string&, float, VolumeLattice&, std::string&);
        std::string error;
        openVdb<Read>("wispReadOpenVdb")(file.string(), head.key, zero, lattice, error);
        if (!error.empty()) throw std::runtime_error(error);
    } else {
        lattice = readNanoVdbLattice(file, head.key, zero);
    }
    checkBlocks(lattice, head, [](float v) { return std::isfinite(v); });
    return lattice;
}

VolumeVelocity readVolumeVelocity(const fs::path& file, const VelocityHeads& heads) {
    const VolumeGridHead& head = *heads.front();
    VolumeVelocity velocity;
    if (heads.size() == 3) {
        velocity = fromComponents(file, heads);
    } else if (isOpenVdb(file)) {
        using Read = void (*)(const std::string&, const std::string&, VolumeVelocity&, std::string&);
        std::string error;
        openVdb<Read>("wispReadVelocityOfOpenVdb")(file.string(), head.key, velocity, error);
        if (!error.empty()) throw std::runtime_error(error);
    } else {
        velocity = readNanoVdbVelocity(file, head.key);
    }
    if (heads.size() == 1 && head.isStaggered) moveToCentres(velocity);
    float most = 0.0f;  // [m^2/s^2]
    VolumeGridHead all = head;
    for (const VolumeGridHead* component : heads) {
        all.low = glm::min(all.low, component->low);
        all.high = glm::max(all.high, component->high);
    }
    checkBlocks(velocity, all, [&](const glm::vec3& v) {
        const float squared = glm::dot(v, v);
        most = std::max(most, squared);
        return std::isfinite(squared);
    });
    velocity.fastest = std::sqrt(most);
    return velocity;
}

}  // namespace wisp
