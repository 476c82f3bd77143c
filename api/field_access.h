// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/field_reader.h"
#include "wisp/field.h"
#include "wisp/simulation.h"

namespace wisp {

struct Field::Access {
    static Field make(const Simulation::Impl& simulation, const ReadableField& field);
};

}  // namespace wisp
