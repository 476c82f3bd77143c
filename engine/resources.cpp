// SPDX-License-Identifier: MIT
#include "engine/resources.h"

#include "engine/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wisp::engine {

std::size_t texelBytes(VkFormat format) {
    switch (format) {
        case VK_FORMAT_R8_UNORM: return 1;
        case VK_FORMAT_R16_SFLOAT: return 2;
        case VK_FORMAT_R8G8B8A8_UNORM:
        case VK_FORMAT_R16G16_SFLOAT:
        case VK_FORMAT_R32_UINT:
        case VK_FORMAT_R32_SFLOAT: return 4;
        case VK_FORMAT_R16G16B16A16_SFLOAT:
        case VK_FORMAT_R16G16B16A16_UNORM:
        case VK_FORMAT_R32G32_SFLOAT: return 8;
        case VK_FORMAT_R32G32B32A32_SFLOAT: return 16;
        default: throw std::invalid_argument(fmt::format("image format {} is not supported by wisp", static_cast<int>(format)));
    }
}

const char* formatName(VkFormat format) {
    switch (format) {
        case VK_FORMAT_R8_UNORM: return "r8";
        case VK_FORMAT_R16_SFLOAT: return "r16f";
        case VK_FORMAT_R8G8B8A8_UNORM: return "rgba8";
        case VK_FORMAT_R16G16_SFLOAT: return "rg16f";
        case VK_FORMAT_R32_UINT: return "r32ui";
        case VK_FORMAT_R32_SFLOAT: return "r32f";
        case VK_FORMAT_R16G16B16A16_SFLOAT: return "rgba16f";
        case VK_FORMAT_R16G16B16A16_UNORM: return "rgba16";
        case VK_FORMAT_R32G32_SFLOAT: return "rg32f";
        case VK_FORMAT_R32G32B32A32_SFLOAT: return "rgba32f";
        default: throw std::invalid_argument(fmt::format("image format {} is not supported by wisp", static_cast<int>(format)));
    }
}

namespace {

std::string layoutOf(const ImageDesc& d) {
    return d.flat ? fmt::format("{}x{} {}", d.size.x, d.size.y, formatName(d.format))
                  : fmt::format("{}x{}x{} {}", d.size.x, d.size.y, d.size.z, formatName(d.format));
}

std::string layoutOf(const BufferDesc& d) {
    return fmt::format("buffer of {} bytes{}", d.bytes, d.location == Location::Gpu ? "" : " on the host");
}

void validate(const ImageDesc& desc, const VkPhysicalDeviceLimits& limits) {
    const std::uint32_t limit = desc.flat ? limits.maxImageDimension2D : limits.maxImageDimension3D;
    const auto& s = desc.size;
    const std::uint32_t smallest = std::min({s.x, s.y, s.z});
    const std::uint32_t largest = std::max({s.x, s.y, s.z});
    if (smallest == 0 || largest > limit || (desc.flat && s.z != 1)) {
        throw std::invalid_argument(fmt::format("image {}: size {} x {} x {}; each edge must be 1 to {}{}", desc.name, s.x, s.y, s.z, limit,
                                                desc.flat ? ", and the depth of a 2D image must be 1" : ""));
    }
    texelBytes(desc.format);
}

VkImageCreateInfo createInfo(const ImageDesc& desc) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = desc.flat ? VK_IMAGE_TYPE_2D : VK_IMAGE_TYPE_3D;
    info.format = desc.format;
    info.extent = {desc.size.x, desc.size.y, desc.size.z};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return info;
}

constexpr VkExternalMemoryBufferCreateInfo kShared{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
                                                   VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};

VkBufferCreateInfo createInfo(const BufferDesc& desc) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    if (desc.shared) info.pNext = &kShared;
    info.size = desc.bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    if (desc.byAddress) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return info;
}

// The requirements follow from the description alone (maintenance4), so plan mode and allocation always agree.
VkMemoryRequirements requirementsOf(const Device& device, const VkImageCreateInfo& info) {
    VkDeviceImageMemoryRequirements query{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS};
    query.pCreateInfo = &info;
    VkMemoryRequirements2 result{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    device.vk.GetDeviceImageMemoryRequirements(device.handle(), &query, &result);
    return result.memoryRequirements;
}

VkMemoryRequirements requirementsOf(const Device& device, const VkBufferCreateInfo& info) {
    VkDeviceBufferMemoryRequirements query{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS};
    query.pCreateInfo = &info;
    VkMemoryRequirements2 result{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    device.vk.GetDeviceBufferMemoryRequirements(device.handle(), &query, &result);
    return result.memoryRequirements;
}

/// Refuses an image that is larger than the device can make. Every device can make one of 2 GiB that fits into its memory, says Vulkan; but
/// lavapipe has a smaller limit, and needs 0 bytes for images beyond it.
void requireImage(const Device& device, const ImageDesc& desc, const VkImageCreateInfo& info, VkDeviceSize needed) {
    const std::uint64_t bytes = std::uint64_t{desc.size.x} * desc.size.y * desc.size.z * texelBytes(desc.format);
    if (bytes <= std::uint64_t{1} << 31 && needed != 0) return;
    VkImageFormatProperties can{};
    const VkResult result = device.vk.GetPhysicalDeviceImageFormatProperties(device.physical(), info.format, info.imageType, info.tiling,
                                                                             info.usage, info.flags, &can);
    if (result == VK_SUCCESS && bytes <= can.maxResourceSize && needed != 0) return;
    const auto mebibytes = [](std::uint64_t n) { return static_cast<double>(n) / (1024.0 * 1024.0); };
    throw std::invalid_argument(
        fmt::format("image {}: {} takes {:.1f} MiB, more than the device can hold in one image; the largest that it "
                    "names is {:.1f} MiB",
                    desc.name, layoutOf(desc), mebibytes(bytes), mebibytes(can.maxResourceSize)));
}

}  // namespace

// The delegated default constructor completes the object, so its destructor cleans up if a later call throws.
Image::Image(Device& device, ImageDesc desc) : Image() {
    validate(desc, device.report().limits);
    device_ = &device;
    desc_ = std::move(desc);
    const VkImageCreateInfo info = createInfo(desc_);
    const VkMemoryRequirements needed = requirementsOf(device, info);
    requireImage(device, desc_, info, needed.size);
    const std::string layout = layoutOf(desc_);
    if (device.memory().planOnly()) {
        device.memory().plan(needed.size, desc_.name, layout);
        return;
    }
    memory_ = device.memory().allocate(needed, Location::Gpu, desc_.name, layout);
    check(device.vk.CreateImage(device.handle(), &info, nullptr, &image_), "vkCreateImage " + desc_.name);
    device.setName(VK_OBJECT_TYPE_IMAGE, image_, desc_.name);
    check(device.vk.BindImageMemory(device.handle(), image_, memory_, 0), "vkBindImageMemory " + desc_.name);

    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.image = image_;
    view.viewType = desc_.flat ? VK_IMAGE_VIEW_TYPE_2D : VK_IMAGE_VIEW_TYPE_3D;
    view.format = desc_.format;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    check(device.vk.CreateImageView(device.handle(), &view, nullptr, &view_), "vkCreateImageView " + desc_.name);
    device.setName(VK_OBJECT_TYPE_IMAGE_VIEW, view_, desc_.name);
}

Image::Image(Device& device, ImageDesc desc, VkImageView view, VkImageLayout layout)
    : device_(&device), desc_(std::move(desc)), view_(view), layout_(layout), fresh_(false) {}

Image::Image(Image&& other) noexcept { *this = std::move(other); }

Image& Image::operator=(Image&& other) noexcept {
    if (this == &other) return *this;
    destroy();
    access = std::exchange(other.access, {});
    device_ = std::exchange(other.device_, nullptr);
    desc_ = std::exchange(other.desc_, {});
    image_ = std::exchange(other.image_, VK_NULL_HANDLE);
    view_ = std::exchange(other.view_, VK_NULL_HANDLE);
    layout_ = std::exchange(other.layout_, VK_IMAGE_LAYOUT_GENERAL);
    memory_ = std::exchange(other.memory_, VK_NULL_HANDLE);
    fresh_ = std::exchange(other.fresh_, true);
    return *this;
}

Image::~Image() { destroy(); }

void Image::destroy() noexcept {
    if (!memory_) return;
    device_->retire([device = device_, image = image_, view = view_, memory = memory_] {
        device->vk.DestroyImageView(device->handle(), view, nullptr);
        device->vk.DestroyImage(device->handle(), image, nullptr);
        device->memory().release(memory);
    });
}

std::size_t Image::texelBytes() const { return engine::texelBytes(desc_.format); }

std::size_t Image::bytes() const { return std::size_t{desc_.size.x} * desc_.size.y * desc_.size.z * texelBytes(); }

Buffer::Buffer(Device& device, BufferDesc desc) : Buffer() {
    const VkDeviceSize limit = device.report().limits.maxStorageBufferRange;
    // Staging buffers and buffers accessed by address are never bound to a shader, so the limit of a binding does not apply to them.
    if (desc.bytes == 0 || (desc.location == Location::Gpu && !desc.byAddress && desc.bytes > limit)) {
        throw std::invalid_argument(fmt::format("buffer {}: size {} bytes; must be 1 to {}", desc.name, desc.bytes, limit));
    }
    if (desc.shared && !device.hasExtension(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME))
        throw Error(ErrorKind::NoDevice,
                    device.report().name + ": cannot share memory: VK_KHR_external_memory_fd is not supported or not enabled");
    device_ = &device;
    desc_ = std::move(desc);
    const VkBufferCreateInfo info = createInfo(desc_);
    const VkMemoryRequirements needed = requirementsOf(device, info);
    const std::string layout = layoutOf(desc_);
    if (device.memory().planOnly()) {
        device.memory().plan(needed.size, desc_.name, layout);
        return;
    }
    // Shared memory is allocated for its buffer, which then exists first.
    if (!desc_.shared) memory_ = device.memory().allocate(needed, desc_.location, desc_.name, layout);
    check(device.vk.CreateBuffer(device.handle(), &info, nullptr, &buffer_), "vkCreateBuffer " + desc_.name);
    if (desc_.shared) memory_ = device.memory().allocate(needed, desc_.location, desc_.name, layout, buffer_);
    device.setName(VK_OBJECT_TYPE_BUFFER, buffer_, desc_.name);
    check(device.vk.BindBufferMemory(device.handle(), buffer_, memory_, 0), "vkBindBufferMemory " + desc_.name);
    if (desc_.byAddress) {
        const VkBufferDeviceAddressInfo query{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer_};
        address_ = device.vk.GetBufferDeviceAddress(device.handle(), &query);
    }
    if (desc_.location != Location::Gpu) {
        check(device.vk.MapMemory(device.handle(), memory_, 0, VK_WHOLE_SIZE, 0, &mapped_), "vkMapMemory " + desc_.name);
    }
}

Buffer::Buffer(BufferDesc desc, VkBuffer buffer) : desc_(std::move(desc)), buffer_(buffer), fresh_(false) {}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    destroy();
    access = std::exchange(other.access, {});
    device_ = std::exchange(other.device_, nullptr);
    desc_ = std::exchange(other.desc_, {});
    buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
    memory_ = std::exchange(other.memory_, VK_NULL_HANDLE);
    mapped_ = std::exchange(other.mapped_, nullptr);
    address_ = std::exchange(other.address_, 0);
    fresh_ = std::exchange(other.fresh_, true);
    return *this;
}

Buffer::~Buffer() { destroy(); }

int Buffer::openMemory() const {
    const VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, memory_,
                                    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    int file = -1;
    check(device_->vk.GetMemoryFdKHR(device_->handle(), &info, &file), "vkGetMemoryFdKHR " + desc_.name);
    return file;
}

VkDeviceSize Buffer::memoryBytes() const {
    for (const Allocation& a : device_->memory().allocations())
        if (a.memory == memory_) return a.bytes;
    return 0;
}

void Buffer::destroy() noexcept {
    if (!device_ || (!memory_ && !buffer_)) return;  // without a device: of another owner
    device_->retire([device = device_, buffer = buffer_, memory = memory_] {
        device->vk.DestroyBuffer(device->handle(), buffer, nullptr);
        device->memory().release(memory);
    });
}

std::span<const std::byte> Buffer::mapped() const {
    if (!mapped_) return {};
    return {static_cast<const std::byte*>(mapped_), static_cast<std::size_t>(desc_.bytes)};
}

}  // namespace wisp::engine
