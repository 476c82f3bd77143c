// SPDX-License-Identifier: MIT
// Fixture for the tests of a liquid's passes.
#include "tests/gpu/pass_liquid.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace wisp::test {
namespace {

void append(std::vector<float>& numbers, dvec4 v) {
    for (int n = 0; n < 4; ++n) numbers.push_back(static_cast<float>(v[n]));
}

}  // namespace

void PassLiquid::SetUp() {
    EveryCase::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    step.sidesLow.x = WISP_WALL;  // no inflow
    step.inflow = {};
}

Particles PassLiquid::randomParticles(std::size_t count, double height) {
    const ivec3 size(static_cast<int>(count), 1, 1);
    const Field positions = random(size, 3, 0.0, 1.0), velocities = random(size, 3, -1.0, 1.0),
                gradients[3] = {random(size, 3, -3.0, 3.0), random(size, 3, -3.0, 3.0), random(size, 3, -3.0, 3.0)};
    Particles result;
    for (int n = 0; n < size.x; ++n) {
        const ivec3 at(n, 0, 0);
        const dvec3 p = dvec3(positions(at)) * dvec3(step.cells) * dvec3(1.0, height, 1.0);
        result.push_back({dvec4(glm::vec4(dvec4(p, 1.0))), dvec4(glm::vec4(velocities(at))), {}});
        for (std::size_t axis = 0; axis < 3; ++axis) result.back().gradient[axis] = dvec4(glm::vec4(gradients[axis](at)));
    }
    return result;
}

PassLiquid::InCells PassLiquid::inCells(const Particles& particles) {
    InCells result;
    result.counts = countParticles(step, particles, 1).counts;
    result.first = firstParticles(result.counts, Words(step.cells), static_cast<std::uint32_t>(particles.size()));
    result.particles = sorted(step, particles, result.first);
    return result;
}

engine::Buffer PassLiquid::wordsToGpu(const std::vector<std::uint32_t>& words) {
    std::vector<float> bits(words.size());
    std::memcpy(bits.data(), words.data(), 4 * words.size());
    engine::Buffer result = target(bits.size());
    upload(result, bits);
    return result;
}

std::vector<std::uint32_t> PassLiquid::wordsFromGpu(const engine::Buffer& buffer) {
    const std::vector<std::byte> bytes = downloadBytes(buffer);
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

Words PassLiquid::wordsFromGpu(const engine::Buffer& buffer, ivec3 size) {
    Words result(size);
    const std::vector<std::uint32_t> words = wordsFromGpu(buffer);
    std::copy_n(words.begin(), result.count(), result.values().begin());
    return result;
}

PassLiquid::OnGpu PassLiquid::particleTargets(std::size_t capacity) {
    return {target(4 * capacity), target(4 * capacity), target(12 * capacity)};
}

PassLiquid::OnGpu PassLiquid::particlesToGpu(const Particles& particles, std::size_t capacity) {
    OnGpu result = particleTargets(capacity);
    std::vector<float> positions, velocities, gradients;
    for (const Particle& p : particles) {
        append(positions, p.place);
        append(velocities, p.velocity);
        for (const dvec4& g : p.gradient) append(gradients, g);
    }
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    positions.resize(4 * capacity, kNan);
    velocities.resize(4 * capacity, kNan);
    gradients.resize(12 * capacity, kNan);
    upload(result.positions, positions);
    upload(result.velocities, velocities);
    upload(result.gradients, gradients);
    return result;
}

Particles PassLiquid::particlesFromGpu(const OnGpu& buffers, std::size_t count) {
    const std::vector<float> positions = download(buffers.positions), velocities = download(buffers.velocities),
                             gradients = download(buffers.gradients);
    const auto at = [](const std::vector<float>& v, std::size_t i) { return dvec4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]); };
    Particles result;
    for (std::size_t n = 0; n < count; ++n)
        result.push_back({at(positions, n), at(velocities, n), {at(gradients, 3 * n), at(gradients, 3 * n + 1), at(gradients, 3 * n + 2)}});
    return result;
}

engine::Buffer PassLiquid::surfaceToGpu(Field& surface) {
    std::vector<float> values;
    for (dvec4& v : surface.values()) {
        v = dvec4(glm::vec4(v));
        values.push_back(static_cast<float>(v.x));
        values.push_back(static_cast<float>(v.y));
    }
    engine::Buffer result = target(values.size());
    upload(result, values);
    return result;
}

engine::Buffer PassLiquid::knownToGpu(const Field& known) {
    std::vector<std::uint32_t> words;
    for (const dvec4& v : known.values())
        words.push_back(static_cast<std::uint32_t>(v.x) | static_cast<std::uint32_t>(v.y) << 8 | static_cast<std::uint32_t>(v.z) << 16);
    return wordsToGpu(words);
}

Field PassLiquid::knownFromGpu(const engine::Buffer& buffer) {
    Field known(faces(step));
    const Words words = wordsFromGpu(buffer, faces(step));
    for (std::size_t i = 0; i < known.count(); ++i)
        known.values()[i] = dvec4(words.values()[i] & 255u, words.values()[i] >> 8 & 255u, words.values()[i] >> 16 & 255u, 0.0);
    return known;
}

Field PassLiquid::randomSurface(const Field& aperture) {
    Field surface = random(step.cells, 2, -0.4, 0.4);
    forEach(step.cells, [&](ivec3 c) {
        const dvec3 p = (dvec3(c) + 0.5) / dvec3(glm::max(step.cells, ivec3(6)));
        double phi = surface(c).x + 0.5 * std::sin(7.0 * p.x + 1.0) + 1.4 * (p.y - 0.5) + 0.3 * std::cos(5.0 * p.z);
        phi = std::copysign(std::clamp(std::abs(phi), WISP_LIQUID_LEAST, 1.0), phi);
        surface(c) = dvec4(aperture(c).w == 0.0 ? 1.0 : phi, 1.0 + 2.0 * surface(c).y, 0.0, 0.0);
    });
    return surface;
}

void expectWithin(const Field& gpu, const Field& twin, const Field& allowed, bool half, const Field* unsure) {
    ASSERT_EQ(gpu.size(), twin.size());
    std::size_t wrong = 0;
    forEach(gpu.size(), [&](ivec3 c) {
        for (int n = 0; n < 3; ++n) {
            if (unsure && (*unsure)(c)[n] != 0.0) continue;
            const double most = allowed(c)[n] + (half ? std::abs(twin(c)[n]) / 1024.0 + 6e-8 : 0.0);
            if (std::abs(gpu(c)[n] - twin(c)[n]) <= most) continue;  // false for NaN
            if (wrong++ < 3)
                ADD_FAILURE() << "texel " << c.x << " " << c.y << " " << c.z << " channel " << n << ": GPU " << gpu(c)[n] << ", twin "
                              << twin(c)[n] << ", allowed " << most;
        }
    });
    EXPECT_EQ(wrong, 0u);
}

}  // namespace wisp::test
