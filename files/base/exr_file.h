// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wisp {

/// One value per pixel, row by row from the top.
struct ExrChannel {
    std::string name;
    std::span<const std::byte> values;  ///< 16-bit or 32-bit floats
    bool half = true;
};

/// A custom header attribute of a standard OpenEXR type.
struct ExrAttribute {
    ExrAttribute(std::string name, float value);
    ExrAttribute(std::string name, glm::vec3 value);
    ExrAttribute(std::string name, glm::ivec3 value);
    std::string name, type;
    std::vector<std::byte> value;
};

/// Encodes a complete OpenEXR file with ZIP compression. `channels` must be sorted by name. @throws Failure Output if the encoder fails.
std::string encodeExr(glm::uvec2 size, std::span<const ExrChannel> channels, std::span<const ExrAttribute> attributes = {});

}  // namespace wisp
