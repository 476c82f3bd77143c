// SPDX-License-Identifier: MIT
#include "compute/domain/fields.h"

#include "compute/scene/motion.h"
#include "shaders/shared/prescribed.h"
#include "shaders/shared/step.h"

#include <algorithm>

namespace wisp {
namespace {

constexpr std::uint64_t kGroup = 256;          // threads of a group, see shaders/shared/reduce.glsl
constexpr std::uint64_t kGroupsInRow = 32768;  // below the 65535 that every Vulkan device allows
// Of a reduction whose threads take several cells. Folding a group costs a CPU device .2 us a thread, as much as twenty fetches.
constexpr std::uint64_t kStridedGroups = 1024, kStridedGroupsOnCpu = 64;

std::uint64_t count(glm::uvec3 size) { return std::uint64_t{size.x} * size.y * size.z; }

StateField wordsField(const char* name, const engine::Buffer& buffer) {
    return {name, rowsOf(buffer.bytes() / sizeof(float)), VK_FORMAT_R32_SFLOAT, nullptr, &buffer};
}
StateField vectorsField(const char* name, const engine::Buffer& buffer) {
    return {name, rowsOf(buffer.bytes() / (4 * sizeof(float))), VK_FORMAT_R32G32B32A32_SFLOAT, nullptr, &buffer};
}

void addLiquid(std::vector<StateField>& fields, const LiquidFields& l) {
    fields.push_back(vectorsField("liquid places", l.places[0]));
    fields.push_back(vectorsField("liquid velocities", l.velocities[0]));
    if (l.affine) fields.push_back(vectorsField("liquid gradients", l.gradients[0]));
    fields.push_back(wordsField("liquid in cells", l.cellFirst[0]));
    fields.push_back(wordsField("liquid speed", l.speed));
    fields.push_back(wordsField("liquid gone", l.gone));
    fields.push_back(wordsField("liquid reborn", l.reborn[0]));
}

std::uint64_t reductionGroups(glm::uvec3 cells) {
    const glm::uvec3 threads = reductionThreads(cells);
    return threads.x / kGroup * threads.y;
}

}  // namespace

glm::uvec3 reductionThreads(glm::uvec3 cells) {
    const std::uint64_t groups = (count(cells) + kGroup - 1) / kGroup;
    const std::uint64_t row = std::min(groups, kGroupsInRow);
    return {static_cast<std::uint32_t>(row * kGroup), static_cast<std::uint32_t>((groups + row - 1) / row), 1};
}

glm::uvec3 rowsOf(std::uint64_t elements) {
    constexpr std::uint64_t kRow = 1024;
    return {static_cast<std::uint32_t>(std::min(elements, kRow)), static_cast<std::uint32_t>((elements + kRow - 1) / kRow), 1};
}

glm::uvec3 Fields::stridedThreads(glm::uvec3 of) const {
    const std::uint64_t groups = std::min((count(of) + kGroup - 1) / kGroup, stridedGroups_);
    return {static_cast<std::uint32_t>(groups * kGroup), 1, 1};
}

gpu::PressureLevel Fields::pressureLevel() const { return {.cells = glm::ivec3(pressureCells()), .last = glm::vec3(1.0f)}; }

Fields::Fields(engine::Device& device, const Settings& settings)
    : grid(settings.grid), stridedGroups_(device.isCpu() ? kStridedGroupsOnCpu : kStridedGroups) {
    const bool temperature = settings.usesTemperature();
    const bool half = grid.precision == Precision::Half;
    const VkFormat vectorFormat = half ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT;
    const VkFormat scalarFormat = temperature ? (half ? VK_FORMAT_R16G16_SFLOAT : VK_FORMAT_R32G32_SFLOAT)
                                              : (half ? VK_FORMAT_R16_SFLOAT : VK_FORMAT_R32_SFLOAT);
    const auto image = [&](const char* name, glm::uvec3 size, VkFormat format) {
        return engine::Image(device, {.name = name, .size = size, .format = format});
    };
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };

    velocity = image("velocity", faceTexels(), vectorFormat);
    scratch = {image("scratch 0", faceTexels(), vectorFormat), image("scratch 1", faceTexels(), vectorFormat)};
    centre = image("centre velocity", cells(), vectorFormat);
    for (auto [field, name] : {std::pair{&centreVectors, "centre velocity, vectors"}, {&back, "paths back"}, {&ahead, "paths ahead"}}) {
        *field = engine::Buffer(device, {.name = name, .bytes = count(cells()) * vectorBytes(), .byAddress = true});
    }
    scalars = {image("scalars", scalarCells(), scalarFormat), image("scalars scratch 0", scalarCells(), scalarFormat),
               image("scalars scratch 1", scalarCells(), scalarFormat)};
    if (settings.usesColour()) makeColours(device);
    initialImages = InitialImages(device, settings);
    reach = buffer("reach of paths", count((cells() + glm::uvec3(7, 3, 1)) / glm::uvec3(8, 4, 2)) * sizeof(float));
    bricks = buffer("smoke bricks", count(smokeBricks()) * sizeof(gpu::SmokeBrick));
    reached = buffer("reached bricks", count(smokeBricks()) * sizeof(std::uint32_t));
    const glm::uvec3 obstacleCells = settings.obstacles.empty() && !settings.byHand ? glm::uvec3(1) : cells();
    openness = image("openness", faceTexels(), VK_FORMAT_R8G8B8A8_UNORM);
    // In floats, whatever the precision: paths are cut by it, and lavapipe samples floats twice as fast as halves.
    solidDistance = image("solid distance", obstacleCells, VK_FORMAT_R32_SFLOAT);
    if (settings.byHand || std::ranges::any_of(settings.obstacles, moves)) {
        opennessBefore = image("openness before", faceTexels(), VK_FORMAT_R8G8B8A8_UNORM);
        solidDistanceBefore = image("solid distance before", obstacleCells, VK_FORMAT_R32_SFLOAT);
    }
    solidVelocity = image("solid velocity", faceTexels(), vectorFormat);

    makePressureFields(device, settings, vectorFormat);

    if (settings.prescribed.field != PrescribedField::None) {
        prescribed = buffer("prescribed field", sizeof(gpu::PrescribedData));
        departures = buffer("departures", count(scalarCells()) * 4 * sizeof(float));
        exact = image("exact density", scalarCells(), VK_FORMAT_R32_SFLOAT);
    }
    if (settings.usesLiquid()) liquid.emplace(device, settings);
    if (settings.tracers.count > 0) tracers = buffer("tracers", count(rowsOf(settings.tracers.count)) * 4 * sizeof(float));
    step = buffer("step", sizeof(gpu::StepData));
    const std::uint64_t ofParticles = liquid ? stridedThreads(liquid->particles()).x / kGroup : 0;
    partials = buffer("partials", std::max({reductionGroups(scalarCells()), reductionGroups(cells()), ofParticles}) * kRecordBytes);
    for (std::size_t n = 0; n < records.size(); ++n)
        if (static_cast<Record>(n) != Record::Faded) records[n] = buffer("record", kRecordBytes);
    if (settings.flow.sideFade > 0.0f) makeFaded(device);
    if (settings.byHand || !settings.obstacles.empty())
        for (int n = 0; n < 2 * WISP_MAX_OBSTACLES; ++n) bodyRecords.push_back(buffer("record", kRecordBytes));
}

std::vector<StateField> Fields::state() const {
    const auto image = [](const char* name, const engine::Image& i) { return StateField{name, i.size(), i.desc().format, &i, nullptr}; };
    std::vector<StateField> fields{image("velocity", velocity), image("scalars", scalars[0])};
    if (hasColours()) fields.push_back(image("colours", colours[0]));
    // Of the velocity that moved the smoke, for the vorticity of the next step.
    const VkFormat vectors = grid.precision == Precision::Half ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT;
    fields.push_back({"centre velocity", cells(), vectors, nullptr, &centreVectors});
    if (isPrescribed()) fields.push_back({"departures", scalarCells(), VK_FORMAT_R32G32B32A32_SFLOAT, nullptr, &departures});
    if (tracers.bytes() > 0) fields.push_back(vectorsField("tracers", tracers));
    if (liquid) addLiquid(fields, *liquid);
    fields.push_back({"pressure", pressureCells(), VK_FORMAT_R32_SFLOAT, nullptr, &pressure[0]});
    return fields;
}

void Fields::makeFaded(engine::Device& device) {
    engine::Buffer& faded = record(Record::Faded);
    if (faded.bytes() == 0) faded = engine::Buffer(device, {.name = "record", .bytes = kRecordBytes});
}

void Fields::makeColours(engine::Device& device) {
    const auto image = [&](const char* name) {
        return engine::Image(device,
                             {.name = name,
                              .size = scalarCells(),
                              .format = grid.precision == Precision::Half ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT});
    };
    colours = {image("colours"), image("colours scratch 0"), image("colours scratch 1")};
}

/// What the solve needs, and the way of its pressure back to the fine grid.
void Fields::makePressureFields(engine::Device& device, const Settings& settings, VkFormat vectorFormat) {
    const PressureSolver solver = settings.pressure.solver;
    const auto image = [&](const char* name, glm::uvec3 size, VkFormat format) {
        return engine::Image(device, {.name = name, .size = size, .format = format});
    };
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    weights = buffer("weights", count(pressureFaces()) * 4 * sizeof(float));
    regular = buffer("regular cells", static_cast<std::uint64_t>(gpu::regularCount(pressureLevel())) * sizeof(std::uint32_t));
    rhs = buffer("right-hand side", count(pressureCells()) * sizeof(float));
    pressure[0] = buffer("pressure 0", count(pressureCells()) * sizeof(float));
    const bool cycles = settings.usesLiquid() || solver == PressureSolver::Multigrid || solver == PressureSolver::Mgpcg;
    if (cycles) pyramid = Pyramid(device, pressureLevel(), grid.periodicAxes() != 0);
    if (solver == PressureSolver::Jacobi || pyramid.inTiles(pressureLevel()))
        pressure[1] = buffer("pressure 1", count(pressureCells()) * sizeof(float));
    if (solver == PressureSolver::Mgpcg) gradient = ConjugateGradient(device, pressureLevel());
    const auto blocksOf = [&](glm::uvec3 level, VkFormat format) {
        const glm::uvec3 size = (level + 1u) / 2u + 1u;
        return BlockFields{
            .openFaces = buffer("open faces", count(size) * sizeof(std::uint32_t)),
            .smoothFaces = buffer("smooth faces", count(size) * sizeof(std::uint32_t)),
            .changes = {image("changes x", size, format), image("changes y", size, format), image("changes z", size, format)}};
    };
    const VkFormat floatFormat = VK_FORMAT_R32G32B32A32_SFLOAT;
    if (grid.pressureRatio > 1) blocks = blocksOf(cells(), vectorFormat);
    if (grid.pressureRatio == 4) {
        const glm::uvec3 size = (cells() + 1u) / 2u;
        middle = MiddleFields{.cells = size,
                              .velocity = image("middle velocity", size + 1u, floatFormat),
                              .projected = image("middle projected", size + 1u, floatFormat),
                              .openness = image("middle openness", size + 1u, floatFormat),
                              .correction = buffer("middle correction", count(size + 1u) * 3 * sizeof(float)),
                              .blocks = blocksOf(size, floatFormat)};
    }
    const bool upsampled = grid.pressureRatio > 1;
    correction = buffer("correction", count(upsampled ? pressureFaces() : glm::uvec3(1)) * 3 * sizeof(float));
    means = buffer("coarse velocity", count(upsampled ? pressureCells() : glm::uvec3(1)) * 3 * sizeof(float));
}

}  // namespace wisp
