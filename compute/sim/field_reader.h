// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fields.h"
#include "engine/recorder.h"
#include "shaders/shared/read_field.h"

#include <optional>
#include <string_view>
#include <vector>

namespace wisp {

/// A field that can be read as floats at the centres of cells.
struct ReadableField {
    const char* name;
    int number;                ///< WISP_READ_DENSITY ...
    std::uint32_t components;  ///< of a value
};
/// Those that a scene has. Pressure is divided by the density of the fluid [m^2/s^2].
std::vector<ReadableField> readableFields(const Settings& settings);
std::optional<ReadableField> findField(const Settings& settings, std::string_view name);
/// Number of values along each axis.
glm::uvec3 sizeOf(const ReadableField& field, const GridSettings& grid);
/// Bytes of the field as floats.
std::uint64_t floatBytes(const ReadableField& field, const GridSettings& grid);

/// Records the reading of a field, after the steps recorded so far, into `values`: floats, x fastest, components next to each other. The
/// buffer has an address, and is large enough (see floatBytes).
void recordReadField(engine::Recorder& rec, const Fields& fields, const ReadableField& field, const engine::Buffer& values);

}  // namespace wisp
