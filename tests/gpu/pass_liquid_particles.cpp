// SPDX-License-Identifier: MIT
// Counting, removing, spawning and sorting of a liquid's particles.
#include "tests/gpu/pass_liquid.h"

#include "compute/scene/shape_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

constexpr int kThreadsMore = 300;  // more threads than particles; entries past the last particle are NaN

class PassLiquidParticles : public PassLiquid {
protected:
    // Particles as after a step: sorted by their previous cells. Some are outside the box, some are not finite, and some are on sides and
    // corners of the box.
    Particles disordered(std::size_t count) {
        Particles particles = inCells(randomParticles(count)).particles;
        const Field ways = random({static_cast<int>(count), 1, 1}, 3, -1.2, 1.2);
        for (std::size_t n = 0; n < count; ++n)
            for (int axis = 0; axis < 3; ++axis)
                particles[n].place[axis] = static_cast<float>(particles[n].place[axis] + ways.values()[n][axis]);
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
        particles[3].place.y = kNan;
        particles[4].velocity.z = kNan;
        particles[5].velocity.x = -kInf;
        particles[6].place.x = kInf;
        particles[7].place = dvec4(0.5 * dvec3(step.cells), 0.0);  // marked as having left
        particles[8].place = dvec4(step.cells, 1.0);
        particles[10].place = dvec4(0.5 * dvec3(step.cells), WISP_LIQUID_SURPLUS);
        particles[9].place = dvec4(0.0, 0.0, 0.0, 1.0);
        return particles;
    }
    struct Sorting {
        engine::Buffer counts, taken, ranks, removed;
    };
    Sorting count(const Particles& particles, const OnGpu& buffers, int edge) {
        const Words zero(step.cells);
        Sorting s{wordsToGpu(zero), wordsToGpu(zero), target(particles.size()), wordsToGpu(std::vector<std::uint32_t>{5, 7, 9})};
        pass("liquid_count", {static_cast<int>(particles.size()) + kThreadsMore, 1, 1},
             {{"positions", buffers.positions},
              {"velocities", buffers.velocities},
              {"cellFirst", total(particles.size())},
              {"counts", s.counts},
              {"ranksOut", s.ranks},
              {"gone", s.removed},
              {"taken", s.taken}},
             edge);
        return s;
    }
    // First particles of cells. Passes read only the last word.
    engine::Buffer total(std::size_t particles) {
        std::vector<std::uint32_t> words(Words(step.cells).count() + 1, 77u);
        words.back() = static_cast<std::uint32_t>(particles);
        return wordsToGpu(words);
    }
    std::uint32_t notSpawned = 0;  // particles that the last scan had no room for
    std::vector<std::uint32_t> scan(const engine::Buffer& counts, const engine::Buffer& spawned, std::uint32_t capacity) {
        const auto cells = static_cast<int>(Words(step.cells).count());
        constexpr int kBlock = WISP_SCAN_THREADS * WISP_SCAN_CELLS;
        const int groups = (cells + kBlock - 1) / kBlock;
        const engine::Buffer first = target(static_cast<std::size_t>(cells) + 1), spawnedFirst = target(static_cast<std::size_t>(cells)),
                             blocks = target(2 * static_cast<std::size_t>(groups + 1));
        pass("liquid_scan", {(cells + WISP_SCAN_CELLS - 1) / WISP_SCAN_CELLS, 1, 1},
             {{"counts", counts}, {"spawned", spawned}, {"firstOut", first}, {"spawnedFirstOut", spawnedFirst}, {"blocksOut", blocks}});
        pass("liquid_scan_blocks", {WISP_SCAN_THREADS, 1, 1}, {{"blocks", blocks}}, static_cast<std::uint32_t>(groups));
        const engine::Buffer removed = wordsToGpu(std::vector<std::uint32_t>{5, 7, 9, 11});
        pass("liquid_first", {cells + 1, 1, 1},
             {{"spawnedFirst", spawnedFirst}, {"blocks", blocks}, {"cellFirst", first}, {"gone", removed}}, capacity);
        notSpawned = wordsFromGpu(removed).at(3) - 11;
        return wordsFromGpu(first);
    }
    Words randomWords(double low, double high) {
        const Numbers numbers = randomNumbers(step.cells, low, high);
        Words words(step.cells);
        for (std::size_t i = 0; i < words.count(); ++i) words.values()[i] = static_cast<std::uint32_t>(std::max(numbers.values()[i], 0.0));
        return words;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidParticles, testing::ValuesIn(liquidCases()), nameOf);

TEST_P(PassLiquidParticles, Count) {
    const Particles particles = disordered(900);
    const OnGpu buffers = particlesToGpu(particles, 1000);
    for (const int edge : {1, 2, 3}) {
        const Sorting s = count(particles, buffers, edge);
        const Counted twin = countParticles(step, particles, edge);
        EXPECT_EQ(wordsFromGpu(s.counts, step.cells).values(), twin.counts.values());
        EXPECT_EQ(wordsFromGpu(s.taken, step.cells).values(), twin.taken.values());
        EXPECT_EQ(wordsFromGpu(s.removed), (std::vector<std::uint32_t>{5 + twin.removed[0], 7 + twin.removed[1], 9 + twin.removed[2]}))
            << "added to the previous counts";
        EXPECT_EQ(twin.removed[1], 4u);
        EXPECT_EQ(twin.removed[2], 1u);
        EXPECT_GT(twin.removed[0], 10u);
        // Each particle has a rank in its cell. Ranks are below the cell's count and unique.
        const std::vector<std::uint32_t> ranks = wordsFromGpu(s.ranks);
        std::vector<std::uint64_t> seen(twin.counts.count());
        for (std::size_t n = 0; n < particles.size(); ++n) {
            const bool stays = isSound(particles[n]) && particles[n].place.w > 0.0 && isInBox(step, dvec3(particles[n].place));
            ASSERT_EQ(ranks[n] == 0xffffffffu, !stays) << n;
            if (!stays) continue;
            const ivec3 c = cellOf(step, dvec3(particles[n].place));
            ASSERT_LT(ranks[n], std::min(twin.counts(c), 64u)) << n;
            std::uint64_t& bits = seen[static_cast<std::size_t>((c.z * step.cells.y + c.y) * step.cells.x + c.x)];
            ASSERT_EQ(bits >> ranks[n] & 1u, 0u) << n;
            bits |= std::uint64_t{1} << ranks[n];
        }
    }
}

TEST_P(PassLiquidParticles, Sort) {
    const Particles particles = disordered(900);
    const OnGpu buffers = particlesToGpu(particles, 1000);
    const Counted counted = countParticles(step, particles, 2);
    const Words spawned = randomWords(-6.0, 8.0);  // bits 0 to 2; none in half of the cells
    const std::vector<std::uint32_t> first = firstParticles(counted.counts, spawned, 5000);
    const Particles twin = sorted(step, particles, first);
    useConstants({{"kExactFilter", 1}, {"kAffine", 1}});
    Particles before;
    for (int run = 0; run < 2; ++run) {
        const Sorting s = count(particles, buffers, 2);
        const engine::Buffer cellFirst = wordsToGpu(first), order = target(5000), old = total(particles.size());
        const OnGpu result = particleTargets(first.back() + 1);
        const ivec3 threads(static_cast<int>(particles.size()) + kThreadsMore, 1, 1);
        pass("liquid_order", threads,
             {{"positions", buffers.positions},
              {"ranks", s.ranks},
              {"cellFirstBefore", old},
              {"cellFirst", cellFirst},
              {"orderOut", order}});
        pass("liquid_sort", threads,
             {{"positions", buffers.positions},
              {"velocities", buffers.velocities},
              {"gradients", buffers.gradients},
              {"ranks", s.ranks},
              {"counts", s.counts},
              {"cellFirstBefore", old},
              {"cellFirst", cellFirst},
              {"order", order},
              {"positionsOut", result.positions},
              {"velocitiesOut", result.velocities},
              {"gradientsOut", result.gradients}});
        const Particles gpu = particlesFromGpu(result, first.back());
        for (std::size_t c = 0; c < counted.counts.count(); ++c) {
            for (std::size_t n = first[c]; n < first[c] + counted.counts.values()[c]; ++n) {
                ASSERT_EQ(gpu[n].place, twin[n].place) << n;
                ASSERT_EQ(gpu[n].velocity, twin[n].velocity) << n;
                ASSERT_EQ(gpu[n].gradient, twin[n].gradient) << n;
            }
        }
    }
}

TEST_P(PassLiquidParticles, Reseed) {
    Field open = aperture();
    const engine::Image openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
    // Nearly all cells have enough particles, or no cell would be inside.
    Counted counted{randomWords(-0.4, 9.0), Words(step.cells), {}};
    for (std::uint32_t& n : counted.counts.values()) n = n == 0 ? 1u : n + 2u;
    std::uint32_t spawned = 0;
    for (const int edge : {1, 2, 3}) {
        const Numbers parts = randomNumbers(step.cells, 0.0, std::pow(2.0, edge * edge * edge));
        for (std::size_t i = 0; i < parts.count(); ++i) counted.taken.values()[i] = static_cast<std::uint32_t>(parts.values()[i]);
        const gpu::LiquidSpawn push{.edge = edge, .jitter = 0.5f, .seed = 9, .step = 4};
        for (const std::uint32_t removed : {5u, 4u}) {  // four of them have been respawned
            const engine::Buffer result = target(counted.counts.count()), respawned = wordsToGpu(std::vector<std::uint32_t>{0, 0});
            pass("liquid_reseed", step.cells,
                 {{"counts", wordsToGpu(counted.counts)},
                  {"taken", wordsToGpu(counted.taken)},
                  {"spawnedOut", result},
                  {"aperture", openImage},
                  {"gone", wordsToGpu(std::vector<std::uint32_t>{7, 8, removed})},
                  {"respawnedIn", wordsToGpu(std::vector<std::uint32_t>{4, 99})},
                  {"respawnedOut", respawned}},
                 push);
            const Words twin = reseed(step, open, counted, push);
            std::uint32_t wanted = 0;
            for (const std::uint32_t b : twin.values()) wanted += static_cast<std::uint32_t>(std::popcount(b));
            EXPECT_EQ(wordsFromGpu(result, step.cells).values(), removed == 4 ? Words(step.cells).values() : twin.values()) << edge;
            EXPECT_EQ(wordsFromGpu(respawned),
                      (removed == 4 ? std::vector<std::uint32_t>{4, wanted} : std::vector<std::uint32_t>{4 + wanted, 0}))
                << edge << ": only particles that were not spawned are still wanted";
            spawned += wanted;
        }
    }
    if (glm::all(glm::greaterThan(step.cells, ivec3(4)))) {
        EXPECT_GT(spawned, 0u);
    }
}

TEST_P(PassLiquidParticles, Source) {
    const glm::vec3 box = step.h * glm::vec3(step.cells);
    const Words spawned = randomWords(-100.0, 50.0), taken = randomWords(-200.0, 255.0);
    for (const int edge : {1, 2, 3}) {
        for (const int kind : {WISP_SPHERE, WISP_BOX}) {
            gpu::LiquidSource push{};
            push.shape = {step.origin + box * glm::vec3(0.41f, 0.52f, 0.47f),
                          kind,
                          kind == WISP_BOX ? 0.31f * box : glm::vec3(0.0f),
                          kind == WISP_BOX ? 0.0f : 6.3f * step.h,
                          {0, 0, 0, 1}};
            push.first = ivec3(-1);  // cells outside the box are skipped
            push.edge = edge;
            const engine::Buffer result = wordsToGpu(spawned);
            pass("liquid_source", step.cells + 3, {{"taken", wordsToGpu(taken)}, {"spawned", result}}, push);
            // Positions are below 2 m with 8 roundings. Distances to obstacles are samples.
            const Filled twin = fill(step, push, distanceField(), taken, spawned, 8.0 * 2.0 * kEps + double(step.h) * distanceError());
            const Words gpu = wordsFromGpu(result, step.cells);
            std::size_t sure = 0;
            for (std::size_t i = 0; i < gpu.count(); ++i) {
                const std::uint32_t known = ~twin.unsure.values()[i];
                ASSERT_EQ(gpu.values()[i] & known, twin.spawned.values()[i] & known) << i;
                sure += static_cast<std::size_t>(std::popcount(known & ((1u << (edge * edge * edge)) - 1u)));
            }
            EXPECT_GT(sure, gpu.count() * static_cast<std::size_t>(edge * edge * edge) * 9 / 10);
        }
    }
}

TEST_P(PassLiquidParticles, Scan) {
    const Words counts = randomWords(-3.0, 11.0), spawned = randomWords(-2.0e8, 1.3e8);
    std::uint32_t old = 0, added = 0;
    for (std::size_t i = 0; i < counts.count(); ++i) {
        old += counts.values()[i];
        added += static_cast<std::uint32_t>(std::popcount(spawned.values()[i]));
    }
    const engine::Buffer countsBuffer = wordsToGpu(counts), spawnedBuffer = wordsToGpu(spawned);
    for (const std::uint32_t capacity : {old + added + 9, old + added, old + added / 2, old + 1, old}) {
        EXPECT_EQ(scan(countsBuffer, spawnedBuffer, capacity), firstParticles(counts, spawned, capacity))
            << capacity - old << " of " << added;
        EXPECT_EQ(notSpawned, old + added - std::min(capacity, old + added));
    }
}

TEST_P(PassLiquidParticles, Newborn) {
    Field velocity = randomVelocity(step);
    const engine::Image image = toGpu(velocity, vectorFormat());
    Counted counted{randomWords(-3.0, 4.0), Words(step.cells), {}};
    const Words spawned = randomWords(-150.0, 256.0);
    forEach(step.cells, [&](ivec3 c) {
        // All layers but the last are full, so that some positions are random and others are centres.
        if (c.z < step.cells.z - 1) counted.counts(c) += 8;
    });
    useConstants({{"kExactFilter", 1}, {"kAffine", 1}});
    const std::uint32_t all = firstParticles(counted.counts, spawned, 100000).back();
    for (const std::uint32_t capacity : {all, all - all / 10}) {
        const std::vector<std::uint32_t> first = firstParticles(counted.counts, spawned, capacity);
        const gpu::LiquidSpawn push{.edge = 2, .jitter = 0.75f, .seed = 3, .step = 17};
        Particle splat{.place = dvec4(-5.0)};  // existing particles must not change
        Particles twin(first.back(), splat);
        const OnGpu result = particlesToGpu(twin, first.back());
        pass("liquid_spawn", step.cells,
             {{"velocity", image},
              {"counts", wordsToGpu(counted.counts)},
              {"spawned", wordsToGpu(spawned)},
              {"cellFirst", wordsToGpu(first)},
              {"positionsOut", result.positions},
              {"velocitiesOut", result.velocities},
              {"gradientsOut", result.gradients}},
             push);
        bear(step, velocity, counted, spawned, first, push, twin);
        const Particles gpu = particlesFromGpu(result, first.back());
        // Four roundings of a position below 32. A sample has 16 roundings, and its position has three more.
        const double place = 4.0 * 32.0 * kEps, sample = 16.0 * kEps + (place + 3.0 * 32.0 * kEps) * 3.0 * 2.0;
        for (std::size_t n = 0; n < twin.size(); ++n) {
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_NEAR(gpu[n].place[axis], twin[n].place[axis], place) << n;
                ASSERT_NEAR(gpu[n].velocity[axis], twin[n].velocity[axis], sample) << n;
            }
            ASSERT_EQ(gpu[n].place.w, twin[n].place.w) << n;
            ASSERT_EQ(gpu[n].gradient, twin[n].gradient) << n;
        }
    }
}

TEST_P(PassLiquidParticles, Hold) {
    const InCells start = inCells(randomParticles(900));
    const OnGpu buffers = particlesToGpu(start.particles, start.particles.size());
    gpu::LiquidSetVelocity push{};
    push.shape = {
        step.origin + step.h * glm::vec3(step.cells) * glm::vec3(0.41f, 0.42f, 0.47f), WISP_SPHERE, {}, 4.3f * step.h, {0, 0, 0, 1}};
    push.first = ivec3(-1);
    push.velocity = {3.0f, -4.0f, 5.0f};
    useConstants({{"kExactFilter", 1}, {"kAffine", 1}});
    pass("liquid_set_velocity", step.cells + 3,
         {{"positions", buffers.positions},
          {"cellFirst", wordsToGpu(start.first)},
          {"velocitiesOut", buffers.velocities},
          {"gradientsOut", buffers.gradients}},
         push);
    const Particles gpu = particlesFromGpu(buffers, start.particles.size());
    std::size_t inside = 0, unsure = 0;
    for (std::size_t n = 0; n < gpu.size(); ++n) {
        const double phi = signedDistance(push.shape, world(step, dvec3(start.particles[n].place)));
        if (std::abs(phi) < 8.0 * 2.0 * kEps) {  // positions are below 2 m with 8 roundings
            ++unsure;
            continue;
        }
        inside += phi < 0.0 ? 1 : 0;
        ASSERT_EQ(dvec3(gpu[n].velocity), phi < 0.0 ? dvec3(push.velocity) : dvec3(start.particles[n].velocity)) << n;
        ASSERT_EQ(gpu[n].gradient, phi < 0.0 ? Particle{}.gradient : start.particles[n].gradient) << n;
    }
    EXPECT_LE(unsure, 2u);
    EXPECT_GT(inside, 10u);
    EXPECT_LT(inside, gpu.size() - 10);
}

/// Prefix sums of more cells than a group handles (1024), and of more groups than it has threads (256). Each total is right only if all
/// previous ones are.
class PassLiquidScan : public PassLiquidParticles {};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidScan,
                         testing::Values(PassCase{{16, 8, 8}, 1, 1, Precision::Float, false},
                                         PassCase{{41, 5, 5}, 1, 1, Precision::Float, false},
                                         PassCase{{64, 64, 64}, 1, 1, Precision::Float, false},
                                         PassCase{{101, 61, 45}, 1, 1, Precision::Float, false}),
                         nameOf);

TEST_P(PassLiquidScan, ManyBlocks) {
    const Words counts = randomWords(-3.0, 11.0), spawned = randomWords(-2.0e8, 1.3e8);
    std::uint32_t old = 0;
    for (const std::uint32_t n : counts.values()) old += n;
    const engine::Buffer countsBuffer = wordsToGpu(counts), spawnedBuffer = wordsToGpu(spawned);
    for (const std::uint32_t more : {0u, 1234u, 100000000u})
        EXPECT_EQ(scan(countsBuffer, spawnedBuffer, old + more), firstParticles(counts, spawned, old + more)) << more;
}

}  // namespace
}  // namespace wisp::test
