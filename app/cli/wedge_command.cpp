// SPDX-License-Identifier: MIT
// The command line of wisp wedge.
#include "app/cli/arguments.h"

namespace wisp::app {

CLI::App* addWedge(CLI::App& app, Arguments& a) {
    CLI::App* command = app.add_subcommand("wedge", "renders a scene with every combination of some values, and compares the results");
    addFilm(command, a, Runs::No);  // the level of --quality auto could differ between members and devices
    for (const char* name : {"volume", "stats", "checkpoint", "scene-out", "trace"}) {
        CLI::Option* const option = optionNamed(*command, name);
        option->description(option->get_description() + "; {index} and {KEY} in the path are replaced");
    }
    optionNamed(*command, "out")
        ->description(
            "a .mp4 file, a folder, or a pattern such as out/{index}/%04d.png, in which {index} and {KEY} "
            "are replaced; default: {index}.mp4 in the folder of --results");
    command
        ->add_option(
            "--set-each", a.wedge.setEach,
            "a scene key with its values: KEY=VALUE,VALUE,... or KEY=FROM:TO:COUNT, evenly spaced; repeatable: all combinations are "
            "rendered, the first key varies slowest")
        ->required()
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--results", a.wedge.results,
                        "folder for a result file of each combination, sheet.png and wedge.csv; default: "
                        "SCENE_wedge");
    CLI::Option* index = command->add_option("--index", a.wedge.index, "renders only this combination; the first one is 0");
    CLI::Option* list = command->add_flag("--list", a.wedge.list, "prints the combinations and exits")->excludes(index);
    command->add_flag("--json", a.json, "prints them as JSON")->needs(list);
    command
        ->add_flag("--collect", a.wedge.collect,
                   "renders nothing: makes sheet.png and wedge.csv from result files, and says which are missing")
        ->excludes(index)
        ->excludes(list);
    return command;
}

WedgeOptions wedgeOptions(CLI::App& command, const Arguments& a) {
    WedgeOptions options = a.wedge;
    options.render = renderOptions(command, a);
    options.json = a.json;
    return options;
}

}  // namespace wisp::app
