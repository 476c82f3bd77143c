// SPDX-License-Identifier: MIT
// Mesh obstacles, in whole steps and in images.
#include "tests/physics/simulation.h"
#include "tests/support/meshes.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr float kMeshCell = 1.0f / 24.0f;

class MeshObstacle : public PhysicsTest {
protected:
    static Settings smokyBox() {
        Settings s = stillBox(glm::uvec3(24), kMeshCell);
        s.pressure.iterations = 30;
        s.initial.resize(1);
        s.initial[0].shape = {.kind = ShapeKind::Box, .centre = glm::vec3(0.5f), .half = glm::vec3(1.0f)};
        s.initial[0].density = 1.0f;
        return s;
    }
    static ObstacleSettings& add(Settings& s, Mesh mesh, glm::vec3 centre) {
        s.meshes.push_back(shared(std::move(mesh)));
        ObstacleSettings& o = s.obstacles.emplace_back();
        o.shape.kind = ShapeKind::Mesh;
        o.shape.mesh = static_cast<std::uint32_t>(s.meshes.size() - 1);
        o.shape.centre = centre;
        return o;
    }
    Field apertureOf(const Settings& settings) {
        Simulation s(device(), settings);
        s.recorder.finish();
        return fieldOf(s.simulator.fields().domain.aperture);
    }
};

TEST_F(MeshObstacle, MovesAndTurnsWithoutSmokeInside) {
    Settings settings = smokyBox();
    ObstacleSettings& o = add(settings, torus(0.25f, 0.09f, 48, 16), {0.4f, 0.5f, 0.5f});
    o.velocity = {1.0f, 0.2f, 0.0f};
    o.angularVelocity = {3.0f, 4.0f, 0.0f};
    o.rotation = {0.3f, 0.0f, 0.4f};
    Simulation s(device(), settings);
    for (int step = 0; step < 6; ++step) {
        s.step();
        const Quality q = s.measure();
        EXPECT_EQ(q.leakedMass, 0.0) << step;
        EXPECT_EQ(q.notFinite, "");
        EXPECT_GT(q.mass, 0.5);
    }
    // Air beside a rotating ring moves about as fast as the ring: at 0.34 m, 5 rad/s and 1 m/s.
    EXPECT_GT(s.measure().maxSpeed, 0.5);
    s.draw();
}

TEST_F(MeshObstacle, OutsideTheBoxChangesNothing) {
    Settings empty = smokyBox();
    empty.emitters.resize(1);
    empty.emitters[0].shape = {.centre = glm::vec3(0.4f), .radius = 0.15f};
    empty.emitters[0].hasVelocity = true;
    empty.emitters[0].velocity = {1.0f, 0.5f, 0.2f};
    Settings settings = empty;
    add(settings, icosphere(2, 0.3f), {3.0f, 0.5f, -2.0f});
    Simulation with(device(), settings), without(device(), empty);
    with.step(3);
    without.step(3);
    EXPECT_EQ(densityOf(with).values(), densityOf(without).values());
    EXPECT_EQ(velocityOf(with).values(), velocityOf(without).values());
}

TEST_F(MeshObstacle, LargerThanTheBoxFillsIt) {
    Settings settings = smokyBox();
    add(settings, icosphere(2, 1.2f), glm::vec3(0.5f));  // the corners of the box are at 0.87 m
    const Field open = apertureOf(settings);
    for (const dvec4& w : open.values()) EXPECT_EQ(w, dvec4(0.0));
    Simulation s(device(), settings);
    s.step(2);
    const Quality q = s.measure();
    EXPECT_EQ(q.notFinite, "");
    EXPECT_EQ(q.mass + q.leakedMass, 0.0);
    s.draw();
}

// Two balls and a box that overlap, and one mesh at three positions with two scales, equal the solids of the same shapes.
TEST_F(MeshObstacle, OverlappingMeshesFormTheirUnion) {
    constexpr float kRadius = 0.24f;
    const glm::vec3 centres[] = {{0.4f, 0.45f, 0.5f}, {0.62f, 0.52f, 0.47f}, {0.5f, 0.7f, 0.55f}};
    Settings solids = smokyBox(), meshes = smokyBox();
    for (int n = 0; n < 3; ++n) {
        const float scale = n == 2 ? 0.75f : 1.0f;
        solids.obstacles.emplace_back().shape = {.centre = centres[n], .radius = scale * kRadius};
        if (n == 0) {
            add(meshes, icosphere(4, kRadius), centres[n]);
            continue;
        }
        meshes.obstacles.push_back(meshes.obstacles[0]);
        meshes.obstacles.back().shape.centre = centres[n];
        meshes.obstacles.back().shape.scale = scale;
    }
    ASSERT_EQ(meshes.meshes.size(), 1u);
    // Edges of the triangles of a ball are shorter than 1/12 of the radius (63 degrees in 16 parts, 1.2 for the largest). Their chords are
    // (1/24)^2/2 radii deep in both directions. Interpolation adds at most v^2/(4r) (see PassMesh). So the surface of the mesh lies between
    // its sphere and a smaller sphere, and a face aperture lies between the apertures of these two spheres.
    const float depth = 1.0f / 576.0f * kRadius + kMeshCell * kMeshCell / (4.0f * (0.75f * kRadius - 2.0f * kMeshCell));
    EXPECT_LT(depth, 0.15f * kMeshCell) << "the bound is too large for this test";
    Settings smaller = solids;
    for (ObstacleSettings& o : smaller.obstacles) o.shape.radius -= depth;
    const Field least = apertureOf(solids), open = apertureOf(meshes), most = apertureOf(smaller);
    double solid = 0.0;
    for (std::size_t i = 0; i < open.count(); ++i) {
        for (int n = 0; n < 4; ++n) {
            EXPECT_GE(open.values()[i][n], least.values()[i][n] - 1.0 / 255.0) << i << " channel " << n;
            EXPECT_LE(open.values()[i][n], most.values()[i][n] + 1.0 / 255.0) << i << " channel " << n;
        }
        solid += 1.0 - open.values()[i].w;
    }
    EXPECT_GT(solid, 500.0);
}

TEST_F(MeshObstacle, LooksLikeTheSolidOfItsShape) {
    constexpr float kRadius = 0.3f;
    Settings sphere = stillBox(glm::uvec3(24), kMeshCell);
    sphere.render.size = {64, 64};
    sphere.camera.eye = {0.5f, 0.7f, 2.5f};
    sphere.camera.target = glm::vec3(0.5f);
    sphere.lights.resize(1);
    Settings mesh = sphere;
    sphere.obstacles.emplace_back().shape = {.centre = glm::vec3(0.5f), .radius = kRadius};
    add(mesh, icosphere(4, kRadius), glm::vec3(0.5f));
    const Field a = pictureOf(sphere), b = pictureOf(mesh);
    // The silhouette may be off by the error of the distance (see above), a tenth of a cell. A pixel is 2 * 2 m * tan 20 / 64 = 0.023 m
    // wide, more than half a cell. Of the rim of 2 pi 0.3 m / 0.023 m = 82 pixels, every fifth may change.
    int differ = 0, seen = 0;
    double worst = 0.0;
    forEach(a.size(), [&](ivec3 p) {
        const bool hitA = a(p).w > 0.5, hitB = b(p).w > 0.5;
        seen += hitA;
        differ += hitA != hitB;
        if (hitA && hitB) worst = std::max(worst, std::abs(a(p).y - b(p).y));
    });
    EXPECT_GT(seen, 300);
    EXPECT_LE(differ, 17);
    // Distances on the grid are wrong by 0.1 voxels, so a difference over one voxel turns the normal by at most 0.2. The light is albedo /
    // pi * 5 W/m^2 = 0.95 times the cosine.
    EXPECT_LT(worst, 0.2);
}

}  // namespace
}  // namespace wisp::test
