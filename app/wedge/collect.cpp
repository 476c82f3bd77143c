// SPDX-License-Identifier: MIT
#include "app/wedge/collect.h"

#include "app/wedge/result.h"
#include "app/wedge/sheet.h"
#include "files/base/image.h"
#include "files/base/pending_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

using Results = std::vector<std::optional<MemberResult>>;

Results readResults(const Members& members) {
    Results results;
    for (std::size_t n = 0; n < members.size(); ++n) {
        results.push_back(readResult(members, members.at(n)));
        if (results.back()) results.back()->settings.clear();  // the text of 10,000 scenes is large
    }
    return results;
}

/// A field of a CSV file (RFC 4180).
std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

/// Names of all quality numbers, in the order of their first appearance.
std::vector<std::string> qualityNames(const Results& results) {
    std::vector<std::string> names;
    for (const auto& result : results) {
        if (!result) continue;
        for (const auto& [name, value] : result->quality.items())
            if (value.is_primitive() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
}

void writeTable(const Members& members, const Results& results) {
    const std::vector<std::string> names = qualityNames(results);
    std::vector<std::string> row{"index"};
    for (const KeyValues& axis : members.axes()) row.push_back(field(axis.key));
    row.insert(row.end(), {"status", "error", "seconds", "ms_per_step", "steps", "device"});
    row.insert(row.end(), names.begin(), names.end());
    std::string text = fmt::format("{}\n", fmt::join(row, ","));
    for (std::size_t n = 0; n < results.size(); ++n) {
        row = {fmt::format("{}", n)};
        for (const std::string& value : valuesOfMember(members.axes(), n)) row.push_back(field(value));
        if (const auto& r = results[n]) {
            row.insert(row.end(),
                       {fmt::format("{}", static_cast<int>(r->status)), field(r->error), fmt::format("{:.3f}", r->seconds),
                        r->msPerStep > 0.0 ? fmt::format("{:.6g}", r->msPerStep) : "", fmt::format("{}", r->steps), field(r->device)});
            for (const std::string& name : names) row.push_back(r->quality.contains(name) ? field(r->quality[name].dump()) : "");
        } else {
            row.resize(row.size() + 6 + names.size());
        }
        text += fmt::format("{}\n", fmt::join(row, ","));
    }
    writeFileAtomically(members.tableFile(), text);
}

/// The last part of each key, or the whole key if another one has the same last part.
std::vector<std::string> shortNames(const std::vector<KeyValues>& axes) {
    const auto last = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
    std::vector<std::string> names;
    for (const KeyValues& axis : axes) {
        const auto same = [&](const KeyValues& other) { return last(other.key) == last(axis.key); };
        names.push_back(std::ranges::count_if(axes, same) > 1 ? axis.key : last(axis.key));
    }
    return names;
}

SheetTile tileOf(const Members& members, const std::vector<std::string>& names, const std::optional<MemberResult>& result, std::size_t n) {
    SheetTile tile;
    if (!result) tile.note = "no result";
    else if (!result->done()) tile.note = fmt::format("failed, status {}: {}", static_cast<int>(result->status), result->error);
    else if (result->hasThumbnail) tile.picture = readThumbnail(members.thumbnailFile(n));
    else tile.note = "no picture";
    const std::vector<std::string> values = valuesOfMember(members.axes(), n);
    for (std::size_t a = 0; a < values.size(); ++a) tile.label.push_back(fmt::format("{} = {}", names[a], values[a]));
    tile.label.push_back(result && result->msPerStep > 0.0 ? fmt::format("{:04}   {:.3g} ms per step", n, result->msPerStep)
                                                           : fmt::format("{:04}", n));
    return tile;
}

void writeSheets(const Members& members, const Results& results) {
    const std::vector<KeyValues>& axes = members.axes();
    const auto [width, height] = members.pictureSize();
    SheetLayout layout{.title = fmt::format("{}   left to right: {}", members.name(), axes.back().key),
                       .tiles = results.size(),
                       .columns = axes.back().values.size(),
                       .picture = thumbnailSize({width, height}),
                       .labelLines = axes.size() + 1};
    if (axes.size() > 1) {
        layout.title += "   top to bottom: ";
        for (std::size_t a = 0; a + 1 < axes.size(); ++a) layout.title += (a == 0 ? "" : ", then ") + axes[a].key;
    }
    const std::vector<std::string> names = shortNames(axes);
    for (std::size_t page = 0; page < layout.pages(); ++page) {
        const SmallImage sheet = drawSheet(layout, page, [&](std::size_t n) { return tileOf(members, names, results[n], n); });
        writeFileAtomically(members.sheetFile(page), encode(ImageKind::Png, sheet.size, sheet.pixels));
    }
}

std::string listOf(const std::vector<std::size_t>& numbers) {
    static constexpr std::size_t kListed = 20;
    const std::vector<std::size_t> some(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(std::min(numbers.size(), kListed)));
    return fmt::format("{}{}", fmt::join(some, ", "), numbers.size() > kListed ? ", ..." : "");
}

}  // namespace

void collect(const Members& members, const Log& log) {
    const Results results = readResults(members);
    makeFolder(members.folder());
    writeTable(members, results);
    writeSheets(members, results);
    log.note(fmt::format("{} and {} written", members.sheetFile(0).string(), members.tableFile().string()));

    std::vector<std::size_t> missing, failed;
    for (std::size_t n = 0; n < results.size(); ++n) {
        if (!results[n]) missing.push_back(n);
        else if (!results[n]->done()) failed.push_back(n);
    }
    std::string message;
    if (!missing.empty())
        message = fmt::format("{} of {} members have no result in {}: {}", missing.size(), results.size(), members.folder().string(),
                              listOf(missing));
    if (!failed.empty())
        message += fmt::format("{}{} of {} members failed: {}; the first one: {}", message.empty() ? "" : "; ", failed.size(),
                               results.size(), listOf(failed), results[failed.front()]->error);
    if (!message.empty()) throw Failure(failed.empty() ? Exit::Failed : results[failed.front()]->status, message);
}

void listMembers(const Members& members, bool json) {
    Json all = {{"wedge", members.name()}, {"count", members.size()}, {"results", members.folder().string()}};
    for (const KeyValues& axis : members.axes()) all["keys"].push_back(axis.key);
    for (std::size_t n = 0; n < members.size(); ++n) {
        const WedgeMember member = members.at(n);
        const fs::path& output = member.options.picture ? member.options.out : member.options.volume;
        if (json) {
            Json row = {{"index", n}, {"values", members.valuesJson(member.values)}, {"output", output.string()}};
            row["result"] = members.resultFile(n).string();
            all["members"].push_back(std::move(row));
        } else {
            std::vector<std::string> values;
            for (std::size_t a = 0; a < member.values.size(); ++a)
                values.push_back(fmt::format("{}={}", members.axes()[a].key, member.values[a]));
            fmt::print("{:>5}  {}  {}\n", n, fmt::join(values, " "), output.string());
        }
    }
    if (json) fmt::print("{}", prettyJson(all));
}

}  // namespace wisp::app
