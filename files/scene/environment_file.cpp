// SPDX-License-Identifier: MIT
#include "files/scene/environment_file.h"

#include "files/base/text_file.h"
#include "files/scene/files_in_use.h"
#include "files/scene/image_colours.h"

#include "compute/scene/environment.h"

#include <fmt/format.h>
#include <glm/vector_relational.hpp>
#include <stb/stb_image.h>
#include <tinyexr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <locale>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace wisp {
namespace {

constexpr int kMaxExrChannels = 8;  // limits memory: all channels are decoded, although only three are used

struct Free {
    void operator()(void* p) const { std::free(p); }
};
using Floats = std::unique_ptr<float, Free>;

void checkSize(std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > kMaxEnvironmentWidth || height > kMaxEnvironmentHeight)
        throw std::runtime_error(
            fmt::format("has {}x{} pixels, must have from 1x1 to {}x{}", width, height, kMaxEnvironmentWidth, kMaxEnvironmentHeight));
}

/// @param texel returns the radiance of a texel index
template <class Texel>
EnvironmentImage imageOf(glm::uvec2 size, Texel&& texel) {
    EnvironmentImage image{size, {}};
    const std::size_t count = std::size_t{size.x} * size.y;
    image.texels.reserve(count);
    for (std::size_t i = 0; i < count; ++i) image.texels.push_back(texel(i));
    if (const std::string problem = environmentProblem(image); !problem.empty()) throw std::runtime_error(problem);
    return image;
}

/// Input of stb_image. In a truncated row, stb_image would loop forever. Source therefore returns bytes after the end of the file that
/// terminate every row, and sets `isShort`.
class Source {
public:
    explicit Source(std::string_view bytes) : rest_(bytes) {}
    static stbi_io_callbacks callbacks() { return {&Source::read, &Source::skip, &Source::atEnd}; }
    bool isShort = false;

private:
    static int read(void* self, char* data, int wanted) {
        auto& s = *static_cast<Source*>(self);
        const std::size_t size = static_cast<std::size_t>(wanted), got = std::min(size, s.rest_.size());
        std::memcpy(data, s.rest_.data(), got);
        s.rest_.remove_prefix(got);
        // stb_image fills its buffer of 128 bytes ahead of use. A smaller read is for data that it needs now.
        constexpr std::size_t kAhead = 128;
        if (got == size || (got > 0 && size >= kAhead)) return static_cast<int>(got);
        std::memset(data + got, 0xff, size - got);
        s.isShort = true;
        return wanted;
    }
    static void skip(void* self, int count) {
        auto& s = *static_cast<Source*>(self);
        s.rest_.remove_prefix(std::min(static_cast<std::size_t>(std::max(count, 0)), s.rest_.size()));
    }
    static int atEnd(void* self) { return static_cast<Source*>(self)->rest_.empty() ? 1 : 0; }
    std::string_view rest_;
};

/// The numbers of a line of the header, such as "EXPOSURE=2.5".
template <std::size_t N>
std::array<double, N> numbersOf(std::string_view name, const std::string& text) {
    std::array<double, N> numbers{};
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    for (double& n : numbers)
        if (!(in >> n) || !std::isfinite(n))
            throw std::runtime_error(fmt::format("has the line {}={} in its header, must have {} numbers", name, text, N));
    return numbers;
}

/// How a Radiance header changes values. They were multiplied by every EXPOSURE and COLORCORR (Ward, "Radiance file formats").
ImageColours coloursOfHdr(std::string_view header) {
    ImageColours colours;
    std::istringstream lines{std::string(header)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = std::min(line.find('='), line.size());
        const std::string name = line.substr(0, equals), text = line.substr(std::min(equals + 1, line.size()));
        glm::dvec3 multiplied(1.0);
        if (name == "EXPOSURE") multiplied = glm::dvec3(numbersOf<1>(name, text)[0]);
        if (name == "COLORCORR") {
            const auto [r, g, b] = numbersOf<3>(name, text);
            multiplied = {r, g, b};
        }
        if (!glm::all(glm::greaterThan(multiplied, glm::dvec3(0.0))))
            throw std::runtime_error(fmt::format("has the line {}={} in its header, must be above 0", name, text));
        colours.factor /= multiplied;
        if (name == "PRIMARIES") colours.toRec709 = toRec709(numbersOf<8>(name, text));
    }
    return colours;
}

EnvironmentImage readHdr(const std::string& bytes) {
    const std::size_t end = bytes.find("\n\n");
    if (end == std::string::npos) throw std::runtime_error("is truncated in its header");  // stb_image would loop forever
    const ImageColours colours = coloursOfHdr(std::string_view(bytes).substr(0, end));
    int width = 0, height = 0, channels = 0;
    const stbi_io_callbacks callbacks = Source::callbacks();
    Source head(bytes);
    if (stbi_info_from_callbacks(&callbacks, &head, &width, &height, &channels) == 0)
        throw std::runtime_error("has an unsupported header: must be FORMAT=32-bit_rle_rgbe and -Y height +X width");
    checkSize(width, height);
    Source source(bytes);
    const Floats values(stbi_loadf_from_callbacks(&callbacks, &source, &width, &height, &channels, 3));
    if (source.isShort) throw std::runtime_error("is truncated");
    if (!values) throw std::runtime_error(fmt::format("cannot be decoded: {}", stbi_failure_reason()));
    return imageOf({static_cast<unsigned>(width), static_cast<unsigned>(height)}, [&](std::size_t i) {
        return colours(glm::vec3(values.get()[3 * i], values.get()[3 * i + 1], values.get()[3 * i + 2]));
    });
}

/// Owns the memory that tinyexr allocates while reading.
struct Exr {
    EXRHeader header{};
    EXRImage image{};
    const char* error = nullptr;
    bool decoded = false;  // if decoding fails, tinyexr frees the image but keeps its pointers

    Exr() {
        InitEXRHeader(&header);
        InitEXRImage(&image);
    }
    ~Exr() {
        if (decoded) FreeEXRImage(&image);
        FreeEXRHeader(&header);
        FreeEXRErrorMessage(error);
    }
    Exr(const Exr&) = delete;
    Exr& operator=(const Exr&) = delete;

    void check(int status) const {
        if (status != TINYEXR_SUCCESS)
            throw std::runtime_error(fmt::format("cannot be decoded: {}", error != nullptr ? error : "a broken header"));
    }
    void decode(const unsigned char* data, std::size_t size) {
        // tinyexr would flip images with decreasing line order, although every row stores its position.
        header.line_order = 0;
        image.num_channels = header.num_channels;  // number of channels that tinyexr frees if decoding fails
        check(LoadEXRImageFromMemory(&image, &header, data, size, &error));
        decoded = true;
    }
    /// Values of a channel by name.
    [[nodiscard]] const float* plane(std::string_view name) const {
        for (int c = 0; c < image.num_channels; ++c)
            if (header.channels[c].name == name) return reinterpret_cast<const float*>(image.images[c]);
        throw std::runtime_error(fmt::format("has no channel {}", name));
    }
};

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Calls `take` with the name and the value of each attribute of a header, up to the first damaged one, which tinyexr reports.
template <class Take>
void eachAttribute(std::string_view header, Take&& take) {
    while (!header.empty() && header[0] != '\0') {
        std::string_view fields[2];  // name, type
        for (std::string_view& field : fields) {
            const std::size_t length = header.find('\0');
            if (length == std::string_view::npos) return;
            field = header.substr(0, length);
            header.remove_prefix(length + 1);
        }
        if (header.size() < 4) return;
        const std::uint64_t size = littleEndian(header.substr(0, 4));
        if (size > header.size() - 4) return;
        take(fields[0], header.substr(4, size));
        header.remove_prefix(4 + size);
    }
}

void checkCompression(std::string_view value) {
    static constexpr std::array<std::string_view, 10> kNames{"none", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"};
    constexpr std::size_t kRead = 5;  // those that tinyexr can decode exactly
    const auto number = value.size() == 1 ? static_cast<unsigned char>(value[0]) : kNames.size();
    if (number < kRead) return;
    throw std::runtime_error(fmt::format("has the compression {}, must have none, RLE, ZIPS, ZIP or PIZ: save it with one of them",
                                         number < kNames.size() ? std::string(kNames[number]) : "of an unknown number"));
}

/// Rejects what is not supported: part types, for which tinyexr would terminate the program; compressions; cube maps. Returns how the
/// header changes values. Other errors are left to tinyexr.
ImageColours coloursOf(std::string_view header) {
    ImageColours colours;
    eachAttribute(header, [&](std::string_view name, std::string_view value) {
        const std::string_view word = value.substr(0, value.find('\0'));
        if (name == "type" && !word.empty() && word != "scanlineimage")
            throw std::runtime_error("has an unsupported type, must be a scan line image");
        if (name == "compression") checkCompression(value);
        if (name == "envmap" && value == "\x01") throw std::runtime_error("is a cube map, must be a map of longitude and latitude");
        if (name != "chromaticities" || value.size() != 32) return;
        Chromaticities c{};
        for (std::size_t n = 0; n < c.size(); ++n)
            c[n] = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(littleEndian(value.substr(4 * n, 4)))));
        colours.toRec709 = toRec709(c);
    });
    return colours;
}

std::uint64_t bytesOfRows(const EXRHeader& header, int rows) {
    std::uint64_t pixel = 0;
    for (int c = 0; c < header.num_channels; ++c) pixel += header.pixel_types[c] == TINYEXR_PIXELTYPE_HALF ? 2 : 4;
    return pixel * static_cast<std::uint64_t>(header.data_window.max_x - header.data_window.min_x + 1) * static_cast<std::uint64_t>(rows);
}

/// Checks that the value table and the coded data of a PIZ block lie within the block. tinyexr does not check this.
void checkPiz(std::string_view packed) {
    const auto number = [&](std::size_t at, std::size_t bytes) {
        if (packed.size() < at + bytes) throw std::runtime_error("is truncated within a block of rows");
        return littleEndian(packed.substr(at, bytes));
    };
    const std::uint64_t least = number(0, 2), greatest = number(2, 2);
    const std::size_t coded = 4 + (least <= greatest ? greatest - least + 1 : 0);
    if (number(coded, 4) > packed.size() - coded - 4) throw std::runtime_error("is truncated within a block of rows");
}

/// Every row must exist once at its position, because tinyexr leaves missing rows uninitialized.
void checkChunks(const EXRHeader& header, std::string_view bytes) {
    const int lines = header.compression_type == TINYEXR_COMPRESSIONTYPE_PIZ   ? 32
                      : header.compression_type == TINYEXR_COMPRESSIONTYPE_ZIP ? 16
                                                                               : 1;
    const int count = (header.data_window.max_y - header.data_window.min_y) / lines + 1;
    if (header.chunk_count != 0 && header.chunk_count != count)
        throw std::runtime_error(fmt::format("has a header with {} blocks of rows, must have {}", header.chunk_count, count));
    const std::uint64_t table = 8 + std::uint64_t{header.header_len}, end = table + 8 * static_cast<std::uint64_t>(count);
    if (end > bytes.size()) throw std::runtime_error("is truncated");
    for (int i = 0; i < count; ++i) {
        const std::uint64_t at = littleEndian(bytes.substr(table + 8 * static_cast<std::uint64_t>(i), 8));
        if (at < end || at > bytes.size() - 8) throw std::runtime_error(fmt::format("is truncated: its block {} of rows is missing", i));
        const auto row = static_cast<std::int32_t>(littleEndian(bytes.substr(at, 4)));
        if (row != header.data_window.min_y + i * lines)
            throw std::runtime_error(fmt::format("has row {} at the position of row {}", row, header.data_window.min_y + i * lines));
        const std::uint64_t length = littleEndian(bytes.substr(at + 4, 4));
        if (length > bytes.size() - at - 8) throw std::runtime_error(fmt::format("is truncated: its block {} of rows is incomplete", i));
        const int rows = std::min(lines, header.data_window.max_y - row + 1);
        if (header.compression_type == TINYEXR_COMPRESSIONTYPE_PIZ && length != bytesOfRows(header, rows))
            checkPiz(bytes.substr(at + 8, length));
    }
}

EnvironmentImage readExr(const std::string& bytes) {
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    Exr exr;
    EXRVersion version;
    exr.check(ParseEXRVersionFromMemory(&version, data, bytes.size()));
    if (version.tiled != 0 || version.multipart != 0 || version.non_image != 0)
        throw std::runtime_error("is tiled, deep or multi-part, must be a scan line image with one part");
    const ImageColours colours = coloursOf(std::string_view(bytes).substr(8));
    exr.check(ParseEXRHeaderFromMemory(&exr.header, &version, data, bytes.size(), &exr.error));
    if (exr.header.num_channels > kMaxExrChannels)
        throw std::runtime_error(fmt::format("has {} channels, at most {} are allowed", exr.header.num_channels, kMaxExrChannels));
    const EXRBox2i box = exr.header.data_window, shown = exr.header.display_window;
    checkSize(std::int64_t{box.max_x} - box.min_x + 1, std::int64_t{box.max_y} - box.min_y + 1);
    for (int c = 0; c < exr.header.num_channels; ++c) {
        if (exr.header.pixel_types[c] == TINYEXR_PIXELTYPE_UINT)
            throw std::runtime_error("has a channel of integers, must be half or float");
        if (exr.header.channels[c].x_sampling != 1 || exr.header.channels[c].y_sampling != 1)
            throw std::runtime_error(
                fmt::format("has a subsampled channel {}, must have a value for every pixel", exr.header.channels[c].name));
        exr.header.requested_pixel_types[c] = TINYEXR_PIXELTYPE_FLOAT;
    }
    checkChunks(exr.header, bytes);
    exr.decode(data, bytes.size());
    checkSize(exr.image.width, exr.image.height);
    const float* const planes[3] = {exr.plane("R"), exr.plane("G"), exr.plane("B")};
    // The image is the display window. Outside of the data window it is black, and what the data window has beyond it is cut off.
    const std::int64_t width = std::int64_t{shown.max_x} - shown.min_x + 1, height = std::int64_t{shown.max_y} - shown.min_y + 1;
    checkSize(width, height);
    return imageOf({static_cast<unsigned>(width), static_cast<unsigned>(height)}, [&](std::size_t i) {
        const std::int64_t x = static_cast<std::int64_t>(i) % width + shown.min_x - box.min_x,
                           y = static_cast<std::int64_t>(i) / width + shown.min_y - box.min_y;
        if (x < 0 || y < 0 || x >= exr.image.width || y >= exr.image.height) return glm::vec3(0.0f);
        const auto at = static_cast<std::size_t>(y * exr.image.width + x);
        return colours(glm::vec3(planes[0][at], planes[1][at], planes[2][at]));
    });
}

}  // namespace

EnvironmentImage readEnvironment(const std::filesystem::path& file) {
    const std::string bytes = readBytes(file, kMaxEnvironmentFileBytes);
    const bool hdr = bytes.starts_with("#?RADIANCE\n") || bytes.starts_with("#?RGBE\n");
    if (!hdr && !bytes.starts_with("\x76\x2f\x31\x01")) throw std::runtime_error("is neither Radiance (.hdr) nor OpenEXR (.exr)");
    EnvironmentImage image = hdr ? readHdr(bytes) : readExr(bytes);
    image.file = file;
    return image;
}

std::shared_ptr<const EnvironmentImage> sharedEnvironment(const std::filesystem::path& file) {
    static FilesInUse<std::filesystem::path, const EnvironmentImage> inUse;
    return inUse.get(file, {file}, [&] { return std::make_shared<const EnvironmentImage>(readEnvironment(file)); });
}

}  // namespace wisp
