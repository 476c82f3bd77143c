// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wisp::test {

/// A temporary folder for one test, which is removed afterwards.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// The relative paths of all files below the folder, hidden files included, sorted.
    [[nodiscard]] std::vector<std::string> files() const;

private:
    std::filesystem::path path_;
};

/// The folder of pipelines that tests keep between runs, as Mesa keeps compiled shaders: ~/.cache/wisp-tests. The files of wisp itself are
/// elsewhere.
std::filesystem::path cacheOfTests();

}  // namespace wisp::test
