// SPDX-License-Identifier: MIT
#include "app/output/trace.h"

#include "app/output/report.h"
#include "files/base/version.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::app {
namespace {

constexpr int kCpu = 1, kGpu = 2;              // process ids
constexpr std::size_t kMain = 1, kOthers = 2;  // thread ids
constexpr std::size_t kFlushBytes = 1u << 20;

}  // namespace

TraceFile::TraceFile(const std::filesystem::path& path) : file_(path), text_("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n") {
    label("process_name", "CPU", kCpu, kMain);
    label("thread_name", "record", kCpu, kMain);
}

void TraceFile::describe(const std::string& device, const TraceClock& clock) {
    const std::lock_guard lock(mutex_);
    label("process_name", "GPU: " + device, kGpu, kMain);
    label("thread_name", "queue", kGpu, kMain);
    clock_ = clock.calibrated ? fmt::format("calibrated, error of GPU times at most {} ns", clock.deviation)
                              : fmt::format("estimated from a submit, GPU times are at most {} ns too late", clock.deviation);
}

void TraceFile::append(const std::string& json) {
    text_ += (std::exchange(first_, false) ? "" : ",\n") + json;
    if (text_.size() < kFlushBytes) return;
    file_.write(text_);
    text_.clear();
}

void TraceFile::label(const char* kind, const std::string& name, int process, std::size_t thread) {
    append(fmt::format(R"({{"name":"{}","ph":"M","ts":0,"dur":0,"pid":{},"tid":{},"args":{{"name":{}}}}})", kind, process, thread,
                       Json(name).dump()));
}

/// The format uses microseconds. Three decimal places keep the full nanosecond resolution, so adjacent events stay adjacent.
void TraceFile::event(std::string_view name, int process, std::size_t thread, std::int64_t begin, std::int64_t end, std::size_t frame) {
    const auto microseconds = [](std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); };
    append(fmt::format(R"({{"name": {}, "ph": "X", "ts": {}, "dur": {}, "pid": {}, "tid": {}, "args": {{"frame": {}}}}})",
                       Json(name).dump(), microseconds(std::max<std::int64_t>(begin - start_, 0)),
                       microseconds(std::max<std::int64_t>(end - begin, 0)), process, thread, frame));
}

void TraceFile::add(const SubmitTrace& submit) {
    const std::lock_guard lock(mutex_);
    const std::size_t n = frames_++;
    event("wait", kCpu, kMain, submit.wait, submit.record, n);
    event("record", kCpu, kMain, submit.record, submit.submit, n);
    event("submit", kCpu, kMain, submit.submit, submit.end, n);
    // Corrects clock errors: GPU work cannot start before its submit or before the end of the previous frame.
    const std::int64_t earliest = std::max(submit.submit, gpuEnd_);
    for (const TraceRange& range : submit.gpu) {
        const std::int64_t begin = std::max(range.begin, earliest), end = std::max(range.end, begin);
        event(range.name, kGpu, kMain, begin, end, n);
        gpuEnd_ = std::max(gpuEnd_, end);
    }
}

void TraceFile::add(std::string_view name, std::size_t thread, std::int64_t begin, std::int64_t end, std::size_t frame) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(threads_[thread], true)) label("thread_name", fmt::format("{} {}", name, thread), kCpu, kOthers + thread);
    event(name, kCpu, kOthers + thread, begin, end, frame);
}

void TraceFile::finish() {
    const std::lock_guard lock(mutex_);
    text_ += "\n],\n\"otherData\": " + Json{{"wisp", WISP_VERSION}, {"clock", clock_}}.dump() + "}\n";
    file_.write(text_);
    file_.commit();
}

}  // namespace wisp::app
