// SPDX-License-Identifier: MIT
// Differences between tinygltf 2.7 (Debian 12) and 2.9 (Debian 13).
#pragma once

#include <tiny_gltf.h>

#include <utility>

namespace wisp::third_party {

/// Lets tinygltf read files with these functions. Without a function for the size of a file, tinygltf 2.9 ignores all of them and reads any
/// file of the machine. tinygltf 2.7 asks for no size.
template <class Loader>
void setFiles(Loader& loader, tinygltf::FsCallbacks files, auto fileSize) {
    const auto complete = [&](auto& callbacks) {
        if constexpr (requires { callbacks.GetFileSizeInBytes; }) callbacks.GetFileSizeInBytes = std::move(fileSize);
    };
    complete(files);
    loader.SetFsCallbacks(files);
}

/// Puts a light at a node. tinygltf 2.9 writes the extension only of a node whose member `light` is set, which 2.7 does not have.
template <class Node>
void setLight(Node& node, int light) {
    node.extensions["KHR_lights_punctual"] = tinygltf::Value(tinygltf::Value::Object{{"light", tinygltf::Value(light)}});
    if constexpr (requires { node.light; }) node.light = light;
}

}  // namespace wisp::third_party
