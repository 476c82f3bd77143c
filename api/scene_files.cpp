// SPDX-License-Identifier: MIT
// Files that a scene reads.
#include "api/guarded.h"
#include "api/scene_impl.h"
#include "files/base/embedded_file.h"
#include "files/scene/input_files.h"
#include "files/scene/named_file.h"

#include <fmt/format.h>

namespace wisp {
namespace {

/// Of a mesh or a volume; empty for other shapes.
std::string fileOf(const Settings& s, const Shape& shape, const VolumeSettings& volume) {
    if (shape.kind == ShapeKind::Mesh) return s.meshes.at(shape.mesh)->source.file;
    return shape.kind == ShapeKind::Volume ? volume.file : "";
}

}  // namespace

std::vector<SceneFiles> Scene::files() const {
    return guarded([&] {
        const Settings& s = impl_->settings();
        std::vector<SceneFiles> list;
        const auto add = [&](std::string key, const std::string& file) {
            if (file.empty() || isInMemory(file) || isEmbedded(file)) return;
            SceneFiles found{std::move(key), file, {}};
            try {
                for (const std::filesystem::path& part : inputFiles(file)) found.files.push_back(part.string());
            } catch (const std::runtime_error& e) {
                throw Error(ErrorCode::File, fmt::format("{}: {}", file, e.what()));
            }
            list.push_back(std::move(found));
        };
        for (std::size_t n = 0; n < s.emitters.size(); ++n)
            add(fmt::format("emitter[{}].file", n), fileOf(s, s.emitters[n].shape, s.emitters[n].volume));
        for (std::size_t n = 0; n < s.obstacles.size(); ++n) add(fmt::format("obstacle[{}].file", n), fileOf(s, s.obstacles[n].shape, {}));
        for (std::size_t n = 0; n < s.initial.size(); ++n) {
            const InitialSettings& i = s.initial[n];
            add(fmt::format("initial[{}].file", n), i.image ? i.image->file : fileOf(s, i.shape, i.volume));
        }
        if (s.environment.image) add("environment.image", s.environment.image->file);
        return list;
    });
}

}  // namespace wisp
