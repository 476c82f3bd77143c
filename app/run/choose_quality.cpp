// SPDX-License-Identifier: MIT
// Until app/run/quality_probe.h uses the interface of the library.
#include "app/run/choose_quality.h"

#include "api/device_impl.h"
#include "api/scene_impl.h"
#include "app/run/quality_probe.h"

namespace wisp::app {

std::string chooseQuality(const Device& device, const Scene& scene, const std::function<std::uint64_t(const Scene&)>&, const Log& log) {
    const Settings settings = scene.impl().settings();
    return nameOf(chooseQuality(device.impl()->device, {settings, scene.impl().own().grid.cells}, {.picture = true}, log));
}

}  // namespace wisp::app
