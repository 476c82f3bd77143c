// SPDX-License-Identifier: MIT
// Reports of benchmarks, which `wisp bench --compare` and `wisp profile` read.
#include "app/bench/compare.h"
#include "app/bench/profile_page.h"
#include "files/base/failure.h"
#include "tests/fuzz/support/input.h"

#include <cstdio>

using namespace wisp;

namespace {

/// The header that `wisp bench` has before it compares.
Json headerOf(const Json& report) {
    Json header;
    for (const char* key : {"wisp", "device", "driver", "scene", "grid", "pressure_grid", "scalar_grid", "precision", "settings"})
        header[key] = report[key];
    return header;
}

template <class Use>
void attempt(Use&& use) {
    try {
        use();
    } catch (const Failure& e) {
        fuzz::require(e.status() == Exit::Usage || e.status() == Exit::Failed, e.what());
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Json now = [] {
        fuzz::require(std::freopen("/dev/null", "w", stdout) != nullptr, "no /dev/null");  // the comparison prints to stdout
        return app::readReport(WISP_FUZZ_FILES "/report.json");
    }();
    static const Json header = headerOf(now);
    const std::filesystem::path file = fuzz::fileOf(fuzz::textOf({data, size}));
    attempt([&] { app::profilePage({now, app::readReportOrSweep(file)}); });
    attempt([&] {
        const Json old = app::readReport(file);
        attempt([&] { app::requireComparable(old, header, file); });  // forged headers may match: continue in any case
        app::compareReports(old, now, 5.0);
    });
    return 0;
}
