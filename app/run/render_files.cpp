// SPDX-License-Identifier: MIT
#include "app/run/render_files.h"

#include "app/base/scene_values.h"
#include "app/output/image_sequence.h"
#include "app/output/volume_pattern.h"
#include "files/base/extension.h"
#include "files/base/failure.h"
#include "wisp/volume_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wisp::app {
namespace {

std::vector<std::string> probeFiles(const Scene& scene) {
    std::vector<std::string> files;
    for (std::size_t n = 0; n < scene.count("probe"); ++n) files.push_back(valueOf<std::string>(scene, fmt::format("probe[{}].file", n)));
    return files;
}

}  // namespace

void requireResumeKeepsFiles(const RenderOptions& options, const Scene& scene, const CheckpointInfo& from) {
    const FrameList& frames = options.frames;
    if (frames.isCount() && from.film.pictures > frames.size())
        throw Failure(Exit::Usage, fmt::format("--frames {0}: must be at least {2}, the number of frames before the checkpoint {1}",
                                               frames.size(), options.common.resume.string(), from.film.pictures));
    for (const std::size_t n : frames.numbers())
        if (!frames.isCount() && n < from.film.pictures && (extensionOf(options.out) == ".mp4" || !isWritten(options, n)))
            throw Failure(Exit::Usage, fmt::format("--frames {}: frame {} has no file, and is before the checkpoint {}, which goes on with "
                                                   "frame {}",
                                                   frames.text(), n, options.common.resume.string(), from.film.pictures));
    std::vector<std::filesystem::path> files{extensionOf(options.out) == ".mp4" ? options.out : std::filesystem::path(), options.stats};
    for (const std::string& file : probeFiles(scene)) files.emplace_back(file);
    for (const std::filesystem::path& file : files)
        if (from.steps > 0 && std::filesystem::is_regular_file(file))
            throw Failure(
                Exit::Usage,
                fmt::format("{}: exists already, and the run resumes at frame {} and would replace the earlier output: choose another name",
                            file.string(), from.film.pictures));
}

void requireNewFiles(const RenderOptions& options) {
    if (options.overwrite) return;
    const std::span<const std::size_t> numbers = options.frames.numbers();
    if (!options.sceneOut.empty()) requireNewFile(options.sceneOut, Exit::Usage);
    if (extensionOf(options.out) == ".mp4") requireNewFile(options.out, Exit::Usage);
    else if (options.picture) parseImagePattern(options.out, options.frames.size()).names.requireNew(numbers, Exit::Usage);
    if (!options.volume.empty())
        parseVolumePattern(options.volume, options.out, options.frames.size()).names.requireNew(numbers, Exit::Usage);
}

bool isWritten(const RenderOptions& options, std::size_t frame) {
    const auto exists = [&](const FramePattern& names) {
        std::error_code ignored;
        return std::filesystem::exists(names.name(frame), ignored);
    };
    const std::size_t count = options.frames.size();
    return (!options.picture || exists(parseImagePattern(options.out, count).names)) &&
           (options.volume.empty() || exists(parseVolumePattern(options.volume, options.out, count).names));
}

void requireDistinctProbeFiles(const RenderOptions& options, const Scene& scene) {
    const auto same = [](const std::filesystem::path& a, const std::filesystem::path& b) {
        return std::filesystem::absolute(a).lexically_normal() == std::filesystem::absolute(b).lexically_normal();
    };
    const std::vector<std::string> files = probeFiles(scene);
    for (std::size_t i = 0; i < files.size(); ++i)
        for (const auto& [option, file] :
             {std::pair("--out", options.out), std::pair("--stats", options.stats), std::pair("--trace", options.trace),
              std::pair("--scene-out", options.sceneOut), std::pair("--checkpoint", options.checkpoint)})
            if (!file.empty() && same(files[i], file))
                throw Failure(Exit::Usage, fmt::format("probe[{}].file: is \"{}\", which is also the file of {}: choose another name", i,
                                                       files[i], option));
}

std::vector<std::string> volumeFields(const RenderOptions& options, const Scene& scene) {
    if (options.volumeFields.empty()) return {};
    const std::vector<std::string> names = splitNames(options.volumeFields), all = VolumeWriter::allFields(),
                                   own = VolumeWriter::fields(scene);
    for (const std::string& name : names)
        if (std::ranges::find(all, name) == all.end())
            throw Failure(Exit::Usage, fmt::format("--volume-fields {}: \"{}\" is not a field; allowed: {}", options.volumeFields, name,
                                                   fmt::join(all, ", ")));
    for (const std::string& name : names)
        if (std::ranges::find(own, name) == own.end())
            throw Failure(Exit::Usage, fmt::format("--volume-fields {}: the scene has no {}", options.volumeFields,
                                                   name == "temperature" ? "temperature" : "fuel"));
    return names;
}

void requireSceneOutName(const std::filesystem::path& file) {
    if (extensionOf(file) != ".glb")
        throw Failure(Exit::Usage, fmt::format("--scene-out {}: must be the name of a .glb file", file.string()));
}

}  // namespace wisp::app
