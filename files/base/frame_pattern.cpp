// SPDX-License-Identifier: MIT
#include "files/base/frame_pattern.h"

#include "files/base/pending_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace wisp {

namespace fs = std::filesystem;

fs::path FramePattern::name(std::size_t index) const {
    return folder / (digits == 0 ? prefix + suffix : fmt::format("{}{:0{}}{}", prefix, index, digits, suffix));
}

void FramePattern::requireNew(std::span<const std::size_t> numbers, Exit status) const {
    std::error_code ignored;
    if (!folder.empty() && !fs::is_directory(folder, ignored)) return;
    for (const std::size_t number : numbers) requireNewFile(name(number), status);
}

void requireNewFile(const fs::path& file, Exit status) {
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored))
        throw Failure(status, fmt::format("{}: exists already: choose another name, or pass --overwrite to replace it", file.string()));
}

void FramePattern::removeAbandoned() const {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with("." + prefix) || file.find(suffix + ".tmp-") == std::string::npos) continue;
        const auto time = entry.last_write_time(error);
        if (!error && time < fs::file_time_type::clock::now() - std::chrono::hours(1)) fs::remove(entry.path(), error);
    }
}

void FramePattern::prepare() const {
    makeFolder(folder);
    const PendingFile probe(name(0));
}

void PatternOption::refuse(const fs::path& path, std::string_view why) const {
    throw Failure(Exit::Usage, fmt::format("{} {}: {}. Allowed: {}", name, path.string(), why, allowed));
}

FramePattern parsePattern(const PatternOption& option, const fs::path& path, std::size_t frames) {
    FramePattern pattern;
    pattern.folder = path.parent_path();
    const std::string name = path.filename().string();
    const std::size_t percent = name.find('%');
    if (percent == std::string::npos) {
        if (frames != 1) option.refuse(path, fmt::format("one file name for {} {}", frames, option.things));
        pattern.digits = 0;
        pattern.prefix = name;
        return pattern;
    }
    // The pattern is parsed here. User input must never reach printf as a format string.
    const std::size_t end = name.find('d', percent);
    if (end != percent + 3 || name[percent + 1] != '0' || std::isdigit(static_cast<unsigned char>(name[percent + 2])) == 0)
        option.refuse(path, "% must be followed by 0, one digit and d, as in %04d");
    if (name.find('%', percent + 1) != std::string::npos) option.refuse(path, "the name must contain exactly one %");
    pattern.prefix = name.substr(0, percent);
    pattern.digits = static_cast<std::size_t>(name[percent + 2] - '0');
    pattern.suffix = name.substr(end + 1);
    return pattern;
}

bool isPatternOfOthers(const fs::path& path) {
    const std::string name = path.filename().string();
    std::error_code ignored;
    return (name.find_first_of("#*?") != std::string::npos || name.find("$F") != std::string::npos) && !fs::exists(path, ignored);
}

FramePattern parseInputPattern(const fs::path& path) {
    const PatternOption option{"file", "files", "one %0Nd, such as x_%04d"};
    if (isPatternOfOthers(path)) option.refuse(path, "does not exist; a sequence is named in another way");
    return parsePattern(option, path, 1);
}

FileNumbers numbersOfFiles(const FramePattern& pattern) {
    if (pattern.digits == 0) return {};
    std::vector<std::size_t> numbers;
    std::error_code error;
    const fs::path folder = pattern.folder.empty() ? fs::path(".") : pattern.folder;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.size() <= pattern.prefix.size() + pattern.suffix.size() || !name.starts_with(pattern.prefix) ||
            !name.ends_with(pattern.suffix))
            continue;
        const std::string digits = name.substr(pattern.prefix.size(), name.size() - pattern.prefix.size() - pattern.suffix.size());
        std::size_t number = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (problem == std::errc{} && end == digits.data() + digits.size() && pattern.name(number).filename() == name)
            numbers.push_back(number);
    }
    if (numbers.empty()) throw std::runtime_error("no file has a name like this");
    std::ranges::sort(numbers);
    for (std::size_t n = 1; n < numbers.size(); ++n)
        if (numbers[n] != numbers[0] + n)
            throw std::runtime_error(fmt::format("{} is missing", pattern.name(numbers[0] + n).filename().string()));
    return {numbers[0], numbers.size()};
}

}  // namespace wisp
