// SPDX-License-Identifier: MIT
#include "files/scene/memory_data.h"

#include "compute/scene/double_sided.h"
#include "compute/scene/mesh_crossing.h"
#include "compute/scene/mesh_report.h"
#include "compute/scene/settings.h"
#include "files/scene/named_file.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace wisp {
namespace {

constexpr std::size_t kLongestName = 64;

void checkName(const std::string& name) {
    const auto allowed = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
    };
    if (name.empty() || name.size() > kLongestName || !std::ranges::all_of(name, allowed))
        throw std::invalid_argument(fmt::format("the name \"{}\": must have 1 to {} letters, digits, _ or -", name, kLongestName));
}

std::string nameIn(const std::string& file) { return file.substr(kMemory.size()); }

/// @param what "mesh" or "volume"
template <class Entries>
const auto& entryOf(const Entries& entries, const std::string& file, const char* what) {
    const auto found = entries.find(nameIn(file));
    if (found != entries.end()) return *found->second;
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries) names.push_back(name);
    throw std::runtime_error(fmt::format("there is no {} \"{}\" in memory, {}: a program must give it to the scene (Scene::{})", what,
                                         nameIn(file), names.empty() ? "nor any other" : fmt::format("only {}", fmt::join(names, ", ")),
                                         what));
}

std::uint64_t countOf(glm::uvec3 size) { return std::uint64_t{size.x} * size.y * size.z; }

/// @throws std::invalid_argument
void checkPlace(glm::uvec3 size, const glm::dmat4& toWorld) {
    for (int column = 0; column < 4; ++column)
        if (toWorld[column][3] != (column == 3 ? 1.0 : 0.0))
            throw std::invalid_argument(
                fmt::format("the last row of its transform has {} in column {}, must be 0, 0, 0, 1", toWorld[column][3], column));
    constexpr std::uint32_t kMost = 1u << 16;  // along an axis, so that the product fits into 64 bits
    if (size.x > kMost || size.y > kMost || size.z > kMost)
        throw std::invalid_argument(
            fmt::format("has {} x {} x {} values, must have at most {} along an axis", size.x, size.y, size.z, kMost));
    try {
        checkVolumePlace(
            {.name = "lattice", .toWorld = toWorld, .low = glm::ivec3(0), .high = glm::ivec3(size) - 1, .activeVoxels = countOf(size)});
    } catch (const std::runtime_error& e) {
        throw std::invalid_argument(e.what());
    }
}

/// A volume in memory at all times.
class MemoryFrames : public VolumeFrames {
public:
    explicit MemoryFrames(VolumeData data) : data_(std::make_shared<const VolumeData>(std::move(data))) {}
    std::shared_ptr<const VolumeData> at(double) override { return data_; }
    [[nodiscard]] VolumeBounds bounds() const override { return data_->bounds(); }
    [[nodiscard]] VolumeRoom room() override { return roomOf(*data_); }

private:
    const std::shared_ptr<const VolumeData> data_;
};

}  // namespace

void MemoryData::setMesh(const std::string& name, Mesh mesh) {
    checkName(name);
    std::string problem = meshProblem(mesh);
    if (problem.empty()) dropBackFaces(mesh);
    if (problem.empty()) problem = leakProblem(inspectMesh(mesh, 0.0));
    if (!problem.empty()) throw std::invalid_argument(fmt::format("the mesh \"{}\": {}", name, problem));
    meshes_[name] = std::make_shared<const MeshEntry>(std::move(mesh));
}

void MemoryData::setVolume(const std::string& name, VolumeData data) {
    checkName(name);
    volumes_[name] = std::make_shared<const VolumeEntry>(std::move(data));
}

std::shared_ptr<const Mesh> MemoryData::mesh(const MeshSource& source) const {
    const MeshEntry& entry = entryOf(meshes_, source.file, "mesh");
    const std::lock_guard lock(entry.mutex);
    std::shared_ptr<const Mesh>& made = entry.made[source.overlap];
    if (made) return made;
    if (!source.overlap)
        if (const std::string crossing = crossingProblem(entry.data); !crossing.empty()) throw std::runtime_error(crossing);
    Mesh mesh = entry.data;
    mesh.source = {.file = source.file, .overlap = source.overlap};
    return made = std::make_shared<const Mesh>(std::move(mesh));
}

std::shared_ptr<VolumeFrames> MemoryData::volume(const std::string& file, std::uint32_t needs) const {
    const VolumeEntry& entry = entryOf(volumes_, file, "volume");
    const std::lock_guard lock(entry.mutex);
    std::shared_ptr<VolumeFrames>& made = entry.made[needs];
    if (made) return made;
    VolumeData data;
    for (const auto& [name, field, bit] : {std::tuple("density", &VolumeData::density, VolumeSettings::kDensity),
                                           {"temperature", &VolumeData::temperature, VolumeSettings::kTemperature},
                                           {"fuel", &VolumeData::fuel, VolumeSettings::kFuel}}) {
        if ((needs & bit) == 0) continue;
        data.*field = entry.data.*field;
        if ((data.*field).empty()) throw std::runtime_error(fmt::format("has no {}, or it is 0 everywhere", name));
    }
    return made = std::make_shared<MemoryFrames>(std::move(data));
}

std::shared_ptr<const Mesh> meshInMemory(const MemoryData* memory, const MeshSource& source) {
    return (memory ? *memory : MemoryData()).mesh(source);
}

std::shared_ptr<VolumeFrames> volumeInMemory(const MemoryData* memory, const std::string& file, std::uint32_t needs) {
    return (memory ? *memory : MemoryData()).volume(file, needs);
}

VolumeLattice denseLattice(glm::uvec3 size, const glm::dmat4& toWorld, std::span<const float> values) {
    if (size.x == 0 || size.y == 0 || size.z == 0)
        throw std::invalid_argument(fmt::format("has {} x {} x {} values, must have at least one", size.x, size.y, size.z));
    checkPlace(size, toWorld);
    if (const std::uint64_t count = countOf(size); count != values.size())
        throw std::invalid_argument(
            fmt::format("has {} values, must have {} x {} x {} = {}", values.size(), size.x, size.y, size.z, count));
    for (std::size_t n = 0; n < values.size(); ++n)
        if (!std::isfinite(values[n]))
            throw std::invalid_argument(
                fmt::format("value ({}, {}, {}) is {}, must be finite", n % size.x, n / size.x % size.y, n / size.x / size.y, values[n]));
    VolumeLattice lattice{.toWorld = toWorld, .blocks = {}};
    const glm::uvec3 blocks = (size + 7u) / 8u;
    for (glm::uvec3 b(0); b.z < blocks.z; ++b.z)
        for (b.y = 0; b.y < blocks.y; ++b.y)
            for (b.x = 0; b.x < blocks.x; ++b.x) {
                VolumeLattice::Block block{.corner = glm::ivec3(8u * b), .values = {}};
                const glm::uvec3 end = glm::min(size - 8u * b, glm::uvec3(8));
                bool some = false;
                for (glm::uvec3 p(0); p.z < end.z; ++p.z)
                    for (p.y = 0; p.y < end.y; ++p.y)
                        for (p.x = 0; p.x < end.x; ++p.x) {
                            const glm::uvec3 at = 8u * b + p;
                            const float value = values[(std::size_t{at.z} * size.y + at.y) * size.x + at.x];
                            block.values[(p.x * 8 + p.y) * 8 + p.z] = value;
                            some = some || value != 0.0f;
                        }
                if (some) lattice.blocks.push_back(block);
            }
    return lattice;
}

std::string keyOfMemory(const Settings& s) {
    const auto key = [](const char* list, std::size_t n, const std::string& file) {
        return fmt::format("{}[{}].file = \"{}\"", list, n, file);
    };
    const auto meshOf = [&](const Shape& shape) {
        return shape.kind == ShapeKind::Mesh && shape.mesh < s.meshes.size() ? s.meshes[shape.mesh]->source.file : "";
    };
    for (std::size_t n = 0; n < s.emitters.size(); ++n) {
        if (const std::string& file = s.emitters[n].volume.file; isInMemory(file)) return key("emitter", n, file);
        if (const std::string file = meshOf(s.emitters[n].shape); isInMemory(file)) return key("emitter", n, file);
    }
    for (std::size_t n = 0; n < s.obstacles.size(); ++n)
        if (const std::string file = meshOf(s.obstacles[n].shape); isInMemory(file)) return key("obstacle", n, file);
    for (std::size_t n = 0; n < s.initial.size(); ++n)
        if (const std::string& file = s.initial[n].volume.file; isInMemory(file)) return key("initial", n, file);
    return {};
}

}  // namespace wisp
