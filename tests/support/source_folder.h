// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wisp::test {

/// The root folder of this repository.
std::string sourceFolder();

}  // namespace wisp::test
