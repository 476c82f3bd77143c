// SPDX-License-Identifier: MIT
#include "app/job/openjd.h"

#include "files/base/failure.h"
#include "files/base/json.h"
#include "files/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace wisp::app {
namespace {

// Limits of Open Job Description, 2023-09.
constexpr std::size_t kMaxValues = 1024;      ///< of a task parameter of a list
constexpr std::size_t kMaxValueBytes = 1024;  ///< of a value, which may have as many characters
constexpr std::size_t kMaxNameBytes = 128;    ///< of a job

/// A string of JSON is one of YAML.
std::string quoted(const std::string& text) { return Json(text).dump(); }

/// "volume_fields" as VolumeFields: names are in CamelCase by convention.
std::string camelCase(const std::string& name) {
    std::string text;
    bool starts = true;
    for (const char c : name) {
        if (c != '_') text += starts ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        starts = c == '_';
    }
    return text;
}

bool isControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

/// Whether an argument may be this text: it has no control characters but line ends, and nothing that is the name of a parameter.
bool canBeArgument(const std::string& text) {
    return text.find("{{") == std::string::npos && text.find("}}") == std::string::npos &&
           std::ranges::none_of(text, [](char c) { return isControl(c) && c != '\n' && c != '\r'; });
}

/// The text of a template, and parameters for words that only the value of a parameter may contain.
struct Writer {
    std::vector<JobParameter> more = {};

    std::string wordOf(const JobWord& word, const JobStep& step) {
        if (word.kind == JobWord::Kind::Task) return fmt::format("\"{{{{Task.Param.{}}}}}\"", camelCase(step.valueName));
        if (word.kind == JobWord::Kind::Text && canBeArgument(word.text)) return quoted(word.text);
        std::string name = word.text;
        if (word.kind == JobWord::Kind::Text) {
            name = fmt::format("option_{}", more.size() + 1);
            more.push_back({name, word.text, "a word of the command lines, with characters that only a value may have"});
        }
        return fmt::format("\"{{{{Param.{}}}}}\"", camelCase(name));
    }

    std::string groupOf(const JobWords& words, const JobStep& step) {
        std::string text;
        for (const JobWord& word : words) text += (text.empty() ? "" : ", ") + wordOf(word, step);
        return text;
    }

    std::string stepText(const JobStep& step, const std::string& before);
};

std::string indented(const std::string& text, std::size_t columns) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) result += line.empty() ? "\n" : std::string(columns, ' ') + line + "\n";
    return result;
}

/// The script that runs the command line behind its first three arguments: the folder, how often it starts at most, and the seconds
/// between.
std::string taskScript() {
    return "#!/usr/bin/env bash\nset -euo pipefail\ncd -- \"$1\"\ntries=$2\nwait=$3\nshift 3\n\n" + chooseDeviceLines() + "\n" +
           retryReasons() +
           fmt::format(R"(for ((start = 1;; start++)); do
    status=0
    "$@" || status=$?
    case $status in
        {}) ((start < tries)) || exit "$status" ;;
        *) exit "$status" ;;
    esac
    echo "exit status $status: starts again in $wait s, after start $start of $tries"
    sleep "$wait"
done
)",
                       retryPattern());
}

/// @throws Failure Usage
void requireShort(const std::string& name, const std::string& value) {
    if (value.size() > kMaxValueBytes)
        throw Failure(Exit::Usage, fmt::format("--openjd: {} has {} bytes; a value in Open Job Description has at most {}: {}...", name,
                                               value.size(), kMaxValueBytes, value.substr(0, 40)));
}

std::string parameters(std::vector<JobParameter> all) {
    std::string text;
    all.push_back({"wait", "60", "seconds before a task starts again", true});
    for (const JobParameter& p : all) {
        requireShort(p.name, p.value);
        text += fmt::format("  - name: {}\n    type: {}\n    default: {}\n    description: {}\n", camelCase(p.name),
                            p.isNumber ? "INT" : "STRING", p.isNumber ? p.value : quoted(p.value), quoted(p.meaning));
    }
    return text;
}

std::string tasks(const JobStep& step) {
    if (step.valueName.empty()) return "";
    if (step.values.size() > kMaxValues)
        throw Failure(
            Exit::Usage,
            fmt::format("--openjd: the step {} has {} tasks; a step of Open Job Description has at most {}: a larger --every makes fewer",
                        step.name, step.values.size(), kMaxValues));
    std::vector<std::string> values;
    for (const std::string& value : step.values) {
        requireShort(step.valueName, value);
        values.push_back(quoted(value));
    }
    const std::string range = values.empty() ? fmt::format("\"0-{}\"", step.count - 1)
                                             : fmt::format("[\n            {}\n          ]", wrapped(values, ", ", ",\n            "));
    return fmt::format(R"(    parameterSpace:
      taskParameterDefinitions:
        # One task for each.
        - name: {}
          type: {}
          range: {}
)",
                       camelCase(step.valueName), values.empty() ? "INT" : "STRING", range);
}

std::string Writer::stepText(const JobStep& step, const std::string& before) {
    std::vector<std::string> groups;
    for (const JobWords& words : step.command) groups.push_back(groupOf(words, step));
    groups.emplace_back(R"("--progress", "openjd")");
    std::string text = fmt::format("  # {}\n  - name: {}\n", step.meaning, camelCase(step.name));
    if (!before.empty()) text += fmt::format("    dependencies:\n      - dependsOn: {}\n", camelCase(before));
    text += tasks(step);
    text += R"(    # For machines without a GPU, remove these lines.
    hostRequirements:
      amounts:
        - name: amount.worker.gpu
          min: 1
    script:
      actions:
        onRun:
          command: bash
          args: [
            "{{Task.File.Task}}", "{{Param.Folder}}", )";
    text += fmt::format("{}, \"{{{{Param.Wait}}}}\",\n            # The command line.\n",
                        step.startsAgain ? R"("{{Param.Tries}}")" : R"("1")");
    text += fmt::format("            {}\n          ]\n", wrapped(groups, ", ", ",\n            "));
    text += R"(      embeddedFiles:
        - name: Task
          filename: task.sh
          type: TEXT
          data: |
)";
    return text + indented(taskScript(), 12);
}

/// Without the characters that a name must not have.
std::string nameOf(const JobPlan& plan) {
    std::string name = "wisp " + plan.name;
    std::erase_if(name, [](char c) { return c == '{' || c == '}' || isControl(c); });
    if (name.size() > kMaxNameBytes)
        throw Failure(Exit::Usage, fmt::format("--openjd: the name of the scene has {} bytes; a job name has at most {}", plan.name.size(),
                                               kMaxNameBytes - std::string_view("wisp ").size()));
    return name;
}

}  // namespace

std::string openjdTemplate(const JobPlan& plan) {
    Writer writer;
    std::string steps;
    std::string before;
    for (const JobStep& step : plan.steps) {
        steps += writer.stepText(step, before);
        before = step.name;
    }
    std::vector<JobParameter> all = plan.parameters;
    all.insert(all.end(), writer.more.begin(), writer.more.end());
    std::string text = fmt::format("# {}\n# A job template of Open Job Description. To run it here: openjd run THIS_FILE\n", plan.meaning);
    text += "# Written by wisp job, version " WISP_VERSION ". Change whatever you need to.\n";
    text += fmt::format("specificationVersion: jobtemplate-2023-09\nname: {}\n\n", quoted(nameOf(plan)));
    text += "# Relative paths begin in the folder, which all machines must see.\nparameterDefinitions:\n" + parameters(std::move(all));
    return text + "\nsteps:\n" + steps;
}

}  // namespace wisp::app
