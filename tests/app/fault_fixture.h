// SPDX-License-Identifier: MIT
// Runs the real binary with injected faults (see tests/faults).
#pragma once

#include "tests/app/run_program.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

namespace wisp::test {

inline constexpr const char* kDeviceLost = "-4";  // VK_ERROR_DEVICE_LOST

// As few passes and cells as possible, because a test may run it some hundred times.
inline constexpr const char* kFaultScene = R"(
name = "tiny"
[grid]
cells = [8, 8, 8]
pressure_ratio = 1
size = [1.0, 1.0, 1.0]
[flow]
vorticity = 0.0
[advection]
scheme = "semi_lagrangian"
[pressure]
solver = "jacobi"
iterations = 2
[[emitter]]
centre = [0.5, 0.2, 0.5]
radius = 0.15
velocity = [0.0, 1.0, 0.0]
density = 1.0
[medium]
octaves = 1
[[light]]
intensity = 10.0
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
)";

class FaultTest : public testing::Test {
protected:
    FaultTest();
    struct Run : Outcome {
        std::map<std::string, long> calls;  ///< how often each was made
        std::map<std::string, long> live;   ///< objects that were not destroyed
        std::vector<std::string> files;     ///< hidden ones too
    };
    /// `wisp ARGUMENTS` in an empty folder, where tiny.toml is the scene. `environment` is "NAME=VALUE ...".
    Run run(const std::string& arguments, const std::string& environment = "");
    static std::string fault(const std::string& call, long n, const std::string& what, bool onwards = false);  ///< of Vulkan
    static std::string hostFault(const std::string& call, long n, const std::string& what, bool onwards = false);

    /// Requires that no Vulkan object and no temporary file is left, and that every file is readable as its format.
    void expectClean(const Run& run);
    /// Whether a program or library for this format reads the whole file.
    void expectOpens(const std::string& name);
    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }

    ScratchFolder scratch_;         ///< scene and caches
    std::filesystem::path folder_;  ///< folder of the newest run
    int runs_ = 0;
};

}  // namespace wisp::test
