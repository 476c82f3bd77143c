// SPDX-License-Identifier: MIT
#include "api/memory_plan.h"

#include "compute/picture/picture.h"
#include "compute/scene/scene_fluid.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/probes.h"
#include "compute/sim/shaders.h"
#include "files/base/bytes.h"
#include "files/base/failure.h"
#include "wisp/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

namespace wisp {
namespace {

class PlanMode {
public:
    explicit PlanMode(engine::Memory& memory) : memory_(memory) {
        memory_.clearPlan();
        memory_.setPlanOnly(true);
    }
    ~PlanMode() {
        memory_.setPlanOnly(false);
        memory_.clearPlan();
    }
    PlanMode(const PlanMode&) = delete;
    PlanMode& operator=(const PlanMode&) = delete;

private:
    engine::Memory& memory_;
};

bool fits(engine::Device& device, const Settings& settings, const Needs& needs, std::uint64_t bytes) {
    try {
        return planMemory(device, settings, needs).bytes <= bytes;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

/// The largest grid of the same proportions that fits. std::nullopt if not even the smallest one fits.
std::optional<glm::uvec3> largestThatFits(engine::Device& device, Settings settings, const Needs& needs, std::uint64_t bytes) {
    const glm::uvec3 cells = settings.grid.cells;
    const std::uint32_t common = std::gcd(cells.x, std::gcd(cells.y, cells.z));
    const glm::uvec3 unit = cells / common;
    std::uint32_t good = 0;
    for (std::uint32_t bad = common; bad - good > 1;) {
        const std::uint32_t middle = good + (bad - good) / 2;
        settings.grid.cells = unit * middle;
        (fits(device, settings, needs, bytes) ? good : bad) = middle;
    }
    return good == 0 ? std::nullopt : std::optional(unit * good);
}

}  // namespace

std::uint64_t readbackOf(const FluidSimulator& simulator, const Needs& needs) {
    return needs.readback + (needs.probes ? probeReadback(simulator.settings()) : 0) +
           (needs.volume ? volumeReadback(*needs.volume, simulator.settings()) : 0);
}

MemoryPlan planMemory(engine::Device& device, const Settings& settings, const Needs& needs) {
    const PlanMode mode(device.memory());
    engine::ShaderLibrary shaders(device, embeddedShaders(), shaderOptions(settings));
    const FluidSimulator simulator(device, settings);
    std::optional<ScenePicture> picture;
    if (needs.picture) picture.emplace(device, settings);
    std::optional<ProbeSampler> probes;
    if (needs.probes) probes.emplace(device, settings);
    std::optional<VolumePacker> packer;
    if (needs.volume && *needs.volume != VolumeKind::Atlas)
        packer.emplace(device, settings, simulator.fields(), packChoice(needs.volumeChoice));
    const engine::Recorder recorder(device, shaders, {engine::Timing::Off, readbackOf(simulator, needs)});
    const engine::Recorder copies(device, shaders, {engine::Timing::Off, needs.copies});
    std::vector<engine::Buffer> uploads;  // of volume files, in each frame in flight
    if (const std::uint64_t bytes = simulator.fields().smoke.volumes.bytes(); bytes > 0)
        for (std::uint32_t n = 0; n < engine::Recorder::kFramesInFlight; ++n)
            uploads.emplace_back(device,
                                 engine::BufferDesc{.name = "upload of volumes", .bytes = bytes, .location = engine::Location::Upload});
    return {device.memory().plan(), device.memory().planned()};
}

namespace {

/// @throws Error Unsupported that names a key of the image, if the image exceeds the limits of the device and the grid alone fits.
void blamePicture(engine::Device& device, const Settings& settings, const Needs& needs, const std::string& reason) {
    if (!needs.picture || !fits(device, settings, {}, device.memory().available())) return;
    if (reason.starts_with("render.")) throw Error(ErrorCode::Unsupported, reason);
    throw Error(ErrorCode::Unsupported, fmt::format("render.size: is [{}, {}], which exceeds the limits of {}: {}", settings.render.size.x,
                                                    settings.render.size.y, device.report().name, reason));
}

/// @throws Failure OutOfMemory that names a capacity key, if the scene sets this capacity too large and the default capacity would fit.
void blameCapacity(engine::Device& device, Settings settings, const Needs& needs, const std::string& reason) {
    const std::optional<CapacityKey> capacity = excessiveCapacity(settings);
    if (!capacity) return;
    const std::uint64_t available = device.memory().available();
    const auto fitsWith = [&](std::uint64_t number) {
        *capacity->value = static_cast<std::uint32_t>(number);
        return fits(device, settings, needs, available);
    };
    std::uint64_t bad = capacity->wanted, good = capacity->chosen;
    if (!fitsWith(0)) return;  // 0: default capacity
    while (bad - good > 1) {
        const std::uint64_t middle = good + (bad - good) / 2;
        (fitsWith(middle) ? good : bad) = middle;
    }
    throw Failure(Exit::OutOfMemory, fmt::format("{0}: is {1}, which on {2} {3}; {4} would fit: --set {0}={4}", capacity->key,
                                                 capacity->wanted, device.report().name, reason, good));
}

}  // namespace

void requireFit(engine::Device& device, const Settings& settings, const Needs& needs) {
    const std::uint64_t available = device.memory().available();
    std::string reason;
    try {
        const std::uint64_t needed = planMemory(device, settings, needs).bytes;
        if (needed <= available) return;
        reason = fmt::format("needs {} ({} bytes), {} are available", formatBytes(needed), needed, formatBytes(available));
    } catch (const std::invalid_argument& e) {  // the settings are valid, so a limit of the device is exceeded
        blamePicture(device, settings, needs, e.what());
        reason = fmt::format("exceeds the limits of the device ({}); available memory is {}", e.what(), formatBytes(available));
    }
    blameCapacity(device, settings, needs, reason);
    const glm::uvec3 cells = settings.grid.cells;
    std::string message = fmt::format(
        "a grid of [{}, {}, {}] cells{} on {} {}", cells.x, cells.y, cells.z,
        needs.picture ? fmt::format(" with an image of {}x{}", settings.render.size.x, settings.render.size.y) : "", device.report().name,
        reason);
    if (const auto fitting = largestThatFits(device, settings, needs, available))
        message += fmt::format("; [{0}, {1}, {2}] would fit: --set grid.cells=[{0},{1},{2}]", fitting->x, fitting->y, fitting->z);
    throw Failure(Exit::OutOfMemory, message);
}

namespace {

std::string shortage(engine::Device& device, const Settings& settings, const Needs& needs, const std::string& what) {
    const engine::Memory& memory = device.memory();
    const std::uint64_t given = memory.peak();
    std::string message = fmt::format("{}; {} of device memory were in use, {} are available now", what, formatBytes(given),
                                      formatBytes(memory.available()));
    try {
        const MemoryPlan plan = planMemory(device, settings, needs);
        message += fmt::format("; the run needs {}", formatBytes(plan.bytes));
        if (plan.bytes <= given) return message;  // the device had enough memory, so the host is out of memory
        if (const auto fitting = largestThatFits(device, settings, needs, given))
            message += fmt::format("; [{0}, {1}, {2}] would fit into the memory that was in use: --set grid.cells=[{0},{1},{2}]",
                                   fitting->x, fitting->y, fitting->z);
    } catch (const std::exception&) {  // planning also needs some memory
    }
    return message;
}

}  // namespace

void explainOutOfMemory(engine::Device& device, const Settings& settings, const Needs& needs, const std::function<void()>& work) {
    std::string what = "the host is out of memory";
    try {
        return work();
    } catch (const engine::Error& e) {
        if (e.kind() != engine::ErrorKind::OutOfMemory) throw;
        what = e.what();
    } catch (const std::bad_alloc&) {}
    throw Failure(Exit::OutOfMemory, shortage(device, settings, needs, what));
}

}  // namespace wisp
