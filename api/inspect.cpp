// SPDX-License-Identifier: MIT
// What the passes of a step and of a picture do.
#include "api/renderer_impl.h"
#include "compute/sim/shaders.h"
#include "engine/work_counter.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp {
namespace {

class Inspection {
public:
    Inspection(Simulation::Impl& simulation, Renderer::Impl* picture) : simulation_(simulation), picture_(picture) {}

    std::vector<PassWork> run(const std::vector<std::string>& passes) {
        simulation_.device->device.waitForHost();
        simulation_.finish();
        countInvocations();
        for (const std::string& pass : passes) (void)workOf(pass);
        for (PassWork& pass : work_) addPipeline(pass);
        if (!simulation_.settings.grid.sparse) countWork();
        return std::move(work_);
    }

private:
    /// A step in a submit of its own, and one of a picture.
    void step(engine::Recorder& rec) {
        submitFrame(rec, [&] { simulation_.recordStep(rec, false); });
        if (picture_) draw(rec);
        rec.finish();
    }
    /// One sample of a path-traced picture, which its renderer does not continue.
    void draw(engine::Recorder& rec) {
        picture_->follow();
        picture_->setFrame();
        ScenePicture& picture = *picture_->picture;
        VolumeRenderer* const smoke = picture.smoke();
        if (picture_->options.composite) smoke->setComposite({});  // the depth of the last record() may no longer exist
        if (smoke && smoke->path()) smoke->restart(simulation_.simulator.stepCount());
        submitFrame(rec, [&] {
            simulation_.simulator.catchUp(rec);
            picture.draw(rec, simulation_.simulator.fields());
        });
        picture_->drawn = true;
    }
    void countInvocations() {
        engine::Recorder rec(device(), simulation_.device->shaders,
                             {.timing = engine::Timing::Passes, .readbackBytes = kSolveReadback, .statistics = true});
        rec.onTimes = [this](const std::vector<engine::PassTime>& times) {
            for (const engine::PassTime& t : times)
                if (!t.scope && t.work.threads > 0) workOf(t.name).invocations += t.invocations;
        };
        step(rec);
    }
    void addPipeline(PassWork& pass) {
        if (!device().options().pipelineStatistics) return;
        for (const engine::PipelineStatistic& s : simulation_.device->shaders.statistics(pass.name))
            pass.pipeline.push_back({s.name, s.value});
    }
    void countWork() {
        std::vector<std::string> names;
        for (const PassWork& pass : work_) names.push_back(pass.name);
        engine::WorkCounter counter(device(), embeddedShaders(), simulation_.device->shaders.options(), names);
        engine::Recorder rec(
            device(), counter.shaders(),
            {.timing = engine::Timing::Off, .readbackBytes = counter.buffer().bytes() + kSolveReadback, .workCounters = &counter.buffer()});
        counter.reset(rec);
        step(rec);
        for (const auto& [name, counted] : counter.read(rec)) {
            PassWork& pass = workOf(name);
            pass.operations = counted.operations;
            pass.samples = counted.samples;
            pass.fetches = counted.fetches;
            pass.bufferWords = counted.words;
        }
    }
    PassWork& workOf(const std::string& name) {
        const auto found = std::ranges::find(work_, name, &PassWork::name);
        return found != work_.end() ? *found : *work_.insert(work_.end(), {.name = name});
    }
    engine::Device& device() { return simulation_.device->device; }

    Simulation::Impl& simulation_;
    Renderer::Impl* picture_;
    std::vector<PassWork> work_;
};

}  // namespace

std::vector<PassWork> Simulation::inspect(Renderer* renderer, const std::vector<std::string>& passes) {
    return called(*impl_, [&] {
        const Collector collector(*impl_->device);
        for (const std::string& pass : passes)
            if (std::ranges::find(embeddedShaders(), pass, &engine::EmbeddedShader::name) == embeddedShaders().end())
                throw Error(ErrorCode::Argument, fmt::format("inspect: there is no pass \"{}\"", pass));
        if (renderer && renderer->impl().simulation != impl_)
            throw Error(ErrorCode::Argument, "inspect: the renderer draws another simulation");
        impl_->requireSteps();
        return Inspection(*impl_, renderer ? &renderer->impl() : nullptr).run(passes);
    });
}

}  // namespace wisp
