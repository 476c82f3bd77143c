// SPDX-License-Identifier: MIT
#include "app/run/render_files.h"

#include "app/output/image_sequence.h"
#include "app/output/volume_pattern.h"
#include "files/base/failure.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace wisp::app {

void requireResumeKeepsFiles(const RenderOptions& options, const Settings& settings, const CheckpointHeader& head) {
    if (head.pictures > options.frames)
        throw Failure(Exit::Usage, fmt::format("--frames {0}: must be at least {2}, the number of frames before the checkpoint {1}",
                                               options.frames, options.common.resume.string(), head.pictures));
    std::vector<std::filesystem::path> files{options.out.extension() == ".mp4" ? options.out : std::filesystem::path(), options.stats};
    for (const ProbeSettings& p : settings.probes) files.emplace_back(p.file);
    for (const std::filesystem::path& file : files)
        if (head.run.steps > 0 && std::filesystem::is_regular_file(file))
            throw Failure(
                Exit::Usage,
                fmt::format("{}: exists already, and the run resumes at frame {} and would replace the earlier output: choose another name",
                            file.string(), head.pictures));
}

void requireNewFiles(const RenderOptions& options) {
    if (options.overwrite) return;
    if (!options.sceneOut.empty()) requireNewFile(options.sceneOut, Exit::Usage);
    if (options.out.extension() == ".mp4") requireNewFile(options.out, Exit::Usage);
    else if (options.picture) parseImagePattern(options.out, options.frames).names.requireNew(0, options.frames, Exit::Usage);
    if (!options.volume.empty())
        parseVolumePattern(options.volume, options.out, options.frames).names.requireNew(0, options.frames, Exit::Usage);
}

void requireDistinctProbeFiles(const RenderOptions& options, const Settings& settings) {
    const auto same = [](const std::filesystem::path& a, const std::filesystem::path& b) {
        return std::filesystem::absolute(a).lexically_normal() == std::filesystem::absolute(b).lexically_normal();
    };
    for (std::size_t i = 0; i < settings.probes.size(); ++i)
        for (const auto& [option, file] :
             {std::pair("--out", options.out), std::pair("--stats", options.stats), std::pair("--trace", options.trace),
              std::pair("--scene-out", options.sceneOut), std::pair("--checkpoint", options.checkpoint)})
            if (!file.empty() && same(settings.probes[i].file, file))
                throw Failure(Exit::Usage, fmt::format("probe[{}].file: is \"{}\", which is also the file of {}: choose another name", i,
                                                       settings.probes[i].file, option));
}

void requireSceneOutName(const std::filesystem::path& file) {
    if (file.extension() != ".glb")
        throw Failure(Exit::Usage, fmt::format("--scene-out {}: must be the name of a .glb file", file.string()));
}

}  // namespace wisp::app
