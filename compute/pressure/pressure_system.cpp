// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure_system.h"

namespace wisp {
namespace {

engine::Image makeImage(engine::Device& device, const char* name, glm::uvec3 size, VkFormat format) {
    return engine::Image(device, {.name = name, .size = size, .format = format});
}

engine::Buffer makeBuffer(engine::Device& device, const char* name, std::uint64_t bytes) {
    return engine::Buffer(device, {.name = name, .bytes = bytes});
}

// `size`: texels of the images, and elements of the buffers.
Blocks makeBlocks(engine::Device& device, glm::uvec3 size, VkFormat format) {
    return {.openFaces = makeBuffer(device, "open faces", countOf(size) * sizeof(std::uint32_t)),
            .smoothFaces = makeBuffer(device, "smooth faces", countOf(size) * sizeof(std::uint32_t)),
            .changes = {makeImage(device, "changes x", size, format), makeImage(device, "changes y", size, format),
                        makeImage(device, "changes z", size, format)}};
}

glm::uvec3 blockTexels(glm::uvec3 level) { return (level + 1u) / 2u + 1u; }

MiddleGrid makeMiddle(engine::Device& device, const Domain& d) {
    constexpr VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
    const glm::uvec3 cells = (d.cells() + 1u) / 2u, size = d.flowTexels(cells + 1u, WISP_BRICK_EDGE / 2);
    return {.cells = cells,
            .velocity = makeImage(device, "middle velocity", size, format),
            .projected = makeImage(device, "middle projected", size, format),
            .aperture = makeImage(device, "middle aperture", size, format),
            .correction = makeBuffer(device, "middle correction", countOf(size) * 3 * sizeof(float)),
            .blocks = makeBlocks(device, blockTexels(cells), format)};
}

ConjugateGradient makeGradient(engine::Device& device, const gpu::PressureLevel& level) {
    const auto buffer = [&](const char* name) {
        return makeBuffer(device, name, static_cast<std::uint64_t>(gpu::cellCount(level)) * sizeof(float));
    };
    return {.remainder = buffer("gradient remainder"),
            .preconditioned = buffer("gradient preconditioned"),
            .direction = buffer("gradient direction"),
            .applied = buffer("gradient applied"),
            .products = makeBuffer(device, "record", kRecordBytes),
            .dots = makeBuffer(device, "record", kRecordBytes)};
}

}  // namespace

PressureSystem::PressureSystem(engine::Device& device, const Settings& settings, const Domain& d, bool cycles) : cells(d.cells()) {
    const PressureSolver solver = settings.pressure.solver;
    const gpu::PressureLevel level = d.pressureLevel();
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return makeBuffer(device, name, bytes); };
    weights = buffer("weights", countOf(d.pressureFaces()) * 4 * sizeof(float));
    regular = buffer("regular cells", static_cast<std::uint64_t>(gpu::regularCount(level)) * sizeof(std::uint32_t));
    rhs = buffer("right-hand side", countOf(d.pressureCells()) * sizeof(float));
    pressure[0] = buffer("pressure 0", countOf(d.pressureCells()) * sizeof(float));
    if (cycles || solver == PressureSolver::Multigrid || solver == PressureSolver::Mgpcg)
        pyramid = Pyramid(device, level, d.grid.periodicAxes() != 0);
    if (solver == PressureSolver::Jacobi || pyramid.inTiles(level))
        pressure[1] = buffer("pressure 1", countOf(d.pressureCells()) * sizeof(float));
    if (solver == PressureSolver::Mgpcg) gradient = makeGradient(device, level);
    const std::uint32_t ratio = d.grid.pressureRatio;
    const glm::uvec3 fineBlocks = blockTexels(d.cells());
    if (ratio > 1) blocks = makeBlocks(device, ratio == 4 ? d.flowTexels(fineBlocks, WISP_BRICK_EDGE / 2) : fineBlocks, d.vectorFormat());
    if (ratio == 4) middle = makeMiddle(device, d);
    correction = buffer("correction", countOf(ratio > 1 ? d.pressureFaces() : glm::uvec3(1)) * 3 * sizeof(float));
    means = buffer("coarse velocity", countOf(ratio > 1 ? d.pressureCells() : glm::uvec3(1)) * 3 * sizeof(float));
    const std::uint64_t cellsOfPotential = ratio > 1 ? d.flowElements(countOf(d.cells())) : 1;
    potential = engine::Buffer(device, {.name = "fine pressure", .bytes = cellsOfPotential * sizeof(float), .byAddress = true});
    residual = buffer("record", kRecordBytes);
}

}  // namespace wisp
