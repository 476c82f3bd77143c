// SPDX-License-Identifier: MIT
#include "app/job/plan.h"

namespace wisp::app {

std::string chooseDeviceLines() {
    // Without two closing braces in a row, which mean something in Open Job Description.
    return R"(# The GPU that the scheduler gave to this task, so that tasks which share a machine use different ones. It is a
# UUID, or an index as nvidia-smi counts. Vulkan may count differently, so wisp gets the UUID. For GPUs of other vendors,
# set WISP_DEVICE to the PCI address.
gpu=${CUDA_VISIBLE_DEVICES:-}
[[ -n $gpu ]] || gpu=${SLURM_JOB_GPUS:-}
gpu=${gpu%%,*}
case $gpu in
    GPU-*) export WISP_DEVICE=$gpu ;;
    [0-9]*) if uuid=$(nvidia-smi --query-gpu=uuid --format=csv,noheader --id="$gpu" 2>/dev/null); then export WISP_DEVICE=$uuid; fi ;;
esac
)";
}

std::string retryPattern() { return "3 | 4 | 5 | 137"; }

std::string retryReasons() {
    return R"(# Worth another try: 3 no usable device, 4 out of memory (another task may have it), 5 device lost, 137 killed.
# Not worth one: 2 wrong usage or scene, 6 output could not be written (make room first), 7 a number became NaN.
)";
}

std::string wrapped(const std::vector<std::string>& groups, const std::string& separator, const std::string& between) {
    constexpr std::size_t kWidth = 100;
    std::string text;
    std::size_t length = 0;
    for (const std::string& group : groups) {
        const bool fits = length + separator.size() + group.size() <= kWidth;
        if (!text.empty()) text += fits ? separator : between;
        length = text.empty() || !fits ? group.size() : length + separator.size() + group.size();
        text += group;
    }
    return text;
}

}  // namespace wisp::app
