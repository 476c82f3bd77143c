// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/pending_file.h"
#include "wisp/profile.h"
#include "wisp/quality.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wisp::app {

/// `--stats`: one line with a JSON object per step. Quality numbers and pass times of a step arrive separately, some frames after
/// the step was recorded. The line is written when both have arrived.
class StepLog {
public:
    explicit StepLog(const std::filesystem::path& path) : file_(path) {}

    void recorded(std::uint64_t step, double time);  ///< call in the order of steps
    void measured(std::uint64_t step, const Quality& quality);
    void timed(const std::vector<PassTime>& passes);  ///< times of the oldest step without times
    void finish();                                    ///< writes steps that lack only times, and completes the file

private:
    struct Line {
        std::uint64_t step = 0;
        double time = 0.0;
        std::optional<Quality> quality;
        std::optional<std::vector<PassTime>> passes;
    };
    void writeFront();
    void writeReady();

    PendingFile file_;
    std::deque<Line> open_;
};

}  // namespace wisp::app
