// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/wedge/members.h"

namespace wisp::app {

/// Makes the contact sheet and the table from the result files of all members. @throws Failure: if members have failed, with the status of
/// the first one; otherwise Failed if results are missing. Both files are written before. Usage if a result is of another wedge.
void collect(const Members& members, const Log& log);

/// Prints index, values and output of all members.
void listMembers(const Members& members, bool json);

}  // namespace wisp::app
