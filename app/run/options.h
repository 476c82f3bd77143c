// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/scene/scene.h"
#include "engine/device.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace wisp::app {

/// What every command that runs a scene takes.
struct CommonOptions {
    std::string scene = "smoke";   ///< empty: that of `resume`
    std::filesystem::path resume;  ///< a checkpoint to go on from; empty: none
    SceneOptions sceneOptions;
    bool autoQuality =
        false;  ///< the device's speed decides the level (app/run/quality_probe.h); until then sceneOptions.quality is Standard
    engine::DeviceOptions device;
};

struct RenderOptions {
    CommonOptions common;
    std::size_t frames = 240;
    std::filesystem::path out;     ///< empty: the scene's name and .mp4
    std::filesystem::path volume;  ///< pattern of the files of fields; empty: none
    double fps = 60.0;
    std::optional<std::uint32_t> stepsPerFrame;  ///< otherwise as many as keep real time at `fps`
    std::filesystem::path stats;                 ///< empty: none
    std::filesystem::path watchShaders;          ///< empty: none
    std::filesystem::path trace;                 ///< empty: none
    std::filesystem::path checkpoint;            ///< empty: none
    std::uint64_t every = 0;                     ///< steps between checkpoints; 0: only at the end
    bool hash = false;
    bool dryRun = false;
    bool overwrite = false;  ///< a film, images or volumes of an earlier run
};

/// Makes a film. @throws Failure, engine::Error.
void render(const RenderOptions& given, const Log& log);

}  // namespace wisp::app
