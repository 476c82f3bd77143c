// SPDX-License-Identifier: MIT
#include "wisp/volume_writer.h"

#include "api/guarded.h"
#include "api/simulation_impl.h"
#include "api/volume_files.h"
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
namespace {

VolumeChoice choiceOf(const VolumeOptions& options, const Settings& settings) {
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

VolumeKind kindOf(const std::filesystem::path& file) {
    if (file.extension() == ".nvdb") return VolumeKind::NanoVdb;
    if (file.extension() != ".vdb") throw Error(ErrorCode::Argument, fmt::format("{}: must be a .vdb or .nvdb file", file.string()));
    if (const std::string problem = openVdbProblem(); !problem.empty())
        throw Error(ErrorCode::Unsupported, fmt::format("{}: OpenVDB is missing ({}). .nvdb needs no library", file.string(), problem));
    return VolumeKind::OpenVdb;
}

}  // namespace

struct VolumeWriter::Impl {
    /// The files of one kind and their names, which other threads read.
    struct Files {
        std::mutex mutex;
        std::deque<std::filesystem::path> names;
        std::optional<VolumeFiles> queue;
    };

    Impl(std::shared_ptr<Simulation::Impl> s, const VolumeOptions& options)
        : simulation(std::move(s)),
          choice(choiceOf(options, simulation->settings)),
          recorder(simulation->device->device, simulation->device->shaders,
                   {.timing = engine::Timing::Off, .readbackBytes = volumeReadback(VolumeKind::NanoVdb, simulation->settings)}) {}

    void write(const std::filesystem::path& file);
    void flush() {
        for (Files& f : files)
            if (f.queue) f.queue->flush();
    }

    std::shared_ptr<Simulation::Impl> simulation;
    VolumeChoice choice;
    engine::Recorder recorder;
    std::array<Files, 2> files;  ///< .nvdb and .vdb
};

void VolumeWriter::Impl::write(const std::filesystem::path& file) {
    const VolumeKind kind = kindOf(file);
    Files& own = files[kind == VolumeKind::OpenVdb ? 1 : 0];
    simulation->device->device.waitForHost();
    simulation->finish();
    if (!own.queue) {
        const auto name = [&own](std::size_t frame) {
            const std::lock_guard lock(own.mutex);
            return own.names.at(frame);
        };
        own.queue.emplace(simulation->device->device, kind, choice, simulation->simulator, name, 0);
    }
    {
        const std::lock_guard lock(own.mutex);
        own.names.resize(own.queue->pushed());  // without that of a write that has failed
        own.names.push_back(file);
    }
    own.queue->read(
        recorder, simulation->simulator, [&] { recorder.submit(); }, [] { return true; });
}

VolumeWriter::VolumeWriter(Simulation& simulation, const VolumeOptions& options) {
    guarded([&] {
        const Call call(*simulation.impl());
        impl_ = std::make_unique<Impl>(simulation.impl(), options);
    });
}

VolumeWriter::~VolumeWriter() {
    if (!impl_) return;
    try {
        impl_->flush();
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

void VolumeWriter::write(const std::string& file) {
    guarded([&] {
        const Call call(*impl_->simulation);
        impl_->write(file);
    });
}

void VolumeWriter::flush() {
    guarded([&] { impl_->flush(); });
}

}  // namespace wisp
