// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/splats.h"
#include "tests/reference/light.h"

#include <functional>
#include <span>

/// Rendering of splats.
namespace wisp::reference {

/// Distances along the view axis [m] at a sample, infinite without a splat. `sure`: of the nearest splat that covers the sample in spite of
/// rounding. `perhaps`: of the nearest splat that may cover it because of rounding.
struct SplatSample {
    double sure, perhaps;
};

/// Image of splats. A disc's edge may be wrong by `slack` [samples]. Ends of lines may be wrong by `metres`. Then the number of discs on a
/// line may differ, and discs may be off by one sample.
class SplatPicture {
public:
    SplatPicture(const View& view, double slack, double metres = 0.0);
    /// Projection of x: xy in samples, z along the view axis [m].
    [[nodiscard]] dvec3 projectToImage(dvec3 x) const;
    [[nodiscard]] double samplesPerMetre(double z) const;
    [[nodiscard]] bool isInPicture(dvec3 at, double reach) const;
    void putDisc(dvec3 at, double radius);

    [[nodiscard]] ivec3 size() const { return samples_.size(); }
    [[nodiscard]] const SplatSample& operator()(ivec3 sample) const { return samples_(sample); }

private:
    struct Cell : SplatSample {
        explicit Cell(double d) : SplatSample{d, d} {}
    };
    const View& view_;
    double slack_, metres_;
    Grid<Cell> samples_;
};

/// Velocity [m/s] at a position [m].
using Wind = std::function<dvec3(dvec3)>;

/// Pass `draw_tracers`.
void drawTracers(SplatPicture& picture, const Step& s, const gpu::TracerSplats& push, std::span<const dvec4> tracers, const Wind& wind);

struct Blade {
    dvec3 root, tip;  ///< [m]
    dvec3 middle;     ///< control point of the parabola, relative to the root
    double width;     ///< radius at the root [m]
    double shade;     ///< brightness of the tip relative to the maximum; the root has 0.15 of it
};
/// Blade n of pass `draw_grass`.
Blade blade(const gpu::GrassSplats& push, const Wind& wind, std::uint32_t n);
void drawGrass(SplatPicture& picture, const gpu::GrassSplats& push, const Wind& wind);

}  // namespace wisp::reference
