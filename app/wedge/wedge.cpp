// SPDX-License-Identifier: MIT
#include "app/base/exit_status.h"
#include "app/base/interrupt.h"
#include "app/output/report.h"
#include "app/run/cache.h"
#include "app/run/prepare.h"
#include "app/wedge/collect.h"
#include "app/wedge/members.h"
#include "app/wedge/options.h"
#include "app/wedge/result.h"
#include "app/wedge/thumbnail.h"
#include "files/base/image.h"
#include "files/base/pending_file.h"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <system_error>
#include <vector>

namespace wisp::app {
namespace {

/// A member that is checked, and still to be run.
struct Task {
    WedgeMember member;
    Json settings;
};

/// Whether a member has its result already. Files of one that has failed may be replaced. @throws Failure Usage
bool isDone(const Members& members, Task& task) {
    RenderOptions& options = task.member.options;
    if (options.overwrite || options.dryRun) return false;
    const std::optional<MemberResult> earlier = readResult(members, task.member);
    if (!earlier) return false;
    if (const std::string difference = differenceOf(earlier->settings, task.settings); !difference.empty())
        throw Failure(Exit::Usage, fmt::format("{}: {} has a result with other settings: {}. Pass --overwrite to run it again, or choose "
                                               "another folder with --results",
                                               members.resultFile(task.member.index).string(), members.nameOf(task.member), difference));
    if (!earlier->done()) options.overwrite = true;
    return earlier->done();
}

/// Checks the values and the files of members before the first one runs. @return those that have no result yet
std::vector<Task> tasksOf(const Members& members, std::size_t first, std::size_t end, const Log& log) {
    std::vector<Task> tasks;
    for (std::size_t n = first; n < end; ++n) {
        Task task{members.at(n), {}};
        const RunStart start = members.start(task.member);
        task.settings = settingsOf(members, task.member, start.scene);
        if (isDone(members, task)) {
            log.note(fmt::format("{}: has its result {} already; --overwrite runs it again", members.nameOf(task.member),
                                 members.resultFile(n).string()));
            continue;
        }
        RenderOptions checked = task.member.options;
        checkOptions(checked, start);
        tasks.push_back(std::move(task));
    }
    return tasks;
}

struct Outcome {
    Exit status = Exit::Done;
    std::string error;
    bool wrongOptions = false;
};

/// Errors of which a result file tells. With the others the member has not run.
bool isResult(const Outcome& outcome) { return outcome.status != Exit::NoDevice && !outcome.wrongOptions; }

/// Of the exception that is being handled.
Outcome currentOutcome() {
    try {
        throw;
    } catch (const Error& e) {
        return {exitStatusOf(e.code()), e.what()};
    } catch (const Failure& e) {
        return {e.status(), e.what(), e.status() == Exit::Usage};
    } catch (const std::bad_alloc&) {
        return {Exit::OutOfMemory, "the host is out of memory"};
    } catch (const std::exception& e) {
        return {Exit::Failed, e.what()};
    }
}

void take(const Members& members, std::size_t index, const FilmEnd& end, MemberResult& result) {
    result.device = end.device;
    result.steps = end.steps;
    result.msPerStep = end.msPerStep;
    if (end.quality) result.quality = qualityJson(*end.quality);
    result.hasThumbnail = !end.picture.empty();
    if (!result.hasThumbnail) return;
    const SmallImage thumbnail = thumbnailOf(end.picture, end.size);
    writeFileAtomically(members.thumbnailFile(index), encode(ImageKind::Png, thumbnail.size, thumbnail.pixels));
}

/// For a cache whose frames had all been drawn, by a run that did not live to write its result. The frame is the same again.
void renderLastFrame(RenderOptions options, const Log& log) {
    if (!options.framesGiven) options.frames = Cache(options.cache).manifest().frames;
    options.frames = FrameList(std::vector{options.frames.last()});
    options.framesGiven = options.overwrite = true;
    render(options, log);
}

/// Renders a member and writes its result.
void run(const Members& members, const Task& task, const Log& log) {
    const WedgeMember& member = task.member;
    log.note(members.nameOf(member));
    if (member.options.dryRun) return render(member.options, log);
    makeFolder(members.folder());
    MemberResult result;
    result.settings = task.settings;
    const auto start = std::chrono::steady_clock::now();
    const auto finish = [&] {
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        writeResult(members, member, result);
    };
    // An earlier result is no longer true once files of the member are replaced.
    std::error_code error;
    std::filesystem::remove(members.resultFile(member.index), error);
    try {
        RenderOptions options = member.options;
        bool ended = false;
        options.ended = [&](const FilmEnd& end) {
            take(members, member.index, end, result);
            ended = true;
        };
        render(options, log);
        if (!ended) renderLastFrame(options, log);
        finish();
    } catch (...) {
        const Outcome outcome = currentOutcome();
        result.status = outcome.status;
        result.error = outcome.error;
        // A second error here is ignored, so that the first one is reported.
        try {
            if (isResult(outcome)) finish();
        } catch (...) {}
        throw;
    }
}

/// Runs all of them, also if some fail. @return how many failed, and the first error
std::pair<std::size_t, Outcome> runAll(const Members& members, const std::vector<Task>& tasks, const Log& log) {
    std::pair<std::size_t, Outcome> failed;
    const auto count = static_cast<double>(tasks.size());
    for (std::size_t n = 0; n < tasks.size(); ++n) {
        const Log part = log.part(static_cast<double>(n) / count, static_cast<double>(n + 1) / count);
        try {
            run(members, tasks[n], part);
        } catch (...) {
            const Outcome outcome = currentOutcome();
            if (outcome.status == Exit::Interrupted)
                throw Failure(Exit::Interrupted,
                              fmt::format("{}; {} of {} members are complete; the same command runs the others", outcome.error,
                                          members.size() - tasks.size() + n - failed.first, members.size()));
            if (outcome.status == Exit::NoDevice || outcome.wrongOptions) throw;  // the others would fail, too
            if (failed.first++ == 0) failed.second = outcome;
            log.error(fmt::format("{}: {}", members.nameOf(tasks[n].member), outcome.error));
        }
    }
    return failed;
}

}  // namespace

void wedge(const WedgeOptions& options, const Log& log) {
    const Members members(options);
    if (options.index && *options.index >= members.size())
        throw Failure(Exit::Usage, fmt::format("--index {}: must be below {}, the number of members", *options.index, members.size()));
    if (options.collect) return collect(members, log);
    const std::size_t first = options.index.value_or(0), end = options.index ? first + 1 : members.size();
    if (options.list) {
        for (std::size_t n = first; n < end; ++n) {
            WedgeMember member = members.at(n);
            (void)members.start(member);
        }
        return listMembers(members, options.json);
    }
    const std::vector<Task> tasks = tasksOf(members, first, end, log);
    if (options.index) {
        for (const Task& task : tasks) run(members, task, log);
        return;
    }
    const auto [failed, error] = runAll(members, tasks, log);
    if (options.render.dryRun) {
        if (failed > 0) throw Failure(error.status, error.error);
        return;
    }
    try {
        collect(members, log);
    } catch (const Failure&) {
        if (failed == 0) throw;  // otherwise it tells of the same failures
    }
    if (failed > 0)
        throw Failure(error.status, fmt::format("{} of {} members failed; the first error: {}", failed, members.size(), error.error));
}

}  // namespace wisp::app
