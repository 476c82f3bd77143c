// SPDX-License-Identifier: MIT
// Transfer commands of the recorder: clears, and copies to and from the GPU.
#include "engine/recorder.h"
#include "engine/recorder_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace wisp::engine {
namespace {

/// Splits consecutive rows of an image into boxes: the rest of a plane, whole planes, the beginning of a plane. `bufferOffset`: start of
/// the rows in the buffer [bytes].
std::vector<VkBufferImageCopy> boxesOf(const Image& image, std::uint64_t offset, std::uint64_t bytes, VkDeviceSize bufferOffset) {
    const glm::uvec3 size = image.size();
    const std::uint64_t row = size.x * image.texelBytes();
    if (bytes == 0 || offset % row != 0 || bytes % row != 0 || offset > image.bytes() || bytes > image.bytes() - offset) {
        throw std::invalid_argument(
            fmt::format("copy of {}: {} bytes from byte {}; must be whole rows within its {} bytes, and a row has {} bytes",
                        image.desc().name, bytes, offset, image.bytes(), row));
    }
    std::vector<VkBufferImageCopy> boxes;
    for (std::uint64_t first = offset / row, end = first + bytes / row; first < end;) {
        const auto y = static_cast<std::uint32_t>(first % size.y), z = static_cast<std::uint32_t>(first / size.y);
        const bool planes = y == 0 && end - first >= size.y;
        const std::uint64_t rows = planes ? (end - first) / size.y * size.y : std::min<std::uint64_t>(end - first, size.y - y);
        VkBufferImageCopy box{};
        box.bufferOffset = bufferOffset;
        box.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        box.imageOffset = {0, static_cast<std::int32_t>(y), static_cast<std::int32_t>(z)};
        box.imageExtent = {size.x, static_cast<std::uint32_t>(planes ? size.y : rows),
                           static_cast<std::uint32_t>(planes ? rows / size.y : 1)};
        boxes.push_back(box);
        bufferOffset += rows * row;
        first += rows;
    }
    return boxes;
}

void checkRange(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::string_view what) {
    if (bytes > 0 && offset <= buffer.bytes() && bytes <= buffer.bytes() - offset) return;
    throw std::invalid_argument(fmt::format("{} {}: {} bytes{}, but the buffer has {}", what, buffer.desc().name, bytes,
                                            offset == 0 ? "" : fmt::format(" from byte {}", offset), buffer.bytes()));
}

constexpr std::size_t kCopyAlign = 16;  // a copy's offset must be a multiple of the texel's size

void changeLayout(const Functions& vk, VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
    constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;  // stage that waits for the acquired image
    const bool before = to == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.srcStageMask = kCopy;
    barrier.srcAccessMask = before ? VK_ACCESS_2_NONE : VK_ACCESS_2_TRANSFER_WRITE_BIT;
    barrier.dstStageMask = before ? kCopy : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;  // like the semaphore that present waits for
    barrier.dstAccessMask = before ? VK_ACCESS_2_TRANSFER_WRITE_BIT : VK_ACCESS_2_NONE;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.imageMemoryBarrierCount = 1;
    info.pImageMemoryBarriers = &barrier;
    vk.CmdPipelineBarrier2(commands, &info);
}

}  // namespace

/// Common part of all transfer commands: first use, barrier if needed, number.
template <class Resource>
VkCommandBuffer Recorder::transfer(std::string_view name, const Resource& resource, bool writes, std::uint64_t bytes) {
    prepare(resource);
    const bool ofCommands = writes && resource.access.commands > device_.accessClock.lastOfCommands;
    synchronize(isHazard(resource.access, device_.accessClock, !writes, writes), ofCommands);
    device_.accessClock.transfers = true;
    const VkCommandBuffer commands = record(name, {0, bytes});
    touch(resource.access, device_.accessClock, !writes, writes);
    return commands;
}

void Recorder::clear(const Image& image, float value) {
    clearImage(device_.vk, transfer("clear", image, true, image.bytes()), image.handle(), value);
    image.access.zero = value == 0.0f;
}

void Recorder::clear(const Buffer& buffer, std::uint32_t word) {
    device_.vk.CmdFillBuffer(transfer("clear", buffer, true, buffer.bytes()), buffer.handle(), 0, VK_WHOLE_SIZE, word);
}

void Recorder::update(const Buffer& buffer, std::span<const std::byte> bytes) {
    if (bytes.empty() || bytes.size() > 65536 || bytes.size() % 4 != 0 || bytes.size() > buffer.bytes()) {
        throw std::invalid_argument(
            fmt::format("update of {}: {} bytes; must be a multiple of 4, at most 65536 and at most the buffer's {}", buffer.desc().name,
                        bytes.size(), buffer.bytes()));
    }
    device_.vk.CmdUpdateBuffer(transfer("update", buffer, true, bytes.size()), buffer.handle(), 0, bytes.size(), bytes.data());
}

/// Copies bytes to the frame's staging buffer and returns their offset. If the buffer is too small, it is replaced; the old one is
/// destroyed after its copies have run.
VkDeviceSize Recorder::stage(std::span<const std::byte> bytes) {
    RecorderFrame& f = frame();
    std::size_t offset = (f.uploadUsed + kCopyAlign - 1) / kCopyAlign * kCopyAlign;
    if (offset + bytes.size() > f.upload.bytes()) {
        f.upload = Buffer(device_, {"upload", std::max<VkDeviceSize>(bytes.size(), 2 * f.upload.bytes()), Location::Upload});
        offset = 0;
    }
    std::memcpy(static_cast<std::byte*>(f.upload.mapped_) + offset, bytes.data(), bytes.size());
    f.uploadUsed = offset + bytes.size();
    return offset;
}

void Recorder::upload(const Image& image, std::span<const std::byte> bytes) {
    if (bytes.size() != image.bytes()) {
        throw std::invalid_argument(
            fmt::format("upload to {}: {} bytes, but the image has {}", image.desc().name, bytes.size(), image.bytes()));
    }
    upload(image, 0, bytes);
}

void Recorder::upload(const Buffer& buffer, std::span<const std::byte> bytes) { upload(buffer, 0, bytes); }

void Recorder::upload(const Image& image, std::uint64_t offset, std::span<const std::byte> bytes) {
    auto boxes = boxesOf(image, offset, bytes.size(), 0);
    const VkDeviceSize start = stage(bytes);
    for (VkBufferImageCopy& box : boxes) box.bufferOffset += start;
    device_.vk.CmdCopyBufferToImage(transfer("upload", image, true, bytes.size()), frame().upload.handle(), image.handle(),
                                    VK_IMAGE_LAYOUT_GENERAL, static_cast<std::uint32_t>(boxes.size()), boxes.data());
}

void Recorder::upload(const Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes) {
    checkRange(buffer, offset, bytes.size(), "upload to");
    const VkBufferCopy region{stage(bytes), offset, bytes.size()};
    device_.vk.CmdCopyBuffer(transfer("upload", buffer, true, bytes.size()), frame().upload.handle(), buffer.handle(), 1, &region);
}

void Recorder::copy(const Buffer& from, const Buffer& to) {
    prepare(from);
    const Device::AccessClock& clock = device_.accessClock;
    const VkBufferCopy region{0, 0, std::min(from.bytes(), to.bytes())};
    synchronize(isHazard(from.access, clock, true, false) || isHazard(to.access, clock, false, true));
    const VkCommandBuffer commands = transfer("copy", to, true, 2 * region.size);
    touch(from.access, clock, true, false);
    device_.vk.CmdCopyBuffer(commands, from.handle(), to.handle(), 1, &region);
}

void Recorder::copy(const Image& from, const Image& to) {
    prepare(from);
    const Device::AccessClock& clock = device_.accessClock;
    const glm::uvec3 a = from.size(), b = to.size(), size{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
    const VkImageSubresourceLayers layers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region{layers, {}, layers, {}, {size.x, size.y, size.z}};
    synchronize(isHazard(from.access, clock, true, false) || isHazard(to.access, clock, false, true));
    const bool isZero = from.isZero() && to.isZero();
    const VkCommandBuffer commands = transfer("copy", to, true, 2 * from.bytes());
    touch(from.access, clock, true, false);
    device_.vk.CmdCopyImage(commands, from.handle(), VK_IMAGE_LAYOUT_GENERAL, to.handle(), VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    to.access.zero = isZero;
}

void Recorder::present(const Buffer& words, Swapchain& swapchain) {
    const glm::uvec2 size = swapchain.size();
    if (!swapchain.acquired_ || target_ || words.bytes() < std::uint64_t{size.x} * size.y * sizeof(std::uint32_t))
        throw std::invalid_argument(
            fmt::format("present of {}: needs an acquired image, at most one call a frame, and a 32-bit word for each of {}x{} pixels",
                        words.desc().name, size.x, size.y));
    target_ = &swapchain;
    const VkImage image = swapchain.images_[swapchain.index_];
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {size.x, size.y, 1};
    const VkCommandBuffer commands = transfer("present", words, false, words.bytes());
    changeLayout(device_.vk, commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    device_.vk.CmdCopyBufferToImage(commands, words.handle(), image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    changeLayout(device_.vk, commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

template <class Copy>
void Recorder::readBytes(std::size_t bytes, ReadCallback deliver, Copy copy) {
    RecorderFrame& f = frame();
    const std::size_t offset = (f.readbackUsed + kCopyAlign - 1) / kCopyAlign * kCopyAlign;
    if (offset + bytes > options_.readbackBytes) {
        throw std::invalid_argument(
            fmt::format("readbackBytes is {}, but this frame reads at least {} bytes", options_.readbackBytes, offset + bytes));
    }
    copy(offset);
    f.readbackUsed = offset + bytes;
    f.deliveries.push_back({f.readback.mapped().subspan(offset, bytes), std::move(deliver)});
}

void Recorder::read(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, ReadCallback deliver) {
    checkRange(buffer, offset, bytes, "read of");
    if (buffer.desc().location == Location::Readback) {  // passes have written it
        frame().readsWritten = true;
        frame().deliveries.push_back({buffer.mapped().subspan(offset, bytes), std::move(deliver)});
        return;
    }
    readBytes(bytes, std::move(deliver), [&](VkDeviceSize target) {
        const VkBufferCopy region{offset, target, bytes};
        device_.vk.CmdCopyBuffer(transfer("read", buffer, false, bytes), buffer.handle(), frame().readback.handle(), 1, &region);
    });
}

void Recorder::read(const Image& image, std::uint64_t offset, std::uint64_t bytes, ReadCallback deliver) {
    readBytes(bytes, std::move(deliver), [&](VkDeviceSize target) {
        const auto boxes = boxesOf(image, offset, bytes, target);
        device_.vk.CmdCopyImageToBuffer(transfer("read", image, false, bytes), image.handle(), VK_IMAGE_LAYOUT_GENERAL,
                                        frame().readback.handle(), static_cast<std::uint32_t>(boxes.size()), boxes.data());
    });
}

}  // namespace wisp::engine
