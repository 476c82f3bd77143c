// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace wisp {

/// Writes frames to files.
class FrameWriter {
public:
    virtual ~FrameWriter() = default;
    /// Maximum number of threads that may call `write` at the same time. With more than 1, frames arrive in any order. With 1, in order.
    [[nodiscard]] virtual std::size_t threads() const = 0;
    /// Most bytes of frames that wait or are being written. A larger frame waits until it is alone.
    [[nodiscard]] virtual std::uint64_t mostBytes() const { return std::numeric_limits<std::uint64_t>::max(); }
    virtual void write(std::size_t index, std::span<const std::byte> frame) = 0;  ///< @throws Failure Output
    virtual void finish() = 0;  ///< completes the files after the last `write`. @throws Failure Output
};

}  // namespace wisp
