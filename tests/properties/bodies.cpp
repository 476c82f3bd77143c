// SPDX-License-Identifier: MIT
// Random bodies, most of them thin, in the way of warm smoke. They create no energy.
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "files/scene/scene.h"
#include "tests/properties/check.h"
#include "tests/support/gpu_test.h"
#include "tests/support/meshes.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace wisp::test {
namespace {

constexpr int kCells = 32, kSteps = 90;
constexpr float kHalf = 0.3f;      // half of the length of a body [m]. The box has edges of 1 m
constexpr double kBuoyancy = 3.0;  // acceleration of the smoke [m/s^2]

enum class Body { Plate, Rod, Mesh };  // the mesh is a plate, too

struct Case {
    Body body;
    float thickness;  // [cells]
    glm::vec3 rotation;
    glm::vec3 velocity{0.0f}, angularVelocity{0.0f};
    int ratio;
    bool half, sparse;

    explicit Case(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const auto in = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
        const auto whole = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
        const auto vector = [&](float most) { return glm::vec3(in(-most, most), in(-most, most), in(-most, most)); };
        body = static_cast<Body>(whole(3));
        thickness = in(0.2f, 3.0f);
        rotation = vector(90.0f);
        ratio = 1 << whole(3);
        half = whole(2) == 0;
        sparse = ratio > 1 && whole(3) == 0;
        const int motion = whole(4);
        if (motion == 1) velocity = vector(0.1f);
        if (motion == 2) angularVelocity = vector(60.0f);
    }

    [[nodiscard]] glm::vec3 halfSizes() const { return {kHalf, 0.5f * thickness / kCells, kHalf}; }

    // A mesh is written as a box.
    [[nodiscard]] std::string text() const {
        const auto list = [](glm::vec3 v) { return fmt::format("[{:.7g}, {:.7g}, {:.7g}]", v.x, v.y, v.z); };
        const glm::vec3 sizes = halfSizes();
        return fmt::format(
                   "[grid]\ncells = [{0}, {0}, {0}]\nsize = [1.0, 1.0, 1.0]\npressure_ratio = {1}\nprecision = \"{2}\"\n"
                   "sparse = {3}\n[flow]\nbuoyancy = 0.03\n",
                   kCells, ratio, half ? "half" : "float", sparse) +
               "[[emitter]]\ncentre = [0.5, 0.2, 0.5]\nradius = 0.1\ndensity = 1.0\ntemperature = 100.0\n" +
               fmt::format("[[obstacle]]\ncentre = [0.5, 0.5, 0.5]\nvelocity = {}\nrotation = {}\nangular_velocity = {}\n", list(velocity),
                           list(rotation), list(angularVelocity)) +
               (body == Body::Rod ? fmt::format("shape = \"capsule\"\nhalf = {}\nradius = {:.7g}\n", list({kHalf, 0.0f, 0.0f}), sizes.y)
                                  : fmt::format("shape = \"box\"\nhalf = {}\n", list(sizes)));
    }

    [[nodiscard]] Settings settings() const {
        Settings s = parseScene(text(), "");
        if (body == Body::Mesh) {
            s.meshes.push_back(shared(cuboid(halfSizes())));
            s.obstacles[0].shape.kind = ShapeKind::Mesh;
        }
        return s;
    }

    // Largest possible speed of the fluid [m/s]. Buoyancy gives sqrt(2 a H) over the height H of the box. At a distance of half a cell from
    // the edge of a plate of half length l that moves at U, potential flow has U sqrt(l / h), here added to U.
    [[nodiscard]] double bound() const {
        const double U = glm::length(velocity) + glm::radians(double(glm::length(angularVelocity))) * std::sqrt(2.0) * kHalf;
        return std::sqrt(2.0 * kBuoyancy * 1.0) + U * (1.0 + std::sqrt(kHalf * kCells));
    }
};

class BodyProperties : public GpuTest {
protected:
    /// The largest speed of the fluid in the steps [m/s].
    double largestSpeed(const Settings& settings) {
        if (!shaders_) shaders_ = pooledLibrary(device(), embeddedShaders(), shaderOptions(settings));
        else shaders_->setOptions(shaderOptions(settings));
        FluidSimulator simulator(device(), settings);
        engine::Recorder recorder(device(), *shaders_, {.timing = engine::Timing::Off, .readbackBytes = 1u << 16});
        double largest = 0.0;
        recorder.begin();
        simulator.reset(recorder);
        recorder.submit();
        for (int n = 1; n <= kSteps; ++n) {
            recorder.begin();
            simulator.step(recorder);
            if (n % 5 == 0)
                simulator.measure(recorder, [&](const Quality& q) { largest = q.finite() ? std::max(largest, q.maxSpeed) : HUGE_VAL; });
            recorder.submit();
        }
        recorder.finish();
        return largest;
    }

    void TearDown() override {
        shaders_.reset();
        GpuTest::TearDown();
    }

private:
    PooledLibrary shaders_;
};

TEST_F(BodyProperties, CreateNoEnergy) {
    checkProperty(
        [&] {
            const Case c(*rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())));
            const double speed = largestSpeed(c.settings());
            RC_LOG() << c.text() << (c.body == Body::Mesh ? "# as a mesh\n" : "") << "largest speed " << speed << " m/s, bound "
                     << c.bound() << " m/s\n";
            RC_ASSERT(speed <= c.bound());
        },
        2);
}

}  // namespace
}  // namespace wisp::test
