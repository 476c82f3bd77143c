// SPDX-License-Identifier: MIT
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <optional>

namespace wisp::test {
namespace {

std::optional<Device>& shared() {
    static std::optional<Device> device;
    return device;
}

/// Destroys the device before the process ends: then the validation layers may be gone.
class DeviceEnvironment : public testing::Environment {
public:
    void TearDown() override { shared().reset(); }
};
[[maybe_unused]] const auto* const kEnvironment = testing::AddGlobalTestEnvironment(new DeviceEnvironment);

}  // namespace

Device& device() {
    if (!shared()) shared().emplace(DeviceOptions{.validate = true, .cacheFolder = (cacheOfTests() / "device").string()});
    return *shared();
}

}  // namespace wisp::test
