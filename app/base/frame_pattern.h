// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/failure.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace wisp::app {

/// Names of numbered files: folder/prefix0007suffix.
struct FramePattern {
    std::filesystem::path folder;
    std::string prefix;
    std::size_t digits = 4;  ///< at least; 0: one file, without a number
    std::string suffix;
    [[nodiscard]] std::filesystem::path name(std::size_t index) const;
    /// None of the files of frames `first` to `end` - 1 is there. @throws Failure `status` naming the first that is.
    void requireNew(std::size_t first, std::size_t end, Exit status) const;
    void prepare() const;  ///< makes the folder, and proves that files can be made there. @throws Failure Output
};

/// @throws Failure `status` if the file exists. Devices and pipes can be written to again.
void requireNewFile(const std::filesystem::path& file, Exit status);

/// What a refusal says of the option that a pattern is for.
struct PatternOption {
    std::string_view name;                                                                    ///< --out
    std::string_view things;                                                                  ///< images
    std::string_view allowed;                                                                 ///< a folder, or ...
    [[noreturn]] void refuse(const std::filesystem::path& path, std::string_view why) const;  ///< @throws Failure Usage always
};

/// Reads a path whose name has exactly one %0Nd, or none where there is one frame. @throws Failure Usage.
FramePattern parsePattern(const PatternOption& option, const std::filesystem::path& path, std::size_t frames);

}  // namespace wisp::app
