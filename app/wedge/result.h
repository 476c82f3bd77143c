// SPDX-License-Identifier: MIT
#pragma once

#include "app/wedge/members.h"
#include "files/base/failure.h"
#include "files/base/json.h"
#include "wisp/scene.h"

#include <optional>
#include <string>

namespace wisp::app {

/// What the result file of a member has. It is written when the member has ended: with status Done once all of its files are complete,
/// otherwise with the error, also after an interrupt. A member that is killed has none.
struct MemberResult {
    Exit status = Exit::Done;
    std::string error;
    double seconds = 0.0;  ///< wall time of the member
    double msPerStep = 0.0;
    std::uint64_t steps = 0;
    std::string device;
    Json quality = Json::object();  ///< see qualityJson; empty: there is none
    bool hasThumbnail = false;
    /// What decides about the output: values, scene, number of frames, paths. Equal ones need not be run again.
    Json settings;

    [[nodiscard]] bool done() const { return status == Exit::Done; }
};

/// The settings of a member. @throws Error Scene
Json settingsOf(const Members& members, const WedgeMember& member, const Scene& scene);

/// @throws Failure Output
void writeResult(const Members& members, const WedgeMember& member, const MemberResult& result);

/// Returns std::nullopt if the file does not exist. @throws Failure Usage if it is no result of this member: of another wedge, or damaged.
std::optional<MemberResult> readResult(const Members& members, const WedgeMember& member);

/// The first of the settings that differ, for a message; empty if all are equal.
std::string differenceOf(const Json& a, const Json& b);

}  // namespace wisp::app
