// SPDX-License-Identifier: MIT
#pragma once

#include "engine/spirv_module.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace wisp::engine {

/// What shaders do. Addresses of texels and buffer elements, and moves, count nothing.
struct ShaderWork {
    std::uint64_t operations = 0;  ///< arithmetic, component by component; a fused multiply-add is two
    std::uint64_t samples = 0;     ///< of images, through filters
    std::uint64_t fetches = 0;     ///< of single texels
    std::uint64_t words = 0;       ///< of 32 bits, loaded from storage buffers
    bool operator==(const ShaderWork&) const = default;
};
inline constexpr std::array kShaderWork{&ShaderWork::operations, &ShaderWork::samples, &ShaderWork::fetches, &ShaderWork::words};

ShaderWork operator+(const ShaderWork& a, const ShaderWork& b);

/// Tells what the instructions of one module do.
class InstructionWork {
public:
    explicit InstructionWork(const std::vector<spirv::Instruction>& module);
    [[nodiscard]] ShaderWork of(const spirv::Instruction& i) const;

private:
    void declare(const spirv::Instruction& i);
    [[nodiscard]] std::uint64_t components(std::uint32_t type) const;
    [[nodiscard]] std::uint64_t componentsOf(std::uint32_t id) const { return components(typeOf_.at(id)); }
    [[nodiscard]] std::uint64_t operations(const spirv::Instruction& i) const;

    std::map<std::uint32_t, std::uint64_t> components_;  // of vectors, matrices and structs
    std::map<std::uint32_t, std::uint32_t> typeOf_;      // of results
    std::set<std::uint32_t> storagePointers_;            // types
};

/// The storage buffer of `unsigned int` that countedShader declares.
inline constexpr std::string_view kWorkCounters = "workCounters";
/// An invocation adds to the counters of one of so many places, so that few wait for each other and none overflows.
inline constexpr std::uint32_t kWorkPlaces = 1024;
inline constexpr std::uint32_t kCountersOfAShader = kWorkPlaces * kShaderWork.size();

/// The same shader as a compiler would simplify it, with these specialization constants; each invocation adds what it did, block by
/// block of the way it took, to `workCounters[firstCounter + kShaderWork.size() * place + n]`, n as in kShaderWork.
/// @throws Error Shader if SPIRV-Tools refuses it.
std::vector<std::uint32_t> countedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                         std::uint32_t firstCounter, const std::string& name);

}  // namespace wisp::engine
