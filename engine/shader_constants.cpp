// SPDX-License-Identifier: MIT
#include "engine/shader.h"
#include "engine/spirv_module.h"

namespace wisp::engine {
namespace {

/// Calls `visit(op, words)` for every instruction before the types: names, then decorations.
template <class Visit>
void forEachBeforeTypes(std::span<const std::uint32_t> spirv, Visit visit) {
    for (std::size_t at = spirv::kHeader; at < spirv.size();) {
        const std::size_t count = spirv[at] >> SpvWordCountShift;
        const auto op = static_cast<SpvOp>(spirv[at] & SpvOpCodeMask);
        if (op == SpvOpTypeVoid || count == 0 || count > spirv.size() - at) return;
        visit(op, spirv.subspan(at, count));
        at += count;
    }
}

}  // namespace

std::set<std::string, std::less<>> constantNames(std::span<const std::uint32_t> spirv) {
    std::set<std::uint32_t> ids;
    forEachBeforeTypes(spirv, [&](SpvOp op, std::span<const std::uint32_t> words) {
        if (op == SpvOpDecorate && words.size() > 2 && words[2] == SpvDecorationSpecId) ids.insert(words[1]);
    });
    std::set<std::string, std::less<>> names;
    if (ids.empty()) return names;
    forEachBeforeTypes(spirv, [&](SpvOp op, std::span<const std::uint32_t> words) {
        if (op == SpvOpName && words.size() > 2 && ids.contains(words[1])) names.insert(reinterpret_cast<const char*>(words.data() + 2));
    });
    return names;
}

std::set<std::string, std::less<>> constantNames(std::span<const EmbeddedShader> shaders) {
    std::set<std::string, std::less<>> names;
    for (const EmbeddedShader& s : shaders) names.merge(constantNames(s.spirv));
    return names;
}

}  // namespace wisp::engine
