// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/canvas.h"
#include "compute/scene/settings.h"
#include "shaders/shared/field_view.h"

#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, rising: `most` at most, and at least two if that is 5 or more.
std::vector<double> ticks(double low, double high, std::size_t most);
/// The shortest text that tells a tick from the next one, `step` away.
std::string tickLabel(double value, double step);

/// What a legend is drawn on: pixels, y down.
class LegendSheet {
public:
    virtual ~LegendSheet() = default;
    [[nodiscard]] virtual glm::ivec2 size() const = 0;
    virtual void fill(glm::ivec2 low, glm::ivec2 high, glm::u8vec3 colour, float alpha) = 0;  ///< high is excluded
    virtual void line(glm::vec2 from, glm::vec2 to, float width, glm::u8vec3 colour) = 0;
    virtual void text(glm::ivec2 at, const std::string& text, glm::u8vec3 colour) = 0;  ///< letters are 13 times `scale` high
};

/// How large a legend is.
struct LegendSize {
    int scale = 1;       ///< of text and lines
    float pixel = 1.0f;  ///< of the picture, in those of the sheet
};

/// Draws the legend of `settings.view` at the right side of a sheet. `limits` and `time` [s] are those of the picture.
void drawLegend(LegendSheet& sheet, const Settings& settings, const gpu::ViewLimits& limits, double time, const LegendSize& size);

/// Name, unit and colours of the field that a picture shows, drawn over its right side.
class Legend {
public:
    explicit Legend(const Settings& settings);

    /// `pixels` are display words, `limits` and `time` [s] those of the picture. Too small a picture stays as it is.
    void draw(std::span<std::byte> pixels, const gpu::ViewLimits& limits, double time) const;

private:
    Settings settings_;
    int scale_;  ///< 0: none is drawn
    std::optional<Font> font_;
};

}  // namespace wisp::app
