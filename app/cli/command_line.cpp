// SPDX-License-Identifier: MIT
#include "app/cli/command_line.h"

#include "app/cli/arguments.h"
#include "app/cli/completion.h"
#include "app/cli/manual.h"
#include "files/base/version.h"

#include <sstream>
#include <string_view>

namespace wisp::app {
namespace {

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

}  // namespace

CommandLine parseCommandLine(int argc, const char* const* argv) {
    CLI::App app("wisp: simulates and renders smoke and liquids on the GPU with Vulkan compute");
    app.set_version_flag("--version", "wisp " WISP_VERSION);
    app.require_subcommand(1);
    // A user can override an option that a script sets by giving it again.
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    Arguments a;
    CLI::App* const render = addRender(app, a);
    CLI::App* const sim = addSim(app, a);
    CLI::App* const wedge = addWedge(app, a);
    CLI::App* const bench = addBench(app, a);
    const CLI::App* const profile = addProfile(app, a);
    CLI::App* const job = addJob(app, a);
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

    const auto with = [&](auto command) {
        return CommandLine{std::move(command), a.logLevel, progressStyle(a), deviceOfEnvironment(*app.get_subcommands().front())};
    };
    if (run->parsed()) return with(LiveOptions{commonOptions(*run, a)});
    if (manual->parsed()) return with(Answer{.out = manualPage(app)});
    if (info->parsed()) return with(InfoOptions{a.json});
    if (scenes->parsed()) return with(ScenesOptions{});
    if (check->parsed()) return with(CheckOptions{commonOptions(*check, a)});
    if (sim->parsed()) return with(simOptions(*sim, a));
    if (profile->parsed()) return with(a.profile);
    if (job->parsed()) return with(jobOptions(*job, a));
    if (bench->parsed()) {
        a.bench.common = commonOptions(*bench, a);
        return with(a.bench);
    }
    if (wedge->parsed()) return with(wedgeOptions(*wedge, a));
    return with(renderOptions(*render, a));
}

}  // namespace wisp::app
