// SPDX-License-Identifier: MIT
#include "app/wedge/axes.h"

#include "files/base/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace wisp::app {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// FROM:TO:COUNT, not yet expanded: the number of members is checked first.
struct Range {
    std::string from, to;
    std::uint64_t count = 0;
};

std::optional<double> numberOf(std::string_view text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// A text with a colon is a range if it begins with a number. Other texts may be names of files.
std::optional<Range> rangeOf(const std::string& key, const std::string& value) {
    const std::size_t first = value.find(':');
    if (first == std::string::npos || !numberOf(value.substr(0, first))) return std::nullopt;
    const std::size_t second = std::min(value.find(':', first + 1), value.size());
    Range range{value.substr(0, first), value.substr(first + 1, second - first - 1)};
    const std::string count = value.substr(std::min(second + 1, value.size()));
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), range.count);
    const bool whole = error != std::errc::invalid_argument && end == count.data() + count.size();
    if (error == std::errc::result_out_of_range) range.count = kMost;
    if (!numberOf(range.to) || !whole || range.count < 2)
        throw Failure(Exit::Usage,
                      fmt::format("--set-each {}={}: must be FROM:TO:COUNT with a count of at least 2, such as 0.2:0.8:4", key, value));
    return range;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) { return b > 0 && a > kMost / b ? kMost : a * b; }
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > kMost - b ? kMost : a + b; }

std::string valueText(double value) {
    static constexpr double kExact = 9007199254740992.0;  // 2^53: larger doubles are whole, but not what was meant
    return value == std::floor(value) && std::abs(value) < kExact ? fmt::format("{:.0f}", value + 0.0) : fmt::format("{:.9g}", value);
}

void expand(const Range& range, std::vector<std::string>& values) {
    const double from = *numberOf(range.from), to = *numberOf(range.to), last = static_cast<double>(range.count - 1);
    values.push_back(range.from);
    // Weights of both ends, instead of steps from the first one, give exact whole values and an exact 0.
    for (std::uint64_t n = 1; n + 1 < range.count; ++n) {
        const auto k = static_cast<double>(n);
        values.push_back(valueText((from * (last - k) + to * k) / last));
    }
    values.push_back(range.to);
}

std::vector<KeyValues> parse(const std::vector<std::string>& setEach) {
    std::vector<KeyValues> axes;
    for (const std::string& text : setEach) {
        std::optional<KeyValues> axis = parseKeyValues(text);
        if (!axis)
            throw Failure(Exit::Usage, fmt::format("--set-each {}: must be KEY=VALUE,VALUE,... or KEY=FROM:TO:COUNT, such as "
                                                   "flow.vorticity=0.2,0.4,0.8 or pressure.iterations=1:4:4",
                                                   text));
        if (std::ranges::find(axes, axis->key, &KeyValues::key) != axes.end())
            throw Failure(Exit::Usage,
                          fmt::format("--set-each {}: {} is given twice; list all of its values in one option", text, axis->key));
        axes.push_back(std::move(*axis));
    }
    return axes;
}

void requireFewMembers(const std::vector<KeyValues>& axes) {
    std::uint64_t members = 1;
    for (const KeyValues& axis : axes) {
        std::uint64_t values = 0;
        for (const std::string& value : axis.values) {
            const std::optional<Range> range = rangeOf(axis.key, value);
            values = sum(values, range ? range->count : 1);
        }
        members = product(members, values);
    }
    if (members > kMaxMembers)
        throw Failure(Exit::Usage, fmt::format("--set-each: the wedge would have {}{} members; at most {} are allowed",
                                               members == kMost ? "more than " : "", members == kMost ? kMost - 1 : members, kMaxMembers));
}

}  // namespace

std::vector<KeyValues> wedgeAxes(const std::vector<std::string>& setEach) {
    std::vector<KeyValues> axes = parse(setEach);
    requireFewMembers(axes);
    for (KeyValues& axis : axes) {
        std::vector<std::string> values;
        for (const std::string& value : axis.values) {
            if (const std::optional<Range> range = rangeOf(axis.key, value)) expand(*range, values);
            else values.push_back(value);
        }
        axis.values = std::move(values);
    }
    return axes;
}

std::size_t memberCount(const std::vector<KeyValues>& axes) {
    std::size_t count = 1;
    for (const KeyValues& axis : axes) count *= axis.values.size();
    return count;
}

std::vector<std::string> valuesOfMember(const std::vector<KeyValues>& axes, std::size_t index) {
    std::vector<std::string> values(axes.size());
    for (std::size_t n = axes.size(); n-- > 0;) {
        values[n] = axes[n].values[index % axes[n].values.size()];
        index /= axes[n].values.size();
    }
    return values;
}

}  // namespace wisp::app
