// SPDX-License-Identifier: MIT
#include "app/wedge/sheet.h"

#include "app/base/canvas.h"

#include <algorithm>
#include <string_view>

namespace wisp::app {
namespace {

constexpr glm::u8vec3 kInk{235, 235, 235}, kPaper{12, 12, 14}, kEmpty{38, 38, 42}, kFailed{255, 170, 120};
constexpr int kGap = 8, kLetterWidth = 7, kLineHeight = 15;  // [pixels]; letters of Font(1) are 7 pixels wide
constexpr int kTitleHeight = kLineHeight + 2 * kGap;
constexpr int kMostForTitle = 1000;  // width of a page that is wider than its tiles
constexpr std::size_t kMostColumns = 24;
constexpr std::size_t kMostPixels = 48u << 20;  // of a page
constexpr int kLeastWidth = 20 * kLetterWidth;  // of a tile, for its label

std::size_t divideUp(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The text, or its beginning and "..." if it is too long.
std::string cut(const std::string& text, int width) {
    const auto most = static_cast<std::size_t>(std::max(width / kLetterWidth, 4));
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

/// Lines of at most `width` pixels, broken at spaces where there are some.
std::vector<std::string> wrap(std::string_view text, int width) {
    const auto most = static_cast<std::size_t>(std::max(width / kLetterWidth, 4));
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (end > most) {
            const std::size_t space = text.rfind(' ', most);
            end = space == std::string_view::npos || space == 0 ? most : space;
        }
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
        while (text.starts_with(' ')) text.remove_prefix(1);
    }
    return lines;
}

void drawPicture(Canvas& canvas, glm::ivec2 at, const SmallImage& picture) {
    for (int y = 0; y < static_cast<int>(picture.size.y); ++y)
        for (int x = 0; x < static_cast<int>(picture.size.x); ++x) {
            const std::size_t pixel = 4 * (static_cast<std::size_t>(y) * picture.size.x + static_cast<std::size_t>(x));
            glm::u8vec3 colour;
            for (int c = 0; c < 3; ++c) colour[c] = std::to_integer<std::uint8_t>(picture.pixels[pixel + static_cast<std::size_t>(c)]);
            canvas.blend(at + glm::ivec2(x, y), colour, 1.0f);
        }
}

void drawTile(Canvas& canvas, const Font& font, glm::ivec2 at, glm::ivec2 room, const SheetTile& tile) {
    canvas.fill(at, at + room, kEmpty);
    drawPicture(canvas, at + (room - glm::ivec2(tile.picture.size)) / 2, tile.picture);
    glm::ivec2 line = at + 4;
    for (const std::string& text : wrap(tile.note, room.x - 8)) {
        if (line.y + kLineHeight > at.y + room.y) break;
        font.draw(canvas, line, text, kFailed);
        line.y += kLineHeight;
    }
    line = at + glm::ivec2(0, room.y + 2);
    for (const std::string& text : tile.label) {
        font.draw(canvas, line, cut(text, room.x), kInk);
        line.y += kLineHeight;
    }
}

}  // namespace

std::size_t SheetLayout::tilesPerLine() const { return divideUp(columns, divideUp(columns, kMostColumns)); }

std::size_t SheetLayout::lines() const { return tiles / columns * divideUp(columns, tilesPerLine()); }

glm::ivec2 SheetLayout::tileSize() const {
    const glm::ivec2 size(picture);
    return {std::max(size.x, kLeastWidth), size.y + 2 + kLineHeight * static_cast<int>(labelLines)};
}

std::size_t SheetLayout::linesPerPage() const {
    const glm::ivec2 tile = tileSize() + kGap;
    const std::size_t lineOfPixels = static_cast<std::size_t>(tile.x) * tilesPerLine() * static_cast<std::size_t>(tile.y);
    return std::max<std::size_t>(1, kMostPixels / lineOfPixels);
}

std::size_t SheetLayout::pages() const { return divideUp(lines(), linesPerPage()); }

glm::ivec2 SheetLayout::pageSize(std::size_t page) const {
    const glm::ivec2 tile = tileSize() + kGap;
    const auto across = static_cast<int>(tilesPerLine()),
               down = static_cast<int>(std::min(linesPerPage(), lines() - page * linesPerPage()));
    const int forTitle = std::min(2 * kGap + static_cast<int>(title.size()) * kLetterWidth, kMostForTitle);
    return {std::max(kGap + across * tile.x, forTitle), kTitleHeight + down * tile.y};
}

std::size_t SheetLayout::lineOf(std::size_t tile) const {
    return tile / columns * divideUp(columns, tilesPerLine()) + tile % columns / tilesPerLine();
}

std::size_t SheetLayout::pageOf(std::size_t tile) const { return lineOf(tile) / linesPerPage(); }

glm::ivec2 SheetLayout::position(std::size_t tile) const {
    const glm::ivec2 cell(static_cast<int>(tile % columns % tilesPerLine()), static_cast<int>(lineOf(tile) % linesPerPage()));
    return glm::ivec2(kGap, kTitleHeight) + cell * (tileSize() + kGap);
}

SmallImage drawSheet(const SheetLayout& layout, std::size_t page, const std::function<SheetTile(std::size_t)>& tileAt) {
    const glm::ivec2 size = layout.pageSize(page), tile = layout.tileSize();
    SmallImage image{size, std::vector<std::byte>(4 * static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y))};
    Canvas canvas(image.pixels, size);
    const Font font(1);
    canvas.fill({0, 0}, size, kPaper);
    font.draw(canvas, {kGap, kGap}, cut(layout.title, size.x - 2 * kGap), kInk);
    for (std::size_t n = 0; n < layout.tiles; ++n)
        if (layout.pageOf(n) == page) drawTile(canvas, font, layout.position(n), {tile.x, static_cast<int>(layout.picture.y)}, tileAt(n));
    return image;
}

}  // namespace wisp::app
