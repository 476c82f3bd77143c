// SPDX-License-Identifier: MIT
#pragma once

#include "app/wedge/thumbnail.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace wisp::app {

/// A member on a contact sheet.
struct SheetTile {
    SmallImage picture;              ///< none: `note` is shown instead
    std::string note;                ///< such as "no result"
    std::vector<std::string> label;  ///< lines below the picture
};

/// How a contact sheet is laid out. All tiles have the same size. Long rows are broken, and many rows make several pages, so that each page
/// is an image that programs can show.
struct SheetLayout {
    std::string title;
    std::size_t tiles = 0;
    std::size_t columns = 1;  ///< values of the last key: the tiles of a row
    glm::uvec2 picture{0};    ///< room for the picture of a tile [pixels]
    std::size_t labelLines = 1;

    [[nodiscard]] std::size_t tilesPerLine() const;
    [[nodiscard]] std::size_t lines() const;  ///< of tiles, on all pages
    [[nodiscard]] std::size_t linesPerPage() const;
    [[nodiscard]] std::size_t pages() const;
    [[nodiscard]] glm::ivec2 tileSize() const;
    [[nodiscard]] glm::ivec2 pageSize(std::size_t page) const;
    /// Top left corner of a tile on its page, and the page.
    [[nodiscard]] glm::ivec2 position(std::size_t tile) const;
    [[nodiscard]] std::size_t pageOf(std::size_t tile) const;
    [[nodiscard]] std::size_t lineOf(std::size_t tile) const;  ///< counted over all pages
};

/// Draws a page. `tileAt` is called once for each tile on it: only one picture is in memory at a time.
SmallImage drawSheet(const SheetLayout& layout, std::size_t page, const std::function<SheetTile(std::size_t)>& tileAt);

}  // namespace wisp::app
