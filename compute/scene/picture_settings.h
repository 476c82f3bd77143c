// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/enums.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What a picture is made with: the smoke as a medium, lights, surroundings, camera, and how it is drawn. See compute/scene/settings.h.
namespace wisp {

enum class LightKind : std::uint32_t { Sun = WISP_SUN, Point = WISP_POINT, Spot = WISP_SPOT };
enum class Tonemap : std::uint32_t { Aces = WISP_ACES, Agx = WISP_AGX, Linear = WISP_LINEAR };
enum class RenderMode : std::uint32_t { Raymarch, Path };
enum class Shadows : std::uint32_t { Volume, March };
enum class Scattering : std::uint32_t { Ordinates, Octaves };
enum class ViewField : std::uint32_t {
    Smoke,  // the picture, no view
    Density = WISP_VIEW_DENSITY,
    Temperature = WISP_VIEW_TEMPERATURE,
    Speed = WISP_VIEW_SPEED,
    Vorticity = WISP_VIEW_VORTICITY,
    Pressure = WISP_VIEW_PRESSURE,
    Divergence = WISP_VIEW_DIVERGENCE
};
enum class SliceAxis : std::uint32_t { None, X, Y, Z };

struct PhaseSettings {
    float g = 0.8f;       ///< mean cosine of the forward lobe, in (-1, 1)
    float gBack = -0.3f;  ///< mean cosine of the other lobe, in (-1, 1)
    float blend = 0.3f;   ///< share of the other lobe, in [0, 1]
    bool operator==(const PhaseSettings&) const = default;
};

struct MediumSettings {
    float extinction = 10.0f;  ///< [1/m per unit density]
    glm::vec3 albedo{0.9f};    ///< scattering over extinction, in [0, 1]
    glm::vec3 emission{0.0f};  ///< radiance of the thick medium itself [W/(m^2 sr)], times (1 - albedo)
    PhaseSettings phase;
    std::uint32_t octaves =
        3;  ///< 1: single scattering only, by raymarch; 2 to 8: of multiple scattering where render.scattering has octaves
    bool operator==(const MediumSettings&) const = default;
};

struct LightSettings {
    LightKind kind = LightKind::Sun;
    glm::vec3 direction{-0.5f, -1.0f, -0.3f};  ///< in which a sun's or a spot's light travels; need not be normalised
    glm::vec3 position{0.0f};                  ///< of a point or a spot [m]
    glm::vec3 colour{1.0f};
    float intensity = 5.0f;    ///< irradiance [W/m^2] of a sun, [W/sr] of a point, of a spot in its middle
    float angle = 0.6981317f;  ///< of a spot: the whole cone [rad]
    float softness = 0.2f;     ///< of a spot: share of the half angle over which its light falls off, in [0, 1]
    float size = 0.0f;         ///< diameter: of a sun as an angle [rad], of a point or a spot [m]; how soft the shadows of obstacles are
    bool operator==(const LightSettings&) const = default;
};

// What every device can hold, and a copy of it at once.
inline constexpr std::uint32_t kMaxEnvironmentWidth = 4096, kMaxEnvironmentHeight = 2048;
inline constexpr float kMaxRadiance = 1e6f;  ///< of its pixels [W/(m^2 sr)]

/// Radiance from every direction, equirectangular: the first row around +y, the middle column towards -z, +x right of it.
struct EnvironmentImage {
    glm::uvec2 size{0};
    std::vector<glm::vec3> texels;  ///< row by row
    std::string file = {};          ///< where it was read; empty: nowhere
};

struct EnvironmentSettings {
    glm::vec3 colour{0.05f, 0.07f, 0.1f};           ///< radiance from every direction, or from the horizon [W/(m^2 sr)]
    std::optional<glm::vec3> top, bottom;           ///< radiance from +y and -y: a gradient, linear in the y of the direction
    std::shared_ptr<const EnvironmentImage> image;  ///< instead of the colours; shared because settings are copied
    float intensity = 1.0f;                         ///< times all of them
    float rotation = 0.0f;                          ///< of the image about y [rad]
    bool ground = false;                            ///< a matt plane at the floor of the box
    float groundRadius = 0.0f;  ///< how far from the middle of the box the ground is whole; from there to twice as far it fades into the
                                ///< surroundings [m]; 0: it has no end
    bool operator==(const EnvironmentSettings&) const = default;
};

struct CameraKey {
    float t = 0.0f;  ///< [s]
    glm::vec3 eye{0.0f}, target{0.0f};
    bool operator==(const CameraKey&) const = default;
};

struct CameraSettings {
    glm::vec3 eye{1.0f, 0.6f, 2.6f};     ///< [m]
    glm::vec3 target{1.0f, 0.4f, 0.5f};  ///< [m]
    float fov = 0.6981317f;              ///< vertical, [rad]
    bool follows = false;  ///< eye and target are where they are while the target of follow.keys is at its first place, and go with it
    std::vector<CameraKey> keys = {};  ///< of a smooth path of eye and target, instead of these; times strictly increase
    float height = 0.0f;  ///< of the orthographic picture of a flat grid [m], which looks along -z at the target; 0: all of it is seen
    bool operator==(const CameraSettings&) const = default;
};

struct RenderSettings {
    RenderMode mode = RenderMode::Raymarch;
    glm::uvec2 size{1280, 720};  ///< [pixels]
    float step = 0.0f;           ///< [m]; 0: one scalar cell, longer in thin smoke
    float exposure = 0.0f;       ///< [stops]
    Tonemap tonemap = Tonemap::Aces;
    glm::vec3 obstacleColour{0.6f, 0.6f, 0.6f};  ///< albedo of the obstacles' surface, of those that have no colour of their own
    float obstacleSpecular =
        0.04f;  ///< share of light that falls straight on an obstacle and is mirrored by its clear coat; 0: it has none
    float obstacleRoughness = 0.4f;                 ///< of that coat
    glm::vec3 groundColour{0.5f, 0.5f, 0.5f};       ///< albedo of the ground
    bool temporal = false;                          ///< raymarch: a picture is a mean of itself and those before it
    Shadows shadows = Shadows::Volume;              ///< raymarch: from the light volume, or by a march to the lights from every sample
    Scattering scattering = Scattering::Ordinates;  ///< raymarch: light scattered more than once, by radiative transfer on coarse cells, or
                                                    ///< guessed from single scattering
    float relief = 0.0f;                            ///< of a flat grid: how much of a surface its dye is to the light, 0: none
    float glow = 0.0f;                              ///< of a flat grid: light that spreads from each pixel, over what it has itself
    std::uint32_t lightRatio =
        2;  ///< raymarch: fine cells per cell of the light volume along an edge, 1, 2 or 4; twice as many of the sky's
    std::uint32_t scatteringCells =
        32;  ///< raymarch with ordinates: cells along the longest edge, at most, of the grid on which light is scattered again
    bool antialias = true;  ///< a pixel is the mean over its area, not what is seen through its middle
    // Of path mode:
    std::uint32_t samples = 256;  ///< paths a pixel at most
    float error = 0.0f;           ///< noise at which a picture ends early, see PathReport::noise; 0: none
    std::uint32_t bounces = 0;    ///< scatterings of a path, in smoke and on surfaces, at most; 0: any number, 1: single scattering
    bool operator==(const RenderSettings&) const = default;
};

/// What a picture shows, if not the lit smoke.
struct ViewSettings {
    ViewField field = ViewField::Smoke;
    SliceAxis slice = SliceAxis::None;  ///< a plane across this axis instead of the whole volume
    std::optional<float> position;      ///< where it cuts the axis [m]; none: in the middle of the box
    std::optional<glm::vec2> range;     ///< values of the first and the last colour; none: round numbers that hold the field
    std::uint32_t arrows = 0;  ///< fine cells between velocity arrows on a slice, or over the dye of a flat grid in a prescribed velocity;
                               ///< 0: no arrows. Of the field `arrows`, over dye, those 16x16 themselves are seen instead
    bool legend = true;
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace wisp
