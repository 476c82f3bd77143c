// SPDX-License-Identifier: MIT
#include "app/run/from_volumes.h"

#include "app/base/scene_values.h"
#include "files/base/failure.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace wisp::app {
namespace {

constexpr double kMostCells = 256.0 * 256.0 * 256.0 * 8.0;  // of a scene that is made for a volume
constexpr double kMostAlong = 2047.0;                       // an axis: its faces fit into the images of nearly all devices

glm::dvec3 vectorOf(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

/// A scene whose box just holds the smoke, in the look of the built-in scenes. Fire is much brighter than what the lights show.
std::string sceneAround(const VolumeInfo& info, const Log& log) {
    double edge = info.cell;
    // The smoke ends at the centre of the first cell without smoke. So the centres of cells are voxels of the file.
    const glm::dvec3 low = vectorOf(info.low) - 0.5 * edge;
    const glm::dvec3 size = glm::max(vectorOf(info.high) + 0.5 * edge - low, glm::dvec3(8.0 * edge));
    const auto cellsOf = [&](double h) { return glm::max(glm::ceil(size / h - 1e-6), 8.0); };
    glm::dvec3 cells = cellsOf(edge);
    const glm::dvec3 voxels = cells;
    const double longestAxis = std::max({cells.x, cells.y, cells.z});
    const double coarser = std::max(std::cbrt(cells.x * cells.y * cells.z / kMostCells), longestAxis / kMostAlong);
    if (coarser > 1.0) {
        edge *= coarser;
        cells = cellsOf(edge);
        log.note(
            fmt::format("warning: the smoke extends over {} x {} x {} voxels, so cells are {:.3g} times as large: {:.3g} m. If a few "
                        "voxels far away extend it, a scene with a smaller box shows the rest as it is",
                        voxels.x, voxels.y, voxels.z, coarser, edge));
    }
    const glm::dvec3 box = edge * cells, centre = low + 0.5 * box;
    const double longest = std::max({box.x, box.y, box.z}), far = 1.1 * glm::length(box);
    const glm::dvec3 eye = centre + far * glm::normalize(glm::dvec3(0.55, 0.2, 1.0)) * 1.35;
    return fmt::format(R"(look = "studio"
[grid]
cells = [{}, {}, {}]
size = [{:.9g}, {:.9g}, {:.9g}]
origin = [{:.9g}, {:.9g}, {:.9g}]
pressure_ratio = 1
[medium]
extinction = {:.4g}
[environment]
ground_radius = {:.4g}
[camera]
eye = [{:.6g}, {:.6g}, {:.6g}]
target = [{:.6g}, {:.6g}, {:.6g}]
fov = 38.0
{})",
                       cells.x, cells.y, cells.z, box.x, box.y, box.z, low.x, low.y, low.z, 10.0 / longest, longest, eye.x, eye.y, eye.z,
                       centre.x, centre.y, centre.z, info.fuel ? "[render]\nexposure = -2.5\ntonemap = \"filmic\"\n" : "");
}

/// @throws Failure Usage
VolumeInfo infoOf(const VolumeSequence& sequence) {
    try {
        return VolumeInfo::read(sequence);
    } catch (const Error& e) {
        throw Failure(Exit::Usage, fmt::format("--from {}", e.what()));
    }
}

/// Options to load a scene that will show these files: as if it had their temperature and fuel, so that views of them are allowed. What a
/// simulation adds is left out, as by Scene::showVolumes.
LoadOptions toShow(const RenderOptions& options, const VolumeInfo& info) {
    LoadOptions load = options.common.load;
    const std::string source = "--from " + options.from.string();
    const std::string smoke = fmt::format("[{{ density = 1.0, temperature = {}, fuel = {} }}]", info.temperature ? 1 : 0,
                                          info.fuel ? 1 : 0);
    for (const auto& [key, value] : {std::pair<const char*, std::string>("initial", smoke),
                                     {"emitter", "[]"},
                                     {"stroke", "[]"},
                                     {"probe", "[]"},
                                     {"follow.keys", "[]"},
                                     {"prescribed.field", "\"none\""}})
        load.set.push_back({key, value, source});
    return load;
}

/// The scene that is given, or one around the smoke. @throws Error Scene; Failure Usage if it is to show a field that files lack
Scene sceneOf(const RenderOptions& options, const VolumeInfo& info, const Log& log) {
    LoadOptions load = toShow(options, info);
    const std::filesystem::path& from = options.from;
    try {
        if (!options.common.scene.empty()) return Scene::load(options.common.scene, load);
        load.lines = false;
        Scene scene = Scene::parse(sceneAround(info, log), from.parent_path().string(), load, from.filename().string());
        const std::string stem = from.stem().string();
        scene.set("name", stem.empty() || stem.front() == '%' ? "volume" : stem.substr(0, stem.find('%')));
        return scene;
    } catch (const Error& e) {
        if (std::ranges::find(e.problems(), "view.field", &SceneProblem::key) == e.problems().end()) throw;
        throw Failure(Exit::Usage, fmt::format("{}\n--from {}: there is smoke{}{}", e.what(), from.string(),
                                               info.temperature ? " with a temperature" : "", info.fuel ? " and flames" : " and no flame"));
    }
}

}  // namespace

Scene sceneFromVolumes(RenderOptions& options, const Log& log) {
    VolumeSequence files{
        .files = options.from.string(), .fps = options.fps, .upIsZ = options.fromUpIsZ, .temperature = options.fromTemperature};
    files.start = 1.0 / options.fps;  // of the first picture: as in a simulation, it shows the end of the first frame
    const VolumeInfo info = infoOf(files);
    Scene scene = sceneOf(options, info, log);
    files.velocity = valueOf<double>(scene, "camera.shutter") > 0.0;
    if (files.velocity) (void)infoOf(files);  // reports a velocity that cannot be read
    scene.showVolumes(files);
    if (!options.framesGiven) {
        options.frames = FrameList(info.count);
    } else if (options.frames.isCount()) {
        options.frames = FrameList(std::min(options.frames.size(), info.count));
    } else if (options.frames.last() >= info.count) {
        throw Failure(Exit::Usage,
                      fmt::format("--frames {}: there are {} files, so frames 0 to {}", options.frames.text(), info.count, info.count - 1));
    }
    return scene;
}

}  // namespace wisp::app
