// SPDX-License-Identifier: MIT
#include "app/cli/arguments.h"

#include "files/base/failure.h"
#include "files/base/fraction.h"
#include "files/base/user_folders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

namespace wisp::app {
namespace {

constexpr const char* kAutoQuality = "auto";

/// Names of the quality levels. "auto" comes first if the command has a device to measure.
std::vector<std::string> qualityNames(bool measures) {
    std::vector<std::string> names = Scene::qualities();
    if (measures) names.insert(names.begin(), kAutoQuality);
    return names;
}

std::string qualityHelp(const std::string& command, bool measures) {
    std::string help = "scales the grid: draft 0.25, preview 0.5, standard 1, high 1.5, ultra 2";
    if (measures) help += ", auto: the finest level that runs at 60 frames per second on the device";
    if (command != "render") return help + (command == "run" ? "; default: auto" : "; default: standard");
    return help +
           ", or for pictures on a CPU device the finest one up to standard whose film takes at most 5 minutes; default: standard; on a "
           "CPU "
           "device auto, except in path mode and with --checkpoint, --resume, --cache, --from, --volume, --stats, --trace, --hash, "
           "--dry-run, "
           "--no-picture or probes";
}

/// "density, temperature or speed": the fields of view.field, all but smoke.
std::string viewFieldNames() {
    std::vector<std::string> names;
    for (const SceneKey& key : Scene().keys())
        if (key.path == "view.field") names.assign(key.choices.begin() + 1, key.choices.end());
    const std::string last = names.empty() ? "" : names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

/// "1280x720" as the scene key render.size.
LoadOptions::Setting sizeSetting(const std::string& text) {
    struct {
        std::uint32_t x = 0, y = 0;
    } size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.x);
    if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, end, size.y);
        if (height.ec == std::errc{} && height.ptr == end)
            return {"render.size", fmt::format("[{}, {}]", size.x, size.y), "--size " + text};
    }
    throw Failure(Exit::Usage, fmt::format("--size {}: must be WIDTHxHEIGHT, such as 1280x720", text));
}

void addView(const Arguments& a, std::vector<LoadOptions::Setting>& set) {
    if (!a.view.empty()) set.push_back({"view.field", a.view, "--view " + a.view});
    if (!a.slice.empty()) {
        const std::size_t equals = a.slice.find('=');
        const std::string option = "--slice " + a.slice;
        set.push_back({"view.slice", a.slice.substr(0, equals), option});
        if (equals != std::string::npos) set.push_back({"view.position", a.slice.substr(equals + 1), option});
    }
    if (!a.range.empty()) {
        const std::size_t colon = a.range.find(':');
        if (colon == std::string::npos) throw Failure(Exit::Usage, fmt::format("--range {}: must be LOW:HIGH, such as 0:2.5", a.range));
        set.push_back({"view.range", fmt::format("[{}, {}]", a.range.substr(0, colon), a.range.substr(colon + 1)), "--range " + a.range});
    }
    if (!a.arrows.empty()) set.push_back({"view.arrows", a.arrows, "--arrows " + a.arrows});
}

}  // namespace

CLI::Validator finiteRange(double low, double high) {
    const CLI::Range range(low, high);
    return {[range](std::string& text) {
                double value = 0.0;
                if (CLI::detail::lexical_cast(text, value) && std::isnan(value)) return fmt::format("{} is not a number", text);
                return range(text);
            },
            range.get_description()};
}

void addScene(CLI::App* command, Arguments& a, Runs runs) {
    command->add_option("SCENE", a.scene, "a built-in scene (see wisp scenes) or the path of a .toml file")->capture_default_str();
    command->add_option("--set", a.sets, "sets a scene key: key.path=value; repeatable")->take_all()->allow_extra_args(false);
    command->add_option("--preset", a.preset, "sets scene keys before --set; physical: accuracy instead of appearance (docs/physics.md)");
    const bool measures = runs == Runs::Yes;
    command->add_option("--quality", a.quality, qualityHelp(command->get_name(), measures))
        ->check(CLI::IsMember(qualityNames(measures)).description(""));
    command->add_option("--seed", a.seed, "seed of all noise");
}

void addDevice(CLI::App* command, Arguments& a) {
    command->add_option(
        "--device", a.device.select,
        "index, UUID, PCI address or part of the name (see wisp info); default: the environment variable WISP_DEVICE, or else "
        "the best device");
    command->add_flag("--allow-cpu,!--no-allow-cpu", a.device.allowCpu, "allows software (CPU) Vulkan devices");
    command->add_flag("--validate", a.device.validate, "enables the Vulkan validation layers; any message is an error");
    const std::map<std::string, LogLevel> levels{{"quiet", LogLevel::Quiet}, {"normal", LogLevel::Normal}, {"debug", LogLevel::Debug}};
    command->add_option("--log-level", a.logLevel, "quiet, normal or debug")->transform(CLI::CheckedTransformer(levels).description(""));
}

void addProgress(CLI::App* command, Arguments& a) {
    const std::map<std::string, ProgressStyle> styles{{"auto", ProgressStyle::Auto},
                                                      {"plain", ProgressStyle::Plain},
                                                      {"openjd", ProgressStyle::OpenJobDescription},
                                                      {"json", ProgressStyle::Json},
                                                      {"none", ProgressStyle::None}};
    command
        ->add_option(
            "--progress", a.progress,
            "auto: a bar on a terminal, else lines; plain: lines; openjd: messages of Open Job Description on stdout; json: one JSON "
            "object per line on stdout; none")
        ->transform(CLI::CheckedTransformer(styles).description(""))
        ->default_str("auto");
}

void addResume(CLI::App* command, Arguments& a, const std::string& more) {
    command->add_option("--resume", a.resume,
                        "resumes from this checkpoint file; without SCENE, with the scene and grid of the checkpoint" + more);
}

void addView(CLI::App* command, Arguments& a) {
    command->add_option("--view", a.view, "shows a field in colours instead of smoke: " + viewFieldNames());
    command->add_option(
        "--slice", a.slice,
        "shows a slice instead of the whole volume: the axis normal to it (x, y or z), or axis and position in metres, such as z=0.5");
    command->add_option(
        "--range", a.range,
        "LOW:HIGH, field values of the first and the last colour; default: limits that contain the typical values of the field");
    command->add_option("--arrows", a.arrows, "cells between velocity arrows on a slice");
}

void addVolumes(CLI::App& command, Arguments& a) {
    CLI::Option* volume = command.add_option(
        "--volume", a.render.volume,
        "also writes the fields, one file per frame: a pattern such as out/%04d.vdb (OpenVDB), .nvdb (NanoVDB), or .exr "
        "(velocity in slices)");
    command
        .add_option("--volume-fields", a.render.volumeFields,
                    "fields of .vdb and .nvdb files, separated by commas: density, temperature, flame, fuel, vel; default: all that are "
                    "simulated but fuel")
        ->needs(volume);
    command
        .add_option("--volume-threshold", a.render.volumes.threshold,
                    "density or share of burning fuel above which cells of .vdb and .nvdb files are active")
        ->capture_default_str()
        ->check(finiteRange(0.0, 1e6))
        ->needs(volume);
    command.add_option("--up", a.up, "axis of .vdb and .nvdb files that points up: y as in scenes and Houdini, z as in Blender")
        ->capture_default_str()
        ->check(CLI::IsMember({"y", "z"}))
        ->needs(volume);
}

void addTimes(CLI::App* command, Arguments& a) {
    const CLI::Validator range = finiteRange(0.1, 1000.0);
    const auto number = [](const std::string& text) {
        const auto fraction = fractionOf(text);
        return fraction ? fmt::format("{}", *fraction) : text;
    };
    // A check, not a transform: a job file gets the text as it was given.
    command
        ->add_option_function<std::string>(
            "--fps", [&a, number](const std::string& text) { a.render.fps = std::stod(number(text)); },
            "frames per second, such as 24 or 24000/1001")
        ->default_str(fmt::format("{}", a.render.fps))
        ->type_name("FLOAT")
        ->check(CLI::Validator([range, number](std::string& text) { return range(number(text)); }, range.get_description()));
    command->add_option("--steps-per-frame", a.render.stepsPerFrame, "simulation steps per frame; default: the number that keeps real time")
        ->check(CLI::Range(1, 1000));
}

ProgressStyle progressStyle(const Arguments& a) {
    if (a.progress == ProgressStyle::Json && a.render.hash)
        throw Failure(Exit::Usage,
                      "--progress json and --hash both write to stdout, and lines of --hash are no JSON: leave out one of them");
    return a.progress;
}

std::string deviceOfEnvironment(CLI::App& command) {
    // Not CLI::Option::envname: it sets the option of every command, and they share the variable that it sets.
    const char* const value = std::getenv(kDeviceVariable);
    for (const CLI::Option* const option : command.get_options())
        if (option->get_single_name() == "device" && option->count() == 0 && value) return value;
    return "";
}

CLI::Option* optionNamed(CLI::App& command, std::string_view name) {
    for (CLI::Option* const option : command.get_options())
        if (option->get_single_name() == name) return option;
    throw std::logic_error("there is no such option");
}

bool isGiven(CLI::App& command, std::string_view option) { return optionNamed(command, option)->count() > 0; }

CommonOptions commonOptions(CLI::App& command, const Arguments& a) {
    const bool fromCheckpoint = !a.resume.empty() && !isGiven(command, "SCENE");
    const bool byDefault = !isGiven(command, "quality");
    const std::string quality = byDefault && command.get_name() == "run" ? kAutoQuality : a.quality;
    CommonOptions common{.scene = fromCheckpoint ? "" : a.scene,
                         .resume = a.resume,
                         .load = {.quality = quality == kAutoQuality ? "standard" : quality},
                         .autoQuality = quality == kAutoQuality,
                         .qualityGiven = !byDefault,
                         .device = a.device};
    if (std::string device = deviceOfEnvironment(command); !device.empty()) common.device.select = std::move(device);
    common.device.cacheFolder = cacheFolder();
    std::vector<LoadOptions::Setting>& set = common.load.set;
    if (isGiven(command, "preset")) set = Scene::preset(a.preset);
    for (const std::string& text : a.sets) set.push_back(LoadOptions::Setting::parse(text));
    if (!a.size.empty()) set.push_back(sizeSetting(a.size));
    addView(a, set);
    if (a.seed) set.push_back({"seed", fmt::format("{}", *a.seed), fmt::format("--seed {}", *a.seed)});
    if (a.samples) set.push_back({"render.samples", fmt::format("{}", *a.samples), fmt::format("--samples {}", *a.samples)});
    if (a.error) set.push_back({"render.error", fmt::format("{}", *a.error), fmt::format("--error {}", *a.error)});
    return common;
}

}  // namespace wisp::app
