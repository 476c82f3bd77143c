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

/// Settings of a picture: the smoke as a medium, lights, environment, camera and renderer. See compute/scene/settings.h.
namespace wisp {

enum class LightKind : std::uint32_t { Sun = WISP_SUN, Point = WISP_POINT, Spot = WISP_SPOT };
enum class Tonemap : std::uint32_t { Aces = WISP_ACES, Agx = WISP_AGX, Linear = WISP_LINEAR, Filmic = WISP_FILMIC };
enum class RenderMode : std::uint32_t { Raymarch, Path };
enum class Shadows : std::uint32_t { Volume, March };
enum class Scattering : std::uint32_t { Ordinates, Octaves };
enum class ViewField : std::uint32_t {
    Smoke,  // the lit smoke, no field
    Density = WISP_VIEW_DENSITY,
    Temperature = WISP_VIEW_TEMPERATURE,
    Speed = WISP_VIEW_SPEED,
    Vorticity = WISP_VIEW_VORTICITY,
    Pressure = WISP_VIEW_PRESSURE,
    Divergence = WISP_VIEW_DIVERGENCE,
    Fuel = WISP_VIEW_FUEL,
    Flame = WISP_VIEW_FLAME
};
enum class SliceAxis : std::uint32_t { None, X, Y, Z };

struct PhaseSettings {
    float g = 0.8f;       ///< mean cosine of the forward lobe, in (-1, 1)
    float gBack = -0.3f;  ///< mean cosine of the second lobe, in (-1, 1)
    float blend = 0.3f;   ///< share of the second lobe, in [0, 1]
    bool operator==(const PhaseSettings&) const = default;
};

struct MediumSettings {
    float extinction = 10.0f;  ///< [1/m per unit density]
    glm::vec3 albedo{0.9f};    ///< scattering over extinction, in [0, 1]
    glm::vec3 emission{0.0f};  ///< radiance of the optically thick medium [W/(m^2 sr)], before the factor (1 - albedo)
    PhaseSettings phase;
    /// Of raymarch. 1: single scattering only; 2 to 8: octaves of multiple scattering if render.scattering is octaves.
    std::uint32_t octaves = 3;
    bool operator==(const MediumSettings&) const = default;
};

struct LightSettings {
    LightKind kind = LightKind::Sun;
    glm::vec3 direction{-0.5f, -1.0f, -0.3f};  ///< in which the light of a sun or a spot travels; need not be normalised
    glm::vec3 position{0.0f};                  ///< of a point or a spot [m]
    glm::vec3 colour{1.0f};
    float intensity = 5.0f;    ///< irradiance of a sun [W/m^2]; radiant intensity of a point, or of a spot on its axis [W/sr]
    float angle = 0.6981317f;  ///< full cone angle of a spot [rad]
    float softness = 0.2f;     ///< share of a spot's half angle over which its light falls off, in [0, 1]
    float size = 0.0f;         ///< diameter of a sun [rad], of a point or a spot [m]; softens the shadows of obstacles
    bool operator==(const LightSettings&) const = default;
};

// Every Vulkan device can hold an image of this size, and copy it in one piece.
inline constexpr std::uint32_t kMaxEnvironmentWidth = 4096, kMaxEnvironmentHeight = 2048;
inline constexpr float kMaxRadiance = 1e6f;  ///< of a pixel [W/(m^2 sr)]

/// Radiance from every direction, equirectangular. The first row is around +y. The middle column is towards -z, with +x to its right.
struct EnvironmentImage {
    glm::uvec2 size{0};
    std::vector<glm::vec3> texels;  ///< row by row
    std::string file = {};          ///< path of the file that it was read from; empty: none
};

struct EnvironmentSettings {
    glm::vec3 colour{0.05f, 0.07f, 0.1f};           ///< uniform radiance, or radiance at the horizon of a gradient [W/(m^2 sr)]
    std::optional<glm::vec3> top, bottom;           ///< radiance from +y and -y: a gradient, linear in the y of the direction
    std::shared_ptr<const EnvironmentImage> image;  ///< replaces the colours; shared because settings are copied
    float intensity = 1.0f;                         ///< factor of the colours or the image
    float rotation = 0.0f;                          ///< of the image about y [rad]
    bool ground = false;                            ///< a diffuse plane at the floor of the box
    /// [m] Up to this distance from the centre of the box the ground is opaque. From there to twice the distance it fades into the
    /// environment. 0: the ground is infinite.
    float groundRadius = 0.0f;
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
    /// The camera moves along with the target of follow.keys. `eye` and `target` hold while that target is at its first key.
    bool follows = false;
    std::vector<CameraKey> keys = {};  ///< a smooth path that replaces `eye` and `target`; times strictly increase
    float shutter = 0.0f;  ///< motion blur: the shutter is open for this share of a frame [rad], 2 pi: for all of it; 0: no blur
    /// Height of the picture of a flat grid [m], whose orthographic camera looks along -z at `target`; 0: shows the whole grid.
    float height = 0.0f;
    bool operator==(const CameraSettings&) const = default;
};

struct RenderSettings {
    RenderMode mode = RenderMode::Raymarch;
    glm::uvec2 size{1280, 720};  ///< [pixels]
    float step = 0.0f;           ///< [m]; 0: one scalar cell, longer in thin smoke
    float exposure = 0.0f;       ///< [stops]
    Tonemap tonemap = Tonemap::Aces;
    glm::vec3 obstacleColour{0.6f, 0.6f, 0.6f};  ///< albedo of obstacles without a colour
    float obstacleSpecular = 0.04f;              ///< reflectance of the obstacles' clear coat at normal incidence; 0: no coat
    float obstacleRoughness = 0.4f;              ///< of that coat
    glm::vec3 groundColour{0.5f, 0.5f, 0.5f};    ///< albedo of the ground
    bool temporal = false;                       ///< raymarch: accumulates frames, i.e. averages a picture with previous ones
    Shadows shadows = Shadows::Volume;           ///< raymarch: from the light volume, or by marching to the lights from every sample
    /// Raymarch: multiple scattering by radiative transfer on coarse cells, or approximated from single scattering.
    Scattering scattering = Scattering::Ordinates;
    float relief = 0.0f;  ///< flat grid: strength of relief shading on the dye; 0: none
    float glow = 0.0f;    ///< flat grid: light that spreads from a pixel, relative to the light of the pixel
    /// Raymarch: fine cells per cell of the light volume along an edge, 1, 2 or 4. Cells of the sky volume are twice as long.
    std::uint32_t lightRatio = 2;
    /// Raymarch with ordinates: largest number of cells along an edge of the grid for multiple scattering.
    std::uint32_t scatteringCells = 32;
    std::uint32_t shutterSamples = 8;  ///< raymarch: moments in the mean over the time of an open shutter
    bool bricks = false;               ///< shows the edges of the active bricks of a sparse simulation
    bool antialias = true;             ///< a pixel is the mean over its area, not the value at its centre
    // Path mode only:
    std::uint32_t samples = 256;  ///< largest number of paths per pixel
    float error = 0.0f;           ///< noise at which a picture is complete before all samples, see PathReport::noise; 0: never
    std::uint32_t bounces = 0;    ///< largest number of scatterings of a path, in smoke and on surfaces; 0: unlimited, 1: single scattering
    bool operator==(const RenderSettings&) const = default;
};

/// The field that a picture shows instead of the lit smoke.
struct ViewSettings {
    ViewField field = ViewField::Smoke;
    SliceAxis slice = SliceAxis::None;  ///< a plane across this axis instead of the whole volume
    std::optional<float> position;      ///< position of the slice on that axis [m]; none: the centre of the box
    std::optional<glm::vec2> range;     ///< values of the first and the last colour; none: round numbers that enclose the field's values
    /// Fine cells between velocity arrows on a slice, or over the dye of a flat grid in a prescribed velocity; 0: no arrows.
    /// If prescribed.field is arrows, its 16x16 arrows are shown over the dye instead.
    std::uint32_t arrows = 0;
    bool legend = true;
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace wisp
