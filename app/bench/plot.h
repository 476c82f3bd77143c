// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wisp::app {

/// Escapes text for HTML and XML, including attributes. Control characters become spaces.
std::string escapeXml(std::string_view text);

struct Bar {
    std::string label, value;  ///< value: the text beside the bar
    double length = 0.0;
    double mark = 0.0;  ///< position of a thin line; 0: none
};
std::string barPlot(const std::vector<Bar>& bars);

struct Point {
    double x = 0.0, y = 0.0;
    std::string label;
};
struct Series {
    std::string name;
    std::vector<Point> points;
    bool joined = true;  ///< draw a line through the points
};
struct Axes {
    std::string x, y;
    bool logX = true, logY = true;
    std::vector<std::string> names{};  ///< labels of x = 0, 1, 2... instead of numbers
};
/// Omits points that are not finite, or not positive on a logarithmic axis. Returns an empty string if no point remains.
std::string linePlot(const Axes& axes, const std::vector<Series>& series);

}  // namespace wisp::app
