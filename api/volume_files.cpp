// SPDX-License-Identifier: MIT
#include "api/volume_files.h"

#include "files/base/failure.h"
#include "files/base/pending_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace wisp {

namespace {

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
    std::size_t number = 0;                ///< of the file, for its metadata
    std::array<std::uint64_t, 2> bytes{};  ///< of the fields
};

class Encoder : public FrameWriter {
public:
    Encoder(VolumeKind kind, VolumeFiles::Name name, const VolumeChoice& choice, const Settings& settings, std::uint32_t channels)
        : kind_(kind),
          name_(std::move(name)),
          model_{.grid = settings.grid,
                 .channels = channels,
                 .ambient = settings.flow.ambient,
                 .ignition = settings.fire.ignition,
                 .choice = choice} {
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
        volume.frame = head.number;
        if (kind_ == VolumeKind::Atlas) {
            volume.velocity = first;
            volume.aperture = second;
        } else {
            volume.blocks = {first, second};
        }
        writeFileAtomically(name_(index), encodeVolume(kind_, volume));
    }
    void finish() override {}

private:
    VolumeKind kind_;
    VolumeFiles::Name name_;
    Volume model_;  ///< what all frames have in common
};

std::optional<VolumePacker> packerOf(engine::Device& device, VolumeKind kind, const VolumeChoice& choice, const FluidSimulator& simulator) {
    if (kind == VolumeKind::Atlas) return std::nullopt;
    return std::make_optional<VolumePacker>(device, simulator.settings(), simulator.fields(), packChoice(choice));
}

}  // namespace

namespace {

/// Calls `function` with the index of each field. @throws Failure Usage.
template <class Function>
void forNamed(const std::vector<std::string>& names, const std::string& source, Function function) {
    for (const std::string& name : names) {
        const auto at = std::ranges::find(kVolumeFields, name);
        if (at == kVolumeFields.end())
            throw Failure(Exit::Usage, fmt::format("{}: \"{}\" is not a field; allowed: {}", source, name, fmt::join(kVolumeFields, ", ")));
        function(static_cast<std::size_t>(at - kVolumeFields.begin()));
    }
}

}  // namespace

void chooseVolumeFields(VolumeChoice& choice, const std::vector<std::string>& names, const std::string& source) {
    choice.fields.reset();
    forNamed(names, source, [&](std::size_t field) { choice.fields.set(field); });
}

const char* lackOf(std::string_view field, const Settings& settings) {
    if ((field == "flame" || field == "fuel") && !settings.usesFuel()) return "fuel";
    return field == "temperature" && !settings.usesTemperature() ? "temperature" : nullptr;
}

void requireVolumeFields(const std::vector<std::string>& names, const Settings& settings, const std::string& source) {
    forNamed(names, source, [&](std::size_t field) {
        if (const char* lack = lackOf(kVolumeFields[field], settings))
            throw Failure(Exit::Usage, fmt::format("{}: the scene has no {}", source, lack));
    });
}

VolumeFiles::VolumeFiles(engine::Device& device, VolumeKind kind, const VolumeChoice& choice, const FluidSimulator& simulator, Name name)
    : packer_(packerOf(device, kind, choice, simulator)),
      frames_(std::make_unique<Encoder>(kind, std::move(name), choice, simulator.settings(), packer_ ? packer_->channels() : 1)) {}

void VolumeFiles::read(engine::Recorder& recorder, const FluidSimulator& simulator, const std::function<void()>& submit,
                       std::size_t number) {
    FrameHead head{simulator.settings().grid.origin, simulator.time(), number, {}};
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
    frames_.push(std::move(frame));
}

}  // namespace wisp
