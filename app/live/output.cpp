// SPDX-License-Identifier: MIT
#include "app/live/output.h"

#include "app/output/legend.h"
#include "files/base/image.h"
#include "files/base/pending_file.h"
#include "files/scene/scene_writer.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace wisp::app {
namespace {

constexpr int kTemporalPictures = 8;  // frames in the mean of a screenshot with `render.temporal`; a single frame is noisy

/// Calls `write` with the path. Returns a message for the user.
template <class Write>
std::string save(const std::filesystem::path& path, Write&& write) {
    try {
        write(path);
        return "wrote " + path.string();
    } catch (const Failure& e) {
        return e.what();
    } catch (const Error& e) {
        if (e.code() == ErrorCode::DeviceLost) throw;
        return e.what();
    }
}

}  // namespace

std::filesystem::path freePath(const std::string& name, const std::string& extension) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::current_path(ignored);
    const std::string stem = std::filesystem::path(name).filename().string();
    for (int n = 0;; ++n) {
        const std::filesystem::path path = folder / fmt::format("{}-{:03}{}", stem.empty() ? "wisp" : stem, n, extension);
        if (!std::filesystem::exists(path, ignored)) return path;
    }
}

std::string savePicture(SceneSession& session, const CameraSettings& camera, glm::uvec2 pixels) {
    Settings scene = session.settings;
    std::vector<std::byte> words;
    try {
        std::optional<Renderer> larger;  // the window may render with fewer pixels
        if (pixels != scene.render.size) {
            scene.render.size = pixels;
            larger.emplace(session.simulation(), RendererOptions{.width = pixels.x, .height = pixels.y});
            larger->setCamera(cameraOf(camera));
            const bool temporal = scene.render.temporal && scene.view.field == ViewField::Smoke && !scene.grid.isFlat();
            for (int n = 0; n < (temporal ? kTemporalPictures : 1); ++n) larger->draw();
        }
        Renderer& shown = larger ? *larger : session.renderer();
        const Legend legend(shown.legend(), scene.render.size);
        shown.fetch(PictureContent::Display, [&](const FetchedPicture& picture) {
            words.assign(picture.data, picture.data + picture.bytes);
            legend.draw(words, picture.range, picture.time);
        });
        shown.flush();
    } catch (const Error& e) {
        // Outdated: the window was resized, and has not drawn since.
        if (e.code() != ErrorCode::OutOfMemory && e.code() != ErrorCode::Outdated) throw;
        return fmt::format("cannot save the screenshot: {}", e.what());
    }
    const std::string png = encode(ImageKind::Png, scene.render.size, words);
    return save(freePath(scene.name, ".png"), [&](const auto& path) { writeFileAtomically(path, png); });
}

std::string saveScene(const Settings& scene) {
    return save(freePath(scene.name, ".toml"), [&](const auto& path) { writeFileAtomically(path, writeScene(scene, ".")); });
}

std::string saveRun(SceneSession& session, const Settings& scene) {
    return save(freePath(scene.name, ".checkpoint"), [&](const auto& path) { session.save(path.string(), scene); });
}

}  // namespace wisp::app
