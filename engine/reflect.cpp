// SPDX-License-Identifier: MIT
#include "engine/shader.h"

#include <fmt/format.h>
#include <spirv_cross_c.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <type_traits>

namespace wisp::engine {

namespace {

VkFormat formatOf(SpvImageFormat format) {
    switch (format) {
        case SpvImageFormatRgba32f: return VK_FORMAT_R32G32B32A32_SFLOAT;
        case SpvImageFormatRgba16f: return VK_FORMAT_R16G16B16A16_SFLOAT;
        case SpvImageFormatRg32f: return VK_FORMAT_R32G32_SFLOAT;
        case SpvImageFormatRg16f: return VK_FORMAT_R16G16_SFLOAT;
        case SpvImageFormatR32f: return VK_FORMAT_R32_SFLOAT;
        case SpvImageFormatR16f: return VK_FORMAT_R16_SFLOAT;
        case SpvImageFormatRgba8: return VK_FORMAT_R8G8B8A8_UNORM;
        case SpvImageFormatR8: return VK_FORMAT_R8_UNORM;
        case SpvImageFormatR32ui: return VK_FORMAT_R32_UINT;
        default: return VK_FORMAT_UNDEFINED;
    }
}

/// GLSL name of a scalar, vector or matrix type.
std::string typeName(spvc_type type) {
    const unsigned rows = spvc_type_get_vector_size(type), columns = spvc_type_get_columns(type);
    const auto named = [&](const char* scalar, const char* vector) {
        return rows == 1 ? std::string(scalar) : fmt::format("{}{}", vector, rows);
    };
    if (columns > 1) return fmt::format("mat{}x{}", columns, rows);
    switch (spvc_type_get_basetype(type)) {
        case SPVC_BASETYPE_FP32: return named("float", "vec");
        case SPVC_BASETYPE_INT32: return named("int", "ivec");
        case SPVC_BASETYPE_UINT32: return named("uint", "uvec");
        default: return fmt::format("SPIRV-Cross type {}", static_cast<int>(spvc_type_get_basetype(type)));
    }
}

constexpr std::string_view kAddress = "Address";

/// One parsed shader; owns the SPIRV-Cross context.
class Reflector {
public:
    Reflector(std::span<const std::uint32_t> spirv, const std::string& name) : name_(name) {
        spvc_context context = nullptr;
        spvc_context_create(&context);
        if (!context) throw std::bad_alloc();
        context_.reset(context);
        spvc_parsed_ir ir = nullptr;
        require(spvc_context_parse_spirv(context_.get(), spirv.data(), spirv.size(), &ir));
        require(spvc_context_create_compiler(context_.get(), SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler_));
        require(spvc_compiler_create_shader_resources(compiler_, &resources_));
        spvc_set active = nullptr;
        require(spvc_compiler_get_active_interface_variables(compiler_, &active));
        require(spvc_compiler_create_shader_resources_for_active_variables(compiler_, &activeResources_, active));
    }

    ShaderInterface run() {
        ShaderInterface result;
        if (spvc_compiler_get_execution_model(compiler_) != SpvExecutionModelGLCompute) fail("is not a compute shader");
        rejectUnsupportedResources();
        addBindings(result, SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
        addBindings(result, SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
        addBindings(result, SPVC_RESOURCE_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
        addBindings(result, SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
        addBindings(result, SPVC_RESOURCE_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
        std::sort(result.bindings.begin(), result.bindings.end(), [](const auto& a, const auto& b) { return a.binding < b.binding; });
        rejectSharedBindings(result);  // before the addresses, which have no binding
        rejectDuplicateNames(result);
        for (const auto& push : list(SPVC_RESOURCE_TYPE_PUSH_CONSTANT)) {
            result.pushBytes = blockBytes(push);
            addAddresses(result, push);
            addPushMembers(result, push);
        }
        if (result.pushBytes > kMaxPushBytes)
            fail(fmt::format("declares {} bytes of push constants; devices have {}", result.pushBytes, kMaxPushBytes));
        readLocalSize(result);
        readConstants(result);
        return result;
    }

    std::vector<ShaderStruct> structs() const {
        std::vector<ShaderStruct> result;
        std::set<SpvId> seen;
        for (const auto kind : {SPVC_RESOURCE_TYPE_PUSH_CONSTANT, SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SPVC_RESOURCE_TYPE_STORAGE_BUFFER})
            for (const auto& r : list(kind)) addStructs(result, r.base_type_id, seen);
        return result;
    }

private:
    void addStructs(std::vector<ShaderStruct>& to, SpvId id, std::set<SpvId>& seen) const {
        if (!seen.insert(id).second) return;
        ShaderStruct& s = to.emplace_back(ShaderStruct{spvc_compiler_get_name(compiler_, id), {}});
        addMembers(s.members, id, "", 0);
        const spvc_type type = typeOf(id);
        for (unsigned n = 0; n < spvc_type_get_num_member_types(type); ++n)
            if (const SpvId inner = structOf(typeOf(spvc_type_get_member_type(type, n)))) addStructs(to, inner, seen);
    }

    void readConstants(ShaderInterface& result) const {
        const spvc_specialization_constant* first = nullptr;
        std::size_t count = 0;
        require(spvc_compiler_get_specialization_constants(compiler_, &first, &count));
        for (const auto& constant : std::span(first, count)) {
            std::string name = spvc_compiler_get_name(compiler_, constant.id);
            if (name.empty()) name = groupConstant(result, constant.constant_id);
            result.constants.emplace(std::move(name), constant.constant_id);
        }
    }

    // GLSL gives the constant of `local_size_y_id` no name.
    std::string groupConstant(const ShaderInterface& shader, std::uint32_t id) const {
        if (id == shader.localSizeConstants.x) return std::string(kGroupXConstant);
        if (id == shader.localSizeConstants.y) return std::string(kGroupYConstant);
        if (id == shader.localSizeConstants.z) return std::string(kGroupZConstant);
        fail(fmt::format("gives its specialization constant {} no name", id));
    }

    void readLocalSize(ShaderInterface& result) const {
        std::array<spvc_specialization_constant, 3> constants{};
        spvc_compiler_get_work_group_size_specialization_constants(compiler_, &constants[0], &constants[1], &constants[2]);
        for (glm::length_t i = 0; i < 3; ++i) {
            const auto& [id, number] = constants[static_cast<std::size_t>(i)];
            result.localSize[i] = id != 0 ? spvc_constant_get_scalar_u32(spvc_compiler_get_constant_handle(compiler_, id), 0, 0)
                                          : spvc_compiler_get_execution_mode_argument_by_index(compiler_, SpvExecutionModeLocalSize,
                                                                                               static_cast<unsigned>(i));
            if (id != 0) result.localSizeConstants[i] = number;
            if (result.localSize[i] == 0) fail("has a local size that is neither a literal nor a constant");
        }
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw Error(ErrorKind::Shader, fmt::format("shader {} {}", name_, message));
    }
    void require(spvc_result result) const {
        // SPIRV-Cross reports exhausted host memory as an error of the shader.
        if (result == SPVC_ERROR_OUT_OF_MEMORY ||
            (result != SPVC_SUCCESS && spvc_context_get_last_error_string(context_.get()) == std::string_view("std::bad_alloc")))
            throw std::bad_alloc();
        if (result != SPVC_SUCCESS) fail(fmt::format("cannot be parsed: {}", spvc_context_get_last_error_string(context_.get())));
    }

    std::span<const spvc_reflected_resource> list(spvc_resource_type type, bool activeOnly = false) const {
        const spvc_reflected_resource* first = nullptr;
        std::size_t count = 0;
        require(spvc_resources_get_resource_list_for_type(activeOnly ? activeResources_ : resources_, type, &first, &count));
        return {first, count};
    }

    void rejectUnsupportedResources() const {
        for (const auto type : {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, SPVC_RESOURCE_TYPE_SUBPASS_INPUT, SPVC_RESOURCE_TYPE_ATOMIC_COUNTER,
                                SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE}) {
            for (const auto& r : list(type)) fail(fmt::format("declares {}, a kind of resource that wisp does not support", nameOf(r)));
        }
    }

    void rejectSharedBindings(const ShaderInterface& shader) const {
        for (std::size_t i = 1; i < shader.bindings.size(); ++i) {
            const auto& a = shader.bindings[i - 1];
            const auto& b = shader.bindings[i];
            if (a.binding == b.binding) fail(fmt::format("declares {} and {} at binding {}", a.name, b.name, a.binding));
        }
    }

    // One name may occur several times if the samplers have different reductions.
    void rejectDuplicateNames(const ShaderInterface& shader) const {
        for (auto a = shader.bindings.begin(); a != shader.bindings.end(); ++a)
            for (auto b = a + 1; b != shader.bindings.end(); ++b)
                if (a->name == b->name && a->reduction == b->reduction)
                    fail(fmt::format("declares {} twice, at bindings {} and {}", a->name, a->binding, b->binding));
    }

    bool decorated(SpvId id, SpvDecoration decoration) const {
        return spvc_compiler_has_decoration(compiler_, id, decoration) != SPVC_FALSE;
    }

    // SPIRV-Cross invents a name for a block without an instance name. get_name returns OpName, which is empty in this case.
    std::string nameOf(const spvc_reflected_resource& r) const {
        const std::string name = spvc_compiler_get_name(compiler_, r.id);
        return name.empty() ? spvc_compiler_get_member_name(compiler_, r.base_type_id, 0) : name;
    }

    std::uint32_t blockBytes(const spvc_reflected_resource& r) const {
        std::size_t bytes = 0;
        require(spvc_compiler_get_declared_struct_size(compiler_, spvc_compiler_get_type_handle(compiler_, r.base_type_id), &bytes));
        return static_cast<std::uint32_t>(bytes);
    }

    // For a buffer block, `readonly` and `writeonly` decorate the members. For an image they decorate the variable.
    void readAccess(const spvc_reflected_resource& r, ShaderBinding& b) const {
        bool nonReadable = decorated(r.id, SpvDecorationNonReadable);
        bool nonWritable = decorated(r.id, SpvDecorationNonWritable);
        if (b.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
            const SpvDecoration* decorations = nullptr;
            std::size_t count = 0;
            require(spvc_compiler_get_buffer_block_decorations(compiler_, r.id, &decorations, &count));
            const std::span all(decorations, count);
            nonReadable = nonReadable || std::find(all.begin(), all.end(), SpvDecorationNonReadable) != all.end();
            nonWritable = nonWritable || std::find(all.begin(), all.end(), SpvDecorationNonWritable) != all.end();
        }
        b.reads = !nonReadable;
        b.writes = !nonWritable;
    }

    static void readReduction(ShaderBinding& b) {
        for (const auto& [suffix, reduction] :
             {std::pair{std::string_view("Least"), Reduction::Least}, {"Greatest", Reduction::Greatest}}) {
            if (!b.name.ends_with(suffix)) continue;
            b.name.resize(b.name.size() - suffix.size());
            b.reduction = reduction;
        }
    }

    void addBindings(ShaderInterface& result, spvc_resource_type kind, VkDescriptorType type) const {
        const auto active = list(kind, true);
        for (const auto& r : list(kind)) {
            ShaderBinding b;
            b.name = nameOf(r);
            b.binding = spvc_compiler_get_decoration(compiler_, r.id, SpvDecorationBinding);
            b.type = type;
            if (type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) readReduction(b);
            b.active = std::any_of(active.begin(), active.end(), [&](const auto& a) { return a.id == r.id; });
            if (spvc_compiler_get_decoration(compiler_, r.id, SpvDecorationDescriptorSet) != 0)
                fail(fmt::format("declares {} outside set 0", b.name));
            const spvc_type variable = spvc_compiler_get_type_handle(compiler_, r.type_id);
            if (spvc_type_get_num_array_dimensions(variable) != 0) fail(fmt::format("declares {} as an array of resources", b.name));
            if (type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) readAccess(r, b);
            if (type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) b.bytes = blockBytes(r);
            if (type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
                type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
                readImage(variable, b);
            result.bindings.push_back(std::move(b));
        }
    }

    void readImage(spvc_type type, ShaderBinding& b) const {
        const SpvDim dimension = spvc_type_get_image_dimension(type);
        if ((dimension != SpvDim2D && dimension != SpvDim3D) || spvc_type_get_image_arrayed(type) || spvc_type_get_image_multisampled(type))
            fail(fmt::format("declares {}, an image that is neither 2D nor 3D", b.name));
        b.flat = dimension == SpvDim2D;
        if (b.type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) return;
        const SpvImageFormat format = spvc_type_get_image_storage_format(type);
        b.format = formatOf(format);
        if (format != SpvImageFormatUnknown && b.format == VK_FORMAT_UNDEFINED)
            fail(fmt::format("declares {} in a format that wisp does not support (SpvImageFormat {})", b.name, static_cast<int>(format)));
    }

    spvc_type typeOf(SpvId id) const { return spvc_compiler_get_type_handle(compiler_, id); }

    /// Id of the struct type of a member, or of the elements of an array member; 0 for a scalar or vector.
    SpvId structOf(spvc_type member) const {
        return spvc_type_get_basetype(member) == SPVC_BASETYPE_STRUCT ? spvc_type_get_base_type_id(member) : SpvId{0};
    }

    // Skips addresses: the recorder fills them in.
    void addMembers(std::vector<Member>& to, SpvId structId, const std::string& prefix, std::uint32_t start) const {
        const spvc_type type = typeOf(structId);
        for (unsigned n = 0; n < spvc_type_get_num_member_types(type); ++n) {
            const spvc_type member = typeOf(spvc_type_get_member_type(type, n));
            if (spvc_type_get_storage_class(member) == SpvStorageClassPhysicalStorageBuffer) continue;
            unsigned offset = 0, stride = 0;
            require(spvc_compiler_type_struct_member_offset(compiler_, type, n, &offset));
            const bool isArray = spvc_type_get_num_array_dimensions(member) != 0;
            if (isArray) require(spvc_compiler_type_struct_member_array_stride(compiler_, type, n, &stride));
            const unsigned elements = isArray ? spvc_type_get_array_dimension(member, 0) : 1;
            const std::string name = prefix + spvc_compiler_get_member_name(compiler_, structId, n);
            if (const SpvId inner = structOf(member)) {
                for (unsigned i = 0; i < elements; ++i)
                    addMembers(to, inner, isArray ? fmt::format("{}[{}].", name, i) : name + ".", start + offset + i * stride);
                continue;
            }
            std::string called = typeName(member);
            if (isArray) called += fmt::format("[{}]", elements);
            if (isArray && stride != sizeof(float) * spvc_type_get_vector_size(member))
                called += fmt::format(" with a stride of {} bytes", stride);
            to.push_back({name, called, start + offset});
        }
    }

    void addPushMembers(ShaderInterface& result, const spvc_reflected_resource& push) const {
        const spvc_type block = typeOf(push.base_type_id);
        const unsigned addresses = result.pushAddresses / sizeof(VkDeviceAddress), count = spvc_type_get_num_member_types(block);
        addMembers(result.pushMembers, push.base_type_id, "", 0);
        std::string outer;  // prefix of the names if the block contains a single struct
        if (count == addresses + 1 && structOf(typeOf(spvc_type_get_member_type(block, addresses))) != 0)
            outer = std::string(spvc_compiler_get_member_name(compiler_, push.base_type_id, addresses)) + ".";
        for (Member& m : result.pushMembers) {
            m.name.erase(0, outer.size());
            m.offset -= result.pushAddresses;
        }
    }

    void addAddresses(ShaderInterface& result, const spvc_reflected_resource& push) const {
        const spvc_type block = spvc_compiler_get_type_handle(compiler_, push.base_type_id);
        for (unsigned n = 0; n < spvc_type_get_num_member_types(block); ++n) {
            const spvc_type member = spvc_compiler_get_type_handle(compiler_, spvc_type_get_member_type(block, n));
            if (spvc_type_get_storage_class(member) != SpvStorageClassPhysicalStorageBuffer) continue;
            ShaderBinding b;
            b.name = spvc_compiler_get_member_name(compiler_, push.base_type_id, n);
            if (b.name.ends_with(kAddress)) b.name.resize(b.name.size() - kAddress.size());
            b.pushOffset = static_cast<int>(result.pushAddresses);
            unsigned offset = 0;
            require(spvc_compiler_type_struct_member_offset(compiler_, block, n, &offset));
            if (offset != result.pushAddresses)
                fail(fmt::format("has the address {} after other push constants; addresses must come first", b.name));
            const SpvId pointee = spvc_type_get_base_type_id(member);
            b.reads = !spvc_compiler_has_member_decoration(compiler_, pointee, 0, SpvDecorationNonReadable);
            b.writes = !spvc_compiler_has_member_decoration(compiler_, pointee, 0, SpvDecorationNonWritable);
            result.pushAddresses += sizeof(VkDeviceAddress);
            result.bindings.push_back(std::move(b));
        }
    }

    const std::string& name_;
    struct Destroy {
        void operator()(spvc_context context) const { spvc_context_destroy(context); }
    };
    std::unique_ptr<std::remove_pointer_t<spvc_context>, Destroy> context_;
    spvc_compiler compiler_ = nullptr;
    spvc_resources resources_ = nullptr;
    spvc_resources activeResources_ = nullptr;
};

}  // namespace

ShaderInterface reflect(std::span<const std::uint32_t> spirv, const std::string& name) { return Reflector(spirv, name).run(); }

std::vector<ShaderStruct> reflectStructs(std::span<const std::uint32_t> spirv, const std::string& name) {
    return Reflector(spirv, name).structs();
}

}  // namespace wisp::engine
