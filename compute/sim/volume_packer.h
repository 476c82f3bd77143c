// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fields.h"
#include "engine/recorder.h"
#include "shaders/shared/packed_volume.h"

#include <cstddef>
#include <functional>
#include <span>

namespace wisp {

/// What a VolumePacker packs.
struct PackChoice {
    float threshold = 0.0f;   ///< density and burning share of fuel from which a cell counts as smoke
    bool temperature = true;  ///< if it is simulated. With fuel, density, temperature and fuel are always packed
    bool allFuel = false;     ///< cold fuel above the threshold counts, too
    bool velocity = true;     ///< at cell centres [m/s]
};

/// Records of blocks in any order, see shaders/shared/packed_volume.h.
struct PackedBlocks {
    std::span<const std::byte> smoke;     ///< blocks of scalar cells with smoke
    std::span<const std::byte> velocity;  ///< blocks of fine cells with smoke in them or beside them
};

/// Packs the blocks of 8^3 cells with smoke for files. The device writes them to host memory: the rest of the fields is not read.
class VolumePacker {
public:
    /// Allocates (or plans) host memory for an eighth of all blocks. @throws Error OutOfMemory.
    VolumePacker(engine::Device& device, const Settings& settings, const Fields& fields, const PackChoice& choice);

    /// Packs the fields after the steps that were submitted so far, in a frame of its own that `submit` submits, and waits for it: only the
    /// device knows how many blocks there are. If there are more than before, it allocates more memory and packs once more. The result is
    /// valid until the next call. @throws Error OutOfMemory.
    PackedBlocks pack(engine::Recorder& rec, const Fields& fields, const std::function<void()>& submit);

    [[nodiscard]] std::uint32_t channels() const { return static_cast<std::uint32_t>(push_.channels); }  ///< in records of smoke

private:
    /// Host memory for the records of a field.
    struct Records {
        engine::Buffer buffer;
        std::uint32_t capacity = 0;
        std::uint64_t bytes = 0;  ///< of a record
    };
    void require(Records& records, const char* name, std::uint64_t blocks);
    void makeHolds(const Fields& fields);  ///< a sparse simulation may have got more slots
    gpu::PackCounts packOnce(engine::Recorder& rec, const Fields& fields, const std::function<void()>& submit);

    engine::Device& device_;
    bool hasVelocity_;
    gpu::PackSmokePush push_;
    Records smoke_, velocity_;
    engine::Buffer counts_, holds_;
};

/// RecorderOptions::readbackBytes for packing in each frame.
inline constexpr std::uint64_t kPackReadback = 16 + sizeof(gpu::PackCounts);

}  // namespace wisp
