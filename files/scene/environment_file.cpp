// SPDX-License-Identifier: MIT
#include "files/scene/environment_file.h"

#include "files/base/text_file.h"
#include "files/scene/files_in_use.h"
#include "files/scene/hdr_file.h"
#include "files/scene/image_colours.h"

#include "compute/scene/environment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyexr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace wisp {
namespace {

constexpr int kMaxExrChannels = 8;  // limits memory: all channels are decoded, although only three are used

void requireSize(std::int64_t width, std::int64_t height) {
    if (const std::string problem = environmentSizeProblem(width, height); !problem.empty()) throw std::runtime_error(problem);
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
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (int c = 0; c < header.num_channels; ++c) names.emplace_back(header.channels[c].name);
        return names;
    }
    /// Number of a channel. @throws std::runtime_error
    [[nodiscard]] int channel(const std::string& name) const {
        for (int c = 0; c < header.num_channels; ++c)
            if (header.channels[c].name == name) return c;
        throw std::runtime_error(fmt::format("has no channel {}, but {}", name, fmt::join(names(), ", ")));
    }
};

/// Numbers of the channels of red, green and blue: R, G, B; those of the only layer that has them; or three times the luminance Y.
/// Source: OpenEXR, "Technical introduction", on the names of channels and layers.
std::array<int, 3> coloursOf(const Exr& exr) {
    const std::vector<std::string> names = exr.names();
    const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
    std::vector<std::string> layers;
    for (const std::string& name : names)
        if (name.ends_with(".R") && has(name.substr(0, name.size() - 1) + "G") && has(name.substr(0, name.size() - 1) + "B"))
            layers.push_back(name.substr(0, name.size() - 1));
    const bool isLayer = !has("R") && !has("G") && !has("B");
    if (isLayer && layers.size() > 1)
        throw std::runtime_error(
            fmt::format("has colours in several layers ({}R), must have channels R, G and B: save one of them", fmt::join(layers, "R, ")));
    if (isLayer && layers.empty() && has("Y")) return {exr.channel("Y"), exr.channel("Y"), exr.channel("Y")};
    const std::string layer = isLayer && !layers.empty() ? layers.front() : "";
    return {exr.channel(layer + "R"), exr.channel(layer + "G"), exr.channel(layer + "B")};
}

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
    static constexpr std::array<std::string_view, 12> kNames{"none", "RLE",  "ZIPS", "ZIP",  "PIZ",      "PXR24",
                                                             "B44",  "B44A", "DWAA", "DWAB", "HTJ2K256", "HTJ2K32"};
    constexpr std::size_t kRead = 5;  // those that tinyexr can decode exactly
    if (value.size() != 1) throw std::runtime_error("has a compression that is not 1 byte in its header");
    const auto number = static_cast<unsigned char>(value[0]);
    if (number < kRead) return;
    throw std::runtime_error(fmt::format("has the compression {}, must have none, RLE, ZIPS, ZIP or PIZ: save it with one of them",
                                         number < kNames.size() ? std::string(kNames[number]) : fmt::format("number {}", number)));
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
    requireSize(std::int64_t{box.max_x} - box.min_x + 1, std::int64_t{box.max_y} - box.min_y + 1);
    const std::array<int, 3> wanted = coloursOf(exr);
    for (const int c : wanted)
        if (exr.header.pixel_types[c] == TINYEXR_PIXELTYPE_UINT)
            throw std::runtime_error(fmt::format("has a channel {} of integers, must be half or float", exr.header.channels[c].name));
    for (int c = 0; c < exr.header.num_channels; ++c) {
        if (exr.header.channels[c].x_sampling != 1 || exr.header.channels[c].y_sampling != 1)
            throw std::runtime_error(
                fmt::format("has a subsampled channel {}, must have a value for every pixel", exr.header.channels[c].name));
        if (exr.header.pixel_types[c] != TINYEXR_PIXELTYPE_UINT) exr.header.requested_pixel_types[c] = TINYEXR_PIXELTYPE_FLOAT;
    }
    checkChunks(exr.header, bytes);
    exr.decode(data, bytes.size());
    requireSize(exr.image.width, exr.image.height);
    // The image is the display window. Outside of the data window it is black, and what the data window has beyond it is cut off.
    const std::int64_t width = std::int64_t{shown.max_x} - shown.min_x + 1, height = std::int64_t{shown.max_y} - shown.min_y + 1;
    requireSize(width, height);
    EnvironmentImage image{{static_cast<unsigned>(width), static_cast<unsigned>(height)}, {}};
    image.texels.assign(static_cast<std::size_t>(width * height), glm::vec3(0.0f));
    for (std::int64_t i = 0; i < width * height; ++i) {
        const std::int64_t x = i % width + shown.min_x - box.min_x, y = i / width + shown.min_y - box.min_y;
        if (x < 0 || y < 0 || x >= exr.image.width || y >= exr.image.height) continue;
        glm::vec3 texel;
        for (int c = 0; c < 3; ++c)
            texel[c] = reinterpret_cast<const float*>(exr.image.images[wanted[static_cast<std::size_t>(c)]])[y * exr.image.width + x];
        image.texels[static_cast<std::size_t>(i)] = colours(texel);
    }
    return image;
}

}  // namespace

EnvironmentImage readEnvironment(const std::filesystem::path& file) {
    const std::string bytes = readBytes(file, kMaxEnvironmentFileBytes);
    if (!isHdr(bytes) && !bytes.starts_with("\x76\x2f\x31\x01")) throw std::runtime_error("is neither Radiance (.hdr) nor OpenEXR (.exr)");
    EnvironmentImage image = isHdr(bytes) ? readHdr(bytes) : readExr(bytes);
    if (const std::string problem = environmentProblem(image); !problem.empty()) throw std::runtime_error(problem);
    image.file = file;
    return image;
}

std::shared_ptr<const EnvironmentImage> sharedEnvironment(const std::filesystem::path& file) {
    static FilesInUse<std::filesystem::path, const EnvironmentImage> inUse;
    return inUse.get(file, {file}, [&] { return std::make_shared<const EnvironmentImage>(readEnvironment(file)); });
}

}  // namespace wisp
