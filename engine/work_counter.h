// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "engine/shader_work.h"

namespace wisp::engine {

/// Counts what passes really do, loops and branches as they are taken: their shaders with code of ours in them (see countedShader), which
/// compute the same, only slower. For one device and the options of the library whose passes are asked about.
class WorkCounter {
public:
    /// @throws Error Shader if there is no such pass.
    WorkCounter(Device& device, std::span<const EmbeddedShader> shaders, const ShaderOptions& options, std::vector<std::string> passes);

    [[nodiscard]] ShaderLibrary& shaders() { return *library_; }
    [[nodiscard]] const Buffer& buffer() const { return counters_; }  ///< RecorderOptions::workCounters

    void reset(Recorder& rec);  ///< in a frame of its own, as `read`
    /// What each pass has done since then. `rec` has readbackBytes for the buffer.
    std::map<std::string, ShaderWork> read(Recorder& rec);

private:
    std::vector<std::string> passes_;
    std::vector<std::vector<std::uint32_t>> words_;
    std::vector<EmbeddedShader> counted_;
    Buffer counters_;
    std::unique_ptr<ShaderLibrary> library_;
};

}  // namespace wisp::engine
