// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/crossed_bodies.h"
#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "compute/sim/measure.h"
#include "compute/sim/run_state.h"
#include "engine/recorder.h"
#include "shaders/shared/crossed.h"
#include "shaders/shared/step.h"
#include "wisp/quality.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wisp {

/// A simulation of smoke or of a liquid on the GPU: the fields of one grid, and the step that advances them.
///
/// Functions that take a Recorder record GPU commands. The commands run later, in the order of the calls. Call reset() or resume() before
/// the first step().
class FluidSimulator {
public:
    /// Allocates all fields (or plans them, see engine::Memory). @throws std::invalid_argument naming the first bad key.
    FluidSimulator(engine::Device& device, const Settings& settings);

    /// Starts the simulation, or restarts it: sets the time to 0 and records the initial fields.
    void reset(engine::Recorder& rec);

    /// Starts again, at another time [s]: obstacles are where they are at that time, and volume files of the initial smoke give its frame.
    void show(engine::Recorder& rec, double time);

    /// Removes all smoke or liquid and resets the velocity: to 0, or to the ambient flow if the box follows a target. Does not change the
    /// time, obstacles and emitters. Call it between steps.
    void clear(engine::Recorder& rec);

    /// The state after the steps recorded so far. A checkpoint consists of this state and the contents of fields().state().
    [[nodiscard]] const RunState& state() const { return state_; }
    /// Resumes from a checkpoint with the same settings; call it instead of reset(). Records everything except the contents of
    /// fields().state(), which the caller uploads afterwards. @throws std::invalid_argument if `state` overrides the motion of an obstacle
    /// that does not exist.
    void resume(engine::Recorder& rec, const RunState& state);
    /// Gives the fields the size that they have in a checkpoint. resume() calls it itself. @throws std::invalid_argument if a sparse
    /// simulation cannot have so many slots; Error OutOfMemory.
    void allocate(const RunState& state);

    /// Replaces the settings from the next step on. If they are the first with coloured smoke, the existing smoke becomes white.
    /// @throws std::invalid_argument naming the first bad key, or the first key that cannot change during a run (see fixedKey); Error
    /// OutOfMemory if there is no memory for colours. After an exception nothing has changed.
    void change(const Settings& settings);
    /// Records the initialisation of fields that the last change() allocated. Call it before drawing a picture between change() and the
    /// next step(). step() calls it itself.
    void catchUp(engine::Recorder& rec);

    /// Kinematic override: in the next step only, the centre of the obstacle moves along `motion` instead of the path in its settings.
    /// With from = to the obstacle stands still. @throws std::out_of_range if the obstacle does not exist.
    void overrideMotion(std::size_t obstacle, const MotionSegment& motion);
    /// From the next step on, the box follows this target position [m]. Replaces settings().follow.keys by one key. If the box jumps by
    /// more than its size, it keeps no fields: all cells start with the ambient flow. @throws std::invalid_argument if the position is NaN
    /// or too far away, or if this box cannot follow a target (see `follow.keys`).
    void follow(glm::vec3 target);
    /// Adds an emitter in the next step only.
    void paint(const EmitterSettings& emitter) { painted_.push_back(emitter); }

    /// Adds a segment of a stroke in the next step only. The stroke moves along `motion`; its keys are ignored.
    void paint(const StrokeSettings& stroke, const MotionSegment& motion) { strokes_.emplace_back(stroke, motion); }

    /// Records one step of settings().timeStep. If `traced`, the next measure() also reports the convergence of the pressure solve of this
    /// step: the residuals before the solve and after every cycle or every ten sweeps, and the fine divergence before the projection.
    /// With pressure.iterations = "auto" the recorder needs kSolveReadback bytes more.
    void step(engine::Recorder& rec, bool traced = false);

    /// Records the measurement of the quality numbers of the last step. `deliver` is called with them once the frame has run.
    void measure(engine::Recorder& rec, std::function<void(const Quality&)> deliver);

    /// Whether the exact density is known: the density started as the scene defines it, and only a prescribed velocity has changed it.
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
    /// Input of a step besides the settings.
    struct StepInput {
        double time = 0.0;            ///< at the start of the step, or of this part of it [s]
        std::uint64_t number = 1;     ///< of the step, starting from 1
        std::uint32_t partsLeft = 0;  ///< parts of the step that follow this one
        glm::ivec3 scrolled{0};       ///< cells by which the box moved
        std::vector<EmitterSettings> painted;
        std::vector<std::pair<StrokeSettings, MotionSegment>> strokes;  ///< segments of all strokes
        bool traced = false;
    };
    // The steps of the two fluids: compute/sim/step.cpp.
    void recordSmokeStep(engine::Recorder& rec, const StepInput& in);
    /// The solve of a step: its settings with the number of cycles, and where its residuals go.
    struct Solve {
        PressureSettings pressure;
        std::shared_ptr<std::vector<double>> trace;
    };
    void recordLiquidStep(engine::Recorder& rec, const StepInput& in, const Solve& solve);
    /// A step of the liquid in as many equal parts as it needs, see partsOfStep. The residuals are those of the last part.
    void recordLiquidParts(engine::Recorder& rec);
    /// The settings with the duration of the last part of a step as their time step.
    [[nodiscard]] Settings settingsOfPart() const;

    // Bookkeeping of a step: compute/sim/placement.cpp.
    /// Moves box and obstacles to their positions at the end of this step, or of one of its parts, and takes the emitters and strokes from
    /// paint().
    StepInput beginStep(engine::Recorder& rec, bool traced, std::uint32_t part = 0, std::uint32_t parts = 1);
    /// The decay factors of the step.
    DecayFactors decayFactors();
    Solve planSolve(std::uint64_t step);
    /// Whether there are obstacles, or the next step may have some.
    [[nodiscard]] bool hasObstacles() const { return settings_.byHand || uploaded_.obstacleCount > 0; }
    /// Sets the position of the box from state_.
    void placeBox();
    /// Moves the box to its target. Returns by how many cells it moved.
    glm::ivec3 recordFollow(engine::Recorder& rec);
    /// Uploads the obstacles as they were at the end of the last step, for the new position of the box.
    void shiftObstacles(engine::Recorder& rec);
    /// Uploads the step's uniforms if they have changed, with the obstacles at their positions from state_. Returns whether they changed.
    bool placeObstacles(engine::Recorder& rec);
    /// Obstacles -> aperture of fine faces.
    void recordAperture(engine::Recorder& rec);
    /// In a sparse simulation: more slots for bricks, if this step may need them; and how many it uses, once the frame has run.
    void recordSlots(engine::Recorder& rec, std::uint64_t step);
    void readSlots(engine::Recorder& rec, std::uint64_t step);
    /// Greatest speed of a point of an obstacle in its last step [m/s].
    [[nodiscard]] float speedOf(int obstacle) const;
    /// Of the pass `crossed_mass`, at the end of a step.
    [[nodiscard]] gpu::CrossedPush crossedPush() const;
    /// Where a step of a sparse simulation adds smoke or velocity.
    [[nodiscard]] Seeds seedsOfStep(const StepInput& in) const;
    /// The segments of all strokes in the next step.
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokesOfStep();
    /// Records the initial smoke or liquid, velocity and pressure of these settings.
    void recordInitialFields(engine::Recorder& rec, const Settings& settings);
    /// In a sparse simulation: the bricks at the start of these settings, and what obstacles leave open in them.
    void recordFirstBricks(engine::Recorder& rec, const Settings& settings);
    /// Obstacles -> apertures of all bricks that are stored, before and after obstacles moved.
    void recordStoredApertures(engine::Recorder& rec);
    /// Records the obstacles at their positions from state_, and the initial fields.
    void begin(engine::Recorder& rec);
    /// Sets the bindings that all passes of a step share.
    void setCommon(engine::Recorder& rec);

    engine::Device& device_;
    Settings settings_;  ///< with the grid at the current position of the box
    glm::vec3 home_;     ///< low corner of the box without a target [m]
    Fields fields_;
    std::uint64_t slotMemory_;  ///< most memory for fields with slots [bytes]
    Measures measures_;
    bool coloursAreNew_ = false;    ///< the colour fields are allocated but not initialised
    bool scratchIsNew_ = false;     ///< the same for scratch of the advection
    bool aperturesAreOld_ = false;  ///< the slots of bricks have changed, but not the apertures
    /// The uniforms of the last step. Their box of obstacles (solidsLow, solidsHigh) contains only the obstacles of that step.
    gpu::StepData uploaded_{};
    CrossedBodies crossedBodies_;
    std::map<std::size_t, MotionSegment> overrides_;  ///< for the next step, like painted_ and strokes_
    std::vector<EmitterSettings> painted_;
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokes_;
    std::uint32_t lastCycles_ = 0;                ///< cycles or sweeps of the last step
    float lastKept_ = 1.0f;                       ///< decay factor of the velocity in the last step
    std::shared_ptr<std::vector<double>> trace_;  ///< residuals of the last step; null if it was not traced
    RunState state_;
};

/// The first key that prevents FluidSimulator::change from `running` to `wanted`, because it requires other memory, other shaders or
/// another initial state. Empty if the change is possible.
std::string fixedKey(const Settings& running, const Settings& wanted);

}  // namespace wisp
