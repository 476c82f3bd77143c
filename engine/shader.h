// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"
#include "engine/members.h"
#include "engine/pipeline_statistics.h"
#include "engine/samplers.h"

#include <glm/vec3.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wisp::engine {

class Device;
class PipelineCache;

/// One resource that a shader declares, under its GLSL name. A buffer block without an instance name has the name of its first member:
/// `layout(binding = 2) readonly buffer B2 { float pressureIn[]; };` is "pressureIn".
/// A buffer_reference in the push constants has the name of its member without a trailing "Address". The recorder sets it to the buffer's
/// address. These members must come first. The reference's type tells whether the shader reads or writes the buffer.
/// A sampler whose GLSL name ends in Least or Greatest has the name without this ending. It returns the minimum or maximum of the texels
/// of a trilinear sample, on devices that support this (see kReductionsConstant).
struct ShaderBinding {
    std::string name;
    Reduction reduction = Reduction::Mean;
    std::uint32_t binding = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bool reads = true;                      ///< not declared writeonly
    bool writes = false;                    ///< a storage resource that is not declared readonly
    std::uint32_t bytes = 0;                ///< size of a uniform block; 0 otherwise
    int pushOffset = -1;                    ///< >= 0: no descriptor; the push constants contain the buffer's address at this byte
    bool active = true;                     ///< used by the code, so it must be bound; an unused binding may be left out
    bool flat = false;                      ///< a 2D image instead of a 3D image
    VkFormat format = VK_FORMAT_UNDEFINED;  ///< declared format of a storage image; undefined: any
};

/// A member of a block. Its name includes the enclosing structs: "lights[2].axis", type "vec3".
struct Member {
    std::string name;
    std::string type;          ///< in GLSL; an array of scalars or vectors with its number of elements: "vec4[4]"
    std::uint32_t offset = 0;  ///< [bytes]
    bool operator==(const Member&) const = default;
};
std::vector<Member> flattened(const StructMembers& described);

/// Describes the first difference between a C++ struct and the members that a shader declares; none if they match.
std::optional<std::string> difference(const StructMembers& given, std::span<const Member> declared);

/// What a compute shader expects, read from its SPIR-V.
struct ShaderInterface {
    std::vector<ShaderBinding> bindings;  ///< ordered by binding number
    std::uint32_t pushBytes = 0;          ///< size of the push-constant block; 0: none
    std::uint32_t pushAddresses = 0;      ///< bytes of addresses at its start, which the recorder fills in
    /// Members after the addresses, with offsets from the end of the addresses. If the block contains a single struct: its members.
    std::vector<Member> pushMembers;
    glm::uvec3 localSize{1};           ///< as written in the shader
    glm::uvec3 localSizeConstants{0};  ///< ids of the specialization constants that define localSize; 0: literals
    std::map<std::string, std::uint32_t, std::less<>> constants;  ///< ids of all its specialization constants, by name
};

/// @throws Error Shader if the words are not a compute shader that wisp can bind. Requirements: one descriptor set, unique names, no arrays
/// of resources, only 2D and 3D images of supported formats, and at most kMaxPushBytes of push constants.
ShaderInterface reflect(std::span<const std::uint32_t> spirv, const std::string& name);

/// A struct in a block of a shader, with the name of its type.
struct ShaderStruct {
    std::string name;
    std::vector<Member> members;  ///< flattened
};
/// Every struct in the shader's blocks and buffers, and the blocks themselves.
std::vector<ShaderStruct> reflectStructs(std::span<const std::uint32_t> spirv, const std::string& name);

/// A shader embedded at build time. Its name is the file name without ".comp".
struct EmbeddedShader {
    std::string_view name;
    std::span<const std::uint32_t> spirv;
};

/// Names of the shader's specialization constants. Reads only the start of the SPIR-V, which is faster than full reflection.
std::set<std::string, std::less<>> constantNames(std::span<const std::uint32_t> spirv);
std::set<std::string, std::less<>> constantNames(std::span<const EmbeddedShader> shaders);

/// A compute pipeline with the interface that its bindings are matched against.
struct Pipeline {
    std::string name;
    ShaderInterface interface;
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    mutable const StructMembers* pushChecked = nullptr;  ///< the struct that was found to match the push constants
};

/// Specialization constants by their GLSL names.
using ShaderConstants = std::map<std::string, std::uint32_t, std::less<>>;

/// Options for creating pipelines.
struct ShaderOptions {
    ShaderConstants constants;       ///< for every shader that declares them; at least one shader must declare each
    std::uint32_t repeatAxes = 0;    ///< bits of the axes along which samplers repeat
    std::uint64_t largestField = 0;  ///< size of the largest buffer with an address [bytes]: see kByAddressConstant
    bool kept = true;                ///< keep compiled pipelines for the next run: see engine/pipeline_cache.h
    bool operator==(const ShaderOptions&) const = default;
};

/// Size of push constants that every Vulkan device supports, including addresses.
inline constexpr std::uint32_t kMaxPushBytes = 128;

/// A specialization constant that is true on devices with min and max samplers.
inline constexpr std::string_view kReductionsConstant = "kReductions";
/// A specialization constant that is true if ShaderOptions::largestField exceeds maxStorageBufferRange: shaders then access fields by
/// device address.
inline constexpr std::string_view kByAddressConstant = "kByAddress";

/// A specialization constant that is true on devices that execute both sides of every branch, see shaders/shared/branches.glsl.
inline constexpr std::string_view kBranchlessConstant = "kBranchless";

/// Specialization constants for the work group's size along x, y and z, also if the shader does not name its `local_size_y_id`.
inline constexpr std::string_view kGroupXConstant = "kGroupX", kGroupYConstant = "kGroupY", kGroupZConstant = "kGroupZ";
/// Size of work groups along y and z on CPU devices. Small groups compute fewer discarded results beyond the end of a grid.
inline constexpr std::uint32_t kCpuGroupY = 4, kCpuGroupZ = 2;

/// All compute pipelines by name, created at first use. With a watched folder, `reload` recompiles a .comp file after it, or a file that it
/// includes, was saved. A shader that fails to compile keeps its old pipeline.
class ShaderLibrary {
public:
    /// @throws Error Shader if no shader declares one of the options' constants. `setOptions` does the same.
    ShaderLibrary(Device& device, std::span<const EmbeddedShader> shaders, const ShaderOptions& options = {});
    ~ShaderLibrary();
    ShaderLibrary(const ShaderLibrary&) = delete;
    ShaderLibrary& operator=(const ShaderLibrary&) = delete;

    /// @throws Error Shader if there is no such shader.
    const Pipeline& get(std::string_view name);
    /// The pipeline with these constants in addition to those of the options. @throws Error Shader if the shader does not declare one.
    const Pipeline& get(std::string_view name, const ShaderConstants& more);

    /// Current options for creating pipelines.
    [[nodiscard]] const ShaderOptions& options() const;
    /// The driver's statistics of the shader's pipeline, which is created once more for this: see pipelineStatistics.
    [[nodiscard]] std::vector<PipelineStatistic> statistics(std::string_view name) const;

    /// Uses these options from now on. Pipelines are created at their next use; pipelines with the same relevant options are reused.
    void setOptions(ShaderOptions options);

    /// Saves the pipelines created so far for the next run. The destructor saves later ones. Returns a line about them for a log.
    std::string save();
    [[nodiscard]] const PipelineCache& cache() const;

    /// Watches `folder` (the shader sources). @throws Error Shader if it is not a folder.
    void watch(std::filesystem::path folder);
    /// Recompiles shaders that changed since the last call. Returns messages: "name: reloaded", or the compiler's message.
    std::vector<std::string> reload();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp::engine
