// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/named_file.h"
#include "app/scene/scene_visitor.h"

#include <filesystem>

namespace wisp::app {

/// The meshes of a scene; a file that several obstacles name is read once.
class MeshShelf {
public:
    MeshShelf(std::filesystem::path folder, Settings& settings) : folder_(std::move(folder)), meshes_(settings.meshes) {}

    /// @throws std::runtime_error that says why the file is of no use.
    std::uint32_t find(const std::string& name);
    [[nodiscard]] std::string fileOf(std::uint32_t mesh) const {
        return mesh < meshes_.size() ? fileFrom(folder_, meshes_[mesh]->file) : "";
    }
    [[nodiscard]] const Mesh& operator[](std::uint32_t mesh) const { return *meshes_[mesh]; }
    [[nodiscard]] bool empty() const { return meshes_.empty(); }

private:
    std::filesystem::path folder_;
    std::vector<std::shared_ptr<const Mesh>>& meshes_;
};

/// An obstacle in the middle of the box, a quarter as long as its shortest edge. @throws std::runtime_error that says why the file is of no
/// use.
void addMesh(Settings& settings, const std::string& file);

void visitShape(SceneVisitor& v, Shape& shape);
/// Obstacles may be meshes.
void visitSolidShape(SceneVisitor& v, Shape& shape, MeshShelf& meshes);

}  // namespace wisp::app
