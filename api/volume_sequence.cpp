// SPDX-License-Identifier: MIT
// Volume files that are read: what they have, and a scene that shows them.
#include "api/volume_sequence.h"

#include "api/guarded.h"
#include "files/base/failure.h"
#include "files/base/frame_pattern.h"
#include "files/scene/volume_file.h"
#include "files/scene/volume_keys.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace wisp {
namespace {

bool hasGrid(const VolumeHead& head, std::string_view name) {
    return std::ranges::any_of(head.grids, [&](const VolumeGridHead& g) { return g.name == name && g.isFloat; });
}

/// Edge of the finest voxels of the density [m].
double edgeOf(const VolumeHead& head) {
    const auto density = std::ranges::find(head.grids, "density", &VolumeGridHead::name);
    if (density == head.grids.end()) return 0.0;  // openVolume reports it
    return std::min({glm::length(glm::dvec3(density->toWorld[0])), glm::length(glm::dvec3(density->toWorld[1])),
                     glm::length(glm::dvec3(density->toWorld[2]))});
}

/// Calls `work`, to whose errors the name of the files is added.
template <class Work>
auto naming(const std::string& files, Work work) {
    try {
        return work();
    } catch (const Failure&) {
        throw;
    } catch (const std::runtime_error& e) {
        throw Failure(Exit::Usage, fmt::format("{}: {}", files, e.what()));
    }
}

/// Density; temperature and fuel if the first file has them.
VolumeRequest requestOf(const VolumeSequence& s, const VolumeHead& head) {
    VolumeRequest request{.file = s.files, .fps = static_cast<float>(s.fps)};
    request.temperature = hasGrid(head, "temperature");
    request.fuel = request.temperature && (hasGrid(head, "flame") || hasGrid(head, "fuel"));
    request.velocity = s.velocity;
    return request;
}

}  // namespace

VolumeInfo VolumeInfo::read(const VolumeSequence& sequence) {
    return guarded([&] {
        return naming(sequence.files, [&] {
            const FramePattern pattern = parseInputPattern(sequence.files);
            const FileNumbers numbers = numbersOfFiles(pattern);
            const VolumeHead head = readVolumeHead(pattern.name(numbers.first));
            const VolumeRequest request = requestOf(sequence, head);
            const VolumeBounds bounds = placed(openVolume(request)->bounds(), VolumePlacement{.upIsZ = sequence.upIsZ});
            VolumeInfo info{.first = numbers.first, .count = numbers.count, .cell = edgeOf(head)};
            info.low = {bounds.low.x, bounds.low.y, bounds.low.z};
            info.high = {bounds.high.x, bounds.high.y, bounds.high.z};
            info.temperature = request.temperature;
            info.fuel = request.fuel;
            return info;
        });
    });
}

InitialSettings smokeOf(const VolumeSequence& sequence) {
    return naming(sequence.files, [&] {
        const FramePattern pattern = parseInputPattern(sequence.files);
        const VolumeRequest request = requestOf(sequence, readVolumeHead(pattern.name(numbersOfFiles(pattern).first)));
        InitialSettings smoke{.density = 1.0f};
        smoke.volume = {.file = std::filesystem::absolute(sequence.files).string(),
                        .fps = request.fps,
                        .start = static_cast<float>(sequence.start),
                        .upIsZ = sequence.upIsZ};
        smoke.shape.kind = ShapeKind::Volume;
        smoke.temperature = request.temperature ? 1.0f : 0.0f;
        smoke.fuel = request.fuel ? 1.0f : 0.0f;
        smoke.volume.needs = volumeFields(true, request.temperature, request.fuel);
        return smoke;
    });
}

}  // namespace wisp
