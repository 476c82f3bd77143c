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

/// Fixture for the test of one pass: a seeded state on an odd grid, the pass with explicit bindings, and the comparison with its twin in
/// tests/reference.
namespace wisp::test {

using namespace wisp::reference;  // twins have the names of their passes

/// Half a unit in the last place of a float of size 1.
inline constexpr double kEps = 5.96e-8;

struct PassCase {
    ivec3 cells;
    int ratio = 1;
    int scalarRatio = 1;
    Precision precision = Precision::Float;
    bool obstacles = true;
    int periodic = 0;      ///< bits of the axes
    bool expands = false;  ///< the projection leaves a divergence, see addDivergence
};
/// A level of pressure cells at the start of its buffers.
gpu::PressureLevel levelOf(ivec3 cells);

int channelsOf(VkFormat format);

std::string nameOf(const testing::TestParamInfo<PassCase>& info);
/// Odd and one-cell sizes, all ratios, both storages, periodic axes with even and odd numbers of pressure cells.
std::vector<PassCase> passCases();

/// A step with obstacles in half of the box, a wall below, inflow on the left, open sides elsewhere. h = 0.05 m, dt / h = 1.5 s/m.
Step makeStep(const PassCase& c);

class PassTest : public GpuTest {
protected:
    void SetUp() override;
    void TearDown() override;

    /// `constants`: see shaders/shared/sampling.glsl and volume.glsl. kPeriodic, kScalarRatio, kRatio, kFlat and the samplers' settings
    /// follow from `step`, kHalfStorage from `halfStorage`, kByAddress from `byAddress`.
    void useConstants(engine::ShaderConstants constants, std::span<const engine::EmbeddedShader> shaders = embeddedShaders());

    /// Uniform random values in [low, high] in the first `channels` channels of every texel.
    Field random(ivec3 size, int channels, double low, double high);
    /// Components of at most `largest` along the axes that have velocities.
    Field randomVectors(ivec3 size, double largest) { return random(size, axes(step), -largest, largest); }
    Numbers randomNumbers(ivec3 size, double low, double high);
    /// Uniform in [-1, 1] on the faces that exist, wrapped along periodic axes.
    Field randomVelocity(const Step& s);

    /// Uploads the field and rounds it to the image's precision, so that the twin starts from the same numbers.
    engine::Image toGpu(Field& field, VkFormat format);
    /// Uploads the field as vectors in a buffer (see shaders/shared/vectors.glsl), in halves if `halfStorage`. Rounds the field.
    engine::Buffer vectorsToGpu(Field& field);
    engine::Buffer toGpu(Numbers& numbers);
    /// A float per cell, as in `FLOATS_IN` of shaders/shared/vectors.glsl. Rounds the numbers.
    engine::Buffer floatsToGpu(Numbers& numbers);
    engine::Buffer floatTarget(ivec3 size) { return buffer("test floats", 4 * Numbers(size).count(), true); }
    engine::Buffer weightsToGpu(Field& weights);
    /// Velocities of the solids at faces, always in single precision.
    engine::Image solidVelocityToGpu(const Field& aperture);
    /// Sets the bit of every cell with six neighbours and six weights of 1, as coarse_aperture does for the sweeps.
    engine::Buffer regularToGpu(const Field& weights);
    /// Pressure cells in the order that they have on the GPU.
    engine::Buffer cellsToGpu(Numbers& numbers);
    Numbers cellsFromGpu(const engine::Buffer& buffer, ivec3 size);
    engine::Image target(ivec3 size, VkFormat format);
    engine::Buffer target(std::size_t floats);
    engine::Buffer vectorTarget(ivec3 size);
    Field fromGpu(const engine::Image& image);
    /// Bytes of an image with this field, and the field in the texels' channels. Channels that the format lacks are 0.
    static std::vector<std::byte> texelsOf(const Field& field, VkFormat format);
    static Field fieldOf(const std::vector<float>& values, ivec3 size, VkFormat format);
    Numbers fromGpu(const engine::Buffer& buffer, ivec3 size);
    Field vectorsFromGpu(const engine::Buffer& buffer, ivec3 size);

    /// The distances to the step's obstacles as an image. pass() also binds it as `solidDistance`.
    const engine::Image& distanceImage();
    /// The distances for the twin, rounded to the image's precision.
    const Field& distanceField();

    /// Threads of a pass that skips cells: on CPU devices each takes every n-th layer, see shaders/shared/each_cell.glsl.
    ivec3 inLayers(ivec3 box) { return device().isCpu() ? ivec3(box.x, box.y, (box.z + 2) / 3) : box; }

    /// Runs one pass with `step` (and `view`, if set) as its uniforms.
    template <class Push>
    void pass(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings, const Push& push) {
        passWith(name, threads, bindings, engine::PushConstants::of(push));
    }
    void pass(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings) { passWith(name, threads, bindings, {}); }

    /// Runs all pass() calls of `passes` in one submission, with the current step. This saves time with many steps.
    void together(const std::function<void()>& passes);

    /// Cells of a work group of backtrace.comp on this device.
    ivec3 reachGroup();

    Step step{};
    bool expands = false;      ///< the constant kExpands
    bool halfStorage = false;  ///< values rounded by passes, and vectors in buffers, are halves
    bool byAddress = false;    ///< vectors in buffers are accessed by address, not by binding
    std::optional<View> view;
    /// The environment is uniform until a test sets another one.
    void setEnvironment(Field map, double rotation = 0.0);
    Field surroundings{ivec3(1)};
    const engine::Image* meshDistances = nullptr;                       ///< if obstacles are meshes
    const engine::Buffer* reached = nullptr;                            ///< bricks, see smoke_reach.comp; null: all
    const engine::Buffer *brickList = nullptr, *brickStates = nullptr;  ///< of a sparse simulation
    const engine::Buffer* brickSlots = nullptr;                         ///< of a sparse simulation
    const engine::Image* coarseVelocity = nullptr;                      ///< of a sparse simulation
    const engine::Image* smokeColour = nullptr;                         ///< if smoke has colours (kHasColours)

private:
    void passWith(std::string_view name, ivec3 threads, const std::vector<engine::Binding>& bindings, const engine::PushConstants& push);
    engine::ShaderOptions optionsOfStep() const;
    [[nodiscard]] VkFormat vectorTexel() const { return halfStorage ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT; }
    engine::ShaderConstants constants_;
    std::set<std::string, std::less<>> known_;  ///< constants that the shaders declare
    PooledLibrary shaders_;
    Step distancesOf_{};  // the step of the distances below
    Field distances_;
    engine::Image distanceImage_;
    std::mt19937 generator_{7};
    engine::Recorder* recording_ = nullptr;  ///< inside together()
    engine::Image nothing_;                  ///< bound where a pass reads nothing
    engine::Image environmentMap_;
};

/// A test that runs for every case of passCases(). With ratio 4, vectors in buffers are accessed by address.
class EveryCase : public PassTest, public testing::WithParamInterface<PassCase> {
protected:
    void SetUp() override;
    [[nodiscard]] VkFormat vectorFormat() const;  ///< of velocities and similar fields
    [[nodiscard]] VkFormat scalarFormat() const;
    [[nodiscard]] bool half() const { return GetParam().precision == Precision::Half; }
    /// The step's aperture, rounded to eight bits and wrapped along periodic axes.
    Field aperture();
    /// If the case expands, sets w of the cells of a velocity on faces: the divergence [1/s] that its projection leaves.
    void addDivergence(Field& velocity);
    /// A field on faces after wrap_faces. Passes may write anything past the periodic seam.
    [[nodiscard]] Field wrapped(Field field) const;
};

/// Every channel must be within `tolerance`, plus one unit in the last place for half storage (Vulkan leaves the direction of rounding
/// open). Up to `flips` values may have any difference. Callers say why a branch may go the other way.
void expectNear(const Field& gpu, const Field& twin, double tolerance, bool half, std::size_t flips = 0);
void expectNear(const Numbers& gpu, const Numbers& twin, double tolerance);

/// Largest |value|; of a field, in the first three channels.
double largest(const Field& field);
double largest(const Numbers& numbers);
/// Largest difference between neighbours. A hardware filter has weights of eight bits (subTexelPrecisionBits), each within 2^-8, along
/// three axes. So the error of a sample is at most kFilter times this difference.
double steepest(const Field& field, ivec3 period = ivec3(0));
inline constexpr double kFilter = 3.0 / 256.0;

/// Smooth waves with wavelengths of about the box's size.
Field smoothField(ivec3 size, int channels, double low, double high);

}  // namespace wisp::test
