// SPDX-License-Identifier: MIT
#include "engine/functions.h"

namespace wisp::engine {

void InstanceFunctions::load(VkInstance instance, PFN_vkGetInstanceProcAddr find) {
    GetInstanceProcAddr = find;
#define WISP_FIND(name) name = reinterpret_cast<PFN_vk##name>(find(instance, "vk" #name));
    WISP_INSTANCE_FUNCTIONS(WISP_FIND)
    WISP_DEBUG_FUNCTIONS(WISP_FIND)
#undef WISP_FIND
}

void Functions::load(const InstanceFunctions& instance, VkDevice device) {
    static_cast<InstanceFunctions&>(*this) = instance;
#define WISP_FIND(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
    WISP_DEVICE_FUNCTIONS(WISP_FIND)
#undef WISP_FIND
}

}  // namespace wisp::engine
