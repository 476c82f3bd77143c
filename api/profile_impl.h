// SPDX-License-Identifier: MIT
#pragma once

#include "engine/frame_timer.h"
#include "wisp/profile.h"

#include <vector>

namespace wisp {

inline std::vector<PassTime> passTimesOf(const std::vector<engine::PassTime>& times) {
    std::vector<PassTime> list;
    list.reserve(times.size());
    for (const engine::PassTime& t : times) list.push_back({t.name, t.calls, t.ms, t.scope, t.work.threads, t.work.bytes});
    return list;
}

inline SubmitTrace traceOf(const engine::FrameTrace& trace) {
    SubmitTrace submit{trace.cpu.wait, trace.cpu.record, trace.cpu.submit, trace.cpu.end, {}};
    for (const engine::GpuRange& r : trace.gpu) submit.gpu.push_back({r.name, r.scope, r.begin, r.end});
    return submit;
}

}  // namespace wisp
