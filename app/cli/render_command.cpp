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
}

/// Options of a simulation, which --from replaces.
void excludeFrom(CLI::App& command) {
    CLI::Option* const from = optionNamed(command, "from");
    for (const char* name : {"volume", "stats", "steps-per-frame", "checkpoint", "every", "resume", "scene-out"})
        from->excludes(optionNamed(command, name));
}

}  // namespace

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

RenderOptions renderOptions(CLI::App& command, const Arguments& a) {
    RenderOptions options = a.render;
    options.common = commonOptions(command, a);
    options.picture = !a.noPicture;
    options.volumes.upIsZ = a.up == "z";
    options.fromUpIsZ = a.fromUp == "z";
    options.framesGiven = isGiven(command, "frames");
    if (!options.from.empty() && !isGiven(command, "SCENE")) options.common.scene.clear();
    return options;
}

}  // namespace wisp::app
