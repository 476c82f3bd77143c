// SPDX-License-Identifier: MIT
// Describes a C++ struct that a shader also declares, so that the names, types and offsets of the members can be compared.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace wisp::engine {

struct StructMembers;

/// A member as C++ declares it.
struct DeclaredMember {
    std::string_view name;
    std::string_view type;                   ///< in GLSL; empty for a struct
    const StructMembers* members = nullptr;  ///< for a struct; else null
    std::size_t offset = 0, bytes = 0;       ///< `bytes`: size of one element
    std::size_t elements = 0;                ///< array length; 0: not an array
};
struct StructMembers {
    std::string_view name;
    std::span<const DeclaredMember> members;
};

template <class T>
concept Described = requires(const T* t) {
    membersOf(t);
};

/// The GLSL type of a scalar or a vector; empty for any other.
template <class T>
constexpr std::string_view glslType() {
    if constexpr (std::is_same_v<T, float>) return "float";
    if constexpr (std::is_same_v<T, std::int32_t>) return "int";
    if constexpr (std::is_same_v<T, std::uint32_t>) return "uint";
    if constexpr (std::is_same_v<T, glm::vec2>) return "vec2";
    if constexpr (std::is_same_v<T, glm::vec3>) return "vec3";
    if constexpr (std::is_same_v<T, glm::vec4>) return "vec4";
    if constexpr (std::is_same_v<T, glm::ivec2>) return "ivec2";
    if constexpr (std::is_same_v<T, glm::ivec3>) return "ivec3";
    if constexpr (std::is_same_v<T, glm::uvec3>) return "uvec3";
    return "";
}

template <class T>
constexpr DeclaredMember declaredMember(std::string_view name, std::size_t offset) {
    using Element = std::remove_extent_t<T>;
    DeclaredMember m{name, glslType<Element>(), nullptr, offset, sizeof(Element), std::extent_v<T>};
    if constexpr (Described<Element>) {
        m.members = &membersOf(static_cast<const Element*>(nullptr));
    } else {
        static_assert(!glslType<Element>().empty(), "a member must be a scalar, a vector or a struct with WISP_MEMBERS");
    }
    return m;
}

/// Describes a push-constant block: a struct with WISP_MEMBERS, or one scalar or vector, which may have any name in the shader.
template <class T>
const StructMembers& describe() {
    if constexpr (Described<T>) {
        return membersOf(static_cast<const T*>(nullptr));
    } else {
        static_assert(!glslType<T>().empty(),
                      "push constants must be a scalar, a vector or a struct with WISP_MEMBERS(Struct, member, ...) after it");
        static constexpr DeclaredMember kOnly = declaredMember<T>("", 0);
        static constexpr StructMembers kMembers{glslType<T>(), {&kOnly, 1}};
        return kMembers;
    }
}

}  // namespace wisp::engine

#ifdef WISP_CPPCHECK  // see scripts/analyse.sh: cppcheck 2.10 does not support __VA_OPT__
#define WISP_MEMBERS(Struct, ...) const ::wisp::engine::StructMembers& membersOf(const Struct*);
#else
// Expands WISP_MEMBER(Struct, member) for up to 64 members: every rescan by the preprocessor takes the next member of the list.
#define WISP_ROUNDS(...) WISP_ROUNDS_A(WISP_ROUNDS_A(WISP_ROUNDS_A(WISP_ROUNDS_A(__VA_ARGS__))))
#define WISP_ROUNDS_A(...) WISP_ROUNDS_B(WISP_ROUNDS_B(WISP_ROUNDS_B(WISP_ROUNDS_B(__VA_ARGS__))))
#define WISP_ROUNDS_B(...) WISP_ROUNDS_C(WISP_ROUNDS_C(WISP_ROUNDS_C(WISP_ROUNDS_C(__VA_ARGS__))))
#define WISP_ROUNDS_C(...) __VA_ARGS__
#define WISP_NO_ARGUMENTS ()
#define WISP_EACH(Struct, member, ...) WISP_MEMBER(Struct, member) __VA_OPT__(WISP_EACH_AGAIN WISP_NO_ARGUMENTS(Struct, __VA_ARGS__))
#define WISP_EACH_AGAIN() WISP_EACH
#define WISP_MEMBER(Struct, member) ::wisp::engine::declaredMember<decltype(Struct::member)>(#member, offsetof(Struct, member)),

/// Lists the members of a struct that shaders declare. Place it after the struct, in the same namespace.
#define WISP_MEMBERS(Struct, ...)                                                                                         \
    inline constexpr ::wisp::engine::DeclaredMember kMembersOf##Struct[] = {WISP_ROUNDS(WISP_EACH(Struct, __VA_ARGS__))}; \
    inline constexpr ::wisp::engine::StructMembers kDescribed##Struct{#Struct, kMembersOf##Struct};                       \
    constexpr const ::wisp::engine::StructMembers& membersOf(const Struct*) { return kDescribed##Struct; }
#endif
