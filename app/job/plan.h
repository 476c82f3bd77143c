// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// A word of a command line of a job.
struct JobWord {
    enum class Kind {
        Text,
        Parameter,  ///< the value of the parameter `text`
        Task,       ///< the value of this task, of JobStep::values or an index
    };
    std::string text;
    Kind kind = Kind::Text;
};

/// Words that stay on one line: an option and its value.
using JobWords = std::vector<JobWord>;

/// A value that whoever runs the job may change, at the top of the file.
struct JobParameter {
    std::string name;  ///< lower case
    std::string value;
    std::string meaning;
    bool isNumber = false;
};

/// Tasks with the same command line but for one word. They may run at the same time, on any machines.
struct JobStep {
    std::string name;  ///< a verb, lower case
    std::string meaning;
    std::vector<JobWords> command;
    std::string valueName;                 ///< what differs between tasks, in the singular; empty: the step is a single task
    std::vector<std::string> values = {};  ///< one for each task; empty: indices from 0
    std::size_t count = 1;                 ///< number of tasks if there are no values
    bool startsAgain = true;               ///< after a failure that may pass
};

/// What a job file contains, for any scheduler.
struct JobPlan {
    std::string name;
    std::string meaning;
    std::vector<JobParameter> parameters;
    std::vector<JobStep> steps;          ///< each starts when the one before it has ended
    bool continuesAfterFailure = false;  ///< whether a step starts, too, if a task of the one before it failed
};

/// A task starts at most so often.
inline constexpr const char* kTries = "3";

/// Lines of a shell script that set WISP_DEVICE to the GPU that the scheduler gave to this task.
std::string chooseDeviceLines();
/// Exit statuses after which a task may succeed when it starts again, as a pattern of `case` in a shell.
std::string retryPattern();
/// Lines of comments with the reasons of retryPattern().
std::string retryReasons();

/// Groups of words as lines of at most 100 characters, none of them divided, with `between` two lines and `separator` between two groups.
std::string wrapped(const std::vector<std::string>& groups, const std::string& separator, const std::string& between);

}  // namespace wisp::app
