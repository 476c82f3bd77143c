// SPDX-License-Identifier: MIT
#include "app/output/liquid_report.h"

#include <fmt/format.h>

namespace wisp::app {

void addLiquidNumbers(std::vector<std::pair<const char*, double>>& numbers, const LiquidQuality& liquid) {
    numbers.insert(numbers.end(), {{"particles", liquid.particles},
                                   {"volume", liquid.volume},
                                   {"energy", liquid.energy},
                                   {"particles_in_solids", liquid.inSolids},
                                   {"particles_left", liquid.left},
                                   {"particles_lost", liquid.lost},
                                   {"particles_surplus", liquid.surplus},
                                   {"particles_unborn", liquid.notSpawned}});
}

std::string liquidWarning(const LiquidQuality& liquid, std::uint64_t capacity) {
    if (liquid.notSpawned <= 0.0) return {};
    return fmt::format("liquid.capacity: the limit of {} particles is reached; no more particles are spawned", capacity);
}

}  // namespace wisp::app
