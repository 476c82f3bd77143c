// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <cstdint>

namespace wisp {

enum class LiquidTransfer : std::uint32_t { PicFlip, Apic };
enum class LiquidKernel : std::uint32_t { Linear, Quadratic };
enum class LiquidSurface : std::uint32_t { GhostFluid, Cells };
enum class LiquidMotion : std::uint32_t { Rk2, Rk3 };
enum class LiquidLook : std::uint32_t { Surface, Points };

/// A liquid of particles, which carry its motion, on the grid that holds the pressure: see docs/liquid.md. A scene has one where an
/// initial shape or an emitter is of it; then it has no smoke.
struct LiquidSettings {
    std::uint32_t particlesPerCell = 8;  ///< that it begins with: 1, 8 or 27, so many along each edge of a cell that their cube is this
    float jitter = 0.1f;  ///< how far these are from the middles of their parts of a cell, along each axis at most, in halves of a part;
                          ///< none near a surface
    LiquidTransfer transfer = LiquidTransfer::PicFlip;
    float picRate = 2.0f;  ///< [1/s] at which the velocity of particles goes over to that of the grid; 0: FLIP alone
    LiquidKernel kernel = LiquidKernel::Linear;
    LiquidSurface surface =
        LiquidSurface::GhostFluid;  ///< where p = 0: on the surface (second order), or in the middles of empty cells (first order)
    LiquidMotion motion = LiquidMotion::Rk2;
    float densityRate = 30.0f;  ///< [1/s] at which places with too many particles, or too few inside, come back to particlesPerCell
    bool reseed = true;  ///< inside the liquid particles are born where a cell has less than three, and as many end where one has more than
                         ///< twice particlesPerCell
    std::uint32_t capacity = 0;    ///< particles that there is memory for; 0: chosen from the scene
    float fluidDensity = 1000.0f;  ///< [kg/m^3], for forces on obstacles
    LiquidLook look = LiquidLook::Surface;
    glm::vec3 absorption{1.8f, 0.35f, 0.2f};  ///< [1/m], by Beer's law
    float refraction = 1.333f;                ///< index of refraction
    float speed = 3.0f;                       ///< of the last colour of points [m/s]
    float size = 2.0f;                        ///< diameter of a point [pixels]
    bool operator==(const LiquidSettings&) const = default;
};

inline constexpr std::uint64_t kMaxLiquid = 65535ull * 256 / 1024 *
                                            1024;       ///< particles, and cells of its grid: as many threads as every device has along x
inline constexpr std::uint32_t kMostLiquidInCell = 27;  ///< that one begins with: a bit of a word each

}  // namespace wisp
