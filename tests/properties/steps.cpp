// SPDX-License-Identifier: MIT
// Random valid scenes: their steps stay finite, and the validation layers report no message.
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "tests/properties/check.h"
#include "tests/properties/draft.h"
#include "tests/support/gpu_test.h"

#include <cmath>

namespace wisp::test {
namespace {

class StepProperties : public GpuTest {
protected:
    /// Measures the state after ten steps.
    Quality run(Settings settings) {
        settings.lights.clear();  // these settings have no effect here, and would only add pipelines to compile
        settings.medium.octaves = 1;
        settings.environment = {};
        settings.render.shadows = Shadows::Volume;
        if (!shaders_) shaders_ = pooledLibrary(device(), embeddedShaders(), shaderOptions(settings));
        else shaders_->setOptions(shaderOptions(settings));
        FluidSimulator simulator(device(), settings);
        engine::Recorder recorder(device(), *shaders_, {.timing = engine::Timing::Off, .readbackBytes = 1u << 16});
        Quality quality;
        recorder.begin();
        simulator.reset(recorder);
        recorder.submit();
        for (int i = 0; i < 10 && quality.finite(); ++i) {
            recorder.begin();
            simulator.step(recorder);
            simulator.measure(recorder, [&](const Quality& q) { quality = q; });
            recorder.submit();
        }
        recorder.finish();
        return quality;
    }

    void TearDown() override {
        shaders_.reset();
        GpuTest::TearDown();
    }

private:
    PooledLibrary shaders_;
};

TEST_F(StepProperties, AcceptedScenesStayFinite) {
    checkProperty(
        [this] {
            const Draft draft = accepted(*rc::gen::oneOf(drafts({.given = 30, .edge = 15}, true), drafts({.given = 40, .edge = 60}, true)));
            RC_LOG() << draft.text();
            const Settings settings = parseScene(draft.text(), kDraftFile);
            const glm::uvec3 cells = settings.grid.cells;
            RC_PRE(cells.x * cells.y * cells.z <= 1024);  // else the grid was refused, and the scene has the large default grid
            const Quality quality = run(settings);
            RC_LOG() << quality.notFinite << " is not finite, greatest speed " << quality.maxSpeed << " m/s\n";
            RC_ASSERT(quality.finite());
            for (const double v : {quality.divergenceRms, quality.divergenceMax, quality.fineDivergenceRms, quality.residual, quality.mass,
                                   quality.leakedMass, quality.kineticEnergy, quality.maxSpeed})
                RC_ASSERT(std::isfinite(v));
            const std::vector<std::string> messages = device().validationMessages();
            RC_LOG() << (messages.empty() ? "" : messages[0]);
            device().clearValidationMessages();
            RC_ASSERT(messages.empty());
        },
        10);
}

}  // namespace
}  // namespace wisp::test
