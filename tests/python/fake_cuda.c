// SPDX-License-Identifier: MIT
// A stand-in for libcuda.so.1, for test_share.py: a device with the UUID of WISP_FAKE_CUDA_UUID, whose memory is that of lavapipe. It
// checks the structs that it gets, and counts what is not freed. The structs are those of the CUDA driver API.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct handle_desc {
    int type;
    union {
        int fd;
        struct {
            void* handle;
            const void* name;
        } win32;
    } handle;
    unsigned long long size;
    unsigned int flags, reserved[16];
};
struct buffer_desc {
    unsigned long long offset, size;
    unsigned int flags, reserved[16];
};
struct external {
    char* base;
    size_t bytes;
};

enum { INVALID = 1 };
static int contexts, pushed, memories, buffers;

/// What is alive, for the test.
int fake_alive(void) { return contexts + pushed + memories + buffers; }

int cuInit(unsigned int flags) { return flags ? INVALID : getenv("WISP_FAKE_CUDA_FAILS") ? 100 : 0; }
int cuGetErrorName(int error, const char** name) {
    *name = error == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_INVALID_VALUE";
    return 0;
}
int cuDeviceGetCount(int* count) { return *count = 2, 0; }
int cuDeviceGet(int* device, int number) { return *device = number, 0; }
int cuDeviceGetUuid(unsigned char* uuid, int device) {
    const char* text = getenv("WISP_FAKE_CUDA_UUID");
    for (int n = 0; n < 16; ++n) {
        unsigned int byte = 0;
        if (sscanf(text + 2 * n, "%2x", &byte) != 1) return INVALID;
        uuid[n] = (unsigned char)(device == 1 ? byte : ~byte);  // the second device
    }
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) { return *context = &contexts, ++contexts, device == 1 ? 0 : INVALID; }
int cuDevicePrimaryCtxRelease_v2(int device) { return --contexts, device == 1 ? 0 : INVALID; }
int cuCtxPushCurrent_v2(void* context) { return ++pushed, context == &contexts ? 0 : INVALID; }
int cuCtxPopCurrent_v2(void** context) { return *context = &contexts, --pushed, 0; }

int cuImportExternalMemory(void** out, const struct handle_desc* desc) {
    for (int n = 0; n < 16; ++n)
        if (desc->reserved[n]) return INVALID;
    struct stat file;
    if (!pushed || desc->type != 1 || desc->flags != 1 || fstat(desc->handle.fd, &file) != 0 || (size_t)file.st_size < desc->size)
        return INVALID;
    struct external* memory = malloc(sizeof *memory);
    memory->bytes = (size_t)file.st_size;
    memory->base = mmap(NULL, memory->bytes, PROT_READ, MAP_SHARED, desc->handle.fd, 0);
    close(desc->handle.fd);  // CUDA owns it
    if (memory->base == MAP_FAILED) return free(memory), INVALID;
    *out = memory;
    ++memories;
    return 0;
}
int cuExternalMemoryGetMappedBuffer(unsigned long long* address, void* external, const struct buffer_desc* desc) {
    const struct external* memory = external;
    for (int n = 0; n < 16; ++n)
        if (desc->reserved[n]) return INVALID;
    if (!pushed || desc->offset || desc->flags || desc->size > memory->bytes) return INVALID;
    // In the memory of lavapipe the data begin after a header, whose last number is their place.
    for (size_t at = 16; at + desc->size <= memory->bytes; at += 8) {
        size_t place;
        memcpy(&place, memory->base + at - sizeof place, sizeof place);
        if (place == at) return *address = (unsigned long long)(memory->base + at), ++buffers, 0;
    }
    return INVALID;
}
int cuCtxSetCurrent(void* context) { return context == &contexts ? 0 : INVALID; }
int cuMemcpyDtoH_v2(void* to, unsigned long long from, size_t bytes) { return memcpy(to, (const void*)from, bytes), 0; }
int cuMemFree_v2(unsigned long long address) { return --buffers, address && pushed ? 0 : INVALID; }
int cuDestroyExternalMemory(void* external) {
    struct external* memory = external;
    munmap(memory->base, memory->bytes);
    free(memory);
    return --memories, 0;
}
