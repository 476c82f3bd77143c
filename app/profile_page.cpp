// SPDX-License-Identifier: MIT
#include "app/options.h"
namespace wisp::app {
void profile(const ProfileOptions&) { throw Failure(Exit::Usage, "x"); }
}
