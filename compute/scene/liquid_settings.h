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

/// A liquid. Particles carry its motion, and its pressure is solved on the grid: see docs/liquid.md. A scene has a liquid, and no smoke, if
/// an initial shape or an emitter has `liquid = true`.
struct LiquidSettings {
    /// Particles per cell at the start: 1, 8 or 27, which is 1, 2 or 3 along each edge of a cell. Each lies in its own sub-cell.
    std::uint32_t particlesPerCell = 8;
    /// Largest random offset of these particles from the centres of their sub-cells, along each axis, in units of half a sub-cell. There is
    /// no offset near a surface.
    float jitter = 0.1f;
    LiquidTransfer transfer = LiquidTransfer::PicFlip;
    float picRate = 2.0f;  ///< rate at which the velocity of particles relaxes to that of the grid [1/s]; 0: pure FLIP
    LiquidKernel kernel = LiquidKernel::Linear;
    /// Position where p = 0: on the surface (GhostFluid, second order), or at the centres of empty cells (Cells, first order).
    LiquidSurface surface = LiquidSurface::GhostFluid;
    LiquidMotion motion = LiquidMotion::Rk2;
    /// Rate [1/s] at which the number of particles per cell returns to particlesPerCell, where it is too high, or too low inside the
    /// liquid.
    float densityRate = 30.0f;
    /// Spawns particles inside the liquid where a cell has fewer than three, and deletes as many where a cell has more than twice
    /// particlesPerCell.
    bool reseed = true;
    std::uint32_t capacity = 0;    ///< maximum number of particles, for which memory is allocated; 0: computed from the scene
    float fluidDensity = 1000.0f;  ///< [kg/m^3], only for the forces on obstacles
    LiquidLook look = LiquidLook::Surface;
    glm::vec3 absorption{1.8f, 0.35f, 0.2f};  ///< absorption coefficient [1/m], Beer's law
    float refraction = 1.333f;                ///< index of refraction
    float speed = 3.0f;                       ///< speed that has the last colour of points [m/s]
    float size = 2.0f;                        ///< diameter of a point [pixels]
    bool operator==(const LiquidSettings&) const = default;
};

/// Maximum number of particles, and of cells of the grid: the threads that every device can dispatch along x, in whole rows of 1024.
inline constexpr std::uint64_t kMaxLiquid = 65535ull * 256 / 1024 * 1024;
/// Largest particlesPerCell: each sub-cell has a bit in a word.
inline constexpr std::uint32_t kMostLiquidInCell = 27;

}  // namespace wisp
