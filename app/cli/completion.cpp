// SPDX-License-Identifier: MIT
#include "app/cli/completion.h"

#include "wisp/scene.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace wisp::app {
namespace {

struct Candidate {
    std::string word, about;
};

struct Candidates {
    std::vector<Candidate> words;
    bool files = false;
};

/// bash passes "--up=z" as three words, and replaces only the last one.
std::vector<std::string> withoutSplits(const std::vector<std::string>& words) {
    std::vector<std::string> whole;
    bool isValue = false;
    for (const std::string& word : words) {
        const bool equals = word == "=" && !whole.empty() && whole.back().starts_with("--");
        if (equals || isValue) whole.back() += word;
        else whole.push_back(word);
        isValue = equals;
    }
    return whole;
}

bool takesValue(CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> namesOf(CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

CLI::Option* optionNamed(CLI::App& command, std::string_view name) {
    for (CLI::Option* option : command.get_options())
        if (std::ranges::count(namesOf(*option), name) > 0) return option;
    return nullptr;
}

Candidates optionsOf(CLI::App& command) {
    Candidates found;
    for (CLI::Option* option : command.get_options())
        for (const std::string& name : namesOf(*option)) found.words.push_back({name, option->get_description()});
    return found;
}

std::vector<CLI::App*> commandsOf(CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });  // not hidden
}

Candidates commandNames(CLI::App& app) {
    Candidates found;
    for (const CLI::App* command : commandsOf(app)) found.words.push_back({command->get_name(), command->get_description()});
    return found;
}

/// The keys of a scene in the form of --set: "flow.vorticity=".
std::vector<std::string> keyPaths() {
    std::vector<std::string> paths;
    for (const SceneKey& key : Scene::allKeys()) paths.push_back(key.path + "=");
    return paths;
}

/// The fields of view.field, all but smoke.
std::vector<std::string> viewNames() {
    for (const SceneKey& key : Scene::allKeys())
        if (key.path == "view.field") return {key.choices.begin() + 1, key.choices.end()};
    return {};
}

/// Values of options whose value is a text, but not the name of a file.
const std::map<std::string, std::function<std::vector<std::string>()>>& knownValues() {
    using Names = std::vector<std::string>;
    const auto none = [] { return Names{}; };
    const auto axes = [] { return Names{"x", "y", "z"}; };
    static const std::map<std::string, std::function<Names()>> all{{"SCENE", Scene::builtIn},
                                                                   {"--set", keyPaths},
                                                                   {"--set-each", keyPaths},
                                                                   {"--sweep", keyPaths},
                                                                   {"--preset", [] { return Names{"physical"}; }},
                                                                   {"--quality",
                                                                    [] {
                                                                        Names names = Scene::qualities();
                                                                        names.insert(names.begin(), "auto");
                                                                        return names;
                                                                    }},
                                                                   {"--log-level",
                                                                    [] {
                                                                        return Names{"quiet", "normal", "debug"};
                                                                    }},
                                                                   {"--progress",
                                                                    [] {
                                                                        return Names{"auto", "plain", "openjd", "json", "none"};
                                                                    }},
                                                                   {"--view", viewNames},
                                                                   {"--slice", axes},
                                                                   {"--up", axes},
                                                                   {"--from-up", axes},
                                                                   {"--from-temperature",
                                                                    [] {
                                                                        return Names{"kelvin", "share"};
                                                                    }},
                                                                   {"--frames", none},
                                                                   {"--size", none},
                                                                   {"--device", none},
                                                                   {"--range", none},
                                                                   {"--arrows", none},
                                                                   {"--volume-fields", none}};
    return all;
}

/// Whether the command accepts this value.
bool accepts(CLI::Option& option, std::string value) {
    try {
        return (*option.get_validator(0))(value).empty();
    } catch (const CLI::OptionNotFound&) {
        return true;  // it has no validator
    }
}

Candidates valuesOf(CLI::Option& option) {
    const auto known = knownValues().find(option.get_name());
    if (known == knownValues().end()) return {{}, option.get_type_name().starts_with("TEXT")};
    Candidates found{{}, option.get_positional()};
    for (std::string& word : known->second())
        if (accepts(option, word)) found.words.push_back({std::move(word), ""});
    return found;
}

/// Candidates for the last of `words`, the first of which is `command`. Some of them do not begin with it.
Candidates behindCommand(CLI::App& command, const std::vector<std::string>& words) {
    const std::string& last = words.back();
    std::size_t positionals = 0;
    CLI::Option* open = nullptr;  // an option whose value comes next
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (std::exchange(open, nullptr)) continue;
        if (!words[i].starts_with('-')) ++positionals;
        else if (CLI::Option* option = optionNamed(command, words[i]); option && takesValue(*option)) open = option;
    }
    if (open) return valuesOf(*open);
    if (const std::size_t equals = last.find('='); last.starts_with("--") && equals != std::string::npos) {
        CLI::Option* const option = optionNamed(command, last.substr(0, equals));
        if (!option || !takesValue(*option)) return {};
        Candidates found = valuesOf(*option);
        for (Candidate& c : found.words) c.word.insert(0, last, 0, equals + 1);
        return found;
    }
    if (!last.starts_with('-'))
        for (CLI::Option* option : command.get_options([](CLI::Option* o) { return o->get_positional(); }))
            if (positionals < static_cast<std::size_t>(option->get_items_expected_max())) return valuesOf(*option);
    return optionsOf(command);
}

/// Candidates for the last of `words`.
Candidates candidates(CLI::App& app, const std::vector<std::string>& words) {
    const std::string& last = words.back();
    if (words.size() == 1) return last.starts_with('-') ? optionsOf(app) : commandNames(app);
    const std::vector<CLI::App*> commands = commandsOf(app);
    const auto command = std::ranges::find(commands, words.front(), &CLI::App::get_name);
    if (command == commands.end()) return {};
    return behindCommand(**command, words);
}

}  // namespace

std::string completions(CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty()) return completions(app, {""});
    const std::vector<std::string> whole = withoutSplits(words);
    const std::string typed = words.back() == "=" ? "" : words.back();
    const std::size_t kept = whole.back().ends_with(typed) ? whole.back().size() - typed.size() : 0;  // what the shell does not replace
    const Candidates found = candidates(app, whole);
    std::string text = found.files ? "files\n" : "words\n";
    for (const auto& [word, about] : found.words)
        if (word.starts_with(whole.back())) text += fmt::format("{}\t{}\n", word.substr(kept), about);
    return text;
}

}  // namespace wisp::app
