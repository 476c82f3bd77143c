// SPDX-License-Identifier: MIT
#include "app/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wisp::app {
namespace {

constexpr double kWidth = 900.0, kHeight = 380.0, kLeft = 70.0, kRight = 190.0, kTop = 16.0, kBottom = 46.0;
constexpr std::array kColours{"#5aa9ff", "#ffb454", "#7fd962", "#f07178", "#c792ea", "#59d1c3", "#e6e1a5", "#9aa5ce"};

/// Maps values to positions along an axis.
struct Scale {
    double low = 0.0, high = 1.0, from = 0.0, to = 1.0;
    bool logarithmic = false;

    [[nodiscard]] double position(double value) const {
        const auto f = [&](double v) { return logarithmic ? std::log10(v) : v; };
        return from + (to - from) * (f(value) - f(low)) / (f(high) - f(low));
    }
    [[nodiscard]] std::vector<double> ticks() const {
        std::vector<double> list;
        if (logarithmic) {
            const bool fine = high / low < 1000.0;
            const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::floor(std::log10(high)));
            for (int power = first; power <= last; ++power)
                for (const double digit : {1.0, 2.0, 5.0}) {
                    const double value = digit * std::pow(10.0, power);
                    if ((digit == 1.0 || fine) && value >= low * 0.999 && value <= high * 1.001) list.push_back(value);
                }
            return list;
        }
        const double rough = (high - low) / 5.0, decade = std::pow(10.0, std::floor(std::log10(rough)));
        const double step = decade * (rough / decade > 5.0 ? 10.0 : rough / decade > 2.0 ? 5.0 : rough / decade > 1.0 ? 2.0 : 1.0);
        for (int n = 0; (std::ceil(low / step) + n) * step <= high + 1e-9 * step; ++n) list.push_back((std::ceil(low / step) + n) * step);
        return list;
    }
};

Scale scaleOf(const std::vector<Series>& series, double Point::*member, bool logarithmic, double from, double to) {
    double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
    for (const Series& s : series)
        for (const Point& p : s.points) {
            low = std::min(low, p.*member);
            high = std::max(high, p.*member);
        }
    if (logarithmic) return {low / 1.25, high * 1.25, from, to, true};
    return {0.0, high > 0.0 ? 1.08 * high : 1.0, from, to, false};
}

std::string text(double x, double y, std::string_view what, std::string_view anchor = "start") {
    return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor, escapeXml(what));
}

std::string grid(const Axes& axes, const Scale& x, const Scale& y) {
    std::string svg;
    for (const double v : y.ticks()) {
        svg += fmt::format(R"(<line class="grid" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>)", x.from, x.to, y.position(v),
                           y.position(v));
        svg += text(x.from - 8.0, y.position(v) + 4.0, fmt::format("{:.4g}", v), "end");
    }
    const auto vertical = [&](double at, const std::string& name) {
        svg += fmt::format(R"(<line class="grid" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>)", at, at, y.from, y.to);
        svg += text(at, y.from + 18.0, name, "middle");
    };
    for (std::size_t i = 0; i < axes.names.size(); ++i) vertical(x.position(static_cast<double>(i)), axes.names[i]);
    if (axes.names.empty())
        for (const double v : x.ticks()) vertical(x.position(v), fmt::format("{:.4g}", v));
    svg += text(0.5 * (x.from + x.to), y.from + 38.0, axes.x, "middle");
    return svg + fmt::format(R"~(<text transform="translate(16 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)~",
                             0.5 * (y.from + y.to), escapeXml(axes.y));
}

std::string drawn(const Series& s, const Scale& x, const Scale& y, std::size_t number) {
    const char* const colour = kColours[number % kColours.size()];
    std::string line, dots;
    for (const Point& p : s.points) {
        line += fmt::format("{:.1f},{:.1f} ", x.position(p.x), y.position(p.y));
        if (!p.label.empty())
            dots += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4.5" fill="{}"><title>{}</title></circle>)", x.position(p.x),
                                y.position(p.y), colour, escapeXml(p.label));
    }
    if (s.joined) line = fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="2"/>)", line, colour);
    else line.clear();
    const double at = kTop + 10.0 + 20.0 * static_cast<double>(number);
    return line + dots +
           fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="10" height="10" rx="2" fill="{}"/>)", kWidth - kRight + 14.0, at - 9.0,
                       colour) +
           text(kWidth - kRight + 30.0, at, s.name);
}

}  // namespace

std::string escapeXml(std::string_view plain) {
    std::string escaped;
    for (const char c : plain) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\'': escaped += "&#39;"; break;
            default: escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return escaped;
}

std::string barPlot(const std::vector<Bar>& bars) {
    constexpr double kRow = 22.0, kNames = 230.0, kValues = 230.0;
    double longest = 0.0;
    for (const Bar& b : bars) longest = std::max({longest, b.length, b.mark});
    const double scale = longest > 0.0 ? (kWidth - kNames - kValues) / longest : 0.0;
    std::string svg = fmt::format(R"(<svg viewBox="0 0 {} {}">)", kWidth, kRow * static_cast<double>(bars.size()) + 4.0);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double y = kRow * static_cast<double>(i) + 2.0, width = std::max(bars[i].length * scale, 1.0);
        svg += text(kNames - 10.0, y + 14.0, bars[i].label, "end");
        svg += fmt::format(R"(<rect class="bar" x="{}" y="{:.1f}" width="{:.1f}" height="{}" rx="2"/>)", kNames, y + 2.0, width,
                           kRow - 6.0);
        if (bars[i].mark > 0.0)
            svg += fmt::format(R"(<line class="mark" x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}"/>)", kNames + bars[i].mark * scale,
                               y, y + kRow - 2.0);
        svg += text(kNames + std::max(width, bars[i].mark * scale) + 8.0, y + 14.0, bars[i].value);
    }
    return svg + "</svg>\n";
}

std::string linePlot(const Axes& axes, const std::vector<Series>& given) {
    std::vector<Series> series = given;
    for (Series& s : series)
        std::erase_if(s.points, [&](const Point& p) {
            return !std::isfinite(p.x) || !std::isfinite(p.y) || (axes.logX && p.x <= 0.0) || (axes.logY && p.y <= 0.0);
        });
    std::erase_if(series, [](const Series& s) { return s.points.empty(); });
    if (series.empty()) return {};
    Scale x = scaleOf(series, &Point::x, axes.logX, kLeft, kWidth - kRight);
    if (!axes.names.empty()) x = {-0.4, static_cast<double>(axes.names.size()) - 0.6, kLeft, kWidth - kRight, false};
    const Scale y = scaleOf(series, &Point::y, axes.logY, kHeight - kBottom, kTop);
    std::string svg = fmt::format(R"(<svg viewBox="0 0 {} {}">)", kWidth, kHeight) + grid(axes, x, y);
    for (std::size_t i = 0; i < series.size(); ++i) svg += drawn(series[i], x, y, i);
    return svg + "</svg>\n";
}

}  // namespace wisp::app
