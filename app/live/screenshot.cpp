// SPDX-License-Identifier: MIT
#include "app/live/screenshot.h"

#include "app/image.h"
#include "app/legend.h"
#include "app/live/free_name.h"
#include "app/pending_file.h"
#include "engine/recorder.h"

#include <cstring>
#include <vector>

namespace wisp::app {

std::string saveScreenshot(Stage& stage, engine::Device& device) {
    const engine::Buffer& display = stage.picture().display();
    std::vector<std::byte> pixels;
    gpu::ViewLimits limits{};
    engine::Recorder reader(device, stage.shaders(), {.timing = engine::Timing::Off, .readbackBytes = display.bytes() + 256});
    reader.begin();
    if (const engine::Buffer* found = stage.picture().limits())
        reader.read(*found, [&](std::span<const std::byte> bytes) { std::memcpy(&limits, bytes.data(), sizeof limits); });
    reader.read(display, [&](std::span<const std::byte> bytes) { pixels.assign(bytes.begin(), bytes.end()); });
    reader.submit();
    reader.finish();
    Legend(stage.settings).draw(pixels, limits, stage.simulator().time());
    try {
        PendingFile file(freeName(stage.settings.name, ".png"));
        file.write(encode(ImageKind::Png, stage.settings.render.size, pixels));
        file.commit();
        return "wrote " + file.target().string();
    } catch (const Failure& e) {
        return e.what();
    }
}

}  // namespace wisp::app
