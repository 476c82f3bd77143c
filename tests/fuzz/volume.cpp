// SPDX-License-Identifier: MIT
// NanoVDB files, as they are read for smoke.
#include "files/scene/volume_file.h"
#include "tests/fuzz/support/input.h"

#include <stdexcept>

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path file = fuzz::fileOf(fuzz::textOf({data, size}));
    try {
        for (const VolumeGridHead& grid : readNanoVdbHead(file).grids) {
            if (!grid.problem.empty()) continue;
            if (grid.activeVoxels > 1u << 22) continue;  // a file of some bytes may have so many, in tiles
            if (grid.isVector) {
                const VolumeVelocity velocity = readNanoVdbVelocity(file, grid.key);
                fuzz::require(velocity.blocks.size() <= kMaxVelocityBlocks, "too many blocks");
                for (const VolumeVelocity::Block& b : velocity.blocks)
                    fuzz::require((b.corner.x & 7) == 0 && (b.corner.y & 7) == 0 && (b.corner.z & 7) == 0, "a block between blocks");
            }
            if (!grid.isFloat) continue;
            const VolumeLattice lattice = readNanoVdbLattice(file, grid.key);
            fuzz::require(lattice.blocks.size() <= kMaxVolumeBlocks, "too many blocks");
            for (const VolumeLattice::Block& b : lattice.blocks)
                fuzz::require((b.corner.x & 7) == 0 && (b.corner.y & 7) == 0 && (b.corner.z & 7) == 0, "a block between blocks");
        }
    } catch (const std::runtime_error&) {}
    return 0;
}
