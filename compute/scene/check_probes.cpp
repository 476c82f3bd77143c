// SPDX-License-Identifier: MIT
#include "compute/scene/checker.h"

#include <filesystem>

namespace wisp {
namespace {

constexpr const char* kNames[] = {"velocity", "pressure", "density", "temperature", "vorticity"};

// Skips a box that follows a target. A flat grid ignores z, and a periodic axis has no end.
void checkPosition(Checker& check, const std::string& key, const Settings& s, glm::vec3 x) {
    const std::size_t before = check.problems.size();
    check.within(key, x, -kMaxLength, kMaxLength);
    if (check.problems.size() != before || !s.follow.keys.empty() || s.grid.cells.x == 0) return;
    const float h = s.grid.cellSize();
    const glm::vec3 low = s.grid.origin, high = low + h * glm::vec3(s.grid.cells);
    for (int axis = 0; axis < (s.grid.isFlat() ? 2 : 3); ++axis) {
        if ((s.grid.periodicAxes() >> axis & 1) != 0) continue;
        if (x[axis] >= low[axis] - 1e-3f * h && x[axis] <= high[axis] + 1e-3f * h) continue;
        return check.fail(key,
                          fmt::format("is [{}, {}, {}], outside of the box: must be from {} to {} along {}", x.x, x.y, x.z, low[axis],
                                      high[axis], "xyz"[axis]),
                          {"grid", "follow"});
    }
}

void checkPositions(Checker& check, const std::string& path, const Settings& s, const ProbeSettings& p) {
    if (p.at && (p.from || p.to)) return check.fail(path + ".at", "cannot be combined with from and to: a probe is a point or a line");
    if (!p.at && !p.from && !p.to)
        return check.fail(path, "has no position: set at = [x, y, z] for a point, or from, to and points for a line");
    if (!p.at && !(p.from && p.to))
        return check.fail(path + (p.from ? ".from" : ".to"),
                          fmt::format("is one end of a line, the other end ({}) is missing", p.from ? "to" : "from"));
    if (p.at) return checkPosition(check, path + ".at", s, *p.at);
    checkPosition(check, path + ".from", s, *p.from);
    checkPosition(check, path + ".to", s, *p.to);
    check.within(path + ".points", p.points, 2, kMaxProbePoints);
}

}  // namespace

std::uint32_t Settings::probeFields() const {
    return kProbeVelocity | kProbeDensity | kProbeVorticity | (usesTemperature() ? kProbeTemperature : 0u) |
           (prescribed.field == PrescribedField::None ? kProbePressure : 0u);
}

void checkProbes(Checker& check, const Settings& s) {
    check.atMost("probe", s.probes, kMaxProbes);
    for (std::size_t i = 0; i < s.probes.size(); ++i) {
        const ProbeSettings& p = s.probes[i];
        const std::string path = fmt::format("probe[{}]", i);
        checkPositions(check, path, s, p);
        check.within(path + ".every", p.every, 1, 1000000000);
        if (p.file.empty()) check.fail(path + ".file", "is missing, must be the name of a .csv or .jsonl file");
        for (std::size_t other = 0; other < i; ++other)
            if (!p.file.empty() &&
                std::filesystem::path(s.probes[other].file).lexically_normal() == std::filesystem::path(p.file).lexically_normal())
                check.fail(path + ".file",
                           fmt::format("is \"{}\", which is the file of probe[{}]: must be a different file", p.file, other));
        for (std::uint32_t n = 0; n < 5; ++n)
            if ((p.fields & ~s.probeFields()) >> n & 1u)
                check.fail(path + ".fields", fmt::format("lists {}, which this scene does not have", kNames[n]),
                           {"flow.buoyancy", "emitter", "stroke", "initial", "prescribed"});
    }
}

}  // namespace wisp
