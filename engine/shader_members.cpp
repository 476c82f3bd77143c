// SPDX-License-Identifier: MIT
#include "engine/shader.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::engine {
namespace {

void flatten(const StructMembers& described, const std::string& prefix, std::size_t offset, std::vector<Member>& to) {
    for (const DeclaredMember& m : described.members) {
        const std::string name = prefix + std::string(m.name);
        if (!m.members) {
            const std::string type = m.elements == 0 ? std::string(m.type) : fmt::format("{}[{}]", m.type, m.elements);
            to.push_back({name, type, static_cast<std::uint32_t>(offset + m.offset)});
            continue;
        }
        for (std::size_t n = 0; n < std::max<std::size_t>(m.elements, 1); ++n)
            flatten(*m.members, m.elements == 0 ? name + "." : fmt::format("{}[{}].", name, n), offset + m.offset + n * m.bytes, to);
    }
}

const Member* find(std::span<const Member> members, std::string_view name) {
    const auto found = std::ranges::find(members, name, &Member::name);
    return found == members.end() ? nullptr : &*found;
}

std::string typeAndOffset(const Member& m) { return fmt::format("{} at byte {}", m.type, m.offset); }

}  // namespace

std::vector<Member> flattened(const StructMembers& described) {
    std::vector<Member> members;
    flatten(described, "", 0, members);
    return members;
}

std::optional<std::string> difference(const StructMembers& given, std::span<const Member> declared) {
    std::vector<Member> members = flattened(given);
    if (members.size() == 1 && declared.size() == 1 && members[0].name.empty()) members[0].name = declared[0].name;
    for (const Member& d : declared) {
        const Member* m = find(members, d.name);
        if (!m)
            return fmt::format("{} is missing: the shader declares it as {}, but {} has no such member", d.name, typeAndOffset(d),
                               given.name);
        if (m->type != d.type || m->offset != d.offset)
            return fmt::format("{} is {} in the shader, but in {} it is {}", d.name, typeAndOffset(d), given.name, typeAndOffset(*m));
    }
    for (const Member& m : members)
        if (!find(declared, m.name))
            return fmt::format("{}, {} of {}, is not declared in the shader", m.name.empty() ? "a value" : m.name, typeAndOffset(m),
                               given.name);
    return std::nullopt;
}

}  // namespace wisp::engine
