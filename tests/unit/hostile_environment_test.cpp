// SPDX-License-Identifier: MIT
// Malicious environment images: each is refused or read correctly, within memory bounds, and independently of earlier memory contents.
#include "files/scene/environment_file.h"

#include <gmock/gmock.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tinyexr.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>

namespace wisp::app {
namespace {

using testing::HasSubstr;

constexpr int kCompressions[] = {TINYEXR_COMPRESSIONTYPE_NONE, TINYEXR_COMPRESSIONTYPE_RLE, TINYEXR_COMPRESSIONTYPE_ZIPS,
                                 TINYEXR_COMPRESSIONTYPE_ZIP, TINYEXR_COMPRESSIONTYPE_PIZ};
constexpr glm::uvec2 kSize{19, 37};  // blocks of 16 and of 32 rows, with incomplete last blocks

/// Limits the address space to the needs of the largest allowed file: 4096 x 2048 pixels in eight channels, and the texels.
class MemoryBound {
public:
    MemoryBound() {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        getrlimit(RLIMIT_AS, &before_);
#ifndef __SANITIZE_ADDRESS__  // which reserves much address space
        rlimit limit = before_;
        limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (512u << 20);
        setrlimit(RLIMIT_AS, &limit);
#endif
    }
    ~MemoryBound() { setrlimit(RLIMIT_AS, &before_); }
    MemoryBound(const MemoryBound&) = delete;
    MemoryBound& operator=(const MemoryBound&) = delete;

private:
    rlimit before_{};
};

float valueAt(std::size_t i) { return static_cast<float>(i * 7 % 64) / 16.0f; }  // exact in 16-bit floats

/// An OpenEXR file with channels of these names, each with other values.
std::string exr(int compression, const std::vector<std::string>& names = {"B", "G", "R"}, int kind = TINYEXR_PIXELTYPE_HALF) {
    const std::size_t count = std::size_t{kSize.x} * kSize.y, n = names.size();
    std::vector<std::vector<float>> planes(n, std::vector<float>(count));
    for (std::size_t c = 0; c < n; ++c)
        for (std::size_t i = 0; i < count; ++i) planes[c][i] = valueAt(c * count + i);
    std::vector<unsigned char*> images;
    std::vector<EXRChannelInfo> channels(n);
    for (std::size_t c = 0; c < n; ++c) {
        images.push_back(reinterpret_cast<unsigned char*>(planes[c].data()));
        names[c].copy(channels[c].name, 255);
    }
    std::vector<int> given(n, kind == TINYEXR_PIXELTYPE_UINT ? kind : TINYEXR_PIXELTYPE_FLOAT), wanted(n, kind);
    EXRImage image;
    EXRHeader header;
    InitEXRImage(&image);
    InitEXRHeader(&header);
    image.images = images.data();
    image.width = static_cast<int>(kSize.x);
    image.height = static_cast<int>(kSize.y);
    image.num_channels = header.num_channels = static_cast<int>(n);
    header.channels = channels.data();
    header.pixel_types = given.data();
    header.requested_pixel_types = wanted.data();
    header.compression_type = compression;
    unsigned char* bytes = nullptr;
    const char* error = nullptr;
    const std::size_t size = SaveEXRImageToMemory(&image, &header, &bytes, &error);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    std::free(bytes);
    return file;
}

/// Rows with runs and with single bytes.
std::string hdr(glm::uvec2 size, std::mt19937& generator) {
    std::string file = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(size.y) + " +X " + std::to_string(size.x) + "\n";
    const auto byte = [&](unsigned channel) { return static_cast<char>(channel == 3 ? 120 + generator() % 16 : generator()); };
    for (unsigned row = 0; row < size.y; ++row) {
        for (unsigned i = 0; size.x < 8 && i < 4 * size.x; ++i) file += byte(i % 4);
        if (size.x < 8) continue;
        file += {2, 2, static_cast<char>(size.x >> 8), static_cast<char>(size.x & 255)};
        for (unsigned channel = 0; channel < 4; ++channel)
            for (unsigned x = 0, n = 0; x < size.x; x += n) {
                n = std::min(size.x - x, 1 + static_cast<unsigned>(generator() % 20));
                const bool run = generator() % 2 == 0;
                file += static_cast<char>(run ? 128 + n : n);
                for (unsigned k = 0; k < (run ? 1 : n); ++k) file += byte(channel);
            }
    }
    return file;
}

std::string number(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), 4}; }

/// Offset of the value of this attribute.
std::size_t valueOf(const std::string& file, const std::string& name, const std::string& type) {
    return file.find(name + '\0' + type + '\0') + name.size() + type.size() + 2 + 4;
}

/// Offset of the table of row blocks.
std::size_t tableOf(const std::string& file) {
    std::size_t at = 8;
    while (file[at] != '\0') {
        for (int i = 0; i < 2; ++i) at = file.find('\0', at) + 1;
        std::uint32_t size = 0;
        std::memcpy(&size, &file[at], 4);
        at += 4 + size;
    }
    return at + 1;
}

/// The file with one more attribute before the others.
std::string with(std::string file, const std::string& name, const std::string& type, const std::string& value) {
    const std::string attribute = name + '\0' + type + '\0' + number(static_cast<std::uint32_t>(value.size())) + value;
    std::uint64_t first = 0;
    std::memcpy(&first, &file[tableOf(file)], 8);
    const std::size_t blocks = (first - tableOf(file)) / 8;
    file.insert(8, attribute);
    for (std::size_t i = 0; i < blocks; ++i) {
        std::uint64_t at = 0;
        std::memcpy(&at, &file[tableOf(file) + 8 * i], 8);
        at += attribute.size();
        std::memcpy(&file[tableOf(file) + 8 * i], &at, 8);
    }
    return file;
}

class HostileEnvironment : public testing::Test {
protected:
    void SetUp() override { ASSERT_GE(memory, 0); }
    void TearDown() override { ::close(memory); }
    EnvironmentImage read(const std::string& bytes) {
        EXPECT_EQ(::ftruncate(memory, static_cast<off_t>(bytes.size())), 0);
        EXPECT_EQ(::pwrite(memory, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
        return readEnvironment("/proc/self/fd/" + std::to_string(memory));
    }
    std::string problemOf(const std::string& bytes) {
        try {
            read(bytes);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    /// Reads the file while new memory is filled with `byte`. Returns nothing if the file is refused.
    std::optional<EnvironmentImage> readOver(int byte, const std::string& bytes) {
        mallopt(M_PERTURB, byte);
        std::optional<EnvironmentImage> image;
        try {
            image = read(bytes);
        } catch (const std::runtime_error&) {}
        mallopt(M_PERTURB, 0);
        return image;
    }
    const int memory = ::memfd_create("wisp-hostile", MFD_CLOEXEC);  // in memory, because there are thousands of files
};

TEST_F(HostileEnvironment, EveryCompressionIsRead) {
    constexpr std::size_t kCount = std::size_t{kSize.x} * kSize.y;
    for (const int compression : kCompressions)
        for (const int kind : {TINYEXR_PIXELTYPE_HALF, TINYEXR_PIXELTYPE_FLOAT}) {
            const EnvironmentImage image = read(exr(compression, {"B", "G", "R"}, kind));
            ASSERT_EQ(image.size, kSize);
            for (std::size_t i = 0; i < kCount; ++i)
                ASSERT_EQ(image.texels[i], glm::vec3(valueAt(2 * kCount + i), valueAt(kCount + i), valueAt(i))) << compression << " " << i;
        }
}

TEST_F(HostileEnvironment, RowsMustHaveTheirCoordinates) {
    for (const int compression : kCompressions) {
        const std::string whole = exr(compression);
        std::string downwards = whole;
        downwards[valueOf(whole, "lineOrder", "lineOrder")] = 1;  // changes only the order of blocks in the file
        EXPECT_EQ(read(downwards).texels, read(whole).texels) << compression;
        std::string twice = whole;
        std::uint64_t first = 0;
        std::memcpy(&first, &whole[tableOf(whole)], 8);
        std::memcpy(&twice[tableOf(whole) + 8], &first, 8);
        EXPECT_THAT(problemOf(twice), HasSubstr("has row 0 at the position of row ")) << compression;
        for (const std::uint64_t nowhere : {std::uint64_t{0}, std::uint64_t{whole.size() - 7}, ~std::uint64_t{0}}) {
            std::string lost = whole;
            std::memcpy(&lost[tableOf(whole) + 8], &nowhere, 8);
            EXPECT_THAT(problemOf(lost), HasSubstr("block 1 of rows is missing")) << compression << " " << nowhere;
        }
    }
}

TEST_F(HostileEnvironment, HeadersAreNotTrusted) {
    const std::string whole = exr(TINYEXR_COMPRESSIONTYPE_NONE);
    EXPECT_EQ(problemOf(with(whole, "chunkCount", "int", number(37))), "");
    EXPECT_THAT(problemOf(with(whole, "chunkCount", "int", number(3))), HasSubstr("has a header with 3 blocks of rows, must have 37"));
    EXPECT_THAT(problemOf(with(whole, "chunkCount", "int", number(0x7fffffff))), HasSubstr("must have 37"));
    EXPECT_EQ(problemOf(with(whole, "type", "string", "scanlineimage")), "");
    for (const char* type : {"tiledimage", "deepscanline", "deeptile", "picture"})
        EXPECT_THAT(problemOf(with(whole, "type", "string", type)), HasSubstr("must be a scan line image")) << type;
    std::string many = whole;
    for (int i = 0; i < 300; ++i) many = with(many, "a" + std::to_string(i), "string", "x");
    EXPECT_EQ(problemOf(many), "");
    for (const int flag : {0x02, 0x08, 0x10}) {  // tiled, deep, multi-part
        std::string other = whole;
        other[5] = static_cast<char>(other[5] | flag);
        EXPECT_NE(problemOf(other), "") << flag;
    }
    for (const int compression : {5, 6, 7, 8, 9, 128, 255}) {  // PXR24, B44, B44A, DWAA, DWAB, none
        std::string other = whole;
        other[valueOf(whole, "compression", "compression")] = static_cast<char>(compression);
        EXPECT_THAT(problemOf(other), HasSubstr("must have none, RLE, ZIPS, ZIP or PIZ")) << compression;
    }
    const std::size_t channels = valueOf(whole, "channels", "chlist");  // "B\0", type, linear, samplings
    for (const std::size_t sampling : {10u, 14u}) {
        std::string sparse = whole;
        sparse[channels + sampling] = 2;
        EXPECT_THAT(problemOf(sparse), HasSubstr("has a subsampled channel B, must have a value for every pixel"));
    }
    EXPECT_THAT(problemOf(exr(TINYEXR_COMPRESSIONTYPE_ZIP, {"G", "R"})), HasSubstr("has no channel B"));
    EXPECT_THAT(problemOf(exr(TINYEXR_COMPRESSIONTYPE_ZIP, {"B", "G", "R"}, TINYEXR_PIXELTYPE_UINT)), HasSubstr("channel R of integers"));
    EXPECT_THAT(problemOf(exr(TINYEXR_COMPRESSIONTYPE_ZIP, std::vector<std::string>(9, "R"))), HasSubstr("has 9 channels, at most 8"));
}

TEST_F(HostileEnvironment, WrongRunsAndSizesAreRefused) {
    const auto file = [](const std::string& size, const std::string& rows) {
        return "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + size + "\n" + rows;
    };
    const std::string start("\x02\x02\x00\x08", 4);
    for (const char* size : {"-Y 0 +X 8", "-Y 1 +X 0", "-Y 1 +X -8", "-Y 1 +X 4097", "-Y 2049 +X 8", "-Y 99999999999 +X 99999999999"})
        EXPECT_THAT(problemOf(file(size, std::string(4096, '\x40'))), HasSubstr("pixels, must have")) << size;
    for (const char* size : {"*Y 1 +X 8", "-Y 1 X 8", "+X 8 -Y 1", "-Y 1 +X 0x8", "-Y 1", "", "-Y nan +X inf", "-Y 1 x +X 8"})
        EXPECT_THAT(problemOf(file(size, std::string(4096, '\x40'))), HasSubstr("header")) << size;
    EXPECT_NE(problemOf(file("-Y 1 +X 8", start + std::string(64, '\0'))), "");  // runs of length 0
    EXPECT_THAT(problemOf(file("-Y 1 +X 8", start + std::string("\x89\x40", 2) + std::string(64, '\x40'))),
                HasSubstr("cannot be decoded"));  // a run of 9
    EXPECT_THAT(problemOf(file("-Y 1 +X 8", start + "\x09" + std::string(64, '\x40'))),
                HasSubstr("cannot be decoded"));  // nine single bytes
    EXPECT_THAT(problemOf(file("-Y 1 +X 8", std::string("\x02\x02\x00\x09", 4) + std::string(64, '\x40'))),
                HasSubstr("cannot be decoded"));  // a row of 9 pixels
    EXPECT_THAT(problemOf("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n\x40\x40\x40\x80"), HasSubstr("header"));
    EXPECT_THAT(problemOf("#?RADIANCE\nthis is text\n\nand more of it\n"), HasSubstr("header"));
    EXPECT_THAT(problemOf("#?RADIANCE\n" + std::string(1 << 20, 'x')), HasSubstr("header"));
}

TEST_F(HostileEnvironment, HugeFileIsRefusedUnread) {
    ASSERT_EQ(::ftruncate(memory, static_cast<off_t>(kMaxEnvironmentFileBytes) + 1), 0);  // a sparse file
    try {
        readEnvironment("/proc/self/fd/" + std::to_string(memory));
        FAIL() << "the file must be refused";
    } catch (const std::runtime_error& e) {
        EXPECT_THAT(e.what(), HasSubstr("bytes, at most"));
    }
}

TEST_F(HostileEnvironment, TruncatedFilesAreRefused) {
    std::mt19937 generator(5);
    std::vector<std::string> files{hdr({20, 13}, generator), hdr({5, 3}, generator)};
    for (const int compression : kCompressions) files.push_back(exr(compression));
    for (const std::string& whole : files) {
        EXPECT_EQ(problemOf(whole), "");
        for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 400)
            EXPECT_NE(problemOf(whole.substr(0, size)), "") << size << " of " << whole.size();
    }
}

// Random changes of bits, bytes and pieces of files. The result is an error, or texels in range that do not depend on earlier memory
// contents.
TEST_F(HostileEnvironment, ThousandsOfDamagedFilesDoNoHarm) {
    std::mt19937 generator(23);
    std::vector<std::string> files{hdr({20, 13}, generator), hdr({5, 3}, generator), hdr({300, 2}, generator)};
    for (const int compression : kCompressions)
        for (const int kind : {TINYEXR_PIXELTYPE_HALF, TINYEXR_PIXELTYPE_FLOAT})
            files.push_back(exr(compression, {"A", "B", "G", "R"}, kind));
    files.push_back(with(with(files[3], "chunkCount", "int", number(37)), "type", "string", "scanlineimage"));
    constexpr int kCases = 400;
    int whole = 0;
    double longest = 0.0;
    const MemoryBound bound;
    for (const std::string& origin : files)
        for (int i = 0; i < kCases; ++i) {
            std::string bytes = origin;
            const std::size_t at = generator() % bytes.size(), piece = 1 + generator() % 16;
            const unsigned kind = generator() % 8;
            if (kind == 0) bytes.insert(at, piece, static_cast<char>(generator()));
            if (kind == 1) bytes.erase(at, piece);
            constexpr std::array<unsigned, 6> kEdges{0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
            for (unsigned n = kind < 2 ? 0 : generator() % 4 + 1; n-- > 0;) {
                const std::size_t where = generator() % (generator() % 2 == 0 ? std::min<std::size_t>(bytes.size(), 400) : bytes.size());
                bytes[where] = static_cast<char>(generator() % 2 == 0 ? kEdges[generator() % kEdges.size()] : generator());
            }
            const auto begun = std::chrono::steady_clock::now();
            const std::optional<EnvironmentImage> image = readOver(0x55, bytes);
            longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
            if (!image) continue;
            ++whole;
            for (const glm::vec3& t : image->texels)
                for (int c = 0; c < 3; ++c) ASSERT_TRUE(t[c] >= 0.0f && t[c] <= kMaxRadiance);
            const std::optional<EnvironmentImage> again = readOver(0xaa, bytes);
            ASSERT_TRUE(again && again->size == image->size && again->texels == image->texels)
                << "the result depends on earlier memory contents: case " << i << " of a file of " << origin.size();
        }
    // Some files must be refused and some must be read. None may take long: the largest allowed image takes a second.
    EXPECT_GT(whole, kCases / 10);
    EXPECT_LT(whole, static_cast<int>(files.size()) * kCases / 2);
    EXPECT_LT(longest, 5.0);
}

}  // namespace
}  // namespace wisp::app
