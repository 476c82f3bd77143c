// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "engine/shader_work.h"

namespace wisp::engine {

/// Counts the work that passes actually do, including loops and branches. Uses instrumented shaders (see instrumentedShader), which compute
/// the same results, but more slowly. `options` must be those of the library whose passes are counted.
class WorkCounter {
public:
    /// @throws Error Shader if there is no such pass.
    WorkCounter(Device& device, std::span<const EmbeddedShader> shaders, const ShaderOptions& options, std::vector<std::string> passes);

    [[nodiscard]] ShaderLibrary& shaders() { return *library_; }
    [[nodiscard]] const Buffer& buffer() const { return counters_; }  ///< RecorderOptions::workCounters

    void reset(Recorder& rec);  ///< submits its own frame; so does `read`
    /// Work of each pass since `reset`. The recorder's readbackBytes must be at least the size of `buffer()`.
    std::map<std::string, ShaderWork> read(Recorder& rec);

private:
    std::vector<std::string> passes_;
    std::vector<std::vector<std::uint32_t>> words_;
    std::vector<EmbeddedShader> counted_;
    Buffer counters_;
    std::unique_ptr<ShaderLibrary> library_;
};

}  // namespace wisp::engine
