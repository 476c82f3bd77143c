// SPDX-License-Identifier: MIT
#pragma once

#include "engine/memory.h"

#include <glm/vec3.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace wisp::engine {

class Device;

/// Times of the last accesses to a resource, in Device::AccessClock time. The recorder derives barriers from them.
struct AccessState {
    std::uint64_t read = 0;
    std::uint64_t write = 0;
    std::uint64_t commands = 0;  ///< read as ListedUnits::commands
    bool zero = false;           ///< cleared to zero and not written since
};

/// GLSL name of a format, such as "rgba16f". Both functions @throws std::invalid_argument for a format that wisp does not use.
const char* formatName(VkFormat format);
std::size_t texelBytes(VkFormat format);

struct ImageDesc {
    std::string name;
    glm::uvec3 size{1};  ///< texels
    VkFormat format = VK_FORMAT_R16G16B16A16_SFLOAT;
    bool flat = false;  ///< 2D instead of 3D; size.z is 1
};

/// A sampled and storage image in device memory, always in VK_IMAGE_LAYOUT_GENERAL. Destroyed once the GPU no longer uses it.
class Image {
public:
    Image() = default;
    /// @throws Error OutOfMemory; std::invalid_argument if a size is 0 or exceeds the device's limit.
    Image(Device& device, ImageDesc desc);
    /// An image of another owner, such as the host of a borrowed device, which stays in `layout` and outlives this object: only to be
    /// sampled. The owner makes its contents visible.
    Image(Device& device, ImageDesc desc, VkImageView view, VkImageLayout layout);
    Image(Image&& other) noexcept;
    Image& operator=(Image&& other) noexcept;
    ~Image();

    [[nodiscard]] VkImage handle() const { return image_; }
    [[nodiscard]] VkImageView view() const { return view_; }
    [[nodiscard]] const ImageDesc& desc() const { return desc_; }
    [[nodiscard]] glm::uvec3 size() const { return desc_.size; }
    [[nodiscard]] std::size_t texelBytes() const;
    [[nodiscard]] std::size_t bytes() const;  ///< size of the texels, without the driver's padding
    [[nodiscard]] VkImageLayout layout() const { return layout_; }
    explicit operator bool() const { return view_ != VK_NULL_HANDLE; }
    /// Whether all texels are known to be zero after the commands recorded so far. Passes over such an image may be skipped.
    [[nodiscard]] bool isZero() const { return access.zero; }

    mutable AccessState access;

private:
    friend class Recorder;
    Device* device_ = nullptr;
    ImageDesc desc_;
    VkImage image_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
    VkImageLayout layout_ = VK_IMAGE_LAYOUT_GENERAL;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    mutable bool fresh_ = true;  ///< still in VK_IMAGE_LAYOUT_UNDEFINED: the recorder moves it to GENERAL at first use
    void destroy() noexcept;
};

struct BufferDesc {
    std::string name;
    VkDeviceSize bytes = 0;
    Location location = Location::Gpu;
    bool byAddress = false;  ///< shaders access it by device address, so it may exceed maxStorageBufferRange
    bool shared = false;     ///< its memory can be opened by other interfaces: see Buffer::openMemory
};

/// A storage, uniform and transfer buffer. Destroyed once the GPU no longer uses it.
class Buffer {
public:
    Buffer() = default;
    /// @throws Error OutOfMemory; std::invalid_argument if the size is 0 or exceeds maxStorageBufferRange (unless byAddress).
    Buffer(Device& device, BufferDesc desc);
    /// A buffer of another owner, with the usages of a shader's access, that outlives this object. The owner makes its contents visible.
    Buffer(BufferDesc desc, VkBuffer buffer);
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    [[nodiscard]] VkBuffer handle() const { return buffer_; }
    [[nodiscard]] const BufferDesc& desc() const { return desc_; }
    [[nodiscard]] VkDeviceSize bytes() const { return desc_.bytes; }
    [[nodiscard]] VkDeviceAddress address() const { return address_; }  ///< 0 unless BufferDesc::byAddress
    [[nodiscard]] std::span<const std::byte> mapped() const;            ///< empty if Location::Gpu
    /// A new file descriptor of the memory, which the caller closes. Needs BufferDesc::shared. The buffer is at its start.
    [[nodiscard]] int openMemory() const;
    [[nodiscard]] VkDeviceSize memoryBytes() const;  ///< of that memory
    explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }

    mutable AccessState access;

private:
    friend class Recorder;
    Device* device_ = nullptr;  ///< null: the buffer is of another owner
    BufferDesc desc_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    void* mapped_ = nullptr;
    VkDeviceAddress address_ = 0;
    mutable bool fresh_ = true;  ///< not yet filled with NaN in the test mode
    void destroy() noexcept;
};

}  // namespace wisp::engine
