// SPDX-License-Identifier: MIT
#include "app/base/frame_list.h"

#include "files/base/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>
#include <utility>

namespace wisp::app {
namespace {

/// Reads a list, whose faults it explains.
struct Reader {
    const std::string& option;
    const std::string& text;

    [[noreturn]] void refuse(std::string_view why) const {
        throw Failure(Exit::Usage, fmt::format("{} {}: {}; must be a count such as 240, or numbers such as 10-20, 1-100x2 or 5,9,12-14",
                                               option, text, why));
    }

    /// The number at the start of `rest`, which it removes.
    std::size_t number(std::string_view& rest) const {
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (error == std::errc::result_out_of_range || (error == std::errc() && value > kMaxFrames))
            refuse(fmt::format("numbers end at {}", kMaxFrames - 1));
        if (error != std::errc()) refuse(rest.empty() ? "a number is missing" : fmt::format("\"{}\" is no number", rest));
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return value;
    }

    static bool take(std::string_view& rest, char c) {
        if (!rest.starts_with(c)) return false;
        rest.remove_prefix(1);
        return true;
    }

    /// Appends the numbers of "12", "12-14" or "1-100x2".
    void range(std::string_view part, std::vector<std::size_t>& numbers) const {
        const std::size_t low = number(part);
        const std::size_t high = take(part, '-') ? number(part) : low;
        const std::size_t step = high != low && take(part, 'x') ? number(part) : 1;
        if (!part.empty()) refuse(fmt::format("\"{}\" is not expected", part));
        if (high < low) refuse(fmt::format("{}-{} is reversed", low, high));
        if (high >= kMaxFrames) refuse(fmt::format("numbers end at {}", kMaxFrames - 1));
        if (step == 0) refuse("a step of 0 never ends");
        for (std::size_t n = low; n <= high; n += step) numbers.push_back(n);
        if (numbers.size() > kMaxFrames) refuse("frames are twice in the list");
    }
};

}  // namespace

FrameList::FrameList(std::size_t count) : numbers_(count), isCount_(true) { std::iota(numbers_.begin(), numbers_.end(), 0); }

FrameList::FrameList(std::vector<std::size_t> numbers) : numbers_(std::move(numbers)) {}

FrameList::FrameList(const std::string& option, const std::string& text) {
    const Reader reader{option, text};
    std::string_view rest = text;
    if (!text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
        const std::size_t count = reader.number(rest);
        if (count == 0) reader.refuse("there is no frame in it");
        *this = FrameList(count);
        return;
    }
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = rest.find(',');
        reader.range(rest.substr(0, end), numbers_);
        if (end != std::string_view::npos) rest.remove_prefix(end + 1);
    }
    std::ranges::sort(numbers_);
    const auto twice = std::ranges::adjacent_find(numbers_);
    if (twice != numbers_.end()) reader.refuse(fmt::format("{} is twice in the list", *twice));
}

std::span<const std::size_t> FrameList::from(std::size_t number) const {
    return {std::ranges::lower_bound(numbers_, number), numbers_.end()};
}

bool FrameList::contains(std::size_t number) const { return std::ranges::binary_search(numbers_, number); }

std::string FrameList::text() const {
    if (isCount_) return std::to_string(numbers_.size());
    std::string all;
    for (std::size_t n = 0; n < numbers_.size();) {
        // The longest range of equal steps from here; two numbers are shorter without one, unless they are neighbours.
        const std::size_t step = n + 1 < numbers_.size() ? numbers_[n + 1] - numbers_[n] : 1;
        std::size_t end = n + 1;
        while (end < numbers_.size() && numbers_[end] - numbers_[end - 1] == step) ++end;
        if (end - n == 2 && step > 1) end = n + 1;
        if (!all.empty()) all += ",";
        all += std::to_string(numbers_[n]);
        if (end - n > 1) all += fmt::format("-{}", numbers_[end - 1]);
        if (end - n > 1 && step > 1) all += fmt::format("x{}", step);
        n = end;
    }
    // A single number would be a count.
    return numbers_.size() == 1 ? all + "-" + all : all;
}

std::vector<FrameList> FrameList::chunks(std::size_t size) const {
    std::vector<FrameList> parts;
    for (std::size_t n = 0; n < numbers_.size(); n += size) {
        FrameList part;
        part.numbers_.assign(numbers_.begin() + static_cast<std::ptrdiff_t>(n),
                             numbers_.begin() + static_cast<std::ptrdiff_t>(std::min(n + size, numbers_.size())));
        parts.push_back(std::move(part));
    }
    return parts;
}

}  // namespace wisp::app
