// SPDX-License-Identifier: MIT
#include "files/scene/scene_look.h"

#include "files/base/extension.h"
#include "files/base/text_file.h"
#include "files/scene/named_file.h"
#include "files/scene/scene_files.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace wisp {
namespace {

/// Adds keys of the look that the scene lacks. Tables are merged key by key. Nodes are moved, because copies lose their source position.
void addMissing(toml::table& scene, toml::table&& look) {
    for (auto&& entry : look) {
        const toml::key& key = entry.first;
        toml::node& value = entry.second;
        toml::node* own = scene.get(key);
        if (own == nullptr) value.visit([&](auto& node) { scene.insert(key, std::move(node)); });
        else if (own->is_table() && value.is_table()) addMissing(*own->as_table(), std::move(*value.as_table()));
    }
}

}  // namespace

void applyLook(toml::table& scene, const std::filesystem::path& folder, SceneLog& log) {
    const toml::node* named = scene.get("look");
    const auto name = named == nullptr ? std::nullopt : named->value_exact<std::string>();
    if (!name) return;  // wrong type: reported when the key is read
    const bool isFile = extensionOf(*name) == ".toml";
    const std::filesystem::path file = isFile ? fileNamed(*name, folder) : builtInFile("looks/" + *name + ".toml");
    try {
        toml::table look = parseToml(readText(file, kMaxSceneBytes), file.string());
        if (look.contains("look"))
            return log.fail("look", named->source(),
                            fmt::format("is {}, which has a look itself: a look must not have a look", file.string()));
        addMissing(scene, std::move(look));
    } catch (const Failure&) {
        throw;
    } catch (const std::runtime_error& e) {  // the file cannot be read
        log.fail("look", named->source(), fmt::format("{}: {}", file.string(), e.what()));
    }
}

}  // namespace wisp
