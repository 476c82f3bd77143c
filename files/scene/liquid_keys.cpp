// SPDX-License-Identifier: MIT
#include "files/scene/liquid_keys.h"

namespace wisp {

using Kind = KeyInfo::Kind;

void visitLiquid(SceneVisitor& v, LiquidSettings& l) {
    v.key("particles_per_cell", &l.particlesPerCell, {"", 1.0f, 27.0f, "at the start: 1, 8 or 27"});
    v.key("jitter", &l.jitter, {"", 0.0f, 1.0f, "random distance of particles from a regular lattice at the start"});
    v.choose("transfer", l.transfer, {{"pic_flip", LiquidTransfer::PicFlip}, {"apic", LiquidTransfer::Apic}},
             "transfer of motion between particles and grid");
    v.key("pic_rate", &l.picRate,
          {"1/s", 0.0f, 60.0f, "rate at which particle velocities relax to the grid velocity: calms the water; 0: pure FLIP"});
    v.choose("kernel", l.kernel, {{"linear", LiquidKernel::Linear}, {"quadratic", LiquidKernel::Quadratic}},
             "kernel of the transfer between particles and grid");
    v.choose("surface", l.surface, {{"ghost_fluid", LiquidSurface::GhostFluid}, {"cells", LiquidSurface::Cells}},
             "where the pressure is 0: on the surface, or at the centres of empty cells");
    v.choose("motion", l.motion, {{"rk2", LiquidMotion::Rk2}, {"rk3", LiquidMotion::Rk3}}, "time integration of the particles");
    v.key("density_rate", &l.densityRate, {"1/s", 0.0f, 60.0f, "rate at which density errors are corrected"});
    v.key("reseed", &l.reseed,
          {.help = "inside the liquid, spawn particles where there are too few and delete as many where there are far too many"});
    v.key("capacity", &l.capacity, {"", 0.0f, 1e7f, "maximum number of particles; 0: chosen from the scene"});
    v.key("fluid_density", &l.fluidDensity,
          {"kg/m³", 100.0f, 2000.0f, "density of the liquid, for forces on obstacles", Kind::Logarithmic});
    v.choose("look", l.look, {{"surface", LiquidLook::Surface}, {"points", LiquidLook::Points}}, "points are coloured by speed");
    v.key("absorption", &l.absorption, {"1/m", 0.0f, 10.0f, "absorption of light for each colour channel"});
    v.key("refraction", &l.refraction, {"", 1.0f, 2.0f, "index of refraction"});
    v.key("speed", &l.speed, {"m/s", 0.1f, 20.0f, "speed at the last colour of points", Kind::Logarithmic});
    v.key("size", &l.size, {"px", 0.5f, 8.0f, "diameter of a point"});
}

void visitLiquidSource(SceneVisitor& v, EmitterSettings& e) {
    v.key("liquid", &e.liquid, {.help = "the emitter is always full of liquid"});
}

void visitLiquidSource(SceneVisitor& v, InitialSettings& i) {
    v.key("liquid", &i.liquid, {.help = "the shape is full of liquid at the start"});
}

}  // namespace wisp
