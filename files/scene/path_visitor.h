// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_visitor.h"

#include <string>

namespace wisp {

/// A visitor that knows the path of the current key.
class PathVisitor : public SceneVisitor {
protected:
    /// Visits `keys` below the table or the element `name`.
    template <class Keys>
    void within(const std::string& name, const Keys& keys) {
        const std::string path = path_;
        path_ += name + ".";
        keys();
        path_ = path;
    }
    std::string path_;  ///< ends with a dot; empty outside of tables
};

}  // namespace wisp
