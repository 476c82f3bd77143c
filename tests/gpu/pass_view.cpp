// SPDX-License-Identifier: MIT
// Views of a field: values, limits, slice and volume.
#include "compute/domain/domain.h"
#include "compute/picture/colour_map.h"
#include "compute/scene/view_fields.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/view.h"

#include <glm/geometric.hpp>
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/component_wise.hpp>

#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

class PassViewField : public EveryCase {};
INSTANTIATE_TEST_SUITE_P(Cases, PassViewField, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassViewField, MatchesItsTwin) {
    ViewSources from;
    from.aperture = aperture();
    from.velocity = randomVelocity(step);
    from.scalars = random(step.scalarCells, 4, -1.0, 1.0);
    from.centre = random(step.cells, 3, -1.0, 1.0);
    from.curl = random(step.cells, 4, 0.0, 9.0);
    from.pressure = randomNumbers(step.pressureCells, -1.0, 1.0);
    from.weights = coarseAperture(step, from.aperture);
    const engine::Image apertureImage = toGpu(from.aperture, VK_FORMAT_R8G8B8A8_UNORM), solid = solidVelocityToGpu(from.aperture);
    const engine::Image velocity = toGpu(from.velocity, vectorFormat()), scalars = toGpu(from.scalars, vectorFormat());
    const engine::Image centre = toGpu(from.centre, vectorFormat());
    const engine::Buffer curl = vectorsToGpu(from.curl), pressure = cellsToGpu(from.pressure), weights = weightsToGpu(from.weights);
    for (const ViewFieldInfo& info : viewFields()) {
        const auto field = static_cast<int>(info.field);
        // Absolute temperatures; a half of the fuel burns.
        const gpu::FieldPush push{.field = field, .base = field == WISP_VIEW_TEMPERATURE ? 293.0f : 0.0f, .ignition = 0.125f};
        const Field twin = viewField(step, from, push);
        const engine::Image values = target(twin.size(), VK_FORMAT_R32_SFLOAT);
        pass("view_field", twin.size(),
             {{"velocity", velocity},
              {"aperture", apertureImage},
              {"solidVelocity", solid},
              {"pressureIn", pressure},
              {"weights", weights},
              {"scalars", scalars},
              {"centre", centre},
              {"curl", curl},
              {"valuesOut", values}},
             push);
        // A mean of six has 6 roundings, a trilinear sum of eight 25 with its weights, a length 6. A divergence: see pass_measure.cpp.
        const double relative = (6.0 + 25.0) * kEps * std::max(1.0, largest(from.curl)) + kEps * double(push.base);
        const double tolerance = field == WISP_VIEW_DIVERGENCE ? 6.0 * (2.0 + 12.0) * 4.0 * kEps / double(step.h) + relative : relative;
        SCOPED_TRACE("field " + std::to_string(field));
        expectNear(fromGpu(values), twin, tolerance, false);
    }
}

class PassView : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {17, 12, 9}, .scalarRatio = 2});
        values = smoothField(step.scalarCells, 1, -1.2, 0.8);
        centre = smoothField(step.cells, 3, 0.2, 1.0);
        valuesImage = toGpu(values, VK_FORMAT_R32_SFLOAT);
        centreImage = toGpu(centre, VK_FORMAT_R32G32B32A32_SFLOAT);
        std::vector<float> colours;
        for (const glm::vec3 c : divergingMap()) {
            map.emplace_back(c);
            colours.insert(colours.end(), {c.x, c.y, c.z});
        }
        coloursBuffer = target(colours.size());
        upload(coloursBuffer, colours);
        limitsBuffer = target(4);
        upload(limitsBuffer, {limits.low, limits.high, limits.speed, limits.largest});
    }

    struct Images {
        Field radiance, value;
    };
    template <class Push>
    Images picture(std::string_view name, glm::ivec2 pixels, const Push& push, std::vector<engine::Binding> bindings) {
        const engine::Image radiance = image("radiance", {pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        const engine::Image value = image("value", {pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
        const engine::Buffer display = target(static_cast<std::size_t>(pixels.x * pixels.y));
        for (const engine::Binding& b : {engine::Binding("values", valuesImage),
                                         {"colours", coloursBuffer},
                                         {"limits", limitsBuffer},
                                         {"radiance", radiance},
                                         {"value", value},
                                         {"display", display}})
            bindings.push_back(b);
        pass(name, {pixels, 1}, bindings, push);
        Images result{fromGpu(radiance), fromGpu(value)};
        expectDisplay(result.radiance, downloadBytes(display));
        return result;
    }

    // Bytes are the linear colours on the sRGB curve (IEC 61966-2-1), rounded. If two levels are equally near, both are right.
    static void expectDisplay(const Field& radiance, const std::vector<std::byte>& bytes) {
        for (std::size_t i = 0; i < radiance.count(); ++i) {
            for (int n = 0; n < 3; ++n) {
                const double c = radiance.values()[i][n], v = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
                EXPECT_NEAR(std::to_integer<int>(bytes[4 * i + static_cast<std::size_t>(n)]), 255.0 * v, 0.5 + 1e-3);
            }
            EXPECT_EQ(bytes[4 * i + 3], std::byte{255});
        }
    }

    // Error of a value's position between the limits: the filter's error for the steepest change.
    [[nodiscard]] double placeError() const { return kFilter * steepest(values) / double(limits.high - limits.low) + 1e-5; }
    // Largest slope of the colour map, over the range of positions from 0 to 1.
    [[nodiscard]] double slope() const {
        double result = 0.0;
        for (std::size_t i = 0; i + 1 < map.size(); ++i) result = std::max(result, glm::compMax(glm::abs(map[i + 1] - map[i])));
        return result * static_cast<double>(map.size() - 1);
    }

    Field values, centre;
    engine::Image valuesImage, centreImage;
    Map map;
    engine::Buffer coloursBuffer, limitsBuffer;
    const gpu::ViewLimits limits{.low = -1.0f, .high = 1.0f, .speed = 0.7f, .largest = 0.0f};
};

TEST_F(PassView, RangeMatchesItsTwin) {
    Field rough = random(step.scalarCells, 1, -3.0, 2.0), speeds = random(step.cells, 3, -1.0, 1.0);
    const engine::Image roughImage = toGpu(rough, VK_FORMAT_R32_SFLOAT), speedsImage = toGpu(speeds, VK_FORMAT_R32G32B32A32_SFLOAT);
    const glm::uvec3 threads = reductionThreads(glm::uvec3(step.scalarCells));
    const engine::Buffer partials = target(8 * threads.x / 256 * threads.y);
    const engine::Buffer record = target(8);
    for (const auto& [isSigned, base] : {std::pair(true, 0.0f), {false, 0.0f}, {false, 0.75f}}) {
        pass("view_range", ivec3(threads), {{"values", roughImage}, {"centre", speedsImage}, {"partialsOut", partials}},
             gpu::RangePush{.cells = step.scalarCells, .isSigned = isSigned ? 1 : 0, .base = base});
        pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, threads.x / 256 * threads.y);
        const std::vector<float> result = download(record);
        const auto twin = viewRange(step, rough, speeds, isSigned, double(base));
        for (const std::size_t n : {0u, 1u, 2u, 3u})
            EXPECT_NEAR(result[n], twin[n], 40.0 * kEps * twin[n]) << n;  // a tree, and a length squared or a difference
        EXPECT_NEAR(result[6], twin[6], kEps * twin[6]);
        EXPECT_NEAR(result[7], twin[7], 8.0 * kEps * twin[7]);
    }
}

TEST_F(PassView, LimitsAreRoundAndStable) {
    const engine::Buffer record = target(8), kept = target(4);
    for (const auto& [isSigned, base] : {std::pair(false, 0.0f), {true, 0.0f}, {false, 293.0f}}) {
        gpu::ViewLimits before{};
        upload(kept, {0.0f, 0.0f, 0.0f, 0.0f});
        // Typical values: first zero, then rising, then falling. At the border of two limits rounding decides.
        for (const double typical : {0.0, 0.5, 1.01, 1.4, 6.6, 900.0, 880.0, 400.0, 310.0, 100.0, 3.3e-4, 0.0, 4.1e5}) {
            for (const double largest : {1.7 * typical, 40.0 * typical}) {  // within 2.5 times the typical value, or spikes beyond
                std::array<double, 8> sums{3.0, 3.0 * typical, 5.0, 5.0 * typical, 0.0, 0.0, largest, 0.0};
                std::vector<float> floats;
                for (double& v : sums) floats.push_back(static_cast<float>(v));
                upload(record, floats);
                pass("view_limits", {1, 1, 1}, {{"record", record}, {"limits", kept}},
                     gpu::LimitsPush{.isSigned = isSigned ? 1 : 0, .base = base, .fixedRange = 0});
                const gpu::ViewLimits twin = viewLimits(sums, before, isSigned, double(base));
                const std::vector<float> result = download(kept);
                EXPECT_FLOAT_EQ(result[0], isSigned ? -result[1] : base);
                EXPECT_NEAR(result[1], twin.high, 1e-5 * double(twin.high)) << typical << " " << largest;
                EXPECT_NEAR(result[2], twin.speed, 1e-5 * double(twin.speed)) << typical;
                EXPECT_FLOAT_EQ(result[3], twin.largest);
                before = twin;
            }
        }
    }
    upload(kept, {-0.3f, 4.7f, 0.0f, 0.0f});
    pass("view_limits", {1, 1, 1}, {{"record", record}, {"limits", kept}}, gpu::LimitsPush{.isSigned = 1, .base = 0.0f, .fixedRange = 1});
    EXPECT_EQ(download(kept)[0], -0.3f);
    EXPECT_EQ(download(kept)[1], 4.7f);
}

TEST_F(PassView, SliceMatchesItsTwin) {
    const Field solid = distanceField();
    for (const bool arrows : {false, true}) {
        if (arrows) step.obstacleCount = 0;  // rounding decides which arrows are inside an obstacle
        gpu::SlicePush push{.corner = step.origin + glm::vec3(-0.05f, 0.65f, 0.2f),
                            .right = {0.01f, 0.0f, 0.0f},
                            .down = {0.0f, -0.01f, 0.0f},
                            .pixels = {96, 72},
                            .low = {5.0f, 5.0f},
                            .spacing = arrows ? 15.0f : 0.0f,
                            .pen = 0.7f,
                            .ink = 1.0f};
        const Images gpu = picture("view_slice", push.pixels, push, {{"centre", centreImage}, {"solidDistance", distanceImage()}});
        // A silhouette moves by the filter's error of distances (cells are 5 pixels), an arrow's outline by its error of velocities. The
        // coverage of a pixel changes at most as fast as both.
        const double outline = arrows
                                   ? kFilter * steepest(centre) * std::sqrt(2.0) / double(limits.speed) * 0.8 * double(push.spacing) * 2.0
                                   : kFilter * steepest(solid) * 5.0;
        const double tolerance = slope() * placeError() + outline + 1e-4;
        std::size_t outside = 0;
        forEach({push.pixels, 1}, [&](ivec3 pixel) {
            const Shown twin = viewSlice(step, push, values, centre, solid, map, limits, pixel);
            for (int n = 0; n < 4; ++n)
                EXPECT_NEAR(gpu.radiance(pixel)[n], twin.colour[n], tolerance) << pixel.x << " " << pixel.y << " " << n;
            if (twin.colour.w == 0.0) ++outside;
            if (twin.colour.w == 1.0) {
                EXPECT_NEAR(gpu.value(pixel).x, twin.value, 2.0 * placeError());
            }
        });
        EXPECT_GT(outside, 0u);
    }
}

View viewOfBox() {
    View v{};
    v.eye = {0.2f, 0.7f, 1.9f};
    v.forward = glm::normalize(glm::vec3(-0.05f, -0.15f, -1.0f));
    v.right = glm::normalize(glm::cross(v.forward, glm::vec3(0, 1, 0))) * 0.5f;
    v.up = glm::normalize(glm::cross(v.right, v.forward)) * 0.4f;
    v.pixels = {30, 24};
    return v;
}

TEST_F(PassView, VolumeMatchesItsTwin) {
    step.obstacleCount = 0;
    const View v = viewOfBox();
    view = v;
    const engine::Image noScalars = target(ivec3(1), VK_FORMAT_R32_SFLOAT);
    for (const int isSigned : {0, 1}) {
        const gpu::VolumePush push{.isSigned = isSigned, .stepLength = 0.01f, .opacity = 5.0f};
        const Images gpu = picture("view_volume", v.pixels, push,
                                   {{"scalars", noScalars}, {"depth", image("depth", {v.pixels, 1}, VK_FORMAT_R32_SFLOAT, true)}});
        // Opacity is proportional to the squared strength. A strength has at most twice the error of a position. A ray is at most 1.2 m
        // long.
        const double depth = double(push.opacity) * 1.2 * 2.0 * 2.0 * placeError();
        const double tolerance = slope() * placeError() + depth + 1e-3;  // and the march stops at 1e-3
        std::size_t misses = 0;
        forEach({v.pixels, 1}, [&](ivec3 pixel) {
            const Shown twin = viewVolume(step, v, push, values, map, limits, pixel);
            for (int n = 0; n < 4; ++n)
                EXPECT_NEAR(gpu.radiance(pixel)[n], twin.colour[n], tolerance) << pixel.x << " " << pixel.y << " " << n;
            if (twin.colour.w < 0.99) {
                EXPECT_NEAR(std::abs(gpu.value(pixel).x), std::abs(twin.value), 2.0 * placeError());
            }
            if (twin.colour.w == 0.0) ++misses;
        });
        EXPECT_GT(misses, 0u);
        EXPECT_LT(misses, gpu.value.count());
    }
}

// In a uniform field the filter is exact, and so is every weight of the mean.
TEST_F(PassView, DepthOfAVolumeMatchesItsTwin) {
    step.obstacleCount = 0;
    const View v = viewOfBox();
    view = v;
    values = Field(step.scalarCells, dvec4(0.4));
    valuesImage = toGpu(values, VK_FORMAT_R32_SFLOAT);
    const engine::Image noScalars = target(ivec3(1), VK_FORMAT_R32_SFLOAT),
                        depth = image("depth", {v.pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
    const gpu::VolumePush push{.isSigned = 0, .stepLength = 0.01f, .opacity = 5.0f};
    picture("view_volume", v.pixels, push, {{"scalars", noScalars}, {"depth", depth}});
    Field depths = fromGpu(depth);
    std::size_t misses = 0;
    forEach({v.pixels, 1}, [&](ivec3 pixel) {
        const Shown twin = viewVolume(step, v, push, values, map, limits, pixel);
        if (twin.colour.w == 0.0) {
            EXPECT_EQ(depths(pixel).x, std::numeric_limits<double>::infinity());
            ++misses;
            // Otherwise the ray cuts a corner of the box, at a position that floats do not resolve well.
        } else if (twin.colour.w > 0.01) {
            // The ray is at most 1.2 m long and the march stops at a weight of 1e-3. Each of 120 steps has a rounding error of an eps of 3
            // m.
            EXPECT_NEAR(depths(pixel).x, twin.depth, 1.2e-3 + 120.0 * 3.0 * kEps) << pixel.x << " " << pixel.y;
        }
    });
    EXPECT_GT(misses, 0u);

    // Only a box 0.3 m to the side and 1.1 m in front of the camera, seen at an angle. The depth is measured along the axis, not along the
    // ray.
    View straight{};
    straight.eye = step.origin + step.h * glm::vec3(8.5f, 6.0f, 9.0f) + glm::vec3(0.0f, 0.0f, 1.0f);
    straight.forward = {0.0f, 0.0f, -1.0f};
    straight.right = {1.0f, 0.0f, 0.0f};
    straight.up = {0.0f, 1.0f, 0.0f};
    straight.pixels = {15, 15};
    view = straight;
    values = Field(step.scalarCells, dvec4(double(limits.low)));
    valuesImage = toGpu(values, VK_FORMAT_R32_SFLOAT);
    step.obstacleCount = 1;
    step.obstacles[0].shape = {straight.eye + glm::vec3(0.3f, 0.0f, -1.2f), WISP_BOX, {0.15f, 0.15f, 0.1f}, 0.0f, {0, 0, 0, 1}};
    const engine::Image small = image("depth", {straight.pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
    picture("view_volume", straight.pixels, push, {{"scalars", noScalars}, {"depth", small}});
    depths = fromGpu(small);
    EXPECT_NEAR(depths({9, 7, 0}).x, 1.1, 2.0 * 1e-4 * double(step.h));  // where sphere tracing stops
    EXPECT_EQ(depths({5, 7, 0}).x, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace wisp::test
