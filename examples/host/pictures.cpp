// SPDX-License-Identifier: MIT
#include "pictures.h"

#include "frames.h"

#include <png.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace {

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

/// The target of a frame and a copy of it in host memory.
struct Target {
    Image image;
    Buffer pixels;
    std::uint32_t number = 0;  ///< of the picture, from 1; 0: none yet
};

/// Puts the number into the place of %d or %03d. @throws std::invalid_argument if there is no such place.
std::string fileName(const std::string& pattern, std::uint32_t number) {
    const std::size_t percent = pattern.find('%'), d = percent == std::string::npos ? percent : pattern.find('d', percent);
    if (d == std::string::npos || pattern.find_first_not_of("0123456789", percent + 1) != d)
        throw std::invalid_argument("--out is \"" + pattern + "\"; it needs a place for the number, such as picture_%03d.png");
    const std::string width = pattern.substr(percent + 1, d - percent - 1);
    std::string digits = std::to_string(number);
    const std::size_t wanted = width.empty() ? 0 : std::min<std::size_t>(std::stoul(width.substr(0, 3)), 32);
    if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), '0');
    return pattern.substr(0, percent) + digits + pattern.substr(d + 1);
}

void writePng(const std::string& file, VkExtent2D size, const void* pixels) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = size.width;
    png.height = size.height;
    png.format = PNG_FORMAT_RGBA;
    if (!png_image_write_to_file(&png, file.c_str(), 0, pixels, 0, nullptr)) throw std::runtime_error(file + ": " + png.message);
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
}

/// Copies the picture to host memory.
void recordCopy(VkCommandBuffer commands, const Target& target, VkExtent2D size, const Use& drawn) {
    const Use copied{VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
    transition(commands, target.image.image, drawn, copied);
    VkBufferImageCopy all{};
    all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    all.imageExtent = {size.width, size.height, 1};
    vkCmdCopyImageToBuffer(commands, target.image.image, copied.layout, target.pixels.buffer, 1, &all);
    VkMemoryBarrier2 toHost{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    toHost.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
    toHost.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    toHost.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
    toHost.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &toHost;
    vkCmdPipelineBarrier2(commands, &info);
}

}  // namespace

void drawPictures(Gpu& gpu, VkExtent2D size, std::uint32_t count, std::uint32_t skip, const std::string& out) {
    (void)fileName(out, 1);  // before any work
    const Use drawn{VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    std::array<Target, 2> targets;
    for (Target& target : targets) {
        target.image = makeImage(gpu, size, kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                 VK_SAMPLE_COUNT_1_BIT);
        target.pixels = makeBuffer(gpu, VkDeviceSize{4} * size.width * size.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
    const auto write = [&](Target& done) {
        if (const std::uint32_t number = std::exchange(done.number, 0)) writePng(fileName(out, number), size, done.pixels.mapped);
    };
    Frames frames(gpu, kFormat);
    frames.resize(size);
    frames.skip(skip);
    for (std::uint32_t number = 1; number <= count; ++number) {
        const VkCommandBuffer commands = frames.begin();  // the frame before the last one is done
        Target& target = targets[frames.slot()];
        write(target);
        const Use before{VK_IMAGE_LAYOUT_UNDEFINED, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_NONE};
        transition(commands, target.image.image, before, drawn);
        frames.draw(target.image.view);
        recordCopy(commands, target, size, drawn);
        frames.submit();
        target.number = number;
    }
    frames.finish();
    Target& older = targets[targets[0].number > targets[1].number ? 1 : 0];
    write(older);
    write(&older == targets.data() ? targets[1] : targets[0]);
}
