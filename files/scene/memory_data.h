// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"
#include "compute/scene/volume_data.h"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wisp {

struct Settings;

/// Meshes and volumes that a program gives to a scene in memory. A scene names them like files, as "memory:NAME". Copies share the data,
/// which never changes: setting a name again replaces its data in this object only.
class MemoryData {
public:
    /// @throws std::invalid_argument if the mesh cannot be a solid, or the name is wrong.
    void setMesh(const std::string& name, Mesh mesh);
    /// @throws std::invalid_argument if the name is wrong.
    void setVolume(const std::string& name, VolumeData data);

    /// The same pointers for every call with the same name, so that settings that are read again are equal.
    /// @throws std::runtime_error if there is none of this name; if the mesh intersects itself without source.overlap; if the volume lacks
    /// a field that is needed.
    [[nodiscard]] std::shared_ptr<const Mesh> mesh(const MeshSource& source) const;
    /// @param needs see VolumeSettings::needs
    [[nodiscard]] std::shared_ptr<VolumeFrames> volume(const std::string& file, std::uint32_t needs) const;

    [[nodiscard]] bool empty() const { return meshes_.empty() && volumes_.empty(); }
    /// Whether both have the same names with the same data.
    bool operator==(const MemoryData&) const = default;

private:
    /// Data, and what scenes made of it so far.
    template <class Data, class Key, class Made>
    struct Entry {
        explicit Entry(Data d) : data(std::move(d)) {}
        const Data data;
        mutable std::mutex mutex;  ///< of `made`: copies of a scene may be used by several threads
        mutable std::map<Key, Made> made;
    };
    using MeshEntry = Entry<Mesh, bool, std::shared_ptr<const Mesh>>;                     // the key is MeshSource::overlap
    using VolumeEntry = Entry<VolumeData, std::uint32_t, std::shared_ptr<VolumeFrames>>;  // the key is VolumeSettings::needs
    std::map<std::string, std::shared_ptr<const MeshEntry>> meshes_;
    std::map<std::string, std::shared_ptr<const VolumeEntry>> volumes_;
};

/// The same of `memory`, which is a null pointer if the program has given nothing.
std::shared_ptr<const Mesh> meshInMemory(const MemoryData* memory, const MeshSource& source);
std::shared_ptr<VolumeFrames> volumeInMemory(const MemoryData* memory, const std::string& file, std::uint32_t needs);

/// A lattice of all points from (0, 0, 0) to size - 1. @param toWorld affine: from the indices of a point to its position [m]
/// @param values x fastest @throws std::invalid_argument if a value is not finite, or sizes and places are not allowed.
VolumeLattice denseLattice(glm::uvec3 size, const glm::dmat4& toWorld, std::span<const float> values);

/// The first key of the settings that names data in memory, with its value, such as "obstacle[0].file = \"memory:ball\""; empty if none.
std::string keyOfMemory(const Settings& settings);

}  // namespace wisp
