// SPDX-License-Identifier: MIT
#pragma once

#include "app/canvas.h"
#include "compute/colour_map.h"
#include "compute/settings.h"
#include "shaders/shared/field_view.h"

#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, rising: `most` at most, and at least two if that is 5 or more.
std::vector<double> ticks(double low, double high, std::size_t most);
/// The shortest text that tells a tick from the next one, `step` away.
std::string tickLabel(double value, double step);

/// Name, unit and colours of the field that a picture shows, drawn over its right side.
class Legend {
public:
    explicit Legend(const Settings& settings);

    /// `pixels` are display words, `limits` and `time` [s] those of the picture. Too small a picture stays as it is.
    void draw(std::span<std::byte> pixels, const gpu::ViewLimits& limits, double time) const;

private:
    void drawBar(Canvas& canvas, glm::ivec2 low, glm::ivec2 high, const gpu::ViewLimits& limits) const;
    void drawArrow(Canvas& canvas, glm::ivec2 at, float speed) const;

    Settings settings_;
    int scale_;  ///< 0: none is drawn
    ColourMap map_;
    std::optional<Font> font_;
};

}  // namespace wisp::app
