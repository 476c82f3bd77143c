// SPDX-License-Identifier: MIT
// Gas that is heated expands: the projection leaves the divergence D of react.comp. Until then w of the fine velocity is D [1/s] of the
// cell, and w of the velocity on the intermediate grid of ratio 4 is the outflow that a cell must have, see restrict_velocity.comp.
layout(constant_id = 33) const bool kExpands = false;
