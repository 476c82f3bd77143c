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
    std::string text = line == 0 ? file : fmt::format("{}:{}:{}", file, line, column);
    for (const std::string& part : {key, message})
        if (!part.empty()) text += (text.empty() ? "" : ": ") + part;
    return text;
}

SceneFailure::SceneFailure(std::vector<SceneError> errors) : Failure(Exit::Usage, joinErrors(errors)), errors_(std::move(errors)) {}

}  // namespace wisp
