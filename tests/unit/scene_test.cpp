// SPDX-License-Identifier: MIT
#include "files/scene/scene.h"
#include "api/scene_impl.h"

#include <glm/trigonometric.hpp>
#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<SceneError> errorsOf(std::string_view text, const SceneOptions& options = {}) {
    try {
        parseScene(text, "t.toml", options);
    } catch (const SceneFailure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.errors();
    }
    return {};
}

/// The only error of the text, as wisp prints it.
std::string errorOf(std::string_view text, const SceneOptions& options = {}) {
    const std::vector<SceneError> errors = errorsOf(text, options);
    EXPECT_EQ(errors.size(), 1u);
    return errors.empty() ? "" : errors.front().text();
}

SceneOptions with(const std::vector<std::string>& sets) {
    LoadOptions options;
    for (const std::string& set : sets) options.set.push_back(LoadOptions::Setting::parse(set));
    return optionsOf(options);
}

TEST(SceneKeys, AreAllReadBack) {
    const Settings s = parseScene(R"(
name = "n"
seed = 7
[grid]
cells = [16, 32, 8]
pressure_ratio = 4
scalar_ratio = 2
size = [1, 2, 0.5]
origin = [-1, 0, 1]
precision = "float"
sides = { x0 = "wall", x1 = "inflow", y0 = "open", y1 = "wall", z0 = "inflow", z1 = "wall" }
[time]
step = 0.01
[flow]
buoyancy = 0.1
weight = 0.2
vorticity = 0.3
viscosity = 0.01
density_decay = 0.5
velocity_decay = 0.6
detail_decay = 0.7
gravity = [0, 0, -1]
inflow = [1, 2, 3]
[advection]
scheme = "semi_lagrangian"
filter = "exact"
[pressure]
solver = "red_black_sor"
iterations = 12
tolerance = 0.001
omega = 1.5
[medium]
extinction = 3
albedo = [0.1, 0.2, 0.3]
emission = [1, 2, 3]
phase = { g = 0.1, g_back = -0.2, blend = 0.4 }
octaves = 5
[environment]
colour = [1, 2, 3]
ground = true
[camera]
eye = [1, 2, 3]
target = [4, 5, 6]
fov = 90
shutter = 180
[render]
mode = "path"
shutter_samples = 16
size = [12, 34]
step = 0.1
exposure = -1
tonemap = "agx"
obstacle_colour = [0.1, 0.2, 0.3]
obstacle_specular = 0.5
obstacle_roughness = 0.7
ground_colour = [0.4, 0.5, 0.6]
shadows = "march"
light_ratio = 4
scattering_cells = 48
samples = 77
error = 0.01
bounces = 9
antialias = false
temporal = true
)",
                                  "t.toml");
    EXPECT_EQ(s.name, "n");
    EXPECT_EQ(s.seed, 7u);
    EXPECT_EQ(s.grid.cells, glm::uvec3(16, 32, 8));
    EXPECT_EQ(s.grid.pressureRatio, 4u);
    EXPECT_EQ(s.grid.scalarRatio, 2u);
    EXPECT_EQ(s.grid.size, glm::vec3(1, 2, 0.5));
    EXPECT_EQ(s.grid.origin, glm::vec3(-1, 0, 1));
    EXPECT_EQ(s.grid.precision, Precision::Float);
    EXPECT_THAT(s.grid.sides, ElementsAre(Side::Wall, Side::Inflow, Side::Open, Side::Wall, Side::Inflow, Side::Wall));
    EXPECT_EQ(s.timeStep, 0.01f);
    EXPECT_EQ(s.flow.buoyancy, 0.1f);
    EXPECT_EQ(s.flow.weight, 0.2f);
    EXPECT_EQ(s.flow.vorticity, 0.3f);
    EXPECT_EQ(s.flow.viscosity, 0.01f);
    EXPECT_EQ(s.flow.densityDecay, 0.5f);
    EXPECT_EQ(s.flow.velocityDecay, 0.6f);
    EXPECT_EQ(s.flow.detailDecay, 0.7f);
    EXPECT_EQ(s.flow.gravity, glm::vec3(0, 0, -1));
    EXPECT_EQ(s.flow.inflow, glm::vec3(1, 2, 3));
    EXPECT_EQ(s.advection.scheme, AdvectionScheme::SemiLagrangian);
    EXPECT_EQ(s.advection.filter, Filter::Exact);
    EXPECT_EQ(s.pressure.solver, PressureSolver::RedBlackSor);
    EXPECT_EQ(s.pressure.iterations, 12u);
    EXPECT_EQ(s.pressure.tolerance, 0.001f);
    EXPECT_EQ(s.pressure.omega, 1.5f);
    EXPECT_EQ(s.medium.extinction, 3.0f);
    EXPECT_EQ(s.medium.albedo, glm::vec3(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(s.medium.emission, glm::vec3(1, 2, 3));
    EXPECT_EQ(s.medium.phase.g, 0.1f);
    EXPECT_EQ(s.medium.phase.gBack, -0.2f);
    EXPECT_EQ(s.medium.phase.blend, 0.4f);
    EXPECT_EQ(s.medium.octaves, 5u);
    EXPECT_EQ(s.environment.colour, glm::vec3(1, 2, 3));
    EXPECT_EQ(s.camera.eye, glm::vec3(1, 2, 3));
    EXPECT_EQ(s.camera.target, glm::vec3(4, 5, 6));
    EXPECT_FLOAT_EQ(s.camera.fov, glm::radians(90.0f));
    EXPECT_EQ(s.render.size, glm::uvec2(12, 34));
    EXPECT_EQ(s.render.step, 0.1f);
    EXPECT_EQ(s.render.exposure, -1.0f);
    EXPECT_EQ(s.render.tonemap, Tonemap::Agx);
    EXPECT_EQ(s.render.obstacleColour, glm::vec3(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(s.render.obstacleSpecular, 0.5f);
    EXPECT_EQ(s.render.obstacleRoughness, 0.7f);
    EXPECT_TRUE(s.environment.ground);
    EXPECT_EQ(s.render.mode, RenderMode::Path);
    EXPECT_EQ(s.render.groundColour, glm::vec3(0.4f, 0.5f, 0.6f));
    EXPECT_EQ(s.render.shadows, Shadows::March);
    EXPECT_EQ(s.render.lightRatio, 4u);
    EXPECT_EQ(s.render.scatteringCells, 48u);
    EXPECT_FLOAT_EQ(s.camera.shutter, glm::radians(180.0f));
    EXPECT_EQ(s.render.shutterSamples, 16u);
    EXPECT_EQ(s.render.samples, 77u);
    EXPECT_EQ(s.render.error, 0.01f);
    EXPECT_EQ(s.render.bounces, 9u);
    EXPECT_FALSE(s.render.antialias);
    EXPECT_TRUE(s.render.temporal);
}

TEST(SceneKeys, OfListsAreAllReadBack) {
    const Settings s = parseScene(R"(
[[emitter]]
shape = "box"
min = [0, 0, 0]
max = [1, 2, 3]
velocity = [0, 0, 0]
density = 1
density_rate = 2
temperature = 3
temperature_rate = 4
turbulence = 0.5
turbulence_scale = 0.25
[[emitter]]
[[obstacle]]
shape = "capsule"
centre = [1, 2, 3]
half = [0, 1, 0]
radius = 0.5
velocity = [1, 0, 0]
angular_velocity = [0, 1, 0]
keys = [ { t = 0, centre = [1, 1, 1] }, { t = 2, centre = [2, 2, 2] } ]
[[initial]]
shape = "box"
centre = [1, 1, 1]
half = [1, 2, 3]
density = 1
temperature = 2
velocity = [3, 4, 5]
[[initial]]
field = "zalesak"
[[light]]
type = "point"
direction = [1, 2, 3]
position = [4, 5, 6]
colour = [7, 8, 9]
intensity = 10
)",
                                  "dir/named.toml");
    EXPECT_EQ(s.name, "named");
    ASSERT_EQ(s.emitters.size(), 2u);
    const EmitterSettings& e = s.emitters[0];
    EXPECT_EQ(e.shape.kind, ShapeKind::Box);
    EXPECT_EQ(e.shape.centre, glm::vec3(0.5f, 1.0f, 1.5f));
    EXPECT_EQ(e.shape.half, glm::vec3(0.5f, 1.0f, 1.5f));
    EXPECT_TRUE(e.hasVelocity);
    EXPECT_EQ(e.density, 1.0f);
    EXPECT_EQ(e.densityRate, 2.0f);
    EXPECT_EQ(e.temperature, 3.0f);
    EXPECT_EQ(e.temperatureRate, 4.0f);
    EXPECT_EQ(e.turbulence, 0.5f);
    EXPECT_EQ(e.turbulenceScale, 0.25f);
    EXPECT_FALSE(s.emitters[1].hasVelocity);
    ASSERT_EQ(s.obstacles.size(), 1u);
    const ObstacleSettings& o = s.obstacles[0];
    EXPECT_EQ(o.shape.kind, ShapeKind::Capsule);
    EXPECT_EQ(o.shape.centre, glm::vec3(1, 2, 3));
    EXPECT_EQ(o.shape.half, glm::vec3(0, 1, 0));
    EXPECT_EQ(o.shape.radius, 0.5f);
    EXPECT_EQ(o.velocity, glm::vec3(1, 0, 0));
    EXPECT_EQ(o.angularVelocity, glm::vec3(0, glm::radians(1.0f), 0));  // degrees in the file
    ASSERT_EQ(o.keys.size(), 2u);
    EXPECT_EQ(o.keys[1].t, 2.0f);
    EXPECT_EQ(o.keys[1].centre, glm::vec3(2, 2, 2));
    ASSERT_EQ(s.initial.size(), 2u);
    EXPECT_EQ(s.initial[0].shape.half, glm::vec3(1, 2, 3));
    EXPECT_EQ(s.initial[0].density, 1.0f);
    EXPECT_EQ(s.initial[0].temperature, 2.0f);
    EXPECT_EQ(s.initial[0].velocity, glm::vec3(3, 4, 5));
    EXPECT_EQ(s.initial[1].field, InitialField::Zalesak);
    ASSERT_EQ(s.lights.size(), 1u);
    EXPECT_EQ(s.lights[0].kind, LightKind::Point);
    EXPECT_EQ(s.lights[0].direction, glm::vec3(1, 2, 3));
    EXPECT_EQ(s.lights[0].position, glm::vec3(4, 5, 6));
    EXPECT_EQ(s.lights[0].colour, glm::vec3(7, 8, 9));
    EXPECT_EQ(s.lights[0].intensity, 10.0f);
}

TEST(SceneKeys, LeftOutKeepDefaults) {
    const Settings s = parseScene("", "t.toml");
    const Settings defaults;
    EXPECT_EQ(s.grid.cells, defaults.grid.cells);
    EXPECT_EQ(s.pressure.iterations, defaults.pressure.iterations);
    EXPECT_EQ(s.camera.fov, defaults.camera.fov);
    EXPECT_THAT(s.emitters, IsEmpty());
}

TEST(SceneErrors, NameLineKeyAndAllowedValues) {
    const std::pair<std::string, std::string> cases[] = {
        {"[grid]\ncell = [1, 1, 1]", "t.toml:2:1: grid.cell: unknown key; did you mean \"cells\"?"},
        {"[time]\nstep = \"fast\"", "t.toml:2:8: time.step: is the string \"fast\", must be a number"},
        {"seed = -1", "t.toml:1:8: seed: is the whole number -1, must be a whole number from 0 to 4294967295"},
        {"[pressure]\niterations = 2.5",
         "t.toml:2:14: pressure.iterations: is the number 2.5, must be \"auto\" or a whole number from 1 to 4294967295"},
        {"[pressure]\niterations = 0",
         "t.toml:2:14: pressure.iterations: is the whole number 0, must be \"auto\" or a whole number from 1 to 4294967295"},
        {"[pressure]\niterations = \"many\"",
         "t.toml:2:14: pressure.iterations: is the string \"many\", must be \"auto\" or a whole number from 1 to 4294967295"},
        {"[pressure]\nsolver = \"jacobi\"\niterations = \"auto\"",
         "t.toml:3:14: pressure.iterations: is \"auto\", must be a number of sweeps with solver jacobi or red_black_sor"},
        {"[flow]\n\ngravity = [1, 2]", "t.toml:3:11: flow.gravity: is a list of 2, must be a list of 3 numbers"},
        {"[flow]\ngravity = [1, true, 3]", "t.toml:2:15: flow.gravity: component 1 is true, must be a number"},
        {"[grid]\ncells = [8, -1, 8]", "t.toml:2:13: grid.cells: component 1 is the whole number -1, must not be negative"},
        {"[grid]\ncells = [8, 8, 4294967296]", "t.toml:2:16: grid.cells: component 2 is the whole number 4294967296, which is too large"},
        {"[grid]\ncells = [8.5, 8, 8]", "t.toml:2:10: grid.cells: component 0 is the number 8.5, must be a whole number"},
        {"[grid]\ncells = [8, 8]", "t.toml:2:9: grid.cells: is a list of 2, must be a list of 3 whole numbers"},
        {"[flow]\nvorticity = nan", "t.toml:2:13: flow.vorticity: is nan, must be from 0 to 100"},
        {"[flow]\nvorticity = inf", "t.toml:2:13: flow.vorticity: is inf, must be from 0 to 100"},
        {"[[emitter]]\nradius = -0.1", "t.toml:2:10: emitter[0].radius: is -0.1, must be above 0 and at most 1000000"},
        {"[pressure]\nomega = 2", "t.toml:2:9: pressure.omega: is 2, must lie between 0 and 2, ends excluded"},
        {"[grid]\nscalar_ratio = 3", "t.toml:2:16: grid.scalar_ratio: is 3, must be 1, 2, 4 or 8"},
        {"[camera]\nfov = 180", "t.toml:2:7: camera.fov: is 180 degrees, must be from 1 to 179"},
        {"[camera]\nfov = 0", "t.toml:2:7: camera.fov: is 0 degrees, must be from 1 to 179"},
        {"[medium]\nalbedo = [0.5, 1.1, 0.5]", "t.toml:2:10: medium.albedo: is [0.5, 1.1, 0.5], each must be from 0 to 1"},
        {"[medium]\nphase = { g = 1 }", "t.toml:2:15: medium.phase.g: is 1, must lie between -1 and 1, ends excluded"},
        {"[medium]\nphase = { g_back = -1 }", "t.toml:2:20: medium.phase.g_back: is -1, must lie between -1 and 1, ends excluded"},
        {"[medium]\nextinction = -1", "t.toml:2:14: medium.extinction: is -1, must be from 0 to 1000000"},
        {"[render]\nsize = [0, 4]", "t.toml:2:8: render.size: is [0, 4], each must be from 1 to 16384"},
        {"[render]\nmode = \"paths\"", "t.toml:2:8: render.mode: is \"paths\", must be one of: raymarch, path; did you mean \"path\"?"},
        {"[render]\nerror = 2", "t.toml:2:9: render.error: is 2, must be from 0 to 1"},
        {"[render]\ntonemap = \"ace\"",
         "t.toml:2:11: render.tonemap: is \"ace\", must be one of: aces, agx, linear, filmic; did you mean \"aces\"?"},
        {"grid = 3", "t.toml:1:8: grid: is the whole number 3, must be a table"},
        {"[emitter]\nradius = 1", "t.toml:1:1: emitter: is a table, must be a list of tables, each beginning with [[emitter]]"},
        {"[[obstacle]]\nkeys = [ { t = 1.0 }, { t = 0.5 } ]",
         "t.toml:2:29: obstacle[0].keys[1].t: is 0.5, must be later than the key before it, at 1"},
        {"[[obstacle]]\nshape = \"box\"\nmin = [0, 0, 0]", "t.toml:3:7: obstacle[0].min: needs both min and max"},
        {"[[obstacle]]\nshape = \"box\"\nradius = 1",
         "t.toml:3:10: obstacle[0].radius: is only for a sphere or a capsule; a box has half, or min and max"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(errorOf(text), expected) << text;
    EXPECT_THAT(errorOf("[environment]\nground = 1979-05-27"),
                testing::AllOf(HasSubstr("t.toml:2:10: environment.ground: is a date or time"), HasSubstr("must be true or false")));
}

TEST(SceneErrors, ListTheAllowedShapes) {
    EXPECT_THAT(errorOf("[[initial]]\nshape = \"mesh\""), HasSubstr("must be one of: sphere, box, capsule"));
    EXPECT_THAT(errorsOf("[[emitter]]\nshape = \"volume\"\ndensity = 1.0").back().text(), HasSubstr("is \"volume\", which needs file"));
    EXPECT_THAT(errorOf("[[emitter]]\nradius = 0.1\nup = \"z\""), HasSubstr("emitter[0].up: is only for shape = \"volume\""));
}

TEST(SceneSides, PeriodicSidesComeInPairs) {
    const Settings s = parseScene(
        "[grid]\nsides = { x0 = \"periodic\", x1 = \"periodic\", z0 = \"periodic\", z1 = \"periodic\", y0 = \"wall\" }", "t.toml", {});
    EXPECT_THAT(s.grid.sides, ElementsAre(Side::Periodic, Side::Periodic, Side::Wall, Side::Open, Side::Periodic, Side::Periodic));
    EXPECT_EQ(s.grid.periodicAxes(), 5u);
    EXPECT_EQ(errorOf("[grid]\nsides = { x0 = \"periodic\" }"),
              "t.toml:2:16: grid.sides.x0: is periodic, so x1 must be periodic too: periodic sides come in pairs");
    EXPECT_EQ(errorOf("[grid]\nsides = { y0 = \"inflow\", y1 = \"periodic\" }"),
              "t.toml:2:31: grid.sides.y1: is periodic, so y0 must be periodic too: periodic sides come in pairs");
}

TEST(SceneSides, InvalidPeriodicScenesAreRefused) {
    const std::string x = "[grid]\ncells = [32, 16, 18]\nsize = [3.2, 1.6, 1.8]\nsides = { x0 = \"periodic\", x1 = \"periodic\" }\n";
    const std::string z = "[grid]\ncells = [32, 16, 18]\nsize = [3.2, 1.6, 1.8]\nsides = { z0 = \"periodic\", z1 = \"periodic\" }\n";
    EXPECT_THAT(errorsOf(z), IsEmpty());
    EXPECT_EQ(errorOf(z + "pressure_ratio = 4"),
              "t.toml:2:9: grid.cells: has 18 along z, whose sides are periodic: must be a multiple of grid.pressure_ratio, 4");
    EXPECT_THAT(errorsOf(x + "pressure_ratio = 4"), IsEmpty());  // z is not periodic
    // A bar longer than the box is valid along its own periodic axis, where it has no ends, and along axes that are not periodic.
    const std::string bar = "[[obstacle]]\nshape = \"box\"\nhalf = [9.0, 0.1, 0.1]\n";
    EXPECT_THAT(errorsOf(x + bar), IsEmpty());
    EXPECT_THAT(errorsOf(z + bar + "angular_velocity = [0.0, 90.0, 0.0]\n"), testing::SizeIs(1));
    EXPECT_THAT(errorOf(x + bar + "rotation = [0.0, 0.0, 20.0]\n"),
                testing::AllOf(HasSubstr("obstacle[0].half: "), HasSubstr("9.001 m from its centre along x"), HasSubstr("at most 3.2 m")));
    EXPECT_THAT(errorOf(x + "[[emitter]]\nshape = \"capsule\"\nhalf = [3.0, 0.0, 0.0]\nradius = 0.25\n"), HasSubstr("emitter[0].half: "));
    EXPECT_THAT(errorsOf(z + "[[emitter]]\nshape = \"capsule\"\nhalf = [3.0, 0.0, 0.0]\nradius = 0.25\n"), IsEmpty());
    EXPECT_THAT(errorOf(x + "[[initial]]\nshape = \"capsule\"\nhalf = [3.0, 0.0, 0.0]\nradius = 0.25\n"), HasSubstr("initial[0].half: "));
    EXPECT_THAT(errorOf(x + "[time]\nstep = 0.1\n[[obstacle]]\nvelocity = [35.0, 0.0, 0.0]\n"), HasSubstr("obstacle[0].velocity: "));
    EXPECT_THAT(errorsOf(x + "[time]\nstep = 0.1\n[[obstacle]]\nvelocity = [25.0, 35.0, 0.0]\n"), IsEmpty());
}

TEST(SceneErrors, CellsThatAreNotCubic) {
    EXPECT_THAT(errorOf("[grid]\ncells = [32, 16, 15]"),
                testing::AllOf(HasSubstr("t.toml:2:9: grid.cells: "), HasSubstr("not cubic"), HasSubstr("[32, 16, 16] would be")));
}

TEST(SceneErrors, OfSyntaxHaveAPosition) { EXPECT_THAT(errorOf("[grid]\ncells = [1,"), testing::StartsWith("t.toml:2:")); }

TEST(SceneErrors, ComeAllAtOnceInReadingOrder) {
    const auto errors = errorsOf("nme = 1\n[time]\nstep = 0\n[grid]\ncells = 3\n[pressure]\nomega = 9\n");
    ASSERT_EQ(errors.size(), 4u);
    EXPECT_EQ(errors[0].key, "nme");
    EXPECT_EQ(errors[1].key, "time.step");
    EXPECT_EQ(errors[2].key, "grid.cells");
    EXPECT_EQ(errors[3].key, "pressure.omega");
    for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_GT(errors[i].line, errors[i - 1].line);
}

TEST(SceneErrors, NameAMissingFile) {
    try {
        loadScene("/nonexistent/x.toml");
        FAIL();
    } catch (const SceneFailure& e) {
        EXPECT_THAT(e.what(), HasSubstr("/nonexistent/x.toml: cannot be read: No such file"));
    }
}

TEST(SceneErrors, NestingDoesNotExhaustTheStack) { EXPECT_THAT(errorsOf("x = " + std::string(200000, '[')), testing::Not(IsEmpty())); }

TEST(SceneOverrides, SetPresentAndMissingKeys) {
    const char* text = "[grid]\nsides = { x0 = \"wall\" }\n[[emitter]]\nradius = 1\n[camera]\neye = [1, 2, 3]\n";
    const Settings s = parseScene(text, "t.toml",
                                  with({"emitter[0].radius=2", "emitter.0.density=3", "camera.eye[1]=7", "grid.sides.x0=open",
                                        "pressure.solver=red_black_sor", "medium.phase.g=0.25", "render.size=[8, 9]", "seed=4", "seed=5"}));
    EXPECT_EQ(s.emitters.at(0).shape.radius, 2.0f);
    EXPECT_EQ(s.emitters.at(0).density, 3.0f);
    EXPECT_EQ(s.camera.eye, glm::vec3(1, 7, 3));
    EXPECT_EQ(s.grid.sides[0], Side::Open);
    EXPECT_EQ(s.pressure.solver, PressureSolver::RedBlackSor);
    EXPECT_EQ(s.medium.phase.g, 0.25f);
    EXPECT_EQ(s.render.size, glm::uvec2(8, 9));
    EXPECT_EQ(s.seed, 5u);
}

TEST(SceneOverrides, ErrorsNameTheOption) {
    const std::pair<std::string, std::string> cases[] = {
        {"time.step=-1", "--set time.step=-1: time.step: is -1, must be above 0 and at most 1"},
        {"time.stop=1", "--set time.stop=1: time.stop: unknown key; did you mean \"step\"?"},
        {"tme.step=1", "--set tme.step=1: tme: unknown key; did you mean \"time\"?"},
        {"emitter.0.radius=1", "--set emitter.0.radius=1: emitter.0.radius: there is no list \"emitter\""},
        {"light[3].intensity=1", "--set light[3].intensity=1: light[3].intensity: there is no element [3] in a list of 1"},
        {"time.step=[", "--set time.step=[: time.step: \"[\" is not a TOML value"},
        {"time..step=1", "--set time..step=1: time..step: is not a key path, such as flow.vorticity or emitter[0].radius"},
        {"seed=1\n[grid]\ncells=[1,1,1]", "--set seed=1\n[grid]\ncells=[1,1,1]: seed: \"1\n[grid]\ncells=[1,1,1]\" is not a TOML value"},
    };
    for (const auto& [set, expected] : cases) EXPECT_EQ(errorOf("[[light]]\n", with({set})), expected) << set;
    EXPECT_THROW((void)LoadOptions::Setting::parse("no-equals"), Error);
}

}  // namespace
}  // namespace wisp::app
