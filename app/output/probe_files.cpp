// SPDX-License-Identifier: MIT
#include "app/output/probe_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

/// Name, unit and values of a field in a row.
struct Column {
    std::uint32_t bit;
    const char *name, *unit;  ///< unit with brackets; empty: no unit
    std::vector<float> (*numbers)(const gpu::ProbeValue&);
};

std::vector<float> listOf(glm::vec3 v) { return {v.x, v.y, v.z}; }

const Column kColumns[] = {
    {kProbeVelocity, "velocity", " [m/s]", [](const gpu::ProbeValue& v) { return listOf(v.velocity); }},
    {kProbePressure, "pressure_over_density", " [m^2/s^2]", [](const gpu::ProbeValue& v) { return std::vector{v.pressure}; }},
    {kProbeDensity, "density", "", [](const gpu::ProbeValue& v) { return std::vector{v.density}; }},
    {kProbeTemperature, "temperature", " [K]", [](const gpu::ProbeValue& v) { return std::vector{v.temperature}; }},
    {kProbeVorticity, "vorticity", " [1/s]", [](const gpu::ProbeValue& v) { return listOf(v.vorticity); }},
};

std::string number(float v, const char* none) { return std::isfinite(v) ? fmt::format("{}", v) : none; }

std::string jsonOf(const std::vector<float>& numbers) {
    if (numbers.size() == 1) return number(numbers[0], "null");
    std::string text;
    for (const float v : numbers) text += (text.empty() ? "[" : ",") + number(v, "null");
    return text + "]";
}

glm::vec3 pointOf(const ProbeSettings& p, std::uint32_t i) {
    if (p.at) return *p.at;
    return glm::mix(glm::dvec3(*p.from), glm::dvec3(*p.to), static_cast<double>(i) / (p.points - 1));
}

}  // namespace

std::string probeHead(std::uint32_t fields) {
    std::string text = "step,time [s],point,x [m],y [m],z [m]";
    const gpu::ProbeValue none{};
    for (const Column& c : kColumns) {
        if ((fields & c.bit) == 0) continue;
        const std::size_t numbers = c.numbers(none).size();
        for (std::size_t n = 0; n < numbers; ++n)
            text += fmt::format(",{}{}{}", c.name, numbers == 1 ? "" : fmt::format("_{}", "xyz"[n]), c.unit);
    }
    return text;
}

std::string probeRow(bool csv, std::uint32_t fields, std::uint64_t step, double time, std::uint32_t point, glm::vec3 x,
                     const gpu::ProbeValue& value) {
    std::string text = csv ? fmt::format("{},{},{},{},{},{}", step, time, point, x.x, x.y, x.z)
                           : fmt::format(R"({{"step":{},"time":{},"point":{},"at":[{},{},{}])", step, time, point, x.x, x.y, x.z);
    for (const Column& c : kColumns) {
        if ((fields & c.bit) == 0) continue;
        const std::vector<float> numbers = c.numbers(value);
        if (!csv) text += fmt::format(R"(,"{}":{})", c.name, jsonOf(numbers));
        else
            for (const float v : numbers) text += "," + number(v, "");
    }
    return csv ? text : text + "}";
}

ProbeFiles::ProbeFiles(engine::Device& device, const Settings& settings) : sampler_(device, settings) {
    probes_.reserve(settings.probes.size());  // callbacks of `sample` hold references to the elements
    for (const ProbeSettings& p : settings.probes) {
        const bool csv = p.file.ends_with(".csv");
        probes_.push_back({p, p.fields == 0 ? settings.probeFields() : p.fields, csv, PendingFile(p.file)});
        if (csv) probes_.back().file.write(probeHead(probes_.back().fields) + "\n");
    }
}

bool ProbeFiles::due(std::uint64_t step) const {
    return std::ranges::any_of(probes_, [&](const Probe& p) { return step % p.settings.every == 0; });
}

void ProbeFiles::sample(engine::Recorder& rec, const FluidSimulator& simulator) {
    for (Probe& p : probes_) {
        const std::uint64_t step = simulator.stepCount();
        if (step % p.settings.every != 0) continue;
        sampler_.sample(rec, simulator, p.settings, [&p, step, time = simulator.time()](std::span<const gpu::ProbeValue> values) {
            std::string rows;
            for (std::uint32_t i = 0; i < values.size(); ++i)
                rows += probeRow(p.csv, p.fields, step, time, i, pointOf(p.settings, i), values[i]) + "\n";
            p.file.write(rows);
        });
    }
}

void ProbeFiles::finish() {
    for (Probe& p : probes_) p.file.commit();
}

}  // namespace wisp::app
