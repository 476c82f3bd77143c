// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

namespace wisp::test {

/// Resets keys that have no effect beside other keys. The writer leaves such keys out, but a scene file may have them.
inline Settings withoutIdleKeys(Settings s) {
    for (LightSettings& light : s.lights) {
        if (light.kind == LightKind::Sun) light.position = {};
        if (light.kind == LightKind::Point) light.direction = {};
    }
    for (InitialSettings& i : s.initial)
        if (i.field == InitialField::TaylorGreen || i.field == InitialField::Checkerboard || i.field == InitialField::Image) i.shape = {};
    if (s.view.field == ViewField::Smoke) s.view.legend = true;
    return s;
}

/// True if two scenes that were read one after the other are equal. Meshes and images are then different objects of the same files.
inline bool sameMeaning(const Settings& a, const Settings& b) {
    if (a.meshes.size() != b.meshes.size() || (a.environment.image == nullptr) != (b.environment.image == nullptr)) return false;
    for (std::size_t i = 0; i < a.meshes.size(); ++i)
        if (*a.meshes[i] != *b.meshes[i]) return false;
    if (a.environment.image &&
        (a.environment.image->file != b.environment.image->file || a.environment.image->texels != b.environment.image->texels))
        return false;
    if (a.initial.size() != b.initial.size()) return false;
    Settings same = withoutIdleKeys(b);
    for (std::size_t i = 0; i < a.initial.size(); ++i) {
        const auto &image = a.initial[i].image, &other = b.initial[i].image;
        if (image && other && *image == *other) same.initial[i].image = image;
    }
    same.meshes = a.meshes;
    same.environment.image = a.environment.image;
    return same == withoutIdleKeys(a);
}

}  // namespace wisp::test
