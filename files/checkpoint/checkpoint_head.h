// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/temporal.h"
#include "compute/sim/run_state.h"
#include "files/checkpoint/host_input.h"

#include <glm/vec3.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// A field in a checkpoint. Texels are stored in rows along x.
struct StoredField {
    std::string name;
    glm::uvec3 size{0};
    std::string format;  ///< see engine::formatName
    [[nodiscard]] std::uint64_t rowBytes() const;
    [[nodiscard]] std::uint64_t bytes() const { return rowBytes() * size.y * size.z; }
    bool operator==(const StoredField&) const = default;
};

/// The content of a checkpoint except the data of the fields.
struct CheckpointHeader {
    std::string name;                   ///< name of the scene
    std::string scene;                  ///< TOML, without what the host has set; file names are relative to the checkpoint
    std::string sceneOfStep = {};       ///< the same of the last step, if the scene has changed since; else empty
    std::vector<std::uint64_t> meshes;  ///< one hash per mesh
    RunState run;
    HostInput host = {};
    std::uint64_t pictures = 0;  ///< number of images so far
    std::uint64_t stepsSincePicture = 0;
    std::optional<TemporalState> temporal;
    std::vector<StoredField> fields;
};

std::string writeHead(const CheckpointHeader& head);

/// The part of the text of a header that a run depends on, besides its scenes.
std::string writeRun(const RunState& run, const HostInput& host, const std::optional<TemporalState>& temporal);

/// Validates everything except the scene. @throws std::runtime_error with the reason.
CheckpointHeader readHead(const std::string& text);

}  // namespace wisp
