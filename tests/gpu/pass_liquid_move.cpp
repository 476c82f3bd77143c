// SPDX-License-Identifier: MIT
// Transfer from the grid back to a liquid's particles, particle motion, and sums over both.
#include "compute/domain/domain.h"
#include "tests/gpu/pass_liquid.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

class PassLiquidMove : public PassLiquid {
protected:
    // Velocities in waves about as long as the box, so that paths are smooth, and the velocities before forces.
    void makeVelocities(double speed) {
        velocity = smoothField(faces(step), 3, -speed, speed);
        before = smoothField(faces(step), 3, -0.8 * speed, 0.9 * speed);
        for (Field* field : {&velocity, &before})
            forEach(faces(step), [&](ivec3 c) {
                for (int axis = 0; axis < 3; ++axis) (*field)(c)[axis] = faceExists(step, c, axis) ? (*field)(c)[axis] : 0.0;
            });
        velocityImage = toGpu(velocity, vectorFormat());
        beforeImage = toGpu(before, vectorFormat());
        makeSpread(0.0);
    }
    // Random position-correction velocities on faces, up to `speed` along each axis.
    void makeSpread(double speed) {
        positionCorrection = randomVelocity(step);
        for (dvec4& v : positionCorrection.values()) v *= speed;
        spreadImage = toGpu(positionCorrection, vectorFormat());
    }
    // Largest change of a component when the position moves by a cell along every axis.
    double steepness(const Field& field) const {
        double result = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            dvec3 most(0.0);
            forEach(step.cells + unit(axis), [&](ivec3 c) {
                for (int a = 0; a < 3; ++a)
                    if (faceExists(step, c + unit(a), axis))
                        most[a] = std::max(most[a], std::abs(field(c + unit(a))[axis] - field(c)[axis]));
            });
            result = std::max(result, most.x + most.y + most.z);
        }
        return result;
    }
    // Error of a sample: 27 terms of three factors with four roundings each, at a position below 32 with three roundings.
    MoveErrors errors() {
        const double steep = steepness(velocity);
        return {.sample = (3.0 * 32.0 * steep + 45.0 * std::max(largest(velocity), largest(before))) * kEps,
                .steep = steep,
                .positionCorrection = (3.0 * 32.0 * steepness(positionCorrection) + 45.0 * largest(positionCorrection)) * kEps,
                .phi = distanceError()};
    }
    // Number of particles with a position correction of more than one cell.
    std::size_t spreadFar(const Particles& particles, bool quadratic) {
        return static_cast<std::size_t>(std::ranges::count_if(particles, [&](const Particle& p) {
            dvec3 way;
            for (int axis = 0; axis < 3; ++axis)
                way[axis] = atParticle(step, positionCorrection, dvec3(p.place), axis, quadratic) * double(step.dt) / double(step.h);
            return glm::length(way) > 1.0;
        }));
    }

    struct Run {
        Particles particles;
        float speed;
    };
    Run move(const Particles& particles, const Field& known, const gpu::LiquidMove& push, bool quadratic, bool affine) {
        useConstants({{"kExactFilter", 1}, {"kQuadratic", quadratic ? 1u : 0u}, {"kAffine", affine ? 1u : 0u}});
        const OnGpu buffers = particlesToGpu(particles, particles.size() + 70);
        std::vector<std::uint32_t> first(Words(step.cells).count() + 1, 0u);
        first.back() = static_cast<std::uint32_t>(particles.size());
        gpu::LiquidMove unlimited = push;
        unlimited.most = ~0u;
        const engine::Buffer speed = target(1);
        upload(speed, {0.0f});
        pass("liquid_move", {static_cast<int>(particles.size()) + 70, 1, 1},
             {{"velocity", velocityImage},
              {"velocityBefore", beforeImage},
              {"cellFirst", wordsToGpu(first)},
              {"known", knownToGpu(known)},
              {"positions", buffers.positions},
              {"velocities", buffers.velocities},
              {"gradientsOut", buffers.gradients},
              {"speed", speed},
              {"surface", target(2 * Words(step.cells).count())},
              {"aperture", openImage},
              {"positionCorrection", spreadImage},
              {"gone", target(3)},
              {"respawned", target(2)}},
             unlimited);
        return {particlesFromGpu(buffers, particles.size()), download(speed)[0]};
    }
    // Compares with the twin. Returns the number of unsure particles, whose positions are not compared.
    std::size_t expectMoved(const Particles& particles, const Field& known, const gpu::LiquidMove& push, bool quadratic, bool affine) {
        const Run gpu = move(particles, known, push, quadratic, affine);
        const MoveErrors allowed = errors();
        std::size_t unsure = 0;
        double fastest = 0.0;
        for (std::size_t n = 0; n < particles.size(); ++n) {
            const MovedParticle twin = moveParticle(step, particles[n], velocity, before, known, distanceField(), positionCorrection, push,
                                                    quadratic, affine, allowed);
            const double speed = 4.0 * (allowed.sample + 4.0 * kEps * (largest(velocity) + 1.0));  // three samples, and sums
            fastest = std::max(fastest, twin.cells);
            for (int a = 0; a < 3; ++a) EXPECT_NEAR(gpu.particles[n].velocity[a], twin.particle.velocity[a], speed) << n;
            if (affine) expectGradient(particles[n], gpu.particles[n], twin.particle, quadratic);
            else {
                EXPECT_EQ(gpu.particles[n].gradient, particles[n].gradient) << n << " must keep its gradient";
            }
            unsure += twin.sure ? 0 : 1;
            if (!twin.sure) continue;
            for (int a = 0; a < 3; ++a) EXPECT_NEAR(gpu.particles[n].place[a], twin.particle.place[a], twin.error) << n;
            EXPECT_EQ(gpu.particles[n].place.w, twin.particle.place.w) << n;
            if (HasFailure()) return unsure;
        }
        EXPECT_NEAR(double(gpu.speed), fastest, 4.0 * (allowed.sample + 4.0 * kEps * fastest) * 2.0 * double(step.dt) / double(step.h));
        return unsure;
    }
    // Slopes of linear kernels jump at faces and cell centres. Particles there may have either slope.
    void expectGradient(const Particle& start, const Particle& gpu, const Particle& twin, bool quadratic) {
        for (int a = 0; a < 3; ++a) {
            const double doubled = 2.0 * start.place[a];
            if (!quadratic && std::abs(doubled - std::round(doubled)) < 1e-4) return;
        }
        // 27 terms of a slope of at most 1 with four roundings, at a position below 32 with three roundings, divided by h.
        const double allowed = 27.0 * (3.0 * 32.0 + 8.0) * kEps * largest(velocity) / double(step.h);
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (int a = 0; a < 3; ++a) EXPECT_NEAR(gpu.gradient[axis][a], twin.gradient[axis][a], allowed);
    }
    // Random particles whose distance to obstacles is larger than the allowed penetration.
    Particles outside(std::size_t count) {
        Particles all = randomParticles(count, 1.0), result;
        for (const Particle& p : all)
            if (step.obstacleCount == 0 || distanceField().sample(dvec3(p.place)).x > 0.1) result.push_back(p);
        return result;
    }

    void SetUp() override {
        PassLiquid::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        open = aperture();
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
    }

    Field open, velocity, before, positionCorrection;
    engine::Image velocityImage, beforeImage, spreadImage, openImage;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidMove, testing::ValuesIn(liquidCases()), nameOf);

TEST_P(PassLiquidMove, Move) {
    const Particles particles = outside(400);
    const Field known(faces(step));
    // Steps with one and with several substeps. In the last case the position correction is up to three cells along each axis, more than
    // the limit of one cell.
    for (const auto& [speed, widest] : {std::pair(0.5, 0.0), {2.2, 0.0}, {0.5, 2.0}}) {
        makeVelocities(speed);
        makeSpread(widest);
        std::size_t unsure = 0, runs = 0;
        for (const bool quadratic : {false, true}) {
            for (const float flip : {0.0f, 0.97f, 1.0f})
                unsure += expectMoved(particles, known, {.flip = flip, .thirdOrder = flip == 1.0f ? 1 : 0}, quadratic, false);
            unsure += expectMoved(particles, known, {.flip = 0.9f, .thirdOrder = 1}, quadratic, true);
            runs += 4;
            if (HasFailure()) return;
        }
        EXPECT_LT(unsure, runs * particles.size() / 10);
        if (widest == 0.0) continue;
        EXPECT_GT(spreadFar(particles, false), particles.size() / 10);
        EXPECT_LT(spreadFar(particles, true), particles.size() * 9 / 10);
    }
}

// A cell has fourteen particles, and the ninth of them is surplus. The next cell has no surplus particle. All particles stay if air is
// near, if no particle is wanted, or if a removed one has not been respawned yet.
TEST_P(PassLiquidMove, ASurplusParticleIsRemoved) {
    if (step.obstacleCount > 0) return;  // an obstacle may fill the cell
    makeVelocities(0.1);
    Particles particles;
    const ivec3 full(4, step.cells.y - 3, step.cells.z / 2), next = full - ivec3(0, 1, 0);
    for (int n = 0; n < 20; ++n) particles.push_back({.place = dvec4(dvec3(n < 6 ? next : full) + 0.5, 1.0), .velocity = dvec4(0.0)});
    std::vector<std::uint32_t> first(Words(step.cells).count() + 1, 0u);
    const auto at = [&](ivec3 cell) { return static_cast<std::size_t>((cell.z * step.cells.y + cell.y) * step.cells.x + cell.x); };
    for (std::size_t c = 0; c < first.size(); ++c) first[c] = c > at(full) ? 20u : c > at(next) ? 6u : 0u;
    const ivec3 none(-1), near = full + ivec3(1, -1, 1), far = full + ivec3(2, 0, 0);
    const struct {
        ivec3 air;
        std::uint32_t removed, respawned, wanted;
        bool isRemoved;
    } cases[] = {{none, 4, 4, 1, true},  {near, 4, 4, 1, false}, {far, 4, 4, 1, true},
                 {none, 4, 4, 0, false}, {none, 5, 4, 1, false}, {none, 4, 5, 9, true}};
    for (const auto& [air, removed, respawned, wanted, isRemoved] : cases) {
        Field surface(step.cells, dvec4(-1.0, 1.0, 0.0, 0.0));
        if (air != none) surface(air) = dvec4(1.0, 0.0, 0.0, 0.0);
        const OnGpu buffers = particlesToGpu(particles, particles.size());
        pass("liquid_move", {20, 1, 1},
             {{"velocity", velocityImage},
              {"velocityBefore", beforeImage},
              {"cellFirst", wordsToGpu(first)},
              {"known", knownToGpu(Field(faces(step)))},
              {"positions", buffers.positions},
              {"velocities", buffers.velocities},
              {"gradientsOut", buffers.gradients},
              {"speed", target(1)},
              {"surface", surfaceToGpu(surface)},
              {"aperture", openImage},
              {"positionCorrection", spreadImage},
              {"gone", wordsToGpu(std::vector<std::uint32_t>{7, 8, removed})},
              {"respawned", wordsToGpu(std::vector<std::uint32_t>{respawned, wanted})}},
             gpu::LiquidMove{.flip = 1.0f, .most = 8, .thirdOrder = 0});
        const Particles gpu = particlesFromGpu(buffers, particles.size());
        for (std::size_t n = 0; n < 20; ++n)
            EXPECT_EQ(gpu[n].place.w, n == 14 && isRemoved ? WISP_LIQUID_SURPLUS : WISP_LIQUID_HERE)
                << n << " " << air.x << " " << removed << " " << respawned << " " << wanted;
    }
}

// Half a turn about the centre in one step. Paths are up to eleven cells long and have as many substeps. Each substep leaves the circle by
// the error of the midpoint rule.
TEST_P(PassLiquidMove, OneSubstepPerCell) {
    if (step.obstacleCount > 0) return;  // one case is enough
    makeVelocities(0.0);
    const dvec3 middle = 0.5 * dvec3(step.cells);
    const double rate = 3.3 * double(step.h) / double(step.dt);  // [m/s a cell]
    forEach(faces(step), [&](ivec3 c) {
        if (faceExists(step, c, 0)) velocity(c).x = -rate * (facePoint(c, 0).y - middle.y);
        if (faceExists(step, c, 1)) velocity(c).y = rate * (facePoint(c, 1).x - middle.x);
    });
    velocityImage = toGpu(velocity, vectorFormat());
    Particles particles = randomParticles(300, 1.0);
    std::erase_if(particles,
                  [&](const Particle& p) { return glm::length(dvec3(p.place.x, p.place.y, 0.0) - dvec3(middle.x, middle.y, 0.0)) > 3.2; });
    ASSERT_GT(particles.size(), 50u);
    for (const int thirdOrder : {0, 1}) {
        const std::size_t unsure = expectMoved(particles, Field(faces(step)), {.flip = 0.0f, .thirdOrder = thirdOrder}, false, false);
        EXPECT_LT(unsure, particles.size() / 10);
    }
}

TEST_P(PassLiquidMove, UnknownVelocitiesAreNotUsed) {
    makeVelocities(0.9);
    Field known(faces(step));
    forEach(faces(step), [&](ivec3 c) {
        if (c.y > step.cells.y / 2) known(c)[c.x % 3] = WISP_LIQUID_UNKNOWN;  // one component is enough
    });
    const Particles particles = outside(400);
    const std::size_t unsure = expectMoved(particles, known, {.flip = 1.0f, .thirdOrder = 0}, false, false);
    EXPECT_LT(unsure, particles.size() / 5);
}

// Particles move into walls, into obstacles and past open sides, far faster than allowed.
TEST_P(PassLiquidMove, ParticlesStayOutOfSolids) {
    makeVelocities(12.0);
    const Field known(faces(step), dvec4(WISP_LIQUID_UNKNOWN));
    Particles particles = outside(600);
    for (Particle& p : particles) p.velocity *= 12.0;
    for (const int thirdOrder : {0, 1}) {
        makeSpread(thirdOrder == 0 ? 0.0 : 2.0);
        const Run gpu = move(particles, known, {.flip = 1.0f, .thirdOrder = thirdOrder}, false, false);
        std::size_t left = 0;
        for (std::size_t n = 0; n < particles.size(); ++n) {
            const dvec3 p(gpu.particles[n].place);
            for (int a = 0; a < 3; ++a) {
                const double low = step.sidesLow[a] == WISP_WALL ? 0.5e-3 : -1.0,
                             high = step.cells[a] + (step.sidesHigh[a] == WISP_WALL ? -0.5e-3 : 1.0);
                ASSERT_TRUE(p[a] >= low && p[a] <= high) << n << ": " << p[a];
            }
            ASSERT_EQ(gpu.particles[n].place.w, isInBox(step, p) ? 1.0 : 0.0) << n;
            left += isInBox(step, p) ? 0 : 1;
            if (step.obstacleCount == 0 || !isInBox(step, p)) continue;
            ASSERT_GE(distanceField().sample(p).x, -0.05 - distanceError()) << n;
        }
        EXPECT_GT(left, 10u);
    }
}

// Particles that are not finite stay so, and the sort finds them. They do not affect other particles.
TEST_P(PassLiquidMove, NonFiniteParticles) {
    makeVelocities(0.5);
    const Field known(faces(step));
    Particles particles = outside(100);
    const Particles sound = particles;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
    particles[3].place.y = kNan;
    particles[5].velocity.z = kNan;
    particles[8].velocity.x = kInf;
    const gpu::LiquidMove push{.flip = 0.95f, .thirdOrder = 0};
    const Run gpu = move(particles, known, push, false, false), alone = move(sound, known, push, false, false);
    for (std::size_t n = 0; n < particles.size(); ++n) {
        if (n == 3 || n == 5 || n == 8) {
            EXPECT_FALSE(isSound(gpu.particles[n])) << n;
            EXPECT_EQ(gpu.particles[n].place.w, 1.0) << n << " has not left";
            continue;
        }
        EXPECT_EQ(gpu.particles[n].place, alone.particles[n].place) << n;
        EXPECT_EQ(gpu.particles[n].velocity, alone.particles[n].velocity) << n;
    }
    EXPECT_TRUE(std::isfinite(gpu.speed));
    EXPECT_GT(gpu.speed, 0.0f);
    EXPECT_LE(gpu.speed, alone.speed);
}

class PassLiquidMeasure : public PassLiquidMove {
protected:
    // Runs a reduction and its final pass twice. Both results must be bit-identical.
    template <class Push>
    std::vector<float> reduce(std::string_view name, glm::uvec3 threads, std::vector<engine::Binding> bindings, const Push* push) {
        const std::uint32_t groups = threads.x / 256 * threads.y;
        const engine::Buffer partials = target(8 * groups), record = target(8);
        bindings.emplace_back("partialsOut", partials);
        std::vector<float> results[2];
        for (std::vector<float>& result : results) {
            push ? pass(name, ivec3(threads), bindings, *push) : pass(name, ivec3(threads), bindings);
            pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, groups);
            result = download(record);
        }
        EXPECT_EQ(results[0], results[1]);
        return results[0];
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidMeasure, testing::ValuesIn(liquidCases()), nameOf);

TEST_P(PassLiquidMeasure, Liquid) {
    Particles particles = randomParticles(3000, 1.0);
    particles[5].velocity.y = std::numeric_limits<double>::quiet_NaN();
    particles[6].place.y = std::numeric_limits<double>::infinity();
    // Removes particles for which rounding decides whether they are in a solid.
    std::erase_if(particles, [&](const Particle& p) {
        return isSound(p) && std::abs(distanceField().sample(dvec3(p.place)).x + 0.1) < 2.0 * distanceError();
    });
    const OnGpu buffers = particlesToGpu(particles, particles.size() + 40);
    std::vector<std::uint32_t> first(Words(step.cells).count() + 1);
    first.back() = static_cast<std::uint32_t>(particles.size());
    const glm::vec3 gravity(0.3f, -9.81f, 0.7f);
    const std::vector<float> gpu = reduce(
        "measure_liquid", {512, 1, 1},
        {{"positions", buffers.positions}, {"velocities", buffers.velocities}, {"cellFirst", wordsToGpu(first)}}, &gravity);
    const std::array<double, 8> twin = measureLiquid(step, particles, distanceField(), dvec3(gravity));
    // Each invocation adds six to ten terms, the tree 20. A term has five roundings. Potential energies are below 11 m/s^2 times the box's
    // size.
    const double count = static_cast<double>(particles.size()), most = 11.0 * double(step.h) * 32.0;
    EXPECT_EQ(gpu[0], twin[0]);
    EXPECT_NEAR(gpu[1], twin[1], 36.0 * kEps * twin[1]);
    EXPECT_NEAR(gpu[2], twin[2], 36.0 * kEps * count * most);
    EXPECT_EQ(gpu[3], twin[3]);
    EXPECT_EQ(gpu[4], 2.0f);
    EXPECT_NEAR(gpu[7], twin[7], 4.0 * kEps * twin[7]);
    EXPECT_EQ(twin[3] > 0.0, step.obstacleCount > 0);
}

TEST_P(PassLiquidMeasure, Surface) {
    Field phi = randomSurface(open);
    const engine::Image solid = solidVelocityToGpu(open);
    velocity = randomVelocity(step);
    velocityImage = toGpu(velocity, vectorFormat());
    forEach(step.cells, [&](ivec3 c) {
        if (c.y < 3) phi(c).x = open(c).w == 0.0 ? 1.0 : -0.8;  // some cells are full
    });
    const engine::Buffer surface = surfaceToGpu(phi);
    const std::vector<float> gpu = reduce<int>(
        "measure_surface", reductionThreads(glm::uvec3(step.cells)),
        {{"velocity", velocityImage}, {"aperture", openImage}, {"solidVelocity", solid}, {"surface", surface}}, nullptr);
    const std::array<double, 8> twin = measureSurface(step, velocity, open, phi);
    // As in pass_measure.cpp: the error of a divergence, and of a sum of squares of values with this error.
    const double error = 6.0 * 14.0 * 4.0 * kEps / double(step.h);
    EXPECT_NEAR(gpu[0], twin[0], 24.0 * kEps * twin[0]);  // a tree of 20, a difference and a product
    EXPECT_NEAR(gpu[1], twin[1], 2.0 * std::sqrt(twin[2] * twin[1]) * error + twin[2] * error * error + 22.0 * kEps * twin[1]);
    EXPECT_EQ(gpu[2], twin[2]);
    EXPECT_NEAR(gpu[6], twin[6], error);
    EXPECT_GT(twin[2], 0.0);
}

}  // namespace
}  // namespace wisp::test
