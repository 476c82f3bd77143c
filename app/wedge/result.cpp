// SPDX-License-Identifier: MIT
#include "app/wedge/result.h"

#include "app/output/report.h"
#include "files/base/pending_file.h"
#include "files/base/text_file.h"
#include "files/base/version.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kResultBytes = 16u << 20;  // limit of a result file, which has the text of a scene

}  // namespace

Json settingsOf(const Members& members, const WedgeMember& member, const Scene& scene) {
    const RenderOptions& options = member.options;
    Json json = {{"values", members.valuesJson(member.values)}, {"quality_level", options.common.load.quality}};
    if (options.framesGiven || (options.from.empty() && options.cache.empty())) json["frames"] = options.frames.text();
    if (options.cache.empty()) {
        json["fps"] = options.fps;
        json["steps_per_frame"] = stepsPerFrame(options, scene);
    }
    for (const auto& [option, path] : kOutputs)
        if (const fs::path& file = options.*path; !file.empty()) json["files"][std::string(option.substr(2))] = file.string();
    for (const auto& [name, path] : {std::pair("resume", &options.common.resume), {"from", &options.from}, {"cache", &options.cache}})
        if (!path->empty()) json[name] = path->string();
    json["scene"] = scene.toml(members.folder().string());
    return json;
}

void writeResult(const Members& members, const WedgeMember& member, const MemberResult& result) {
    Json json = {{"wisp", WISP_VERSION},
                 {"wedge", members.name()},
                 {"index", member.index},
                 {"status", static_cast<int>(result.status)},
                 {"error", result.error},
                 {"device", result.device},
                 {"steps", result.steps},
                 {"seconds", result.seconds},
                 {"ms_per_step", result.msPerStep},
                 {"quality", result.quality},
                 {"thumbnail", result.hasThumbnail}};
    json["settings"] = result.settings;
    makeFolder(members.folder());
    writeFileAtomically(members.resultFile(member.index), prettyJson(json));
}

std::optional<MemberResult> readResult(const Members& members, const WedgeMember& member) {
    const fs::path file = members.resultFile(member.index);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::nullopt;
    MemberResult result;
    try {
        const Json json = parseJson(readBytes(file, kResultBytes));
        result.status = static_cast<Exit>(json.at("status").get<int>());
        json.at("error").get_to(result.error);
        json.at("device").get_to(result.device);
        json.at("steps").get_to(result.steps);
        json.at("seconds").get_to(result.seconds);
        json.at("ms_per_step").get_to(result.msPerStep);
        json.at("thumbnail").get_to(result.hasThumbnail);
        result.quality = json.at("quality");
        result.settings = json.at("settings");
        if (!result.quality.is_object() || !result.settings.at("values").is_object()) throw std::runtime_error("an object is missing");
    } catch (const std::exception& e) {
        throw Failure(Exit::Usage, fmt::format("{}: is not a result of wisp wedge: {}. Delete it, or choose another folder with --results",
                                               file.string(), e.what()));
    }
    if (const std::string difference = differenceOf(result.settings.at("values"), members.valuesJson(member.values)); !difference.empty())
        throw Failure(Exit::Usage,
                      fmt::format("{}: is of another wedge: {}. Choose another folder with --results", file.string(), difference));
    return result;
}

std::string differenceOf(const Json& a, const Json& b) {
    for (const auto& [key, value] : b.items()) {
        if (!a.contains(key)) return fmt::format("it has no {}", key);
        if (a[key] == value) continue;
        return key == "scene" ? "its scene differs" : fmt::format("{} is {} there and {} here", key, a[key].dump(), value.dump());
    }
    for (const auto& [key, value] : a.items())
        if (!b.contains(key)) return fmt::format("it also has {}", key);
    return {};
}

}  // namespace wisp::app
