// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

/// What the targets share. A target returns 0; what it lets out, be it an exception, a signal or a report of a sanitizer, is a finding.
namespace wisp::fuzz {

using Bytes = std::span<const std::uint8_t>;

inline std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// A file in memory with these contents. There is one: the next call changes them.
std::filesystem::path fileOf(std::string_view bytes);

/// Ends the program with a message: what was read breaks a promise.
void require(bool promise, std::string_view what);

}  // namespace wisp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
