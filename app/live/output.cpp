// SPDX-License-Identifier: MIT
#include "app/live/output.h"

#include "api/field_legend.h"
#include "app/output/legend.h"
#include "engine/recorder.h"
#include "files/base/image.h"
#include "files/base/pending_file.h"
#include "files/scene/scene_writer.h"

#include <fmt/format.h>

#include <cstring>
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
    }
}

}  // namespace

std::filesystem::path freePath(const std::string& name, const std::string& extension) {
    const std::string stem = std::filesystem::path(name).filename().string();  // always in the current folder
    for (int n = 0;; ++n) {
        const std::filesystem::path path = fmt::format("{}-{:03}{}", stem.empty() ? "wisp" : stem, n, extension);
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) return path;
    }
}

std::string savePicture(SceneSession& session, engine::Device& device, const CameraSettings& camera, glm::uvec2 pixels) {
    Settings scene = session.settings;
    std::vector<std::byte> words;
    gpu::ViewLimits limits{};
    try {
        std::optional<ScenePicture> larger;  // the window may render with fewer pixels
        if (pixels != scene.render.size) {
            scene.render.size = pixels;
            larger.emplace(device, scene);
            larger->setScene(session.simulator().settings(), session.simulator().time());
            larger->setCamera(camera);
            larger->setExposure(exposureOfStep(session.simulator().settings()));
        }
        const ScenePicture& shown = larger ? *larger : session.picture();
        engine::Recorder reader(device, session.shaders(),
                                {.timing = engine::Timing::Off, .readbackBytes = shown.display().bytes() + kLimitsBytes});
        for (int n = 1; larger && larger->smoke() && larger->smoke()->temporal() && n < kTemporalPictures; ++n) {
            reader.begin();
            larger->draw(reader, session.simulator().fields());
            reader.submit();
        }
        reader.begin();
        if (larger) larger->draw(reader, session.simulator().fields());
        if (const engine::Buffer* found = shown.limits())
            reader.read(*found, [&](std::span<const std::byte> bytes) { std::memcpy(&limits, bytes.data(), sizeof limits); });
        reader.read(shown.display(), [&](std::span<const std::byte> bytes) { words.assign(bytes.begin(), bytes.end()); });
        reader.submit();
        reader.finish();
    } catch (const engine::Error& e) {
        if (e.kind() != engine::ErrorKind::OutOfMemory) throw;
        return fmt::format("cannot save the screenshot: {}", e.what());
    }
    Legend(legendOf(scene), scene.render.size)
        .draw(words, {limits.low, limits.high, limits.largest, limits.speed}, session.simulator().time());
    const std::string png = encode(ImageKind::Png, scene.render.size, words);
    return save(freePath(scene.name, ".png"), [&](const auto& path) { writeFileAtomically(path, png); });
}

std::string saveScene(const Settings& scene) {
    return save(freePath(scene.name, ".toml"), [&](const auto& path) { writeFileAtomically(path, writeScene(scene, ".")); });
}

std::string saveRun(SceneSession& session, const Settings& scene) {
    return save(freePath(scene.name, ".checkpoint"), [&](const auto& path) { saveCheckpoint(path, session.run(), scene); });
}

}  // namespace wisp::app
