// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <string>

namespace wisp {

/// The problem of an image of initial smoke; empty if it is valid.
std::string initialImageProblem(const InitialImage& image);

}  // namespace wisp
