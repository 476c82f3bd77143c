// SPDX-License-Identifier: MIT
// Values of a simulation in host memory: of fields and at points.
#include "api/simulation_impl.h"

#include "compute/sim/probes.h"
#include "compute/sim/wind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace wisp {
namespace {

/// Copies with several threads: a single one is slower than the memory, above all if the pages of the target are new.
void copyFloats(std::span<const std::byte> from, float* into) {
    constexpr std::size_t kPart = std::size_t{4} << 20;
    const std::size_t parts = std::clamp<std::size_t>(from.size() / kPart, 1,
                                                      std::min(8u, std::max(1u, std::thread::hardware_concurrency())));
    const std::size_t bytes = (from.size() / parts + 4095) / 4096 * 4096;
    const auto copy = [&](std::size_t part) {
        const std::size_t first = std::min(part * bytes, from.size());
        std::memcpy(reinterpret_cast<std::byte*>(into) + first, from.data() + first, std::min(bytes, from.size() - first));
    };
    std::vector<std::thread> threads;
    for (std::size_t part = 1; part < parts; ++part) threads.emplace_back(copy, part);
    copy(0);
    for (std::thread& thread : threads) thread.join();
}

std::vector<ProbeValue> probeValues(std::span<const gpu::ProbeValue> sampled) {
    const auto array = [](glm::vec3 v) { return std::array<float, 3>{v.x, v.y, v.z}; };
    std::vector<ProbeValue> list;
    for (const gpu::ProbeValue& v : sampled) list.push_back({array(v.velocity), v.pressure, array(v.vorticity), v.density, v.temperature});
    return list;
}

}  // namespace

void Simulation::Impl::sampleProbes(std::function<void(const ProbeSample&)> done) {
    if (!done) throw Error(ErrorCode::Argument, "sampleProbes: needs a function");
    if (!options.needs.probes) throw Error(ErrorCode::Argument, "sampleProbes: the simulation was made without RunNeeds::probes");
    device->device.waitForHost();
    const std::uint64_t step = simulator.stepCount();
    const auto due = [&](const ProbeSettings& p) { return step % p.every == 0; };
    if (!std::ranges::any_of(settings.probes, due)) return;
    if (!sampler) sampler.emplace(device->device, settings);
    const auto shared = std::make_shared<std::function<void(const ProbeSample&)>>(std::move(done));
    frame([&] {
        for (std::size_t n = 0; n < settings.probes.size(); ++n) {
            if (!due(settings.probes[n])) continue;
            const auto take = [this, shared, n, step, at = simulator.time()](std::span<const gpu::ProbeValue> sampled) {
                if (!closing) (*shared)({n, step, at, probeValues(sampled)});
            };
            sampler->sample(recorder, simulator, settings.probes[n], take);
        }
    });
}

std::vector<ProbeValue> Simulation::Impl::probe(glm::vec3 from, glm::vec3 to, std::uint32_t points) {
    constexpr std::uint32_t kMost = 65536;
    if (points == 0 || points > kMost) throw Error(ErrorCode::Argument, fmt::format("probe: {} points; must be 1 to {}", points, kMost));
    Settings one = settings;
    one.probes = {points == 1 ? ProbeSettings{.at = from} : ProbeSettings{.from = from, .to = to, .points = points}};
    finish();
    ProbeSampler once(device->device, one);
    engine::Recorder own(device->device, device->shaders, {.timing = engine::Timing::Off, .readbackBytes = probeReadback(one)});
    std::vector<ProbeValue> list;
    submitFrame(own, [&] {
        once.sample(own, simulator, one.probes.front(), [&](std::span<const gpu::ProbeValue> sampled) { list = probeValues(sampled); });
    });
    own.finish();
    return list;
}

std::vector<std::array<float, 3>> Simulation::Impl::windAt(const std::vector<std::array<float, 3>>& points) {
    if (points.size() > WindSampler::kMostPoints)
        throw Error(ErrorCode::Argument, fmt::format("windAt: {} points; at most {}", points.size(), WindSampler::kMostPoints));
    if (points.empty()) return {};
    std::vector<glm::vec3> at;
    for (const auto& x : points) at.emplace_back(x[0], x[1], x[2]);
    finish();
    const auto count = static_cast<std::uint32_t>(at.size());
    WindSampler wind(device->device, count);
    const std::uint64_t bytes = std::uint64_t{count} * sizeof(glm::vec3) + 16;  // a read is a multiple of 16 bytes
    engine::Recorder own(device->device, device->shaders, {.timing = engine::Timing::Off, .readbackBytes = bytes});
    std::vector<std::array<float, 3>> velocities;
    submitFrame(own, [&] {
        wind.sample(own, simulator, at, [&](std::span<const glm::vec3> u) {
            for (const glm::vec3 v : u) velocities.push_back({v.x, v.y, v.z});
        });
    });
    own.finish();
    return velocities;
}

ReadableField Simulation::Impl::readable(const std::string& name) const {
    if (const auto field = findField(settings, name)) return *field;
    std::vector<const char*> names;
    for (const ReadableField& f : readableFields(settings)) names.push_back(f.name);
    throw Error(ErrorCode::Argument, fmt::format("there is no field \"{}\"; this scene has {}", name, fmt::join(names, ", ")));
}

Lattice Simulation::Impl::latticeOf(const ReadableField& field) const {
    const GridSettings& grid = simulator.settings().grid;
    const glm::uvec3 size = sizeOf(field, grid);
    Lattice lattice{.size = {size.x, size.y, size.z}, .origin = {grid.origin.x, grid.origin.y, grid.origin.z}, .cell = grid.cellSize()};
    if (field.number == WISP_READ_PRESSURE) lattice.cell *= static_cast<float>(grid.pressureRatio);
    else if (field.number != WISP_READ_VELOCITY) lattice.cell /= static_cast<float>(grid.scalarRatio);
    return lattice;
}

void Simulation::Impl::read(const ReadableField& field, float* into) {
    const std::uint64_t bytes = floatBytes(field, settings.grid);
    finish();
    if (values.bytes() < bytes) {
        values = {};  // before the new one takes its memory
        values = engine::Buffer(device->device,
                                {.name = "values of a field", .bytes = bytes, .location = engine::Location::Readback, .byAddress = true});
    }
    frame([&] {
        recordReadField(recorder, simulator.fields(), field, values);
        recorder.read(values, 0, bytes, [into](std::span<const std::byte> read) { copyFloats(read, into); });
    });
    recorder.finish();
}

}  // namespace wisp
