// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <string>

namespace wisp {

/// What is wrong with a picture that smoke is to begin as; empty: nothing.
std::string initialImageProblem(const InitialImage& image);

}  // namespace wisp
