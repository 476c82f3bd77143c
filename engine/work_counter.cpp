// SPDX-License-Identifier: MIT
#include "engine/work_counter.h"

#include <algorithm>
#include <cstring>

namespace wisp::engine {
namespace {

std::span<const std::uint32_t> wordsOf(std::span<const EmbeddedShader> shaders, const std::string& name) {
    const auto found = std::ranges::find(shaders, name, &EmbeddedShader::name);
    if (found == shaders.end()) throw Error(ErrorKind::Shader, "there is no shader named " + name);
    return found->spirv;
}

/// Values of the shader's specialization constants, by their ids.
std::map<std::uint32_t, std::uint32_t> constantsOf(std::span<const EmbeddedShader> shaders, const std::string& name,
                                                   const ShaderOptions& options) {
    std::map<std::uint32_t, std::uint32_t> values;
    for (const auto& [constant, id] : reflect(wordsOf(shaders, name), name).constants)
        if (const auto given = options.constants.find(constant); given != options.constants.end()) values.emplace(id, given->second);
    return values;
}

}  // namespace

WorkCounter::WorkCounter(Device& device, std::span<const EmbeddedShader> shaders, const ShaderOptions& options,
                         std::vector<std::string> passes)
    : passes_(std::move(passes)),
      counters_(device,
                {.name = "work counters", .bytes = std::max<std::size_t>(passes_.size(), 1) * kCountersPerShader * sizeof(std::uint32_t)}) {
    for (const std::string& pass : passes_)
        words_.push_back(instrumentedShader(wordsOf(shaders, pass), constantsOf(shaders, pass, options),
                                            static_cast<std::uint32_t>(words_.size()) * kCountersPerShader, pass));
    for (std::size_t n = 0; n < passes_.size(); ++n) counted_.push_back({passes_[n], words_[n]});
    for (const EmbeddedShader& other : shaders)  // a step may also use shaders that were not timed
        if (std::ranges::find(passes_, other.name) == passes_.end()) counted_.push_back(other);
    ShaderOptions once = options;
    once.kept = false;  // instrumented shaders differ between scenes
    std::erase_if(once.constants, [known = constantNames(counted_)](const auto& c) { return !known.contains(c.first); });
    library_ = std::make_unique<ShaderLibrary>(device, counted_, once);
}

void WorkCounter::reset(Recorder& rec) {
    rec.begin();
    rec.clear(counters_, 0);
    rec.submit();
}

std::map<std::string, ShaderWork> WorkCounter::read(Recorder& rec) {
    std::map<std::string, ShaderWork> work;
    rec.begin();
    rec.read(counters_, [&](std::span<const std::byte> bytes) {
        std::vector<std::uint32_t> counts(bytes.size() / sizeof(std::uint32_t));
        std::memcpy(counts.data(), bytes.data(), bytes.size());
        for (std::size_t n = 0; n < passes_.size() * kCountersPerShader; ++n)
            work[passes_[n / kCountersPerShader]].*kShaderWork[n % kShaderWork.size()] += counts[n];
    });
    rec.submit();
    rec.finish();
    return work;
}

}  // namespace wisp::engine
