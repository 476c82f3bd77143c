// SPDX-License-Identifier: MIT
#include "compute/domain/domain.h"

#include "compute/domain/obstacles_push.h"
#include "compute/scene/motion.h"

#include <glm/common.hpp>

#include <algorithm>

namespace wisp {
namespace {

using engine::Traffic;

constexpr std::uint64_t kGroup = 256;          // threads of a group, see shaders/shared/reduce.glsl
constexpr std::uint64_t kGroupsInRow = 32768;  // below the 65535 that every Vulkan device allows
// Work groups of a reduction whose threads take several cells each. On a CPU device the reduction within a work group costs 0.2 us per
// thread, as much as twenty fetches.
constexpr std::uint64_t kStridedGroups = 1024, kStridedGroupsOnCpu = 64;

glm::ivec3 endOf(const CellBox& box) { return box.first + glm::ivec3(box.size); }

// The cells whose apertures may change: cells that obstacles touch now, or that they touch in one of the two images. `aperture` has the
// obstacles of two moves ago. Fields that exist once have those of the last move. Whole blocks, because fluid that is cut off in a block is
// closed, too, and the cells below them: if their high faces are closed, their w changes. Obstacles that cross a periodic side are on both
// sides of the box.
CellBox rewrittenCells(const Domain& d) {
    if (d.grid.periodicAxes() != 0) return {glm::ivec3(0), d.cells()};
    glm::ivec3 first = d.solids.first, end = endOf(d.solids);
    for (const CellBox& box : {d.solidsOfAperture, d.solidsOfApertureBefore}) {
        first = glm::min(first, box.first);
        end = glm::max(end, endOf(box));
    }
    const int block = static_cast<int>(d.grid.pressureRatio);
    first = glm::max(first - 2, 0) / block * block;  // a pressure cell of four cells may begin at `first`
    end = glm::min((end + block - 1) / block * block, glm::ivec3(d.cells()));
    return {first, glm::uvec3(end - first)};
}

// Cells whose distances may change. Elsewhere the distance is WISP_FAR_CELLS before and after.
CellBox withinFarCells(const CellBox& box, glm::uvec3 cells) {
    constexpr int kFar = static_cast<int>(WISP_FAR_CELLS);
    const glm::ivec3 first = glm::max(box.first - kFar, 0), end = glm::min(endOf(box) + kFar, glm::ivec3(cells));
    return {first, glm::uvec3(end - first)};
}

void recordMargins(engine::Recorder& rec, const Domain& d, const engine::Image& field, BrickPart part, const SlotMarginsPush& push) {
    if (d.bricks) rec.dispatch("slot_margins", d.bricks->each(part, 256), {{"fieldIn", field}, {"fieldOut", field}}, push);
}

}  // namespace

glm::uvec3 reductionThreads(glm::uvec3 cells) {
    const std::uint64_t groups = (countOf(cells) + kGroup - 1) / kGroup;
    const std::uint64_t row = std::min(groups, kGroupsInRow);
    return {static_cast<std::uint32_t>(row * kGroup), static_cast<std::uint32_t>((groups + row - 1) / row), 1};
}

std::uint64_t reductionGroups(glm::uvec3 threads) { return threads.x / kGroup * threads.y; }

glm::uvec3 rowsOf(std::uint64_t elements) {
    constexpr std::uint64_t kRow = 1024;
    return {static_cast<std::uint32_t>(std::min(elements, kRow)), static_cast<std::uint32_t>((elements + kRow - 1) / kRow), 1};
}

glm::uvec3 Domain::stridedThreads(glm::uvec3 of) const {
    const std::uint64_t groups = std::min((countOf(of) + kGroup - 1) / kGroup, stridedGroups_);
    return {static_cast<std::uint32_t>(groups * kGroup), 1, 1};
}

engine::Threads Domain::storedCells(std::uint32_t around, engine::ShaderConstants more) const {
    if (!bricks) return cells();
    return bricks->over(around > 0 ? BrickPart::Listed : BrickPart::Active, WISP_BRICK_EDGE, around, std::move(more));
}

engine::Threads Domain::storedFaces() const { return bricks ? bricks->over(BrickPart::Active, WISP_BRICK_EDGE) : faces(); }

engine::Threads Domain::storedScalarCells() const {
    return bricks ? bricks->over(BrickPart::Active, WISP_BRICK_EDGE * grid.scalarRatio) : scalarCells();
}

engine::Threads Domain::reachableScalarCells() const {
    return bricks ? inRounds(storedScalarCells(), kScalarRounds) : inLayers(scalarCells());
}

glm::uvec3 Domain::inLayers(glm::uvec3 box) const {
    constexpr std::uint32_t kLayersOnCpu = 8;
    return isCpu_ ? glm::uvec3(box.x, box.y, (box.z + kLayersOnCpu - 1) / kLayersOnCpu) : box;
}

engine::Threads Domain::storedSmokeBricks() const {
    return bricks ? bricks->over(BrickPart::Active, WISP_BRICK_EDGE * grid.scalarRatio / WISP_SMOKE_BRICK) : smokeBricks();
}

engine::Threads Domain::inRounds(engine::Threads threads, std::uint32_t rounds) const {
    constexpr std::uint32_t kThreadsOnCpu = 64;  // of a brick: on CPU devices each barrier of a thread costs as much as twenty fetches
    engine::ListedUnits& listed = threads.listed;
    if (isCpu_) rounds = std::max(rounds, listed.threads / kThreadsOnCpu);
    if (rounds == 1 || listed.threads <= rounds) return threads;  // a box, or too few
    listed.threads /= rounds;
    threads.constants["kRounds"] = rounds;
    return threads;
}

engine::ShaderConstants Domain::cubes(std::uint32_t edge) const {
    if (!bricks) return {};
    return {{"kGroupX", edge}, {"kGroupZ", isCpu_ ? 1u : edge}};
}

CellBox Domain::rewrittenBlocks(int edge, glm::uvec3 all) const {
    // The low faces of the block after the last one belong to `rewritten`. Beside that there is one more block.
    const glm::ivec3 first = glm::max(rewritten.first / edge - 1, 0),
                     end = glm::min((endOf(rewritten) + edge - 1) / edge + 2, glm::ivec3(all));
    return {first, glm::uvec3(end - first)};
}

gpu::PressureLevel Domain::pressureLevel() const { return {.cells = glm::ivec3(pressureCells()), .last = glm::vec3(1.0f)}; }

Domain::Domain(engine::Device& device, const Settings& settings, glm::uvec3 particles)
    : grid(settings.grid), meshes(device, settings), isCpu_(device.isCpu()), stridedGroups_(isCpu_ ? kStridedGroupsOnCpu : kStridedGroups) {
    const auto image = [&](const char* name, glm::uvec3 size, VkFormat format) {
        return engine::Image(device, {.name = name, .size = size, .format = format});
    };
    if (grid.sparse) bricks.emplace(device, grid, firstSlots(settings));
    const glm::uvec3 faceSize = flowTexels(faceTexels());
    const glm::uvec3 obstacleCells = settings.obstacles.empty() && !settings.byHand ? glm::uvec3(1) : flowTexels(cells());
    aperture = image("aperture", faceSize, VK_FORMAT_R8G8B8A8_UNORM);
    // Always floats: backtraces are clipped by the distance, and lavapipe samples floats twice as fast as halves.
    solidDistance = image("solid distance", obstacleCells, VK_FORMAT_R32_SFLOAT);
    if (settings.byHand || obstaclesMove(settings)) {
        apertureBefore = image("aperture before", faceSize, VK_FORMAT_R8G8B8A8_UNORM);
        solidDistanceBefore = image("solid distance before", obstacleCells, VK_FORMAT_R32_SFLOAT);
    }
    solidVelocity = image("solid velocity", bricks && obstacleCells.x == 1 ? glm::uvec3(1) : faceSize, vectorFormat());
    step = engine::Buffer(device, {.name = "step", .bytes = sizeof(gpu::StepData)});
    // Stored cells are reduced by strided threads.
    const std::uint64_t groups = std::max({reductionGroups(reductionThreads(bricks ? pressureCells() : scalarCells())),
                                           reductionGroups(reductionThreads(bricks ? pressureCells() : cells())),
                                           reductionGroups(stridedThreads(particles)), reductionGroups(stridedThreads(scalarCells()))});
    partials = engine::Buffer(device, {.name = "partials", .bytes = groups * kRecordBytes});
    rewriteAll();
}

void recordReduceFinal(engine::Recorder& rec, const Domain& d, glm::uvec3 threads, const engine::Buffer& into) {
    rec.dispatch("reduce_final", {256, 1, 1}, {{"partialsIn", d.partials}, {"partialsOut", into}}, threads.x / 256 * threads.y);
}

void recordWrapFaces(engine::Recorder& rec, const Domain& d, const engine::Image& faces) {
    if (d.grid.periodicAxes() == 0) return;
    const glm::uvec3 size = d.faceTexels();
    const std::uint32_t longest = std::max({size.x, size.y, size.z});
    const std::uint64_t seams = std::uint64_t{size.x} * size.y + std::uint64_t{size.y} * size.z + std::uint64_t{size.z} * size.x;
    rec.dispatch("wrap_faces", {longest, longest, 3},
                 {{"facesIn", Traffic::texels(faces, seams)}, {"facesOut", Traffic::texels(faces, seams)}});
}

void recordObstacles(engine::Recorder& rec, Domain& d) {
    d.rewritten = rewrittenCells(d);
    d.solidsOfAperture = d.solids;
    const CellBox faces = d.rewrittenTexels(), near = withinFarCells(d.rewritten, d.cells());
    const ObstaclesPush push{near.first, faces.first, glm::ivec3(faces.size)};
    const bool listed = d.bricks && d.rewritesAll();
    rec.dispatch("obstacles", listed ? d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE) : engine::Threads(near.size + 1u),
                 {{"aperture", Traffic::texels(d.aperture, countOf(faces.size))},
                  {"solidVelocityOut", Traffic::texels(d.solidVelocity, countOf(faces.size))},
                  {"distanceOut", Traffic::texels(d.solidDistance, countOf(near.size))}},
                 push);
    recordWrapFaces(rec, d, d.aperture);
    recordWrapFaces(rec, d, d.solidVelocity);
}

void recordObstaclesOfFilled(engine::Recorder& rec, const Domain& d) {
    const ObstaclesPush push{glm::ivec3(0), glm::ivec3(0), glm::ivec3(d.faceTexels())};
    const auto into = [&](const engine::Image& aperture, const engine::Image& distance) {
        rec.dispatch("obstacles", d.inRounds(d.bricks->over(BrickPart::Fill, WISP_BRICK_EDGE), 1),
                     {{"aperture", aperture}, {"solidVelocityOut", d.solidVelocity}, {"distanceOut", distance}}, push);
    };
    if (d.apertureBefore) into(d.apertureBefore, d.solidDistanceBefore);
    into(d.aperture, d.solidDistance);
}

void recordFaceMargins(engine::Recorder& rec, const Domain& d, const engine::Image& field) {
    recordMargins(rec, d, field, BrickPart::Listed, {glm::ivec3(d.faceTexels()), 0});
}

void recordCellMargins(engine::Recorder& rec, const Domain& d, const engine::Image& field) {
    recordMargins(rec, d, field, BrickPart::Listed, {glm::ivec3(d.cells()), 0});
}

void recordSmokeMargins(engine::Recorder& rec, const Domain& d, const engine::Image& field) {
    recordMargins(rec, d, field, BrickPart::Active, {glm::ivec3(d.scalarCells()), 1});
}

void recordBlankSlots(engine::Recorder& rec, const engine::Image& aperture, const engine::Image& distance, std::uint32_t edge) {
    rec.dispatch("blank_slots", glm::uvec3(2, 1, 1) * edge, {{"apertureOut", aperture}, {"distanceOut", distance}},
                 BlankSlotsPush{static_cast<int>(edge), distance.size() == aperture.size() ? 1 : 0});
}

}  // namespace wisp
