// SPDX-License-Identifier: MIT
// Fields in bricks of a sparse simulation, and the coarse velocity.
#include "compute/picture/shutter.h"
#include "shaders/shared/view.h"
#include "tests/gpu/pass_slots.h"

namespace wisp::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cases, PassBrickFields,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1, Precision::Half}, PassCase{{40, 34, 36}, 2, 1},
                                         PassCase{{100, 70, 52}, 2, 1}),
                         nameOf);

TEST_P(PassBrickFields, Smoke) {
    Field scalars = sparseScalars();
    const engine::Image image = toGpu(scalars, scalarFormat());
    const ivec3 group(shaders->get("backtrace").interface.localSize);
    Numbers reach = randomNumbers((step.cells + group - 1) / group, 0.0, 12.0);
    const engine::Buffer reachGpu = toGpu(reach);
    use(randomStates(0.6, 0.5));
    const std::size_t parts = Numbers(smokeBrickCount()).count();
    const engine::Buffer smokeOut = marked(3 * countOfBricks()), flags = marked(2 * parts);
    const float threshold = 0.01f;
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("brick_smoke", bricks->each(BrickPart::Active, 256),
                     {{"scalars", image}, {"reach", reachGpu}, {"smokeOut", smokeOut}, {"bricks", flags}}, threshold);
    });
    const Grid<SmokeInBrick> twin = brickSmoke(step, scalars, reach, group, double(threshold));
    const Words found = valuesOf<std::uint32_t>(smokeOut, 3 * countOfBricks()), foundFlags = valuesOf<std::uint32_t>(flags, 2 * parts);
    std::size_t n = 0, filled = 0;
    forEach(states.size(), [&](ivec3 b) {
        const bool active = states(b).active;
        EXPECT_EQ(found[n], active ? boxOf(twin(b), b) : kMarkerWord) << "box of brick " << n / 3;
        if (active) EXPECT_NEAR(double(std::bit_cast<float>(found[n + 1])), twin(b).most, 6.0 * kEps * twin(b).most);
        else EXPECT_EQ(found[n + 1], kMarkerWord);
        EXPECT_EQ(found[n + 2], active ? std::bit_cast<std::uint32_t>(static_cast<float>(twin(b).reach)) : kMarkerWord)
            << "brick " << n / 3;
        filled += active && twin(b).holds;
        n += 3;
    });
    EXPECT_GT(filled, 0u);
    const reference::SmokeBricks ofSmoke = smokeBricks(step, scalars, reach, group);
    n = 0;
    forEach(smokeBrickCount(), [&](ivec3 p) {
        const bool active = states(brickOfSmoke(p)).active;
        EXPECT_EQ(foundFlags[n], active ? (ofSmoke(p).holds ? 1u : 0u) : kMarkerWord) << "brick of smoke " << n / 2;
        EXPECT_EQ(foundFlags[n + 1], active ? 0u : kMarkerWord) << "brick of smoke " << n / 2;
        n += 2;
    });
}

TEST_P(PassBrickFields, Vorticity) {
    Field coarse = random(pressureFaces(step), 3, -1.0, 1.0);
    // Half of the bricks has slower flow.
    const Numbers slow = randomNumbers(brickCount(step), 0.0, 1.0);
    forEach(coarse.size(), [&](ivec3 c) { coarse(c) *= slow(c * step.ratio / kBrickEdge) < 0.5 ? 0.1 : 1.0; });
    const engine::Image image = toGpu(coarse, vectorFormat());
    put(bricks->fastest, Words{0});
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("brick_vorticity", bricks->size * glm::uvec3(64, 1, 1),
                     {{"coarseVelocity", image}, {"vorticityOut", bricks->vorticity}, {"fastest", bricks->fastest}});
    });
    const BrickVorticity twin = brickVorticity(step, coarse);
    // Two differences of at most 2 and their difference: 8 roundings along each axis. The length of at most 4 sqrt(3) adds 12 of its size
    // (the square root may be wrong by 4).
    expectNear(fromGpu(bricks->vorticity, brickCount(step)), twin.swirl, (8.0 + 12.0 * 4.0) * std::sqrt(3.0) * kEps);
    EXPECT_EQ(double(valuesOf<float>(bricks->fastest, 1).front()), twin.fastest);
}

TEST_P(PassBrickFields, RestrictFaces) {
    Field fineAperture = aperture(), velocity = randomVelocity(step), weights = coarseAperture(step, fineAperture);
    const engine::Image open = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM), u = toGpu(velocity, vectorFormat());
    const engine::Buffer w = weightsToGpu(weights), regular = regularToGpu(weights);
    const Field twin = restrictFaces(step, fineAperture, velocity);
    const int edge = kBrickEdge / step.ratio;
    struct Case {
        BrickStates states;
        int border;          // [cells]; 0: all faces of active bricks
        std::uint32_t code;  // of `border`
        bool skips;          // some faces of active bricks
    };
    // Beyond a brick's edge it is not known which bricks are active: nothing is skipped.
    const int ofPaths = 6 + 2 + 3 * step.ratio;
    const std::uint32_t code = static_cast<std::uint32_t>(WISP_NEAR_PATHS + 3 * step.ratio);
    // Whether there is a brick with bricks on all sides, and another one of these that is not beside the first brick.
    const bool hasInside = glm::all(glm::greaterThan(brickCount(step), ivec3(2))),
               hasFar = hasInside && glm::any(glm::greaterThan(brickCount(step), ivec3(3)));
    for (const Case& c : {Case{randomStates(0.6, 0.5), 0, 0, false},
                          {randomStates(0.6, 0.5), 2, 2, false},
                          {randomStates(0.6, 0.5), ofPaths, code, false},
                          {borderStates(), 2, 2, hasFar},
                          {borderStates(), ofPaths, code, hasFar && ofPaths <= kBrickEdge},
                          {fullStates(), ofPaths, code, hasInside && ofPaths <= kBrickEdge}}) {
        SCOPED_TRACE(testing::Message() << "border " << c.border);
        use(c.states, 6);
        const Threads threads = bricks->over(BrickPart::Active, static_cast<std::uint32_t>(edge), 0, {{"kBorder", c.code}});
        const engine::Image result = marked(pressureFaces(step), vectorFormat());
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("restrict_faces", threads,
                         {{"weights", w}, {"regular", regular}, {"aperture", open}, {"velocity", u}, {"coarseOut", result}});
        });
        const Grid<int> all = computed("restrict_faces", threads, BrickPart::Active, edge, pressureFaces(step)),
                        some = computed("restrict_faces", threads, BrickPart::Active, edge, pressureFaces(step), 0, c.border);
        EXPECT_GT(countOf(some), 0u);
        if (c.skips) {
            EXPECT_LT(countOf(some), countOf(all));
        }
        // A quotient of sums of up to 16 products of speeds below 1, each with a rounding.
        expectNear(fromGpu(result), merged(some, twin), (2.0 * step.ratio * step.ratio + 2.0) * kEps, half());
    }
}

TEST_P(PassBrickFields, ProjectCoarse) {
    Field weights = coarseAperture(step, aperture()), coarse = random(pressureFaces(step), 3, -1.0, 1.0),
          correction = random(pressureFaces(step), 3, -1.0, 1.0);
    std::vector<float> values;  // all faces of an axis, then all of the next
    for (int axis = 0; axis < 3; ++axis) {
        for (dvec4& v : correction.values()) {
            values.push_back(static_cast<float>(v[axis]));
            v[axis] = double(values.back());
        }
    }
    const engine::Buffer c = target(values.size()), w = weightsToGpu(weights), regular = regularToGpu(weights),
                         vectors = buffer("vectors", Field(step.pressureCells).count() * (halfStorage ? 8 : 16), true);
    upload(c, values);
    const engine::Image u = toGpu(coarse, vectorFormat()), result = target(pressureFaces(step), vectorFormat()),
                        centre = target(step.pressureCells, vectorFormat());
    const Level level{step.cells, 1, 0.625f};
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("project_coarse", pressureFaces(step),
                     {{"weights", w},
                      {"correction", c},
                      {"regular", regular},
                      {"coarseIn", u},
                      {"coarseOut", result},
                      {"centreOut", centre},
                      {"centreVectors", vectors}},
                     level);
    });
    const CoarseVelocity twin = projectCoarse(step, 0.625, weights, correction, coarse);
    const double tolerance = 6.0 * kEps;  // a product, a sum below 2, and a mean of two of these
    expectNear(fromGpu(result), twin.faces, tolerance, half());
    expectNear(fromGpu(centre), twin.centre, tolerance, half());
    expectNear(vectorsFromGpu(vectors, step.pressureCells), twin.centre, tolerance, half());
}

TEST_P(PassBrickFields, SmokeBox) {
    const ivec3 size = smokeBrickCount();
    const int edge = kBrickEdge * step.scalarRatio / 8;  // of a brick
    Field occupied = random(size, 3, 0.0, 1.0);
    const engine::Image image = toGpu(occupied, VK_FORMAT_R32_SFLOAT);
    const engine::Buffer box = target(6), viewData = buffer("view", sizeof(gpu::ViewData));
    gpu::ViewData sizes{};
    sizes.bricks = size;
    put(viewData, std::vector<gpu::ViewData>{sizes});
    use(cornerStates());
    const Grid<int> listed = computed("smoke_box", bricks->over(BrickPart::Listed, static_cast<std::uint32_t>(edge)), BrickPart::Listed,
                                      edge, size);
    for (const float above : {2.0f, 0.95f, 0.0f}) {
        ivec3 fromHigh(0), end(0);
        forEach(size, [&](ivec3 b) {
            if (listed(b) == 0 || !(occupied(b).x > double(above))) return;
            fromHigh = glm::max(fromHigh, size - b);
            end = glm::max(end, b + 1);
        });
        put(box, Words(6, 0));
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("smoke_box", bricks->over(BrickPart::Listed, static_cast<std::uint32_t>(edge)),
                         {{"view", viewData}, {"occupancy", image}, {"smokeBoxOut", box}}, above);
        });
        const std::vector<int> expected{fromHigh.x, fromHigh.y, fromHigh.z, end.x, end.y, end.z};
        EXPECT_EQ(valuesOf<int>(box, 6), expected) << above;
    }
}

// While the shutter is open, smoke goes as far as its fastest component, rounded up to bricks, and not beyond the grid.
TEST_P(PassBrickFields, ShutterWidensTheSmokeBox) {
    const ivec3 size = smokeBrickCount();
    const engine::Image occupancy = target(size, VK_FORMAT_R32_SFLOAT), widened = target(size, VK_FORMAT_R32_SFLOAT);
    const engine::Buffer box = target(6), fastest = target(3), viewData = buffer("view", sizeof(gpu::ViewData));
    gpu::ViewData sizes{};
    sizes.bricks = size;
    put(viewData, std::vector<gpu::ViewData>{sizes});
    put(fastest, std::vector<float>{0.5f, 1.5f, 0.0f});
    const float time = 8.0f * step.h / static_cast<float>(step.scalarRatio);  // a speed of 1 reaches one brick
    const auto boxAfter = [&](const std::vector<int>& before) {
        put(box, before);
        sparse([&](engine::Recorder& rec) {
            rec.clear(occupancy, 0.0f);
            for (int axis = 0; axis < 3; ++axis)
                rec.dispatch(
                    "shutter_occupancy", {size, {{"kSparse", 1}}},
                    {{"view", viewData}, {"occupancyIn", occupancy}, {"occupancyOut", widened}, {"fastest", fastest}, {"smokeBoxOut", box}},
                    ShutterOccupancyPush{axis, time});
        });
        return valuesOf<int>(box, 6);
    };
    const ivec3 most = glm::min(ivec3(2, 3, 1) + ivec3(1, 2, 0), size);
    EXPECT_EQ(boxAfter({2, 3, 1, 2, 3, 1}), (std::vector<int>{most.x, most.y, most.z, most.x, most.y, most.z}));
    EXPECT_EQ(boxAfter(std::vector<int>(6, 0)), std::vector<int>(6, 0)) << "there is no smoke";
}

TEST_P(PassBrickFields, LightWindow) {
    const ivec3 size = smokeBrickCount();
    gpu::ViewData sizes{};
    sizes.bricks = size;
    const engine::Buffer box = target(6), viewData = buffer("view", sizeof(gpu::ViewData)), window = target(sizeof(gpu::LightWindow) / 4);
    for (const WindowLimits limits : {WindowLimits{ivec3(256), 256, 1, 2},
                                      {(step.cells + 1) / 2, 32, 2, 2},
                                      {ivec3(5, 4, 5), 32, 2, 1},
                                      {ivec3(256), 3, 1, 2},
                                      {ivec3(3, 2, 4), 5, 4, 2},
                                      {ivec3(1), 1, 1, 1}}) {
        sizes.lightCells = limits.lightCells;
        put(viewData, std::vector<gpu::ViewData>{sizes});
        for (int n = 0; n < 8; ++n) {
            const Field corners = random(ivec3(2, 1, 1), 3, 0.0, 1.0);
            const ivec3 a(dvec3(corners(ivec3(0, 0, 0))) * dvec3(size)), b(dvec3(corners(ivec3(1, 0, 0))) * dvec3(size));
            const ivec3 first = glm::min(a, b), end = glm::max(a, b) + 1;  // bricks of smoke
            const bool empty = n == 0;
            const ivec3 fromHigh = empty ? ivec3(0) : size - first, upTo = empty ? ivec3(0) : end;
            put(box, std::vector<int>{fromHigh.x, fromHigh.y, fromHigh.z, upTo.x, upTo.y, upTo.z});
            const gpu::LightWindowPush push{limits.lightEdge, limits.ordinateEdge, limits.ordinates};
            sparse([&](engine::Recorder& rec) {
                rec.dispatch("light_window", {1, 1, 1}, {{"view", viewData}, {"smokeBox", box}, {"lightWindowOut", window}}, push);
            });
            const gpu::LightWindow found = valuesOf<gpu::LightWindow>(window, 1).front();
            const WindowOfLight twin = lightWindow(step, empty ? ivec3(0) : first * 8 / step.scalarRatio,
                                                   empty ? ivec3(1) : end * 8 / step.scalarRatio, limits);
            // A position is a product and a sum.
            const double far = double(glm::length(step.origin)) + glm::length(dvec3(step.cells)) * double(step.h);
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_NEAR(found.low[axis], double(step.origin[axis]) + twin.low[axis] * double(step.h), 2.0 * kEps * far);
                EXPECT_NEAR(found.size[axis], twin.size[axis] * double(step.h), kEps * far);
            }
            const auto tiles = [](ivec3 cells) { return glm::uvec3(glm::ceil(dvec3(cells) / dvec3(8, 8, 4))); };
            const glm::uvec3 light = tiles(twin.lightCells), sky = tiles(twin.skyCells);
            for (std::uint32_t k = 0; k < WISP_WINDOW_COMMANDS; ++k) {
                EXPECT_EQ(found.lightCommands[k], glm::uvec3(1u << k, light.x * light.y, light.z));
                EXPECT_EQ(found.skyCommands[k], glm::uvec3(1u << k, sky.x * sky.y, sky.z));
            }
            EXPECT_EQ(found.lightCells, twin.lightCells);
            EXPECT_EQ(found.skyCells, twin.skyCells);
            for (std::size_t level = 0; level < 3; ++level) EXPECT_EQ(found.ordinateCells[level], twin.ordinateCells[level]) << level;
            EXPECT_EQ(found.scale, static_cast<float>(twin.scale));
        }
    }
}

struct BlankSlotsPush {
    int edge, hasDistance;
};
WISP_MEMBERS(BlankSlotsPush, edge, hasDistance)

class PassClose : public PassSlots {};
INSTANTIATE_TEST_SUITE_P(Cases, PassClose,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1, Precision::Half}),
                         nameOf);

TEST_P(PassClose, Close) {
    // Densities are multiples of 2^-20, or halves, so that their sum in units of 2^-16 does not depend on rounding. Some are negative, and
    // some exceed the limit of a cell.
    Field scalars = random(step.scalarCells, 2, -0.1, 1.0);
    const Numbers large = randomNumbers(step.scalarCells, 0.0, 1.0);
    forEach(scalars.size(), [&](ivec3 c) { scalars(c).x = large(c) < 0.01 ? 20.0 : std::floor(scalars(c).x * 1048576.0) / 1048576.0; });
    toGpu(scalars, scalarFormat());  // rounds it
    use(randomStates(0.4, 0.7));
    ASSERT_FALSE(lists.closing.empty());
    const auto isClosing = [&](ivec3 b) { return states(b).before && !states(b).active; };
    for (const ListedBrick& b : lists.closing) slots(b.place).smoke = b.slots.smoke;  // they still have their slots of smoke
    const int edge = kBrickEdge * step.scalarRatio, parts = edge / 8;
    const std::size_t partsOfSlot = static_cast<std::size_t>(parts * parts * parts);
    const engine::Buffer smokeOut = marked(3 * countOfBricks()), flags = marked(2 * partsOfSlot * bricks->smokeSlots);
    const std::uint64_t lostBefore = 0xFFFFFF00;  // so that the low word overflows
    put(bricks->losses, std::vector<std::uint64_t>{lostBefore});
    Field twin = scalars, zeros(step.scalarCells, dvec4(kMarker));
    const std::uint64_t units = closeBricks(step, states, twin);
    closeBricks(step, states, zeros);
    Field closed = inSlots(zeros, edge, true);
    toGpu(closed, scalarFormat());
    Field before(step.scalarCells, dvec4(kMarker)), beforeInSlots = inSlots(before, edge, true);
    const engine::Image scratch0 = toGpu(beforeInSlots, scalarFormat()), scratch1 = toGpu(beforeInSlots, scalarFormat());
    std::uint64_t expected = lostBefore;
    for (const int counts : {0, 1}) {  // colours are not counted
        expected += counts != 0 ? units : 0;
        Field stored = inSlots(scalars, edge, true);
        const engine::Image copy = toGpu(stored, scalarFormat());
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("close_bricks", bricks->over(BrickPart::Closing, static_cast<std::uint32_t>(edge), 0, {{"kSparse", 1}}),
                         {{"scalarsIn", copy},
                          {"scalarsOut", copy},
                          {"scratch0", scratch0},
                          {"scratch1", scratch1},
                          {"smokeOut", smokeOut},
                          {"bricks", flags},
                          {"losses", bricks->losses}},
                         counts);
        });
        Field result = inSlots(twin, edge, true);
        toGpu(result, scalarFormat());
        expectSame(fromGpu(copy), result);
        EXPECT_EQ(valuesOf<std::uint64_t>(bricks->losses, 1).front(), expected);
    }
    EXPECT_GT(units, 1000u);
    expectSame(fromGpu(scratch0), closed);
    expectSame(fromGpu(scratch1), closed);
    const Words smoke = valuesOf<std::uint32_t>(smokeOut, 3 * countOfBricks());
    std::size_t n = 0;
    forEach(states.size(), [&](ivec3 b) {
        for (int word = 0; word < 3; ++word) EXPECT_EQ(smoke[n++], isClosing(b) ? 0u : kMarkerWord);
    });
    Words expectedFlags(2 * partsOfSlot * bricks->smokeSlots, kMarkerWord);
    forEach(smokeBrickCount(), [&](ivec3 p) {
        const ivec3 b = brickOfSmoke(p), l = p - b * parts;
        if (!isClosing(b)) return;
        const std::size_t at = slots(b).smoke * partsOfSlot + static_cast<std::size_t>((l.z * parts + l.y) * parts + l.x);
        expectedFlags[2 * at] = expectedFlags[2 * at + 1] = 0;
    });
    EXPECT_TRUE(valuesOf<std::uint32_t>(flags, expectedFlags.size()) == expectedFlags);
}

TEST_P(PassClose, BlankSlots) {
    for (const int edge : {kBrickEdge + 1, 8}) {
        const ivec3 size(bricks->flowTexels(static_cast<std::uint32_t>(edge)));
        const engine::Image open = marked(size, VK_FORMAT_R8G8B8A8_UNORM), distance = marked(size, VK_FORMAT_R32_SFLOAT);
        Field twin = fromGpu(open), distances = fromGpu(distance);
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("blank_slots", glm::uvec3(2, 1, 1) * static_cast<std::uint32_t>(edge),
                         {{"apertureOut", open}, {"distanceOut", distance}}, BlankSlotsPush{edge, edge > 8 ? 1 : 0});
        });
        forEach(ivec3(edge), [&](ivec3 c) {
            const ivec3 solid = c + cornerOf(kSolidSlot, edge);
            twin(c) = dvec4(1.0);
            twin(solid) = dvec4(0.0);
            if (edge == 8) return;
            distances(c).x = WISP_FAR_CELLS;
            distances(solid).x = -WISP_FAR_CELLS;
        });
        expectSame(fromGpu(open), twin);
        expectSame(fromGpu(distance), distances);
    }
}

}  // namespace
}  // namespace wisp::test
