// SPDX-License-Identifier: MIT
#include "tests/support/verification.h"

#include "tests/support/gpu_test.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace wisp::test {
namespace {

std::string shown(double v) { return fmt::format("{:.4g}", v); }

void write(Row row, const std::string& what, const std::string& expected, double got, const char* verdict) {
    const char* file = std::getenv("WISP_VERIFY_OUT");
    if (!file || *file == '\0') return;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const RowText& text = kRows[static_cast<std::size_t>(row)];
    nlohmann::json line{{"table", text.table},
                        {"case", text.text},
                        {"what", what},
                        {"expected", expected},
                        {"got", shown(got)},
                        {"verdict", verdict},
                        {"test", std::string(test->test_suite_name()) + "." + test->name()}};
    if (std::isfinite(got)) line["value"] = got;
    if (const engine::Device* device = sharedDevice()) {
        line["device"] = device->report().name;
        line["driver"] = device->report().driver;
    }
    std::ofstream out(file, std::ios::app);
    if (!(out << line.dump() << "\n"))
        ADD_FAILURE() << "WISP_VERIFY_OUT: "
                      << "cannot write the file " << file;
}

void expect(bool kept, Row row, const std::string& what, const std::string& expected, double got, const Where& where) {
    write(row, what, expected, got, kept ? "kept" : "missed");
    if (!kept) ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << what << ": expected " << expected << ", got " << got;
}

}  // namespace

bool fullSizes() {
    const char* value = std::getenv("WISP_VERIFY");
    return value && std::string_view(value) == "full";
}

// Comparisons with NaN are false, so NaN is always "missed".
void expectAtMost(Row row, const std::string& what, double got, double limit, Where where) {
    expect(got <= limit, row, what, limit == 0.0 ? "0" : "<= " + shown(limit), got, where);
}
void expectAtLeast(Row row, const std::string& what, double got, double limit, Where where) {
    expect(got >= limit, row, what, ">= " + shown(limit), got, where);
}
void expectBetween(Row row, const std::string& what, double got, double low, double high, Where where) {
    expect(got >= low && got <= high, row, what, "in [" + shown(low) + ", " + shown(high) + "]", got, where);
}
void expectNear(Row row, const std::string& what, double got, double exact, double tolerance, Where where) {
    expect(std::abs(got - exact) <= tolerance, row, what, fmt::format("{:.6g} +- {:.2g}", exact, tolerance), got, where);
}
void reportOnly(Row row, const std::string& what, double got) { write(row, what, "-", got, "reported"); }

}  // namespace wisp::test
