// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/failure.h"

#include <string>
#include <vector>

namespace wisp {

/// One error in a scene. `file` is an option such as "--set seed=x" if the value came from this option, and empty if that has no name.
struct SceneError {
    std::string file;
    unsigned line = 0;                       ///< from 1; 0: no position
    unsigned column = 0;                     ///< from 1
    std::string key;                         ///< path in the scene file, such as "emitter[0].radius"; empty: the whole file
    std::string message;                     ///< what was found and what is allowed
    [[nodiscard]] std::string text() const;  ///< "file:line:column: key: message", without what is empty
};

/// All errors of a scene, one per line.
class SceneFailure : public Failure {
public:
    explicit SceneFailure(std::vector<SceneError> errors);
    [[nodiscard]] const std::vector<SceneError>& errors() const { return errors_; }

private:
    std::vector<SceneError> errors_;
};

}  // namespace wisp
