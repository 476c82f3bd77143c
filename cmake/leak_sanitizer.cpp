// SPDX-License-Identifier: MIT
// Compiled into every program of a build with WISP_SANITIZE=address or fuzzer, so that LeakSanitizer reports only leaks of this project.

// NOLINTBEGIN: the sanitizer and the C library define these names
extern "C" {

const char* __lsan_default_suppressions();
int dlclose(void* library);

// Known leaks of other code. The validation layer 1.3.239 does not free data of synchronization validation about a submit. tinyexr 1.0.1
// does not free the channels of an image that it cannot decode. lavapipe 22.3 does not free all compiled code. Leaks of Vulkan objects are
// detected by tests/faults and by the validation layer.
const char* __lsan_default_suppressions() {
    return "leak:libVkLayer_khronos_validation\nleak:tinyexr\n"
           "leak:libvulkan_lvp\nleak:libLLVM\n";
}

// Does nothing. Otherwise the Vulkan loader would unload drivers and with them their static pointers to memory that is still allocated,
// which LeakSanitizer would report as leaked.
int dlclose(void*) { return 0; }
}
// NOLINTEND
