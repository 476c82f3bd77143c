// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/failure.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace wisp {

/// Name pattern of numbered files, such as folder/prefix0007suffix.
struct FramePattern {
    std::filesystem::path folder;
    std::string prefix;
    std::size_t digits = 4;  ///< minimum number of digits; 0 means a single file without a number
    std::string suffix;
    [[nodiscard]] std::filesystem::path name(std::size_t index) const;
    /// @throws Failure `status` if a file with one of these numbers exists. The message names the first one.
    void requireNew(std::span<const std::size_t> numbers, Exit status) const;
    /// Removes temporary files of these files (see PendingFile) that are older than an hour: their writers were killed.
    void removeAbandoned() const;
    void prepare() const;  ///< creates the folder and checks that files can be created in it. @throws Failure Output
};

/// @throws Failure `status` if the file exists and is a regular file. Devices and pipes are accepted.
void requireNewFile(const std::filesystem::path& file, Exit status);

/// Parts of the error message for the option that takes the pattern.
struct PatternOption {
    std::string_view name;     ///< such as "--out"
    std::string_view things;   ///< such as "images"
    std::string_view allowed;  ///< the allowed values, such as "a folder, or ..."
    [[noreturn]] void refuse(const std::filesystem::path& path, std::string_view why) const;  ///< @throws Failure Usage always
};

/// Parses a path whose file name contains exactly one %0Nd. The %0Nd may be missing for a single frame. @throws Failure Usage.
FramePattern parsePattern(const PatternOption& option, const std::filesystem::path& path, std::size_t frames);

/// Whether there is no such file, and the name has the places for digits of other programs: x.####.vdb, x.$F4.vdb, x.*.vdb.
bool isPatternOfOthers(const std::filesystem::path& path);

/// The same for files that are read.
FramePattern parseInputPattern(const std::filesystem::path& path);

/// Numbers of files, without a gap.
struct FileNumbers {
    std::size_t first = 0, count = 1;
};
/// Those of the files that exist with a name of the pattern. @throws std::runtime_error if one is missing, or if there are none.
FileNumbers numbersOfFiles(const FramePattern& pattern);

}  // namespace wisp
