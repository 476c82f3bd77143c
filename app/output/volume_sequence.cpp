// SPDX-License-Identifier: MIT
#include "app/output/volume_sequence.h"

#include "files/base/failure.h"
#include "files/base/openvdb_module.h"
#include "files/base/pending_file.h"

#include <fmt/format.h>
#include <malloc.h>
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

/// What the bytes of a frame begin with. Two fields follow: the blocks of smoke and of velocity, or the velocity and the aperture of an
/// atlas.
struct FrameHead {
    glm::vec3 origin{0.0f};                ///< of the grid [m]
    double time = 0.0;                     ///< [s]
    std::array<std::uint64_t, 2> bytes{};  ///< of the fields
};

class VolumeWriter : public FrameWriter {
public:
    VolumeWriter(VolumePattern pattern, const VolumeChoice& choice, const Settings& settings, std::uint32_t channels)
        : pattern_(std::move(pattern)),
          model_{.grid = settings.grid,
                 .channels = channels,
                 .ambient = settings.flow.ambient,
                 .ignition = settings.fire.ignition,
                 .choice = choice} {
        pattern_.names.prepare();
        // An encoder gets and frees as much memory for each file. By default the allocator returns it to the kernel every time, and half of
        // the encoder's time are page faults.
        mallopt(M_TRIM_THRESHOLD, 256 << 20);
        mallopt(M_MMAP_THRESHOLD, 32 << 20);
    }
    [[nodiscard]] std::size_t threads() const override { return 16; }
    [[nodiscard]] std::uint64_t mostBytes() const override { return mostWaiting(); }
    void write(std::size_t index, std::span<const std::byte> frame) override {
        FrameHead head;
        std::memcpy(&head, frame.data(), sizeof head);
        const auto first = frame.subspan(sizeof head, head.bytes[0]), second = frame.subspan(sizeof head + head.bytes[0], head.bytes[1]);
        Volume volume = model_;
        volume.grid.origin = head.origin;
        volume.time = head.time;
        volume.frame = index;
        if (pattern_.kind == VolumeKind::Atlas) {
            volume.velocity = first;
            volume.aperture = second;
        } else {
            volume.blocks = {first, second};
        }
        writeFileAtomically(pattern_.names.name(index), encodeVolume(pattern_.kind, volume));
    }
    void finish() override {}

private:
    VolumePattern pattern_;
    Volume model_;  ///< what all frames have in common
};

std::optional<VolumePacker> packerOf(engine::Device& device, VolumeKind kind, const VolumeChoice& choice, const FluidSimulator& simulator) {
    if (kind == VolumeKind::Atlas) return std::nullopt;
    return std::make_optional<VolumePacker>(device, simulator.settings(), simulator.fields(), packChoice(choice));
}

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

namespace {

/// Bytes of the fields of an atlas.
std::uint64_t atlasBytes(const Settings& s) {
    return countOf(s.grid.cells) * 4 * (s.grid.precision == Precision::Half ? 2 : 4) + countOf(s.grid.cells + 1u) * 4;
}

}  // namespace

std::uint64_t volumeReadback(VolumeKind kind, const Settings& settings) {
    constexpr std::uint64_t kPadding = 32;  // every field is aligned to 16 bytes
    return kind == VolumeKind::Atlas ? atlasBytes(settings) + kPadding : kPackReadback;
}

VolumeSequence::VolumeSequence(engine::Device& device, const VolumePattern& pattern, const VolumeChoice& choice,
                               const FluidSimulator& simulator, std::size_t first)
    : packer_(packerOf(device, pattern.kind, choice, simulator)),
      frames_(std::make_unique<VolumeWriter>(pattern, choice, simulator.settings(), packer_ ? packer_->channels() : 1), nullptr, first) {}

void VolumeSequence::read(engine::Recorder& recorder, const FluidSimulator& simulator, const std::function<void()>& submit,
                          const std::function<bool()>& wanted) {
    FrameHead head{simulator.settings().grid.origin, simulator.time(), {}};
    std::vector<std::byte> frame = frames_.spare();
    const auto take = [&](std::span<const std::byte> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); };
    const auto begin = [&](std::size_t first, std::size_t second) {
        head.bytes = {first, second};
        frame.reserve(sizeof head + first + second);
        take(std::as_bytes(std::span(&head, 1)));
    };
    const Fields& f = simulator.fields();
    if (packer_) {
        const PackedBlocks blocks = packer_->pack(recorder, f, submit);
        begin(blocks.smoke.size(), blocks.velocity.size());
        take(blocks.smoke);
        take(blocks.velocity);
    } else {
        // The divergence-free velocity that moved the smoke. Images of the velocity show the same field, and it is available after a
        // resume from a checkpoint.
        begin(f.flow.centreVectors.bytes(), f.domain.aperture.bytes());
        recorder.begin();
        recorder.read(f.flow.centreVectors, take);
        recorder.read(f.domain.aperture, take);
        submit();
        recorder.finish();
    }
    if (wanted()) frames_.push(std::move(frame));
}

}  // namespace wisp::app
