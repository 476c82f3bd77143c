// SPDX-License-Identifier: MIT
// Velocity of volume files, for motion blur.
#include "tests/physics/shutter.h"

#include <glm/gtc/matrix_transform.hpp>

#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace wisp::test {
namespace {

class OneFrame : public VolumeFrames {
public:
    explicit OneFrame(std::shared_ptr<const VolumeData> data) : data_(std::move(data)) {}
    std::shared_ptr<const VolumeData> at(double) override { return data_; }
    [[nodiscard]] VolumeBounds bounds() const override { return data_->bounds(); }
    [[nodiscard]] VolumeRoom room() override { return roomOf(*data_); }

private:
    std::shared_ptr<const VolumeData> data_;
};

/// Calls `put` with a block of the lattice and the index of a point in it, for the points from `low` to `high`.
template <class Lattice>
void forPoints(Lattice& lattice, glm::ivec3 low, glm::ivec3 high,
               const std::function<void(typename Lattice::Block&, std::size_t, dvec3)>& put) {
    std::map<std::tuple<int, int, int>, std::size_t> numbers;
    for (int x = low.x; x <= high.x; ++x)
        for (int y = low.y; y <= high.y; ++y)
            for (int z = low.z; z <= high.z; ++z) {
                const glm::ivec3 c(x, y, z), corner = c & ~7, p = c & 7;
                const auto [entry, isNew] = numbers.emplace(std::tuple(corner.x, corner.y, corner.z), lattice.blocks.size());
                if (isNew) lattice.blocks.emplace_back().corner = corner;
                put(lattice.blocks[entry->second], static_cast<std::size_t>((p.x * 8 + p.y) * 8 + p.z),
                    dvec3(lattice.toWorld * glm::dvec4(c, 1.0)));
            }
}

class VolumeMotionTest : public MotionBlur {
protected:
    static void setVelocity(VolumeVelocity& velocity, glm::ivec3 low, glm::ivec3 high,
                            const std::function<std::optional<dvec3>(dvec3)>& function) {
        forPoints<VolumeVelocity>(velocity, low, high, [&](VolumeVelocity::Block& block, std::size_t n, dvec3 x) {
            const auto u = function(x);
            if (!u) return;
            block.values[n] = glm::vec3(*u);
            block.known[n / 32] |= 1u << n % 32;
            velocity.fastest = std::max(velocity.fastest, static_cast<float>(glm::length(*u)));
        });
    }
    static void setVolume(Settings& s, std::shared_ptr<VolumeData> data, bool upIsZ = false, float scale = 1.0f) {
        if (data->density.empty()) data->density.blocks.emplace_back().corner = glm::ivec3(0);
        InitialSettings i{.volume = {.file = "memory",
                                     .upIsZ = upIsZ,
                                     .needs = VolumeSettings::kDensity,
                                     .exposure = kExposure,
                                     .frames = std::make_shared<OneFrame>(std::move(data))},
                          .density = 1.0f};
        i.shape.kind = ShapeKind::Volume;
        i.shape.scale = scale;
        const VolumeBounds bounds = placed(i.volume.frames->bounds(), i.volume.placement(i.shape));
        i.shape.centre = 0.5 * (bounds.low + bounds.high);
        i.shape.half = 0.5 * (bounds.high - bounds.low);
        s.initial = {i};
    }
    /// The largest difference of the velocity on faces from a function of the position relative to the low corner of the box [m].
    double worst(const Field& faces, const Settings& s, double h, const Velocity& expected) {
        const ivec3 cells = faces.size() - 1;
        double most = 0.0;
        forEach(faces.size(), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                bool exists = true;
                for (int other = 0; other < 3; ++other) exists = exists && (other == axis || c[other] < cells[other]);
                if (!exists) continue;
                dvec3 x = (dvec3(c) + 0.5) * h;
                x[axis] -= 0.5 * h;
                const bool isWall = (c[axis] == 0 && s.grid.side(2 * static_cast<std::size_t>(axis)) == Side::Wall) ||
                                    (c[axis] == cells[axis] && s.grid.side(2 * static_cast<std::size_t>(axis) + 1) == Side::Wall);
                most = std::max(most, std::abs(faces(c)[axis] - (isWall ? 0.0 : expected(x)[axis])));
            }
        });
        return most;
    }
};

// Trilinear interpolation, means over cells and means of two cells keep a linear function, except at the sides of the box, where a face has
// the value of the nearest centre. So the function does not change along the axis of each component. Only floats round: the position has
// an error of 1e-3 points at most where it is taken for a point.
TEST_F(VolumeMotionTest, LinearFieldsStayAsTheyAre) {
    const auto linear = [](dvec3 x) { return dvec3(2.0 * x.y - x.z + 0.5, 3.0 * x.z - x.x, x.x + 2.0 * x.y - 1.0); };
    for (const bool sparse : {false, true})
        for (const auto& [spacing, angle, upIsZ, scale] :
             {std::tuple(1.0, 0.0, false, 1.0f), {0.45, 0.3, false, 1.0f}, {1.7, 0.3, true, 1.0f}, {0.9, 0.0, true, 2.0f}}) {
            Settings s = scene({16, 24, 16});
            s.grid.sparse = sparse;
            s.grid.sides.fill(Side::Open);
            s.grid.sides[0] = Side::Wall;
            if (sparse) s.grid.pressureRatio = 2;
            if (sparse) s.pressure = {};
            auto data = std::make_shared<VolumeData>();
            const double h = spacing * double{kH};
            data->velocity.toWorld = glm::scale(
                glm::rotate(glm::translate(glm::dmat4(1.0), glm::dvec3(0.01, 0.02, -0.015)), angle, glm::dvec3(1.0, 1.0, 0.0)),
                glm::dvec3(h));
            // The file has the vector that becomes the wanted one where its point comes to lie.
            const glm::dmat4 place = VolumePlacement{.upIsZ = upIsZ, .scale = scale}.matrix();
            const glm::dmat3 turn(place), back = glm::inverse(turn);
            const int reach = static_cast<int>(std::ceil(1.1 / h / double{scale}));
            setVelocity(data->velocity, glm::ivec3(-reach), glm::ivec3(reach),
                        [&](dvec3 x) { return back * linear(dvec3(place * glm::dvec4(x, 1.0))); });
            setVolume(s, data, upIsZ, scale);
            Simulation simulation(device(), s);
            const Flow& flow = simulation.simulator.fields().flow;
            const double tolerance = 1e-3 * h * double{scale} * 3.0 + 1e-5;  // gradient of a component at most 3 / s
            if (sparse) EXPECT_LT(worst(fieldOf(flow.coarse->flow.velocity), s, 2.0 * double{kH}, linear), tolerance) << spacing;
            else EXPECT_LT(worst(fieldOf(flow.velocity), s, double{kH}, linear), tolerance) << spacing;
        }
}

// One voxel has a velocity. All cells within the reach get it, so that all faces around them have it.
TEST_F(VolumeMotionTest, TheVelocityContinuesBesideTheSmoke) {
    Settings s = scene({40, 32, 32});
    auto data = std::make_shared<VolumeData>();
    data->velocity.toWorld = glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(0.5 * double{kH})), glm::dvec3(double{kH}));
    const dvec3 u = dvec3(0.6, -0.3, 0.2);
    const glm::ivec3 at(15, 14, 16);
    setVelocity(data->velocity, at, at, [&](dvec3) { return u; });
    setVolume(s, data);
    Simulation simulation(device(), s);
    const Field faces = fieldOf(simulation.simulator.fields().flow.velocity);
    const int needed = static_cast<int>(std::ceil(0.5 * double{kExposure} * glm::length(u) / double{kH})) + 1;
    ASSERT_GT(needed, 4);
    std::size_t wrong = 0;
    forEach(ivec3(2 * needed + 1), [&](ivec3 o) {
        for (int axis = 0; axis < 3; ++axis) wrong += std::abs(faces(at - needed + o)[axis] - u[axis]) > 1e-6;
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(faces(ivec3(39, 16, 16)).x, 0.0) << "continues farther than smoke moves";
}

// The closed form of a puff that moves, where the file knows the velocity only within two standard deviations.
TEST_F(VolumeMotionTest, APuffIsBlurred) {
    for (const bool sparse : {false, true}) {
        Settings s = scene({48, 40, 40});
        s.grid.sparse = sparse;
        if (sparse) s.grid.pressureRatio = 2;
        if (sparse) s.pressure = {};
        const dvec3 centre = 0.5 * dvec3(s.grid.size);
        const double speed = 6.0 * double{kH} / (0.5 * double{kExposure});
        auto data = std::make_shared<VolumeData>();
        data->density.toWorld = data->velocity.toWorld = glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(0.5 * double{kH})),
                                                                    glm::dvec3(double{kH}));
        const glm::ivec3 last = glm::ivec3(s.grid.cells) - 1;
        const auto apart = [&](dvec3 x) { return glm::distance(x, centre) / kSigma; };
        forPoints<VolumeLattice>(data->density, glm::ivec3(0), last, [&](VolumeLattice::Block& block, std::size_t n, dvec3 x) {
            block.values[n] = static_cast<float>(std::exp(-0.5 * apart(x) * apart(x)));
        });
        setVelocity(data->velocity, glm::ivec3(0), last,
                    [&](dvec3 x) { return apart(x) < 2.0 ? std::optional(dvec3(speed)) : std::nullopt; });
        setVolume(s, data);
        // Smoke beyond 5 standard deviations, which leaves the box or would come from outside, is less than the errors.
        expectBlur(s, nullptr, kGridError, [&](dvec3 eye, dvec3 ray, double time) {
            return 1.0 - std::exp(-depthOf(s, centre + time * dvec3(speed), eye, ray, spanOf(dvec3(0.0), dvec3(s.grid.size), eye, ray)));
        });
    }
}

}  // namespace
}  // namespace wisp::test
