// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "compute/sim/measure.h"
#include "compute/sim/quality.h"
#include "compute/sim/run_state.h"
#include "engine/recorder.h"
#include "shaders/shared/step.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wisp {

/// A simulation of smoke, or of a liquid, on the GPU: fields of one grid and the step that moves them on.
class FluidSimulator {
public:
    /// Allocates every field (or plans it, see engine::Memory). @throws std::invalid_argument naming the first bad key.
    FluidSimulator(engine::Device& device, const Settings& settings);

    /// Records the initial fields; before the first step, and to begin anew.
    void reset(engine::Recorder& rec);

    /// Records fields without smoke that are at rest, or move as the air outside where the box follows a target; obstacles, emitters and
    /// the time go on. Between steps.
    void clear(engine::Recorder& rec);

    /// What a run goes on from after the steps recorded so far, with the contents of fields().state().
    [[nodiscard]] const RunState& state() const { return state_; }
    /// Instead of `reset`: records what a simulation of the same settings needs to go on from there, but for the contents of
    /// fields().state(), which the caller then uploads. @throws std::invalid_argument if an obstacle was held that there is not.
    void resume(engine::Recorder& rec, const RunState& state);

    /// Goes on with other settings from the next step on. Where they bring the first colours, the smoke until then is white.
    /// @throws std::invalid_argument naming the first bad key, or the first that a run cannot change (see fixedKey); Error OutOfMemory if
    /// there is no room for colours. Then nothing has changed.
    void change(const Settings& settings);
    /// Records what the last change needs before a picture is drawn; `step` does so by itself.
    void catchUp(engine::Recorder& rec);

    /// In the next step an obstacle moves this way, whatever its settings say; a still hand is a way to where it begins.
    /// @throws std::out_of_range if there is no such obstacle.
    void overrideMotion(std::size_t obstacle, const MotionSegment& way);
    /// From the next step on the target is here [m], as with one key in settings().follow. After a jump by more than the box nothing of
    /// before is left: it begins anew in the air outside. @throws std::invalid_argument if that is nowhere (NaN, too far), or if this box
    /// cannot follow, see `follow.keys`.
    void follow(glm::vec3 target);
    /// In the next step there is an emitter more.
    void paint(const EmitterSettings& emitter) { painted_.push_back(emitter); }

    /// In the next step there is a part of a stroke more, whatever its keys say.
    void paint(const StrokeSettings& stroke, const MotionSegment& way) { strokes_.emplace_back(stroke, way); }

    /// Records one step of settings().timeStep. If `traced`, its pressure solve leaves the residuals on its way to the next
    /// `measure`, before the solve and after every cycle or every ten sweeps, and the fine divergence that it starts from.
    void step(engine::Recorder& rec, bool traced = false);

    /// Records the measurement of the quality numbers; `deliver` gets them once the frame has run.
    void measure(engine::Recorder& rec, std::function<void(const Quality&)> deliver);

    /// Whether it is known what the density should be: it began as the scene says, and a prescribed velocity has carried it alone.
    [[nodiscard]] bool knowsExact() const;

    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] const Fields& fields() const { return fields_; }
    [[nodiscard]] Fields& fields() { return fields_; }
    [[nodiscard]] const Measures& measures() const { return measures_; }
    [[nodiscard]] std::uint64_t stepCount() const { return state_.steps; }
    [[nodiscard]] double time() const {
        return state_.timeBefore + static_cast<double>(state_.steps - state_.stepsBefore) * static_cast<double>(settings_.timeStep);
    }

private:
    /// What a step is told besides the settings.
    struct StepInput {
        double time = 0.0;         ///< at its beginning [s]
        std::uint64_t number = 1;  ///< from 1 on
        glm::ivec3 scrolled{0};    ///< cells that the box has gone
        std::vector<EmitterSettings> painted;
        std::vector<std::pair<StrokeSettings, MotionSegment>> strokes;  ///< parts of all strokes
        bool traced = false;
    };
    // The two steps: compute/sim/step.cpp.
    void recordSmokeStep(engine::Recorder& rec, const StepInput& in);
    void recordLiquidStep(engine::Recorder& rec, const StepInput& in);

    // Their bookkeeping: compute/sim/placement.cpp.
    /// Brings box and obstacles to where they are in this step, and takes what was painted.
    StepInput beginStep(engine::Recorder& rec, bool traced);
    /// Factors by which the step's decays leave fields.
    DecayFactors decayFactors();
    /// Whether there are any, or may be in the next step.
    [[nodiscard]] bool hasObstacles() const { return settings_.byHand || uploaded_.obstacleCount > 0; }
    /// Says where the box is, as state_ has it.
    void placeBox();
    /// Moves the box to where its target is; returns the cells that it has gone.
    glm::ivec3 recordFollow(engine::Recorder& rec);
    /// Obstacles as they were at the end of the last step, where they are in the box now.
    void shiftObstacles(engine::Recorder& rec);
    /// Brings the step's uniforms up to date, with obstacles as state_ says; returns whether any moved.
    bool placeObstacles(engine::Recorder& rec);
    /// Obstacles -> aperture of fine faces.
    void recordAperture(engine::Recorder& rec);
    /// Parts of all strokes in the next step.
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokesOfStep();
    /// Records smoke, velocity and pressure as these settings have them at the start.
    void recordInitialFields(engine::Recorder& rec, const Settings& settings);
    /// Records obstacles as state_ says, and the initial fields.
    void begin(engine::Recorder& rec);
    /// What every pass of a step may name.
    void setCommon(engine::Recorder& rec);

    engine::Device& device_;
    Settings settings_;  ///< with the grid where the box is now
    glm::vec3 home_;     ///< its low corner without a target [m]
    Fields fields_;
    Measures measures_;
    bool coloursAreNew_ = false;                      ///< and hold nothing yet
    gpu::StepData uploaded_{};                        ///< but for the box of obstacles: of those of its own step alone
    std::map<std::size_t, MotionSegment> overrides_;  ///< of the next step, as painted_
    std::vector<EmitterSettings> painted_;
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokes_;
    std::shared_ptr<std::vector<double>> trace_;  ///< of the last step
    RunState state_;
};

/// The first key by which `wanted` needs other memory or shaders than a simulation of `running` has, or another beginning; empty:
/// FluidSimulator::change will do.
std::string fixedKey(const Settings& running, const Settings& wanted);

}  // namespace wisp
