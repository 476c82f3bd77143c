// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"
#include "wisp/checkpoint.h"
#include "wisp/scene.h"

#include <string>
#include <vector>

namespace wisp::app {

/// A resumed run does not contain the earlier output and must not replace its files. @throws Failure Usage that names the file, or --frames
/// if the checkpoint has more frames
void requireResumeKeepsFiles(const RenderOptions& options, const Scene& scene, const CheckpointInfo& from);
/// Without --overwrite, a run must not replace existing videos, images, volumes and scenes. @throws Failure Usage that names the file
void requireNewFiles(const RenderOptions& options);
/// Whether the files of a frame exist: its image and its volume.
bool isWritten(const RenderOptions& options, std::size_t frame);
/// A probe must not use the file of another output. @throws Failure Usage that names the key
void requireDistinctProbeFiles(const RenderOptions& options, const Scene& scene);

/// The fields of --volume-fields. @throws Failure Usage that names one that no file has, or that the scene does not have
std::vector<std::string> volumeFields(const RenderOptions& options, const Scene& scene);

/// @throws Failure Usage if the file of --scene-out is no .glb.
void requireSceneOutName(const std::filesystem::path& file);

}  // namespace wisp::app
