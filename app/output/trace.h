// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/pending_file.h"
#include "engine/recorder.h"

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace wisp::app {

/// `--trace`: Chrome trace events (ui.perfetto.dev opens them). What the CPU did frame by frame, what its other threads did, and the
/// GPU's scopes and passes, all on the host's clock. Threads may call it at the same time.
class TraceFile {
public:
    /// @throws Failure Output, here and below.
    explicit TraceFile(const std::filesystem::path& path);

    /// Who the GPU is, and how far its times can be trusted; before the first frame.
    void describe(const std::string& device, const engine::GpuClock& clock);
    void add(const engine::FrameTrace& frame);  ///< in order
    /// Something that a thread of the program's own did [ns, see engine::hostNow]. `thread` counts from 0.
    void add(std::string_view name, std::size_t thread, std::int64_t begin, std::int64_t end, std::size_t frame);
    void finish();  ///< completes the file

private:
    void event(std::string_view name, int process, std::size_t thread, std::int64_t begin, std::int64_t end, std::size_t frame);
    void label(const char* kind, const std::string& name, int process, std::size_t thread);
    void append(const std::string& json);

    PendingFile file_;
    std::mutex mutex_;
    std::int64_t start_ = engine::hostNow();
    std::int64_t gpuEnd_ = 0;  ///< of the newest frame
    std::size_t frames_ = 0;
    std::map<std::size_t, bool> threads_;  ///< that have a name
    std::string clock_ = "no GPU times";
    std::string text_;  ///< not yet written
    bool first_ = true;
};

}  // namespace wisp::app
