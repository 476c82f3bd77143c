// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/motion.h"
#include "compute/scene/settings.h"

#include <optional>
#include <vector>

namespace wisp::app {

/// The brush with its temperature and fuel as it paints them in `scene`: it ignites fuel only in a scene with fuel.
BrushSettings brushIn(const Settings& scene, BrushSettings brush);

/// A brush stroke in the plane perpendicular to the view direction, at the depth where the stroke began. Between two mouse positions the
/// stroke is a capsule, so a fast stroke at a low frame rate has no gaps.
class Stroke {
public:
    static constexpr float kMaxBrushSpeed = 8.0f;  ///< [m/s]

    /// @param viewDirection unit, away from the viewer
    explicit Stroke(glm::vec3 viewDirection) : normal_(viewDirection) {}

    /// Adds a mouse position, given as a ray.
    void add(const Ray& ray) { rays_.push_back(ray); }
    /// Sets the plane of the stroke by one of its points [m]. Rays that were added before are kept.
    void setPlane(glm::vec3 point) { plane_ = point; }
    [[nodiscard]] bool hasPlane() const { return plane_.has_value(); }

    /// Motion segments of the brush in simulation step `step` of the `steps` steps of a frame. A brush at rest gives one segment of zero
    /// length. Empty before the plane is set.
    [[nodiscard]] std::vector<MotionSegment> segments(std::uint32_t step, std::uint32_t steps) const;
    /// Emitters that paint simulation step `step` of the `steps` steps of a frame, with the fluid of `scene`; `dt` [s] is the time step.
    /// Call for every step, then `end`.
    [[nodiscard]] std::vector<EmitterSettings> part(const BrushSettings& brush, std::uint32_t step, std::uint32_t steps, float dt,
                                                    const Settings& scene = {}) const;
    /// Ends the frame: the stroke of the next frame begins at the last mouse position.
    void end();

    /// Intersection of a ray with the plane; empty before the plane is set.
    [[nodiscard]] std::optional<glm::vec3> position(const Ray& ray) const;

private:
    glm::vec3 normal_;
    std::optional<glm::vec3> plane_;
    std::vector<Ray> rays_;  // since the last frame; the first is where that frame ended
};

}  // namespace wisp::app
