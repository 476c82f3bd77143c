// SPDX-License-Identifier: MIT
#include "app/base/text_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace wisp::app {

std::string readText(const std::filesystem::path& file, std::size_t most) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string text;
    std::array<char, 1 << 16> part{};
    while (in && text.size() <= most) {
        in.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (!in.is_open() || in.bad()) throw std::runtime_error(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (text.size() > most) throw std::runtime_error(fmt::format("has more than {} bytes", most));
    return text;
}

}  // namespace wisp::app
