// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/named_file.h"
#include "files/scene/scene_visitor.h"

#include <filesystem>

namespace wisp {

/// The meshes of a scene. A file that several obstacles and emitters use is read only once.
class MeshCache {
public:
    /// @param memory what "memory:NAME" means; may be null
    MeshCache(std::filesystem::path folder, Settings& settings, const MemoryData* memory = nullptr)
        : folder_(std::move(folder)), meshes_(settings.meshes), memory_(memory) {}

    /// @throws std::runtime_error with the reason if the file cannot be used.
    std::uint32_t find(MeshSource source);
    /// With the file as the scene names it.
    [[nodiscard]] MeshSource sourceOf(std::uint32_t mesh) const;
    [[nodiscard]] const Mesh& operator[](std::uint32_t mesh) const { return *meshes_[mesh]; }
    [[nodiscard]] bool empty() const { return meshes_.empty(); }

private:
    std::filesystem::path folder_;
    std::vector<std::shared_ptr<const Mesh>>& meshes_;
    const MemoryData* memory_;
};

/// Adds a mesh obstacle at the centre of the box. Its longest edge is a quarter of the shortest edge of the box.
/// @throws std::runtime_error with the reason if the file cannot be used.
void addMesh(Settings& settings, const std::string& file);

/// Of initial smoke. The keys of a volume, see visitVolume, follow.
void visitInitialShape(SceneVisitor& v, Shape& shape);
/// Of obstacles and emitters, which may also be meshes. An emitter may be a volume, too.
void visitSolidShape(SceneVisitor& v, Shape& shape, MeshCache& meshes, bool isEmitter);

}  // namespace wisp
