// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/clock.h"
#include "files/base/pending_file.h"
#include "wisp/profile.h"

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace wisp::app {

/// `--trace`: writes Chrome trace events (ui.perfetto.dev opens them). Contains the frames of the main CPU thread, the work of other
/// threads, and the scopes and passes of the GPU, all in host time. Thread-safe.
class TraceFile {
public:
    /// This and the following functions throw Failure Output.
    explicit TraceFile(const std::filesystem::path& path);

    /// Writes the name of the device and the accuracy of GPU times. Call before the first frame.
    void describe(const std::string& device, const TraceClock& clock);
    void add(const SubmitTrace& submit);  ///< call in the order of submits
    /// Adds work of another CPU thread [ns, see steadyNow]. `thread` counts from 0.
    void add(std::string_view name, std::size_t thread, std::int64_t begin, std::int64_t end, std::size_t frame);
    void finish();  ///< completes the file

private:
    void event(std::string_view name, int process, std::size_t thread, std::int64_t begin, std::int64_t end, std::size_t frame);
    void label(const char* kind, const std::string& name, int process, std::size_t thread);
    void append(const std::string& json);

    PendingFile file_;
    std::mutex mutex_;
    std::int64_t start_ = steadyNow();
    std::int64_t gpuEnd_ = 0;  ///< end of the newest frame
    std::size_t frames_ = 0;
    std::map<std::size_t, bool> threads_;  ///< threads whose name has been written
    std::string clock_ = "no GPU times";
    std::string text_;  ///< not yet written
    bool first_ = true;
};

}  // namespace wisp::app
