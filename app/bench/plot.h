// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wisp::app {

/// Text for HTML and XML, attributes too; control characters become spaces.
std::string escapeXml(std::string_view text);

struct Bar {
    std::string label, value;  ///< value: what is written beside it
    double length = 0.0;
    double mark = 0.0;  ///< a thin line at this length, if more than 0
};
std::string barPlot(const std::vector<Bar>& bars);

struct Point {
    double x = 0.0, y = 0.0;
    std::string label;
};
struct Series {
    std::string name;
    std::vector<Point> points;
    bool joined = true;  ///< by a line
};
struct Axes {
    std::string x, y;
    bool logX = true, logY = true;
    std::vector<std::string> names{};  ///< of x = 0, 1, 2...: instead of numbers
};
/// What a logarithm cannot show is left out. An empty string if nothing is left.
std::string linePlot(const Axes& axes, const std::vector<Series>& series);

}  // namespace wisp::app
