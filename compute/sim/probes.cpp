// SPDX-License-Identifier: MIT
#include "compute/sim/probes.h"

#include "compute/sim/wind.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wisp {
namespace {

static_assert(sizeof(gpu::ProbeValue) == 9 * sizeof(float) && sizeof(gpu::ProbePush) == sizeof(gpu::WispWind) + 28);

std::uint64_t bytesOf(std::uint32_t points) { return std::uint64_t{points} * sizeof(gpu::ProbeValue); }

std::uint64_t largest(const Settings& s) {
    std::uint32_t points = 1;
    for (const ProbeSettings& p : s.probes) points = std::max(points, p.count());
    return bytesOf(points);
}

}  // namespace

ProbeSampler::ProbeSampler(engine::Device& device, const Settings& settings) : values_(device, {"probe values", largest(settings)}) {}

void ProbeSampler::sample(engine::Recorder& rec, const FluidSimulator& simulator, const ProbeSettings& probe,
                          std::function<void(std::span<const gpu::ProbeValue>)> deliver) {
    const std::uint64_t bytes = bytesOf(probe.count());
    if (bytes > values_.bytes())
        throw std::invalid_argument("ProbeSampler: the probe has more points than any probe in the settings of the constructor");
    const Fields& f = simulator.fields();
    const glm::vec3 from = probe.from.value_or(probe.at.value_or(glm::vec3(0.0f))), to = probe.from ? probe.to.value_or(from) : from;
    const gpu::ProbePush push{.wind = windOf(simulator), .from = from, .way = to - from, .count = probe.count()};
    using engine::Traffic;
    rec.setCommon({{"stepData", f.domain.step}, {"brickSlots", Traffic::none(f.domain.bricks ? f.domain.bricks->slots : f.domain.step)}});
    rec.dispatch("sample_probes", {push.count, 1, 1},
                 {{"faces", Traffic::none(f.flow.divergenceFree())},
                  {"coarseVelocity", Traffic::none(f.flow.coarseDivergenceFree())},
                  {"aperture", Traffic::none(f.domain.aperture)},
                  {"solidDistance", Traffic::none(f.domain.solidDistance)},
                  {"scalars", Traffic::none(f.smoke.scalars[0])},
                  {"pressureIn", Traffic::none(f.pressure.pressure[0])},
                  {"weights", Traffic::none(f.pressure.weights)},
                  {"centre", Traffic::none(f.flow.centreVectors)},
                  {"potential", Traffic::none(f.pressure.potential)},
                  {"probeValues", Traffic::bytes(values_, bytes)}},
                 push);
    rec.read(values_, 0, bytes, [deliver = std::move(deliver)](std::span<const std::byte> read) {
        std::vector<gpu::ProbeValue> values(read.size() / sizeof(gpu::ProbeValue));
        std::memcpy(values.data(), read.data(), read.size());
        deliver(values);
    });
}

std::uint64_t probeReadback(const Settings& settings) {
    constexpr std::uint64_t kBetween = 16;  // each read starts at a multiple of this
    std::uint64_t bytes = 0;
    for (const ProbeSettings& p : settings.probes) bytes += bytesOf(p.count()) + kBetween;
    return bytes;
}

}  // namespace wisp
