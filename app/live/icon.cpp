// SPDX-License-Identifier: MIT
#include "app/live/icon.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <png.h>

#include <span>
#include <vector>

namespace wisp::app {

std::span<const unsigned char> iconFile();  // generated: see cmake/EmbedFile.cmake

void setIcon(GLFWwindow* window) {
    const std::span<const unsigned char> file = iconFile();
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, file.data(), file.size())) return;
    image.format = PNG_FORMAT_RGBA;
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
    if (!png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr)) return;
    const GLFWimage icon{static_cast<int>(image.width), static_cast<int>(image.height), pixels.data()};
    glfwSetWindowIcon(window, 1, &icon);
}

}  // namespace wisp::app
