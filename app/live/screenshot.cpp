// SPDX-License-Identifier: MIT
#include "app/live/screenshot.h"

#include "app/image.h"
#include "app/pending_file.h"
#include "engine/recorder.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

namespace wisp::app {

std::string saveScreenshot(Stage& stage, engine::Device& device) {
    const engine::Buffer& display = stage.picture().display();
    std::vector<std::byte> pixels;
    engine::Recorder reader(device, stage.shaders(), {.timing = engine::Timing::Off, .readbackBytes = display.bytes()});
    reader.begin();
    reader.read(display, [&](std::span<const std::byte> bytes) { pixels.assign(bytes.begin(), bytes.end()); });
    reader.submit();
    reader.finish();
    try {
        int n = 0;
        const std::string name = std::filesystem::path(stage.settings.name).filename().string();  // never in another folder
        const auto path = [&] { return std::filesystem::path(fmt::format("{}-{:03}.png", name.empty() ? "wisp" : name, n)); };
        while (std::filesystem::exists(path())) ++n;
        PendingFile file(path());
        file.write(encode(ImageKind::Png, stage.settings.render.size, pixels));
        file.commit();
        return "wrote " + path().string();
    } catch (const Failure& e) {
        return e.what();
    }
}

}  // namespace wisp::app
