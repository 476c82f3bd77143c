// SPDX-License-Identifier: MIT
#include "app/cli/manual.h"

#include "app/base/failure.h"
#include "app/base/version.h"
#include "app/live/panels.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace wisp::app {
namespace {

/// Text as roff takes it: in short lines, with hyphens as minus signs, and no line that begins like a request.
std::string roff(std::string_view text) {
    constexpr std::size_t kWidth = 60;  // before escapes, which must leave it below 80
    std::string escaped;
    std::size_t column = 0;
    for (const char c : text) {
        if (c == ' ' && column > kWidth) {
            escaped += '\n';
            column = 0;
            continue;
        }
        if (column++ == 0 && (c == '.' || c == '\'')) escaped += "\\&";
        if (c == '\\') escaped += "\\e";
        else if (c == '-') escaped += "\\-";
        else escaped += c;
    }
    return escaped;
}

/// A paragraph under a tag.
std::string tagged(std::string_view tag, std::string_view text) { return fmt::format(".TP\n.B {}\n{}\n", roff(tag), roff(text)); }

/// "--size TEXT", without the parser's own notes on ranges and negations.
std::string usageOf(const CLI::Option& option) {
    if (option.get_positional()) return option.get_name(true);
    std::string text;
    for (const std::string& name : option.get_snames()) text += (text.empty() ? "-" : ", -") + name;
    for (const std::string& name : option.get_lnames()) text += (text.empty() ? "--" : ", --") + name;
    if (option.get_items_expected_max() == 0) return text;
    const std::string type = option.get_type_name();
    return text + ' ' + type.substr(0, type.find(':'));
}

std::string describe(const CLI::Option& option) {
    const std::string usual = option.get_required() ? "" : option.get_default_str();
    return option.get_description() + (usual.empty() ? "" : fmt::format(" (default: {})", usual));
}

std::string optionsOf(const CLI::App& command) {
    std::string text;
    for (const CLI::Option* option : command.get_options())
        if (option != command.get_help_ptr()) text += tagged(usageOf(*option), describe(*option));
    return text;
}

std::string commandsOf(const CLI::App& app) {
    std::string text = ".SH COMMANDS\n";
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_group().empty()) continue;  // hidden
        text += fmt::format(".SS wisp {}\n{}.\n", command->get_name(), roff(command->get_description()));
        text += optionsOf(*command);
    }
    return text;
}

}  // namespace

std::string controlsText() {
    std::string text = "Keys and mouse:\n";
    for (const Control& c : controls()) text += fmt::format("  {:<28}{}\n", c.keys, c.does);
    return text;
}

std::string manualPage(const CLI::App& app) {
    std::string text = fmt::format(
        ".\\\" Made by wisp manual.\n.TH WISP 1 {} \"wisp {}\"\n.SH NAME\nwisp \\- smoke, simulated and lit in Vulkan compute\n"
        ".SH SYNOPSIS\n.B wisp\n.I command\n.RI [ options ]\n.SH DESCRIPTION\n{}\n",
        kVersionDate, WISP_VERSION,
        roff("A scene (a TOML file) says where smoke comes from, what is in its way and how it is lit. wisp runs it in a window, in which "
             "obstacles are moved and smoke is painted by hand, or writes pictures and videos of it."));
    text += commandsOf(app);
    text += ".SH KEYS AND MOUSE\nIn the window of\n.BR \"wisp run\" :\n";
    for (const Control& c : controls()) text += tagged(c.keys, c.does);
    text += ".SH FILES\n";
    text += tagged("$XDG_CONFIG_HOME/wisp/window.toml",
                   "What the window remembers; by default in ~/.config. One that is wrong is renamed to window.toml.bad.");
    text += tagged("$XDG_CACHE_HOME/wisp/pipelines-*.bin", "Compiled pipelines, by default in ~/.cache. They may be deleted at any time.");
    text += ".SH EXIT STATUS\n";
    for (const auto& [status, meaning] : {std::pair{Exit::Done, "all went well"},
                                          {Exit::Failed, "an error of Vulkan or of wisp, or a time that grew (--compare)"},
                                          {Exit::Usage, "wrong options or scene"},
                                          {Exit::NoDevice, "no usable device, or no display for the window"},
                                          {Exit::OutOfMemory, "the device has too little memory"},
                                          {Exit::DeviceLost, "the device was lost"},
                                          {Exit::Output, "something could not be written"},
                                          {Exit::NotFinite, "the simulation went bad"},
                                          {Exit::Interrupted, "interrupted"}})
        text += tagged(fmt::format("{}", static_cast<int>(status)), meaning);
    text += ".SH EXAMPLES\n.EX\n";
    for (const char* line :
         {"wisp run smoke", "wisp render plume --frames 120 --out plume.mp4", "wisp render plume --frames 120 --volume 'out/%04d.nvdb'",
          "wisp render plume --frames 6000 --out long --checkpoint long.checkpoint --every 500",
          "wisp render --frames 6000 --out long --resume long.checkpoint", "wisp run smoke --set obstacle[0].radius=0.1 --quality preview"})
        text += roff(line) + "\n";
    return text + ".EE\n";
}

}  // namespace wisp::app
