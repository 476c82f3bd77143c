// SPDX-License-Identifier: MIT
// The command line of wisp render.
#include "app/cli/arguments.h"
#include "files/base/image.h"

namespace wisp::app {
namespace {

void addFrom(CLI::App& command, Arguments& a) {
    CLI::Option* from = command.add_option("--from", a.render.from,
                                           "draws .vdb or .nvdb files instead of a simulation: one file, or a pattern such as in/%04d.vdb; "
                                           "without SCENE, with a box and a camera around the smoke");
    command.add_option("--from-up", a.fromUp, "axis of the files that points up: y, or z as in files from Blender")
        ->capture_default_str()
        ->check(CLI::IsMember({"y", "z"}))
        ->needs(from);
    command
        .add_option("--from-temperature", a.fromTemperature,
                    "unit of the temperatures in the files: kelvin, or share of 1000 K as in files from Blender; not set: share if no "
                    "temperature is above 100, with a message")
        ->check(CLI::IsMember({"kelvin", "share"}))
        ->needs(from);
}

/// Options of a simulation, which --from replaces.
void excludeFrom(CLI::App& command) {
    CLI::Option* const from = optionNamed(command, "from");
    for (const char* name : {"volume", "stats", "steps-per-frame", "checkpoint", "every", "resume", "scene-out"})
        from->excludes(optionNamed(command, name));
}

void addCache(CLI::App& command, Arguments& a) {
    CLI::Option* const cache = command.add_option(
        "--cache", a.render.cache,
        "draws frames of a folder that wisp sim has written, those without a file; without SCENE, with its scene. Any number of processes "
        "may draw into one folder");
    // What belongs to a whole run.
    for (const char* name : {"checkpoint", "every", "from", "hash", "resume", "scene-out", "stats", "trace", "dry-run", "watch-shaders"})
        cache->excludes(optionNamed(command, name));
}

}  // namespace

CLI::App* addRender(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand("render", "renders images or a video without a window, and writes volumes");
    addFilm(command, a, Runs::Yes);
    CLI::Option* const minutes = command->add_option(
        "--minutes", a.render.minutes,
        "makes pictures smaller and then a film of --frames N shorter, so that it takes at most about this time on the device; if neither "
        "is "
        "needed, the level is the finest one up to standard that does. --quality LEVEL sets the level");
    minutes->check(finiteRange(0.01, 1e9));
    for (const char* name : {"resume", "cache", "from", "no-picture"}) minutes->excludes(optionNamed(*command, name));
    return command;
}

void addFilm(CLI::App* command, Arguments& a, Runs measures) {
    addScene(command, a, measures);
    addDevice(command, a);
    addProgress(command, a);
    command
        ->add_option("--frames", a.frames,
                     "number of frames; or those with these numbers in the names of their files: 10-20, 1-100x2, 5,9,12-14; with --from or "
                     "--cache, by default all")
        ->capture_default_str();
    CLI::Option* out = command->add_option(
        "--out", a.render.out, "a .mp4 file, a folder, or a pattern such as out/%04d" + imageExtensions(", ") + "; default: SCENE.mp4");
    addVolumes(*command, a);
    command->add_option("--scene-out", a.render.sceneOut,
                        "also writes bodies, ground, camera and lights, animated at the frames, to this .glb file (glTF 2.0, y up)");
    CLI::Option* const background = command->add_option(
        "--background", a.render.background,
        "what is behind smoke and bodies instead of the environment, which still lights them: transparent (alpha in .png and .exr), a "
        "colour such as #ff8000, or a .png file of the size of the pictures");
    CLI::Option* const noPicture = command->add_flag("--no-picture", a.noPicture, "writes no images and no video");
    noPicture->excludes(out);
    noPicture->excludes(background);
    command->add_flag("--overwrite", a.render.overwrite,
                      "replaces existing videos, images, volumes and scenes; without it, an existing file is an error");
    command->add_option("--size", a.size, "WIDTHxHEIGHT in pixels");
    addTimes(command, a);
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
    addCache(*command, a);
}

CLI::App* addSim(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand("sim", "simulates into a cache, from which wisp render --cache draws frames on any machine");
    addScene(command, a);
    addDevice(command, a);
    addProgress(command, a);
    command->add_option("--frames", a.frames, "number of frames; or numbers such as 1-240, whose last one is the end of the cache")
        ->capture_default_str();
    command->add_option("--cache", a.render.cache, "folder to write; one that is cut short goes on where it stopped (docs/cache.md)")
        ->required();
    command->add_option("--every", a.cacheEvery, "frames from one checkpoint to the next")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, kMaxFrames));
    addTimes(command, a);
    addVolumes(*command, a);
    command->add_flag("--overwrite", a.render.overwrite, "replaces existing volumes");
    command->add_flag("--hash", a.render.hash,
                      "prints a hash (XXH3, 64 bits) of each field at the end; identical runs print identical hashes");
    return command;
}

SimOptions simOptions(CLI::App& command, const Arguments& a) {
    RenderOptions run = a.render;
    run.common = commonOptions(command, a);
    run.picture = false;
    run.frames = FrameList("--frames", a.frames);
    run.cacheEvery = a.cacheEvery;
    run.fpsGiven = isGiven(command, "fps");
    run.everyGiven = isGiven(command, "every");
    run.volumes.upIsZ = a.up == "z";
    return {run};
}

RenderOptions renderOptions(CLI::App& command, const Arguments& a) {
    RenderOptions options = a.render;
    options.common = commonOptions(command, a);
    options.picture = !a.noPicture;
    options.volumes.upIsZ = a.up == "z";
    options.fromUpIsZ = a.fromUp == "z";
    if (!a.fromTemperature.empty())
        options.fromTemperature = a.fromTemperature == "share" ? VolumeTemperature::Share : VolumeTemperature::Kelvin;
    options.frames = FrameList("--frames", a.frames);
    options.framesGiven = isGiven(command, "frames");
    options.fpsGiven = isGiven(command, "fps");
    options.choosesQuality = command.get_name() == "render" && !options.common.qualityGiven;
    if (!(options.from.empty() && options.cache.empty()) && !isGiven(command, "SCENE")) options.common.scene.clear();
    return options;
}

}  // namespace wisp::app
