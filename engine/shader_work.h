// SPDX-License-Identifier: MIT
#pragma once

#include "engine/spirv_module.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace wisp::engine {

/// Work of a shader. Address computations and moves are not counted.
struct ShaderWork {
    std::uint64_t operations = 0;  ///< arithmetic operations, counted per component; a fused multiply-add counts as two
    std::uint64_t samples = 0;     ///< filtered image samples
    std::uint64_t fetches = 0;     ///< single texels read
    std::uint64_t words = 0;       ///< 32-bit words loaded from storage buffers
    bool operator==(const ShaderWork&) const = default;
};
inline constexpr std::array kShaderWork{&ShaderWork::operations, &ShaderWork::samples, &ShaderWork::fetches, &ShaderWork::words};

ShaderWork operator+(const ShaderWork& a, const ShaderWork& b);

/// Computes the work of single instructions of one module.
class InstructionWork {
public:
    explicit InstructionWork(const std::vector<spirv::Instruction>& module);
    [[nodiscard]] ShaderWork of(const spirv::Instruction& i) const;

private:
    void declare(const spirv::Instruction& i);
    [[nodiscard]] std::uint64_t components(std::uint32_t type) const;
    [[nodiscard]] std::uint64_t componentsOf(std::uint32_t id) const { return components(typeOf_.at(id)); }
    [[nodiscard]] std::uint64_t operations(const spirv::Instruction& i) const;

    std::map<std::uint32_t, std::uint64_t> components_;  // by type id; vectors, matrices and structs
    std::map<std::uint32_t, std::uint32_t> typeOf_;      // by result id
    std::set<std::uint32_t> storagePointers_;            // ids of pointer types
};

/// The storage buffer of `unsigned int` that instrumentedShader declares.
inline constexpr std::string_view kWorkCounters = "workCounters";
/// Number of counter slots of a shader. Invocations are distributed over them to reduce atomic contention and to avoid overflow.
inline constexpr std::uint32_t kWorkCounterSlots = 1024;
inline constexpr std::uint32_t kCountersPerShader = kWorkCounterSlots * kShaderWork.size();

/// An instrumented version of the shader: optimized as by a compiler, with these specialization constants. Each invocation adds the work of
/// the basic blocks that it executes to `workCounters[firstCounter + kShaderWork.size() * slot + n]`. n is the index in kShaderWork, and
/// slot is less than kWorkCounterSlots. @throws Error Shader if SPIRV-Tools rejects the shader.
std::vector<std::uint32_t> instrumentedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                              std::uint32_t firstCounter, const std::string& name);

}  // namespace wisp::engine
