// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/grid.h"

namespace wisp::reference {

/// X, Y, Z [W/(m^2 sr)] of a black body at T [K]: Planck's law, summed over the CIE 1931 observer in steps of 5 nm.
dvec3 blackBodyXyz(double T);
/// The same in linear sRGB, negative parts 0.
dvec3 blackBody(double T);

}  // namespace wisp::reference
