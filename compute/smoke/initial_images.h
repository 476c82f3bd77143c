// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"

#include <vector>

namespace wisp {

/// The pictures of all initial fields on the GPU.
class InitialImages {
public:
    InitialImages() = default;
    /// Allocates them (or plans them).
    InitialImages(engine::Device& device, const Settings& settings);

    /// That of an initial field of these settings, and a black texel for one that has none; records its upload if it is the first time.
    /// rgba16f: rgb the density times colour, a the density, where the scene's `density` is 1; row 0 is the bottom.
    const engine::Image& of(engine::Recorder& rec, const InitialSettings& initial);

private:
    struct Entry {
        std::shared_ptr<const InitialImage> source;
        engine::Image image;
        bool uploaded = false;
    };
    std::vector<Entry> entries_;
};

}  // namespace wisp
