// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/pending_file.h"
#include "compute/sim/probes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wisp::app {

/// The files of a scene's probes: a row for each point and sampled step, in order.
class ProbeFiles {
public:
    /// Creates the files. @throws Failure Output
    ProbeFiles(engine::Device& device, const Settings& settings);

    [[nodiscard]] bool due(std::uint64_t step) const;  ///< whether any probe is sampled after this step
    /// Records the samples of the probes that are due after the last step. Rows are written when they arrive.
    void sample(engine::Recorder& rec, const FluidSimulator& simulator);
    void finish();  ///< completes the files, with the rows that have arrived

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

/// One row of a file, without its end of line. Values that are not finite are empty (CSV) or null (JSON). Public for tests.
std::string probeHead(std::uint32_t fields);
std::string probeRow(bool csv, std::uint32_t fields, std::uint64_t step, double time, std::uint32_t point, glm::vec3 x,
                     const gpu::ProbeValue& value);

}  // namespace wisp::app
