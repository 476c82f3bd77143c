// SPDX-License-Identifier: MIT
#include "app/job/slurm.h"

#include "files/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace wisp::app {
namespace {

std::string wordOf(const JobWord& word) {
    switch (word.kind) {
        case JobWord::Kind::Parameter: return fmt::format("\"${}\"", word.text);
        case JobWord::Kind::Task: return "\"$1\"";
        case JobWord::Kind::Text: break;
    }
    return shellQuoted(word.text);
}

std::string groupOf(const JobWords& words) {
    std::string text;
    for (const JobWord& word : words) text += (text.empty() ? "" : " ") + wordOf(word);
    return text;
}

/// name=value   # meaning
std::string parameters(const JobPlan& plan) {
    std::vector<std::string> assignments;
    std::size_t width = 0;
    std::vector<JobParameter> all = plan.parameters;
    all.insert(all.begin(), {"name", plan.name, "of the jobs, with the name of the step behind it"});
    for (const JobParameter& p : all) {
        assignments.push_back(fmt::format("{}={}", p.name, p.isNumber ? p.value : shellQuoted(p.value)));
        width = std::max(width, std::min<std::size_t>(assignments.back().size(), 50));
    }
    std::string text;
    for (std::size_t i = 0; i < assignments.size(); ++i) text += fmt::format("{:<{}}  # {}\n", assignments[i], width, all[i].meaning);
    for (const JobStep& step : plan.steps) {
        if (step.valueName.empty()) continue;
        std::vector<std::string> values;
        for (const std::string& value : step.values) values.push_back(shellQuoted(value));
        if (values.empty())
            text += fmt::format("{}s=({{0..{}}})  # one task of the step {} for each\n", step.valueName, step.count - 1, step.name);
        else
            text += fmt::format("{}s=(  # one task of the step {} for each\n    {}\n)\n", step.valueName, step.name,
                                wrapped(values, " ", "\n    "));
    }
    return text;
}

std::string commands(const JobPlan& plan) {
    std::string text;
    for (const JobStep& step : plan.steps) {
        std::vector<std::string> groups;
        for (const JobWords& words : step.command) groups.push_back(groupOf(words));
        text += fmt::format("# {}\n{}() {{\n    {}\n}}\n", step.meaning, step.name, wrapped(groups, " ", " \\\n        "));
    }
    return text;
}

/// The commands that submit the steps, each after the one before it.
std::string submission(const JobPlan& plan) {
    std::string text;
    std::string before;
    for (const JobStep& step : plan.steps) {
        std::string line = fmt::format("    {}=$(submit {}", step.name, step.name);
        if (!step.valueName.empty()) line += fmt::format(" --array=\"0-$((${{#{}s[@]}} - 1))\" --output=%x-%A_%a.log", step.valueName);
        if (!before.empty())
            line += fmt::format(" --dependency=\"{}:${}\" --kill-on-invalid-dep=yes", plan.continuesAfterFailure ? "afterany" : "afterok",
                                before);
        text += line + ")\n";
        before = step.name;
    }
    std::string ids;
    for (const JobStep& step : plan.steps) ids += fmt::format("{}{} is job ${}", ids.empty() ? "" : ", ", step.name, step.name);
    return text + fmt::format("    echo \"{}. Their output is in $folder.\"\n", ids);
}

/// The end of the script: a task of the step that Slurm starts.
std::string dispatch(const JobPlan& plan) {
    std::string text;
    for (const JobStep& step : plan.steps) {
        const std::string value = step.valueName.empty() ? "" : fmt::format(" \"${{{}s[SLURM_ARRAY_TASK_ID]}}\"", step.valueName);
        text += fmt::format("    {}) {}{} || {} ;;\n", step.name, step.name, value, step.startsAgain ? "status=$?" : "exit $?");
    }
    return text;
}

constexpr const char* kResources = R"(
# What Slurm gives to each task. `man sbatch` describes these and more options. Lines with ## are off.
# For nodes without a GPU, remove --gres.
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=2
##SBATCH --mem=16G
##SBATCH --time=24:00:00
##SBATCH --partition=NAME
# A task whose node fails, or that failed for a reason that may pass, starts again, and goes on with its log.
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
)";

constexpr const char* kSubmit = R"(
# Without an argument, this file submits its steps. Slurm then starts it with the name of a step.
if (($# == 0)); then
    file=$(realpath -- "$0")
    submit() {
        local id
        # set -e has no effect in a command substitution, which this runs in.
        id=$(sbatch --parsable --chdir="$folder" --job-name="$name-$1" --output=%x-%j.log "${@:2}" -- "$file" "$1") || return
        echo "${id%%;*}"
    }
)";

}  // namespace

std::string shellQuoted(const std::string& text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+-";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
    return quoted + "'";
}

std::string slurmScript(const JobPlan& plan) {
    std::string text = fmt::format("#!/usr/bin/env bash\n# {}\n# A batch script of Slurm. To submit it: bash THIS_FILE\n", plan.meaning);
    text += "# Written by wisp job, version " WISP_VERSION ". Change whatever you need to.\n";
    text += kResources;
    text += "\n# Relative paths begin in `folder`, which all nodes must see.\n" + parameters(plan);
    text += "\n# The command lines.\n" + commands(plan);
    text += kSubmit + submission(plan) + "    exit\nfi\n\n";
    text += chooseDeviceLines();
    text += "\nstatus=0\ncase $1 in\n" + dispatch(plan) + "esac\n";
    text += "# The exit status decides whether the task is requeued.\n" + retryReasons();
    text += fmt::format("case $status in\n    {})\n", retryPattern());
    text += R"(        starts=$((${SLURM_RESTART_COUNT:-0} + 1))
        if ((starts < tries)); then
            echo "exit status $status: is requeued after start $starts of $tries" >&2
            # Slurm ends this process.
            scontrol requeue "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}" && sleep 60
        fi
        ;;
esac
exit "$status"
)";
    return text;
}

}  // namespace wisp::app
