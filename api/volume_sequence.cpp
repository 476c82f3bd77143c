// SPDX-License-Identifier: MIT
// Volume files that are read: what they have, and a scene that shows them.
#include "api/volume_sequence.h"

#include "api/guarded.h"
#include "api/scene_impl.h"
#include "files/base/failure.h"
#include "files/base/frame_pattern.h"
#include "files/scene/files_in_use.h"
#include "files/scene/input_files.h"
#include "files/scene/scene_writer.h"
#include "files/scene/volume_file.h"
#include "files/scene/volume_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace wisp {
namespace {

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

TemperatureUnit unitOf(const VolumeSequence& s) {
    switch (s.temperature) {
        case VolumeTemperature::Kelvin: return TemperatureUnit::Kelvin;
        case VolumeTemperature::Share: return TemperatureUnit::Share;
        default: return TemperatureUnit::Guess;
    }
}

VolumeRequest requestOf(const VolumeSequence& s) { return {.file = s.files, .fps = static_cast<float>(s.fps), .unit = unitOf(s)}; }

/// A summary needs to read files: those that were read last are kept. The velocity does not matter.
VolumeSummary summaryOfFiles(const VolumeSequence& s) {
    const VolumeRequest request = requestOf(s);
    static FilesInUse<VolumeRequest, const VolumeSummary> inUse;
    static std::mutex mutex;
    static std::shared_ptr<const VolumeSummary> last;
    auto summary = inUse.get(request, inputFiles(s.files), [&] { return std::make_shared<VolumeSummary>(summaryOf(request)); });
    const std::lock_guard lock(mutex);
    last = summary;
    return *summary;
}

/// The initial smoke that shows these files. @throws Failure Usage naming what is wrong with them.
InitialSettings smokeOf(const VolumeSequence& sequence) {
    return naming(sequence.files, [&] {
        const VolumeSummary summary = summaryOfFiles(sequence);
        InitialSettings smoke{.density = 1.0f};
        smoke.volume = {.file = std::filesystem::absolute(sequence.files).string(),
                        .fps = static_cast<float>(sequence.fps),
                        .start = static_cast<float>(sequence.start),
                        .upIsZ = sequence.upIsZ,
                        .temperatureUnit = unitOf(sequence)};
        smoke.shape.kind = ShapeKind::Volume;
        smoke.temperature = summary.temperature ? 1.0f : 0.0f;
        smoke.fuel = summary.burns ? 1.0f : 0.0f;
        smoke.volume.needs = volumeFields(true, summary.temperature, summary.burns);
        return smoke;
    });
}

}  // namespace

VolumeInfo VolumeInfo::read(const VolumeSequence& sequence) {
    return guarded([&] {
        return naming(sequence.files, [&] {
            const FileNumbers numbers = numbersOfFiles(parseInputPattern(sequence.files));
            const VolumeSummary summary = summaryOfFiles(sequence);
            if (sequence.velocity) {  // one that cannot be read is an error
                VolumeRequest request = requestOf(sequence);
                request.velocity = request.isShown = true;
                (void)openVolume(request);
            }
            const VolumeBounds bounds = placed(summary.bounds, VolumePlacement{.upIsZ = sequence.upIsZ});
            VolumeInfo info{.first = numbers.first, .count = numbers.count, .cell = summary.edge};
            info.low = {bounds.low.x, bounds.low.y, bounds.low.z};
            info.high = {bounds.high.x, bounds.high.y, bounds.high.z};
            info.temperature = summary.temperature;
            info.fuel = summary.burns;
            return info;
        });
    });
}

std::string blurProblem(const Settings& settings) {
    const auto known = [](const InitialSettings& i) { return i.volume.frames && i.volume.frames->hasVelocity(); };
    if (settings.camera.shutter <= 0.0f || std::ranges::any_of(settings.initial, known)) return {};
    return "does not blur the smoke: its files have no velocity (vectors vel, velocity or v, or floats vel.x, vel.y and vel.z at the same "
           "points or at the faces of voxels)";
}

Scene& Scene::showVolumes(const VolumeSequence& sequence) {
    guarded([&] {
        Settings s = impl_->read(false, QualityLevel::Standard);
        s.initial = {smokeOf(sequence)};
        s.emitters.clear();
        s.strokes.clear();
        s.probes.clear();
        s.follow.keys.clear();
        s.prescribed.field = PrescribedField::None;
        Impl next = *impl_;
        next.text = writeScene(s, impl_->folder());
        next.lines = false;
        next.overrides.clear();
        next.shows = true;
        next.forget();
        (void)next.settings();
        *impl_ = std::move(next);
    });
    return *this;
}

}  // namespace wisp
