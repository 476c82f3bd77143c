// SPDX-License-Identifier: MIT
#include "api/memory_plan.h"
#include "api/volume_files.h"
#include "app/base/interrupt.h"
#include "app/output/image_sequence.h"
#include "app/output/volume_pattern.h"
#include "app/run/film.h"
#include "app/run/from_volumes.h"
#include "app/run/options.h"
#include "app/run/quality_probe.h"
#include "app/run/render_files.h"
#include "app/run/start.h"
#include "compute/scene/scene_warnings.h"
#include "files/base/pending_file.h"
#include "files/model/scene_glb.h"

#include <fmt/format.h>

namespace wisp::app {
namespace {

/// Prints the plan, largest allocations first.
void printPlan(engine::Device& device, const Settings& settings, const Needs& needs) {
    MemoryPlan plan = planMemory(device, settings, needs);
    std::stable_sort(plan.rows.begin(), plan.rows.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    for (const engine::Allocation& row : plan.rows) fmt::print("{:<32} {:>14} bytes {:>12}\n", row.name, row.bytes, formatBytes(row.bytes));
    const glm::uvec3 cells = settings.grid.cells;
    const double count = static_cast<double>(cells.x) * cells.y * cells.z;
    fmt::print("{:<32} {:>14} bytes {:>12}  ({:.1f} bytes per fine cell)\n", "total", plan.bytes, formatBytes(plan.bytes),
               static_cast<double>(plan.bytes) / count);
}

}  // namespace

void render(const RenderOptions& given, const Log& log) {
    RenderOptions options = given;
    Start start = options.from.empty() ? startOf(options.common) : startFromVolumes(options);
    const Settings& settings = start.scene;
    for (const LoadOptions::Setting& s : options.common.load.set)
        if (settings.render.mode != RenderMode::Path && (s.source.starts_with("--samples") || s.source.starts_with("--error")))
            throw Failure(Exit::Usage, fmt::format("{} needs path mode: --set render.mode=path", s.source));
    if (options.picture && options.out.empty()) options.out = settings.name + ".mp4";
    if (!options.picture && options.volume.empty() && options.stats.empty() && options.checkpoint.empty() && settings.probes.empty() &&
        options.sceneOut.empty() && !options.hash)
        throw Failure(Exit::Usage,
                      "--no-picture: nothing else would be written; add --volume, --scene-out, --stats, --checkpoint or a probe");
    if (!options.sceneOut.empty()) requireSceneOutName(options.sceneOut);
    options.volumeChoice.fps = options.fps;
    if (!options.volumeFields.empty()) {
        const std::string source = "--volume-fields " + options.volumeFields;
        chooseVolumeFields(options.volumeChoice, splitNames(options.volumeFields), source);
        requireVolumeFields(splitNames(options.volumeFields), settings, source);
    }
    if (start.from) requireResumeKeepsFiles(options, settings, start.from->head());
    requireDistinctProbeFiles(options, settings);
    if (!start.from && !options.dryRun) requireNewFiles(options);  // a resumed run continues its own sequence
    const std::uint64_t pixels = std::uint64_t{settings.render.size.x} * settings.render.size.y;
    const bool copies = start.from || options.hash || !options.checkpoint.empty();
    const std::uint64_t image = options.picture ? pixels * bytesPerPixel(pixelFormatOf(options.out)) : 0;
    Needs needs{options.picture, image + kMeasureBytes, copies ? kCheckpointBlock : 0};
    needs.probes = !settings.probes.empty();
    if (!options.volume.empty()) needs.volume = parseVolumePattern(options.volume, options.out, options.frames).kind;
    needs.volumeChoice = options.volumeChoice;
    if (needs.volume == VolumeKind::Atlas && settings.grid.sparse)
        throw Failure(Exit::Usage, fmt::format("--volume {}: an .exr file holds the velocity of the whole box, which a simulation with "
                                               "grid.sparse = true does not store. Allowed: .vdb, .nvdb, or grid.sparse = false",
                                               options.volume.string()));

    engine::Device device(engineOptions(options.common.device));
    settleQuality(options.common, start, device, needs, log);
    requireFit(device, settings, needs);
    if (options.dryRun) return printPlan(device, settings, needs);
    const glm::uvec3 cells = settings.grid.cells;
    const std::string what = options.picture
                                 ? fmt::format(" of {}x{} to {}", settings.render.size.x, settings.render.size.y, options.out.string())
                                 : std::string(" without pictures");
    log.note(fmt::format("{}: {}x{}x{} cells on {}, {} frames{}", settings.name, cells.x, cells.y, cells.z, device.report().name,
                         options.frames, what));
    for (const Problem& p : sceneWarnings(settings)) log.note(fmt::format("warning: {}: {}", p.key, p.message));
    // Known before the run, so that an interrupted run has it, too.
    if (!options.sceneOut.empty())
        writeFileAtomically(options.sceneOut, encodeSceneGlb(settings, {options.frames, options.fps, stepsPerFrame(options, settings)}));
    catchInterrupts();
    explainOutOfMemory(device, start.scene, needs, [&] { Film(options, start, needs, device, log).make(); });
}

}  // namespace wisp::app
