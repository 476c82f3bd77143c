// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

#include <cstdint>
#include <string>

/// Draws without a window and writes the pictures as PNG files. @param out name of the files, with one %d or %03d for their number
/// @param skip steps of the simulation before the first picture
void drawPictures(Gpu& gpu, VkExtent2D size, std::uint32_t frames, std::uint32_t skip, const std::string& out);
