// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/frame_list.h"
#include "app/base/log.h"
#include "app/run/options.h"
#include "app/wedge/options.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

struct JobOptions {
    CommonOptions common;          ///< the scene, which is checked before anything is written
    std::filesystem::path openjd;  ///< job template of Open Job Description to write; empty: none
    std::filesystem::path slurm;   ///< batch script of Slurm to write; empty: none
    std::string program = "wisp";  ///< as the machines of the farm call it
    FrameList frames{240};
    std::size_t every = 24;               ///< frames between checkpoints, and of a task
    std::filesystem::path cache;          ///< folder of checkpoints; empty: SCENE_cache
    std::filesystem::path out;            ///< pattern of images; empty: SCENE/%04d.png
    std::vector<std::string> simulation;  ///< further options of wisp sim
    std::vector<std::string> picture;     ///< further options of wisp render
    std::optional<WedgeOptions> wedge;    ///< the job renders it instead, and makes its sheet
    std::vector<std::string> members;     ///< further options of wisp wedge
    bool overwrite = false;               ///< replace existing job files
};

/// Writes the files of a job that simulates a scene once and then renders its frames in chunks, or that renders the members of a wedge.
/// @throws Failure Usage if a file exists already, or cannot have what it should.
void writeJob(const JobOptions& options, const Log& log);

}  // namespace wisp::app
