// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/probes.h"
#include "files/base/pending_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wisp::app {

/// The output files of a scene's probes, with one row per point and sampled step, in order.
class ProbeFiles {
public:
    /// Creates the files. @throws Failure Output
    ProbeFiles(engine::Device& device, const Settings& settings);

    [[nodiscard]] bool due(std::uint64_t step) const;  ///< true if any probe is sampled after this step
    /// Records the sampling of all probes that are due after the last step. Rows are written when the values are read back.
    void sample(engine::Recorder& rec, const FluidSimulator& simulator);
    void finish();  ///< completes the files with the rows written so far

private:
    struct Probe {
        ProbeSettings settings;
        std::uint32_t fields;
        bool csv;
        PendingFile file;
    };
    ProbeSampler sampler_;
    std::vector<Probe> probes_;
};

/// One row of a file without the newline. Values that are not finite become empty (CSV) or null (JSON). Public for tests.
std::string probeHead(std::uint32_t fields);
std::string probeRow(bool csv, std::uint32_t fields, std::uint64_t step, double time, std::uint32_t point, glm::vec3 x,
                     const gpu::ProbeValue& value);

}  // namespace wisp::app
