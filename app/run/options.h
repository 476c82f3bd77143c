// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/frame_list.h"
#include "app/base/log.h"
#include "wisp/device.h"
#include "wisp/quality.h"
#include "wisp/scene.h"
#include "wisp/volume.h"

#include <glm/vec2.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// Options of every command that runs a scene.
struct CommonOptions {
    std::string scene = "smoke";   ///< empty: the scene of the checkpoint `resume`
    std::filesystem::path resume;  ///< checkpoint to resume from; empty: none
    LoadOptions load;
    /// The speed of the device decides the level (app/run/quality_probe.h). Until then load.quality is "standard".
    bool autoQuality = false;
    bool qualityGiven = false;  ///< load.quality is not the default
    DeviceOptions device;
};

/// Results of a complete film, for programs that compare films.
struct FilmEnd {
    std::string device, driver;
    std::uint64_t steps = 0;         ///< of this run
    double msPerStep = 0.0;          ///< mean GPU time of a step [ms]; 0: the device measures no times, or there was no step
    std::optional<Quality> quality;  ///< of the last step; none: volume files were drawn
    glm::uvec2 size{0};              ///< [pixels]
    std::vector<std::byte> picture;  ///< the last one, as PixelFormat::Display; empty: this run has no pictures
};

struct RenderOptions {
    CommonOptions common;
    FrameList frames{240};
    std::filesystem::path out;     ///< empty: name of the scene with extension .mp4
    bool picture = true;           ///< false: no images or video, only volumes, statistics, probes and checkpoints
    std::string background;        ///< behind smoke and bodies, see Background; empty: the environment
    std::filesystem::path volume;  ///< pattern of volume files; empty: none
    /// Folder of a cache (app/run/cache.h). Its frames are drawn, or with `cacheEvery` its checkpoints are written. Empty: none.
    std::filesystem::path cache;
    std::size_t cacheEvery = 0;  ///< frames from one checkpoint of the cache to the next; 0: the cache is read
    std::filesystem::path from;  ///< pattern of volume files to draw instead of a simulation; empty: none
    bool fromUpIsZ = false;      ///< their z is up
    VolumeTemperature fromTemperature = VolumeTemperature::Guess;
    bool choosesQuality = false;  ///< without --quality: see choosesFilmQuality
    double minutes = 0.0;         ///< about the longest time of the film, which becomes smaller and shorter if needed; 0: any
    bool framesGiven = false, fpsGiven = false, everyGiven = false;  ///< `frames`, `fps`, `cacheEvery` are not the defaults
    std::filesystem::path sceneOut;                                  ///< .glb file of bodies, camera and lights; empty: none
    std::string volumeFields;                                        ///< names of fields, separated by commas; empty: the usual ones
    VolumeOptions volumes;                                           ///< of the volumes; fields, fps and first are set by render()
    double fps = 60.0;
    std::optional<std::uint32_t> stepsPerFrame;  ///< std::nullopt: the number that keeps real time at `fps`
    std::filesystem::path stats;                 ///< empty: none
    std::filesystem::path watchShaders;          ///< empty: none
    std::filesystem::path trace;                 ///< empty: none
    std::filesystem::path checkpoint;            ///< empty: none
    std::uint64_t every = 0;                     ///< steps between checkpoints; 0: only at the end
    bool hash = false;
    bool dryRun = false;
    bool overwrite = false;  ///< replace existing videos, images, volumes and scenes
    [[nodiscard]] bool writesCache() const { return cacheEvery > 0; }
    [[nodiscard]] bool readsCache() const { return !cache.empty() && cacheEvery == 0; }
    std::function<void(const FilmEnd&)> ended;  ///< called once all files are written; may be empty
};

/// A simulation into a cache, without pictures.
struct SimOptions {
    RenderOptions run;
};

/// The given number of steps, or the number that covers the duration of a frame, so that films run in real time.
std::uint32_t stepsPerFrame(const RenderOptions& options, const Scene& scene);

/// Whether the speed of a CPU device decides the level: `wisp render` without --quality of pictures alone. Data such as volumes, and runs
/// of several parts, such as those with checkpoints, must not depend on the speed of the machine.
bool choosesFilmQuality(const RenderOptions& options, const Scene& scene);

/// Number of pixels of the pictures of a scene, horizontally and vertically.
glm::uvec2 sizeOfPictures(const Scene& scene);
/// Whether its pictures are of smoke, and path-traced.
bool isPathTraced(const Scene& scene);

/// Renders a film. @throws Failure, Error.
void render(const RenderOptions& given, const Log& log);

}  // namespace wisp::app
