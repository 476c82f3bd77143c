// SPDX-License-Identifier: MIT
#include "app/run/from_volumes.h"

#include "api/scene_impl.h"
#include "compute/scene/motion.h"
#include "files/base/frame_pattern.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace wisp::app {
namespace {

constexpr double kMostCells = 256.0 * 256.0 * 256.0 * 8.0;  // of a scene that is made for a volume

bool hasGrid(const VolumeHead& head, std::string_view name) {
    return std::ranges::any_of(head.grids, [&](const VolumeGridHead& g) { return g.name == name && g.isFloat; });
}

/// Fields of the files: density; temperature and fuel if the first file has them.
struct Files {
    VolumeHead head;
    FileNumbers numbers;
    VolumeRequest request;
};
Files filesOf(const RenderOptions& options) {
    Files files;
    files.request.file = options.from;
    const FramePattern pattern = parseInputPattern(options.from);
    files.numbers = numbersOfFiles(pattern);
    files.head = readVolumeHead(pattern.name(files.numbers.first));
    files.request.fps = static_cast<float>(options.fps);
    files.request.temperature = hasGrid(files.head, "temperature");
    files.request.fuel = files.request.temperature && (hasGrid(files.head, "flame") || hasGrid(files.head, "fuel"));
    return files;
}

/// Edge of the finest voxels of the density [m].
double edgeOf(const VolumeHead& head) {
    const auto density = std::ranges::find(head.grids, "density", &VolumeGridHead::name);
    if (density == head.grids.end()) return 1.0;  // openVolume reports it
    return std::min({glm::length(glm::dvec3(density->toWorld[0])), glm::length(glm::dvec3(density->toWorld[1])),
                     glm::length(glm::dvec3(density->toWorld[2]))});
}

/// A scene whose box just holds the smoke, in the look of the built-in scenes. Fire is much brighter than what the lights show.
std::string sceneAround(const VolumeBounds& bounds, double edge, bool burns) {
    const glm::dvec3 size = glm::max(bounds.high - bounds.low, glm::dvec3(8.0 * edge));
    const auto cellsOf = [&](double h) { return glm::max(glm::ceil(size / h - 1e-6), 8.0); };
    glm::dvec3 cells = cellsOf(edge);
    const double all = cells.x * cells.y * cells.z;
    if (all > kMostCells) {
        edge *= std::cbrt(all / kMostCells);
        cells = cellsOf(edge);
    }
    const glm::dvec3 box = edge * cells, centre = bounds.low + 0.5 * box;
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
                       cells.x, cells.y, cells.z, box.x, box.y, box.z, bounds.low.x, bounds.low.y, bounds.low.z, 10.0 / longest, longest,
                       eye.x, eye.y, eye.z, centre.x, centre.y, centre.z, burns ? "[render]\nexposure = -2.5\ntonemap = \"filmic\"\n" : "");
}

}  // namespace

Start startFromVolumes(RenderOptions& options) {
    try {
        const Files files = filesOf(options);
        VolumeRequest request = files.request;
        VolumeSettings volume{.file = std::filesystem::absolute(options.from).string(), .fps = request.fps, .upIsZ = options.fromUpIsZ};
        volume.start = static_cast<float>(1.0 / options.fps);  // of the first picture, see Film::showVolume
        Start start;
        if (options.common.scene.empty()) {
            const VolumeBounds bounds = placed(openVolume(request)->bounds(), volume.placement({}));
            start.scene = parseScene(sceneAround(bounds, edgeOf(files.head), request.fuel), options.from.string(),
                                     optionsOf(options.common.load));
            start.scene.name = options.from.stem().string().substr(0, options.from.stem().string().find('%'));
            if (start.scene.name.empty()) start.scene.name = "volume";
            start.ownCells = start.scene.grid.cells;
            start.level = levelOf(options.common.load.quality);
        } else {
            start = startOf(options.common);
        }
        request.ambient = start.scene.flow.ambient;
        // Without motion blur the velocity would be read in vain.
        volume.exposure = static_cast<float>(shutterSeconds(start.scene.camera, 1.0 / options.fps));
        request.velocity = volume.exposure > 0.0f;
        volume.needs = VolumeSettings::kDensity | (request.temperature ? VolumeSettings::kTemperature : 0u) |
                       (request.fuel ? VolumeSettings::kFuel : 0u);
        volume.frames = openVolume(request);
        Settings& s = start.scene;
        s.emitters.clear();
        s.strokes.clear();
        s.probes.clear();
        s.follow.keys.clear();
        s.prescribed.field = PrescribedField::None;
        InitialSettings smoke{.volume = volume, .density = 1.0f};
        smoke.shape.kind = ShapeKind::Volume;
        smoke.temperature = request.temperature ? 1.0f : 0.0f;
        smoke.fuel = request.fuel ? 1.0f : 0.0f;
        const VolumeBounds bounds = placed(volume.frames->bounds(), volume.placement(smoke.shape));
        smoke.shape.centre = 0.5 * (bounds.low + bounds.high);
        smoke.shape.half = 0.5 * (bounds.high - bounds.low);
        s.initial = {smoke};
        start.before = s;
        options.frames = options.framesGiven ? std::min(options.frames, files.numbers.count) : files.numbers.count;
        return start;
    } catch (const Failure&) {
        throw;
    } catch (const std::runtime_error& e) {
        throw Failure(Exit::Usage, fmt::format("--from {}: {}", options.from.string(), e.what()));
    }
}

}  // namespace wisp::app
