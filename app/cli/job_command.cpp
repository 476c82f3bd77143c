// SPDX-License-Identifier: MIT
// The command line of wisp job.
#include "app/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wisp::app {
namespace {

/// The given ones of these options, as words of a command line.
std::vector<std::string> wordsOf(CLI::App& command, std::initializer_list<const char*> names) {
    std::vector<std::string> words;
    for (const char* name : names)
        for (const std::string& value : optionNamed(command, name)->reduced_results()) words.push_back(fmt::format("--{}={}", name, value));
    return words;
}

}  // namespace

CLI::App* addJob(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand(
        "job",
        "writes job files for schedulers (docs/farm.md): a simulation whose frames are rendered in chunks, or a "
        "wedge, on many machines");
    addScene(command, a, Runs::No);
    command->add_option("--slurm", a.job.slurm, "the batch script of Slurm to write");
    command->add_option("--openjd", a.job.openjd, "the job template of Open Job Description to write: a .yaml file");
    command->add_flag("--overwrite", a.job.overwrite, "replaces existing job files");
    command->add_option("--frames", a.frames, "number of frames; or numbers of frames, such as 10-20, 1-100x2 or 5,9,12-14")
        ->capture_default_str();
    command->add_option("--every", a.cacheEvery, "frames from one checkpoint to the next, and of a task")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, kMaxFrames));
    command->add_option("--cache", a.job.cache, "folder of the checkpoints; default: SCENE_cache");
    command->add_option("--out", a.job.out, "images, as of wisp render; default: SCENE/%04d.png");
    command->add_option("--size", a.size, "WIDTHxHEIGHT in pixels");
    addTimes(command, a);
    addVolumes(*command, a);
    addView(command, a);
    command->add_option("--samples", a.samples, "path mode: maximum number of samples per pixel");
    command->add_option("--error", a.error, "path mode: stops an image early when its noise is below this value");
    CLI::Option* each = command
                            ->add_option(
                                "--set-each", a.wedge.setEach,
                                "a scene key with its values, as of wisp wedge: the job renders this wedge, one task for each member")
                            ->take_all()
                            ->allow_extra_args(false);
    command->add_option("--results", a.wedge.results, "folder of the results of a wedge; default: SCENE_wedge")->needs(each);
    for (const char* name : {"every", "cache"}) optionNamed(*command, name)->excludes(each);
    return command;
}

JobOptions jobOptions(CLI::App& command, const Arguments& a) {
    JobOptions options = a.job;
    options.common = commonOptions(command, a);
    options.frames = FrameList("--frames", a.frames);
    options.every = a.cacheEvery;
    options.simulation = wordsOf(
        command, {"set", "preset", "quality", "seed", "fps", "steps-per-frame", "volume", "volume-fields", "volume-threshold", "up"});
    options.picture = wordsOf(command, {"size", "view", "slice", "range", "arrows", "samples", "error"});
    if (a.wedge.setEach.empty()) return options;
    options.wedge = a.wedge;
    options.wedge->render = renderOptions(command, a);
    options.wedge->render.out = a.job.out;
    options.members = wordsOf(command, {"set", "set-each", "out"});
    for (const std::vector<std::string>* words : {&options.simulation, &options.picture})
        std::ranges::copy_if(*words, std::back_inserter(options.members), [](const std::string& w) { return !w.starts_with("--set="); });
    return options;
}

}  // namespace wisp::app
