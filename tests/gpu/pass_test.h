// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/shaders.h"
#include "shaders/shared/pressure_level.h"
#include "tests/reference/light.h"
#include "tests/reference/solids.h"
#include "tests/support/gpu_test.h"

#include <cstring>
#include <optional>
#include <random>
#include <set>
#include <string>

/// What the test of one pass needs: a seeded state on an odd grid, the pass with bindings made by hand, and the comparison
/// with the twin of tests/reference.
namespace wisp::test {

using namespace wisp::reference;  // the twins carry the passes' names

/// Half a unit in the last place of a float of size 1.
inline constexpr double kEps = 5.96e-8;

struct PassCase {
    ivec3 cells;
    int ratio = 1;
    int scalarRatio = 1;
    Precision precision = Precision::Float;
    bool obstacles = true;
    int periodic = 0;  ///< bits of the axes
};
/// A grid of pressure cells at the front of its buffers.
gpu::PressureLevel levelOf(ivec3 cells);

std::string nameOf(const testing::TestParamInfo<PassCase>& info);
/// Odd and one-cell sizes, all ratios, both storages, periodic axes with even and odd numbers of pressure cells.
std::vector<PassCase> passCases();

/// A step of half a box of obstacles, walls below, inflow at the left, open elsewhere; h = 0.05 m and dt / h = 1.5 s/m.
Step makeStep(const PassCase& c);

class PassTest : public GpuTest {
protected:
    void SetUp() override;
    void TearDown() override;

    /// `constants`: see shaders/shared/sampling.glsl and volume.glsl. kPeriodic, kScalarRatio, kRatio, kFlat, and what samplers do, follow
    /// from `step`, kHalfStorage from `halfStorage`, kByAddress from `byAddress`.
    void useConstants(engine::ShaderConstants constants, std::span<const engine::EmbeddedShader> shaders = embeddedShaders());

    /// Uniform in [low, high], in `channels` of every texel.
    Field random(ivec3 size, int channels, double low, double high);
    /// Of at most `largest` along each axis that velocities have.
    Field randomVectors(ivec3 size, double largest) { return random(size, axes(step), -largest, largest); }
    Numbers randomNumbers(ivec3 size, double low, double high);
    /// Uniform in [-1, 1] on the faces that exist; wrapped along periodic axes.
    Field randomVelocity(const Step& s);

    /// Uploads, and rounds the field to what the image holds, so that the twin starts from the same numbers.
    engine::Image toGpu(Field& field, VkFormat format);
    /// The same as vectors in a buffer, see shaders/shared/vectors.glsl: halves where `halfStorage`.
    engine::Buffer vectorsToGpu(Field& field);
    engine::Buffer toGpu(Numbers& numbers);
    engine::Buffer weightsToGpu(Field& weights);
    /// Velocities of what closes faces, in float whatever the storage.
    engine::Image solidVelocityToGpu(const Field& openness);
    /// A set bit for every cell that has six neighbours and six weights of 1, as coarse_openness leaves for the sweeps.
    engine::Buffer regularToGpu(const Field& weights);
    /// Pressure cells, in the order that they have on the GPU.
    engine::Buffer cellsToGpu(Numbers& numbers);
    Numbers cellsFromGpu(const engine::Buffer& buffer, ivec3 size);
    engine::Image target(ivec3 size, VkFormat format);
    engine::Buffer target(std::size_t floats);
    engine::Buffer vectorTarget(ivec3 size);
    Field fromGpu(const engine::Image& image);
    Numbers fromGpu(const engine::Buffer& buffer, ivec3 size);
    Field vectorsFromGpu(const engine::Buffer& buffer, ivec3 size);

    /// The distances to the step's obstacles as an image, which pass() binds as `solidDistance` too.
    const engine::Image& distanceImage();
    /// The same for the twin, rounded to what the image holds.
    const Field& distanceField();

    /// Runs one pass with `step` (and `view`, if set) as its uniforms.
    template <class Push>
    void pass(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings, const Push& push) {
        passWith(name, threads, bindings, engine::PushConstants::of(push));
    }
    void pass(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings) { passWith(name, threads, bindings, {}); }

    /// Runs all that `passes` calls pass() for as one submission, with the step as it is now: many steps take less time so.
    void together(const std::function<void()>& passes);

    /// Cells of a group of trace.comp on this device.
    ivec3 reachGroup();

    Step step{};
    bool halfStorage = false;  ///< of what passes round, and of vectors in buffers
    bool byAddress = false;    ///< vectors in buffers go by their addresses, not by bindings
    std::optional<View> view;
    /// Surroundings of one colour, until a test gives others.
    void setEnvironment(Field map, double rotation = 0.0);
    Field surroundings{ivec3(1)};
    const engine::Image* meshDistances = nullptr;  ///< where obstacles are meshes
    const engine::Buffer* reached = nullptr;       ///< bricks, see smoke_reach.comp; null: all
    const engine::Image* smokeColour = nullptr;    ///< where smoke has colours, which kHasColours says

private:
    void passWith(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings, const engine::PushConstants& push);
    engine::ShaderOptions optionsOfStep() const;
    [[nodiscard]] VkFormat vectorTexel() const { return halfStorage ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT; }
    engine::ShaderConstants constants_;
    std::set<std::string, std::less<>> known_;  ///< constants that the shaders have
    std::unique_ptr<engine::ShaderLibrary> shaders_;
    Step distancesOf_{};  // the step whose distances these are
    Field distances_;
    engine::Image distanceImage_;
    std::mt19937 generator_{7};
    engine::Recorder* recording_ = nullptr;  ///< in together()
    engine::Image nothing_;                  ///< bound where nothing is read
    engine::Image environmentMap_;
};

/// A test that runs for every case of passCases(); where the ratio is 4 vectors in buffers go by their addresses.
class EveryCase : public PassTest, public testing::WithParamInterface<PassCase> {
protected:
    void SetUp() override;
    [[nodiscard]] VkFormat vectorFormat() const;  ///< of velocity and its like
    [[nodiscard]] VkFormat scalarFormat() const;
    [[nodiscard]] bool half() const { return GetParam().precision == Precision::Half; }
    /// The step's openness, rounded to its eight bits, wrapped along periodic axes.
    Field openness();
    /// A field on faces as wrap_faces leaves it: passes put anything past the seam.
    [[nodiscard]] Field wrapped(Field field) const;
};

/// Every channel within `tolerance`, and within one unit in the last place of the storage where that is half (Vulkan leaves
/// the direction of rounding open). `flips` values may be anywhere: see there why a branch may go the other way.
void expectNear(const Field& gpu, const Field& twin, double tolerance, bool half, std::size_t flips = 0);
void expectNear(const Numbers& gpu, const Numbers& twin, double tolerance);

/// Largest |value| of the first three channels.
double largest(const Field& field);
/// Largest difference between neighbours. A hardware filter has weights of eight bits (subTexelPrecisionBits), each within 2^-8, along
/// three axes: a sample is wrong by at most kFilter times this.
double steepest(const Field& field, ivec3 period = ivec3(0));
inline constexpr double kFilter = 3.0 / 256.0;

/// Waves about as long as the box.
Field smoothField(ivec3 size, int channels, double low, double high);

}  // namespace wisp::test
