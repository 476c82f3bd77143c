// SPDX-License-Identifier: MIT
// usage: wisp_verify_table LINES PLACE REVISION. Makes PLACE.md and PLACE.json of what tests wrote (tests/support/verification.h), and
// fails if a promise was missed or a row was not run.
#include "tests/support/verification.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <vector>

namespace wisp::test {
namespace {

using nlohmann::json;

// A run has one device; names of several would show that the file is of more than one.
std::string allOf(const std::vector<json>& lines, const char* key) {
    std::set<std::string> values;
    for (const json& line : lines) values.insert(line.value(key, "none"));
    std::string text;
    for (const std::string& v : values) text += (text.empty() ? "" : "; ") + v;
    return text;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[11];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now))};
}

json gather(const std::vector<json>& lines, const std::string& revision) {
    json result{{"date", today()},
                {"revision", revision},
                {"device", allOf(lines, "device")},
                {"driver", allOf(lines, "driver")},
                {"rows", json::array()}};
    for (const RowText& row : kRows) {
        bool any = false;
        for (json line : lines) {
            if (line["case"] != row.text) continue;
            line.erase("device");
            line.erase("driver");
            result["rows"].push_back(line);
            any = true;
        }
        if (!any)
            result["rows"].push_back(
                {{"table", row.table}, {"case", row.text}, {"what", ""}, {"expected", ""}, {"got", ""}, {"verdict", "not run"}});
    }
    return result;
}

// The section that scripts/outside.sh wrote at the end of the page before, or nothing.
std::string outsideSection(const std::string& page) {
    std::ifstream in(page);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = text.find("\n## Against other programs\n");
    return at == std::string::npos ? "" : text.substr(at);
}

void writeMarkdown(std::ostream& out, const json& result) {
    out << "# Verification\n\nWritten by `scripts/verify.sh` from what tests measured, at full sizes: every row is an expectation of a "
           "test, named in the JSON beside it;\n"
           "the suite runs the same tests at smaller sizes. A promise is kept or missed; what nothing was promised about is reported.\n\n"
        << result["date"].get<std::string>() << ", revision " << result["revision"].get<std::string>() << ", on "
        << result["device"].get<std::string>() << ", driver " << result["driver"].get<std::string>() << ".\n";
    std::string table, text;
    for (const json& row : result["rows"]) {
        if (row["table"] != table) {
            table = row["table"];
            out << "\n## " << table << "\n\n| case | what | expected | got | verdict |\n|---|---|---|---|---|\n";
        }
        out << "| " << (row["case"] == text ? "" : row["case"].get<std::string>());
        text = row["case"];
        for (const char* key : {"what", "expected", "got"}) out << " | " << row[key].get<std::string>();
        const std::string verdict = row["verdict"];
        out << " | " << (verdict == "kept" || verdict == "reported" ? verdict : "**" + verdict + "**") << " |\n";
    }
}

int run(const std::string& from, const std::string& place, const std::string& revision) {
    std::ifstream in(from);
    std::vector<json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    const json result = gather(lines, revision);
    const std::string outside = outsideSection(place + ".md");
    std::ofstream markdown(place + ".md"), data(place + ".json");
    writeMarkdown(markdown, result);
    markdown << outside;
    data << result.dump(1) << "\n";
    const auto with = [&](const char* verdict) {
        return std::ranges::count_if(result["rows"], [&](const json& row) { return row["verdict"] == verdict; });
    };
    std::cout << place << ".md: " << with("kept") << " kept, " << with("missed") << " missed, " << with("not run") << " not run\n";
    return markdown.flush() && data.flush() && with("missed") == 0 && with("not run") == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wisp::test

int main(int count, char** arguments) {
    if (count != 4) {
        std::cerr << "usage: wisp_verify_table LINES PLACE REVISION\n";
        return 2;
    }
    return wisp::test::run(arguments[1], arguments[2], arguments[3]);
}
