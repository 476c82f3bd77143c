// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/motion.h"
#include "compute/scene/settings.h"

#include <optional>
#include <vector>

namespace wisp::app {

/// A stroke of the brush in the plane across the view, at the depth where it began. Between two places of the mouse it is a capsule,
/// so that a fast stroke at a low frame rate has no gaps.
class Stroke {
public:
    static constexpr float kMaxBrushSpeed = 8.0f;  ///< [m/s]

    /// @param viewDirection unit, away from the viewer
    explicit Stroke(glm::vec3 viewDirection) : normal_(viewDirection) {}

    /// The mouse was on this ray.
    void add(const Ray& ray) { rays_.push_back(ray); }
    /// A point [m] of the plane that it is painted in; the rays so far wait for it.
    void setPlane(glm::vec3 point) { plane_ = point; }
    [[nodiscard]] bool hasPlane() const { return plane_.has_value(); }

    /// The ways that the brush goes in one of `steps` equal parts of a picture's time, a rest as one without length; none before there is a
    /// plane.
    [[nodiscard]] std::vector<Way> ways(std::uint32_t step, std::uint32_t steps) const;
    /// What one of `steps` equal parts of a picture's time paints, of what flows in `scene`; `dt` [s] is its length. Call for each of them,
    /// then `end`.
    [[nodiscard]] std::vector<EmitterSettings> part(const BrushSettings& brush, std::uint32_t step, std::uint32_t steps, float dt,
                                                    const Settings& scene = {}) const;
    /// The picture's steps are recorded: the next begin where the mouse is.
    void end();

    /// Where a ray meets the plane; nowhere before there is one.
    [[nodiscard]] std::optional<glm::vec3> place(const Ray& ray) const;

private:
    glm::vec3 normal_;
    std::optional<glm::vec3> plane_;
    std::vector<Ray> rays_;  // since the last step, the first where that ended
};

}  // namespace wisp::app
