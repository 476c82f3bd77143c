// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wisp::app {

inline constexpr std::size_t kMaxFrames = 1'000'000;  ///< frames have numbers below this

/// Numbers of the frames of a run, as in the names of their files. The first frame of a scene is 0.
class FrameList {
public:
    /// Frames 0 to count - 1.
    explicit FrameList(std::size_t count);
    explicit FrameList(std::vector<std::size_t> numbers);  ///< ascending
    /// "240" is a count; "10-20", "1-100x2" (every second one) and "5,9,12-14" are numbers. `option` is named in messages.
    /// @throws Failure Usage if a range is reversed, a number is too large or twice in the list, or the text is anything else.
    FrameList(const std::string& option, const std::string& text);

    [[nodiscard]] const std::vector<std::size_t>& numbers() const { return numbers_; }  ///< ascending
    [[nodiscard]] std::size_t size() const { return numbers_.size(); }
    [[nodiscard]] std::size_t first() const { return numbers_.front(); }
    [[nodiscard]] std::size_t last() const { return numbers_.back(); }
    [[nodiscard]] std::span<const std::size_t> from(std::size_t number) const;  ///< those that are `number` or more
    [[nodiscard]] bool contains(std::size_t number) const;
    [[nodiscard]] bool isCount() const { return isCount_; }  ///< given as a count
    [[nodiscard]] std::string text() const;                  ///< the shortest one: a list of ranges, or a count if it was one

    /// Parts of `size` frames, the last one with the rest.
    [[nodiscard]] std::vector<FrameList> chunks(std::size_t size) const;

    bool operator==(const FrameList&) const = default;

private:
    FrameList() = default;
    std::vector<std::size_t> numbers_;
    bool isCount_ = false;
};

}  // namespace wisp::app
