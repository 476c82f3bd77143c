// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wisp::app {

/// One number a pixel, row by row from the top.
struct ExrChannel {
    std::string name;
    std::span<const std::byte> values;  ///< halves or floats
    bool half = true;
};

/// What else stands in the head, of one of OpenEXR's own types.
struct ExrAttribute {
    ExrAttribute(std::string name, float value);
    ExrAttribute(std::string name, glm::vec3 value);
    ExrAttribute(std::string name, glm::ivec3 value);
    std::string name, type;
    std::vector<std::byte> value;
};

/// A whole OpenEXR file, compressed by ZIP. `channels` are in the order of their names. @throws Failure Output if the encoder fails.
std::string encodeExr(glm::uvec2 size, std::span<const ExrChannel> channels, std::span<const ExrAttribute> attributes = {});

}  // namespace wisp::app
