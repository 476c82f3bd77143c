// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace wisp::python {

using DeviceUuid = std::array<std::uint8_t, 16>;

/// Number of the device of CUDA that has this UUID. @throws Error Unsupported with the reason, also if there is no driver with CUDA.
int cudaDevice(const DeviceUuid& uuid);

/// Memory of Vulkan, mapped by CUDA. It stays valid after Vulkan has freed it.
class CudaMemory {
public:
    /// @param file descriptor of the memory, a dedicated allocation, which CUDA takes over; it is closed after an error
    /// @param memoryBytes of the memory @param bytes of the values at its start. @throws Error Unsupported with the name of the call.
    CudaMemory(int device, int file, std::uint64_t memoryBytes, std::uint64_t bytes);
    ~CudaMemory();
    CudaMemory(const CudaMemory&) = delete;
    CudaMemory& operator=(const CudaMemory&) = delete;
    [[nodiscard]] void* data() const { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address_)); }

private:
    void release() noexcept;
    int device_;
    long process_;              ///< that mapped it: CUDA does not survive a fork
    void* context_ = nullptr;   ///< the primary one of the device, which PyTorch and others use, too
    void* external_ = nullptr;  ///< CUexternalMemory
    unsigned long long address_ = 0;
};

}  // namespace wisp::python
