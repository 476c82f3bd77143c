// SPDX-License-Identifier: MIT
// Reads NanoVDB files. NanoVDB's own reader trusts the file. This one uses only its structs, goes through the nodes in the order of memory
// instead of following offsets, and checks every range before it is read.
#include "files/base/text_file.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>
#include <nanovdb/NanoVDB.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace wisp {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void failShort() { throw std::runtime_error("is cut short or damaged"); }

/// Takes bytes from the front.
Bytes take(Bytes& from, std::uint64_t count) {
    if (count > from.size()) failShort();
    const Bytes taken = from.first(count);
    from = from.subspan(count);
    return taken;
}
template <class T>
T read(Bytes& from) {
    T value;
    std::memcpy(&value, take(from, sizeof value).data(), sizeof value);
    return value;
}

// The layout of files, see nanovdb/util/IO.h.
struct FileHead {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint16_t grids, codec;
};
struct FileMeta {
    std::uint64_t gridSize, fileSize, nameKey, voxelCount;
    std::uint32_t gridType, gridClass;
    double worldBounds[6];
    std::int32_t low[3], high[3];
    double voxelSize[3];
    std::uint32_t nameSize, nodes[4], tiles[3];
    std::uint16_t codec, padding;
    std::uint32_t version;
};
static_assert(sizeof(FileHead) == 16 && sizeof(FileMeta) == 176);
enum Codec : std::uint16_t { None, Zip, Blosc };

struct Entry {
    FileMeta meta;
    std::string name;
    Bytes body;  ///< as stored
};

// "NanoVDB0" begins files and grids of the package that wisp is built with. From version 32.7 on it is another number for each.
constexpr std::uint64_t kMagicOfGrids = NANOVDB_MAGIC_NUMBER + (std::uint64_t{1} << 56),
                        kMagicOfFiles = kMagicOfGrids + (std::uint64_t{1} << 56);

std::vector<Entry> entriesOf(Bytes bytes) {
    std::vector<Entry> entries;
    while (!bytes.empty()) {
        const auto head = read<FileHead>(bytes);
        if (head.magic == kMagicOfGrids) throw std::runtime_error("is a NanoVDB grid without the head of a file: write it as a file");
        if (head.magic != NANOVDB_MAGIC_NUMBER && head.magic != kMagicOfFiles) throw std::runtime_error("is not a NanoVDB file");
        if (const std::uint32_t major = head.version >> 21; major != NANOVDB_MAJOR_VERSION_NUMBER)
            throw std::runtime_error(fmt::format("is of NanoVDB version {}, must be {}", major, NANOVDB_MAJOR_VERSION_NUMBER));
        const std::size_t first = entries.size();
        for (int n = 0; n < head.grids; ++n) {
            Entry entry{.meta = read<FileMeta>(bytes), .name = {}, .body = {}};
            const Bytes name = take(bytes, entry.meta.nameSize);
            for (const std::byte c : name)
                if (c != std::byte{0}) entry.name += static_cast<char>(c);
            entries.push_back(entry);
        }
        for (std::size_t n = first; n < entries.size(); ++n) entries[n].body = take(bytes, entries[n].meta.fileSize);
    }
    if (entries.empty()) failShort();
    return entries;
}

/// Memory with the alignment of NanoVDB's structs.
struct alignas(NANOVDB_DATA_ALIGNMENT) Chunk {
    std::array<std::byte, NANOVDB_DATA_ALIGNMENT> bytes;
};

/// Fills `to` from a stream of zlib.
void inflate(Bytes packed, std::span<std::byte> to) {
    struct Stream : z_stream {
        Stream() : z_stream{} {
            if (inflateInit(this) != Z_OK) throw std::bad_alloc();
        }
        ~Stream() { inflateEnd(this); }
        Stream(const Stream&) = delete;
        Stream& operator=(const Stream&) = delete;
    } stream;
    constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
    while (!to.empty()) {
        const std::size_t in = std::min(packed.size(), kMost), out = std::min(to.size(), kMost);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = reinterpret_cast<Bytef*>(to.data());
        stream.avail_out = static_cast<uInt>(out);
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        if (status == Z_MEM_ERROR) throw std::bad_alloc();
        packed = packed.subspan(in - stream.avail_in);
        to = to.subspan(out - stream.avail_out);
        if (status != Z_OK && !(status == Z_STREAM_END && to.empty())) failShort();
    }
}

/// The first `bytes` of a grid, at most all.
std::vector<Chunk> gridOf(const Entry& entry, std::uint64_t bytes) {
    const std::uint64_t size = std::min(entry.meta.gridSize, bytes);
    constexpr std::uint64_t kRatio = 1032;  // that zlib can reach
    if (size < sizeof(nanovdb::GridData) || size > kMaxVolumeFile || size > kRatio * entry.body.size() + 1024) failShort();
    std::vector<Chunk> grid((size + sizeof(Chunk) - 1) / sizeof(Chunk));
    const auto to = std::as_writable_bytes(std::span(grid)).first(size);
    Bytes body = entry.body;
    if (entry.meta.codec == None) {
        std::memcpy(to.data(), take(body, size).data(), size);
        return grid;
    }
    if (entry.meta.codec != Zip)
        throw std::runtime_error(fmt::format("{}: is compressed by Blosc, must be by zlib or not at all", entry.name));
    inflate(take(body, read<std::uint64_t>(body)), to);
    return grid;
}

/// Nodes of a grid with values of a type.
template <class Value>
class Tree {
public:
    explicit Tree(const Entry& entry, std::uint64_t bytes = kMaxVolumeFile)
        : chunks_(gridOf(entry, bytes)), size_(std::min(entry.meta.gridSize, bytes)) {
        const auto& head = *at<nanovdb::GridData>(0, 1);
        if ((head.mMagic != NANOVDB_MAGIC_NUMBER && head.mMagic != kMagicOfGrids) || head.mGridType != nanovdb::mapToGridType<Value>())
            failShort();
    }
    [[nodiscard]] const nanovdb::GridData& head() const { return *at<nanovdb::GridData>(0, 1); }
    /// The nodes of a level: 0 are leaf nodes.
    template <class Node>
    [[nodiscard]] std::span<const typename Node::DataType> nodes(int level) const {
        const auto& tree = *at<nanovdb::TreeData<3>>(kTree, 1);
        const std::uint64_t count = tree.mNodeCount[level];
        if (count == 0) return {};
        return {at<typename Node::DataType>(kTree + tree.mNodeOffset[level], count), count};
    }
    /// Number of leaf nodes, at most as many as the file has room for.
    [[nodiscard]] std::uint64_t leafCount() const {
        return std::min<std::uint64_t>(at<nanovdb::TreeData<3>>(kTree, 1)->mNodeCount[0],
                                       size_ / sizeof(typename nanovdb::NanoLeaf<Value>::DataType));
    }
    /// Calls `visit` with each leaf node, at most `most`. Values of FpN follow their leaf node, with as many bits as it says.
    template <class Visit>
    void forLeaves(std::size_t most, Visit visit) const {
        using Leaf = typename nanovdb::NanoLeaf<Value>::DataType;
        const auto& tree = *at<nanovdb::TreeData<3>>(kTree, 1);
        if (tree.mNodeCount[0] > most) throw std::runtime_error("has more voxels than it says");
        std::uint64_t offset = kTree + tree.mNodeOffset[0];
        for (std::uint32_t n = 0; n < tree.mNodeCount[0]; ++n) {
            const Leaf& leaf = *at<Leaf>(offset, 1);
            if constexpr (Leaf::FIXED_SIZE) {
                offset += sizeof(Leaf);
            } else {
                (void)at<std::byte>(offset, leaf.memUsage());
                offset += leaf.memUsage();
            }
            visit(leaf);
        }
    }

private:
    static constexpr std::uint64_t kTree = sizeof(nanovdb::GridData);
    template <class T>
    const T* at(std::uint64_t offset, std::uint64_t count) const {
        if (offset > size_ || offset % alignof(T) != 0 || count > (size_ - offset) / sizeof(T)) failShort();
        return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(chunks_.data()) + offset);
    }
    std::vector<Chunk> chunks_;
    std::uint64_t size_;
};

glm::dmat4 matrixOf(const nanovdb::Map& map) {
    glm::dmat4 m(1.0);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) m[column][row] = map.mMatD[3 * row + column];
        m[3][row] = map.mVecD[row];
    }
    return m;
}

glm::ivec3 indexOf(const nanovdb::Coord& c) { return {c[0], c[1], c[2]}; }

/// Blocks of the active tiles of inner nodes, whose children have `edge` voxels.
template <class Node, class Lattice, class Fill>
void addTiles(std::span<const typename Node::DataType> nodes, int edge, std::size_t most, Lattice& lattice, Fill fill) {
    for (const auto& node : nodes)
        for (std::uint32_t n = 0; n < Node::SIZE; ++n) {
            if (!node.mValueMask.isOn(n) || node.mChildMask.isOn(n)) continue;
            const glm::ivec3 origin = indexOf(node.mBBox[0]) & ~(static_cast<int>(Node::DIM) - 1),
                             first = origin + edge * indexOf(Node::OffsetToLocalCoord(n));
            const std::uint64_t along = static_cast<std::uint64_t>(edge / 8), blocks = along * along * along;
            if (lattice.blocks.size() + blocks > most) throw std::runtime_error("has more voxels than it says");
            for (int x = 0; x < edge; x += 8)
                for (int y = 0; y < edge; y += 8)
                    for (int z = 0; z < edge; z += 8) {
                        auto& block = lattice.blocks.emplace_back();
                        block.corner = first + glm::ivec3(x, y, z);
                        for (std::size_t point = 0; point < 512; ++point) fill(block, point, node.mTable[n].value);
                    }
        }
}

/// Calls `work` with the type of the values of a grid of numbers or of vectors. Fp4, Fp8, Fp16 and FpN are floats stored with fewer bits.
template <class Work>
void withType(std::uint32_t type, Work work) {
    switch (static_cast<nanovdb::GridType>(type)) {
        case nanovdb::GridType::Float: return work(std::type_identity<float>());
        case nanovdb::GridType::Double: return work(std::type_identity<double>());
        case nanovdb::GridType::Fp4: return work(std::type_identity<nanovdb::Fp4>());
        case nanovdb::GridType::Fp8: return work(std::type_identity<nanovdb::Fp8>());
        case nanovdb::GridType::Fp16: return work(std::type_identity<nanovdb::Fp16>());
        case nanovdb::GridType::FpN: return work(std::type_identity<nanovdb::FpN>());
        case nanovdb::GridType::Vec3f: return work(std::type_identity<nanovdb::Vec3f>());
        case nanovdb::GridType::Vec3d: return work(std::type_identity<nanovdb::Vec3d>());
        default: return;
    }
}
template <class Value>
constexpr bool kIsVector = std::is_same_v<Value, nanovdb::Vec3f> || std::is_same_v<Value, nanovdb::Vec3d>;

/// Reads a grid in blocks. Calls `fill` with a block, the index of an active voxel in it, and its value.
template <class Value, class Lattice, class Fill>
Lattice latticeOf(const Entry& entry, std::size_t most, Fill fill) {
    using Lower = nanovdb::NanoLower<Value>;
    using Upper = nanovdb::NanoUpper<Value>;
    const Tree<Value> tree(entry);
    Lattice lattice;
    lattice.toWorld = matrixOf(tree.head().mMap);
    lattice.blocks.reserve(std::min<std::uint64_t>(tree.leafCount(), most));
    tree.forLeaves(most, [&](const auto& leaf) {
        if (leaf.mValueMask.isOff()) return;  // it has no bounds
        auto& block = lattice.blocks.emplace_back();
        block.corner = indexOf(leaf.mBBoxMin) & ~7;  // the bounds of active voxels begin in the block
        for (std::uint32_t n = 0; n < 512; ++n)
            if (leaf.mValueMask.isOn(n)) fill(block, n, leaf.getValue(n));
    });
    // A tile is a few bytes for up to 4096 blocks.
    most = std::min<std::uint64_t>(most, lattice.blocks.size() + entry.meta.voxelCount / 512);
    addTiles<Lower>(tree.template nodes<Lower>(1), 8, most, lattice, fill);
    addTiles<Upper>(tree.template nodes<Upper>(2), 128, most, lattice, fill);
    return lattice;
}

/// @param key number of the grid in the file
Entry entryOf(Bytes bytes, const std::string& key) {
    const std::vector<Entry> entries = entriesOf(bytes);
    const std::size_t number = std::stoul(key);
    if (number >= entries.size()) failShort();  // it has changed
    return entries[number];
}

/// The error that `work` throws, or "".
template <class Work>
std::string problemOf(Work work) {
    try {
        work();
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return {};
}

std::string read(const std::filesystem::path& file) { return readBytes(file, kMaxVolumeFile); }

}  // namespace

VolumeHead readNanoVdbHead(const std::filesystem::path& file) {
    const std::string bytes = read(file);
    VolumeHead head;
    for (const Entry& entry : entriesOf(std::as_bytes(std::span(bytes)))) {
        constexpr auto kEnd = static_cast<std::uint32_t>(nanovdb::GridType::End);
        const auto type = static_cast<nanovdb::GridType>(std::min(entry.meta.gridType, kEnd));
        VolumeGridHead grid{.name = entry.name, .key = std::to_string(head.grids.size()), .type = nanovdb::toStr(type)};
        grid.isLevelSet = entry.meta.gridClass == static_cast<std::uint32_t>(nanovdb::GridClass::LevelSet);
        grid.isStaggered = entry.meta.gridClass == static_cast<std::uint32_t>(nanovdb::GridClass::Staggered);
        grid.activeVoxels = entry.meta.voxelCount;
        for (int axis = 0; axis < 3; ++axis) {
            grid.low[axis] = entry.meta.low[axis];
            grid.high[axis] = entry.meta.high[axis];
        }
        withType(entry.meta.gridType, [&]<class Value>(std::type_identity<Value>) {
            grid.isVector = kIsVector<Value>;
            grid.isFloat = !grid.isVector;
            grid.problem = problemOf([&] { grid.toWorld = matrixOf(Tree<Value>(entry, sizeof(nanovdb::GridData)).head().mMap); });
        });
        head.grids.push_back(grid);
    }
    return head;
}

VolumeLattice readNanoVdbLattice(const std::filesystem::path& file, const std::string& key, float zero) {
    const std::string bytes = read(file);
    const Entry entry = entryOf(std::as_bytes(std::span(bytes)), key);
    VolumeLattice lattice;
    withType(entry.meta.gridType, [&]<class Value>(std::type_identity<Value>) {
        if constexpr (!kIsVector<Value>)
            lattice = latticeOf<Value, VolumeLattice>(entry, kMaxVolumeBlocks, [&](VolumeLattice::Block& block, std::size_t n, auto value) {
                block.values[n] = static_cast<float>(value) == 0.0f ? zero : static_cast<float>(value);
            });
    });
    return lattice;
}

VolumeVelocity readNanoVdbVelocity(const std::filesystem::path& file, const std::string& key) {
    const std::string bytes = read(file);
    const Entry entry = entryOf(std::as_bytes(std::span(bytes)), key);
    VolumeVelocity velocity;
    withType(entry.meta.gridType, [&]<class Value>(std::type_identity<Value>) {
        if constexpr (kIsVector<Value>)
            velocity = latticeOf<Value, VolumeVelocity>(entry, kMaxVelocityBlocks,
                                                        [](VolumeVelocity::Block& block, std::size_t n, const auto& value) {
                                                            block.values[n] = glm::vec3(value[0], value[1], value[2]);
                                                            block.known[n / 32] |= 1u << n % 32;
                                                        });
    });
    return velocity;
}

}  // namespace wisp
