// SPDX-License-Identifier: MIT
// The environment without a GPU: image files and their errors, spherical harmonics.
#include "compute/scene/environment.h"
#include "files/base/image.h"
#include "files/scene/environment_file.h"
#include "files/scene/scene.h"
#include "tests/reference/light.h"

#include <glm/gtc/constants.hpp>
#include <glm/gtc/packing.hpp>
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include <unistd.h>

namespace wisp::app {
namespace {

using glm::dvec3;
using testing::HasSubstr;

constexpr double kPi = glm::pi<double>();

void expectHarmonics(const std::array<glm::vec3, 9>& found, const std::array<double, 9>& expected, double tolerance) {
    for (std::size_t n = 0; n < 9; ++n) EXPECT_NEAR(found[n].x, expected[n], tolerance) << n;
}

TEST(EnvironmentHarmonics, OfOneColourAreThatColour) {
    EnvironmentSettings e;
    e.colour = {0.3f, 0.5f, 0.7f};
    e.intensity = 2.0f;
    for (const bool mirrored : {false, true}) {
        const auto found = environmentHarmonics(environmentMap(e), 0.3f, mirrored);
        for (int c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(found[0][c], 2.0f * e.colour[c]);
        for (std::size_t n = 1; n < 9; ++n) EXPECT_LT(glm::length(found[n]), 1e-6f) << n;
    }
}

TEST(EnvironmentHarmonics, OfGradientsMatchTheirPolynomials) {
    EnvironmentSettings e;
    e.colour = glm::vec3(2.0f);
    e.top = glm::vec3(3.0f);
    e.bottom = glm::vec3(1.0f);
    // Between rows the map is off by up to (pi / 129)^2 / 8 = 7.4e-5, and by four times that at the poles. A coefficient is the mean of the
    // map times at most 15 times its polynomial, whose mean magnitude is below 1/5.
    const double tolerance = 3.0 * 7.4e-5;
    expectHarmonics(environmentHarmonics(environmentMap(e), 0.0f, false), {2.0, 0.0, 1.0}, tolerance);  // 2 + y
    e.colour = glm::vec3(0.0f);
    e.bottom = e.top = glm::vec3(1.0f);
    const std::array<double, 9> even{0.5, 0, 0, 0, 0, 0, 0, 5.0 / 16.0};  // of |y|
    expectHarmonics(environmentHarmonics(environmentMap(e), 0.0f, false), even, tolerance);
    e.bottom = glm::vec3(0.0f);  // the ground hides the lower half
    expectHarmonics(environmentHarmonics(environmentMap(e), 0.0f, true), even, tolerance);
}

// Reference: sum over all directions, with the CPU version of the shader lookup.
TEST(EnvironmentHarmonics, OfAPatchAndOfNoiseMatchTheIntegrals) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
    for (const bool patch : {true, false}) {
        EnvironmentImage map{{8, 5}, std::vector<glm::vec3>(40, glm::vec3(0.0f))};
        for (glm::vec3& texel : map.texels) texel.x = patch ? 0.0f : uniform(generator);
        if (patch) map.texels[8 + 6].x = 10.0f;  // above the horizon, towards +x
        reference::Field field({8, 5, 1});
        for (std::size_t i = 0; i < 40; ++i) field.values()[i].x = map.texels[i].x;
        const double turn = 0.7;
        reference::View view{};
        view.environmentRotation = static_cast<float>(turn / (2.0 * kPi));
        for (const bool mirrored : {false, true}) {
            std::array<double, 9> sums{};
            constexpr int kRows = 400, kColumns = 800;
            for (int row = 0; row < kRows; ++row)
                for (int column = 0; column < kColumns; ++column) {
                    const double theta = kPi * (row + 0.5) / kRows, a = 2.0 * kPi * (column + 0.5) / kColumns;
                    const dvec3 d(std::sin(theta) * std::cos(a), std::cos(theta), std::sin(theta) * std::sin(a));
                    const double L = environmentRadiance(view, field, {d.x, mirrored ? std::abs(d.y) : d.y, d.z}).x;
                    const double area = (std::cos(kPi * row / kRows) - std::cos(kPi * (row + 1) / kRows)) * 2.0 * kPi / kColumns;
                    const double p[9] = {1, d.x, d.y, d.z, d.x * d.y, d.y * d.z, d.z * d.x, 3 * d.y * d.y - 1, d.x * d.x - d.z * d.z};
                    const double square[9] = {1,       1 / 3.,  1 / 3., 1 / 3., 1 / 15.,
                                              1 / 15., 1 / 15., 4 / 5., 4 / 15.};  // means over the sphere
                    for (std::size_t n = 0; n < 9; ++n) sums[n] += area * L * p[n] / (4.0 * kPi * square[n]);
                }
            // Error of the midpoint rule for a product with a second derivative of less than 10 times 20 squared: 200 (pi / 400)^2 / 24.
            expectHarmonics(environmentHarmonics(map, static_cast<float>(turn), mirrored), sums, 6e-4);
        }
    }
}

class EnvironmentFile : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path write(const std::string& bytes, const std::string& name = "x") {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return folder / name;
    }
    std::string problemOf(const std::string& bytes) {
        try {
            readEnvironment(write(bytes));
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    /// An OpenEXR file with these values as 16-bit floats. Alpha is 1 and has no effect.
    static std::string exr(glm::uvec2 size, const std::vector<glm::vec3>& texels) {
        std::vector<std::uint16_t> halves;
        for (const glm::vec3& t : texels)
            for (const float v : {t.x, t.y, t.z, 1.0f}) halves.push_back(glm::packHalf1x16(v));
        std::vector<std::byte> bytes(12 * texels.size());
        std::memcpy(bytes.data(), halves.data(), 8 * texels.size());
        return encode(ImageKind::Exr, size, bytes, 'Z');
    }
    /// `rows` rows of 8 pixels. Each channel of a row is one run. The radiance is (1, 2, 1/2).
    static std::string hdr(int rows, const std::string& height = {}) {
        std::string file = "#?RADIANCE\n# comment\nFORMAT=32-bit_rle_rgbe\n\n-Y " + (height.empty() ? std::to_string(rows) : height) +
                           " +X 8\n";
        for (int row = 0; row < rows; ++row) {
            file += std::string("\x02\x02\x00\x08", 4);
            for (const int value : {64, 128, 32, 130}) file += {static_cast<char>(128 + 8), static_cast<char>(value)};
        }
        return file;
    }
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("wisp-environment-" + std::to_string(::getpid()));
};

TEST_F(EnvironmentFile, HdrIsRead) {
    const EnvironmentImage image = readEnvironment(write(hdr(3)));
    EXPECT_EQ(image.size, glm::uvec2(8, 3));
    ASSERT_EQ(image.texels.size(), 24u);
    for (const glm::vec3& t : image.texels) EXPECT_EQ(t, glm::vec3(1.0f, 2.0f, 0.5f));
    // Images with fewer than 8 columns have no run-length encoding.
    const std::string flat = std::string("#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n") + "\x40\x80\x20\x82\x80\x40\x20\x83";
    const std::vector<glm::vec3> expected{{1.0f, 2.0f, 0.5f}, {4.0f, 2.0f, 1.0f}};
    EXPECT_EQ(readEnvironment(write(flat)).texels, expected);
    for (std::size_t cut = 1; cut <= 8; ++cut) EXPECT_THAT(problemOf(flat.substr(0, flat.size() - cut)), HasSubstr("truncated")) << cut;
}

TEST_F(EnvironmentFile, ExrIsRead) {
    const std::vector<glm::vec3> texels{{1.0f, 2.0f, 0.5f}, {4.0f, 2.0f, 1.0f}, {0.0f, 65504.0f, 3.0f},
                                        {7.0f, 8.0f, 9.0f}, {0.25f, 0, 0},      {0, 0, 0.125f}};
    const EnvironmentImage image = readEnvironment(write(exr({3, 2}, texels)));
    EXPECT_EQ(image.size, glm::uvec2(3, 2));
    EXPECT_EQ(image.texels, texels);
}

/// An OpenEXR file of one block of rows with another attribute at the start of its header.
std::string withAttribute(std::string file, const std::string& name, const std::string& type, const std::string& value) {
    const auto number = [](std::uint64_t n, std::size_t bytes) {
        std::string text;
        for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(n >> 8 * i & 0xff);
        return text;
    };
    const std::string attribute = name + '\0' + type + '\0' + number(value.size(), 4) + value;
    std::size_t table = 8;  // the entry of the only block, which follows it
    while (file.substr(table, 8) != number(table + 8, 8)) ++table;
    file.replace(table, 8, number(table + 8 + attribute.size(), 8));
    return file.insert(8, attribute);
}

/// The same with another value of an attribute that it has.
std::string withValue(std::string file, const std::string& name, const std::string& type, const std::string& value) {
    return file.replace(file.find(name + '\0' + type + '\0') + name.size() + type.size() + 2 + 4, value.size(), value);
}

template <class T>
std::string bytesOf(const std::vector<T>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

// The display window is the image (OpenEXR, "Technical Introduction"): Nuke's autocrop stores less, overscan stores more.
TEST_F(EnvironmentFile, TheImageIsTheDisplayWindow) {
    std::vector<glm::vec3> texels;
    for (int i = 0; i < 12; ++i) texels.emplace_back(static_cast<float>(i + 1));  // 4 x 3
    const std::string whole = exr({4, 3}, texels);
    const auto shown = [&](int lowX, int lowY, int highX, int highY) {
        return readEnvironment(write(withValue(whole, "displayWindow", "box2i", bytesOf<std::int32_t>({lowX, lowY, highX, highY}))));
    };
    EXPECT_EQ(shown(0, 0, 3, 2).texels, texels);
    std::vector<glm::vec3> higher = texels;
    higher.resize(24);  // black
    EXPECT_EQ(shown(0, 0, 3, 5).texels, higher);
    const EnvironmentImage inner = shown(1, 1, 2, 2);
    EXPECT_EQ(inner.size, glm::uvec2(2, 2));
    EXPECT_EQ(inner.texels, (std::vector<glm::vec3>{texels[5], texels[6], texels[9], texels[10]}));
    const EnvironmentImage around = shown(-2, -1, 3, 1);
    EXPECT_EQ(around.size, glm::uvec2(6, 3));
    for (std::size_t i = 0; i < around.texels.size(); ++i) {
        const std::size_t x = i % 6, y = i / 6;
        EXPECT_EQ(around.texels[i], x < 2 || y < 1 ? glm::vec3(0.0f) : texels[(y - 1) * 4 + x - 2]) << i;
    }
    for (const glm::vec3& t : shown(100, 100, 103, 102).texels) EXPECT_EQ(t, glm::vec3(0.0f));
    const auto refused = [&](const std::vector<std::int32_t>& window) {
        return problemOf(withValue(whole, "displayWindow", "box2i", bytesOf(window)));
    };
    EXPECT_THAT(refused({0, 0, 100000, 2}), HasSubstr("100001x3 pixels"));
    EXPECT_THAT(refused({0, 0, -5, 2}), HasSubstr("-4x3 pixels"));
    EXPECT_THAT(refused({INT32_MIN, 0, INT32_MAX, 2}), HasSubstr("4294967296x3 pixels"));
}

// AP1, the primaries of ACEScg, to Rec. 709: the matrix that the ACES project publishes (ACEScg_to_sRGB, Bradford), to four decimals.
TEST_F(EnvironmentFile, PrimariesAreConverted) {
    const std::vector<float> ap1{0.713f, 0.293f, 0.165f, 0.830f, 0.128f, 0.044f, 0.32168f, 0.33767f};
    const std::vector<float> rec709{0.64f, 0.33f, 0.30f, 0.60f, 0.15f, 0.06f, 0.3127f, 0.3290f};
    const std::vector<glm::vec3> texels{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {4, 2, 1}};
    const std::string whole = exr({5, 1}, texels);
    const auto with = [&](const std::vector<float>& c) { return withAttribute(whole, "chromaticities", "chromaticities", bytesOf(c)); };
    EXPECT_EQ(readEnvironment(write(with(rec709))).texels, texels);
    const glm::dmat3 published(1.7051, -0.1303, -0.0240, -0.6218, 1.1408, -0.1290, -0.0833, -0.0105, 1.1530);
    const EnvironmentImage image = readEnvironment(write(with(ap1)));
    for (std::size_t i = 0; i < texels.size(); ++i) {
        const dvec3 expected = glm::max(published * dvec3(texels[i]), 0.0);  // Rec. 709 has no such green and no such blue
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.texels[i][c], expected[c], 7.0 * 5e-5 + 1e-4) << i << " " << c;
    }
    std::vector<float> broken = ap1;
    broken[3] = 0.0f;
    EXPECT_THAT(problemOf(with(broken)), HasSubstr("span no colours"));
    EXPECT_THAT(problemOf(with({0.1f, 0.1f, 0.2f, 0.2f, 0.3f, 0.3f, 0.3f, 0.3f})), HasSubstr("span no colours"));
    EXPECT_THAT(problemOf(with(std::vector<float>(8, NAN))), HasSubstr("span no colours"));
}

// Radiance multiplies the values of a file by EXPOSURE and COLORCORR, each of which may be there several times.
TEST_F(EnvironmentFile, RadianceHeadersAreHonoured) {
    const auto texelOf = [&](const std::string& lines) {
        std::string file = hdr(1);
        return readEnvironment(write(file.insert(file.find("FORMAT"), lines))).texels[0];
    };
    EXPECT_EQ(texelOf("EXPOSURE=1.0\nVIEW= -vf 2\n"), glm::vec3(1.0f, 2.0f, 0.5f));
    EXPECT_EQ(texelOf("EXPOSURE=4.0\n"), glm::vec3(0.25f, 0.5f, 0.125f));
    EXPECT_EQ(texelOf("EXPOSURE= 4\nEXPOSURE=0.5\nCOLORCORR=2 1 0.5\n"), glm::vec3(0.25f, 1.0f, 0.5f));
    EXPECT_EQ(texelOf("PRIMARIES=0.64 0.33 0.30 0.60 0.15 0.06 0.3127 0.3290\n"), glm::vec3(1.0f, 2.0f, 0.5f));
    const glm::vec3 other = texelOf("PRIMARIES=0.713 0.293 0.165 0.830 0.128 0.044 0.32168 0.33767\n");
    EXPECT_NEAR(other.y, -0.1303 + 2.0 * 1.1408 - 0.5 * 0.0105, 3e-4);
    const auto refused = [&](const std::string& lines) {
        std::string file = hdr(1);
        return problemOf(file.insert(file.find("FORMAT"), lines));
    };
    for (const std::string bad : {"EXPOSURE=0", "EXPOSURE=-1", "EXPOSURE=", "EXPOSURE=nan", "COLORCORR=1 1", "PRIMARIES=1 2 3"})
        EXPECT_THAT(refused(bad + "\n"), HasSubstr("has the line " + bad)) << bad;
    EXPECT_THAT(refused("EXPOSURE=x\n"), HasSubstr("must have a number"));
    EXPECT_THAT(refused("COLORCORR=1 1\n"), HasSubstr("must have 3 numbers"));
}

TEST_F(EnvironmentFile, UnreadableKindsOfExrAreNamed) {
    const std::string whole = exr({4, 3}, std::vector<glm::vec3>(12));
    const auto compressed = [&](char n) { return problemOf(withValue(whole, "compression", "compression", std::string(1, n))); };
    EXPECT_EQ(compressed(3), "");
    for (const auto& [number, name] : {std::pair('\x05', "PXR24"),
                                       {'\x06', "B44"},
                                       {'\x07', "B44A"},
                                       {'\x08', "DWAA"},
                                       {'\x09', "DWAB"},
                                       {'\x0a', "HTJ2K256"},
                                       {'\x0d', "number 13"}})
        EXPECT_THAT(compressed(number), HasSubstr(std::string("the compression ") + name + ", must have none, RLE, ZIPS, ZIP or PIZ"));
    std::string none = whole;
    const std::string head = std::string("compression") + '\0' + "compression" + '\0';
    none[none.find(head) + head.size()] = 0;  // the size of the value
    EXPECT_THAT(problemOf(none), HasSubstr("compression that is not 1 byte"));
    EXPECT_EQ(problemOf(withAttribute(whole, "envmap", "envmap", std::string(1, '\0'))), "");
    EXPECT_THAT(problemOf(withAttribute(whole, "envmap", "envmap", "\x01")), HasSubstr("cube map"));
}

TEST_F(EnvironmentFile, HostileFilesAreRefusedWithTheReason) {
    EXPECT_THAT(problemOf(""), HasSubstr("neither"));
    EXPECT_THAT(problemOf("\x89PNG\r\n\x1a\n"), HasSubstr("neither"));
    EXPECT_THAT(problemOf("#?RADIANCE\n"), HasSubstr("header"));
    EXPECT_THAT(problemOf("#?RADIANCE\n\n\n\n"), HasSubstr("header"));
    EXPECT_THAT(problemOf(hdr(1, "0")), HasSubstr("8x0 pixels"));
    EXPECT_THAT(problemOf(hdr(1, "-7")), HasSubstr("8x-7 pixels"));
    EXPECT_THAT(problemOf(hdr(1, "2000000000")), HasSubstr("pixels, must have"));
    EXPECT_THAT(problemOf(hdr(1, "99999999999999999999")), HasSubstr("pixels, must have"));
    EXPECT_THAT(problemOf(hdr(1, "2")), HasSubstr("truncated"));
    const std::string rows = hdr(3);
    for (std::size_t cut = 1; cut <= 36; ++cut) EXPECT_THAT(problemOf(rows.substr(0, rows.size() - cut)), HasSubstr("truncated")) << cut;
    EXPECT_THAT(problemOf(rows.substr(0, 40)), HasSubstr("header"));
    std::string runs = rows;
    runs[runs.size() - 4] = static_cast<char>(0xff);  // a run beyond the end of the row
    EXPECT_THAT(problemOf(runs), HasSubstr("cannot be decoded"));
    std::string bright = rows;
    bright.back() = static_cast<char>(0xf0);
    EXPECT_THAT(problemOf(bright), HasSubstr("column 0 of row 2, must be from 0 to"));

    const std::vector<glm::vec3> texels(64 * 32, glm::vec3(0.5f, 1.0f, 2.0f));
    const std::string whole = exr({64, 32}, texels);
    EXPECT_EQ(problemOf(whole), "");
    for (std::size_t size = 4; size < whole.size(); size += 1 + size / 16) EXPECT_NE(problemOf(whole.substr(0, size)), "") << size;
    for (const float bad : {NAN, INFINITY, -1.0f}) {
        std::vector<glm::vec3> values = texels;
        values[65].y = bad;
        EXPECT_THAT(problemOf(exr({64, 32}, values)), HasSubstr("in column 1 of row 1, must be from 0 to"));
    }
    std::string huge = whole;
    const std::size_t window = huge.find("dataWindow") + 11 + 6 + 4;  // name, type, size, then four int32
    huge.replace(window + 8, 4, "\xff\xff\xff\x0f", 4);
    EXPECT_THAT(problemOf(huge), HasSubstr("pixels, must have"));
    huge.replace(window + 8, 4, "\xff\xff\xff\x7f", 4);
    EXPECT_NE(problemOf(huge), "");
    std::string other = whole;
    other.replace(other.find("channels\0chlist", 0, 15) + 16 + 4 + 18, 1, "U");  // B is the second channel, 18 bytes each
    EXPECT_THAT(problemOf(other), HasSubstr("has no channel B"));
    EXPECT_THROW(readEnvironment(folder / "none.hdr"), std::runtime_error);
    EXPECT_THROW(readEnvironment(folder), std::runtime_error);
}

// A damaged file is read or refused, without harm.
TEST_F(EnvironmentFile, DamagedFilesDoNoHarm) {
    std::mt19937 generator(11);
    const std::string files[] = {hdr(6), exr({8, 6}, std::vector<glm::vec3>(48, glm::vec3(0.5f)))};
    for (const std::string& whole : files)
        for (int i = 0; i < 300; ++i) {
            std::string bytes = whole;
            for (unsigned n = generator() % 4 + 1; n-- > 0;) bytes[generator() % bytes.size()] = static_cast<char>(generator());
            problemOf(bytes);
        }
}

class EnvironmentKeys : public EnvironmentFile {
protected:
    Settings parse(const std::string& text) { return parseScene(text, (folder / "t.toml").string()); }
    std::string errors(const std::string& text) {
        try {
            parse(text);
        } catch (const SceneFailure& e) {
            return e.what();
        }
        return {};
    }
};

TEST_F(EnvironmentKeys, AreRead) {
    write(hdr(3), "sky.hdr");
    const EnvironmentSettings e = parse("[environment]\nimage = \"sky.hdr\"\nintensity = 2\nrotation = 90\nground = true").environment;
    ASSERT_TRUE(e.image);
    EXPECT_EQ(e.image->size, glm::uvec2(8, 3));
    EXPECT_EQ(environmentMap(e).texels[5], glm::vec3(2.0f, 4.0f, 1.0f));
    EXPECT_FLOAT_EQ(e.rotation, glm::half_pi<float>());
    EXPECT_TRUE(e.ground);
    const EnvironmentSettings g = parse("[environment]\ncolour = [1, 2, 3]\ntop = [4, 5, 6]\nbottom = [7, 8, 9]").environment;
    EXPECT_EQ(g.colour, glm::vec3(1, 2, 3));
    EXPECT_EQ(*g.top, glm::vec3(4, 5, 6));
    EXPECT_EQ(*g.bottom, glm::vec3(7, 8, 9));
    const LightSettings light =
        parse("[[light]]\ntype = \"spot\"\nangle = 30\nsoftness = 0.5\nposition = [0, 1, 0]\ndirection = [0, -1, 0]").lights[0];
    EXPECT_EQ(light.kind, LightKind::Spot);
    EXPECT_FLOAT_EQ(light.angle, glm::radians(30.0f));
    EXPECT_EQ(light.softness, 0.5f);
}

TEST_F(EnvironmentKeys, AreRefusedByName) {
    write("rubbish", "bad.hdr");
    EXPECT_THAT(errors("[environment]\nimage = \"bad.hdr\""), HasSubstr("t.toml:2:9: environment.image: bad.hdr: is neither"));
    EXPECT_THAT(errors("[environment]\nimage = \"none.exr\""), HasSubstr("environment.image: none.exr: does not exist"));
    EXPECT_THAT(errors("[environment]\nimage = \"bad.hdr\"\ntop = [1, 1, 1]"), HasSubstr("environment.top: cannot be combined with image"));
    EXPECT_THAT(errors("[environment]\nrotation = 10"), HasSubstr("environment.rotation: has no effect without environment.image"));
    EXPECT_THAT(errors("[environment]\ntop = [1, -1, 1]"), HasSubstr("environment.top: is [1, -1, 1]"));
    EXPECT_THAT(errors("[environment]\nintensity = -1"), HasSubstr("environment.intensity"));
    EXPECT_THAT(errors("[[light]]\nangle = 20"), HasSubstr("light[0].angle: is only for type = \"spot\""));
    EXPECT_THAT(errors("[[light]]\ntype = \"spot\"\nangle = 0"), HasSubstr("light[0].angle: is 0 degrees"));
    EXPECT_THAT(errors("[[light]]\ntype = \"spot\"\nsoftness = 2"), HasSubstr("light[0].softness"));
    EXPECT_THAT(errors("[[light]]\ntype = \"spot\"\ndirection = [0, 0, 0]"), HasSubstr("light[0].direction"));
}

}  // namespace
}  // namespace wisp::app
