// SPDX-License-Identifier: MIT
#include "compute/sim/shaders.h"

#include "compute/scene/environment.h"

namespace wisp {

engine::ShaderOptions shaderOptions(const Settings& s) {
    const std::uint32_t periodic = s.grid.periodicAxes();
    const std::uint64_t vectorBytes = s.grid.precision == Precision::Half ? 8 : 16;
    engine::ShaderOptions options{.constants = {{0, s.advection.filter == Filter::Exact ? 1u : 0u},
                                                {1, s.medium.octaves},
                                                {2, static_cast<std::uint32_t>(s.lights.size())},
                                                {3, s.grid.precision == Precision::Half ? 1u : 0u},
                                                {4, s.pressure.tolerance > 0.0f ? 1u : 0u},
                                                {6, s.meshes.empty() ? 0u : 1u},
                                                {7, periodic},
                                                {8, s.environment.ground ? 1u : 0u},
                                                {9, s.render.shadows == Shadows::March ? 1u : 0u},
                                                {10, s.usesColour() ? 1u : 0u},
                                                {11, samplesEnvironment(s) ? 1u : 0u},
                                                {12, s.grid.scalarRatio},
                                                {14, s.grid.pressureRatio},
                                                {18, s.grid.isFlat() ? 1u : 0u},
                                                {19, s.advection.scheme == AdvectionScheme::Cubic ? 1u : 0u},
                                                {20, s.advection.scheme == AdvectionScheme::Bfecc ? 1u : 0u},
                                                {21, s.flow.gust > 0.0f ? 1u : 0u},
                                                {22, s.usesMarks() ? 1u : 0u},
                                                {23, s.usesLiquid() ? 1u : 0u},
                                                {24, s.liquid.kernel == LiquidKernel::Quadratic ? 1u : 0u},
                                                {25, s.liquid.transfer == LiquidTransfer::Apic ? 1u : 0u},
                                                {26, s.usesOrdinates() ? 1u : 0u}},
                                  .repeatAxes = periodic,
                                  .largestField = vectorBytes * s.grid.cells.x * s.grid.cells.y * s.grid.cells.z};
    if (s.grid.isFlat()) options.constants.insert({{16, 8}, {17, 1}});  // work groups along y and z: see shaders/shared/grid.glsl
    return options;
}

}  // namespace wisp
