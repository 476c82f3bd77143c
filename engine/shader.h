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

/// One resource that a shader declares, under its GLSL name. A buffer block without an instance name goes by the name of
/// its first member: `layout(binding = 2) readonly buffer B2 { float pressureIn[]; };` is "pressureIn".
/// A buffer_reference that is a member of the push constants goes by the member's name, less "Address" at its end, and gets the
/// buffer's address: those members come first. Its type says whether the shader reads or writes it.
/// A sampler whose GLSL name ends in Least or Greatest goes by the rest of its name, and gives the least or the greatest of the
/// texels that a trilinear sample is made of, on devices that can (see kReductionsConstant).
struct ShaderBinding {
    std::string name;
    Reduction reduction = Reduction::Mean;
    std::uint32_t binding = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bool reads = true;                      ///< not declared writeonly
    bool writes = false;                    ///< a storage resource that is not declared readonly
    std::uint32_t bytes = 0;                ///< of a uniform block; 0 otherwise
    int pushOffset = -1;                    ///< >= 0: no descriptor; the buffer's address is a member of the push constants, at this byte
    bool active = true;                     ///< used by the code: must be bound; a declared name that nothing uses may be left out
    bool flat = false;                      ///< an image of two dimensions, not three
    VkFormat format = VK_FORMAT_UNDEFINED;  ///< that a storage image is declared with; undefined: any
};

/// A member of a block in memory, with the structs around it in its name: "lights[2].axis", type "vec3".
struct Member {
    std::string name;
    std::string type;          ///< in GLSL; of an array of scalars or vectors with its number of elements: "vec4[4]"
    std::uint32_t offset = 0;  ///< [bytes]
    bool operator==(const Member&) const = default;
};
std::vector<Member> flattened(const StructMembers& described);

/// What differs between a struct of C++ and the members that a shader declares, by name; none if all is equal.
std::optional<std::string> difference(const StructMembers& given, std::span<const Member> declared);

/// What a compute shader expects, read from its SPIR-V.
struct ShaderInterface {
    std::vector<ShaderBinding> bindings;  ///< ordered by binding number
    std::uint32_t pushBytes = 0;          ///< size of the push-constant block; 0: none
    std::uint32_t pushAddresses = 0;      ///< bytes of addresses at its start, which the recorder fills in
    std::vector<Member> pushMembers;   ///< what follows: offsets from the end of the addresses; of a block that is one struct, its members
    glm::uvec3 localSize{1};           ///< as written in the shader
    glm::uvec3 localSizeConstants{0};  ///< ids of the specialization constants that it comes from; 0: literals
    std::map<std::string, std::uint32_t, std::less<>> constants;  ///< ids of all its specialization constants, by name
};

/// @throws Error Shader if the words are no compute shader that wisp can bind: one set, names that differ, no arrays of resources, images
/// of two or three dimensions and of formats that it knows, and no more push constants than kMaxPushBytes.
ShaderInterface reflect(std::span<const std::uint32_t> spirv, const std::string& name);

/// A struct that a shader has in a block, under the name of its type.
struct ShaderStruct {
    std::string name;
    std::vector<Member> members;  ///< flattened
};
/// Every struct in the shader's blocks and buffers, and the blocks themselves.
std::vector<ShaderStruct> reflectStructs(std::span<const std::uint32_t> spirv, const std::string& name);

/// A shader embedded at build, by its file's name without ".comp".
struct EmbeddedShader {
    std::string_view name;
    std::span<const std::uint32_t> spirv;
};

/// Names of the shader's specialization constants: read from the front of its words, which is quicker than to reflect all of it.
std::set<std::string, std::less<>> constantNames(std::span<const std::uint32_t> spirv);
std::set<std::string, std::less<>> constantNames(std::span<const EmbeddedShader> shaders);

/// A compute pipeline with the interface that its bindings are matched against.
struct Pipeline {
    std::string name;
    ShaderInterface interface;
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    mutable const StructMembers* pushChecked = nullptr;  ///< the struct whose members were found to be those of the push constants
};

/// Specialization constants by their GLSL names.
using ShaderConstants = std::map<std::string, std::uint32_t, std::less<>>;

/// What pipelines are made with.
struct ShaderOptions {
    ShaderConstants constants;       ///< for every shader that has them; one at least must have each
    std::uint32_t repeatAxes = 0;    ///< bits of axes along which samples past an image's edge come from its other side
    std::uint64_t largestField = 0;  ///< bytes of the largest buffer that has an address: see kByAddressConstant
    bool kept = true;                ///< compiled pipelines are there for the next run: see engine/pipeline_cache.h
    bool operator==(const ShaderOptions&) const = default;
};

/// What every Vulkan device has for push constants, addresses included.
inline constexpr std::uint32_t kMaxPushBytes = 128;

/// A specialization constant that is true on devices whose samplers can reduce.
inline constexpr std::string_view kReductionsConstant = "kReductions";
/// One that is true where ShaderOptions::largestField is more than a storage buffer's binding may hold: fields then go by their address.
inline constexpr std::string_view kByAddressConstant = "kByAddress";

/// A specialization constant that is true on devices that run both sides of every branch, see shaders/shared/branches.glsl.
inline constexpr std::string_view kBranchlessConstant = "kBranchless";

/// Specialization constants for the work group's size along y and z, whether the shader gives its `local_size_y_id` a name or not.
inline constexpr std::string_view kGroupYConstant = "kGroupY", kGroupZConstant = "kGroupZ";
/// Work groups of CPU devices along y and z: small ones reach less far past the end of a grid, where all is computed and thrown away.
inline constexpr std::uint32_t kCpuGroupY = 4, kCpuGroupZ = 2;

/// Every compute pipeline by name, made at first use. With a watched folder, a saved .comp (or anything that it includes)
/// is compiled again by `reload`; one that fails keeps its old pipeline.
class ShaderLibrary {
public:
    /// @throws Error Shader if no shader has one of the options' constants; likewise `setOptions`.
    ShaderLibrary(Device& device, std::span<const EmbeddedShader> shaders, const ShaderOptions& options = {});
    ~ShaderLibrary();
    ShaderLibrary(const ShaderLibrary&) = delete;
    ShaderLibrary& operator=(const ShaderLibrary&) = delete;

    /// @throws Error Shader if there is no such shader.
    const Pipeline& get(std::string_view name);

    /// With what pipelines are made now.
    [[nodiscard]] const ShaderOptions& options() const;
    /// What the driver says of its pipeline, which it makes once more for that: see pipelineStatistics.
    [[nodiscard]] std::vector<PipelineStatistic> statistics(std::string_view name) const;

    /// Pipelines with these options from now on: made at next use, where what their shader has of the options was not asked for before.
    void setOptions(ShaderOptions options);

    /// The pipelines made so far are there for the next run, whatever becomes of this one; what is made later, once this object ends.
    /// Returns a line about them for a log.
    std::string save();
    [[nodiscard]] const PipelineCache& cache() const;

    /// Watches `folder` (the shaders' source). @throws Error Shader if it is no folder.
    void watch(std::filesystem::path folder);
    /// Recompiles what changed since the last call; returns the messages: "name: reloaded", or the compiler's.
    std::vector<std::string> reload();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp::engine
