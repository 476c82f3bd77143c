// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/pending_file.h"
#include "files/checkpoint/checkpoint_head.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Reads and writes checkpoint files without a GPU. File format, little-endian, lengths and hashes (XXH3) in 64 bits:
///   "wispckpt", version, length and hash of the header, then the header in JSON;
///   for each field its blocks of complete texel rows: length and hash of the zstd frame, then the zstd frame;
///   after the last block of a field the hash of all its texels.
namespace wisp {

inline constexpr std::uint64_t kCheckpointVersion = 1;
inline constexpr std::size_t kCheckpointBlock = std::size_t{4} << 20;  ///< maximum size of the texels in a block [bytes]

/// Fills `into` with the bytes of a field from `offset` on.
using FetchBytes = std::function<void(std::size_t field, std::uint64_t offset, std::span<std::byte> into)>;
/// Receives the bytes of a field from `offset` on. Called for all blocks in order.
using TakeBytes = std::function<void(std::size_t field, std::uint64_t offset, std::span<const std::byte> bytes)>;

/// An existing file is replaced only when the new one is complete. @throws Failure Output
void writeCheckpoint(const std::filesystem::path& path, const CheckpointHeader& head, const FetchBytes& fetch);

/// Fetches a field and passes its blocks on.
void fetchField(std::span<const StoredField> fields, std::size_t field, const FetchBytes& fetch, const TakeBytes& take);
/// The hash of a field, as stored in a checkpoint.
std::uint64_t hashField(std::span<const StoredField> fields, std::size_t field, const FetchBytes& fetch);

/// Reads an untrusted checkpoint. Every error is a Failure Usage with the reason.
class CheckpointFile {
public:
    /// Reads the header.
    explicit CheckpointFile(std::filesystem::path path);
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const CheckpointHeader& head() const { return head_; }
    /// Passes all blocks to `take`, up to the first one whose hash does not match. May be called only once.
    void read(const TakeBytes& take);

private:
    void readHead();
    void readField(std::size_t field, const TakeBytes& take);
    void get(void* into, std::size_t bytes, const std::string& where);
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    std::ifstream file_;
    CheckpointHeader head_;
    std::vector<std::byte> packed_, texels_;  ///< of the current block
};

}  // namespace wisp
