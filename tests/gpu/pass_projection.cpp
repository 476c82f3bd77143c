// SPDX-License-Identifier: MIT
// From the pressure to a divergence-free fine velocity.
#include "tests/gpu/pass_test.h"
#include "tests/reference/pressure.h"
#include "tests/reference/projection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace wisp::test {
namespace {

constexpr VkFormat kFloat4 = VK_FORMAT_R32G32B32A32_SFLOAT;
const dvec4 kAlongPlane(1.0, 1.0, 0.0, 1.0);  // sides along z of a flat grid are walls

// The grids of a step below the pressure grid: the fine grid and, with ratio 4, the intermediate grid.
class PassProjection : public EveryCase {
protected:
    struct Grid {
        Level level;
        Field aperture, velocity;
        Numbers open;
        VkFormat format;
        [[nodiscard]] bool half() const { return format != kFloat4; }
    };
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        fine = Grid{{step.cells, 1, 0.625f}, aperture(), randomVelocity(step), {}, vectorFormat()};
        addDivergence(fine.velocity);
        fineAperture = toGpu(fine.aperture, VK_FORMAT_R8G8B8A8_UNORM);
        fineVelocity = toGpu(fine.velocity, vectorFormat());
        solidVelocity = solidVelocityToGpu(fine.aperture);
        solid = fromGpu(solidVelocity);
        fine.open = openFaces(fine.level, fine.aperture);
        if (step.ratio < 4) return;
        middle = Grid{{blocks(fine.level), 2, 0.625f},
                      restrictAperture(fine.level, fine.aperture),
                      restrictVelocity(fine.level, fine.aperture, solid, fine.velocity, double(step.h)),
                      {},
                      kFloat4};
        middle->open = openFaces(middle->level, middle->aperture);
    }
    // The grid that the pressure acts on.
    Grid& top() { return middle ? *middle : fine; }
    std::vector<Grid*> grids() {
        if (step.ratio == 1) return {};
        return middle ? std::vector{&*middle, &fine} : std::vector{&fine};
    }
    engine::Image apertureToGpu(Grid& g) { return toGpu(g.aperture, g.level.fineCells == 1 ? VK_FORMAT_R8G8B8A8_UNORM : kFloat4); }
    engine::Buffer openFacesToGpu(const Grid& g) { return bitsToGpu(g.open); }
    engine::Buffer bitsToGpu(const Numbers& values) {
        std::vector<std::uint32_t> words(values.values().begin(), values.values().end());
        std::vector<float> bits(words.size());
        std::memcpy(bits.data(), words.data(), 4 * words.size());
        engine::Buffer result = target(bits.size());
        upload(result, bits);
        return result;
    }
    engine::Buffer smoothFacesToGpu(const Grid& g) { return bitsToGpu(smoothFaces(g.level, g.open, periodicAxes(step))); }
    // Runs a pass in two parts, as a pass over the box of the obstacles is a part of the grid.
    void inParts(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings, Level level) {
        const ivec3 cut(threads.x / 2, 0, 0);
        for (const auto& [first, size] : {std::pair(ivec3(0), ivec3(cut.x, threads.y, threads.z)), {cut, threads - cut}}) {
            level.first = first;
            level.size = size;
            pass(name, size, bindings, level);
        }
    }
    // A cell field in clear blocks only, or in all other blocks only. 0 elsewhere.
    Field inBlocks(const Grid& g, bool clear, Field field) const {
        forEach(field.size(), [&](ivec3 c) {
            if (((static_cast<int>(g.open(c / 2)) & 8) != 0) != clear) field(c) = dvec4(0.0);
        });
        return field;
    }
    // Corrections in the layout of the shaders: all faces of one axis, then of the next. Rounds them to floats.
    engine::Buffer correctionToGpu(Field& correction) {
        std::vector<float> values;
        for (int axis = 0; axis < 3; ++axis) {
            for (dvec4& v : correction.values()) {
                values.push_back(static_cast<float>(v[axis]));
                v[axis] = static_cast<double>(values.back());
            }
        }
        engine::Buffer result = target(values.size());
        upload(result, values);
        return result;
    }
    Field correctionFromGpu(const engine::Buffer& buffer, ivec3 size) {
        Field correction(size);
        const std::vector<float> values = download(buffer);
        for (std::size_t i = 0; i < values.size(); ++i)
            correction.values()[i % correction.count()][static_cast<int>(i / correction.count())] = values[i];
        return correction;
    }
    // Mean velocities through the low faces of regular cells, as from downsample. NaN in all other cells.
    engine::Buffer meansToGpu(const Grid& g, const Field& weights) {
        std::vector<float> values(3 * Numbers(step.pressureCells).count(), std::numeric_limits<float>::quiet_NaN());
        std::size_t i = 0;
        forEach(step.pressureCells, [&](ivec3 C) {
            if (isRegular(weights, C, axes(step)))
                for (int axis = 0; axis < 3; ++axis)
                    values[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(meanThrough(g.level, g.velocity, C, axis));
            ++i;
        });
        engine::Buffer result = target(values.size());
        upload(result, values);
        return result;
    }
    // Random apertures, means of four multiples of 1/255. Those that would be below 0 or above 1 are closed or fully open.
    Field openings(ivec3 size, double narrowest, double widest) {
        Field open = random(size, 4, narrowest, widest);
        for (dvec4& v : open.values()) v = glm::round(1020.0 * glm::clamp(isFlat(step) ? v * kAlongPlane : v, 0.0, 1.0)) / 1020.0;
        return open;
    }
    // Random corrections on coarse faces that exist.
    Field correctionFor(const Grid& g) {
        Field correction = random(blocks(g.level) + 1, 3, -1.0, 1.0);
        forEach(correction.size(), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                const ivec3 size = blocks(g.level) + unit(axis);
                if (c.x >= size.x || c.y >= size.y || c.z >= size.z) correction(c)[axis] = 0.0;
                else if ((periodicAxes(step) >> axis & 1) != 0 && c[axis] == blocks(g.level)[axis])
                    correction(c)[axis] = correction(c - c[axis] * unit(axis))[axis];
            }
        });
        return correction;
    }

    Grid fine;
    std::optional<Grid> middle;
    Field solid;
    engine::Image fineAperture, fineVelocity, solidVelocity;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassProjection, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassProjection, SmallPieces) {
    // Faces are randomly closed or narrow, so that blocks have pieces of all kinds; then some are fully open; then all are.
    for (const auto& [narrowest, widest] : {std::pair(-1.0, 0.7), {-1.0, 1.3}, {1.0, 1.0}})
        for (Grid* g : grids()) {
            Field faces = openings(wisp::reference::faces(step), narrowest, widest),
                  level = openings(g->aperture.size(), narrowest, widest);
            wrapFaces(step, faces);
            const bool isFine = g->level.fineCells == 1;
            const engine::Image image = toGpu(faces, VK_FORMAT_R8G8B8A8_UNORM), ofLevel = toGpu(level, kFloat4);
            const engine::Buffer closed = target(Field(blocks(g->level) + 1).count());
            const Field twin = closePieces(g->level, isFine ? faces : level, faces, periodicAxes(step));
            const engine::Image solids = solidVelocityToGpu(faces);
            Field solidTwin = fromGpu(solids);
            forEach(faces.size(), [&](ivec3 c) {
                for (int axis = 0; axis < axes(step); ++axis)
                    if (faces(c)[axis] == 1.0 && twin(c)[axis] == 0.0 && faceExists(step, c, axis))
                        solidTwin(c)[axis] = wisp::reference::solidVelocity(step, c, axis);
            });
            inParts("small_pieces", blocks(g->level) + 1, {{"aperture", isFine ? image : ofLevel}, {"closedOut", closed}}, g->level);
            inParts("close_pieces", wisp::reference::faces(step),
                    {{"closed", closed},
                     {"apertureIn", image},
                     {"apertureOut", image},
                     {"solidVelocityIn", solids},
                     {"solidVelocityOut", solids}},
                    g->level);
            expectNear(fromGpu(image), twin, 1e-6, false);  // 1/255 as float
            if (narrowest == 1.0) expectNear(fromGpu(image), faces, 1e-6, false);
            expectNear(fromGpu(solids), solidTwin, half() ? 1.0 / 1024.0 : 12.0 * kEps, true);  // as PassObstacles
            if (isFine && step.cells.x > 1 && step.cells.y > 1 && widest < 1.0) {
                EXPECT_LT(splitBlocks(g->level, twin), splitBlocks(g->level, faces));
            }
        }
}

TEST_P(PassProjection, Gaps) {
    for (Grid* g : grids()) {
        Field faces = openings(wisp::reference::faces(step), -0.3, 1.3), level = openings(g->aperture.size(), -0.3, 1.3);
        wrapFaces(step, faces);
        const bool isFine = g->level.fineCells == 1;
        const engine::Image image = toGpu(faces, VK_FORMAT_R8G8B8A8_UNORM), ofLevel = toGpu(level, kFloat4);
        inParts("widen_gaps", step.cells, {{"aperture", isFine ? image : ofLevel}, {"apertureIn", image}, {"apertureOut", image}},
                g->level);
        const Field twin = widenGaps(g->level, isFine ? faces : level, faces);
        expectNear(fromGpu(image), twin, isFine ? 1e-6 : 0.5 / 255 + 1e-6, false);  // means are rounded to 1/255
    }
}

TEST_P(PassProjection, OpenFaces) {
    for (Grid* g : grids()) {
        const engine::Buffer result = target(g->open.count());
        inParts("open_faces", g->open.size(), {{"aperture", apertureToGpu(*g)}, {"openFacesOut", result}}, g->level);
        EXPECT_EQ(downloadBytes(result), downloadBytes(openFacesToGpu(*g)));
    }
}

TEST_P(PassProjection, SmoothFaces) {
    for (Grid* g : grids()) {
        const engine::Buffer result = target(g->open.count());
        inParts("smooth_faces", g->open.size(), {{"openFaces", openFacesToGpu(*g)}, {"smoothFacesOut", result}}, g->level);
        EXPECT_EQ(downloadBytes(result), downloadBytes(smoothFacesToGpu(*g)));
    }
}

TEST_P(PassProjection, CorrectionChanges) {
    for (Grid* g : grids()) {
        Field correction = correctionFor(*g);
        const engine::Buffer c = correctionToGpu(correction);
        const engine::Image results[] = {target(correction.size(), kFloat4), target(correction.size(), kFloat4),
                                         target(correction.size(), kFloat4)};
        pass("correction_changes", correction.size(),
             {{"openFaces", openFacesToGpu(*g)},
              {"smoothFaces", smoothFacesToGpu(*g)},
              {"correction", c},
              {"changesX", results[0]},
              {"changesY", results[1]},
              {"changesZ", results[2]}},
             g->level);
        const Changes twin = correctionChanges(step, g->level, g->open, correction);
        // Sums of at most sixteen values below 1.
        for (std::size_t axis = 0; axis < std::size_t(axes(step)); ++axis)
            expectNear(fromGpu(results[axis]), twin[axis], 16.0 * kEps, false);
    }
}

TEST_P(PassProjection, RestrictAperture) {
    const Field twin = restrictAperture(fine.level, fine.aperture);
    const engine::Image result = target(twin.size(), kFloat4);
    inParts("restrict_aperture", twin.size(), {{"aperture", fineAperture}, {"coarseOut", result}}, fine.level);
    expectNear(fromGpu(result), twin, 8.0 * kEps, false);  // sums of at most eight open fractions
}

TEST_P(PassProjection, RestrictVelocity) {
    const Field twin = restrictVelocity(fine.level, fine.aperture, solid, fine.velocity, double(step.h));
    const engine::Image result = target(twin.size(), kFloat4);
    pass("restrict_velocity", twin.size(),
         {{"aperture", fineAperture},
          {"openFaces", openFacesToGpu(fine)},
          {"solidVelocity", solidVelocity},
          {"velocity", fineVelocity},
          {"coarseOut", result}},
         fine.level);
    // A quotient of sums of four products of speeds below 1; w: six sums of four solid velocities below 4 m/s, and 2 h times divergences
    // below 10, whose sum has eight roundings.
    expectNear(fromGpu(result), twin, 6.0 * 5.0 * 4.0 * kEps, false);
}

TEST_P(PassProjection, SubtractGradient) {
    if (step.ratio != 1) GTEST_SKIP() << "ratio 1 only";
    Field weights = coarseAperture(step, fine.aperture);
    Numbers q = randomNumbers(step.pressureCells, -0.1, 0.1);
    const engine::Image result = target(faces(step), vectorFormat());
    pass("subtract_gradient", faces(step),
         {{"weights", weightsToGpu(weights)},
          {"regular", regularToGpu(weights)},
          {"pressureIn", cellsToGpu(q)},
          {"solidVelocity", solidVelocity},
          {"velocityIn", fineVelocity},
          {"velocityOut", result}});
    // A difference of pressures below 0.2, doubled, over h, subtracted from a speed below 1.
    expectNear(fromGpu(result), subtractGradient(step, weights, q, solid, fine.velocity), (4.0 * 0.4 / double(step.h) + 4.0) * kEps,
               half());
}

TEST_P(PassProjection, PressureGradient) {
    if (step.ratio == 1) GTEST_SKIP() << "not for ratio 1";
    Field weights = coarseAperture(step, fine.aperture);
    Numbers q = randomNumbers(step.pressureCells, -0.1, 0.1);
    const engine::Buffer w = weightsToGpu(weights), qBuffer = cellsToGpu(q);
    Grid& g = top();
    const engine::Image open = apertureToGpu(g), u = toGpu(g.velocity, g.format);
    const engine::Buffer correction = target(3 * Field(pressureFaces(step)).count()), means = meansToGpu(g, weights),
                         regular = regularToGpu(weights);
    for (const float keep : {1.0f, 0.625f}) {
        g.level.keep = keep;
        pass("pressure_gradient", pressureFaces(step),
             {{"weights", w},
              {"pressureIn", qBuffer},
              {"velocity", u},
              {"aperture", open},
              {"means", means},
              {"regular", regular},
              {"correction", correction}},
             g.level);
        // A difference of pressures below 0.2, doubled, over H; a quotient of sums of four.
        const double tolerance = (4.0 * 0.4 / (step.ratio * double(step.h)) + 16.0) * kEps;
        expectNear(correctionFromGpu(correction, pressureFaces(step)), pressureGradient(step, g.level, weights, q, g.velocity, g.aperture),
                   tolerance, false);
    }
}

TEST_P(PassProjection, Project) {
    for (Grid* g : grids()) {
        Field correction = correctionFor(*g);
        Changes changes = correctionChanges(step, g->level, g->open, correction);
        const engine::Image x = toGpu(changes[0], kFloat4), y = toGpu(changes[1], kFloat4), z = toGpu(changes[2], kFloat4);
        const engine::Image u = toGpu(g->velocity, g->format), result = target(g->level.cells + 1, g->format),
                            centre = target(step.cells, vectorFormat());
        const engine::Buffer open = openFacesToGpu(*g), centreVectors = vectorTarget(step.cells);
        for (const float keep : {1.0f, 0.625f}) {
            g->level.keep = keep;
            pass("project", blocks(g->level) + 1,
                 {{"openFaces", open},
                  {"changesX", x},
                  {"changesY", y},
                  {"changesZ", z},
                  {"velocityIn", u},
                  {"velocityOut", result},
                  {"centreOut", centre},
                  {"centreVectors", centreVectors}},
                 g->level);
            const Field twin = project(g->level, g->open, changes, g->velocity, double(step.h));
            // Outer faces below 3 m/s with 8 roundings; two transforms of 8 divergences, times h below 18 m/s: 2 (3 + 3) roundings of
            // 144, scaled by at most 1/16, and a difference.
            const double tolerance = (8.0 * 3.0 + 2.0 * 12.0 * 144.0 / 16.0) * kEps;
            const bool isFine = g->level.fineCells == 1;
            expectNear(isFine ? wrapped(fromGpu(result)) : fromGpu(result), isFine ? wrapped(twin) : twin, tolerance, g->half());
            if (g->level.fineCells > 1) continue;
            const Field twinAtCentres = inBlocks(*g, true, centreVelocity(step, twin));  // repair handles all other blocks
            expectNear(inBlocks(*g, true, fromGpu(centre)), twinAtCentres, tolerance, g->half());
            expectNear(inBlocks(*g, true, vectorsFromGpu(centreVectors, step.cells)), twinAtCentres, tolerance, g->half());
        }
    }
}

TEST_P(PassProjection, Repair) {
    for (Grid* g : grids()) {
        Field outflow = g->velocity;
        if (g->level.fineCells == 1 && !expands) forEach(outflow.size(), [&](ivec3 c) { outflow(c).w = 0.0; });
        const engine::Image open = apertureToGpu(*g), out = toGpu(outflow, g->format), u = toGpu(g->velocity, g->format);
        const engine::Image centre = target(step.cells, vectorFormat());
        const engine::Buffer centreVectors = vectorTarget(step.cells);
        pass("repair", (blocks(g->level) + 1) * ivec3(8, 1, 1),
             {{"aperture", open},
              {"solidVelocity", solidVelocity},
              {"solidOutflow", out},
              {"openFaces", openFacesToGpu(*g)},
              {"velocityIn", u},
              {"velocityOut", u},
              {"centreOut", centre},
              {"centreVectors", centreVectors}},
             g->level);
        Repaired twin = repair(g->level, g->aperture, solid, outflow, g->open, g->velocity, double(step.h));
        const bool isFine = g->level.fineCells == 1;
        const Field result = isFine ? wrapped(fromGpu(u)) : fromGpu(u);
        if (isFine) twin.velocity = wrapped(twin.velocity);
        std::size_t wrong = 0;
        forEach(result.size(), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                // Conjugate gradients stop at a residual of 3e-7 of the right-hand side in the norm of the diagonal. The diagonal's entries
                // are between 0.02 and 3, so the residual in any cell is at most 12 times that. The rest is rounding.
                const double size = std::abs(twin.velocity(c)[axis]);
                const double allowed = 5.0 * twin.uncertainty(c)[axis] + 16.0 * kEps * (size + 4.0) +
                                       (g->half() ? size / 1024.0 + 6e-8 : 0.0);
                if (std::abs(result(c)[axis] - twin.velocity(c)[axis]) <= allowed) continue;
                if (wrong++ == 0)
                    ADD_FAILURE() << "face " << c.x << " " << c.y << " " << c.z << " axis " << axis << ": " << result(c)[axis] << ", twin "
                                  << twin.velocity(c)[axis] << ", allowed " << allowed;
            }
        });
        EXPECT_EQ(wrong, 0u);
        if (!isFine) continue;
        // The mean of two of the result's velocities: one rounding of their sum, and one more rounding for halves.
        const Field atCentres = inBlocks(*g, false, centreVelocity(step, result));
        const double tolerance = largest(result) * (2.0 * kEps + (g->half() ? 1.0 / 2048.0 : 0.0));
        expectNear(inBlocks(*g, false, fromGpu(centre)), atCentres, tolerance, g->half());
        expectNear(inBlocks(*g, false, vectorsFromGpu(centreVectors, step.cells)), atCentres, tolerance, g->half());
    }
}

TEST_P(PassProjection, Correction) {
    if (!middle) GTEST_SKIP() << "ratio 4 only";
    Field projected = random(middle->velocity.size(), 3, -1.0, 1.0);
    const engine::Image before = toGpu(middle->velocity, kFloat4), after = toGpu(projected, kFloat4);
    const engine::Buffer result = target(3 * projected.count());
    pass("correction", projected.size(),
         {{"aperture", apertureToGpu(*middle)}, {"before", before}, {"projected", after}, {"correctionOut", result}}, middle->level);
    expectNear(correctionFromGpu(result, projected.size()), correctionBetween(middle->level, middle->aperture, middle->velocity, projected),
               4.0 * kEps, false);
}

TEST_P(PassProjection, CentreVelocity) {
    const engine::Image centre = target(step.cells, vectorFormat());
    const engine::Buffer vectors = vectorTarget(step.cells);
    pass("centre_velocity", step.cells, {{"velocity", fineVelocity}, {"centreOut", centre}, {"centreVectors", vectors}});
    const Field twin = centreVelocity(step, fine.velocity);
    expectNear(fromGpu(centre), twin, 2.0 * kEps, half());  // a sum of two, halved
    expectNear(vectorsFromGpu(vectors, step.cells), twin, 2.0 * kEps, half());
}

}  // namespace
}  // namespace wisp::test
