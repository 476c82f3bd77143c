// SPDX-License-Identifier: MIT
#include "app/job/job.h"

#include "app/base/scene_values.h"
#include "app/job/openjd.h"
#include "app/job/slurm.h"
#include "app/output/image_sequence.h"
#include "app/wedge/members.h"
#include "files/base/extension.h"
#include "files/base/failure.h"
#include "files/base/pending_file.h"
#include "wisp/scene.h"

#include <fmt/format.h>

namespace wisp::app {
namespace {

using Kind = JobWord::Kind;

JobWords option(const std::string& name, const std::string& parameter, Kind kind = Kind::Parameter) {
    return {{"--" + name}, {parameter, kind}};
}

std::vector<JobWords> command(JobWords start, const std::vector<std::string>& options) {
    start.insert(start.begin(), {"program", Kind::Parameter});
    std::vector<JobWords> groups{std::move(start)};
    for (const std::string& word : options) groups.push_back({{word}});
    return groups;
}

JobPlan framesPlan(const JobOptions& o, const std::string& name) {
    std::vector<std::string> chunks;
    for (const FrameList& chunk : o.frames.chunks(o.every)) chunks.push_back(chunk.text());
    JobStep simulate{
        .name = "simulate",
        .meaning = "Simulates, and writes the checkpoints from which the frames are rendered. Goes on where an earlier start ended.",
        .command = command({{"sim"}, {"scene", Kind::Parameter}}, o.simulation)};
    for (const char* parameter : {"frames", "cache", "every"}) simulate.command.push_back(option(parameter, parameter));
    JobStep render{.name = "render",
                   .meaning = "Renders the frames of a chunk. Frames that an earlier start finished are skipped.",
                   .command = command({{"render"}}, o.picture),
                   .valueName = "chunk",
                   .values = std::move(chunks)};
    render.command.push_back(option("cache", "cache"));
    render.command.push_back(option("frames", "", Kind::Task));
    render.command.push_back(option("out", "out"));
    return {.name = name,
            .meaning = "Simulates a scene with wisp once, then renders its frames in chunks.",
            .parameters = {{"frames", o.frames.text(), "all frames; if they change, change the chunks, too"},
                           {"every", std::to_string(o.every), "frames between checkpoints; chunks of so many start without delay", true},
                           {"cache", o.cache.empty() ? name + "_cache" : o.cache.string(), "folder of the checkpoints"},
                           {"out", o.out.empty() ? name + "/%04d.png" : o.out.string(), "pattern of the images"}},
            .steps = {std::move(simulate), std::move(render)}};
}

JobPlan wedgePlan(const JobOptions& o, const std::string& name) {
    const Members members(*o.wedge);
    for (std::size_t i = 0; i < members.size(); ++i) {
        WedgeMember member = members.at(i);
        (void)members.start(member);  // refuses what is not valid
    }
    JobStep render{.name = "render",
                   .meaning = "Renders a member of the wedge. What an earlier start left of it is replaced.",
                   .command = command({{"wedge"}, {"scene", Kind::Parameter}}, o.members),
                   .valueName = "member",
                   .count = members.size()};
    for (const char* parameter : {"frames", "results"}) render.command.push_back(option(parameter, parameter));
    JobStep collect{.name = "collect",
                    .meaning = "Makes the contact sheet and the table. Its exit status is that of the first member that failed.",
                    .command = render.command,
                    .valueName = "",
                    .startsAgain = false};
    render.command.push_back(option("index", "", Kind::Task));
    render.command.push_back({{"--overwrite"}});
    collect.command.push_back({{"--collect"}});
    return {.name = name,
            .meaning = "Renders the members of a wedge with wisp, then makes its contact sheet.",
            .parameters = {{"frames", o.frames.text(), "frames of each member"},
                           {"results", members.folder().string(), "folder of the results"}},
            .steps = {std::move(render), std::move(collect)},
            .continuesAfterFailure = true};
}

/// Frames that tasks draw on their own, each into a file. @throws Failure Usage
void requireIndependentFrames(const JobOptions& o, const Scene& scene) {
    if (extensionOf(o.out) == ".mp4")
        throw Failure(Exit::Usage,
                      fmt::format("--out {}: must be a folder or a pattern such as out/%04d.png: each frame is a file of its own, "
                                  "so that several tasks can write them",
                                  o.out.string()));
    if (!o.out.empty()) parseImagePattern(o.out, o.frames.size());
    if (valueOf<bool>(scene, "render.temporal"))
        throw Failure(Exit::Usage,
                      "render.temporal = true makes each picture depend on the ones before; tasks that draw some of them need "
                      "--set render.temporal=false");
}

void requireNew(const std::string& option, const std::filesystem::path& file) {
    if (std::filesystem::exists(file))
        throw Failure(Exit::Usage, fmt::format("{} {}: exists already; choose another name, or add --overwrite", option, file.string()));
}

}  // namespace

void writeJob(const JobOptions& o, const Log& log) {
    if (o.openjd.empty() && o.slurm.empty())
        throw Failure(Exit::Usage, "job: name the file to write: --openjd FILE.yaml, --slurm FILE.sbatch, or both");
    const Scene scene = Scene::load(o.common.scene, o.common.load);
    for (const SceneProblem& p : scene.warnings()) log.note(fmt::format("warning: {}: {}", p.key, p.message));
    if (!o.wedge) requireIndependentFrames(o, scene);
    const std::string name = std::filesystem::path(o.common.scene).stem().string();
    JobPlan plan = o.wedge ? wedgePlan(o, name) : framesPlan(o, name);
    const std::vector<JobParameter> common{{"folder", std::filesystem::current_path().string(), "where all tasks run"},
                                           {"program", o.program, "wisp on these machines"},
                                           {"scene", o.common.scene, "a built-in scene or a file"},
                                           {"tries", kTries, "how often a task starts at most", true}};
    plan.parameters.insert(plan.parameters.begin(), common.begin(), common.end());
    if (!o.overwrite) {
        requireNew("--openjd", o.openjd);
        requireNew("--slurm", o.slurm);
    }
    // Both texts before the first file.
    const std::string openjd = o.openjd.empty() ? "" : openjdTemplate(plan);
    const std::string slurm = o.slurm.empty() ? "" : slurmScript(plan);
    if (!o.openjd.empty()) writeFileAtomically(o.openjd, openjd);
    if (!o.slurm.empty()) writeFileAtomically(o.slurm, slurm);
}

}  // namespace wisp::app
