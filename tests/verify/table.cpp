// SPDX-License-Identifier: MIT
// usage: wisp_verify_table LINES OUTPUT REVISION. Writes OUTPUT.md and OUTPUT.json from the JSON lines that the tests wrote (see
// tests/support/verification.h). Fails if a verdict is "missed" or if a row was not run.
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

// A run normally has one device. If the lines come from several devices, all their names are shown.
std::string distinctValues(const std::vector<json>& lines, const char* key) {
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
                {"device", distinctValues(lines, "device")},
                {"driver", distinctValues(lines, "driver")},
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

// The section that scripts/outside.sh wrote at the end of the previous page, or an empty string.
std::string outsideSection(const std::string& page) {
    std::ifstream in(page);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = text.find("\n## Against other programs\n");
    return at == std::string::npos ? "" : text.substr(at);
}

void writeMarkdown(std::ostream& out, const json& result) {
    out << "# Verification\n\n"
           "`scripts/verify.sh` writes this page from a run of the tests at full size. "
           "The normal test suite runs the same tests at smaller sizes.\n"
           "Every row is one check. The JSON file next to this page gives the name of its test.\n\n"
           "A verdict is \"kept\" if the value is within the documented limit, and \"missed\" if it is not. "
           "A row without a limit is \"reported\".\n\n"
        << result["date"].get<std::string>() << ", revision " << result["revision"].get<std::string>() << ", on "
        << result["device"].get<std::string>() << ", driver " << result["driver"].get<std::string>() << ".\n";
    std::string table, previousCase;
    for (const json& row : result["rows"]) {
        if (row["table"] != table) {
            table = row["table"];
            out << "\n## " << table << "\n\n| case | what | expected | got | verdict |\n|---|---|---|---|---|\n";
        }
        out << "| " << (row["case"] == previousCase ? "" : row["case"].get<std::string>());
        previousCase = row["case"];
        for (const char* key : {"what", "expected", "got"}) out << " | " << row[key].get<std::string>();
        const std::string verdict = row["verdict"];
        out << " | " << (verdict == "kept" || verdict == "reported" ? verdict : "**" + verdict + "**") << " |\n";
    }
}

int run(const std::string& linesFile, const std::string& output, const std::string& revision) {
    std::ifstream in(linesFile);
    std::vector<json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    const json result = gather(lines, revision);
    const std::string outside = outsideSection(output + ".md");
    std::ofstream markdown(output + ".md"), data(output + ".json");
    writeMarkdown(markdown, result);
    markdown << outside;
    data << result.dump(1) << "\n";
    const auto count = [&](const char* verdict) {
        return std::ranges::count_if(result["rows"], [&](const json& row) { return row["verdict"] == verdict; });
    };
    std::cout << output << ".md: " << count("kept") << " kept, " << count("missed") << " missed, " << count("not run") << " not run\n";
    return markdown.flush() && data.flush() && count("missed") == 0 && count("not run") == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wisp::test

int main(int count, char** arguments) {
    if (count != 4) {
        std::cerr << "usage: wisp_verify_table LINES OUTPUT REVISION\n";
        return 2;
    }
    return wisp::test::run(arguments[1], arguments[2], arguments[3]);
}
