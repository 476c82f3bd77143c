// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fields.h"
#include "compute/sim/quality.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

/// Quality numbers of a step, reduced on the GPU.
namespace wisp {

/// A record that a measuring pass leaves on the GPU.
enum class Record : std::size_t { Before, Velocity, Scalars, Blocks, MiddleBlocks, Error, Count };

/// The records.
struct Measures {
    Measures(engine::Device& device, const Settings& settings);
    [[nodiscard]] const engine::Buffer& record(Record r) const { return records[static_cast<std::size_t>(r)]; }

    std::array<engine::Buffer, static_cast<std::size_t>(Record::Count)> records;
    std::vector<engine::Buffer> bodies;  ///< two of each obstacle that may be: of pressure, of friction
};

/// Measures the fine divergence that the projection has to remove, for the next recordMeasure.
void recordMeasureBefore(engine::Recorder&, const Domain&, const Flow&, const PressureSystem&, Measures&);
/// Measures what the fluid does to each obstacle in the last step. Returns what is filled in once the frame has run.
std::shared_ptr<const std::vector<BodyForce>> recordBodyForces(engine::Recorder&, const Domain&, const Flow&, const PressureSystem&,
                                                               const Measures&, const Settings&);
/// Measures the quality numbers of the last step. `deliver` is called once the frame has run. `knowsResidual`: a trace has left it.
void recordMeasure(engine::Recorder&, Fields&, Measures&, const Settings&, bool knowsResidual,
                   const std::function<void(const Quality&)>& deliver);

}  // namespace wisp
