// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/key_values.h"

#include <cstddef>
#include <string>
#include <vector>

namespace wisp::app {

inline constexpr std::size_t kMaxMembers = 10'000;  ///< a larger wedge is most likely a mistake

/// Scene keys with the values of a wedge, from texts such as "flow.vorticity=0.2,0.4" and "pressure.iterations=1:4:4". The latter is
/// FROM:TO:COUNT, evenly spaced; values that are whole have no decimal point, as keys with whole numbers need it.
/// @throws Failure Usage, also if there are more than kMaxMembers combinations.
std::vector<KeyValues> wedgeAxes(const std::vector<std::string>& setEach);

/// Number of combinations of at most kMaxMembers.
std::size_t memberCount(const std::vector<KeyValues>& axes);

/// The values of combination `index`, one per axis. The first axis varies slowest.
std::vector<std::string> valuesOfMember(const std::vector<KeyValues>& axes, std::size_t index);

}  // namespace wisp::app
