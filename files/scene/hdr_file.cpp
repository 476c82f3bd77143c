// SPDX-License-Identifier: MIT
#include "files/scene/hdr_file.h"

#include "files/scene/image_colours.h"

#include <fmt/format.h>
#include <glm/vector_relational.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace wisp {
namespace {

using Rgbe = std::array<std::uint8_t, 4>;

/// Takes a line, which ends with LF or CR LF. @throws std::runtime_error if it has no end
std::string_view takeLine(std::string_view& bytes) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) throw std::runtime_error("is truncated in its header");
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

/// The numbers of a line of the header, such as "EXPOSURE=2.5".
template <std::size_t N>
std::array<double, N> numbersOf(std::string_view name, const std::string& text) {
    std::array<double, N> numbers{};
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    for (double& n : numbers)
        if (!(in >> n) || !std::isfinite(n))
            throw std::runtime_error(fmt::format("has the line {}={} in its header, must have {}", name, text,
                                                 N == 1 ? "a number" : fmt::format("{} numbers", N)));
    return numbers;
}

/// Takes the header, up to an empty line. Values were multiplied by every EXPOSURE and COLORCORR.
ImageColours takeHeader(std::string_view& bytes) {
    ImageColours colours;
    for (std::string_view line = takeLine(bytes); !line.empty(); line = takeLine(bytes)) {
        const std::size_t equals = std::min(line.find('='), line.size());
        const std::string_view name = line.substr(0, equals);
        const std::string text(line.substr(std::min(equals + 1, line.size())));
        if (name == "FORMAT" && text.find("32-bit_rle_rgbe") == std::string::npos)
            throw std::runtime_error(fmt::format("has the line FORMAT={} in its header, must be FORMAT=32-bit_rle_rgbe", text));
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

/// Takes a sign, an axis, a blank and a number; returns whether they are there.
bool takeSide(std::string_view& line, char axis, bool& increases, std::int64_t& size) {
    if (line.size() < 4 || (line[0] != '-' && line[0] != '+') || line[1] != axis || line[2] != ' ') return false;
    increases = line[0] == '+';
    line.remove_prefix(3);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), size);
    if (error == std::errc::invalid_argument) return false;
    if (error != std::errc{}) size = std::numeric_limits<std::int64_t>::max();
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return true;
}

struct Sides {
    std::int64_t width = 0, height = 0;
    bool up = false, right = true;  ///< order of rows and of columns
};

Sides takeSides(std::string_view& bytes) {
    std::string_view line = takeLine(bytes);
    Sides sides;
    const bool rows = takeSide(line, 'Y', sides.up, sides.height);
    if (rows && line.starts_with(' ')) line.remove_prefix(1);
    if (!rows || !takeSide(line, 'X', sides.right, sides.width) || !line.empty())
        throw std::runtime_error("has an unsupported header: must end with -Y height +X width");
    if (const std::string problem = environmentSizeProblem(sides.width, sides.height); !problem.empty()) throw std::runtime_error(problem);
    return sides;
}

/// The rows of an image.
class Rows {
public:
    explicit Rows(std::string_view bytes) : rest_(bytes) {}

    void read(std::vector<Rgbe>& row) {
        constexpr std::size_t kFirst = 8, kEnd = 1 << 15;  // widths that can have runs of channels
        const bool isNew = row.size() >= kFirst && row.size() < kEnd && rest_.size() >= 4 && rest_.starts_with("\x02\x02") &&
                           byteAt(2) < 128;
        if (isNew) readChannels(row);
        else readPixels(row);
    }

private:
    [[nodiscard]] std::uint8_t byteAt(std::size_t n) const { return static_cast<std::uint8_t>(rest_[n]); }
    std::uint8_t take() {
        if (rest_.empty()) throw std::runtime_error("is truncated");
        const std::uint8_t byte = byteAt(0);
        rest_.remove_prefix(1);
        return byte;
    }
    static void fail(std::size_t count, std::size_t width) {
        throw std::runtime_error(fmt::format("cannot be decoded: has a row of {} pixels, must have {}", count, width));
    }

    /// Runs of each channel: 128 + n and a value, or n and n values.
    void readChannels(std::vector<Rgbe>& row) {
        const std::size_t width = std::size_t{byteAt(2)} << 8 | byteAt(3);
        if (width != row.size()) fail(width, row.size());
        rest_.remove_prefix(4);
        for (std::size_t channel = 0; channel < 4; ++channel)
            for (std::size_t x = 0; x < row.size();) {
                const std::uint8_t code = take();
                const std::size_t count = code > 128 ? code - 128u : code;
                if (count == 0) throw std::runtime_error("cannot be decoded: has a run of no pixels");
                if (count > row.size() - x) fail(x + count, row.size());
                const std::uint8_t repeated = code > 128 ? take() : std::uint8_t{0};
                for (const std::size_t end = x + count; x < end; ++x) row[x][channel] = code > 128 ? repeated : take();
            }
    }

    /// Pixels. One of (1, 1, 1, n) stands for n times the last pixel, another one after it for 256 n times, and so on.
    void readPixels(std::vector<Rgbe>& row) {
        int shift = 0;
        for (std::size_t x = 0; x < row.size();) {
            Rgbe pixel{};
            for (std::uint8_t& byte : pixel) byte = take();
            const bool isRun = x > 0 && pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1;
            if (!isRun) {
                row[x++] = pixel;
                shift = 0;
                continue;
            }
            const std::size_t count = std::size_t{pixel[3]} << shift;
            if (count > row.size() - x) fail(x + count, row.size());
            for (const std::size_t end = x + count; x < end; ++x) row[x] = row[x - 1];
            shift = std::min(shift + 8, 24);
        }
    }

    std::string_view rest_;
};

glm::vec3 colourOf(const Rgbe& pixel) {
    if (pixel[3] == 0) return glm::vec3(0.0f);
    return glm::vec3(pixel[0], pixel[1], pixel[2]) * std::ldexp(1.0f, pixel[3] - (128 + 8));
}

}  // namespace

bool isHdr(std::string_view bytes) { return bytes.starts_with("#?"); }

EnvironmentImage readHdr(std::string_view bytes) {
    takeLine(bytes);
    const ImageColours colours = takeHeader(bytes);
    const Sides sides = takeSides(bytes);
    const auto width = static_cast<std::size_t>(sides.width), height = static_cast<std::size_t>(sides.height);
    EnvironmentImage image{{static_cast<unsigned>(width), static_cast<unsigned>(height)}, std::vector<glm::vec3>(width * height)};
    Rows rows(bytes);
    std::vector<Rgbe> row(width);
    for (std::size_t n = 0; n < height; ++n) {
        rows.read(row);
        glm::vec3* const to = &image.texels[(sides.up ? height - 1 - n : n) * width];
        for (std::size_t x = 0; x < width; ++x) to[sides.right ? x : width - 1 - x] = colours(colourOf(row[x]));
    }
    return image;
}

}  // namespace wisp
