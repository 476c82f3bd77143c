// SPDX-License-Identifier: MIT
#include "app/cli/command_line.h"

#include "app/cli/completion.h"
#include "app/cli/manual.h"
#include "files/base/image.h"
#include "files/base/user_folders.h"
#include "files/base/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace wisp::app {
namespace {

constexpr const char* kAutoQuality = "auto";

/// Raw values from the parser. They are converted to options after parsing.
struct Arguments {
    std::string scene = "smoke";
    std::vector<std::string> sets;
    std::string preset;
    std::string quality = "standard";
    std::string size;
    std::string view;
    std::string slice;
    std::string range;
    std::string arrows;
    std::string up = "y", fromUp = "y";
    bool noPicture = false;
    std::optional<std::uint32_t> seed, samples;
    std::optional<double> error;
    std::string resume;
    DeviceOptions device;
    LogLevel logLevel = LogLevel::Normal;
    bool json = false;
    RenderOptions render;
    BenchOptions bench;
    ProfileOptions profile;
};

/// CLI::Range accepts "nan", because every comparison with NaN is false.
CLI::Validator finiteRange(double low, double high) {
    const CLI::Range range(low, high);
    return {[range](std::string& text) {
                double value = 0.0;
                if (CLI::detail::lexical_cast(text, value) && std::isnan(value)) return fmt::format("{} is not a number", text);
                return range(text);
            },
            range.get_description()};
}

/// Names of the quality levels. "auto" comes first if the command has a device to measure.
std::vector<std::string> qualityNames(bool measures) {
    std::vector<std::string> names;
    if (measures) names.emplace_back(kAutoQuality);
    names.insert(names.end(), {"preview", "standard", "high", "ultra"});
    return names;
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

enum class Runs { No, Yes };

void addScene(CLI::App* command, Arguments& a, Runs runs = Runs::Yes) {
    command->add_option("SCENE", a.scene, "a built-in scene (see wisp scenes) or the path of a .toml file")->capture_default_str();
    command->add_option("--set", a.sets, "sets a scene key: key.path=value; repeatable")->take_all()->allow_extra_args(false);
    command->add_option("--preset", a.preset, "sets scene keys before --set; physical: accuracy instead of appearance (docs/physics.md)");
    const bool measures = runs == Runs::Yes;
    command
        ->add_option("--quality", a.quality,
                     std::string("scales the grid: preview 0.5, standard 1, high 1.5, ultra 2") +
                         (measures ? ", auto: the finest level that runs at 60 frames per second on the device" : "") +
                         (command->get_name() == "run" ? "; default: auto" : "; default: standard"))
        ->check(CLI::IsMember(qualityNames(measures)).description(""));
    command->add_option("--seed", a.seed, "seed of all noise");
}

void addDevice(CLI::App* command, Arguments& a) {
    command->add_option("--device", a.device.select, "index or part of the name (see wisp info)");
    command->add_flag("--allow-cpu,!--no-allow-cpu", a.device.allowCpu, "allows software (CPU) Vulkan devices");
    command->add_flag("--validate", a.device.validate, "enables the Vulkan validation layers; any message is an error");
    const std::map<std::string, LogLevel> levels{{"quiet", LogLevel::Quiet}, {"normal", LogLevel::Normal}, {"debug", LogLevel::Debug}};
    command->add_option("--log-level", a.logLevel, "quiet, normal or debug")->transform(CLI::CheckedTransformer(levels).description(""));
}

void addResume(CLI::App* command, Arguments& a, const std::string& more = "") {
    command->add_option("--resume", a.resume,
                        "resumes from this checkpoint file; without SCENE, with the scene and grid of the checkpoint" + more);
}

/// Options that are short forms of scene keys.
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

void addFrom(CLI::App& command, Arguments& a) {
    CLI::Option* from = command.add_option("--from", a.render.from,
                                           "draws .vdb or .nvdb files instead of a simulation: one file, or a pattern such as in/%04d.vdb; "
                                           "without SCENE, with a box and a camera around the smoke");
    command.add_option("--from-up", a.fromUp, "axis of the files that points up: y, or z as in files from Blender")
        ->capture_default_str()
        ->check(CLI::IsMember({"y", "z"}))
        ->needs(from);
}

/// The option --`name` or the argument `name`. CLI::App::get_option and count allocate memory and let no exception pass.
CLI::Option* optionNamed(CLI::App& command, std::string_view name) {
    for (CLI::Option* const option : command.get_options())
        if (option->get_single_name() == name) return option;
    throw std::logic_error("there is no such option");
}

/// Options of a simulation, which --from replaces.
void excludeFrom(CLI::App& command) {
    CLI::Option* const from = optionNamed(command, "from");
    for (const char* name : {"volume", "stats", "steps-per-frame", "checkpoint", "every", "resume", "scene-out"})
        from->excludes(optionNamed(command, name));
}

CLI::App* addRender(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand("render", "renders images or a video without a window, and writes volumes");
    addScene(command, a);
    addDevice(command, a);
    command->add_option("--frames", a.render.frames, "number of frames; with --from, by default that of the files")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000));
    CLI::Option* out = command->add_option(
        "--out", a.render.out, "a .mp4 file, a folder, or a pattern such as out/%04d" + imageExtensions(", ") + "; default: SCENE.mp4");
    addVolumes(*command, a);
    command->add_option("--scene-out", a.render.sceneOut,
                        "also writes bodies, ground, camera and lights, animated at the frames, to this .glb file (glTF 2.0, y up)");
    command->add_flag("--no-picture", a.noPicture, "writes no images and no video")->excludes(out);
    command->add_flag("--overwrite", a.render.overwrite,
                      "replaces existing videos, images, volumes and scenes; without it, an existing file is an error");
    command->add_option("--size", a.size, "WIDTHxHEIGHT in pixels");
    command->add_option("--fps", a.render.fps, "frames per second")->capture_default_str()->check(finiteRange(0.1, 1000.0));
    command->add_option("--steps-per-frame", a.render.stepsPerFrame, "simulation steps per frame; default: the number that keeps real time")
        ->check(CLI::Range(1, 1000));
    addView(command, a);
    command->add_option("--stats", a.render.stats, "writes one JSON object per step to this file");
    command->add_option("--samples", a.samples, "path mode: maximum number of samples per pixel");
    command->add_option(
        "--error", a.error,
        "path mode: stops an image early when its noise is below this value: the standard error of a pixel divided by the mean "
        "luminance, over pixels of smoke and bodies");
    command->add_option("--watch-shaders", a.render.watchShaders, "reloads shaders when a file in this folder is saved");
    command->add_option("--trace", a.render.trace, "writes Chrome trace events of CPU and GPU to this file (ui.perfetto.dev opens it)");
    command->add_flag("--dry-run", a.render.dryRun, "prints the required memory and exits");
    addFrom(*command, a);
    CLI::Option* checkpoint = command->add_option("--checkpoint", a.render.checkpoint,
                                                  "writes a file to resume from: at the end, when interrupted, and every --every steps");
    command->add_option("--every", a.render.every, "steps between checkpoints")->check(CLI::Range(1, 1000000000))->needs(checkpoint);
    addResume(command, a, "; --frames includes the frames before the checkpoint");
    command->add_flag("--hash", a.render.hash,
                      "prints a hash (XXH3, 64 bits) of each field at the end; identical runs print identical hashes");
    excludeFrom(*command);
    return command;
}

CLI::App* addBench(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand("bench", "measures times and quality without a window");
    addScene(command, a);
    addDevice(command, a);
    command->add_option("--steps", a.bench.steps, "number of timed steps")->capture_default_str()->check(CLI::Range(1, 1000000));
    command->add_option("--warmup", a.bench.warmup, "number of steps before timing starts")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000000));
    command->add_option("--json", a.bench.json, "writes the report to this file");
    command->add_option("--size", a.size, "WIDTHxHEIGHT of the image in pixels");
    command->add_flag("--render", a.bench.render, "also renders and times an image per step");
    command->add_option("--csv", a.bench.csv, "writes the times to this file");
    command->add_option("--trace", a.bench.trace, "writes Chrome trace events of CPU and GPU to this file (ui.perfetto.dev opens it)");
    CLI::Option* compare = command->add_option("--compare", a.bench.compare,
                                               "an older report: prints the changes and fails if a time has increased");
    command->add_option("--threshold", a.bench.threshold, "percent by which a time may increase")
        ->capture_default_str()
        ->check(finiteRange(0.0, 1000.0))
        ->needs(compare);
    CLI::Option* sweep = command->add_option(
        "--sweep", a.bench.sweep, "KEY=VALUE,VALUE,...: one run for each value of a scene key, or of cells (along the longest edge)");
    for (const char* other : {"csv", "trace", "compare"}) sweep->excludes(optionNamed(*command, other));
    return command;
}

CLI::App* addProfile(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand("profile", "writes an HTML page with plots of one or more reports of wisp bench");
    command->add_option("REPORT", a.profile.reports, "reports of wisp bench --json, oldest first")->required()->take_all();
    command->add_option("--html", a.profile.html, "the HTML file to write")->required();
    return command;
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

bool isGiven(CLI::App& command, std::string_view option) { return optionNamed(command, option)->count() > 0; }

CommonOptions commonOptions(CLI::App& command, const Arguments& a) {
    const bool fromCheckpoint = !a.resume.empty() && !isGiven(command, "SCENE");
    const bool byDefault = !isGiven(command, "quality");
    const std::string quality = byDefault && command.get_name() == "run" ? kAutoQuality : a.quality;
    CommonOptions common{.scene = fromCheckpoint ? "" : a.scene,
                         .resume = a.resume,
                         .load = {.quality = quality == kAutoQuality ? "standard" : quality},
                         .autoQuality = quality == kAutoQuality,
                         .device = a.device};
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

}  // namespace

CommandLine parseCommandLine(int argc, const char* const* argv) {
    CLI::App app("wisp: simulates and renders smoke and liquids on the GPU with Vulkan compute");
    app.set_version_flag("--version", "wisp " WISP_VERSION);
    app.require_subcommand(1);
    // A user can override an option that a script sets by giving it again.
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    Arguments a;
    CLI::App* const render = addRender(app, a);
    CLI::App* const bench = addBench(app, a);
    const CLI::App* const profile = addProfile(app, a);
    CLI::App* const info = app.add_subcommand(
        "info", "lists the Vulkan devices with features, limits and memory, and says why a device is refused");
    info->add_flag("--json", a.json, "prints JSON");
    CLI::App* const check = app.add_subcommand("check", "reads a scene and prints every problem, without running it");
    addScene(check, a, Runs::No);
    optionNamed(*check, "SCENE")->required();
    const CLI::App* const scenes = app.add_subcommand("scenes", "lists the built-in scenes");
    CLI::App* const run = app.add_subcommand("run", "runs a scene in a window");
    addScene(run, a);
    addDevice(run, a);
    addResume(run, a);
    run->footer(controlsText());
    const CLI::App* const manual = app.add_subcommand("manual", "prints the manual page in roff format")->group("");
    // Before parsing, because the words to complete are no valid command line.
    if (argc > 1 && argv[1] == std::string_view("complete")) return {Answer{.out = completions(app, {argv + 2, argv + argc})}, a.logLevel};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream out, err;
        const Exit status = app.exit(e, out, err) == 0 ? Exit::Done : Exit::Usage;
        return {Answer{out.str(), err.str(), status}, a.logLevel};
    }

    const auto with = [&](auto command) { return CommandLine{std::move(command), a.logLevel}; };
    if (run->parsed()) return with(LiveOptions{commonOptions(*run, a)});
    if (manual->parsed()) return with(Answer{.out = manualPage(app)});
    if (info->parsed()) return with(InfoOptions{a.json});
    if (scenes->parsed()) return with(ScenesOptions{});
    if (check->parsed()) return with(CheckOptions{commonOptions(*check, a)});
    if (profile->parsed()) return with(a.profile);
    if (bench->parsed()) {
        a.bench.common = commonOptions(*bench, a);
        return with(a.bench);
    }
    a.render.common = commonOptions(*render, a);
    a.render.picture = !a.noPicture;
    a.render.volumes.upIsZ = a.up == "z";
    a.render.fromUpIsZ = a.fromUp == "z";
    a.render.framesGiven = isGiven(*render, "frames");
    if (!a.render.from.empty() && !isGiven(*render, "SCENE")) a.render.common.scene.clear();
    return with(a.render);
}

}  // namespace wisp::app
