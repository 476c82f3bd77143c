// SPDX-License-Identifier: MIT
// Meshes that deform, as obstacles and as emitters.
#include "compute/scene/motion.h"
#include "tests/physics/simulation.h"
#include "tests/support/meshes.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 24.0f;

class DeformingMesh : public PhysicsTest {
protected:
    static ObstacleSettings& add(Settings& s, Mesh mesh, glm::vec3 centre) {
        s.meshes.push_back(shared(std::move(mesh)));
        ObstacleSettings& o = s.obstacles.emplace_back();
        o.shape = {.kind = ShapeKind::Mesh, .centre = centre};
        o.shape.mesh = static_cast<std::uint32_t>(s.meshes.size() - 1);
        return o;
    }
    static Settings boxWithSmoke(const Shape& smoke) {
        Settings s = stillBox(glm::uvec3(24), kH);
        s.pressure.iterations = 60;
        s.initial.resize(1);
        s.initial[0].shape = smoke;
        s.initial[0].density = 1.0f;
        return s;
    }
};

// A hollow ball full of smoke is squeezed: lengths change by exp(q) along x and exp(-q) along y, so both volumes stay. Its wall of 4 cells
// or more moves by up to 0.9 cells a step.
TEST_F(DeformingMesh, SmokeDoesNotPassItsWall) {
    constexpr double kOuter = 0.36, kInner = 0.15, kMost = 0.25;
    Settings s = boxWithSmoke({.centre = glm::vec3(0.5f), .radius = float(kInner)});
    s.timeStep = 0.01f;
    const double rate = 0.9 * double(kH) / double(s.timeStep) / (kOuter * kMost);  // [1/s]
    const Mesh shell = joined(icosphere(4, float(kOuter)), insideOut(icosphere(4, float(kInner))));
    const auto squeezed = [=](dvec3 p, double t) {
        const double q = kMost * std::sin(rate * t);
        return dvec3(std::exp(q) * p.x, std::exp(-q) * p.y, p.z);
    };
    add(s, deforming(shell, squeezed), glm::vec3(0.5f));
    Simulation simulation(device(), s);
    double fastest = 0.0, most = 0.0;
    for (int step = 0; step < 40; ++step) {
        simulation.step();
        const Quality q = simulation.measure();
        EXPECT_EQ(q.leakedMass, 0.0) << "in the wall, step " << step;
        EXPECT_EQ(q.notFinite, "");
        fastest = std::max(fastest, double(simulation.simulator.fields().domain.meshes.speedOf(s.obstacles[0].shape)));
        most = std::max(most, q.maxSpeed);
        const double now = double(s.timeStep) * (step + 1), factor = kMost * std::sin(rate * now);
        double outside = 0.0, inside = 0.0;
        const Field density = densityOf(simulation);
        forEach(density.size(), [&](ivec3 c) {
            const dvec3 x = (dvec3(c) + 0.5) * double(kH) - 0.5;
            const double r = glm::length(dvec3(x.x * std::exp(-factor), x.y * std::exp(factor), x.z));
            (r > 0.5 * (kInner + kOuter) ? outside : inside) += density(c).x;
        });
        EXPECT_EQ(outside, 0.0) << "step " << step;
        EXPECT_GT(inside, 100.0) << "step " << step;
    }
    EXPECT_NEAR(fastest * double(s.timeStep) / double(kH), 0.9, 0.1) << "the test must move walls by almost a cell";
    EXPECT_GT(most, 1.0) << "the wall must push the gas";
}

// A ball whose vertices move is the same as a ball that moves.
TEST_F(DeformingMesh, MovesTheGasLikeARigidBody) {
    const glm::vec3 from(0.4f, 0.45f, 0.5f), velocity(1.0f, 0.3f, -0.2f);
    const glm::vec3 turn(0.0f, 0.0f, glm::half_pi<float>());
    const Mesh ball = icosphere(3, 0.2f);
    Settings rigid = boxWithSmoke({.kind = ShapeKind::Box, .centre = glm::vec3(0.5f), .half = glm::vec3(1.0f)}), moving = rigid;
    ObstacleSettings& a = add(rigid, ball, from);
    a.velocity = velocity;
    a.rotation = turn;
    // In its own axes, which are turned by 90 degrees about z, the velocity (x, y, z) is (y, -x, z).
    const dvec3 own(velocity.y, -velocity.x, velocity.z);
    add(moving, deforming(ball, [=](dvec3 p, double t) { return p + t * own; }), from).rotation = turn;
    Simulation first(device(), rigid), second(device(), moving);
    first.step(6);
    second.step(6);
    // The velocities of the surface are halves. A distance may round an aperture, in 8 bits, to the next number. Beside the ball the gas is
    // at most 3/2 times as fast as the ball, and 5/2 relative to it.
    const double tolerance = double(glm::length(velocity)) * (1.5 / 2048.0 + 2.5 / 255.0);
    const Field u = velocityOf(first), v = velocityOf(second), s = densityOf(first), t = densityOf(second);
    double worst = 0.0, fastest = 0.0, smoke = 0.0;
    for (std::size_t i = 0; i < u.count(); ++i) {
        worst = std::max(worst, glm::length(dvec3(u.values()[i]) - dvec3(v.values()[i])));
        fastest = std::max(fastest, glm::length(dvec3(u.values()[i])));
    }
    for (std::size_t i = 0; i < s.count(); ++i) smoke = std::max(smoke, std::abs(s.values()[i].x - t.values()[i].x));
    EXPECT_LT(worst, tolerance);
    EXPECT_GT(fastest, 1.0);
    EXPECT_LT(smoke, 0.02) << "6 steps move smoke by 6 dt tolerance / h = 1e-2 cells, and its gradient is below 1 per cell";
}

// A ball that grows pushes out its volume, and the gas around it has the velocity of a source, R' (R / r)^2.
TEST_F(DeformingMesh, APulsatingBallIsASource) {
    constexpr double kRadius = 0.15, kGrowth = 0.5;  // [m], [m/s]
    double errors[2];
    for (const int n : {0, 1}) {
        const int cells = n == 0 ? 40 : 80;
        const float h = 1.0f / float(cells);
        Settings s = stillBox(glm::uvec3(std::uint32_t(cells)), h);
        s.grid.sides.fill(Side::Open);
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 12};
        s.timeStep = 1e-3f;
        add(s, deforming(icosphere(4, float(kRadius)), [=](dvec3 p, double t) { return p * (1.0 + t * kGrowth / kRadius); }),
            glm::vec3(0.5f));
        Simulation simulation(device(), s);
        simulation.step();
        const Field u = velocityOf(simulation);
        const double radius = kRadius + kGrowth * double(s.timeStep), exact = 4.0 * glm::pi<double>() * radius * radius * kGrowth;
        double out = 0.0, worst = 0.0;
        forEach(ivec3(cells + 1), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                ivec3 last(cells - 1);
                last[axis] = cells;
                if (c.x > last.x || c.y > last.y || c.z > last.z) continue;
                if (c[axis] == 0 || c[axis] == cells) out += (c[axis] == 0 ? -1.0 : 1.0) * u(c)[axis] * double(h * h);
                dvec3 x = dvec3(c) + 0.5;
                x[axis] = c[axis];
                x = x * double(h) - 0.5;
                const double r = glm::length(x);
                if (r < 1.3 * radius || r > 1.8 * radius) continue;
                worst = std::max(worst, std::abs(u(c)[axis] - kGrowth * radius * radius / (r * r) * x[axis] / r) / kGrowth);
            }
        });
        errors[n] = std::abs(out / exact - 1.0);
        // The solver sums u_s over the faces of the cells that are wholly solid, at a depth x below the surface. There deformationFlux has
        // the flux (1 + 2x/R) (1 - x/R)^2 = 1 - 3 (x/R)^2. Below a plane with the normal n, x is even between 0 and |n|_1 h, whose mean
        // square is (1 + 6 E|n_x n_y|) h^2 / 3 = (1 + 4 / pi) h^2 / 3.
        const double second = (1.0 + 4.0 / glm::pi<double>()) * double(h * h) / (kRadius * kRadius);
        EXPECT_LT(errors[n], second) << cells;
        // The open sides, 3.3 R away, add a field that grows with the cube of r / 3.3 R.
        EXPECT_LT(worst, second + std::pow(1.8 / 3.3, 3.0) / (3.3 * 3.3)) << cells;
        std::printf("pulsating ball, %d cells: flux off by %.3f %%, velocity by %.3f %%\n", cells, 100.0 * errors[n], 100.0 * worst);
    }
    EXPECT_LT(errors[1], errors[0] / std::pow(2.0, 1.5)) << "between first and second order";
}

// An emitter gives its smoke the velocity of its own motion, by keys and by its vertices alike.
TEST_F(DeformingMesh, EmittersPassOnTheirVelocity) {
    const glm::vec3 from(0.4f, 0.5f, 0.5f), velocity(0.8f, 0.2f, -0.4f);
    const Mesh ball = icosphere(3, 0.15f);
    const dvec3 own(velocity.y, -velocity.x, velocity.z);  // in the axes of the emitter, which is turned by 90 degrees about z
    const auto velocities = [&](bool byKeys, bool byVertices, float share, bool set) {
        Settings s = stillBox(glm::uvec3(24), kH);
        s.pressure.iterations = 40;
        EmitterSettings& e = s.emitters.emplace_back();
        e.shape = {.kind = ShapeKind::Mesh, .centre = from};
        e.density = 1.0f;
        e.rotation = {0.0f, 0.0f, glm::half_pi<float>()};
        e.inheritVelocity = share;
        e.hasVelocity = set;
        e.velocity = set ? velocity : glm::vec3(0.0f);
        if (byKeys) e.keys = {{0.0f, from}, {1.0f, from + velocity}};
        s.meshes.push_back(shared(byVertices ? deforming(ball, [=](dvec3 p, double t) { return p + t * own; }) : ball));
        Simulation simulation(device(), s);
        simulation.step();  // in which all is linear in the velocity
        return velocityOf(simulation);
    };
    const auto difference = [](const Field& a, const Field& b, double factor) {
        double worst = 0.0;
        for (std::size_t i = 0; i < a.count(); ++i)
            worst = std::max(worst, glm::length(dvec3(a.values()[i]) - factor * dvec3(b.values()[i])));
        return worst;
    };
    const auto largestOf = [&](const Field& a) { return difference(a, a, 0.0); };
    const Field set = velocities(true, false, 0.0f, true), keyed = velocities(true, false, 1.0f, false),
                deformed = velocities(false, true, 1.0f, false), still = velocities(true, true, 0.0f, false);
    EXPECT_GT(largestOf(set), 0.5);
    const double half = double(glm::length(velocity)) / 2048.0;
    EXPECT_LT(difference(keyed, set, 1.0), 1e-5) << "the velocity of the path is a difference of positions of 0.4 m over 8 ms";
    EXPECT_LT(difference(deformed, set, 1.0), 2.0 * half) << "velocities of the surface are halves";
    EXPECT_EQ(largestOf(still), 0.0) << "without inherit_velocity the motion gives no velocity";
    EXPECT_LT(difference(velocities(false, true, 0.5f, false), set, 0.5), half);
}

}  // namespace
}  // namespace wisp::test
