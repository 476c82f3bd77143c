// SPDX-License-Identifier: MIT
#ifndef WISP_NEEDS_H
#define WISP_NEEDS_H

#include <wisp/volume.h>

#include <optional>
#include <string>

namespace wisp {

enum class PictureContent : int;

/// What a program does with a simulation besides its steps, and what takes memory. Simulation::plan and Simulation's constructor count it,
/// so that a run which does not fit fails at its start; and an error of missing memory says how much the whole run needs.
struct RunNeeds {
    bool picture = false;                   ///< a Renderer with the scene's render.size
    std::optional<PictureContent> fetched;  ///< what Renderer::fetch reads of its pictures; none: they are not fetched
    bool probes = false;                    ///< Simulation::sampleProbes
    bool checkpoints = false;               ///< Simulation::save, or hashes
    std::string volume;                     ///< a file of a VolumeWriter, whose ending says of which kind; empty: none
    VolumeOptions volumes;                  ///< of the VolumeWriter
    std::string resume;                     ///< for Simulation::plan: the checkpoint that it resumes from; empty: none
};

}  // namespace wisp

#endif
