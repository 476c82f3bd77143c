// SPDX-License-Identifier: MIT
#include "files/base/text_file.h"

#include "files/base/embedded_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace wisp {

std::string readText(const std::filesystem::path& file, std::size_t most) {
    if (const auto embedded = embeddedText(file)) return std::string(*embedded);
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

std::string readBytes(const std::filesystem::path& file, std::uintmax_t most) {
    if (const auto embedded = embeddedText(file)) return std::string(*embedded);
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) throw std::runtime_error("does not exist");
    if (!std::filesystem::is_regular_file(status)) throw std::runtime_error("is not a regular file");
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || size > most) throw std::runtime_error(fmt::format("has {} bytes, at most {} are allowed", size, most));
    std::string bytes(size, '\0');
    std::ifstream in(file, std::ios::binary);
    if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) throw std::runtime_error("cannot be read");
    return bytes;
}

}  // namespace wisp
