// SPDX-License-Identifier: MIT
// Smoke of volumes: initial smoke and emitters, dense and sparse.
#include "tests/physics/simulation.h"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

namespace wisp::test {
namespace {

/// Frames in memory, one every second.
class MemoryFrames : public VolumeFrames {
public:
    explicit MemoryFrames(std::vector<std::shared_ptr<const VolumeData>> frames) : frames_(std::move(frames)) {}
    std::shared_ptr<const VolumeData> at(double time) override {
        const double n = std::floor(time + 1e-6);
        return n < 0.0 || n >= static_cast<double>(frames_.size()) ? nullptr : frames_[static_cast<std::size_t>(n)];
    }
    [[nodiscard]] VolumeBounds bounds() const override { return frames_.front()->bounds(); }

private:
    std::vector<std::shared_ptr<const VolumeData>> frames_;
};

/// Fills the points of a lattice from `low` to `high` with a function of their position [m].
VolumeLattice latticeOf(const glm::dmat4& toWorld, glm::ivec3 low, glm::ivec3 high, const std::function<double(glm::dvec3)>& value) {
    VolumeLattice lattice{.toWorld = toWorld, .blocks = {}};
    std::map<std::tuple<int, int, int>, std::size_t> numbers;
    for (int x = low.x; x <= high.x; ++x)
        for (int y = low.y; y <= high.y; ++y)
            for (int z = low.z; z <= high.z; ++z) {
                const glm::ivec3 c(x, y, z), corner = c & ~7, p = c & 7;
                const double v = value(glm::dvec3(toWorld * glm::dvec4(c, 1.0)));
                if (v == 0.0) continue;
                const auto [entry, isNew] = numbers.emplace(std::tuple(corner.x, corner.y, corner.z), lattice.blocks.size());
                if (isNew) lattice.blocks.push_back({.corner = corner, .values = {}});
                lattice.blocks[entry->second].values[static_cast<std::size_t>((p.x * 8 + p.y) * 8 + p.z)] = static_cast<float>(v);
            }
    return lattice;
}

double sumOf(const VolumeLattice& lattice) {
    double sum = 0.0;
    for (const VolumeLattice::Block& b : lattice.blocks)
        for (const float v : b.values) sum += static_cast<double>(v);
    return sum;
}

/// Spacing h, rotated by `angle` about (1, 1, 0), index (0, 0, 0) at `origin`.
glm::dmat4 rotated(double h, double angle, glm::dvec3 origin) {
    return glm::scale(glm::rotate(glm::translate(glm::dmat4(1.0), origin), angle, glm::dvec3(1.0, 1.0, 0.0)), glm::dvec3(h));
}

class Volumes : public PhysicsTest {
protected:
    static constexpr double kH = 1.0 / 32;
    /// A box of 32^3 cells of 1/32 m around the origin.
    static Settings box(std::uint32_t scalarRatio = 1) {
        Settings s = stillBox({32, 32, 32}, static_cast<float>(kH));
        s.grid.origin = glm::vec3(-0.5f);
        s.grid.scalarRatio = scalarRatio;
        return s;
    }
    static VolumeSettings source(std::vector<std::shared_ptr<const VolumeData>> frames, std::uint32_t needs = VolumeSettings::kDensity) {
        return {.file = "memory", .needs = needs, .frames = std::make_shared<MemoryFrames>(std::move(frames))};
    }
    static std::shared_ptr<const VolumeData> ofDensity(VolumeLattice lattice) {
        auto data = std::make_shared<VolumeData>();
        data->density = std::move(lattice);
        return data;
    }
    static Shape shapeOf(const VolumeSettings& volume) {
        Shape shape{.kind = ShapeKind::Volume};
        const VolumeBounds bounds = placed(volume.frames->bounds(), volume.placement(shape));
        shape.centre = 0.5 * (bounds.low + bounds.high);
        shape.half = 0.5 * (bounds.high - bounds.low);
        return shape;
    }
    static InitialSettings initial(const VolumeSettings& volume, float density = 1.0f) {
        return {.shape = shapeOf(volume), .volume = volume, .density = density};
    }
    /// Density times volume [m^3] in the box.
    double massOf(const Settings& s) { return Simulation(device(), s).measure().mass; }
    /// (1 - (r/R)^2)^3 around a point, smooth enough for sums over points.
    static double blob(glm::dvec3 x) {
        const glm::dvec3 d = x - glm::dvec3(0.03, -0.02, 0.05);
        const double r2 = glm::dot(d, d) / (0.3 * 0.3);
        return r2 < 1.0 ? std::pow(1.0 - r2, 3.0) : 0.0;
    }
};

TEST_F(Volumes, ALatticeOfTheGridIsReadExactly) {
    for (const std::uint32_t ratio : {1u, 2u}) {
        for (const bool sparse : {false, true}) {
            Settings s = box(ratio);
            s.grid.sparse = sparse;
            if (sparse) s.grid.pressureRatio = 2;
            const double h = kH / ratio;
            // Index (5, -3, 9) is at the centre of the first cell.
            const glm::dmat4 toWorld = rotated(h, 0.0, glm::dvec3(-0.5 + 0.5 * h) - h * glm::dvec3(5, -3, 9));
            const auto value = [](glm::dvec3 x) { return std::round(1024.0 * blob(x)) / 1024.0; };
            s.initial = {initial(source({ofDensity(latticeOf(toWorld, glm::ivec3(-20), glm::ivec3(100), value))}), 0.5f)};
            Simulation simulation(device(), s);
            if (sparse) {
                EXPECT_NEAR(simulation.measure().mass, 0.5 * massOf([&] {
                                                           Settings dense = s;
                                                           dense.grid.sparse = false;
                                                           dense.initial[0].density = 1.0f;
                                                           return dense;
                                                       }()),
                            1e-9);
                continue;
            }
            const Field density = densityOf(simulation);
            std::size_t wrong = 0, some = 0;
            forEach(density.size(), [&](ivec3 c) {
                const double expected = 0.5 * value(glm::dvec3(-0.5) + h * (glm::dvec3(c) + 0.5));
                wrong += density(c).x != expected;
                some += expected > 0.0;
            });
            EXPECT_EQ(wrong, 0u) << ratio;
            EXPECT_GT(some, 1000u);
        }
    }
}

// The sum over the points times the volume of a point is the mass. A trilinear sample at every point of another lattice of the same
// spacing gives it back: exactly without a rotation. With one, the error is that of a sum over points of a function whose third
// derivatives are continuous, below 1e-3 here.
TEST_F(Volumes, MassIsConserved) {
    for (const double angle : {0.0, 0.4})
        for (const double spacing : {1.0, 0.5, 2.0, 0.31}) {
            const double h = spacing * kH;
            const int n = static_cast<int>(std::ceil(0.6 / h));
            const VolumeLattice lattice = latticeOf(rotated(h, angle, glm::dvec3(0.011, 0.007, -0.003)), glm::ivec3(-n), glm::ivec3(n),
                                                    blob);
            Settings s = box();
            s.initial = {initial(source({ofDensity(lattice)}))};
            const double expected = sumOf(lattice) * h * h * h;
            EXPECT_GT(expected, 0.01);
            EXPECT_NEAR(massOf(s) / expected, 1.0, angle == 0.0 && spacing == 1.0 ? 1e-5 : 1e-3) << angle << ' ' << spacing;
        }
}

// Interpolation reaches a spacing beyond the outermost points, also where they are at a face of a stored block. Here 8 points of 1/4 m, so
// 1/8 m^3, anywhere in their blocks, symmetric about 0. The cells divide the spacing, so the means of their samples have the same sum to
// the rounding of floats.
TEST_F(Volumes, SmokeAtTheFacesOfBlocksIsComplete) {
    for (const bool sparse : {false, true})
        for (const int first : {0, 3, 6, 7, -2, -1}) {
            const VolumeLattice lattice = latticeOf(rotated(0.25, 0.0, glm::dvec3(-0.125 - 0.25 * first)), glm::ivec3(first),
                                                    glm::ivec3(first + 1), [](glm::dvec3) { return 1.0; });
            Settings s = box();
            s.grid.sparse = sparse;
            if (sparse) s.grid.pressureRatio = 2;
            s.initial = {initial(source({ofDensity(lattice)}))};
            Simulation simulation(device(), s);
            EXPECT_NEAR(simulation.measure().mass, 0.125, 1e-6) << first << ' ' << sparse;
            if (sparse) continue;
            const Field density = densityOf(simulation);
            dvec3 moment(0.0);
            forEach(density.size(), [&](ivec3 c) { moment += density(c).x * (dvec3(c) - 15.5); });
            for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(moment[axis] * kH * kH * kH * kH, 0.0, 1e-7) << first << ' ' << axis;
        }
}

TEST_F(Volumes, ArePlacedByTheirKeys) {
    const auto data = ofDensity(
        latticeOf(rotated(kH, 0.0, glm::dvec3(0.0)), glm::ivec3(2, 3, 4), glm::ivec3(2, 3, 4), [](glm::dvec3) { return 1.0; }));
    for (const bool upIsZ : {false, true}) {
        Settings s = box();
        VolumeSettings volume = source({data});
        volume.upIsZ = upIsZ;
        volume.offset = glm::vec3(0.5 * kH);  // from a corner of cells to a centre
        InitialSettings smoke = initial(volume);
        s.initial = {smoke};
        Simulation simulation(device(), s);
        const Field density = densityOf(simulation);
        const ivec3 expected = ivec3(16) + (upIsZ ? ivec3(2, 4, -3) : ivec3(2, 3, 4));
        forEach(density.size(), [&](ivec3 c) { ASSERT_EQ(density(c).x, c == expected ? 1.0 : 0.0) << c.x << ' ' << c.y << ' ' << c.z; });
        // Twice as large: the same mass in each cell of twice the edge, so eight times as much.
        smoke.shape.scale = 2.0f;
        smoke.volume.offset = glm::vec3(0.0f);
        smoke.shape = [&] {
            Shape shape = shapeOf(smoke.volume);
            shape.scale = 2.0f;
            const VolumeBounds bounds = placed(smoke.volume.frames->bounds(), smoke.volume.placement(shape));
            shape.centre = 0.5 * (bounds.low + bounds.high);
            shape.half = 0.5 * (bounds.high - bounds.low);
            return shape;
        }();
        s.initial = {smoke};
        EXPECT_NEAR(massOf(s), 8.0 * kH * kH * kH, 1e-5 * kH * kH * kH);
    }
}

TEST_F(Volumes, EmittersRaiseTheFieldsAndAddTheirRates) {
    Settings s = box();
    s.timeStep = 0.125f;
    s.fire.expansion = 0.0f;
    const glm::dmat4 toWorld = rotated(kH, 0.0, glm::dvec3(0.5 * kH));
    const auto one = [&](glm::ivec3 at, double value) { return latticeOf(toWorld, at, at, [=](glm::dvec3) { return value; }); };
    auto data = std::make_shared<VolumeData>();
    data->density = one({0, 0, 0}, 0.5);
    data->temperature = one({1, 0, 0}, -40.0);
    data->fuel = one({0, 1, 0}, 0.75);
    const std::uint32_t all = VolumeSettings::kDensity | VolumeSettings::kTemperature | VolumeSettings::kFuel;
    EmitterSettings e{.volume = source({data, data, data, data}, all)};
    e.shape = shapeOf(e.volume);
    e.density = 2.0f;
    e.densityRate = 0.5f;
    e.temperature = 0.5f;
    e.fuelRate = 4.0f;
    s.emitters = {e};
    Simulation simulation(device(), s);
    const auto check = [&](double density, double fuel) {
        const Field f = densityOf(simulation);
        EXPECT_NEAR(f({16, 16, 16}).x, density, 1e-5);
        EXPECT_NEAR(f({17, 16, 16}).y, -20.0, 1e-4);
        EXPECT_NEAR(f({16, 17, 16}).z, fuel, 1e-5);
    };
    check(1.0, 0.0);  // at the start without rates
    simulation.step();
    check(1.0 + 0.125 * 0.5 * 0.5, 0.125 * 4.0 * 0.75);
    simulation.step(3);
    check(1.0 + 4 * 0.125 * 0.5 * 0.5, 1.0);  // a share of fuel is at most 1
}

TEST_F(Volumes, ASequenceEmitsAtItsTimes) {
    Settings s = box();
    s.timeStep = 0.25f;
    const glm::dmat4 toWorld = rotated(kH, 0.0, glm::dvec3(0.5 * kH));
    const auto frame = [&](int x) { return ofDensity(latticeOf(toWorld, {x, 0, 0}, {x, 0, 0}, [](glm::dvec3) { return 1.0; })); };
    EmitterSettings e{.volume = source({frame(0), frame(2)})};
    e.volume.start = 1.0f;
    e.shape = shapeOf(e.volume);
    e.density = 1.0f;
    s.emitters = {e};
    Simulation simulation(device(), s);
    for (const auto& [steps, first, second] : {std::tuple(3, 0.0, 0.0), {1, 1.0, 0.0}, {3, 1.0, 0.0}, {1, 1.0, 1.0}, {8, 1.0, 1.0}}) {
        simulation.step(steps);
        const Field f = densityOf(simulation);
        EXPECT_EQ(f({16, 16, 16}).x, first) << simulation.simulator.time();
        EXPECT_EQ(f({18, 16, 16}).x, second) << simulation.simulator.time();
    }
}

TEST_F(Volumes, TheirSmokeHasTheColourOfTheSource) {
    Settings s = box();
    const glm::dmat4 toWorld = rotated(kH, 0.0, glm::dvec3(0.5 * kH));
    const auto ball = ofDensity(latticeOf(toWorld, glm::ivec3(-4), glm::ivec3(4), [](glm::dvec3) { return 0.5; }));
    InitialSettings red = initial(source({ball}));
    red.colour = {1.0f, 0.25f, 0.0f};
    InitialSettings more = initial(source({ball}), 2.0f);
    more.colour = {0.0f, 0.5f, 1.0f};
    s.initial = {red, more};
    Simulation simulation(device(), s);
    const dvec4 colour = fieldOf(simulation.simulator.fields().smoke.colours[0])({16, 16, 16});
    EXPECT_EQ(densityOf(simulation)({16, 16, 16}).x, 1.0);
    EXPECT_NEAR(colour.x, 0.5 * 1.0 + 0.5 * 0.0, 1e-6);
    EXPECT_NEAR(colour.y, 0.5 * 0.25 + 0.5 * 0.5, 1e-6);
    EXPECT_NEAR(colour.z, 0.5 * 0.0 + 0.5 * 1.0, 1e-6);
}

}  // namespace
}  // namespace wisp::test
