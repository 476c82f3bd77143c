// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace wisp {

inline constexpr std::size_t kMaxProbes = 16;
inline constexpr std::uint32_t kMaxProbePoints = 65536;  ///< of a line, whose values are read back in one piece

/// Bits of ProbeSettings::fields.
enum ProbeField : std::uint32_t { kProbeVelocity = 1, kProbePressure = 2, kProbeDensity = 4, kProbeTemperature = 8, kProbeVorticity = 16 };
/// A point, or evenly spaced points of a line, where fields are written to a file while the scene is rendered.
struct ProbeSettings {
    std::string file;                   ///< .csv or .jsonl, relative to the working directory
    std::optional<glm::vec3> at;        ///< a point [m] ...
    std::optional<glm::vec3> from, to;  ///< ... or the ends of a line [m]
    std::uint32_t points = 2;           ///< of the line, including its ends
    std::uint32_t every = 1;            ///< steps from one row of the file to the next
    std::uint32_t fields = 0;           ///< bits of ProbeField; 0: all fields of the scene
    [[nodiscard]] std::uint32_t count() const { return from ? points : 1; }
    bool operator==(const ProbeSettings&) const = default;
};

}  // namespace wisp
