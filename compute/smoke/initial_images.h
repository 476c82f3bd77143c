// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"

#include <vector>

namespace wisp {

/// The images of all initial fields on the GPU.
class InitialImages {
public:
    InitialImages() = default;
    /// Allocates (or plans) the images.
    InitialImages(engine::Device& device, const Settings& settings);

    /// The image of an initial field of these settings, or a black texel if it has none. The first call records its upload.
    /// rgba16f: rgb = density times colour, a = density, for a `density` of 1 in the scene. Row 0 is the bottom.
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
