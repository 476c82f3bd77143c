// SPDX-License-Identifier: MIT
#include "compute/sim/field_reader.h"

#include <algorithm>

namespace wisp {

std::vector<ReadableField> readableFields(const Settings& s) {
    std::vector<ReadableField> fields;
    if (!s.usesLiquid()) fields.push_back({"density", WISP_READ_DENSITY, 1});
    if (!s.usesLiquid() && s.usesTemperature()) fields.push_back({"temperature", WISP_READ_TEMPERATURE, 1});
    if (s.usesFuel()) fields.push_back({"fuel", WISP_READ_FUEL, 1});
    if (s.usesColour()) fields.push_back({"colour", WISP_READ_COLOUR, 3});
    fields.push_back({"velocity", WISP_READ_VELOCITY, 3});
    if (s.prescribed.field == PrescribedField::None) fields.push_back({"pressure", WISP_READ_PRESSURE, 1});
    return fields;
}

std::optional<ReadableField> findField(const Settings& settings, std::string_view name) {
    const std::vector<ReadableField> fields = readableFields(settings);
    const auto found = std::ranges::find(fields, name, [](const ReadableField& f) { return std::string_view(f.name); });
    return found == fields.end() ? std::nullopt : std::optional(*found);
}

glm::uvec3 sizeOf(const ReadableField& field, const GridSettings& grid) {
    if (field.number == WISP_READ_VELOCITY) return grid.cells;
    return field.number == WISP_READ_PRESSURE ? grid.pressureCells() : grid.scalarCells();
}

std::uint64_t floatBytes(const ReadableField& field, const GridSettings& grid) {
    return countOf(sizeOf(field, grid)) * field.components * sizeof(float);
}

void recordReadField(engine::Recorder& rec, const Fields& f, const ReadableField& field, const engine::Buffer& values) {
    using engine::Traffic;
    const auto& bricks = f.domain.bricks;
    rec.setCommon({{"stepData", f.domain.step}, {"brickSlots", Traffic::none(bricks ? bricks->slots : f.domain.step)}});
    rec.dispatch("read_field", sizeOf(field, f.domain.grid),
                 {{"scalars", Traffic::none(f.smoke.scalars[0])},
                  {"smokeColour", Traffic::none(f.smoke.smokeColour())},
                  {"pressureIn", Traffic::none(f.pressure.pressure[0])},
                  {"potential", Traffic::none(f.pressure.potential)},
                  {"aperture", Traffic::none(f.domain.aperture)},
                  {"centre", Traffic::none(f.flow.centreVectors)},
                  {"coarseVelocity", Traffic::none(f.flow.coarseDivergenceFree())},
                  {"values", Traffic::bytes(values, floatBytes(field, f.domain.grid))}},
                 field.number);
}

}  // namespace wisp
