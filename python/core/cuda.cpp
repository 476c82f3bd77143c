// SPDX-License-Identifier: MIT
// The calls of the CUDA driver that map memory of Vulkan. They are declared here and found at run time, so that neither a build nor a run
// needs CUDA. Names, numbers and structs are those of the CUDA driver API, "External Resource Interoperability".
#include "cuda.h"

#include <wisp/error.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

namespace wisp::python {
namespace {

using Result = int;                     // CUresult; 0: success
constexpr int kOpaqueFd = 1;            // CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD
constexpr unsigned int kDedicated = 1;  // CUDA_EXTERNAL_MEMORY_DEDICATED

/// CUDA_EXTERNAL_MEMORY_HANDLE_DESC
struct HandleDesc {
    int type = kOpaqueFd;
    union {
        int fd;
        struct {
            void* handle;
            const void* name;
        } win32;
        const void* nvSciBufObject;
    } handle{};
    unsigned long long size = 0;
    unsigned int flags = 0;
    unsigned int reserved[16]{};
};
static_assert(sizeof(HandleDesc) == 104 && offsetof(HandleDesc, handle) == 8 && offsetof(HandleDesc, size) == 24 &&
              offsetof(HandleDesc, flags) == 32);

/// CUDA_EXTERNAL_MEMORY_BUFFER_DESC
struct BufferDesc {
    unsigned long long offset = 0, size = 0;
    unsigned int flags = 0;
    unsigned int reserved[16]{};
};
static_assert(sizeof(BufferDesc) == 88 && offsetof(BufferDesc, flags) == 16);

/// CUuuid
struct Uuid {
    std::uint8_t bytes[16];
};

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::Unsupported, why); }

/// The driver. It is never unloaded.
struct Driver {
    Result (*init)(unsigned int) = nullptr;
    Result (*deviceGetCount)(int*) = nullptr;
    Result (*deviceGet)(int*, int) = nullptr;
    Result (*deviceGetUuid)(Uuid*, int) = nullptr;
    Result (*primaryContextRetain)(void**, int) = nullptr;
    Result (*primaryContextRelease)(int) = nullptr;
    Result (*pushContext)(void*) = nullptr;
    Result (*popContext)(void**) = nullptr;
    Result (*importExternalMemory)(void**, const HandleDesc*) = nullptr;
    Result (*mapBuffer)(unsigned long long*, void*, const BufferDesc*) = nullptr;
    Result (*destroyExternalMemory)(void*) = nullptr;
    Result (*free)(unsigned long long) = nullptr;
    Result (*errorName)(Result, const char**) = nullptr;

    Driver() {
        void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) fail("there is no CUDA driver (libcuda.so.1)");
        const auto find = [library](const char* name, auto& function) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            if (!function) fail(std::string("the CUDA driver is too old: it has no ") + name);
        };
        find("cuInit", init);
        find("cuDeviceGetCount", deviceGetCount);
        find("cuDeviceGet", deviceGet);
        find("cuDeviceGetUuid", deviceGetUuid);
        find("cuDevicePrimaryCtxRetain", primaryContextRetain);
        find("cuDevicePrimaryCtxRelease_v2", primaryContextRelease);
        find("cuCtxPushCurrent_v2", pushContext);
        find("cuCtxPopCurrent_v2", popContext);
        find("cuImportExternalMemory", importExternalMemory);
        find("cuExternalMemoryGetMappedBuffer", mapBuffer);
        find("cuDestroyExternalMemory", destroyExternalMemory);
        find("cuMemFree_v2", free);
        find("cuGetErrorName", errorName);
        check("cuInit", init(0));
    }

    void check(const char* call, Result result) const {
        if (result == 0) return;
        const char* name = nullptr;
        if (errorName(result, &name) != 0 || !name) name = "an unknown error";
        fail(std::string(call) + ": " + name);
    }
};

const Driver& driver() {
    static const Driver loaded;  // after an exception the next call tries again
    return loaded;
}

/// Makes a context the current one of this thread for a while.
class Current {
public:
    Current(const Driver& cuda, void* context) : cuda_(cuda) { cuda.check("cuCtxPushCurrent", cuda.pushContext(context)); }
    ~Current() {
        void* ignored = nullptr;
        cuda_.popContext(&ignored);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    const Driver& cuda_;
};

}  // namespace

int cudaDevice(const DeviceUuid& uuid) {
    const Driver& cuda = driver();
    int count = 0;
    cuda.check("cuDeviceGetCount", cuda.deviceGetCount(&count));
    for (int n = 0; n < count; ++n) {
        int device = 0;
        Uuid own{};
        cuda.check("cuDeviceGet", cuda.deviceGet(&device, n));
        cuda.check("cuDeviceGetUuid", cuda.deviceGetUuid(&own, device));
        if (std::equal(uuid.begin(), uuid.end(), own.bytes)) return n;
    }
    fail("the device of the simulation is none of the " + std::to_string(count) + " of CUDA");
}

CudaMemory::CudaMemory(int device, int file, std::uint64_t memoryBytes, std::uint64_t bytes) : device_(device), process_(getpid()) {
    bool taken = false;
    try {
        const Driver& cuda = driver();
        cuda.check("cuDevicePrimaryCtxRetain", cuda.primaryContextRetain(&context_, device));
        const Current current(cuda, context_);
        HandleDesc memory{.size = memoryBytes, .flags = kDedicated};
        memory.handle.fd = file;
        cuda.check("cuImportExternalMemory", cuda.importExternalMemory(&external_, &memory));
        taken = true;
        const BufferDesc buffer{.size = bytes};
        cuda.check("cuExternalMemoryGetMappedBuffer", cuda.mapBuffer(&address_, external_, &buffer));
    } catch (...) {
        if (!taken) close(file);
        release();
        throw;
    }
}

CudaMemory::~CudaMemory() {
    if (process_ == getpid()) release();
}

void CudaMemory::release() noexcept {
    if (!context_) return;
    const Driver& cuda = driver();  // loaded, because there is a context
    if (cuda.pushContext(context_) == 0) {
        if (address_ != 0) cuda.free(address_);
        if (external_) cuda.destroyExternalMemory(external_);
        void* ignored = nullptr;
        cuda.popContext(&ignored);
    }
    cuda.primaryContextRelease(device_);
    context_ = nullptr;
}

}  // namespace wisp::python
