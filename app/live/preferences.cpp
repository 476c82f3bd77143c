// SPDX-License-Identifier: MIT
#include "app/live/preferences.h"

#include "files/base/pending_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>

namespace wisp::app {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostBytes = 1 << 20;
constexpr std::array<std::string_view, 3> kSides{"right", "left", "floating"};  // PanelSide, in its order

[[noreturn]] void fail(const std::string& file, const toml::source_position& at, std::string_view what) {
    throw Failure(Exit::Usage, fmt::format("{}:{}:{}: {}", file, at.line, at.column, what));
}

/// Reads keys of a file by their path. A missing key leaves its output unchanged.
class Reader {
public:
    Reader(const toml::table& root, const std::string& file) : root_(root), file_(file) {
        for (const char* name : {"window", "picture", "panels"})
            if (const toml::node* node = root.get(name); node && !node->is_table())
                fail(file_, node->source().begin, fmt::format("{}: must be a table", name));
    }

    void read(const char* path, bool& out) const {
        if (const auto node = find(path)) out = require(node->value_exact<bool>(), path, *node, "true or false");
    }
    void read(const char* path, std::string& out) const {
        if (const auto node = find(path)) out = require(node->value_exact<std::string>(), path, *node, "a string");
    }
    void read(const char* path, std::optional<float>& out, double low, double high) const {
        const toml::node* const node = find(path);
        if (!node) return;
        const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
        const bool good = value && *value >= low && *value <= high;
        out = static_cast<float>(require(good ? value : std::nullopt, path, *node, fmt::format("a number from {} to {}", low, high)));
    }
    void read(const char* path, PanelSide& out) const {
        const toml::node* const node = find(path);
        if (!node) return;
        const auto side = std::ranges::find(kSides, node->value_exact<std::string_view>().value_or(""));
        const auto index = side == kSides.end() ? std::nullopt : std::optional(side - kSides.begin());
        out = static_cast<PanelSide>(require(index, path, *node, "right, left or floating"));
    }
    void read(const char* path, glm::ivec2& out, glm::ivec2 low, int high) const {
        const toml::node* const node = find(path);
        if (!node) return;
        const toml::array* const list = node->as_array();
        for (int i = 0; i < 2; ++i) {
            const auto value = list && list->size() == 2 ? (*list)[static_cast<std::size_t>(i)].value_exact<std::int64_t>() : std::nullopt;
            const bool good = value && *value >= low[i] && *value <= high;
            out[i] = static_cast<int>(require(good ? value : std::nullopt, path, *node,
                                              fmt::format("two whole numbers, from {} and {} to {}", low.x, low.y, high)));
        }
    }

private:
    [[nodiscard]] const toml::node* find(const char* path) const { return root_.at_path(path).node(); }
    template <class T>
    T require(const std::optional<T>& value, const char* path, const toml::node& node, std::string_view expected) const {
        if (!value) fail(file_, node.source().begin, fmt::format("{}: must be {}", path, expected));
        return *value;
    }
    const toml::table& root_;
    const std::string& file_;
};

std::string readText(const fs::path& path) {
    std::error_code error;
    // Opening a pipe would block.
    if (!fs::is_regular_file(path, error)) throw Failure(Exit::Usage, fmt::format("{}: is not a regular file", path.string()));
    if (fs::file_size(path, error) > kMostBytes || error)
        throw Failure(Exit::Usage, fmt::format("{}: is larger than 1 MiB", path.string()));
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw Failure(Exit::Usage, fmt::format("{}: cannot be read", path.string()));
    return text;
}

}  // namespace

Preferences parsePreferences(std::string_view text, const std::string& file) try {
    const toml::table root = toml::parse(text, file);
    const Reader reader(root, file);
    Preferences p;
    reader.read("window.size", p.window.size, {160, 120}, 16384);
    reader.read("window.monitor", p.window.monitor);
    reader.read("window.position", p.window.position, {-16384, -16384}, 16384);
    if (p.window.monitor.empty()) p.window.position = {};  // a position is relative to its monitor
    reader.read("window.maximised", p.window.maximised);
    reader.read("window.full_screen", p.window.fullScreen);
    reader.read("picture.vsync", p.vsync);
    reader.read("picture.scale", p.pictureScale, 0.25, 1.0);
    reader.read("panels.main", p.panels);
    reader.read("panels.help", p.help);
    reader.read("panels.profiler", p.profiler);
    reader.read("picture.outlines", p.outlines);
    std::optional<float> scale = p.panelScale;
    reader.read("panels.scale", scale, 0.5, 4.0);
    p.panelScale = *scale;
    reader.read("panels.side", p.panelSide);
    reader.read("panels.layout", p.layout);
    return p;
} catch (const toml::parse_error& e) {
    fail(file, e.source().begin, e.description());
}

std::string preferencesText(const Preferences& p) {
    const auto pair = [](glm::ivec2 v) { return toml::array{v.x, v.y}; };
    toml::table window{{"size", pair(p.window.size)}, {"maximised", p.window.maximised}, {"full_screen", p.window.fullScreen}};
    if (!p.window.monitor.empty()) {
        window.insert("monitor", p.window.monitor);
        window.insert("position", pair(p.window.position));
    }
    toml::table picture{{"vsync", p.vsync}, {"outlines", p.outlines}};
    if (p.pictureScale) picture.insert("scale", static_cast<double>(*p.pictureScale));
    const toml::table panels{{"main", p.panels},
                             {"help", p.help},
                             {"profiler", p.profiler},
                             {"scale", static_cast<double>(p.panelScale)},
                             {"side", std::string(kSides[static_cast<std::size_t>(p.panelSide)])},
                             {"layout", p.layout}};
    std::ostringstream text;
    // Without flags, strings have one line: in those of several lines toml++ 3.3 loses a line break at the beginning.
    text << toml::toml_formatter(toml::table{{"window", window}, {"picture", picture}, {"panels", panels}}, toml::format_flags::none)
         << '\n';
    return text.str();
}

PreferencesFile::PreferencesFile(const fs::path& folder, const Log& log) : log_(log), writable_(!folder.empty()) {
    std::error_code error;
    path_ = folder / "window.toml";
    // window.toml may be a link, which must stay one.
    if (const fs::path real = fs::canonical(path_, error); !error) path_ = real;
}

Preferences PreferencesFile::load() {
    std::error_code error;
    if (!writable_ || !fs::exists(fs::symlink_status(path_, error))) return written_;
    try {
        written_ = parsePreferences(readText(path_), path_.string());
    } catch (const Failure& e) {
        setAside(e.what());
    }
    return written_;
}

void PreferencesFile::setAside(const std::string& why) {
    std::error_code error;
    fs::path aside = path_.string() + ".bad";
    for (int n = 2; fs::exists(fs::symlink_status(aside, error)); ++n) aside = fmt::format("{}.bad.{}", path_.string(), n);
    fs::rename(path_, aside, error);
    writable_ = !error;  // a corrupt file that cannot be renamed must not be overwritten
    log_.note(fmt::format("warning: {}; {}", why,
                          error ? "the file cannot be renamed: the default window settings are used, and changes are not saved"
                                : "the file was renamed to " + aside.filename().string() + ", and the default window settings are used"));
}

void PreferencesFile::save(const Preferences& preferences) {
    looked_ = std::chrono::steady_clock::now();
    if (!writable_ || preferences == written_) return;
    try {
        std::error_code error;
        fs::create_directories(path_.parent_path(), error);
        writeFileAtomically(path_, preferencesText(preferences));
        written_ = preferences;
    } catch (const Failure& e) {
        writable_ = false;  // warn only once
        log_.note(fmt::format("warning: {}; the window settings are not saved", e.what()));
    }
}

}  // namespace wisp::app
