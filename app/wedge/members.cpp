// SPDX-License-Identifier: MIT
#include "app/wedge/members.h"

#include "app/base/exit_status.h"
#include "app/base/scene_values.h"
#include "app/run/cached_film.h"
#include "app/run/from_volumes.h"
#include "files/base/failure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

/// As render() does, without its notes.
RunStart startOf(RenderOptions& options) {
    if (!options.cache.empty()) return {sceneFromCache(options), std::nullopt};
    return options.from.empty() ? runStartOf(options.common) : RunStart{sceneFromVolumes(options, Log(LogLevel::Quiet)), std::nullopt};
}

/// A value as part of a file name: without characters that mean something in a path or a pattern.
std::string nameOfValue(const std::string& value) {
    std::string name;
    for (const char c : value) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
        if (plain) name += c;
        else if (!name.empty() && name.back() != '_') name += '_';
    }
    while (name.ends_with('_')) name.pop_back();
    return name;
}

Json jsonOf(const std::string& value) {
    try {
        const toml::table table = toml::parse("value = " + value);
        const toml::node& node = *table.get("value");
        if (const auto whole = node.as_integer()) return whole->get();
        if (const auto number = node.as_floating_point()) return number->get();
        if (const auto truth = node.as_boolean()) return truth->get();
        if (const auto text = node.as_string()) return text->get();
    } catch (const toml::parse_error&) {}  // a word without quotes
    return value;                          // also a list
}

fs::path normalised(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

bool isFileOfProbe(const std::string& key) { return key.starts_with("probe[") && key.ends_with("].file"); }

/// A device or a pipe, which any number of members may write to.
bool isShared(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

Members::Members(const WedgeOptions& options) : render_(options.render), axes_(wedgeAxes(options.setEach)), folder_(options.results) {
    WedgeMember first = at(0);  // probes_ and folder_ are not known yet, and not needed
    const Scene scene = start(first).scene;
    name_ = valueOf<std::string>(scene, "name");
    pictureSize_ = valueOf<std::array<std::uint32_t, 2>>(scene, "render.size");
    if (folder_.empty()) folder_ = name_ + "_wedge";
    for (std::size_t n = 0; n < scene.count("probe"); ++n) {
        const std::string key = fmt::format("probe[{}].file", n);
        if (std::ranges::find(axes_, key, &KeyValues::key) == axes_.end()) probes_.emplace_back(key, valueOf<std::string>(scene, key));
    }
    requireDistinctFiles();
}

WedgeMember Members::at(std::size_t index) const {
    WedgeMember member{index, valuesOfMember(axes_, index), render_};
    RenderOptions& options = member.options;
    std::vector<LoadOptions::Setting>& set = options.common.load.set;
    for (std::size_t n = 0; n < axes_.size(); ++n)
        set.push_back({axes_[n].key, member.values[n], fmt::format("--set-each {}={}", axes_[n].key, member.values[n])});
    if (options.picture && options.out.empty()) options.out = folder_ / "{index}.mp4";
    for (const auto& [option, path] : kOutputs) options.*path = filled(option, (options.*path).string(), member);
    for (const auto& [key, file] : probes_)
        if (const std::string own = filled(key, file, member); own != file) set.push_back({key, Json(own).dump(), key});
    return member;
}

RunStart Members::start(WedgeMember& member) const {
    try {
        return startOf(member.options);
    } catch (const Error& e) {
        // Problems of a scene are lines of the form file:line:column: message, which editors parse.
        throw Failure(exitStatusOf(e.code()), fmt::format("{}:{}{}", nameOf(member), e.code() == ErrorCode::Scene ? "\n" : " ", e.what()));
    } catch (const Failure& e) {
        throw Failure(e.status(), fmt::format("{}: {}", nameOf(member), e.what()));
    }
}

fs::path Members::resultFile(std::size_t index) const { return folder_ / fmt::format("{:04}.json", index); }
fs::path Members::thumbnailFile(std::size_t index) const { return folder_ / fmt::format("{:04}.thumbnail.png", index); }
fs::path Members::sheetFile(std::size_t page) const { return folder_ / (page == 0 ? "sheet.png" : fmt::format("sheet_{}.png", page + 1)); }
fs::path Members::tableFile() const { return folder_ / "wedge.csv"; }

std::string Members::nameOf(const WedgeMember& member) const {
    std::vector<std::string> values;
    for (std::size_t n = 0; n < axes_.size(); ++n) values.push_back(fmt::format("{}={}", axes_[n].key, member.values[n]));
    return fmt::format("member {} ({})", member.index, fmt::join(values, ", "));
}

Json Members::valuesJson(const std::vector<std::string>& values) const {
    Json json = Json::object();
    for (std::size_t n = 0; n < axes_.size(); ++n) json[axes_[n].key] = jsonOf(values[n]);
    return json;
}

/// Replaces {index} and {KEY}.
std::string Members::filled(std::string_view option, const std::string& text, const WedgeMember& member) const {
    std::string path;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '{') {
            path += text[at++];
            continue;
        }
        const std::size_t end = text.find('}', at);
        const std::string name = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
        const auto axis = std::ranges::find(axes_, name, &KeyValues::key);
        if (end == std::string::npos || (name != "index" && axis == axes_.end())) {
            std::string allowed = "{index}";
            for (const KeyValues& a : axes_) allowed += fmt::format(", {{{}}}", a.key);
            throw Failure(Exit::Usage, fmt::format("{} {}: {{{}}} is not known; allowed: {}", option, text, name, allowed));
        }
        path += axis == axes_.end() ? fmt::format("{:04}", member.index)
                                    : nameOfValue(member.values[static_cast<std::size_t>(axis - axes_.begin())]);
        at = end + 1;
    }
    return path;
}

void Members::requireDistinctFiles() const {
    struct Owner {
        std::size_t index;
        std::string option;
    };
    std::map<fs::path, Owner> owners;
    const auto claim = [&](const WedgeMember& member, std::string_view option, const fs::path& path) {
        if (path.empty() || isShared(path)) return;
        const auto [other, isNew] = owners.try_emplace(normalised(path), Owner{member.index, std::string(option)});
        if (isNew || (other->second.index == member.index && other->second.option == option)) return;
        throw Failure(Exit::Usage,
                      fmt::format("{} {}: member {} would write the same file as member {} ({}); add {{index}} or {{{}}} to its name",
                                  option, path.string(), member.index, other->second.index, other->second.option, axes_.back().key));
    };
    for (std::size_t n = 0; n < size(); ++n) {
        const WedgeMember member = at(n);
        for (const auto& [option, path] : kOutputs) claim(member, option, member.options.*path);
        for (const auto& [key, file] : probes_) claim(member, key, filled(key, file, member));
        for (std::size_t a = 0; a < axes_.size(); ++a)
            if (const Json value = jsonOf(member.values[a]); isFileOfProbe(axes_[a].key) && value.is_string())
                claim(member, axes_[a].key, value.get<std::string>());
        claim(member, "--results", resultFile(n));
        claim(member, "--results", thumbnailFile(n));
    }
    for (const fs::path& file : {sheetFile(0), tableFile()})
        if (const auto owner = owners.find(normalised(file)); owner != owners.end())
            throw Failure(Exit::Usage,
                          fmt::format("{} {}: is also a file of --results; choose another name", owner->second.option, file.string()));
}

}  // namespace wisp::app
