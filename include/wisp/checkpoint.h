// SPDX-License-Identifier: MIT
#ifndef WISP_CHECKPOINT_H
#define WISP_CHECKPOINT_H

#include <wisp/error.h>

#include <cstdint>
#include <string>

namespace wisp {

/// How far a film is, so that a resumed run goes on with the next picture.
struct FilmProgress {
    std::uint64_t pictures = 0;           ///< number of pictures so far
    std::uint64_t stepsSincePicture = 0;  ///< number of steps after the last one
};

/// What a checkpoint file says about its run. Scene::ofCheckpoint gives its scene.
struct WISP_API CheckpointInfo {
    std::string scene;        ///< name of the scene
    std::uint64_t steps = 0;  ///< number of steps so far
    FilmProgress film;        ///< as Simulation::save was given

    /// Reads the head of the file. @throws Error File if that is damaged or not of this version.
    static CheckpointInfo read(const std::string& file);
};

}  // namespace wisp

#endif
