// SPDX-License-Identifier: MIT
// NanoVDB files, as they are read for smoke. Input that begins with 'Z' changes bytes of a file that is not compressed: a fuzzer does not
// write what zlib accepts, nor the 300 KB of such a file.
#define NANOVDB_USE_ZIP
#include "files/scene/volume_file.h"
#include "tests/fuzz/support/input.h"

#include <nanovdb/util/IO.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <vector>

using namespace wisp;

namespace {

/// The files of tests/unit/volumes, which have every type of values but vectors, and one with vectors, not compressed.
std::vector<std::string> plainFiles() {
    std::vector<std::filesystem::path> files{WISP_FUZZ_FILES "/../corpus/volume/2af9012fdcf2"};
    for (const auto& entry : std::filesystem::directory_iterator(WISP_FUZZ_FILES "/../../unit/volumes"))
        if (entry.path().extension() == ".nvdb") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> plain;
    for (const std::filesystem::path& file : files) {
        std::ostringstream out(std::string(1024, '\0'));  // NanoVDB skips the head before it writes
        nanovdb::io::writeGrids(out, nanovdb::io::readGrids<nanovdb::HostBuffer, std::vector>(file.string()));
        plain.push_back(out.str());
    }
    return plain;
}

/// `changes`: the number of a file, then for each change an offset, from the end if its highest bit is set, and 8 bytes.
std::string changed(fuzz::Bytes changes) {
    static const std::vector<std::string> files = plainFiles();
    if (changes.empty()) return {};
    std::string file = files[changes[0] % files.size()];
    const std::size_t places = file.size() - 7;
    for (changes = changes.subspan(1); changes.size() >= 12; changes = changes.subspan(12)) {
        std::uint32_t offset = 0;
        std::memcpy(&offset, changes.data(), 4);
        const std::size_t place = (offset & 0x7fffffffu) % places;
        std::memcpy(file.data() + (offset >> 31 != 0 ? places - 1 - place : place), changes.data() + 4, 8);
    }
    return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Bytes input(data, size);
    const bool changes = size > 0 && data[0] == 'Z';
    const std::filesystem::path file = changes ? fuzz::fileOf(changed(input.subspan(1))) : fuzz::fileOf(fuzz::textOf(input));
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
