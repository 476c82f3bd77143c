// SPDX-License-Identifier: MIT
// Slow flow must not draw streaks along the grid axes into smoke that it stretches.
#include "compute/smoke/smoke_passes.h"
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

using glm::dvec2;

constexpr float kH = 1.0f / 64;
constexpr int kCells = 70, kTurnedCells = 99;  // 99 / 70 is the square root of 2, up to 4e-5
constexpr double kCourant = 0.1;               // rms of the speed times the time step [cells]
constexpr int kSteps = 100;

/// Plane waves with whole numbers of periods in a box of kCells. Rotated by 45 degrees, they have whole numbers of periods in a box of
/// kTurnedCells cells of the same size. So the same flow and smoke can be tested along the axes and along the diagonals of the grid.
struct Wave {
    dvec2 periods;
    double phase;
    [[nodiscard]] dvec2 vector(bool turned) const {  // [rad per cell]
        return glm::two_pi<double>() *
               (turned ? dvec2(periods.x - periods.y, periods.x + periods.y) / double(kTurnedCells) : periods / double(kCells));
    }
};

/// All waves with a number of periods in [least, most], in every direction, with equal amplitude.
std::vector<Wave> waves(int least, int most, std::mt19937& random) {
    std::vector<Wave> all;
    for (int y = 0; y <= most; ++y)
        for (int x = -most; x <= most; ++x) {
            const int square = x * x + y * y;
            if (square < least * least || square > most * most || (y == 0 && x < 0)) continue;
            all.push_back({dvec2(x, y), glm::two_pi<double>() * static_cast<double>(random()) / 4294967296.0});
        }
    return all;
}

/// A steady flow without divergence, and smoke. Positions are in cells.
struct Case {
    std::vector<Wave> flow, noise;
    bool turned = false;

    [[nodiscard]] int cells() const { return turned ? kTurnedCells : kCells; }
    [[nodiscard]] dvec2 velocity(dvec2 p) const {  // [cells per step]
        dvec2 u(0.0);
        for (const Wave& w : flow) {
            const dvec2 k = w.vector(turned);
            u += dvec2(k.y, -k.x) / glm::length(k) * std::cos(glm::dot(k, p) + w.phase);
        }
        return kCourant * std::sqrt(2.0 / static_cast<double>(flow.size())) * u;
    }
    [[nodiscard]] double density(dvec2 p) const {
        double sum = 0.0;
        for (const Wave& w : noise) sum += std::cos(glm::dot(w.vector(turned), p) + w.phase);
        return 0.5 + 0.12 * std::sqrt(2.0 / static_cast<double>(noise.size())) * sum;
    }
    /// The exact density at p after kSteps, by fourth-order Runge-Kutta with ten simulation steps at once.
    [[nodiscard]] double exact(dvec2 p) const {
        constexpr double kWay = 10.0;  // [simulation steps]
        for (double gone = 0.0; gone < kSteps; gone += kWay) {
            const dvec2 a = velocity(p), b = velocity(p - 0.5 * kWay * a), c = velocity(p - 0.5 * kWay * b), d = velocity(p - kWay * c);
            p -= kWay / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        }
        return density(p);
    }
};

/// For the squared gradient of a periodic image: `ratio` is the share of waves within 22.5 degrees of an axis, divided by the share of
/// waves within 22.5 degrees of a diagonal. Waves beyond the Nyquist frequency of an axis do not count, because only diagonals have them.
/// `length` is the mean wavelength [cells].
struct Gradient {
    double ratio, length;
};
Gradient gradientOf(const std::vector<double>& picture, int n) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::complex<double>> turn(size), half(size * size);
    for (std::size_t i = 0; i < size; ++i) turn[i] = std::polar(1.0, -glm::two_pi<double>() * static_cast<double>(i) / n);
    for (std::size_t y = 0; y < size; ++y)
        for (std::size_t k = 0; k < size; ++k)
            for (std::size_t x = 0; x < size; ++x) half[y * size + k] += picture[y * size + x] * turn[k * x % size];
    double axes = 0.0, diagonals = 0.0, variance = 0.0;
    for (std::size_t ky = 0; ky < size; ++ky)
        for (std::size_t kx = 0; kx < size; ++kx) {
            std::complex<double> sum = 0.0;
            for (std::size_t y = 0; y < size; ++y) sum += half[y * size + kx] * turn[ky * y % size];
            const auto wave = [&](std::size_t k) {
                return glm::two_pi<double>() * (2 * k < size ? static_cast<double>(k) : static_cast<double>(k) - n) / n;
            };
            const double x = wave(kx), y = wave(ky), square = x * x + y * y;
            if (square == 0.0 || square >= glm::pi<double>() * glm::pi<double>()) continue;
            const bool alongAxis = std::abs(x * x - y * y) > 2.0 * std::abs(x * y);
            (alongAxis ? axes : diagonals) += square * std::norm(sum);
            variance += std::norm(sum);
        }
    return {axes / diagonals, glm::two_pi<double>() * std::sqrt(variance / (axes + diagonals))};
}

template <class F>
std::vector<double> sampled(int n, F&& f) {
    std::vector<double> picture;
    forEach({n, n, 1}, [&](ivec3 c) { picture.push_back(f(dvec2(c) + 0.5)); });
    return picture;
}

class Streaks : public PhysicsTest {
protected:
    /// The density after kSteps steps of the advection passes.
    std::vector<double> carried(const Case& given, AdvectionScheme scheme) {
        const auto n = static_cast<std::uint32_t>(given.cells());
        Settings s = stillBox({n, n, 1}, kH);
        s.grid.sides = {Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic, Side::Wall, Side::Wall};
        s.prescribed.field = PrescribedField::Uniform;  // nothing is solved for
        s.advection.scheme = scheme;
        s.timeStep = 1.0f;
        s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.0f), 0.0f, glm::vec3(4.0f)}, .density = 1.0f});
        Simulation simulation(device(), s);
        Fields& fields = simulation.simulator.fields();
        simulation.recorder.finish();
        const std::size_t channels = download(fields.smoke.scalars[0]).size() / (std::size_t(n) * n);
        std::vector<float> velocity, smoke(std::size_t(n) * n * channels, 0.0f);
        forEach({given.cells(), given.cells(), 1}, [&](ivec3 c) {
            const dvec2 p = dvec2(c) + 0.5, u = double(kH) * given.velocity(p);
            smoke[velocity.size() / 4 * channels] = static_cast<float>(given.density(p));
            velocity.insert(velocity.end(), {static_cast<float>(u.x), static_cast<float>(u.y), 0.0f, 0.0f});
        });
        upload(fields.flow.centre, velocity);
        upload(fields.smoke.scalars[0], smoke);
        for (int step = 0; step < kSteps; ++step) {
            simulation.recorder.begin();
            simulation.recorder.setCommon({{"stepData", fields.domain.step},
                                           {"solidDistance", fields.domain.solidDistance},
                                           {"solidVelocity", engine::Traffic::none(fields.domain.solidVelocity)},
                                           {"brickList", fields.domain.step},
                                           {"brickStates", fields.domain.step},
                                           {"brickSlots", fields.domain.step}});
            recordAdvect(simulation.recorder, fields.domain, fields.flow, fields.pressure, fields.smoke, s,
                         {.velocity = 1.0f, .density = 1.0f}, 0.0);
            simulation.recorder.submit();
        }
        simulation.recorder.finish();
        const Field density = densityOf(simulation);
        std::vector<double> picture;
        for (const dvec4& v : density.values()) picture.push_back(v.x);
        return picture;
    }
};

// The exact solution rotates with flow and smoke: the gradient along the axes of one box is the gradient along the diagonals of the other.
// So the geometric mean of both ratios is 1. In slow flow, c cells per step, the MacCormack scheme equals Lax-Wendroff. In each step it
// damps a wave of k radians per cell along its direction by c^2 / 2 (1 - cos k)^2, which is almost nothing over a given distance. But the
// phase speed along an axis is c sin(k) / k, slower than along the diagonals. So short waves along the axes lag behind and remain. Cubic
// interpolation damps them by c / 3 (1 - cos k)^2 per step, which removes them within some cells. The flow stretches the noise for ten
// cells, to waves with a mean length of eight cells. No scheme here advects finer smoke isotropically: after thirty cells the ratio is 1.6
// with cubic and 2.9 with MacCormack.
TEST_F(Streaks, SlowFlowIsIsotropic) {
    const int cases = sized(4, 12);
    double cubic = 0.0, macCormack = 0.0, length = 0.0;  // means over all cases: logarithms of ratios, and wavelength
    std::mt19937 random(29);
    for (int n = 0; n < cases; ++n) {
        Case given{waves(1, 3, random), waves(3, 6, random)};
        double start = 0.0, exact = 0.0;
        for (const bool turned : {false, true}) {
            given.turned = turned;
            const int cells = given.cells();
            const auto ratio = [&](const std::vector<double>& picture) { return 0.5 * std::log(gradientOf(picture, cells).ratio); };
            const std::vector<double> aim = sampled(cells, [&](dvec2 p) { return given.exact(p); });
            start += ratio(sampled(cells, [&](dvec2 p) { return given.density(p); }));
            exact += ratio(aim);
            length += gradientOf(aim, cells).length / (2 * cases);
            cubic += ratio(carried(given, AdvectionScheme::Cubic)) / cases;
            macCormack += ratio(carried(given, AdvectionScheme::MacCormack)) / cases;
        }
        EXPECT_NEAR(start, 0.0, 1e-9) << "case " << n;
        EXPECT_NEAR(exact, 0.0, 0.025) << "case " << n << ": too much of the smoke is finer than a cell for a tolerance of 0.1";
    }
    EXPECT_GE(length, 8.0);
    EXPECT_NEAR(std::exp(cubic), 1.0, 0.1);
    EXPECT_GT(std::exp(macCormack), 1.1) << "the measure must detect the streaks of MacCormack";
    for (const auto& [name, value] : {std::pair("cubic", std::exp(cubic)), {"maccormack", std::exp(macCormack)}, {"length", length}})
        RecordProperty(name, std::to_string(value));
}

}  // namespace
}  // namespace wisp::test
