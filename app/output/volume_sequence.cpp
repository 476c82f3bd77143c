// SPDX-License-Identifier: MIT
#include "app/output/volume_sequence.h"

#include "app/base/failure.h"
#include "app/base/pending_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <utility>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr PatternOption kVolume{"--volume", "volumes", "a pattern such as out/%04d.vdb, .nvdb or .exr"};
/// [bytes] maximum memory of frames in the writer threads: 4 GB, at most an eighth of the memory of the host.
std::uint64_t mostWaiting() {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const std::uint64_t most = std::uint64_t{4} << 30;
    return pages > 0 && page > 0 ? std::min(most, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 8) : most;
}

/// What a frame begins with.
struct FrameHead {
    glm::vec3 origin;  ///< of the grid [m]
    double time;       ///< [s]
};

/// A frame consists of its head, the slots of a sparse simulation, and the other fields in the order of VolumeBytes.
class VolumeWriter : public FrameWriter {
public:
    VolumeWriter(VolumePattern pattern, const VolumeChoice& choice, const FluidSimulator& simulator)
        : pattern_(std::move(pattern)),
          model_{.grid = simulator.settings().grid,
                 .channels = simulator.settings().scalarChannels(),
                 .ambient = simulator.settings().flow.ambient,
                 .ignition = simulator.settings().fire.ignition,
                 .choice = choice},
          bytes_(bytesOfVolume(pattern_.kind, simulator)) {
        pattern_.names.prepare();
    }
    [[nodiscard]] std::size_t threads() const override { return std::clamp<std::size_t>(mostWaiting() / bytes_.sum(), 1, 16); }
    void write(std::size_t index, std::span<const std::byte> frame) override {
        FrameHead head;
        std::memcpy(&head, take(frame, sizeof head).data(), sizeof head);
        Volume volume = model_;
        volume.grid.origin = head.origin;
        volume.time = head.time;
        volume.frame = index;
        volume.slots = take(frame, bytes_.slots);
        volume.velocity = take(frame, bytes_.velocity);
        volume.scalars = take(frame, bytes_.scalars);
        volume.aperture = take(frame, bytes_.aperture);
        writeFileAtomically(pattern_.names.name(index), encodeVolume(pattern_.kind, volume));
    }
    void finish() override {}

private:
    static std::span<const std::byte> take(std::span<const std::byte>& from, std::size_t bytes) {
        const auto taken = from.first(bytes);
        from = from.subspan(bytes);
        return taken;
    }

    VolumePattern pattern_;
    Volume model_;  ///< what all frames have in common
    VolumeBytes bytes_;
};

}  // namespace

VolumePattern parseVolumePattern(const fs::path& volume, const fs::path& pictures, std::size_t frames) {
    const std::string extension = volume.extension().string();
    if (extension == ".vdb")
        if (const std::string problem = openVdbProblem(); !problem.empty())
            kVolume.refuse(volume, fmt::format("OpenVDB is missing ({}). .nvdb needs no library", problem));
    if (extension != ".vdb" && extension != ".nvdb" && extension != ".exr")
        kVolume.refuse(volume, extension.empty() ? "the extension is missing" : fmt::format("{} is not a known file type", extension));
    if (!pictures.empty() && fs::absolute(volume).lexically_normal() == fs::absolute(pictures).lexically_normal())
        kVolume.refuse(volume, "--out has the same name");
    return {parsePattern(kVolume, volume, frames), extension == ".vdb"    ? VolumeKind::OpenVdb
                                                   : extension == ".nvdb" ? VolumeKind::NanoVdb
                                                                          : VolumeKind::Atlas};
}

namespace {

/// Calls `function` with the index of each field in a list of names. @throws Failure Usage.
template <class Function>
void forNamed(const std::string& names, Function function) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
        const auto at = std::ranges::find(kVolumeFields, name);
        if (at == kVolumeFields.end())
            throw Failure(Exit::Usage, fmt::format("--volume-fields {}: \"{}\" is not a field; allowed: {}, separated by commas", names,
                                                   name, fmt::join(kVolumeFields, ", ")));
        function(static_cast<std::size_t>(at - kVolumeFields.begin()));
    }
}

}  // namespace

void chooseVolumeFields(VolumeChoice& choice, const std::string& names) {
    choice.fields.reset();
    forNamed(names, [&](std::size_t field) { choice.fields.set(field); });
}

void requireVolumeFields(const std::string& names, const Settings& settings) {
    forNamed(names, [&](std::size_t field) {
        const auto f = static_cast<VolumeField>(field);
        const bool needsFuel = f == VolumeField::Flame || f == VolumeField::Fuel;
        if ((needsFuel && !settings.usesFuel()) || (f == VolumeField::Temperature && !settings.usesTemperature()))
            throw Failure(Exit::Usage, fmt::format("--volume-fields {}: the scene has no {}", names, needsFuel ? "fuel" : "temperature"));
    });
}

VolumeBytes bytesOfVolume(VolumeKind kind, const FluidSimulator& simulator) {
    const Fields& f = simulator.fields();
    if (!f.domain.bricks) return bytesOfVolume(kind, simulator.settings());
    return {.velocity = f.flow.centreVectors.bytes(), .scalars = f.smoke.scalars[0].bytes(), .slots = f.domain.bricks->slots.bytes()};
}

VolumeSequence::VolumeSequence(const VolumePattern& pattern, const VolumeChoice& choice, const FluidSimulator& simulator, std::size_t first)
    : kind_(pattern.kind), frames_(std::make_unique<VolumeWriter>(pattern, choice, simulator), nullptr, first) {}

void VolumeSequence::read(engine::Recorder& recorder, const FluidSimulator& simulator, std::function<bool()> wanted) {
    const Fields& f = simulator.fields();
    const auto take = [this](std::span<const std::byte> bytes) { frame_.insert(frame_.end(), bytes.begin(), bytes.end()); };
    const FrameHead head{simulator.settings().grid.origin, simulator.time()};
    const std::size_t size = sizeof head + bytesOfVolume(kind_, simulator).sum();
    const auto begin = [this, take, head, size](std::span<const std::byte> bytes) {
        frame_ = frames_.spare();
        frame_.reserve(size);
        take(std::as_bytes(std::span(&head, 1)));
        take(bytes);
    };
    // Writes the divergence-free velocity that moved the smoke. Images of the velocity show the same field, and it is available after a
    // resume from a checkpoint.
    if (f.domain.bricks) {
        recorder.read(f.domain.bricks->slots, begin);
        recorder.read(f.flow.centreVectors, take);
    } else {
        recorder.read(f.flow.centreVectors, begin);
    }
    recorder.read(kind_ == VolumeKind::Atlas ? f.domain.aperture : f.smoke.scalars[0],
                  [this, take, wanted = std::move(wanted)](std::span<const std::byte> bytes) {  // the last field completes the frame
                      take(bytes);
                      std::vector<std::byte> frame = std::exchange(frame_, {});
                      if (wanted()) frames_.push(std::move(frame));
                  });
}

}  // namespace wisp::app
