// SPDX-License-Identifier: MIT
#include "files/base/exr_file.h"

#include "files/base/failure.h"

#include <tinyexr.h>

#include <cstdlib>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace wisp {
namespace {

template <class T>
std::vector<std::byte> bytesOf(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return {bytes.begin(), bytes.end()};
}

/// tinyexr takes pointers to non-const data but does not modify the data.
unsigned char* pointerTo(std::span<const std::byte> bytes) {
    return reinterpret_cast<unsigned char*>(const_cast<std::byte*>(bytes.data()));
}

/// tinyexr limits names to 255 characters. Longer names are truncated.
template <std::size_t size>
void setName(char (&to)[size], const std::string& name) {
    to[name.copy(to, size - 1)] = '\0';
}

}  // namespace

ExrAttribute::ExrAttribute(std::string n, float v) : name(std::move(n)), type("float"), value(bytesOf(v)) {}
ExrAttribute::ExrAttribute(std::string n, glm::vec3 v) : name(std::move(n)), type("v3f"), value(bytesOf(v)) {}
ExrAttribute::ExrAttribute(std::string n, glm::ivec3 v) : name(std::move(n)), type("v3i"), value(bytesOf(v)) {}

std::string encodeExr(glm::uvec2 size, std::span<const ExrChannel> channels, std::span<const ExrAttribute> attributes) {
    std::vector<unsigned char*> planes;
    std::vector<EXRChannelInfo> infos(channels.size());
    std::vector<int> types;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        if (channels[c].values.size() != std::size_t{size.x} * size.y * (channels[c].half ? 2 : 4))
            throw std::logic_error("the size of the channel data does not match the image size");
        planes.push_back(pointerTo(channels[c].values));
        types.push_back(channels[c].half ? TINYEXR_PIXELTYPE_HALF : TINYEXR_PIXELTYPE_FLOAT);
        setName(infos[c].name, channels[c].name);
    }
    std::vector<EXRAttribute> custom(attributes.size());
    for (std::size_t a = 0; a < attributes.size(); ++a) {
        setName(custom[a].name, attributes[a].name);
        setName(custom[a].type, attributes[a].type);
        custom[a].value = pointerTo(attributes[a].value);
        custom[a].size = static_cast<int>(attributes[a].value.size());
    }
    EXRHeader header;
    InitEXRHeader(&header);
    header.num_channels = static_cast<int>(channels.size());
    header.channels = infos.data();
    header.pixel_types = types.data();
    header.requested_pixel_types = types.data();
    header.compression_type = TINYEXR_COMPRESSIONTYPE_ZIP;
    header.num_custom_attributes = static_cast<int>(custom.size());
    header.custom_attributes = custom.data();
    EXRImage image;
    InitEXRImage(&image);
    image.num_channels = header.num_channels;
    image.images = planes.data();
    image.width = static_cast<int>(size.x);
    image.height = static_cast<int>(size.y);

    unsigned char* bytes = nullptr;
    const char* error = nullptr;
    const std::size_t length = SaveEXRImageToMemory(&image, &header, &bytes, &error);
    if (length == 0) {
        const std::string reason = error != nullptr ? error : "no reason given";
        FreeEXRErrorMessage(error);
        throw Failure(Exit::Output, "the EXR encoder failed: " + reason);
    }
    std::string file(reinterpret_cast<const char*>(bytes), length);
    std::free(bytes);
    return file;
}

}  // namespace wisp
