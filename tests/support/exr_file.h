// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <tinyexr.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <string>

namespace wisp::test {

/// An OpenEXR file, read with the OpenEXR library.
struct Exr {
    EXRHeader header;
    EXRImage image;
    std::map<std::string, std::size_t> channels;

    explicit Exr(const std::string& file) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
        EXRVersion version;
        const char* error = nullptr;
        InitEXRHeader(&header);
        InitEXRImage(&image);
        EXPECT_EQ(ParseEXRVersionFromMemory(&version, bytes, file.size()), TINYEXR_SUCCESS);
        EXPECT_EQ(ParseEXRHeaderFromMemory(&header, &version, bytes, file.size(), &error), TINYEXR_SUCCESS);
        EXPECT_EQ(LoadEXRImageFromMemory(&image, &header, bytes, file.size(), &error), TINYEXR_SUCCESS);
        for (int c = 0; c < header.num_channels; ++c) channels[header.channels[c].name] = static_cast<std::size_t>(c);
    }
    ~Exr() {
        FreeEXRImage(&image);
        FreeEXRHeader(&header);
    }
    Exr(const Exr&) = delete;
    Exr& operator=(const Exr&) = delete;

    template <class T>
    [[nodiscard]] T at(const std::string& channel, std::size_t pixel) const {
        T value;
        std::memcpy(&value, image.images[channels.at(channel)] + pixel * sizeof(T), sizeof(T));
        return value;
    }

    /// Returns an attribute of the header by name. The attribute must exist and must have this type.
    template <class T>
    [[nodiscard]] T attribute(const std::string& name, const std::string& type) const {
        T value{};
        bool found = false;
        for (int a = 0; a < header.num_custom_attributes; ++a) {
            const EXRAttribute& attribute = header.custom_attributes[a];
            if (attribute.name != name) continue;
            found = true;
            EXPECT_EQ(attribute.type, type) << name;
            EXPECT_EQ(attribute.size, static_cast<int>(sizeof(T))) << name;
            std::memcpy(&value, attribute.value, sizeof(T));
        }
        EXPECT_TRUE(found) << name;
        return value;
    }
};

}  // namespace wisp::test
