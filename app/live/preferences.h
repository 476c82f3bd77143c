// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/live/dock.h"
#include "app/live/window.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace wisp::app {

/// Settings that the window keeps between runs.
struct Preferences {
    Placement window;
    bool vsync = true;
    std::optional<float> pictureScale;                   ///< none: the default of the device
    bool panels = true, help = false, profiler = false;  ///< open panels
    bool outlines = true;                                ///< shown over the image
    float panelScale = 1.0f;                             ///< UI scale, relative to the default of the monitor
    PanelSide panelSide = PanelSide::Right;              ///< position of the main panel
    std::string layout;                                  ///< positions of the panels, in the format of Dear ImGui
    bool operator==(const Preferences&) const = default;
};

/// @throws Failure Usage with "FILE:LINE:COLUMN: KEY: error". Unknown keys are ignored, because newer versions may have more keys.
Preferences parsePreferences(std::string_view text, const std::string& file);
/// The preferences as TOML, which parsePreferences reads back unchanged.
std::string preferencesText(const Preferences& preferences);

/// "window.toml" in the folder of the user settings. A corrupt file never blocks start-up.
class PreferencesFile {
public:
    static constexpr std::chrono::seconds kInterval{3};  ///< between two calls of `save`

    /// If `folder` is empty, nothing is saved.
    PreferencesFile(const std::filesystem::path& folder, const Log& log);

    /// Returns the defaults if there is no file. Renames a corrupt file to window.toml.bad (or .bad.2, ...), with a warning.
    Preferences load();
    /// Whether it is time to `save` again.
    [[nodiscard]] bool due() const { return std::chrono::steady_clock::now() - looked_ >= kInterval; }
    /// Writes the preferences if they differ from those in the file.
    void save(const Preferences& preferences);

private:
    void setAside(const std::string& why);
    std::filesystem::path path_;
    const Log& log_;
    Preferences written_;
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
    bool writable_ = true;
};

}  // namespace wisp::app
