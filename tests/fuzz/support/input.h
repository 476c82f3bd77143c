// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

/// Shared by the targets. A target returns 0. An exception that leaves it, a signal or a sanitizer report is a finding.
namespace wisp::fuzz {

using Bytes = std::span<const std::uint8_t>;

inline std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// A file in memory with these contents. There is only one such file: the next call overwrites it.
std::filesystem::path fileOf(std::string_view bytes);

/// Aborts the program with the message `what` if `promise` is false.
void require(bool promise, std::string_view what);

}  // namespace wisp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
