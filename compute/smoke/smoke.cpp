// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke.h"

#include "shaders/shared/crossed.h"
#include "shaders/shared/prescribed.h"

namespace wisp {

namespace {

// Whether an image exists, or is part of a plan of the memory.
bool isPlanned(const engine::Image& image) { return !image.desc().name.empty(); }

}  // namespace

bool correctsScalars(AdvectionScheme scheme) {
    return scheme == AdvectionScheme::MacCormack || scheme == AdvectionScheme::MacCormackUnclamped || scheme == AdvectionScheme::Bfecc;
}

Smoke::Smoke(engine::Device& device, const Settings& settings, const Domain& d) {
    const std::uint32_t channels = settings.scalarChannels();
    const VkFormat format = channels == 4   ? d.vectorFormat()
                            : channels == 2 ? (d.isHalf() ? VK_FORMAT_R16G16_SFLOAT : VK_FORMAT_R32G32_SFLOAT)
                                            : (d.isHalf() ? VK_FORMAT_R16_SFLOAT : VK_FORMAT_R32_SFLOAT);
    const auto image = [&](const char* name, VkFormat f) {
        return engine::Image(device, {.name = name, .size = d.scalarTexels(), .format = f});
    };
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    scalars = {image("scalars", format), {}, image("scalars scratch 1", format)};
    expands = settings.usesExpansion();
    if (!d.bricks || correctsScalars(settings.advection.scheme)) makeScratch(device);
    if (settings.usesColour()) makeColours(device, d);
    initialImages = InitialImages(device, settings);
    volumes = VolumeSources(device, settings);
    const std::uint64_t smokeBricks = countOf(d.bricks ? d.scalarTexels() / std::uint32_t{WISP_SMOKE_BRICK} : d.smokeBricks());
    bricks = buffer("smoke bricks", smokeBricks * sizeof(gpu::SmokeBrick));
    reached = buffer("reached bricks", smokeBricks * sizeof(std::uint32_t));
    if (settings.prescribed.field != PrescribedField::None)
        prescribed = PrescribedFlow{.field = buffer("prescribed field", sizeof(gpu::PrescribedData)),
                                    .departures = buffer("departures", countOf(d.scalarCells()) * 4 * sizeof(float)),
                                    .exact = image("exact density", VK_FORMAT_R32_SFLOAT)};
    if (settings.tracers.count > 0) tracers = buffer("tracers", countOf(rowsOf(settings.tracers.count)) * 4 * sizeof(float));
    if (settings.flow.sideFade > 0.0f) makeFaded(device);
    if (!settings.usesLiquid()) crossed = buffer("crossed mass", WISP_CROSSED_SUMS * sizeof(gpu::CrossedSum));
}

void Smoke::makeColours(engine::Device& device, const Domain& d) {
    const auto image = [&](const char* name) {
        return engine::Image(device, {.name = name, .size = d.scalarTexels(), .format = d.vectorFormat()});
    };
    colours = {image("colours"), {}, image("colours scratch 1")};
    if (isPlanned(scalars[1])) makeScratch(device);
}

void Smoke::makeScratch(engine::Device& device) {
    const auto make = [&](std::array<engine::Image, 3>& field, const char* name) {
        if (!isPlanned(field[0]) || isPlanned(field[1])) return;
        engine::ImageDesc desc = field[0].desc();
        desc.name = name;
        field[1] = engine::Image(device, desc);
    };
    make(scalars, "scalars scratch 0");
    make(colours, "colours scratch 0");
}

void Smoke::makeFaded(engine::Device& device) {
    if (faded.bytes() == 0) faded = engine::Buffer(device, {.name = "record", .bytes = kRecordBytes});
}

}  // namespace wisp
