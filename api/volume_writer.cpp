// SPDX-License-Identifier: MIT
#include "wisp/volume_writer.h"

#include "api/guarded.h"
#include "api/simulation_impl.h"
#include "api/volume_files.h"
#include "files/base/extension.h"
#include "files/base/failure.h"
#include "files/base/openvdb_module.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

namespace wisp {

VolumeChoice volumeChoiceOf(const VolumeOptions& options, const Settings& settings) {
    if (!(options.threshold >= 0.0f) || !std::isfinite(options.threshold))
        throw Error(ErrorCode::Argument, fmt::format("VolumeOptions: threshold is {}; must be 0 or more", options.threshold));
    if (!(options.fps > 0.0) || !std::isfinite(options.fps))
        throw Error(ErrorCode::Argument, fmt::format("VolumeOptions: fps is {}; must be above 0", options.fps));
    VolumeChoice choice{.threshold = options.threshold, .upIsZ = options.upIsZ, .fps = options.fps};
    if (options.fields.empty()) return choice;
    try {
        chooseVolumeFields(choice, options.fields, "VolumeOptions: fields");
        requireVolumeFields(options.fields, settings, "VolumeOptions: fields");
    } catch (const Failure& e) {
        throw Error(ErrorCode::Argument, e.what());
    }
    return choice;
}

VolumeKind volumeKindOf(const std::filesystem::path& file, const Settings& settings) {
    if (extensionOf(file) == ".nvdb") return VolumeKind::NanoVdb;
    if (extensionOf(file) == ".exr" && settings.grid.sparse)
        throw Error(ErrorCode::Unsupported, fmt::format("{}: an .exr file holds the velocity of the whole box, which a simulation with "
                                                        "grid.sparse does not store: write .vdb or .nvdb",
                                                        file.string()));
    if (extensionOf(file) == ".exr") return VolumeKind::Atlas;
    if (extensionOf(file) != ".vdb") throw Error(ErrorCode::Argument, fmt::format("{}: must be a .vdb, .nvdb or .exr file", file.string()));
    if (const std::string problem = openVdbProblem(); !problem.empty())
        throw Error(ErrorCode::Unsupported, fmt::format("{}: OpenVDB is missing ({}). .nvdb needs no library", file.string(), problem));
    return VolumeKind::OpenVdb;
}

struct VolumeWriter::Impl {
    /// The files of one kind and their names, which other threads read.
    struct Files {
        std::mutex mutex;
        std::deque<std::filesystem::path> names;
        std::optional<engine::Recorder> recorder;
        std::optional<VolumeFiles> queue;
    };

    Impl(std::shared_ptr<Simulation::Impl> s, const VolumeOptions& options)
        : simulation(std::move(s)), choice(volumeChoiceOf(options, simulation->settings)), next(options.first) {}

    void write(const std::filesystem::path& file, std::optional<std::size_t> number);
    std::size_t flush() {
        std::size_t written = 0;
        for (Files& f : files) {
            if (!f.queue) continue;
            f.queue->flush();
            written += f.queue->pushed();
        }
        return written;
    }

    std::shared_ptr<Simulation::Impl> simulation;
    VolumeChoice choice;
    std::size_t next;            ///< number of the next file
    std::array<Files, 3> files;  ///< by VolumeKind
};

void VolumeWriter::Impl::write(const std::filesystem::path& file, std::optional<std::size_t> number) {
    const VolumeKind kind = volumeKindOf(file, simulation->settings);
    Files& own = files[static_cast<std::size_t>(kind)];
    simulation->device->device.waitForHost();
    simulation->finish();
    if (!own.queue) {
        const auto name = [&own](std::size_t n) {
            const std::lock_guard lock(own.mutex);
            return own.names.at(n);
        };
        own.recorder.emplace(
            simulation->device->device, simulation->device->shaders,
            engine::RecorderOptions{.timing = engine::Timing::Off, .readbackBytes = volumeReadback(kind, simulation->settings)});
        own.queue.emplace(simulation->device->device, kind, choice, simulation->simulator, name);
    }
    {
        const std::lock_guard lock(own.mutex);
        own.names.resize(own.queue->pushed());  // without that of a write that has failed
        own.names.push_back(file);
    }
    next = number.value_or(next);
    own.queue->read(
        *own.recorder, simulation->simulator, [&] { own.recorder->submit(); }, next);
    ++next;
}

VolumeWriter::VolumeWriter(Simulation& simulation, const VolumeOptions& options) {
    called(*simulation.impl(), [&] { impl_ = std::make_unique<Impl>(simulation.impl(), options); });
}

VolumeWriter::~VolumeWriter() {
    if (!impl_) return;
    try {
        (void)impl_->flush();
    } catch (const std::exception&) {  // documented
    }
    const auto device = impl_->simulation->device;  // outlives the writer
    const std::lock_guard lock(device->mutex);
    impl_.reset();
}
VolumeWriter::VolumeWriter(VolumeWriter&&) noexcept = default;
VolumeWriter& VolumeWriter::operator=(VolumeWriter&& other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
}

void VolumeWriter::write(const std::string& file, std::optional<std::size_t> number) {
    called(*impl_->simulation, [&] { impl_->write(file, number); });
}

std::size_t VolumeWriter::flush() {
    return guarded([&] { return impl_->flush(); });
}

std::vector<std::string> VolumeWriter::fields(const Scene& scene) {
    return guarded([&] {
        const Settings& settings = scene.impl().settings();
        std::vector<std::string> names;
        for (const char* name : kVolumeFields)
            if (lackOf(name, settings) == nullptr) names.emplace_back(name);
        return names;
    });
}

std::vector<std::string> VolumeWriter::allFields() { return {kVolumeFields.begin(), kVolumeFields.end()}; }

}  // namespace wisp
