// SPDX-License-Identifier: MIT
#include "app/base/interrupt.h"
#include "app/base/scene_cells.h"
#include "app/base/scene_values.h"
#include "app/output/image_sequence.h"
#include "app/output/volume_pattern.h"
#include "app/run/cached_film.h"
#include "app/run/film.h"
#include "app/run/from_volumes.h"
#include "app/run/options.h"
#include "app/run/prepare.h"
#include "app/run/quality_probe.h"
#include "app/run/render_files.h"
#include "app/run/run_start.h"
#include "files/base/bytes.h"
#include "files/base/extension.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wisp::app {
namespace {

/// Prints the plan, largest allocations first.
void printPlan(std::vector<MemoryUse> rows, const Cells& cells) {
    std::ranges::stable_sort(rows, std::ranges::greater(), &MemoryUse::bytes);
    for (const MemoryUse& row : rows) fmt::print("{:<32} {:>14} bytes {:>12}\n", row.name, row.bytes, formatBytes(row.bytes));
    const std::uint64_t all = bytesOf(rows);
    const double count = static_cast<double>(cells[0]) * cells[1] * cells[2];
    fmt::print("{:<32} {:>14} bytes {:>12}  ({:.1f} bytes per fine cell)\n", "total", all, formatBytes(all),
               static_cast<double>(all) / count);
}

FilmWork workOf(const RenderOptions& options, const Scene& scene) {
    const CommonOptions& common = options.common;
    const glm::dvec2 size(sizeOfPictures(scene));
    return {.steps = static_cast<double>(options.frames.last() + 1) * stepsPerFrame(options, scene),
            .pictures = static_cast<double>(options.frames.size()),
            .pixels = size.x * size.y,
            .limit = options.minutes > 0.0 ? 60.0 * options.minutes : kFilmLimit,
            .asked = common.autoQuality,
            .shrinks = options.minutes > 0.0,
            .level = common.qualityGiven && !common.autoQuality ? common.load.quality : ""};
}

/// Sets the level of a run that does not go on from a checkpoint; with --minutes also the size and the number of its pictures.
void fit(RenderOptions& options, Scene& scene, const SimulationOptions& simulation, const Device& device, const Log& log) {
    const bool automatic = options.common.autoQuality, isFilm = options.picture && options.from.empty() && !isPathTraced(scene);
    const MemoryOfRun memory = [&](const Scene& s) { return bytesOf(Simulation::plan(device, s, simulation)); };
    const FilmWork work = workOf(options, scene);
    if (work.shrinks || (device.isCpu() && isFilm && (automatic || choosesFilmQuality(options, scene)))) {
        const FilmPlan plan = planFilm(device, scene, memory, work, log);
        scene.setQuality(plan.level);
        if (!work.shrinks) return;
        const glm::dvec2 size = plan.fit.scale * glm::dvec2(sizeOfPictures(scene));
        scene.set("render.size", {std::max(1.0, std::round(size.x)), std::max(1.0, std::round(size.y))});
        if (options.frames.isCount()) options.frames = FrameList(plan.fit.frames);
    } else if (automatic) {
        scene.setQuality(chooseQuality(device, scene, memory, log));
    }
}

}  // namespace

bool choosesFilmQuality(const RenderOptions& options, const Scene& scene) {
    const CommonOptions& common = options.common;
    const bool continues = !common.resume.empty() || !options.checkpoint.empty() || !options.cache.empty() || !options.from.empty();
    const bool writesData = !options.volume.empty() || !options.stats.empty() || !options.trace.empty() || options.hash ||
                            scene.count("probe") > 0;
    return options.choosesQuality && !options.dryRun && !continues && !writesData;
}

std::uint64_t bytesOf(const std::vector<MemoryUse>& rows) {
    return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}, [](std::uint64_t sum, const MemoryUse& m) { return sum + m.bytes; });
}

void checkOptions(RenderOptions& options, const RunStart& start) {
    const Scene& scene = start.scene;
    const bool path = valueOf<std::string>(scene, "render.mode") == "path";
    for (const LoadOptions::Setting& s : options.common.load.set)
        if (!path && (s.source.starts_with("--samples") || s.source.starts_with("--error")))
            throw Failure(Exit::Usage, fmt::format("{} needs path mode: --set render.mode=path", s.source));
    if (options.minutes > 0.0 && path)
        throw Failure(Exit::Usage, "--minutes: render.mode is path, whose time depends on --samples; must be raymarch");
    if (options.picture && options.out.empty()) options.out = valueOf<std::string>(scene, "name") + ".mp4";
    if (!options.picture && options.volume.empty() && options.stats.empty() && options.checkpoint.empty() && scene.count("probe") == 0 &&
        options.sceneOut.empty() && !options.writesCache() && !options.hash)
        throw Failure(Exit::Usage,
                      "--no-picture: nothing else would be written; add --volume, --scene-out, --stats, --checkpoint or a probe");
    if (!options.sceneOut.empty()) requireSceneOutName(options.sceneOut);
    options.volumes.fields = volumeFields(options, scene);
    options.volumes.fps = options.fps;
    options.volumes.first = start.from ? start.from->film.pictures : 0;
    if (start.from && options.cache.empty()) requireResumeKeepsFiles(options, scene, *start.from);
    requireDistinctProbeFiles(options, scene);
    // A resumed run continues its own sequence. Frames of a cache that have files are not drawn again.
    const bool writesNew = !start.from && !options.readsCache();
    if (writesNew && !options.dryRun) requireNewFiles(options);
    if (!options.volume.empty() && parseVolumePattern(options.volume, options.out, options.frames.size()).atlas &&
        valueOf<bool>(scene, "grid.sparse"))
        throw Failure(Exit::Usage, fmt::format("--volume {}: an .exr file holds the velocity of the whole box, which a simulation with "
                                               "grid.sparse = true does not store. Allowed: .vdb, .nvdb, or grid.sparse = false",
                                               options.volume.string()));
}

SimulationOptions simulationOptions(const RenderOptions& options, const RunStart& start) {
    const bool timed = !options.stats.empty() || !options.trace.empty();
    SimulationOptions simulation{.moves = false, .residuals = !options.stats.empty(), .timing = timed ? Timing::Passes : Timing::Off};
    if (options.ended && !timed) simulation.timing = Timing::Scopes;
    simulation.trace = !options.trace.empty();
    if (!options.from.empty()) simulation.showTime = 1.0 / options.fps;
    RunNeeds& needs = simulation.needs;
    needs.picture = options.picture;
    if (options.picture) needs.fetched = contentOf(options.out);
    needs.probes = start.scene.count("probe") > 0;
    needs.checkpoints = options.hash || !options.checkpoint.empty() || options.writesCache();
    needs.volume = options.volume.string();
    needs.volumes = options.volumes;
    if (start.from) needs.resume = options.common.resume.string();
    return simulation;
}

void announce(const RenderOptions& options, const Scene& scene, const Device& device, const Log& log) {
    const glm::uvec2 size = sizeOfPictures(scene);
    const std::string what = options.picture ? fmt::format(" of {}x{} to {}", size.x, size.y, options.out.string())
                                             : std::string(" without pictures");
    const Cells cells = SceneCells(scene).velocity;
    const FrameList& frames = options.frames;
    log.note(fmt::format("{}: {}x{}x{} cells on {}, {}{}", valueOf<std::string>(scene, "name"), cells[0], cells[1], cells[2], device.name(),
                         frames.isCount() ? frames.text() + " frames" : "frames " + frames.text(), what));
    if (options.picture && !frames.isCount() && valueOf<bool>(scene, "render.temporal"))
        log.note("warning: render.temporal: only the frames of --frames are drawn and averaged, so they differ from those of a whole run");
    if (const glm::uvec2 even = 2u * ((size + 1u) / 2u); options.picture && extensionOf(options.out) == ".mp4" && even != size)
        log.note(
            fmt::format("warning: render.size: is {}x{}, but the film is {}x{}, with a black line: H.264 needs an even width and height",
                        size.x, size.y, even.x, even.y));
    for (const SceneProblem& p : scene.warnings()) log.note(fmt::format("warning: {}: {}", p.key, p.message));
}

void render(const RenderOptions& given, const Log& log) {
    if (!given.cache.empty()) return renderFromCache(given, log);
    RenderOptions options = given;
    RunStart start = options.from.empty() ? runStartOf(options.common) : RunStart{sceneFromVolumes(options, log), std::nullopt};
    checkOptions(options, start);
    const SimulationOptions simulation = simulationOptions(options, start);

    Device device(options.common.device);
    Scene& scene = start.scene;
    if (!start.from) fit(options, scene, simulation, device, log);
    Simulation::requireMemory(device, scene, simulation);
    const Cells cells = SceneCells(scene).velocity;
    if (options.dryRun) return printPlan(Simulation::plan(device, scene, simulation), cells);
    announce(options, scene, device, log);
    // Known before the run, so that an interrupted run has it, too.
    if (!options.sceneOut.empty())
        scene.writeModel(options.sceneOut.string(),
                         {.count = options.frames.last() + 1, .fps = options.fps, .stepsPerFrame = stepsPerFrame(options, scene)});
    catchInterrupts();
    Film film(options, start, simulation, device, log);
    film.make();
    if (options.ended) options.ended(film.end());
}

}  // namespace wisp::app
