// SPDX-License-Identifier: MIT
// SPIR-V as a list of instructions.
#pragma once

#include "engine/error.h"

#define SPV_ENABLE_UTILITY_CODE  // SpvHasResultAndType
#include <spirv_cross/spirv.h>

#include <cstdint>
#include <span>
#include <vector>

namespace wisp::engine::spirv {

inline constexpr std::ptrdiff_t kHeader = 5;  // words

struct Instruction {
    SpvOp op = SpvOpNop;
    std::size_t offset = 0;                ///< in the module's words
    std::span<const std::uint32_t> words;  ///< the first word encodes length and op

    [[nodiscard]] std::uint32_t word(std::size_t n) const { return n < words.size() ? words[n] : 0; }
    [[nodiscard]] bool hasResultType() const {
        bool result = false, type = false;
        SpvHasResultAndType(op, &result, &type);
        return result && type;
    }
};

/// @throws Error Shader if an instruction does not end within the words.
inline std::vector<Instruction> instructions(std::span<const std::uint32_t> words) {
    std::vector<Instruction> list;
    for (std::size_t at = kHeader; at < words.size();) {
        const std::size_t count = words[at] >> SpvWordCountShift;
        if (count == 0 || count > words.size() - at) throw Error(ErrorKind::Shader, "the SPIR-V is truncated");
        list.push_back({static_cast<SpvOp>(words[at] & SpvOpCodeMask), at, words.subspan(at, count)});
        at += count;
    }
    return list;
}

}  // namespace wisp::engine::spirv
