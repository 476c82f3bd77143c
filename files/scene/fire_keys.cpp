// SPDX-License-Identifier: MIT
#include "files/scene/fire_keys.h"

namespace wisp {

using Kind = KeyInfo::Kind;

void visitFire(SceneVisitor& v, FireSettings& f) {
    v.key("burn_rate", &f.burnRate, {"1/s", 0.0f, 60.0f, "rate at which fuel burns where it is hot enough"});
    v.key("ignition", &f.ignition, {"K", 0.0f, 1000.0f, "temperature above ambient from which fuel burns"});
    v.key("heat", &f.heat, {"K", 100.0f, 3000.0f, "rise of temperature of gas that is all fuel when it burns"});
    v.key("cooling", &f.cooling, {"K/s", 0.0f, 20000.0f, "cooling by radiation at a temperature of fire.heat"});
    v.key("soot", &f.soot, {"", 0.0f, 4.0f, "density of the smoke of gas that is all fuel"});
    v.key("soot_colour", &f.sootColour, {"", 0.0f, 1.0f, "colour of that smoke, a factor of medium.albedo", Kind::Colour});
    v.key("expansion", &f.expansion, {"", 0.0f, 2.0f, "factor of the rate at which heated gas expands; 1: ideal gas, 0: none"});
    v.key("glow", &f.glow, {"", 0.0f, 2.0f, "factor of the light of hot smoke and burning gas; 1: a black body's"});
    v.key("flame", &f.flame, {"1/m", 0.0f, 50.0f, "extinction of burning gas that is all fuel; it then glows, too"});
    v.choose("mixing", f.mixing, {{"premixed", FireMixing::Premixed}, {"diffusion", FireMixing::Diffusion}},
             "diffusion: pure fuel does not burn, so that flames are hollow");
}

void visitFuel(SceneVisitor& v, EmitterSettings& e) {
    v.key("fuel", &e.fuel, {"", 0.0f, 1.0f, "share of fuel inside is raised to this value"});
    v.key("fuel_rate", &e.fuelRate, {"1/s", 0.0f, 20.0f, "share of fuel added per second"});
}

void visitFuel(SceneVisitor& v, InitialSettings& i) { v.key("fuel", &i.fuel, {"", 0.0f, 1.0f, "share of fuel"}); }

void visitFuel(SceneVisitor& v, StrokeSettings& s) {
    v.key("fuel", &s.fuel, {"", 0.0f, 1.0f, "share of fuel added at the centre of the path"});
}

void visitFuel(SceneVisitor& v, BrushSettings& b) {
    v.key("fuel", &b.fuel, {"", 0.0f, 1.0f, "scene with fuel: share of fuel"});
    v.key("ignite", &b.ignite, {.help = "scene with fuel: paints gas as hot as a flame (fire.heat), so that fuel burns"});
}

}  // namespace wisp
