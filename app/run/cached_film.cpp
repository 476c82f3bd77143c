// SPDX-License-Identifier: MIT
#include "app/run/cached_film.h"

#include "app/base/interrupt.h"
#include "app/base/scene_values.h"
#include "app/output/image_sequence.h"
#include "app/output/volume_pattern.h"
#include "app/run/cache.h"
#include "app/run/film.h"
#include "app/run/prepare.h"
#include "app/run/quality_probe.h"
#include "app/run/render_files.h"
#include "files/base/extension.h"
#include "files/base/failure.h"
#include "files/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace wisp::app {
namespace {

/// @throws Failure Usage if an option that was given is not that of the cache.
void requireSameTimes(const Cache& cache, const CacheManifest& m, const RenderOptions& options) {
    if (options.fpsGiven && options.fps != m.fps) cache.refuse(fmt::format("--fps is {}, in the cache {}", options.fps, m.fps));
    if (options.stepsPerFrame && *options.stepsPerFrame != m.stepsPerFrame)
        cache.refuse(fmt::format("--steps-per-frame is {}, in the cache {}", *options.stepsPerFrame, m.stepsPerFrame));
}

/// The run from a checkpoint of the cache. @throws Failure Usage if that is of another scene.
RunStart startBefore(const Cache& cache, const CacheManifest& m, std::size_t frame, Scene scene) {
    const std::string file = cache.checkpoint(frame).string();
    RunStart start{std::move(scene), CheckpointInfo::read(file)};
    const std::string differ = differences(Scene::ofCheckpoint(file), Scene::load(cache.scene().string()), m, CompareFiles::No);
    if (!differ.empty()) cache.refuse(fmt::format("{} is of another simulation: {}", cache.checkpoint(frame).filename().string(), differ));
    if (start.from->film.pictures != frame || start.from->film.stepsSincePicture != 0)
        cache.refuse(
            fmt::format("{} is the state before frame {}", cache.checkpoint(frame).filename().string(), start.from->film.pictures));
    if (start.from->steps != frame * m.stepsPerFrame)
        cache.refuse(fmt::format("{} has {} steps, but before frame {} there are {}", cache.checkpoint(frame).filename().string(),
                                 start.from->steps, frame, frame * m.stepsPerFrame));
    return start;
}

/// The options of a film that goes on from a checkpoint of the cache, if there is one.
RenderOptions filmOptions(const RenderOptions& options, const Cache& cache, const CacheManifest& m, std::optional<std::size_t> from) {
    RenderOptions film = options;
    film.fps = m.fps;
    film.stepsPerFrame = m.stepsPerFrame;
    if (from) film.common.resume = cache.checkpoint(*from);
    return film;
}

/// The scene of the options, as it is simulated or as it gets pictures. Without one, that of the cache. @throws Failure Usage if it needs
/// another simulation.
Scene sceneOf(const RenderOptions& options, const Cache& cache, const CacheManifest& m) {
    LoadOptions load = options.common.load;
    const bool own = options.common.scene.empty();
    if (!own && (!options.common.qualityGiven || options.common.autoQuality)) load.quality = m.quality;
    Scene scene = Scene::load(own ? cache.scene().string() : options.common.scene, load);
    const std::string differ = differences(scene, Scene::load(cache.scene().string()), m,
                                           own ? CompareFiles::Names : CompareFiles::Contents);
    if (!differ.empty()) cache.refuse("is of another simulation: " + differ);
    while (scene.count("probe") > 0) scene.remove("probe", 0);  // each process would write a part of their files
    return scene;
}

CacheManifest newManifest(const RenderOptions& options, const Scene& scene, const Device& device) {
    return {.wisp = WISP_VERSION,
            .scene = valueOf<std::string>(scene, "name"),
            .hash = {},
            .seed = valueOf<std::uint32_t>(scene, "seed"),
            .quality = scene.quality(),
            .device = device.name(),
            .driver = device.driver(),
            .frames = options.frames,
            .every = options.cacheEvery,
            .fps = options.fps,
            .stepsPerFrame = stepsPerFrame(options, scene),
            .files = {}};
}

/// Says if frames may have other bits than those of one run, which is the same only with one driver and version.
void noteOrigin(const CacheManifest& m, const Device& device, const Log& log) {
    if (device.name() == m.device && device.driver() == m.driver && m.wisp == WISP_VERSION) return;
    log.note(
        fmt::format("the cache was simulated by wisp {} on {} ({}), this is wisp {} on {} ({}): pictures may differ from those of a "
                    "single run",
                    m.wisp, m.device, m.driver, WISP_VERSION, device.name(), device.driver()));
}

/// The frames that have no files yet.
std::vector<std::size_t> missingFrames(const RenderOptions& options) {
    std::vector<std::size_t> numbers;
    for (const std::size_t n : options.frames.numbers())
        if (options.overwrite || !isWritten(options, n)) numbers.push_back(n);
    return numbers;
}

/// The first frame from which a simulation must go on: that of a checkpoint or of a volume that is missing; the one after the last, if
/// nothing is.
std::size_t firstMissing(const Cache& cache, const CacheManifest& m, const RenderOptions& options) {
    const std::vector<std::size_t> done = cache.checkpoints();
    const std::size_t end = options.frames.last() + 1;
    std::size_t first = done.empty() || done.back() < end ? options.frames.last() : end;  // without a checkpoint at its end, or after it
    for (std::size_t n = m.frames.first(); n < end; n += m.every)
        if (!std::ranges::binary_search(done, n)) {
            first = std::min(first, n);
            break;
        }
    if (const std::vector<std::size_t> volumes = missingFrames(options); !options.volume.empty() && !volumes.empty())
        first = std::min(first, volumes.front());
    return first;
}

/// The frames, by the checkpoint from which they are drawn. A frame goes on from the one before it, if no checkpoint lies between them.
std::vector<std::pair<std::size_t, FrameList>> parts(const Cache& cache, const CacheManifest& m, const std::vector<std::size_t>& frames) {
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> found;
    for (const std::size_t n : frames) {
        const std::size_t from = cache.nearest(m, n);
        if (found.empty() || from > found.back().second.back() + 1) found.push_back({from, {}});
        found.back().second.push_back(n);
    }
    std::vector<std::pair<std::size_t, FrameList>> list;
    for (auto& [from, numbers] : found) list.emplace_back(from, FrameList(std::move(numbers)));
    return list;
}

}  // namespace

void simulateToCache(const RenderOptions& given, const Log& log) {
    RenderOptions options = given;
    const Cache cache(options.cache);
    Scene scene = Scene::load(options.common.scene, options.common.load);  // before a folder is made
    Device device(options.common.device);
    const CacheLock lock(cache);
    if (!cache.exists()) {
        if (options.common.autoQuality)
            scene.setQuality(chooseQuality(
                device, scene, [&](const Scene& s) { return bytesOf(Simulation::plan(device, s)); }, log));
        cache.create(newManifest(options, scene, device), scene);
    }
    CacheManifest m = cache.manifest();
    requireSameTimes(cache, m, options);
    (void)sceneOf(options, cache, m);  // refuses another one
    if (options.everyGiven && options.cacheEvery != m.every)
        cache.refuse(fmt::format("--every is {}, in the cache {}", options.cacheEvery, m.every));
    if (options.frames.first() != m.frames.first())
        cache.refuse(fmt::format("--frames {}: the cache begins at frame {}", options.frames.text(), m.frames.first()));
    options.cacheEvery = m.every;
    if (options.frames.last() > m.frames.last()) {
        m.frames = options.frames;
        cache.write(m);
    }

    noteOrigin(m, device, log);
    options.picture = false;
    FramePattern{.folder = cache.folder() / "checkpoints", .prefix = {}, .suffix = ".wisp"}.removeAbandoned();
    const std::size_t missing = firstMissing(cache, m, options);
    if (missing > options.frames.last() && !options.hash) {
        log.note(fmt::format("{}: has all frames up to {} already", cache.folder().string(), options.frames.last()));
        return;
    }
    const std::optional<std::size_t> from = cache.lastBefore(missing);
    const RunStart start = from ? startBefore(cache, m, *from, Scene::load(cache.scene().string()))
                                : RunStart{Scene::load(cache.scene().string()), std::nullopt};
    RenderOptions film = filmOptions(options, cache, m, from);
    checkOptions(film, start);
    const SimulationOptions simulation = simulationOptions(film, start);
    Simulation::requireMemory(device, start.scene, simulation);
    announce(film, start.scene, device, log);
    catchInterrupts();
    Film(film, start, simulation, device, log).make();
}

void renderFromCache(const RenderOptions& given, const Log& log) {
    RenderOptions options = given;
    const Cache cache(options.cache);
    const CacheManifest m = cache.manifest();
    requireSameTimes(cache, m, options);
    if (!options.framesGiven) options.frames = m.frames;
    if (!options.picture && options.volume.empty()) throw Failure(Exit::Usage, "--no-picture: nothing else would be written; add --volume");
    if (extensionOf(options.out) == ".mp4" || (options.picture && options.out.empty()))
        throw Failure(Exit::Usage,
                      "--cache: needs --out with the name of a folder or a pattern such as out/%04d.png: each frame is a file of "
                      "its own, so that several processes can write them");
    const Scene scene = sceneOf(options, cache, m);
    if (options.picture && valueOf<bool>(scene, "render.temporal"))
        throw Failure(Exit::Usage, "--cache: render.temporal = true makes each picture depend on the ones before; must be false");
    const std::vector<std::size_t> left = missingFrames(options);
    if (left.empty()) {
        log.note(fmt::format("all of the frames {} exist already", options.frames.text()));
        return;
    }
    const auto all = parts(cache, m, left);
    if (options.picture) parseImagePattern(options.out, options.frames.size()).names.removeAbandoned();
    if (!options.volume.empty()) parseVolumePattern(options.volume, options.out, options.frames.size()).names.removeAbandoned();

    Device device(options.common.device);
    noteOrigin(m, device, log);
    catchInterrupts();
    bool announced = false;
    const auto whole = static_cast<double>(all.size());
    double part = 0.0;
    for (const auto& [from, frames] : all) {
        const Log partLog = log.part(part / whole, (part + 1.0) / whole);
        part += 1.0;
        RenderOptions film = filmOptions(options, cache, m, from);
        film.frames = frames;
        const RunStart start = startBefore(cache, m, from, scene);
        checkOptions(film, start);
        const SimulationOptions simulation = simulationOptions(film, start);
        if (!std::exchange(announced, true)) {
            Simulation::requireMemory(device, scene, simulation);
            announce(options, scene, device, log);
        }
        Film run(film, start, simulation, device, partLog);
        run.make();
        if (options.ended && frames.last() == all.back().second.last()) options.ended(run.end());
    }
}

Scene sceneFromCache(const RenderOptions& options) {
    const Cache cache(options.cache);
    return sceneOf(options, cache, cache.manifest());
}

}  // namespace wisp::app
