// SPDX-License-Identifier: MIT
#include "tests/support/source_folder.h"

namespace wisp::test {

std::string sourceFolder() { return WISP_SOURCE_DIR; }

}  // namespace wisp::test
