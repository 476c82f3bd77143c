// SPDX-License-Identifier: MIT
#include "files/checkpoint/checkpoint_file.h"

#include "files/checkpoint/running_hash.h"

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <deque>
#include <future>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace wisp {
namespace {

static_assert(std::endian::native == std::endian::little,
              "needs a little-endian host, because checkpoint files are written in host byte order");

constexpr std::string_view kMagic = "wispckpt";
constexpr std::uint64_t kMaxHead = std::uint64_t{4} << 20;  // bytes
constexpr int kLevel = 1;                                   // fastest zstd level; higher levels do not compress noise better

struct Preamble {
    std::array<char, 8> magic{};
    std::uint64_t version = 0, headBytes = 0, headHash = 0;
};

struct BlockPreamble {
    std::uint64_t bytes = 0, hash = 0;
};

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::uint64_t hashOf(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }
std::uint64_t hashOf(const std::string& text) { return hashOf(std::as_bytes(std::span(text))); }

/// Size of every block of a field except the last [bytes].
std::uint64_t blockBytes(const StoredField& f) { return std::max<std::uint64_t>(1, kCheckpointBlock / f.rowBytes()) * f.rowBytes(); }

/// Calls `block` with offset and size of each block of a field.
template <class Block>
void eachBlock(const StoredField& f, Block&& block) {
    const std::uint64_t most = blockBytes(f);
    for (std::uint64_t offset = 0; offset < f.bytes(); offset += most)
        block(offset, static_cast<std::size_t>(std::min(most, f.bytes() - offset)));
}

std::vector<std::byte> pack(const std::vector<std::byte>& texels) {
    std::vector<std::byte> packed(ZSTD_compressBound(texels.size()));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), texels.data(), texels.size(), kLevel);
    if (ZSTD_isError(size)) throw std::runtime_error(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
    packed.resize(size);
    return packed;
}

/// Compresses several blocks in parallel, one thread per block, and writes them in order.
class PackedBlocks {
public:
    explicit PackedBlocks(PendingFile& file) : file_(file) {}
    void add(std::vector<std::byte> texels) {
        if (packing_.size() >= std::clamp(std::thread::hardware_concurrency(), 1u, 8u)) writeFirst();
        packing_.push_back(std::async(std::launch::async, pack, std::move(texels)));
    }
    void finish() {
        while (!packing_.empty()) writeFirst();
    }

private:
    void writeFirst() {
        const std::vector<std::byte> block = packing_.front().get();
        packing_.pop_front();
        file_.write(bytesOf(BlockPreamble{.bytes = block.size(), .hash = hashOf(block)}));
        file_.write(textOf(block));
    }

    PendingFile& file_;
    std::deque<std::future<std::vector<std::byte>>> packing_;
};

}  // namespace

void writeCheckpoint(const std::filesystem::path& path, const CheckpointHeader& head, const FetchBytes& fetch) {
    PendingFile file(path);
    const std::string text = writeHead(head);
    Preamble preamble{.version = kCheckpointVersion, .headBytes = text.size(), .headHash = hashOf(text)};
    std::ranges::copy(kMagic, preamble.magic.begin());
    file.write(bytesOf(preamble));
    file.write(text);
    PackedBlocks blocks(file);
    for (std::size_t n = 0; n < head.fields.size(); ++n) {
        RunningHash hash;
        eachBlock(head.fields[n], [&](std::uint64_t offset, std::size_t bytes) {
            std::vector<std::byte> texels(bytes);
            fetch(n, offset, texels);
            hash.add(texels);
            blocks.add(std::move(texels));
        });
        blocks.finish();
        file.write(bytesOf(hash.value()));
    }
    file.sync();
    file.commit();
}

void fetchField(std::span<const StoredField> fields, std::size_t field, const FetchBytes& fetch, const TakeBytes& take) {
    std::vector<std::byte> texels;
    eachBlock(fields[field], [&](std::uint64_t offset, std::size_t bytes) {
        texels.resize(bytes);
        fetch(field, offset, texels);
        take(field, offset, texels);
    });
}

std::uint64_t hashField(std::span<const StoredField> fields, std::size_t field, const FetchBytes& fetch) {
    RunningHash hash;
    fetchField(fields, field, fetch, [&](std::size_t, std::uint64_t, std::span<const std::byte> bytes) { hash.add(bytes); });
    return hash.value();
}

CheckpointFile::CheckpointFile(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code ignored;
    if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
        refuse("is not a regular file");  // opening a pipe would block
    file_.open(path_, std::ios::binary);
    if (!file_) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    readHead();
}

void CheckpointFile::refuse(const std::string& why) const { throw Failure(Exit::Usage, fmt::format("{}: {}", path_.string(), why)); }

void CheckpointFile::get(void* into, std::size_t bytes, const std::string& where) {
    if (!file_.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes))) refuse("is truncated: it ends in " + where);
}

void CheckpointFile::readHead() {
    Preamble preamble;
    file_.read(reinterpret_cast<char*>(&preamble), sizeof preamble);
    if (!std::ranges::equal(preamble.magic, kMagic)) refuse("is not a wisp checkpoint");
    if (!file_) refuse("is truncated: it ends in its first bytes");
    if (preamble.version != kCheckpointVersion)
        refuse(fmt::format("is of version {}; this wisp reads version {}", preamble.version, kCheckpointVersion));
    if (preamble.headBytes > kMaxHead) refuse("is damaged: the length of its header is wrong");
    std::string text(static_cast<std::size_t>(preamble.headBytes), '\0');
    get(text.data(), text.size(), "its header");
    if (hashOf(text) != preamble.headHash) refuse("is damaged: its header does not match the hash");
    try {
        head_ = wisp::readHead(text);
    } catch (const std::runtime_error& e) {
        refuse(fmt::format("is invalid: in its header {}", e.what()));
    }
}

void CheckpointFile::read(const TakeBytes& take) {
    for (std::size_t n = 0; n < head_.fields.size(); ++n) readField(n, take);
    if (file_.peek() != std::ifstream::traits_type::eof()) refuse("is damaged: there is data after the last field");
}

void CheckpointFile::readField(std::size_t field, const TakeBytes& take) {
    const StoredField& f = head_.fields[field];
    RunningHash hash;
    std::size_t number = 0;
    eachBlock(f, [&](std::uint64_t offset, std::size_t bytes) {
        const std::string name = fmt::format("block {} of {}", number++, f.name);
        BlockPreamble block;
        get(&block, sizeof block, name);
        if (block.bytes > ZSTD_compressBound(bytes)) refuse(fmt::format("is damaged: the length of {} is wrong", name));
        packed_.resize(static_cast<std::size_t>(block.bytes));
        texels_.resize(bytes);
        get(packed_.data(), packed_.size(), name);
        if (hashOf(packed_) != block.hash || ZSTD_decompress(texels_.data(), bytes, packed_.data(), packed_.size()) != bytes)
            refuse(fmt::format("is damaged: {} does not match its hash", name));
        hash.add(texels_);
        take(field, offset, texels_);
    });
    std::uint64_t written = 0;
    get(&written, sizeof written, "the hash of " + f.name);
    if (written != hash.value()) refuse(fmt::format("is damaged: {} does not match its hash", f.name));
}

}  // namespace wisp
