// SPDX-License-Identifier: MIT
#include "compute/sim/shaders.h"

#include "compute/domain/bricks.h"
#include "compute/scene/environment.h"
#include "compute/scene/scene_fluid.h"

namespace wisp {

engine::ShaderOptions shaderOptions(const Settings& s) {
    const std::uint32_t periodic = s.grid.periodicAxes();
    const std::uint64_t vectorBytes = s.grid.precision == Precision::Half ? 8 : 16;
    engine::ShaderOptions options{.constants = {{"kExactFilter", s.advection.filter == Filter::Exact ? 1u : 0u},
                                                {"kOctaves", s.medium.octaves},
                                                {"kLights", static_cast<std::uint32_t>(s.lights.size())},
                                                {"kNearLamps", s.hasNearLamps() ? 1u : 0u},
                                                {"kHalfStorage", s.grid.precision == Precision::Half ? 1u : 0u},
                                                {"kStops", s.pressure.tolerance > 0.0f ? 1u : 0u},
                                                {"kHasMeshes", s.meshes.empty() ? 0u : 1u},
                                                {"kPeriodic", periodic},
                                                {"kHasGround", s.environment.ground ? 1u : 0u},
                                                {"kMarchedShadows", s.render.shadows == Shadows::March ? 1u : 0u},
                                                {"kHasColours", s.usesColour() ? 1u : 0u},
                                                {"kEnvironmentSampled", samplesEnvironment(s) ? 1u : 0u},
                                                {"kScalarRatio", s.grid.scalarRatio},
                                                {"kRatio", s.grid.pressureRatio},
                                                {"kFlat", s.grid.isFlat() ? 1u : 0u},
                                                {"kCubic", s.advection.scheme == AdvectionScheme::Cubic ? 1u : 0u},
                                                {"kBfecc", s.advection.scheme == AdvectionScheme::Bfecc ? 1u : 0u},
                                                {"kGusts", s.flow.gust > 0.0f ? 1u : 0u},
                                                {"kSparse", s.grid.sparse ? 1u : 0u},
                                                {"kManyBricks", s.grid.sparse && Bricks::columnsOf(s.grid) > 1 ? 1u : 0u},
                                                {"kExpands", s.usesExpansion() ? 1u : 0u},
                                                {"kFire", s.usesFuel() ? 1u : 0u},
                                                {"kShutter", s.usesShutter() ? 1u : 0u},
                                                {"kMeshesDeform", s.usesDeformation() ? 1u : 0u},
                                                {"kSplats", s.usesSplats() ? 1u : 0u},
                                                {"kOrdinates", s.usesOrdinates() ? 1u : 0u}},
                                  .repeatAxes = periodic,
                                  .largestField = vectorBytes * s.grid.cells.x * s.grid.cells.y * s.grid.cells.z};
    options.constants.merge(fluidConstants(s));
    if (s.grid.isFlat())
        options.constants.insert({{"kGroupY", 8}, {"kGroupZ", 1}});  // work group size along y and z, see shaders/shared/grid.glsl
    return options;
}

}  // namespace wisp
