// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/pending_file.h"
#include "compute/sim/quality.h"
#include "engine/recorder.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wisp::app {

/// `--stats`: one JSON object a line and step. A step's numbers and its pass times arrive separately, some frames after it
/// was recorded; its line is written once both are there.
class StepLog {
public:
    explicit StepLog(const std::filesystem::path& path) : file_(path) {}

    void recorded(std::uint64_t step, double time);  ///< in order
    void measured(std::uint64_t step, const Quality& quality);
    void timed(const std::vector<engine::PassTime>& passes);  ///< of the oldest step without times
    void finish();                                            ///< writes what lacks only its times, and completes the file

private:
    struct Line {
        std::uint64_t step = 0;
        double time = 0.0;
        std::optional<Quality> quality;
        std::optional<std::vector<engine::PassTime>> passes;
    };
    void writeFront();
    void writeReady();

    PendingFile file_;
    std::deque<Line> open_;
};

}  // namespace wisp::app
