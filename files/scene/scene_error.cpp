// SPDX-License-Identifier: MIT
#include "files/scene/scene_error.h"

#include <fmt/format.h>

#include <utility>

namespace wisp {
namespace {

std::string joinErrors(const std::vector<SceneError>& errors) {
    std::string text;
    for (const SceneError& error : errors) text += (text.empty() ? "" : "\n") + error.text();
    return text;
}

}  // namespace

std::string SceneError::text() const {
    std::string where = line == 0 ? file : fmt::format("{}:{}:{}", file, line, column);
    return key.empty() ? fmt::format("{}: {}", where, message) : fmt::format("{}: {}: {}", where, key, message);
}

SceneFailure::SceneFailure(std::vector<SceneError> errors) : Failure(Exit::Usage, joinErrors(errors)), errors_(std::move(errors)) {}

}  // namespace wisp
