// SPDX-License-Identifier: MIT
// Image files, read back with the libraries of their formats.
#include "files/base/image.h"
#include "tests/support/exr_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace wisp::app {
namespace {

constexpr glm::uvec2 kImageSize{37, 21};
constexpr std::size_t kCount = 37 * 21;

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

/// All kinds of 16-bit floats: normal, subnormal, both zeros, infinity.
std::vector<std::uint16_t> someHalves() {
    std::mt19937 generator(3);
    std::vector<std::uint16_t> halves(4 * kCount);
    for (std::uint16_t& h : halves) h = static_cast<std::uint16_t>(generator() % 0x7c01);
    halves[0] = 0x8000;
    halves[5] = 0xfc00;
    halves[6] = 1;
    return halves;
}

using test::Exr;

TEST(ImageExr, KeepsEveryBitOfRadianceAlphaAndDepth) {
    const std::vector<std::uint16_t> halves = someHalves();
    std::vector<float> depth(kCount);
    for (std::size_t i = 0; i < kCount; ++i) depth[i] = 0.1f * static_cast<float>(i);
    depth[3] = std::numeric_limits<float>::infinity();
    std::vector<std::byte> pixels = bytesOf(halves);
    const std::vector<std::byte> plane = bytesOf(depth);
    pixels.insert(pixels.end(), plane.begin(), plane.end());

    const Exr exr(encode(ImageKind::Exr, kImageSize, pixels));
    ASSERT_EQ(exr.channels.size(), 5u);
    EXPECT_EQ(exr.header.compression_type, TINYEXR_COMPRESSIONTYPE_ZIP);
    EXPECT_EQ(exr.image.width, 37);
    EXPECT_EQ(exr.image.height, 21);
    const std::string names = "RGBA";
    for (std::size_t n = 0; n < 4; ++n) {
        const std::string name(1, names[n]);
        ASSERT_EQ(exr.header.pixel_types[exr.channels.at(name)], TINYEXR_PIXELTYPE_HALF) << name;
        for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(exr.at<std::uint16_t>(name, i), halves[4 * i + n]) << name << i;
    }
    ASSERT_EQ(exr.header.pixel_types[exr.channels.at("Z")], TINYEXR_PIXELTYPE_FLOAT);
    for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(exr.at<float>("Z", i), depth[i]) << i;
}

TEST(ImageExr, NamesThePlane) {
    const Exr exr(encode(ImageKind::Exr, {1, 1}, std::vector<std::byte>(12), 'V'));
    EXPECT_TRUE(exr.channels.contains("V"));
    EXPECT_FALSE(exr.channels.contains("Z"));
}

TEST(ImagePfm, IsLittleEndianAndBeginsAtTheBottom) {
    std::vector<std::uint16_t> halves(4 * 2 * 2, 0x3c00);  // 1
    halves[0] = 0x4000;                                    // 2 in red, at the top left
    halves[4 * 3 + 2] = 0x3800;                            // 0.5 in blue, at the bottom right
    const std::string file = encode(ImageKind::Pfm, {2, 2}, bytesOf(halves));
    const std::string header = "PF\n2 2\n-1.0\n";
    ASSERT_EQ(file.substr(0, header.size()), header);
    std::vector<float> values(12);
    ASSERT_EQ(file.size(), header.size() + 12 * sizeof(float));
    std::memcpy(values.data(), file.data() + header.size(), 12 * sizeof(float));
    EXPECT_EQ(values, (std::vector<float>{1, 1, 1, 1, 1, .5f, 2, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace wisp::app
