// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/pending_file.h"
#include "wisp/simulation.h"

#include <glm/vec3.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace wisp::app {

/// Fields in a row of a file, in this order.
struct ProbeFields {
    bool velocity = false, pressure = false, density = false, temperature = false, vorticity = false;
};

/// The output files of a scene's probes, with one row per point and sampled step, in order.
class ProbeFiles {
public:
    /// Creates the files. @throws Failure Output
    explicit ProbeFiles(const Scene& scene);

    [[nodiscard]] bool due(std::uint64_t step) const;  ///< true if any probe is sampled after this step
    void write(const ProbeSample& sample);
    void finish();  ///< completes the files with the rows written so far

private:
    struct Probe {
        glm::vec3 from, to;  ///< [m]; the same for a point
        std::uint32_t every;
        ProbeFields fields;
        bool csv;
        PendingFile file;
    };
    std::vector<Probe> probes_;
};

/// One row of a file without the newline. Values that are not finite become empty (CSV) or null (JSON). Public for tests.
std::string probeHead(const ProbeFields& fields);
std::string probeRow(bool csv, const ProbeFields& fields, std::uint64_t step, double time, std::uint32_t point, glm::vec3 x,
                     const ProbeValue& value);

}  // namespace wisp::app
