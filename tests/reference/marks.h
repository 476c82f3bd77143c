// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/marks.h"
#include "tests/reference/light.h"

#include <functional>
#include <span>

/// Pictures of marks.
namespace wisp::reference {

/// What is at a sample: `sure` is the distance along the view axis [m] of the nearest mark that no rounding takes away, `perhaps` that of
/// the nearest that one might bring; infinite without any.
struct MarkSample {
    double sure, perhaps;
};

/// A picture of marks, in which a disc's edge may be wrong by `slack` [samples], and where lines end by `metres`: then the discs of one may
/// be a sample beside their places, too, for their number may be another.
class MarkPicture {
public:
    MarkPicture(const View& view, double slack, double metres = 0.0);
    /// xy in samples, z along the view axis [m].
    [[nodiscard]] dvec3 seenAt(dvec3 x) const;
    [[nodiscard]] double samplesPerMetre(double z) const;
    [[nodiscard]] bool isInPicture(dvec3 at, double reach) const;
    void putDisc(dvec3 at, double radius);

    [[nodiscard]] ivec3 size() const { return samples_.size(); }
    [[nodiscard]] const MarkSample& operator()(ivec3 sample) const { return samples_(sample); }

private:
    struct Cell : MarkSample {
        explicit Cell(double d) : MarkSample{d, d} {}
    };
    const View& view_;
    double slack_, metres_;
    Grid<Cell> samples_;
};

/// Velocity [m/s] at a place [m].
using Wind = std::function<dvec3(dvec3)>;

/// Pass `draw_tracers`.
void drawTracers(MarkPicture& picture, const Step& s, const gpu::TracerMarks& push, std::span<const dvec4> tracers, const Wind& wind);

struct Blade {
    dvec3 root, tip;  ///< [m]
    dvec3 middle;     ///< of the parabola's control points, from the root
    double width;     ///< radius at the root [m]
    double shade;     ///< of the tip, as a share of the greatest; the root has .15 of it
};
/// Blade n of pass `draw_grass`.
Blade blade(const gpu::GrassMarks& push, const Wind& wind, std::uint32_t n);
void drawGrass(MarkPicture& picture, const gpu::GrassMarks& push, const Wind& wind);

}  // namespace wisp::reference
