// SPDX-License-Identifier: MIT
#include "app/output/probe_files.h"

#include "app/base/scene_values.h"
#include "files/base/extension.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

/// Name, unit and values of a field in a row.
struct Column {
    bool ProbeFields::*has;
    const char *name, *unit;  ///< unit with brackets; empty: no unit
    std::vector<float> (*numbers)(const ProbeValue&);
};

std::vector<float> listOf(const std::array<float, 3>& v) { return {v.begin(), v.end()}; }

const Column kColumns[] = {
    {&ProbeFields::velocity, "velocity", " [m/s]", [](const ProbeValue& v) { return listOf(v.velocity); }},
    {&ProbeFields::pressure, "pressure_over_density", " [m^2/s^2]", [](const ProbeValue& v) { return std::vector{v.pressure}; }},
    {&ProbeFields::density, "density", "", [](const ProbeValue& v) { return std::vector{v.density}; }},
    {&ProbeFields::temperature, "temperature", " [K]", [](const ProbeValue& v) { return std::vector{v.temperature}; }},
    {&ProbeFields::vorticity, "vorticity", " [1/s]", [](const ProbeValue& v) { return listOf(v.vorticity); }},
};

std::string number(float v, const char* none) { return std::isfinite(v) ? fmt::format("{}", v) : none; }

std::string jsonOf(const std::vector<float>& numbers) {
    if (numbers.size() == 1) return number(numbers[0], "null");
    std::string text;
    for (const float v : numbers) text += (text.empty() ? "[" : ",") + number(v, "null");
    return text + "]";
}

glm::vec3 pointOf(glm::vec3 from, glm::vec3 to, std::size_t i, std::size_t count) {
    if (count == 1) return from;
    return glm::mix(glm::dvec3(from), glm::dvec3(to), static_cast<double>(i) / static_cast<double>(count - 1));
}

/// What a key lists, or if it is not given, all that the scene has.
ProbeFields fieldsOf(const Scene& scene, const std::string& key) {
    const std::vector<std::string> simulated = scene.fields();
    const std::vector<std::string> names = scene.get(key).empty() ? std::vector<std::string>() : textsOf(scene, key);
    const auto wanted = [&](const char* name) { return names.empty() || std::ranges::find(names, name) != names.end(); };
    const auto has = [&](const char* name) { return wanted(name) && std::ranges::find(simulated, name) != simulated.end(); };
    return {wanted("velocity"), has("pressure"), wanted("density"), has("temperature"), wanted("vorticity")};
}

}  // namespace

std::string probeHead(const ProbeFields& fields) {
    std::string text = "step,time [s],point,x [m],y [m],z [m]";
    const ProbeValue none{};
    for (const Column& c : kColumns) {
        if (!(fields.*c.has)) continue;
        const std::size_t numbers = c.numbers(none).size();
        for (std::size_t n = 0; n < numbers; ++n)
            text += fmt::format(",{}{}{}", c.name, numbers == 1 ? "" : fmt::format("_{}", "xyz"[n]), c.unit);
    }
    return text;
}

std::string probeRow(bool csv, const ProbeFields& fields, std::uint64_t step, double time, std::uint32_t point, glm::vec3 x,
                     const ProbeValue& value) {
    std::string text = csv ? fmt::format("{},{},{},{},{},{}", step, time, point, x.x, x.y, x.z)
                           : fmt::format(R"({{"step":{},"time":{},"point":{},"at":[{},{},{}])", step, time, point, x.x, x.y, x.z);
    for (const Column& c : kColumns) {
        if (!(fields.*c.has)) continue;
        const std::vector<float> numbers = c.numbers(value);
        if (!csv) text += fmt::format(R"(,"{}":{})", c.name, jsonOf(numbers));
        else
            for (const float v : numbers) text += "," + number(v, "");
    }
    return csv ? text : text + "}";
}

ProbeFiles::ProbeFiles(const Scene& scene) {
    for (std::size_t n = 0; n < scene.count("probe"); ++n) {
        const std::string key = fmt::format("probe[{}].", n);
        const bool isPoint = !scene.get(key + "at").empty();
        const auto vector = [&](const char* name) {
            const auto v = valueOf<std::array<float, 3>>(scene, key + name);
            return glm::vec3(v[0], v[1], v[2]);
        };
        const auto file = valueOf<std::string>(scene, key + "file");
        probes_.push_back({.from = vector(isPoint ? "at" : "from"),
                           .to = vector(isPoint ? "at" : "to"),
                           .every = valueOf<std::uint32_t>(scene, key + "every"),
                           .fields = fieldsOf(scene, key + "fields"),
                           .csv = extensionOf(file) == ".csv",
                           .file = PendingFile(file)});
        if (probes_.back().csv) probes_.back().file.write(probeHead(probes_.back().fields) + "\n");
    }
}

bool ProbeFiles::due(std::uint64_t step) const {
    return std::ranges::any_of(probes_, [&](const Probe& p) { return step % p.every == 0; });
}

void ProbeFiles::write(const ProbeSample& sample) {
    Probe& p = probes_.at(sample.probe);
    std::string rows;
    for (std::uint32_t i = 0; i < sample.values.size(); ++i)
        rows += probeRow(p.csv, p.fields, sample.step, sample.time, i, pointOf(p.from, p.to, i, sample.values.size()), sample.values[i]) +
                "\n";
    p.file.write(rows);
}

void ProbeFiles::finish() {
    for (Probe& p : probes_) p.file.commit();
}

}  // namespace wisp::app
