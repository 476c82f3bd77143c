// SPDX-License-Identifier: MIT
// Compiled into every program of a build with WISP_SANITIZE=address or fuzzer, so that what LeakSanitizer reports is ours.

// NOLINTBEGIN: the names are the sanitizer's and the C library's
extern "C" {

const char* __lsan_default_suppressions();
int dlclose(void* library);

// The validation layer 1.3.239 does not free what synchronization validation remembers of a submit; tinyexr 1.0.1 not the channels
// of an image that it cannot decode; lavapipe 22.3 not all that it compiled. Vulkan's own objects are counted by tests/faults, and their memory by the validation
// layer.
const char* __lsan_default_suppressions() {
    return "leak:libVkLayer_khronos_validation\nleak:tinyexr\n"
           "leak:libvulkan_lvp\nleak:libLLVM\n";
}

// The loader unloads drivers. With them goes the static data that points to memory they still hold, which then looks lost.
int dlclose(void*) {
    return 0;
}

}
// NOLINTEND
