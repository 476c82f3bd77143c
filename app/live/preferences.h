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

/// What the window remembers from one run to the next.
struct Preferences {
    Placement window;
    bool vsync = true;
    std::optional<float> pictureScale;                   ///< none: what suits the device
    bool panels = true, help = false, profiler = false;  ///< which are open
    bool outlines = true;                                ///< over the picture
    float panelScale = 1.0f;                             ///< of text and panels, over what suits the monitor
    PanelSide panelSide = PanelSide::Right;              ///< where the main panel is
    std::string layout;                                  ///< where the panels are, as Dear ImGui writes it
    bool operator==(const Preferences&) const = default;
};

/// @throws Failure Usage with "FILE:LINE:COLUMN: KEY: what is wrong". Keys that it does not know are left alone: newer versions have more.
Preferences parsePreferences(std::string_view text, const std::string& file);
/// As TOML, which parses to the same.
std::string preferencesText(const Preferences& preferences);

/// "window.toml" of the settings' folder. Nothing that is wrong with it keeps the window from opening.
class PreferencesFile {
public:
    static constexpr std::chrono::seconds kInterval{3};  ///< between two looks at what may have changed

    /// An empty folder: nothing is remembered.
    PreferencesFile(const std::filesystem::path& folder, const Log& log);

    /// Defaults where there is no file. One that is wrong is renamed to window.toml.bad, or .bad.2 and so on, with a warning.
    Preferences load();
    /// Whether it is time to `save` again.
    [[nodiscard]] bool due() const { return std::chrono::steady_clock::now() - looked_ >= kInterval; }
    /// Writes them if they differ from what the file says.
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
