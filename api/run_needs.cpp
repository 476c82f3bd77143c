// SPDX-License-Identifier: MIT
#include "api/run_needs.h"

#include "api/volume_files.h"
#include "files/checkpoint/checkpoint_file.h"
#include "shaders/shared/field_view.h"

namespace wisp {

std::uint64_t pictureReadback(PictureContent content, glm::uvec2 pixels) {
    constexpr std::uint64_t kNumbers = sizeof(gpu::ViewLimits) + 256;  // and those of a path-traced picture, with what aligns them
    const std::uint64_t bytes = content == PictureContent::Display ? 4 : content == PictureContent::Radiance ? 8 : 12;
    return bytes * pixels.x * pixels.y + kNumbers;
}

Needs needsOf(const RunNeeds& n, const Settings& s) {
    Needs needs{.picture = n.picture, .readback = kMeasureBytes};
    if (n.fetched) needs.readback += pictureReadback(*n.fetched, s.render.size);
    if (n.checkpoints || !n.resume.empty()) needs.copies = kCheckpointBlock;
    needs.probes = n.probes && !s.probes.empty();
    if (n.volume.empty()) return needs;
    needs.volume = volumeKindOf(n.volume, s);
    needs.volumeChoice = volumeChoiceOf(n.volumes, s);
    return needs;
}

}  // namespace wisp
