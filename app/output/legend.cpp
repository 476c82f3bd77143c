// SPDX-License-Identifier: MIT
#include "app/output/legend.h"

#include "files/base/srgb.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

constexpr int kLetterHeight = 13;
constexpr glm::u8vec3 kInk{235, 235, 235}, kPaper{12, 12, 14};

glm::u8vec3 display(glm::vec3 light) { return {srgbValue(light.r), srgbValue(light.g), srgbValue(light.b)}; }

/// The colour at t in [0, 1], interpolated between colours at equal distances.
glm::vec3 colourAt(const std::vector<std::array<float, 3>>& map, float t) {
    const float position = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(map.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(position), map.size() - 2);
    const auto colour = [&](std::size_t n) { return glm::vec3(map[n][0], map[n][1], map[n][2]); };
    return glm::mix(colour(i), colour(i + 1), position - static_cast<float>(i));
}

/// The smallest number of the form 1, 2 or 5 times a power of ten that is at least `x` > 0, up to rounding errors.
double roundUp(double x) {
    const double decade = std::pow(10.0, std::floor(std::log10(x)));
    for (const double m : {1.0, 2.0, 5.0})
        if (m * decade >= x * (1.0 - 1e-9)) return m * decade;
    return 10.0 * decade;
}

/// Draws on an image of PixelFormat::Display.
class PictureSheet : public LegendSheet {
public:
    PictureSheet(std::span<std::byte> pixels, glm::ivec2 size, const Font& font) : canvas_(pixels, size), font_(font) {}
    [[nodiscard]] glm::ivec2 size() const override { return canvas_.size(); }
    void fill(glm::ivec2 low, glm::ivec2 high, glm::u8vec3 colour, float alpha) override { canvas_.fill(low, high, colour, alpha); }
    void line(glm::vec2 from, glm::vec2 to, float width, glm::u8vec3 colour) override { canvas_.line(from, to, width, colour); }
    void text(glm::ivec2 at, const std::string& text, glm::u8vec3 colour) override { font_.draw(canvas_, at, text, colour); }

private:
    Canvas canvas_;
    const Font& font_;
};

void drawBar(LegendSheet& sheet, glm::ivec2 low, glm::ivec2 high, const FieldLegend& legend, const std::array<float, 4>& range, int k) {
    sheet.fill(low - k, high + k, kInk, 1.0f);
    for (int y = low.y; y < high.y; ++y) {
        const float t = (static_cast<float>(high.y - y) - 0.5f) / static_cast<float>(high.y - low.y);
        sheet.fill({low.x, y}, {high.x, y + 1}, display(colourAt(legend.colours, t)), 1.0f);
    }
    const int letter = kLetterHeight * k;
    const auto most = static_cast<std::size_t>(std::max(5, (high.y - low.y) / (2 * letter)));
    const double from = static_cast<double>(range[0]), to = static_cast<double>(range[1]);
    const std::vector<double> marks = ticks(from, to, most);
    const double step = marks.size() > 1 ? marks[1] - marks[0] : to - from;
    for (const double v : marks) {
        const int y = high.y - static_cast<int>(std::lround((v - from) / (to - from) * (high.y - low.y)));
        sheet.fill({high.x + k, y - k / 2}, {high.x + 5 * k, y - k / 2 + k}, kInk, 1.0f);
        sheet.text({high.x + 8 * k, y - letter / 2}, tickLabel(v, step), kInk);
    }
}

/// A reference arrow with its speed as a label, at the scale of the arrows in the image. Long arrows are shortened to a lower speed.
void drawArrow(LegendSheet& sheet, glm::ivec2 at, float length, float speed, int scale) {
    for (const float share : {0.5f, 0.4f, 0.5f})  // total factors 1, 1/2, 1/5, 1/10
        if (length > 36.0f * static_cast<float>(scale)) {
            length *= share;
            speed *= share;
        }
    const float k = static_cast<float>(scale), y = static_cast<float>(at.y) + 0.5f * static_cast<float>(kLetterHeight * scale);
    const glm::vec2 tail(static_cast<float>(at.x), y), tip = tail + glm::vec2(length, 0.0f);
    sheet.line(tail, tip, 1.2f * k, kInk);
    for (const float side : {-0.15f, 0.15f}) sheet.line(tip, tip + length * glm::vec2(-0.3f, side), 1.2f * k, kInk);
    sheet.text({static_cast<int>(tip.x) + 6 * scale, at.y}, fmt::format("{:.3g} m/s", speed), kInk);
}

}  // namespace

std::vector<double> ticks(double low, double high, std::size_t most) {
    double step = roundUp((high - low) / static_cast<double>(most));
    std::vector<double> result;
    for (;; step = roundUp(1.5 * step)) {  // n intervals contain up to n + 1 ticks
        const double slack = 1e-6 * (high - low);
        const auto first = static_cast<long long>(std::ceil((low - slack) / step)),
                   last = static_cast<long long>(std::floor((high + slack) / step));
        if (last - first + 1 > static_cast<long long>(most)) continue;
        for (long long i = first; i <= last; ++i) result.push_back(static_cast<double>(i) * step);
        return result;
    }
}

std::string tickLabel(double value, double step) {
    const double size = std::max(std::abs(value), step);
    if (size >= 1e5 || step < 1e-4) {
        if (value == 0.0) return "0";
        const double exponent = std::floor(std::log10(std::abs(value)) + 1e-9);
        const double digits = std::max(0.0, exponent - std::floor(std::log10(step) + 1e-9));
        return fmt::format("{:.{}f}e{}", value / std::pow(10.0, exponent), static_cast<int>(digits), static_cast<int>(exponent));
    }
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    return fmt::format("{:.{}f}", value == 0.0 ? 0.0 : value, decimals);  // no -0
}

void drawLegend(LegendSheet& sheet, const FieldLegend& legend, const std::array<float, 4>& range, double time, const LegendSize& room) {
    const glm::ivec2 size = sheet.size();
    const int k = room.scale, line = (kLetterHeight + 3) * k, left = size.x - 100 * k, x = left + 8 * k;
    const bool slice = legend.slice != 0, arrows = legend.arrow > 0.0f;
    const int below = (slice ? (arrows ? 4 : 3) : 2) * line + 14 * k;
    const int top = 12 * k + 2 * line + 10 * k, bottom = std::min(size.y - below - 10 * k, top + 240 * k);
    sheet.fill({left + 2 * k, 6 * k}, {size.x - 4 * k, bottom + below}, kPaper, 0.7f);

    sheet.text({x, 12 * k}, legend.name, kInk);
    sheet.text({x, 12 * k + line}, fmt::format("[{}]", legend.unit), kInk);
    drawBar(sheet, {x + k, top}, {x + 15 * k, bottom}, legend, range, k);

    glm::ivec2 at{x, bottom + 12 * k};
    const int digits = legend.absolute ? 4 : 3;  // all digits of the temperature of a flame
    sheet.text(at, fmt::format("max {:.{}g}", range[3], digits), kInk);
    at.y += line;
    if (slice) {
        const std::string position = legend.moves ? fmt::format("{}: middle", legend.slice)
                                                  : fmt::format("{} = {:.3g} m", legend.slice, legend.position);
        sheet.text(at, position, kInk);
        at.y += line;
    }
    sheet.text(at, fmt::format("t = {:.2f} s", time), kInk);
    at.y += line;
    if (slice && arrows) drawArrow(sheet, at, legend.arrow * room.pixel, range[2], k);
}

Legend::Legend(std::optional<FieldLegend> legend, glm::uvec2 pixels)
    : legend_(std::move(legend)), size_(pixels), scale_(legend_ ? static_cast<int>(legend_->width / 100) : 0) {
    if (scale_ > 0) font_.emplace(scale_);
}

void Legend::draw(std::span<std::byte> pixels, const std::array<float, 4>& range, double time) const {
    if (scale_ == 0) return;
    PictureSheet sheet(pixels, size_, *font_);
    drawLegend(sheet, *legend_, range, time, {.scale = scale_});
}

}  // namespace wisp::app
