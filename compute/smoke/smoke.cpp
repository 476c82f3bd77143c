// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke.h"

#include "shaders/shared/prescribed.h"

namespace wisp {

Smoke::Smoke(engine::Device& device, const Settings& settings, const Domain& d) {
    const VkFormat format = settings.usesTemperature() ? (d.isHalf() ? VK_FORMAT_R16G16_SFLOAT : VK_FORMAT_R32G32_SFLOAT)
                                                       : (d.isHalf() ? VK_FORMAT_R16_SFLOAT : VK_FORMAT_R32_SFLOAT);
    const auto image = [&](const char* name, VkFormat f) {
        return engine::Image(device, {.name = name, .size = d.scalarCells(), .format = f});
    };
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    scalars = {image("scalars", format), image("scalars scratch 0", format), image("scalars scratch 1", format)};
    if (settings.usesColour()) makeColours(device, d);
    initialImages = InitialImages(device, settings);
    bricks = buffer("smoke bricks", countOf(d.smokeBricks()) * sizeof(gpu::SmokeBrick));
    reached = buffer("reached bricks", countOf(d.smokeBricks()) * sizeof(std::uint32_t));
    if (settings.prescribed.field != PrescribedField::None)
        prescribed = PrescribedFlow{.field = buffer("prescribed field", sizeof(gpu::PrescribedData)),
                                    .departures = buffer("departures", countOf(d.scalarCells()) * 4 * sizeof(float)),
                                    .exact = image("exact density", VK_FORMAT_R32_SFLOAT)};
    if (settings.tracers.count > 0) tracers = buffer("tracers", countOf(rowsOf(settings.tracers.count)) * 4 * sizeof(float));
    if (settings.flow.sideFade > 0.0f) makeFaded(device);
}

void Smoke::makeColours(engine::Device& device, const Domain& d) {
    const auto image = [&](const char* name) {
        return engine::Image(device, {.name = name, .size = d.scalarCells(), .format = d.vectorFormat()});
    };
    colours = {image("colours"), image("colours scratch 0"), image("colours scratch 1")};
}

void Smoke::makeFaded(engine::Device& device) {
    if (faded.bytes() == 0) faded = engine::Buffer(device, {.name = "record", .bytes = kRecordBytes});
}

}  // namespace wisp
