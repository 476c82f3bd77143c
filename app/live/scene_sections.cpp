// SPDX-License-Identifier: MIT
#include "app/live/scene_sections.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace wisp::app {
namespace {

constexpr std::array<std::string_view, 7> kSections{"Emitters", "Obstacles", "Appearance", "Light", "Camera", "Simulation", "Advanced"};

bool always(const Settings&) { return true; }
bool flat(const Settings& s) { return s.grid.isFlat(); }
bool smoke(const Settings& s) { return !s.usesLiquid(); }
bool liquid(const Settings& s) { return s.usesLiquid(); }
bool prescribed(const Settings& s) { return s.prescribed.field != PrescribedField::None; }
bool ground(const Settings& s) { return s.environment.ground; }
bool obstacles(const Settings& s) { return !s.obstacles.empty(); }

struct Place {
    std::string_view path, section;
    bool (*used)(const Settings&) = always;
};

// The longest matching path whose condition is true determines the section. All other keys are in Advanced.
const Place kPlaces[] = {
    {"emitter", "Emitters"},
    {"initial", "Emitters", [](const Settings& s) { return !s.initial.empty(); }},
    {"stroke", "Emitters", [](const Settings& s) { return !s.strokes.empty(); }},
    {"obstacle", "Obstacles"},
    {"medium", "Appearance", smoke},
    {"liquid.look", "Appearance", liquid},
    {"liquid.absorption", "Appearance", liquid},
    {"liquid.refraction", "Appearance", liquid},
    {"render.exposure", "Appearance"},
    {"render.tonemap", "Appearance"},
    {"render.obstacle_colour", "Appearance", obstacles},
    {"render.obstacle_specular", "Appearance", obstacles},
    {"render.obstacle_roughness", "Appearance", obstacles},
    {"render.ground_colour", "Appearance", ground},
    {"render.bricks", "Appearance", [](const Settings& s) { return s.grid.sparse; }},
    {"render.relief", "Appearance", flat},
    {"render.glow", "Appearance", flat},
    {"view", "Appearance"},
    {"light", "Light"},
    {"environment", "Light"},
    {"camera", "Camera"},
    {"grid", "Simulation"},
    {"time", "Simulation"},
    {"flow", "Simulation"},
    {"prescribed", "Simulation", prescribed},
    {"advection", "Simulation", prescribed},
    {"liquid", "Simulation", liquid},
    {"follow", "Simulation", [](const Settings& s) { return !s.follow.keys.empty(); }},
    {"tracers", "Simulation", [](const Settings& s) { return s.tracers.count > 0; }},
    {"grass", "Simulation", [](const Settings& s) { return s.grass.count > 0; }},
    {"probe", "Simulation", [](const Settings& s) { return !s.probes.empty(); }},
};

bool isOf(std::string_view path, std::string_view part) {
    return path.starts_with(part) && (path.size() == part.size() || path[part.size()] == '.' || path[part.size()] == '[');
}

}  // namespace

std::span<const std::string_view> sceneSections() { return kSections; }

std::string_view sectionOf(std::string_view path, const Settings& settings) {
    const Place* best = nullptr;
    for (const Place& place : kPlaces)
        if (isOf(path, place.path) && place.used(settings) && (!best || place.path.size() > best->path.size())) best = &place;
    return best ? best->section : kSections.back();
}

std::string labelOf(std::string_view key) {
    if (key == "fov") return "Field of view";
    if (key == "t") return "Time";
    std::string label(key);
    std::ranges::replace(label, '_', ' ');
    if (!label.empty()) label.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(label.front())));
    return label;
}

}  // namespace wisp::app
