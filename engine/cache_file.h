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

/// Data kept between runs in the file "pipelines-KEY.bin" of a folder. A header precedes the data: magic, format, key, length, XXH3 hash of
/// the data. Nothing here throws: a file that cannot be read or written has the same effect as no cache, and `problem` gives the reason.
class CacheFile {
public:
    using Key = std::array<std::uint8_t, 16>;
    static constexpr std::size_t kHeaderBytes = 48;
    static constexpr std::size_t kMostBytes = std::size_t{128} << 20;  ///< maximum size of the data; more is neither read nor written
    static constexpr std::size_t kKept = 8;                            ///< newest files kept in the folder; `write` removes others

    CacheFile(const std::filesystem::path& folder, const Key& key);

    /// The data of the last write. Empty if there is no file or the file is damaged; a damaged file is removed.
    [[nodiscard]] std::vector<std::byte> read();
    /// Atomic: readers and other writers see either the complete old file or the complete new file.
    bool write(std::span<const std::byte> contents);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }  ///< error of the last call; empty: none

private:
    [[nodiscard]] std::array<std::byte, kHeaderBytes> header(std::span<const std::byte> contents) const;
    bool fail(const std::string& what);
    void removeOld() const;

    std::filesystem::path path_;
    Key key_;
    std::string problem_;
};

}  // namespace wisp::engine
