// SPDX-License-Identifier: MIT
#pragma once

#include "simulation.h"

#include <memory>

namespace wisp::python {

/// A writer of volume files. Its calls are calls of its simulation.
class SharedVolumeWriter {
public:
    SharedVolumeWriter(SharedSimulation& simulation, const VolumeOptions& options);
    ~SharedVolumeWriter();
    SharedVolumeWriter(const SharedVolumeWriter&) = delete;
    SharedVolumeWriter& operator=(const SharedVolumeWriter&) = delete;
    [[nodiscard]] VolumeWriter& writer() { return *writer_; }

private:
    std::unique_ptr<VolumeWriter> writer_;
    long process_;  ///< that made it
};

void bindMeasure(nb::module_& m, nb::class_<SharedSimulation>& simulation);

}  // namespace wisp::python
