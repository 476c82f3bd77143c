// SPDX-License-Identifier: MIT
#include "engine/copy_speed.h"

#include <algorithm>

namespace wisp::engine {

double measureCopySpeed(Device& device, ShaderLibrary& shaders) {
    constexpr VkDeviceSize kBytes = VkDeviceSize{256} << 20;  // far more than caches hold
    constexpr VkDeviceSize kLeast = VkDeviceSize{1} << 20;
    constexpr int kCopies = 8;
    const VkDeviceSize limit = device.report().limits.maxStorageBufferRange, free = device.memory().available();
    const VkDeviceSize bytes = std::min({kBytes, limit, free / 4}) / 4 * 4;
    if (bytes < kLeast) return 0.0;
    const Buffer from(device, {.name = "copy from", .bytes = bytes}), to(device, {.name = "copy to", .bytes = bytes});
    std::vector<double> speeds;
    Recorder rec(device, shaders, {.timing = Timing::Passes});
    rec.onTimes = [&](const std::vector<PassTime>& times) {
        for (const PassTime& t : times)
            if (t.name == "copy" && t.ms > 0.0) speeds.push_back(static_cast<double>(t.work.bytes) / t.ms * 1e-6);
    };
    for (int n = 0; n <= kCopies; ++n) {
        rec.begin();
        if (n == 0) rec.clear(from, 0);  // pages that nobody has touched would all be one
        rec.copy(from, to);
        rec.submit();
    }
    rec.finish();
    if (speeds.size() < 2) return 0.0;
    speeds.erase(speeds.begin());  // the first one makes the pages
    const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
    std::nth_element(speeds.begin(), middle, speeds.end());
    return *middle;
}

}  // namespace wisp::engine
