// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/temporal.h"
#include "compute/sim/run_state.h"

#include <glm/vec3.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// A field in a checkpoint; its texels lie in rows along x.
struct StoredField {
    std::string name;
    glm::uvec3 size{0};
    std::string format;  ///< see engine::formatName
    [[nodiscard]] std::uint64_t rowBytes() const;
    [[nodiscard]] std::uint64_t bytes() const { return rowBytes() * size.y * size.z; }
    bool operator==(const StoredField&) const = default;
};

/// Everything in a checkpoint but the fields' contents.
struct CheckpointHead {
    std::string name;                   ///< of the scene
    std::string scene;                  ///< TOML; files that it names are relative to the checkpoint
    std::vector<std::uint64_t> meshes;  ///< a hash of each
    RunState run;
    std::uint64_t pictures = 0;  ///< made so far
    std::uint64_t stepsSincePicture = 0;
    std::optional<TemporalState> temporal;
    std::vector<StoredField> fields;
};

std::string writeHead(const CheckpointHead& head);

/// @throws std::runtime_error that says what is wrong with the text: what it returns has been checked, but for the scene.
CheckpointHead readHead(const std::string& text);

}  // namespace wisp::app
