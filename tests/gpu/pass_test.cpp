// SPDX-License-Identifier: MIT
#include "tests/gpu/pass_test.h"

#include "tests/reference/pressure.h"

#include "compute/scene/environment.h"

#include <glm/gtc/constants.hpp>
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/component_wise.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::test {

int channelsOf(VkFormat format) {
    switch (format) {
        case VK_FORMAT_R32_SFLOAT:
        case VK_FORMAT_R16_SFLOAT: return 1;
        case VK_FORMAT_R32G32_SFLOAT:
        case VK_FORMAT_R16G16_SFLOAT: return 2;
        default: return 4;
    }
}

gpu::PressureLevel levelOf(ivec3 cells) { return {.cells = cells, .last = glm::vec3(1.0f)}; }

void PassTest::SetUp() {
    GpuTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    nothing_ = target(ivec3(1), VK_FORMAT_R32_SFLOAT);
    setEnvironment(Field(ivec3(1)));
    useConstants({{"kExactFilter", 1}});
}

void PassTest::TearDown() {
    distanceImage_ = {};
    nothing_ = {};
    environmentMap_ = {};
    shaders_.reset();
    GpuTest::TearDown();
}

void PassTest::useConstants(engine::ShaderConstants constants, std::span<const engine::EmbeddedShader> shaders) {
    constants_ = std::move(constants);
    known_ = engine::constantNames(shaders);
    shaders_.reset();  // so that this library, which has pipelines, is used again
    shaders_ = pooledLibrary(device(), shaders, optionsOfStep());
}

engine::ShaderOptions PassTest::optionsOfStep() const {
    const auto periodic = static_cast<std::uint32_t>(periodicAxes(step));
    engine::ShaderOptions options{.constants = constants_, .repeatAxes = periodic};
    const auto set = [&](const char* name, std::uint32_t value) {
        if (known_.contains(name)) options.constants[name] = value;  // a library of test shaders has few of them
    };
    set("kHalfStorage", halfStorage ? 1 : 0);
    set("kPeriodic", periodic);
    set("kScalarRatio", static_cast<std::uint32_t>(std::max(step.scalarRatio, 1)));  // 0 for a pass that reads no step
    set("kExpands", expands ? 1 : 0);
    set("kFlat", isFlat(step) ? 1 : 0);
    if (isFlat(step)) options.constants.insert({{"kGroupY", 8}, {"kGroupZ", 1}});
    set("kRatio", static_cast<std::uint32_t>(std::max(step.ratio, 1)));
    options.largestField = byAddress ? std::numeric_limits<std::uint64_t>::max() : 0;
    return options;
}

Field PassTest::random(ivec3 size, int channels, double low, double high) {
    Field field(size);
    std::uniform_real_distribution<double> uniform(low, high);
    for (dvec4& v : field.values())
        for (int n = 0; n < channels; ++n) v[n] = uniform(generator_);
    return field;
}

void PassTest::setEnvironment(Field map, double rotation) {
    EnvironmentImage texels{glm::uvec2(map.size()), {}};
    for (const dvec4& v : map.values()) texels.texels.emplace_back(v);
    environmentMap_ = image("environment", glm::uvec3(map.size()), VK_FORMAT_R32G32B32A32_SFLOAT, true);
    std::vector<float> values;
    for (const dvec4& v : map.values())
        for (int n = 0; n < 4; ++n) values.push_back(static_cast<float>(v[n]));
    upload(environmentMap_, values);
    surroundings = fromGpu(environmentMap_);
    if (!view) return;
    std::ranges::copy(environmentHarmonics(texels, static_cast<float>(rotation), false), view->environment);
    view->environmentRotation = static_cast<float>(rotation / (2.0 * glm::pi<double>()));
}

Numbers PassTest::randomNumbers(ivec3 size, double low, double high) {
    Numbers numbers(size);
    std::uniform_real_distribution<double> uniform(low, high);
    for (double& v : numbers.values()) v = uniform(generator_);
    return numbers;
}

Field PassTest::randomVelocity(const Step& s) {
    Field velocity = random(faces(s), 3, -1.0, 1.0);
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!faceExists(s, c, axis) || axis >= axes(s)) velocity(c)[axis] = 0.0;
        }
    });
    wrapFaces(s, velocity);
    return velocity;
}

engine::Image PassTest::toGpu(Field& field, VkFormat format) {
    engine::Image result = target(field.size(), format);
    const std::vector<std::byte> bytes = texelsOf(field, format);
    run(*shaders_, [&](engine::Recorder& rec) { rec.upload(result, bytes); });
    field = fieldOf(decodeTexels(format, bytes), field.size(), format);
    return result;
}

std::vector<std::byte> PassTest::texelsOf(const Field& field, VkFormat format) {
    const auto channels = static_cast<std::size_t>(channelsOf(format));
    std::vector<float> values(channels * field.count());
    for (std::size_t i = 0; i < field.count(); ++i)
        for (std::size_t n = 0; n < channels; ++n) values[i * channels + n] = static_cast<float>(field.values()[i][static_cast<int>(n)]);
    return encodeTexels(format, values);
}

Field PassTest::fieldOf(const std::vector<float>& values, ivec3 size, VkFormat format) {
    Field field(size);
    const auto channels = static_cast<std::size_t>(channelsOf(format));
    for (std::size_t i = 0; i < field.count(); ++i)
        for (std::size_t n = 0; n < channels; ++n) field.values()[i][static_cast<int>(n)] = values[i * channels + n];
    return field;
}

ivec3 PassTest::reachGroup() {
    shaders_->setOptions(optionsOfStep());
    return ivec3(shaders_->get("backtrace").interface.localSize);
}

engine::Buffer PassTest::vectorsToGpu(Field& field) {
    engine::Buffer result = vectorTarget(field.size());
    std::vector<float> values;
    for (const dvec4& v : field.values())
        for (int n = 0; n < 4; ++n) values.push_back(static_cast<float>(v[n]));
    const std::vector<std::byte> bytes = encodeTexels(vectorTexel(), values);
    run(*shaders_, [&](engine::Recorder& rec) { rec.upload(result, bytes); });
    field = vectorsFromGpu(result, field.size());
    return result;
}

engine::Buffer PassTest::toGpu(Numbers& numbers) {
    engine::Buffer result = target(numbers.count());
    std::vector<float> values;
    for (double& v : numbers.values()) {
        values.push_back(static_cast<float>(v));
        v = values.back();
    }
    upload(result, values);
    return result;
}

engine::Buffer PassTest::weightsToGpu(Field& weights) {
    engine::Buffer result = target(4 * weights.count());
    std::vector<float> values;
    for (dvec4& v : weights.values()) {
        for (int n = 0; n < 4; ++n) {
            values.push_back(static_cast<float>(v[n]));
            v[n] = values.back();
        }
    }
    upload(result, values);
    return result;
}

engine::Image PassTest::solidVelocityToGpu(const Field& aperture) {
    Field solid = solidVelocities(step, aperture);
    wrapFaces(step, solid);
    return toGpu(solid, VK_FORMAT_R32G32B32A32_SFLOAT);
}

engine::Buffer PassTest::regularToGpu(const Field& weights) {
    const gpu::PressureLevel level = levelOf(weights.size() - 1);
    std::vector<std::uint32_t> regular(static_cast<std::size_t>(gpu::regularCount(level)));
    forEach(level.cells, [&](ivec3 c) {
        const int slot = gpu::slotOf(level, c.x);
        regular[static_cast<std::size_t>(gpu::regularIndex(level, slot, c.y, c.z))] |= gpu::flagsOf(slot, isRegular(weights, c, axes(step)),
                                                                                                    weights(c).w > 0.0);
    });
    engine::Buffer result = target(regular.size());
    run(*shaders_, [&](engine::Recorder& rec) { rec.upload(result, std::as_bytes(std::span(regular))); });
    return result;
}

engine::Buffer PassTest::cellsToGpu(Numbers& numbers) {
    engine::Buffer result = target(numbers.count());
    const gpu::PressureLevel level = levelOf(numbers.size());
    std::vector<float> values(numbers.count());
    forEach(level.cells, [&](ivec3 c) {
        float& value = values[static_cast<std::size_t>(gpu::cellIndex(level, c))];
        value = static_cast<float>(numbers(c));
        numbers(c) = value;
    });
    upload(result, values);
    return result;
}

Numbers PassTest::cellsFromGpu(const engine::Buffer& source, ivec3 size) {
    Numbers numbers(size);
    const std::vector<float> values = download(source);
    forEach(size, [&](ivec3 c) { numbers(c) = values[static_cast<std::size_t>(gpu::cellIndex(levelOf(size), c))]; });
    return numbers;
}

engine::Image PassTest::target(ivec3 size, VkFormat format) { return image("test", glm::uvec3(size), format); }
engine::Buffer PassTest::target(std::size_t floats) { return buffer("test", floats * sizeof(float)); }
engine::Buffer PassTest::floatsToGpu(Numbers& numbers) {
    std::vector<float> floats(numbers.values().begin(), numbers.values().end());
    for (std::size_t n = 0; n < floats.size(); ++n) numbers.values()[n] = double(floats[n]);
    engine::Buffer result = floatTarget(numbers.size());
    upload(result, floats);
    return result;
}

engine::Buffer PassTest::vectorTarget(ivec3 size) { return buffer("test vectors", Field(size).count() * (halfStorage ? 8 : 16), true); }

Field PassTest::fromGpu(const engine::Image& source) { return fieldOf(download(source), ivec3(source.size()), source.desc().format); }

Field PassTest::vectorsFromGpu(const engine::Buffer& source, ivec3 size) {
    Field field(size);
    const std::vector<float> values = decodeTexels(vectorTexel(), downloadBytes(source));
    for (std::size_t i = 0; i < values.size(); ++i) field.values()[i / 4][static_cast<int>(i % 4)] = values[i];
    return field;
}

Numbers PassTest::fromGpu(const engine::Buffer& source, ivec3 size) {
    Numbers numbers(size);
    const std::vector<float> values = download(source);
    for (std::size_t i = 0; i < numbers.count(); ++i) numbers.values()[i] = values[i];
    return numbers;
}

const engine::Image& PassTest::distanceImage() {
    if (!distanceImage_ || std::memcmp(&distancesOf_, &step, sizeof step) !=
                               0) {  // NOLINT(bugprone-suspicious-memory-comparison): different padding only causes a rebuild
        distances_ = solidDistance(step);
        distanceImage_ = toGpu(distances_, VK_FORMAT_R16_SFLOAT);
        distancesOf_ = step;
    }
    return distanceImage_;
}

const Field& PassTest::distanceField() {
    distanceImage();
    return distances_;
}

void PassTest::passWith(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings,
                        const engine::PushConstants& push) {
    const auto dispatch = [&] { recording_->dispatch(name, glm::uvec3(threads), bindings, push); };
    recording_ ? dispatch() : together(dispatch);
}

void PassTest::together(const std::function<void()>& passes) {
    const auto uniform = [&](const auto& data) {
        engine::Buffer result = buffer("uniform", sizeof(data));
        run(*shaders_, [&](engine::Recorder& rec) { rec.upload(result, std::as_bytes(std::span(&data, 1))); });
        return result;
    };
    shaders_->setOptions(optionsOfStep());
    step.cells = glm::max(step.cells, ivec3(1));  // 0 for a pass that reads no step
    if (step.h == 0.0f) step.h = 1.0f;
    step.perCell = 1.0f / glm::vec3(step.cells);
    step.perFace = 1.0f / glm::vec3(step.cells + 1);
    step.perScalar = 1.0f / glm::vec3(glm::max(step.scalarCells, ivec3(1)));
    const engine::Buffer stepData = uniform(step);
    const engine::Buffer viewData = uniform(view.value_or(View{}));
    const engine::Image& distances = distanceImage();
    const glm::uvec3 bricks = (glm::uvec3(glm::max(step.scalarCells, ivec3(1))) + 7u) / 8u;
    const engine::Buffer everything = target(std::size_t{bricks.x} * bricks.y * bricks.z);
    if (!reached) upload(everything, std::vector<float>(everything.bytes() / sizeof(float), 1.0f));
    run(*shaders_, [&](engine::Recorder& rec) {
        rec.setCommon({{"stepData", stepData},
                       {"view", viewData},
                       {"solidDistance", distances},
                       {"meshDistances", meshDistances ? *meshDistances : nothing_},
                       {"meshVelocities", nothing_},
                       {"smokeColour", smokeColour ? *smokeColour : nothing_},
                       {"environmentMap", environmentMap_},
                       {"hostDepth", environmentMap_},
                       {"smokeBox", everything},
                       {"lightWindow", everything},
                       {"fireLights", everything},
                       {"reached", reached ? *reached : everything},
                       {"brickList", brickList ? *brickList : everything},
                       {"brickStates", brickStates ? *brickStates : everything},
                       {"brickSlots", brickSlots ? *brickSlots : everything},
                       {"velocity", nothing_},  // of pictures without a shutter
                       {"coarseVelocity", coarseVelocity ? *coarseVelocity : nothing_},
                       {"coarseFaces", nothing_}});
        const std::shared_ptr<void> closed(recording_ = &rec, [&](void*) { recording_ = nullptr; });  // a pass may throw
        passes();
    });
}

void EveryCase::SetUp() {
    PassTest::SetUp();
    step = makeStep(GetParam());
    halfStorage = half();
    byAddress = GetParam().ratio == 4;
    expands = GetParam().expands;
}

void EveryCase::addDivergence(Field& velocity) {
    if (!expands) return;
    const Field divergence = random(step.cells, 1, -10.0, 10.0);
    forEach(step.cells, [&](ivec3 c) { velocity(c).w = divergence(c).x; });
}

VkFormat EveryCase::vectorFormat() const { return half() ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT; }
VkFormat EveryCase::scalarFormat() const { return half() ? VK_FORMAT_R16G16_SFLOAT : VK_FORMAT_R32G32_SFLOAT; }

Field EveryCase::aperture() {
    Field field = obstacles(step);
    for (dvec4& v : field.values()) v = glm::round(v * 255.0) / 255.0;
    wrapFaces(step, field);
    return field;
}

Field EveryCase::wrapped(Field field) const {
    wrapFaces(step, field);
    return field;
}

void expectNear(const Field& gpu, const Field& twin, double tolerance, bool half, std::size_t flips) {
    ASSERT_EQ(gpu.size(), twin.size());
    std::size_t wrong = 0;
    std::string first;
    double worst = 0.0;
    forEach(gpu.size(), [&](ivec3 c) {
        for (int n = 0; n < 4; ++n) {
            const double allowed = tolerance + (half ? std::abs(twin(c)[n]) / 1024.0 + 6e-8 : 0.0);
            const double error = std::abs(gpu(c)[n] - twin(c)[n]);
            if (allowed > 0.0) worst = std::max(worst, error / allowed);
            if (error <= allowed) continue;  // false for NaN
            if (wrong++ == 0)
                first = "texel " + std::to_string(c.x) + " " + std::to_string(c.y) + " " + std::to_string(c.z) + " channel " +
                        std::to_string(n) + ": GPU " + std::to_string(gpu(c)[n]) + ", twin " + std::to_string(twin(c)[n]) + ", allowed " +
                        std::to_string(allowed);
        }
    });
    EXPECT_LE(wrong, flips) << wrong << " values differ, first " << first << "; worst error / allowed " << worst;
}

void expectNear(const Numbers& gpu, const Numbers& twin, double tolerance) {
    Field a(gpu.size()), b(twin.size());
    for (std::size_t i = 0; i < gpu.count(); ++i) a.values()[i].x = gpu.values()[i];
    for (std::size_t i = 0; i < twin.count(); ++i) b.values()[i].x = twin.values()[i];
    expectNear(a, b, tolerance, false);
}

double largest(const Field& field) {
    double result = 0.0;
    for (const dvec4& v : field.values()) result = std::max({result, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return result;
}

double largest(const Numbers& numbers) {
    double result = 0.0;
    for (const double v : numbers.values()) result = std::max(result, std::abs(v));
    return result;
}

double steepest(const Field& field, ivec3 period) {
    double result = 0.0;
    forEach(field.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis)
            result = std::max(result, glm::compMax(glm::abs(field.nearest(c + unit(axis), period) - field(c))));
    });
    return result;
}

Field smoothField(ivec3 size, int channels, double low, double high) {
    Field field(size);
    forEach(size, [&](ivec3 c) {
        const dvec3 p = (dvec3(c) + 0.5) / dvec3(size);
        for (int n = 0; n < channels; ++n) {
            const double wave = std::sin(3.0 * p.x + n) * std::cos(2.0 * p.y - 1.3 * n) * std::sin(2.5 * p.z + 0.7 * n + 1.0);
            field(c)[n] = low + (high - low) * (0.5 + 0.5 * wave);
        }
    });
    return field;
}

}  // namespace wisp::test
