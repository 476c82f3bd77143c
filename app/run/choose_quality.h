// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "wisp/device.h"
#include "wisp/scene.h"

#include <cstdint>
#include <functional>
#include <string>

namespace wisp::app {

/// The level of `--quality auto`: a name for Scene::setQuality. `memory`: of a run of a scene [bytes].
std::string chooseQuality(const Device& device, const Scene& scene, const std::function<std::uint64_t(const Scene&)>& memory,
                          const Log& log);

}  // namespace wisp::app
