// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/pressure/pressure_system.h"
#include "compute/smoke/smoke.h"
#include "wisp/quality.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

/// Quality numbers of a step, reduced on the GPU.
namespace wisp {

/// The records that measuring passes write on the GPU.
enum class Record : std::size_t {
    Before,
    Velocity,
    Scalars,
    Blocks,
    MiddleBlocks,
    Error,
    Fire,
    Expansion,
    MomentumAtStart,
    MomentumAfterSources,
    Force,
    MomentumProjected,
    MomentumAdvected,
    Count
};

/// The buffers of the records.
struct Measures {
    Measures(engine::Device& device, const Settings& settings);
    [[nodiscard]] const engine::Buffer& record(Record r) const { return records[static_cast<std::size_t>(r)]; }

    std::array<engine::Buffer, static_cast<std::size_t>(Record::Count)> records;
    std::vector<engine::Buffer> bodies;  ///< two per possible obstacle: pressure, friction; empty if there can be none
};

/// Called with the quality numbers of a step once its frame has run.
using DeliverQuality = std::function<void(const Quality&)>;

/// Measures the fine divergence before the projection, for the next recordSmokeMeasure.
void recordMeasureBefore(engine::Recorder&, const Domain&, const Flow&, const PressureSystem&, Measures&);
/// Measures the force of the fluid on each obstacle in the last step. The returned vector is filled in once the frame has run.
std::shared_ptr<const std::vector<BodyForce>> recordBodyForces(engine::Recorder&, const Domain&, const Flow&, const PressureSystem&,
                                                               const Measures&, const Settings&);
/// Facts about the last step of smoke. `traced`: its residuals and its momentum were measured. `keep`: decay factor of the velocity.
struct StepTrace {
    bool traced = false;
    float keep = 1.0f;
};
/// Measures the quality numbers of the last step of smoke.
void recordSmokeMeasure(engine::Recorder&, const Domain&, const Flow&, PressureSystem&, const Smoke&, const Measures&, const Settings&,
                        const StepTrace& last, const DeliverQuality& deliver);

}  // namespace wisp
