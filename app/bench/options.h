// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/run/options.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp::app {

struct BenchOptions {
    CommonOptions common;
    std::size_t steps = 200;
    std::size_t warmup = 20;
    bool render = false;
    std::filesystem::path json, csv, trace;  ///< empty: none
    std::filesystem::path compare;           ///< older report; empty: none
    double threshold = 5.0;                  ///< [%] by which a time may increase
    std::string sweep;                       ///< "key=value,value"; empty: none
};

struct ProfileOptions {
    std::vector<std::filesystem::path> reports;
    std::filesystem::path html;
};

void bench(const BenchOptions& options, const Log& log);
void profile(const ProfileOptions& options);  ///< writes the page; see app/bench/profile_page.h

}  // namespace wisp::app
