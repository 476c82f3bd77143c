// SPDX-License-Identifier: MIT
// Temporal accumulation of images, tested with whole images.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

dvec3 toBox(dvec4 c) { return {(c.x + 2.0 * c.y + c.z) / 4.0, (c.x - c.z) / 2.0, (2.0 * c.y - c.x - c.z) / 4.0}; }

class TemporalPicture : public PhysicsTest {
protected:
    // A puff beside a ball. The ray step is more than twice the standard deviation of the puff, so the offset of the first step matters.
    static Settings scene() {
        Settings s = stillBox({24, 24, 24}, 1.0f / 24);
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.13f}, .density = 1.0f});
        s.medium = {.extinction = 20.0f, .albedo = {0.9f, 0.8f, 0.7f}, .octaves = 1};
        s.obstacles.push_back({.shape = {.centre = {0.25f, 0.25f, 0.8f}, .radius = 0.12f}});
        s.lights.push_back({.direction = {-0.6f, -0.7f, -0.35f}, .intensity = 5.0f});
        s.environment = {.colour = glm::vec3(0.1f), .ground = true};
        s.camera = {.eye = {0.6f, 0.8f, 2.4f}, .target = {0.5f, 0.4f, 0.5f}, .fov = 0.5f};
        s.render.size = {48, 36};
        s.render.step = 0.3f;
        s.render.temporal = true;
        return s;
    }
    static CameraSettings moved(CameraSettings camera, float by) {
        camera.eye.x += by;
        return camera;
    }
    // The same image without noise, with ray steps of 1/80 of the size.
    Field fine(Settings s) {
        s.render.step = 0.3f / 80;
        s.render.temporal = false;
        return pictureOf(s);
    }
    static double difference(const Field& a, const Field& b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < a.count(); ++i) {
            const dvec4 d = a.values()[i] - b.values()[i];
            sum += (d.x * d.x + d.y * d.y + d.z * d.z) / static_cast<double>(a.count());
        }
        return std::sqrt(sum);
    }
    Field draw(Simulation& s) {
        s.draw();
        return fieldOf(s.renderer.radiance());
    }
};

TEST_F(TemporalPicture, ConvergesWhileNothingMoves) {
    Simulation simulation(device(), scene());
    const Field exact = fine(scene());
    const double first = difference(draw(simulation), exact);
    for (int i = 0; i < 14; ++i) simulation.draw();
    const double last = difference(draw(simulation), exact);
    RecordProperty("share", std::to_string(last / first));
    // For independent images, the mean with weights of 1/8 (7/8)^i would leave sqrt(1 / 15) = 0.26 of the noise. The ray offsets are spread
    // more evenly than that. But where the mean of a pixel is outside the range of its neighbours in one image, it is clamped.
    EXPECT_LT(last, 0.5 * first);
}

// Only smoke: a pixel that shows one object through another has only one depth, so one of the two is reprojected to a slightly wrong
// position.
TEST_F(TemporalPicture, FollowsACameraThatMoves) {
    Settings s = scene();
    s.obstacles.clear();
    s.environment.ground = false;
    Simulation simulation(device(), s);
    double single = 0.0, mean = 0.0;
    for (int i = 0; i < 16; ++i) {
        s.camera = moved(scene().camera, 0.04f * static_cast<float>(i));  // about one pixel
        simulation.renderer.setCamera(s.camera);
        const Field picture = draw(simulation);
        if (i < 12) continue;
        const Field exact = fine(s);
        mean += difference(picture, exact);
        single += difference(pictureOf(s), exact);
    }
    RecordProperty("share", std::to_string(mean / single));
    EXPECT_LT(mean, single);
}

// The history is clamped to the range of the neighbours in the current image, so nothing is more than a pixel from its position.
TEST_F(TemporalPicture, HasNoGhosts) {
    const auto expectWithin = [](const Field& seen, const Field& fresh) {
        forEach(seen.size(), [&](ivec3 p) {
            dvec3 low = toBox(fresh(p)), high = low;
            forEach({3, 3, 1}, [&](ivec3 o) {
                const dvec3 c = toBox(fresh(glm::clamp(p + o - ivec3(1, 1, 0), ivec3(0), seen.size() - 1)));
                low = glm::min(low, c);
                high = glm::max(high, c);
            });
            for (int n = 0; n < 3; ++n) {  // 16-bit floats, truncated: 2^-10 of numbers below 2
                EXPECT_GE(toBox(seen(p))[n], low[n] - 2e-3) << p.x << " " << p.y;
                EXPECT_LE(toBox(seen(p))[n], high[n] + 2e-3) << p.x << " " << p.y;
            }
        });
    };
    // The camera moves by some pixels per image. With ray steps of a tenth of a cell there is no noise that would make a new image differ.
    Settings s = scene();
    s.render.step = 1.0f / 240;
    Simulation simulation(device(), s);
    for (int i = 0; i < 8; ++i) {
        s.camera = moved(scene().camera, 0.1f * static_cast<float>(i));
        simulation.renderer.setCamera(s.camera);
        simulation.draw();
    }
    expectWithin(fieldOf(simulation.renderer.radiance()), pictureOf(s));
    // Then the smoke disappears within one image.
    s.initial.clear();
    Simulation none(device(), s);
    simulation.recorder.begin();
    simulation.renderer.draw(simulation.recorder, none.simulator.fields());
    simulation.recorder.submit();
    simulation.recorder.finish();
    expectWithin(fieldOf(simulation.renderer.radiance()), pictureOf(s));
}

TEST_F(TemporalPicture, RestartsAfterACut) {
    Simulation simulation(device(), scene());
    std::vector<std::vector<float>> pictures[2];
    for (auto& sequence : pictures) {
        for (int i = 0; i < 3; ++i) {
            simulation.draw();
            sequence.push_back(download(simulation.renderer.radiance()));
        }
        simulation.renderer.restart(0);
    }
    EXPECT_EQ(pictures[0], pictures[1]);
    EXPECT_NE(pictures[0][0], pictures[0][1]);
    Settings s = scene();
    s.render.temporal = false;
    Simulation single(device(), s);
    single.draw();
    EXPECT_EQ(download(single.renderer.radiance()), pictures[0][0]);
}

}  // namespace
}  // namespace wisp::test
