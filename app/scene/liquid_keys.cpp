// SPDX-License-Identifier: MIT
#include "app/scene/liquid_keys.h"

namespace wisp::app {

using Kind = About::Kind;

void visitLiquid(SceneVisitor& v, LiquidSettings& l) {
    v.key("particles_per_cell", &l.particlesPerCell, {"", 1.0f, 27.0f, "that it begins with: 1, 8 or 27"});
    v.key("jitter", &l.jitter, {"", 0.0f, 1.0f, "how far they are from a regular lattice"});
    v.choose("transfer", l.transfer, {{"pic_flip", LiquidTransfer::PicFlip}, {"apic", LiquidTransfer::Apic}},
             "of motion between particles and grid");
    v.key("pic_rate", &l.picRate, {"1/s", 0.0f, 60.0f, "at which particles take the grid's velocity: calms the water; 0: FLIP alone"});
    v.choose("kernel", l.kernel, {{"linear", LiquidKernel::Linear}, {"quadratic", LiquidKernel::Quadratic}}, "of that transfer");
    v.choose("surface", l.surface, {{"ghost_fluid", LiquidSurface::GhostFluid}, {"cells", LiquidSurface::Cells}},
             "where the pressure is 0: on it, or by cells");
    v.choose("motion", l.motion, {{"rk2", LiquidMotion::Rk2}, {"rk3", LiquidMotion::Rk3}}, "of particles");
    v.key("density_rate", &l.densityRate, {"1/s", 0.0f, 60.0f, "at which crowded places come back to their volume"});
    v.key("reseed", &l.reseed, {.help = "particles go from where they are far too many to where the liquid has become thin inside"});
    v.key("capacity", &l.capacity, {"", 0.0f, 1e7f, "particles that there is memory for; 0: chosen from the scene"});
    v.key("fluid_density", &l.fluidDensity, {"kg/m³", 100.0f, 2000.0f, "of the liquid, for forces on obstacles", Kind::Logarithmic});
    v.choose("look", l.look, {{"surface", LiquidLook::Surface}, {"points", LiquidLook::Points}}, "points are coloured by speed");
    v.key("absorption", &l.absorption, {"1/m", 0.0f, 10.0f, "of light of each colour"});
    v.key("refraction", &l.refraction, {"", 1.0f, 2.0f, "index of refraction"});
    v.key("speed", &l.speed, {"m/s", 0.1f, 20.0f, "of the last colour of points", Kind::Logarithmic});
    v.key("size", &l.size, {"px", 0.5f, 8.0f, "diameter of a point"});
}

void visitLiquidSource(SceneVisitor& v, EmitterSettings& e) { v.key("liquid", &e.liquid, {.help = "it is always full of liquid"}); }

void visitLiquidSource(SceneVisitor& v, InitialSettings& i) { v.key("liquid", &i.liquid, {.help = "a shape full of liquid"}); }

}  // namespace wisp::app
