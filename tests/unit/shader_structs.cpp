// SPDX-License-Identifier: MIT
// Structs that C++ and GLSL share must have the same layout in each shader.
#include "app/live/window_shaders.h"
#include "compute/sim/shaders.h"
#include "shaders/shared/ambient_flow.h"
#include "shaders/shared/body.h"
#include "shaders/shared/bricks.h"
#include "shaders/shared/crossed.h"
#include "shaders/shared/depth_push.h"
#include "shaders/shared/field_view.h"
#include "shaders/shared/fire.h"
#include "shaders/shared/flat_view.h"
#include "shaders/shared/inflow.h"
#include "shaders/shared/level.h"
#include "shaders/shared/liquid/liquid.h"
#include "shaders/shared/liquid/liquid_picture.h"
#include "shaders/shared/liquid/liquid_splats.h"
#include "shaders/shared/mesh.h"
#include "shaders/shared/ordinates.h"
#include "shaders/shared/packed_volume.h"
#include "shaders/shared/path.h"
#include "shaders/shared/prescribed.h"
#include "shaders/shared/pressure_level.h"
#include "shaders/shared/probe.h"
#include "shaders/shared/screen.h"
#include "shaders/shared/shape_push.h"
#include "shaders/shared/side_fade.h"
#include "shaders/shared/splats.h"
#include "shaders/shared/step.h"
#include "shaders/shared/stroke.h"
#include "shaders/shared/temporal.h"
#include "shaders/shared/tracers.h"
#include "shaders/shared/view.h"
#include "shaders/shared/volume_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>

namespace wisp {
namespace {

using engine::describe;

std::vector<const engine::StructMembers*> sharedStructs() {
    return {&describe<gpu::PackSmokePush>(), &describe<gpu::PackCounts>(),     &describe<gpu::PackVelocityPush>(),
            &describe<gpu::Lattice>(),       &describe<gpu::VolumeSource>(),   &describe<gpu::VolumeAmounts>(),
            &describe<gpu::VolumeMotion>(),  &describe<gpu::VelocityPush>(),   &describe<gpu::SpreadPush>(),
            &describe<gpu::BodyPush>(),      &describe<gpu::SmokeBrick>(),     &describe<gpu::FirePush>(),
            &describe<gpu::DepthPush>(),     &describe<gpu::ViewLimits>(),     &describe<gpu::LimitsPush>(),
            &describe<gpu::SlicePush>(),     &describe<gpu::VolumePush>(),     &describe<gpu::FlatPush>(),
            &describe<gpu::ArrowsPush>(),    &describe<gpu::InflowPush>(),     &describe<gpu::Level>(),
            &describe<gpu::LiquidSource>(),  &describe<gpu::LiquidSpawn>(),    &describe<gpu::LiquidSetVelocity>(),
            &describe<gpu::LiquidMove>(),    &describe<gpu::LiquidDistance>(), &describe<gpu::LiquidOptics>(),
            &describe<gpu::TracerSplats>(),  &describe<gpu::LiquidSplats>(),   &describe<gpu::GrassSplats>(),
            &describe<gpu::MeshNode>(),      &describe<gpu::MeshTriangle>(),   &describe<gpu::MeshPush>(),
            &describe<gpu::OrdinatesPush>(), &describe<gpu::AmbientFlow>(),    &describe<gpu::PathPush>(),
            &describe<gpu::AliasEntry>(),    &describe<gpu::PrescribedData>(), &describe<gpu::DeparturePointsPush>(),
            &describe<gpu::PressureLevel>(), &describe<gpu::WispWind>(),       &describe<gpu::ProbeValue>(),
            &describe<gpu::ProbePush>(),     &describe<gpu::ScreenCorner>(),   &describe<gpu::ScreenTriangle>(),
            &describe<gpu::ScreenTile>(),    &describe<gpu::ScreenPush>(),     &describe<gpu::PanelsPush>(),
            &describe<gpu::ShapePush>(),     &describe<gpu::JetPush>(),        &describe<gpu::SideFadePush>(),
            &describe<gpu::ShapeData>(),     &describe<gpu::ObstacleData>(),   &describe<gpu::StepData>(),
            &describe<gpu::StrokePush>(),    &describe<gpu::TemporalPush>(),   &describe<gpu::TracersPush>(),
            &describe<gpu::LightData>(),     &describe<gpu::SurfaceData>(),    &describe<gpu::ViewData>(),
            &describe<gpu::SmokeBox>(),      &describe<gpu::LightWindow>(),    &describe<gpu::LightWindowPush>(),
            &describe<gpu::FieldPush>(),     &describe<gpu::RangePush>(),      &describe<gpu::CrossedSum>(),
            &describe<gpu::CrossedPush>()};
}

TEST(ShaderStructs, AreTheSameInEveryShader) {
    std::map<std::string_view, int> met;
    const auto own = embeddedShaders(), ofWindow = app::windowShaders();
    std::vector<engine::EmbeddedShader> all(own.begin(), own.end());
    all.insert(all.end(), ofWindow.begin(), ofWindow.end());
    for (const engine::EmbeddedShader& shader : all) {
        for (const engine::ShaderStruct& declared : engine::reflectStructs(shader.spirv, std::string(shader.name))) {
            for (const engine::StructMembers* shared : sharedStructs()) {
                if (shared->name != declared.name) continue;
                ++met[shared->name];
                const auto differs = engine::difference(*shared, declared.members);
                EXPECT_FALSE(differs) << "shader " << shader.name << ", struct " << declared.name << ": " << *differs;
            }
        }
    }
    // Structs that are in no block are only right if shaders use them in arrays.
    for (const engine::StructMembers* shared : sharedStructs())
        EXPECT_GT(met[shared->name], 0) << shared->name << " is not used by any shader";
}

// In C++ the obstacles are part of StepData. In GLSL they follow it in the same block.
TEST(ShaderStructs, ObstaclesFollowTheStep) {
    const auto shaders = embeddedShaders();
    int blocks = 0;
    for (const engine::EmbeddedShader& shader : shaders) {
        for (const engine::ShaderStruct& block : engine::reflectStructs(shader.spirv, std::string(shader.name))) {
            const auto first = std::ranges::find(block.members, std::string("obstacles[0].shape.centre"), &engine::Member::name);
            if (first == block.members.end()) continue;
            ++blocks;
            EXPECT_EQ(first->offset, offsetof(gpu::StepData, obstacles)) << shader.name;
        }
    }
    EXPECT_GT(blocks, 0);
}

TEST(ShaderStructs, ADifferenceIsNamed) {
    const std::vector<engine::Member> turned{{"dt", "float", 4}, {"parts", "int", 0}};
    EXPECT_EQ(engine::difference(describe<gpu::DeparturePointsPush>(), turned),
              "dt is float at byte 4 in the shader, but in DeparturePointsPush it is float at byte 0");
}

}  // namespace
}  // namespace wisp
