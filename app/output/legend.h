// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/canvas.h"
#include "compute/scene/settings.h"
#include "shaders/shared/field_view.h"

#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// Axis ticks from `low` to `high` in increasing order, at multiples of 1, 2 or 5 times a power of ten. At most `most` ticks, and at least
/// two if `most` >= 5.
std::vector<double> ticks(double low, double high, std::size_t most);
/// The shortest text that distinguishes a tick from the next one at distance `step`.
std::string tickLabel(double value, double step);

/// Surface that a legend is drawn on, in pixels with y down.
class LegendSheet {
public:
    virtual ~LegendSheet() = default;
    [[nodiscard]] virtual glm::ivec2 size() const = 0;
    virtual void fill(glm::ivec2 low, glm::ivec2 high, glm::u8vec3 colour, float alpha) = 0;  ///< high is excluded
    virtual void line(glm::vec2 from, glm::vec2 to, float width, glm::u8vec3 colour) = 0;
    virtual void text(glm::ivec2 at, const std::string& text, glm::u8vec3 colour) = 0;  ///< letters are 13 `scale` pixels high
};

/// Size of a legend.
struct LegendSize {
    int scale = 1;       ///< scale of text and lines
    float pixel = 1.0f;  ///< size of an image pixel in pixels of the sheet
};

/// Draws the legend of `settings.view` at the right side of a sheet. `limits` and `time` [s] belong to the image.
void drawLegend(LegendSheet& sheet, const Settings& settings, const gpu::ViewLimits& limits, double time, const LegendSize& size);

/// Draws name, unit and colours of the displayed field over the right side of an image.
class Legend {
public:
    explicit Legend(const Settings& settings);

    /// `pixels` have PixelFormat::Display. `limits` and `time` [s] belong to the image. Draws nothing on an image that is too small.
    void draw(std::span<std::byte> pixels, const gpu::ViewLimits& limits, double time) const;

private:
    Settings settings_;
    int scale_;  ///< 0: no legend
    std::optional<Font> font_;
};

}  // namespace wisp::app
