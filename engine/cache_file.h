// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wisp::engine {

/// Bytes that are kept between runs in "pipelines-KEY.bin" of a folder, behind a header: magic, format, key, length, XXH3 of the bytes.
/// Nothing here throws: what cannot be read or written is as if there were no cache, and `problem` says why.
class CacheFile {
public:
    using Key = std::array<std::uint8_t, 16>;
    static constexpr std::size_t kHeaderBytes = 48;
    static constexpr std::size_t kMostBytes = std::size_t{128} << 20;  ///< of contents; more is neither read nor written
    static constexpr std::size_t kKept = 8;                            ///< files of a folder, the newest; others go at the next write

    CacheFile(const std::filesystem::path& folder, const Key& key);

    /// What was written; empty if there is nothing, or not exactly what was written: that file is removed.
    [[nodiscard]] std::vector<std::byte> read();
    /// In one go for whoever reads: a reader, or another writer, sees the old file or the new one whole.
    bool write(std::span<const std::byte> contents);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }  ///< of the last call; empty: none

private:
    [[nodiscard]] std::array<std::byte, kHeaderBytes> header(std::span<const std::byte> contents) const;
    bool fail(const std::string& what);
    void removeOld() const;

    std::filesystem::path path_;
    Key key_;
    std::string problem_;
};

}  // namespace wisp::engine
