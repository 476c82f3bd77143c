// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/run_start.h"
#include "app/wedge/axes.h"
#include "app/wedge/options.h"
#include "files/base/json.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wisp::app {

/// One combination of the values.
struct WedgeMember {
    std::size_t index = 0;
    std::vector<std::string> values;  ///< one per axis
    RenderOptions options;            ///< with these values, and with complete paths
};

/// An option whose value is the path of an output, and its value.
using NamedPath = std::pair<std::string_view, std::filesystem::path RenderOptions::*>;
inline constexpr std::array<NamedPath, 6> kOutputs{{{"--out", &RenderOptions::out},
                                                    {"--volume", &RenderOptions::volume},
                                                    {"--stats", &RenderOptions::stats},
                                                    {"--checkpoint", &RenderOptions::checkpoint},
                                                    {"--scene-out", &RenderOptions::sceneOut},
                                                    {"--trace", &RenderOptions::trace}}};

/// The members of a wedge. They are made when asked for, because there may be many.
class Members {
public:
    /// @throws Failure Usage, Error: if the options are wrong, the scene of the first member is invalid, or two members would write the
    /// same file.
    explicit Members(const WedgeOptions& options);

    [[nodiscard]] std::size_t size() const { return memberCount(axes_); }
    [[nodiscard]] WedgeMember at(std::size_t index) const;
    /// The scene of a member, and the number of its frames if it draws files. @throws Failure that names the member and its values, with
    /// status Usage if the scene is invalid.
    [[nodiscard]] RunStart start(WedgeMember& member) const;

    [[nodiscard]] const std::vector<KeyValues>& axes() const { return axes_; }
    [[nodiscard]] const std::string& name() const { return name_; }                          ///< of the scene
    [[nodiscard]] std::array<std::uint32_t, 2> pictureSize() const { return pictureSize_; }  ///< of the first member [pixels]
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }            ///< of the result files
    [[nodiscard]] std::filesystem::path resultFile(std::size_t index) const;
    [[nodiscard]] std::filesystem::path thumbnailFile(std::size_t index) const;
    [[nodiscard]] std::filesystem::path sheetFile(std::size_t page) const;  ///< page 0 is sheet.png
    [[nodiscard]] std::filesystem::path tableFile() const;

    /// "member 3 (flow.vorticity=0.4, pressure.iterations=2)"
    [[nodiscard]] std::string nameOf(const WedgeMember& member) const;
    /// The values by their keys, as numbers where they are numbers.
    [[nodiscard]] Json valuesJson(const std::vector<std::string>& values) const;

private:
    [[nodiscard]] std::string filled(std::string_view option, const std::string& text, const WedgeMember& member) const;
    void requireDistinctFiles() const;

    const RenderOptions& render_;
    std::vector<KeyValues> axes_;
    std::vector<std::pair<std::string, std::string>> probes_;  ///< key and name of each probe's file
    std::string name_;
    std::array<std::uint32_t, 2> pictureSize_{};
    std::filesystem::path folder_;
};

}  // namespace wisp::app
