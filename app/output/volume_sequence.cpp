// SPDX-License-Identifier: MIT
#include "app/output/volume_sequence.h"

#include "app/base/pending_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr PatternOption kVolume{"--volume", "volumes", "a pattern such as out/%04d.nvdb or .exr"};
constexpr std::uint64_t kWaiting = std::uint64_t{1} << 30;  // [bytes] maximum memory of frames in the writer threads

/// A frame consists of the origin of the grid, the slots of a sparse simulation, and the other fields in the order of VolumeBytes.
class VolumeWriter : public FrameWriter {
public:
    VolumeWriter(VolumePattern pattern, const FluidSimulator& simulator)
        : pattern_(std::move(pattern)),
          grid_(simulator.settings().grid),
          channels_(simulator.settings().scalarChannels()),
          bytes_(bytesOfVolume(pattern_.kind, simulator)) {
        pattern_.names.prepare();
    }
    [[nodiscard]] std::size_t threads() const override { return std::clamp<std::size_t>(kWaiting / bytes_.sum(), 1, 8); }
    void write(std::size_t index, std::span<const std::byte> frame) override {
        Volume volume{.grid = grid_};
        std::memcpy(&volume.grid.origin, take(frame, sizeof volume.grid.origin).data(), sizeof volume.grid.origin);
        volume.channels = channels_;
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
    GridSettings grid_;
    std::size_t channels_;
    VolumeBytes bytes_;
};

}  // namespace

VolumePattern parseVolumePattern(const fs::path& volume, const fs::path& pictures, std::size_t frames) {
    const std::string extension = volume.extension().string();
    if (extension == ".vdb")
        kVolume.refuse(volume, ".vdb files are not supported. nanovdb_convert converts .nvdb files to .vdb (Debian: libnanovdb-tools)");
    if (extension != ".nvdb" && extension != ".exr")
        kVolume.refuse(volume, extension.empty() ? "the extension is missing" : fmt::format("{} is not a known file type", extension));
    if (fs::absolute(volume).lexically_normal() == fs::absolute(pictures).lexically_normal())
        kVolume.refuse(volume, "--out has the same name");
    return {parsePattern(kVolume, volume, frames), extension == ".nvdb" ? VolumeKind::NanoVdb : VolumeKind::Atlas};
}

VolumeBytes bytesOfVolume(VolumeKind kind, const FluidSimulator& simulator) {
    const Fields& f = simulator.fields();
    if (!f.domain.bricks) return bytesOfVolume(kind, simulator.settings());
    return {.velocity = f.flow.centreVectors.bytes(), .scalars = f.smoke.scalars[0].bytes(), .slots = f.domain.bricks->slots.bytes()};
}

VolumeSequence::VolumeSequence(const VolumePattern& pattern, const FluidSimulator& simulator, std::size_t first)
    : kind_(pattern.kind), frames_(std::make_unique<VolumeWriter>(pattern, simulator), nullptr, first) {}

void VolumeSequence::read(engine::Recorder& recorder, const FluidSimulator& simulator, std::function<bool()> wanted) {
    const Fields& f = simulator.fields();
    const auto take = [this](std::span<const std::byte> bytes) { frame_.insert(frame_.end(), bytes.begin(), bytes.end()); };
    const auto begin = [this, take, origin = simulator.settings().grid.origin](std::span<const std::byte> bytes) {
        frame_.clear();
        take(std::as_bytes(std::span(&origin, 1)));
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
    recorder.read(kind_ == VolumeKind::NanoVdb ? f.smoke.scalars[0] : f.domain.aperture,
                  [this, take, wanted = std::move(wanted)](std::span<const std::byte> bytes) {  // the last field completes the frame
                      take(bytes);
                      std::vector<std::byte> frame = std::exchange(frame_, {});
                      if (wanted()) frames_.push(std::move(frame));
                  });
}

}  // namespace wisp::app
