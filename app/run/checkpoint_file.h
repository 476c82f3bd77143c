// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/pending_file.h"
#include "app/run/checkpoint_head.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Checkpoints as files, without a GPU. In order, little-endian, lengths and hashes (XXH3) in 64 bits:
///   "wispckpt", version, length and hash of the head; the head, which is JSON;
///   for each field its blocks, each of whole rows of texels: length and hash of what follows, a zstd frame;
///   and after a field's last block the hash of all of its texels.
namespace wisp::app {

inline constexpr std::uint64_t kCheckpointVersion = 1;
inline constexpr std::size_t kCheckpointBlock = std::size_t{4} << 20;  ///< bytes of texels at most

/// Fills a span with the bytes of a field from `offset` on.
using FetchBytes = std::function<void(std::size_t field, std::uint64_t offset, std::span<std::byte> into)>;
/// Gets the bytes of a field from `offset` on; of each field in order, in blocks.
using TakeBytes = std::function<void(std::size_t field, std::uint64_t offset, std::span<const std::byte> bytes)>;

/// Replaces what is there once the new one is whole. @throws Failure Output
void writeCheckpoint(const std::filesystem::path& path, const CheckpointHead& head, const FetchBytes& fetch);

/// The hash of each field, as a checkpoint has them.
std::vector<std::uint64_t> hashFields(std::span<const StoredField> fields, const FetchBytes& fetch);

/// Reads a checkpoint, which may be damaged on purpose: all that is wrong is a Failure Usage that says what.
class CheckpointFile {
public:
    /// Reads the head.
    explicit CheckpointFile(std::filesystem::path path);
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const CheckpointHead& head() const { return head_; }
    /// Once: hands over every block that is what was written, up to one that is not.
    void read(const TakeBytes& take);

private:
    void readHead();
    void readField(std::size_t field, const TakeBytes& take);
    void get(void* into, std::size_t bytes, const std::string& where);
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    std::ifstream file_;
    CheckpointHead head_;
    std::vector<std::byte> packed_, texels_;  ///< of the block that is read
};

}  // namespace wisp::app
