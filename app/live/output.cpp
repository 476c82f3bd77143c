// SPDX-License-Identifier: MIT
#include "app/live/output.h"

#include "app/image.h"
#include "app/legend.h"
#include "app/pending_file.h"
#include "app/scene_writer.h"
#include "engine/recorder.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace wisp::app {
namespace {

/// `write` makes the file. Returns what there is to say about it.
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
    const std::string stem = std::filesystem::path(name).filename().string();  // never in another folder
    for (int n = 0;; ++n) {
        const std::filesystem::path path = fmt::format("{}-{:03}{}", stem.empty() ? "wisp" : stem, n, extension);
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) return path;
    }
}

std::string savePicture(Stage& stage, engine::Device& device) {
    const engine::Buffer& display = stage.picture().display();
    std::vector<std::byte> pixels;
    gpu::ViewLimits limits{};
    engine::Recorder reader(device, stage.shaders(), {.timing = engine::Timing::Off, .readbackBytes = display.bytes() + kLimitsBytes});
    reader.begin();
    if (const engine::Buffer* found = stage.picture().limits())
        reader.read(*found, [&](std::span<const std::byte> bytes) { std::memcpy(&limits, bytes.data(), sizeof limits); });
    reader.read(display, [&](std::span<const std::byte> bytes) { pixels.assign(bytes.begin(), bytes.end()); });
    reader.submit();
    reader.finish();
    Legend(stage.settings).draw(pixels, limits, stage.simulator().time());
    const std::string png = encode(ImageKind::Png, stage.settings.render.size, pixels);
    return save(freePath(stage.settings.name, ".png"), [&](const auto& path) { writeWhole(path, png); });
}

std::string saveScene(const Settings& scene) {
    return save(freePath(scene.name, ".toml"), [&](const auto& path) { writeWhole(path, writeScene(scene, ".")); });
}

std::string saveRun(Stage& stage, const Settings& scene) {
    return save(freePath(scene.name, ".checkpoint"), [&](const auto& path) { saveCheckpoint(path, stage.run(), scene); });
}

}  // namespace wisp::app
