// SPDX-License-Identifier: MIT
#include "tests/api/small_scene.h"

#include <optional>

namespace wisp::test {
namespace {

std::optional<Device>& shared() {
    static std::optional<Device> device;
    return device;
}

}  // namespace

Device& device() {
    if (!shared()) shared().emplace(DeviceOptions{.validate = true});
    return *shared();
}

}  // namespace wisp::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const int status = RUN_ALL_TESTS();
    // Before the process ends: then the validation layers may be gone.
    wisp::test::shared().reset();
    return status;
}
