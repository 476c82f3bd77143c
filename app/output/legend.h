// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/canvas.h"
#include "wisp/renderer.h"

#include <array>
#include <optional>
#include <span>
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

/// Draws the legend at the right side of a sheet. `range` (see FetchedPicture) and `time` [s] belong to the image.
void drawLegend(LegendSheet& sheet, const FieldLegend& legend, const std::array<float, 4>& range, double time, const LegendSize& size);

/// Draws name, unit and colours of the displayed field over the right side of an image.
class Legend {
public:
    /// `pixels`: size of the images. Without a legend, or where the image has no room for one, nothing is drawn.
    Legend(std::optional<FieldLegend> legend, glm::uvec2 pixels);

    /// `pixels` have PixelFormat::Display. `range` and `time` [s] belong to the image.
    void draw(std::span<std::byte> pixels, const std::array<float, 4>& range, double time) const;

private:
    std::optional<FieldLegend> legend_;
    glm::ivec2 size_;
    int scale_;  ///< 0: no legend
    std::optional<Font> font_;
};

}  // namespace wisp::app
