// SPDX-License-Identifier: MIT
// Passes with a prescribed velocity: the field, upwind advection, exact paths, errors.
#include "compute/domain/domain.h"
#include "compute/smoke/push.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/lab.h"
#include "tests/reference/motion.h"
#include "tests/reference/sources.h"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace wisp::test {
namespace {

constexpr int kFields[] = {WISP_UNIFORM, WISP_ROTATION, WISP_SHEAR, WISP_SINE, WISP_TAYLOR_GREEN, WISP_ARROWS};
constexpr float kSpeed = 0.7f;

gpu::PrescribedData prescribedField(int field) {
    gpu::PrescribedData data{.field = field, .speed = kSpeed, .velocity = {0.3f, -0.5f, 0.2f}, .arrows = {}};
    for (int n = 0; n < WISP_ARROW_ROWS * WISP_ARROW_ROWS; ++n)
        data.arrows[n] = kSpeed * glm::vec2(std::cos(float(n * n)), std::sin(float(n * n)));
    return data;
}

class PassLab : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step.obstacleCount = 0;
        inflow = {.value = {0.9f, 0.3f, 0.0f, 0.0f},
                  .shift = {0.03f, 0.04f, 0.0f},
                  .width = 0.07f,
                  .along = {0.6f, 0.8f, 0.0f},
                  .pattern = (GetParam().scalarRatio + GetParam().periodic) % 3};
    }
    engine::Buffer prescribedToGpu(const gpu::PrescribedData& data) {
        const auto words = std::bit_cast<std::array<float, sizeof data / sizeof(float)>>(data);
        engine::Buffer result = target(words.size());
        upload(result, {words.begin(), words.end()});
        return result;
    }
    engine::Buffer departuresToGpu(const Field& departures) {
        std::vector<float> values;
        for (const dvec4& p : departures.values())
            for (int n = 0; n < 4; ++n) values.push_back(static_cast<float>(p[n]));
        engine::Buffer result = target(values.size());
        upload(result, values);
        return result;
    }
    // Upper bound of a field's speed relative to kSpeed. It exceeds 1 because the box is not square.
    [[nodiscard]] double aspect() const { return 2.0 * std::max(step.cells.x, step.cells.y) / std::min(step.cells.x, step.cells.y); }
    // Error of a field's value: about ten roundings of the value and of arguments of sines, which are up to 2 pi.
    [[nodiscard]] double fieldError() const { return aspect() * double(kSpeed) * (10.0 + 10.0 * 6.3) * kEps; }

    gpu::InflowPush inflow{};
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLab, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassLab, Prescribe) {
    for (const int field : kFields) {
        const gpu::PrescribedData data = prescribedField(field);
        const engine::Image result = target(faces(step), vectorFormat());
        pass("prescribe", faces(step), {{"prescribed", prescribedToGpu(data)}, {"velocityOut", result}});
        expectNear(fromGpu(result), prescribe(step, data), fieldError(), half());
    }
}

TEST_P(PassLab, Upwind) {
    for (const int field : kFields) {
        const gpu::PrescribedData data = prescribedField(field);
        Field scalars = random(step.scalarCells, 2, 0.0, 1.0);
        const engine::Image s = toGpu(scalars, scalarFormat()), result = target(step.scalarCells, scalarFormat());
        const UpwindPush push{{0.75f, 0.5f, 1.0f, 1.0f}, 0.01f, inflow};
        pass("upwind", step.scalarCells, {{"scalarsIn", s}, {"prescribed", prescribedToGpu(data)}, {"scalarsOut", result}}, push);
        // Errors of six face velocities, times lambda <= 0.01 / 0.05 * 4, times a difference of at most 1, plus about as many roundings of
        // the fluxes.
        const double lambda = 0.01 / 0.05 * step.scalarRatio,
                     tolerance = 6.0 * lambda * (fieldError() + 4.0 * aspect() * double(kSpeed) * kEps) + 8.0 * kEps;
        expectNear(fromGpu(result), upwind(step, data, scalars, {0.75, 0.5, 1.0, 1.0}, double(push.dt), inflow), tolerance, half());
    }
}

TEST_P(PassLab, Depart) {
    for (const int field : kFields) {
        const gpu::PrescribedData data = prescribedField(field);
        const engine::Buffer f = prescribedToGpu(data), departures = target(4 * Field(step.scalarCells).count());
        const auto advance = [&](float dt, int parts) {
            pass("departure_points", step.scalarCells, {{"departures", departures}, {"prescribed", f}},
                 gpu::DeparturePointsPush{dt, parts});
        };
        const auto now = [&] {
            Field result(step.scalarCells);
            const std::vector<float> values = download(departures);
            for (std::size_t i = 0; i < values.size(); ++i) result.values()[i / 4][static_cast<int>(i % 4)] = values[i];
            return result;
        };
        advance(0.0f, 0);
        const Field start = now();
        expectNear(start, departurePoints(step, data, {}, 0.0, 0), 64.0 * kEps, false);
        const auto dt = static_cast<float>(0.08 / aspect());
        advance(dt, 3);
        // Errors of coordinates below 32. Three time steps with six roundings each of a path of at most 1.2 cells, plus the field's error.
        // `growth`: the amplification if the field changes by its full value within the smaller edge.
        const double way = double(dt) / 0.05 * aspect() * double(kSpeed),
                     growth = std::exp(way * 6.3 / std::min(step.cells.x, step.cells.y));
        const double tolerance = growth * ((4.0 * 32.0 + 3.0 * 6.0 * way) * kEps + double(dt) / 0.05 * fieldError());
        // Where a path meets a side of the box, or wraps around, an error decides on which side it ends. Each of six sides has a range of
        // `tolerance`, and each path is tested twelve times.
        const Field twin = departurePoints(step, data, start, double(dt), 3);
        expectNear(now(), twin, tolerance, false, 1 + static_cast<std::size_t>(6.0 * 12.0 * tolerance * static_cast<double>(twin.count())));
    }
}

TEST_P(PassLab, ExactSurroundings) {
    Field departures = random(step.scalarCells, 3, -0.4, 1.4);
    for (dvec4& p : departures.values()) p = dvec4(dvec3(glm::vec3(dvec3(p) * dvec3(step.cells))), 0.0);
    const engine::Buffer d = departuresToGpu(departures);
    const engine::Image exact = target(step.scalarCells, VK_FORMAT_R32_SFLOAT);
    pass("exact_ambient", step.scalarCells, {{"departures", d}, {"exactOut", exact}}, inflow);
    // Positions below 45 cells, divided by stripes of 0.07 / 0.05 cells: an edge is uncertain by 200 roundings. There are three edges per
    // unit of length.
    const std::size_t flips = 1 + static_cast<std::size_t>(3.0 * 200.0 * 32.0 * kEps * static_cast<double>(departures.count()));
    expectNear(fromGpu(exact), exactAmbient(step, departures, inflow), kEps, false, flips);
}

TEST_P(PassLab, ExactDensity) {
    Field departures = random(step.scalarCells, 3, -0.1, 1.1), before = random(step.scalarCells, 1, 0.0, 1.0);
    for (dvec4& p : departures.values()) p = dvec4(dvec3(glm::vec3(dvec3(p) * dvec3(step.cells))), 0.0);
    const engine::Buffer d = departuresToGpu(departures);
    const engine::Image exact = toGpu(before, VK_FORMAT_R32_SFLOAT),
                        nothing = image("no picture", {1, 1, 1}, VK_FORMAT_R16G16B16A16_SFLOAT, true);
    gpu::ShapePush push{};
    push.field = WISP_FIELD_GAUSSIAN;
    push.shape.centre = step.origin + 0.4f * step.h * glm::vec3(step.cells);
    push.shape.radius = 0.3f;
    push.density = 0.8f;
    pass("exact_density", step.scalarCells, {{"departures", d}, {"initialImage", nothing}, {"exactIn", exact}, {"exactOut", exact}}, push);
    Field twin = before;
    forEach(step.scalarCells, [&](ivec3 c) {
        const dvec3 p(departures(c));
        if (beyondOpenSide(step, p)) return;
        const double share = initialAmount(step, push, {}, world(step, p)).w;
        twin(c).x = glm::mix(before(c).x, double(push.density), share);
    });
    // The exponent contains positions below 2 m with four roundings, divided by 0.3 m. At half a period the nearest image may be another
    // one, but the exponent is equally large there.
    expectNear(fromGpu(exact), twin, 3.0 * 2.0 * 2.0 / 0.3 / 0.3 * 8.0 * kEps, false);
}

TEST_P(PassLab, MeasureError) {
    Field scalars = random(step.scalarCells, 1, -0.2, 1.2), exact = random(step.scalarCells, 1, 0.0, 1.0);
    const engine::Image s = toGpu(scalars, scalarFormat()), e = toGpu(exact, VK_FORMAT_R32_SFLOAT);
    const glm::uvec3 threads = reductionThreads(glm::uvec3(step.scalarCells));
    const std::uint32_t groups = threads.x / 256 * threads.y;
    const engine::Buffer partials = target(8 * groups), record = target(8);
    pass("measure_error", ivec3(threads), {{"scalars", s}, {"exact", e}, {"partialsOut", partials}}, 0.8f);
    pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, groups);
    const std::vector<float> result = download(record);
    const Measures twin = measureError(scalars, exact, double(0.8f));
    for (std::size_t n = 0; n < 6; ++n)
        EXPECT_NEAR(static_cast<double>(result[n]), twin[n], 22.0 * kEps * std::max(twin[n], static_cast<double>(scalars.count()))) << n;
    for (std::size_t n = 6; n < 8; ++n) EXPECT_NEAR(static_cast<double>(result[n]), twin[n], 2.0 * kEps) << n;
}

}  // namespace
}  // namespace wisp::test
