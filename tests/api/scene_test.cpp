// SPDX-License-Identifier: MIT
// The scene of the library: keys are set one by one and checked together.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string_view>

namespace wisp::test {
namespace {

using testing::HasSubstr;

TEST(ApiScene, HasDefaultsAndTheNamesOfBuiltInScenes) {
    EXPECT_NO_THROW(Scene().check());
    EXPECT_THAT(Scene::builtIn(), testing::Contains("smoke"));
    EXPECT_EQ(Scene::load("smoke").get("name"), "\"smoke\"");
}

TEST(ApiScene, SetReplacesAKey) {
    Scene scene = smallScene();
    EXPECT_EQ(scene.get("flow.buoyancy"), "0.05");
    scene.set("flow.buoyancy", 0.25).set("flow.buoyancy", 0.5).set("pressure.solver", "mgpcg").set("camera.eye", {1, 2.5, 3});
    EXPECT_EQ(scene.get("flow.buoyancy"), "0.5");
    EXPECT_EQ(scene.get("pressure.solver"), "\"mgpcg\"");
    EXPECT_THAT(scene.toml(), testing::AllOf(HasSubstr("buoyancy = 0.5"), HasSubstr("eye = [1.0, 2.5, 3.0]")));
    scene.set("emitter[0].radius", 0.2);
    EXPECT_THAT(scene.toml(), HasSubstr("radius = 0.2"));
}

const SceneKey* keyOf(const std::vector<SceneKey>& keys, const std::string& path) {
    const auto found = std::ranges::find(keys, path, &SceneKey::path);
    return found == keys.end() ? nullptr : &*found;
}

TEST(ApiScene, KeysHaveValuesTypesAndChoices) {
    Scene scene = smallScene();
    scene.add("light", "{type = \"spot\", direction = [0, -1, 0]}");
    const std::vector<SceneKey> keys = scene.keys();
    const SceneKey* buoyancy = keyOf(keys, "flow.buoyancy");
    ASSERT_NE(buoyancy, nullptr);
    EXPECT_EQ(buoyancy->value, "0.05");
    EXPECT_EQ(buoyancy->type, SceneKey::Type::Real);
    EXPECT_EQ(buoyancy->count, 1u);
    EXPECT_LT(buoyancy->low, buoyancy->high);
    EXPECT_FALSE(buoyancy->unit.empty());
    EXPECT_FALSE(buoyancy->help.empty());
    const SceneKey* viscosity = keyOf(keys, "flow.viscosity");
    ASSERT_NE(viscosity, nullptr);
    EXPECT_EQ(viscosity->high, 0.001) << "the decimal number, not the float next to it";
    const SceneKey* solver = keyOf(keys, "pressure.solver");
    ASSERT_NE(solver, nullptr);
    EXPECT_EQ(solver->type, SceneKey::Type::Choice);
    EXPECT_THAT(solver->choices, testing::Contains("mgpcg"));
    const SceneKey* cells = keyOf(keys, "grid.cells");
    ASSERT_NE(cells, nullptr);
    EXPECT_EQ(cells->type, SceneKey::Type::Integer);
    EXPECT_EQ(cells->count, 3u);
    EXPECT_EQ(keyOf(keys, "emitter[0].radius") != nullptr, scene.get("emitter[0].shape") == "\"sphere\"");
    EXPECT_EQ(keyOf(keys, "emitter[1].shape"), nullptr) << "the scene has one emitter";
}

TEST(ApiScene, AllKeysHasThoseOfListsToo) {
    const std::vector<SceneKey> all = Scene::allKeys();
    for (const char* path : {"flow.vorticity", "emitter[0].radius", "emitter[0].keys[0].t", "obstacle[0].shape", "light[0].type"})
        EXPECT_NE(keyOf(all, path), nullptr) << path;
    for (const SceneKey& key : Scene().keys()) EXPECT_NE(keyOf(all, key.path), nullptr) << key.path;
}

TEST(ApiScene, EveryListedKeyCanBeGotAndSetToItsOwnValue) {
    Scene scene = Scene::load("smoke");
    const std::string before = scene.toml();
    for (const SceneKey& key : scene.keys()) {
        EXPECT_EQ(scene.get(key.path), key.value) << key.path;
        const bool given = !key.value.empty() && key.value != "\"\"";  // a file that is not given has an empty name
        if (given) scene.set(key.path, Value::toml(key.value));
    }
    EXPECT_EQ(scene.toml(), before);
}

TEST(ApiScene, KeysOfListsHaveBothSpellings) {
    Scene scene = smallScene();
    scene.set("emitter.0.density", 2);
    EXPECT_EQ(scene.get("emitter[0].density"), "2.0");
    EXPECT_EQ(scene.get("emitter.0.density"), "2.0");
    EXPECT_EQ(errorOf([&] { (void)scene.get("emitter[1].density"); }).key(), "emitter[1].density");
}

TEST(ApiScene, RemovesElementsOfLists) {
    Scene scene = smallScene();
    scene.add("obstacle", "{shape = \"sphere\", radius = 0.1}").add("obstacle", "{shape = \"sphere\", radius = 0.2}");
    ASSERT_EQ(scene.count("obstacle"), 3u);  // one is of the scene
    scene.remove("obstacle", 1);
    EXPECT_EQ(scene.count("obstacle"), 2u);
    EXPECT_EQ(scene.get("obstacle[0].radius"), "0.15") << "of the scene";
    EXPECT_EQ(scene.get("obstacle[1].radius"), "0.2");
    scene.set("obstacle[1].radius", 0.3);
    EXPECT_EQ(scene.get("obstacle[1].radius"), "0.3");
    EXPECT_EQ(errorOf([&] { scene.remove("obstacle", 2); }).key(), "obstacle[2]");
    EXPECT_EQ(errorOf([&] { scene.remove("obstacles", 0); }).code(), ErrorCode::Scene);
    EXPECT_EQ(errorOf([&] { (void)scene.count("obstacles"); }).code(), ErrorCode::Scene);
    EXPECT_EQ(scene.count("obstacle"), 2u);
}

TEST(ApiScene, QualityScalesTheGridAndIsNotWritten) {
    const Scene standard = Scene::load("smoke"), preview = Scene::load("smoke", {.quality = "preview"});
    EXPECT_EQ(preview.quality(), "preview");
    EXPECT_NE(preview.get("grid.cells"), standard.get("grid.cells"));
    EXPECT_EQ(preview.toml(), standard.toml());
    Scene scene = standard;
    scene.setQuality("preview");
    EXPECT_EQ(scene.get("grid.cells"), preview.get("grid.cells"));
    EXPECT_EQ(scene.setQuality("standard").get("grid.cells"), standard.get("grid.cells"));
    EXPECT_EQ(errorOf([&] { scene.setQuality("best"); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([] { (void)Scene::load("smoke", {.quality = "auto"}); }).code(), ErrorCode::Argument);
}

TEST(ApiScene, LoadAppliesSettingsAndNamesTheirSourceInErrors) {
    const Scene scene = Scene::load("smoke", {.set = {{"seed", "7", ""}, LoadOptions::Setting::parse("flow.vorticity=0.25")}});
    EXPECT_EQ(scene.get("seed"), "7");
    EXPECT_EQ(scene.get("flow.vorticity"), "0.25");
    const Error error = errorOf([] { (void)Scene::load("smoke", {.set = {{"time.step", "-1", "--step -1"}}}); });
    ASSERT_EQ(error.problems().size(), 1u);
    EXPECT_EQ(error.problems()[0].file, "--step -1");
    EXPECT_EQ(error.key(), "time.step");
    EXPECT_FALSE(Scene::preset("physical").empty());
    EXPECT_EQ(errorOf([] { (void)Scene::preset("phys"); }).code(), ErrorCode::Argument);
}

TEST(ApiScene, BuiltInScenesHaveADescription) {
    for (const std::string& name : Scene::builtIn()) EXPECT_FALSE(Scene::description(name).empty()) << name;
    EXPECT_EQ(errorOf([] { (void)Scene::description("nothing"); }).code(), ErrorCode::File);
}

TEST(ApiScene, WritesItsBodiesAsAModel) {
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "a.glb").string();
    smallScene().writeModel(file, {.count = 3, .fps = 24.0});
    std::ifstream in(file, std::ios::binary);
    std::string head(4, ' ');
    in.read(head.data(), 4);
    EXPECT_EQ(head, "glTF");
    EXPECT_GT(std::filesystem::file_size(file), 10000u) << "it has a ball of 64 x 32 quadrilaterals";
    std::filesystem::remove(file);
    const auto codeOf = [&](const std::string& name, const FilmFrames& frames) {
        return errorOf([&] { smallScene().writeModel(name, frames); }).code();
    };
    EXPECT_EQ(codeOf("x.gltf", {}), ErrorCode::Argument);
    EXPECT_EQ(codeOf(file, {.count = 0}), ErrorCode::Argument);
    EXPECT_EQ(codeOf(file, {.fps = 0.0}), ErrorCode::Argument);
    EXPECT_EQ(codeOf("/nowhere/at/all.glb", {}), ErrorCode::Output);
}

TEST(ApiScene, DescribesItsMeshes) {
    EXPECT_TRUE(smallScene().meshes().empty());
    const std::vector<SceneProblem> meshes = Scene::load("knot").meshes();
    ASSERT_EQ(meshes.size(), 1u);
    EXPECT_THAT(meshes[0].key, testing::StartsWith("obstacle["));
    EXPECT_THAT(meshes[0].message, HasSubstr("triangles"));
}

TEST(ApiScene, TakesNumbersTextsAndListsOfManyTypes) {
    EXPECT_EQ(Value(0.1f).text(), "0.1");  // not 0.10000000149011612, which reads as the same float
    EXPECT_EQ(Value(0.1).text(), "0.1");
    EXPECT_EQ(Value(std::size_t{7}).text(), "7");
    EXPECT_EQ(Value(-7L).text(), "-7");
    EXPECT_EQ(Value(1ull << 40).text(), "1099511627776");
    EXPECT_EQ(Value(std::string_view("a\"b")).text(), Value("a\"b").text());
    EXPECT_EQ(Value(std::vector<float>{0.1f, -2.0f, 1e20f}).text(), "[0.1, -2, 1e+20]");
    EXPECT_EQ(Value(std::vector<double>{0.25, std::numeric_limits<double>::infinity()}).text(), "[0.25, inf]");
    EXPECT_EQ(Value(std::array<float, 3>{1.0f, 2.5f, std::numeric_limits<float>::quiet_NaN()}).text(), "[1, 2.5, nan]");
    EXPECT_EQ(Value(std::array<std::int32_t, 2>{-1, 2147483647}).text(), "[-1, 2147483647]");
    const std::vector<std::uint32_t> cells{32, 48, 32};
    EXPECT_EQ(Value(std::span<const std::uint32_t>(cells)).text(), "[32, 48, 32]");
    EXPECT_EQ(Value({1, 2.5, 3}).text(), "[1, 2.5, 3]");
    Scene scene = smallScene();
    scene.set("grid.cells", cells).set("camera.eye", std::array<float, 3>{0.1f, 1.0f, 3.0f}).set("seed", std::size_t{9});
    EXPECT_EQ(scene.get("grid.cells"), "[32, 48, 32]");
    EXPECT_EQ(scene.get("seed"), "9");
    EXPECT_THAT(scene.toml(), HasSubstr("eye = [0.1, 1.0, 3.0]"));
}

TEST(ApiScene, ACopyIsIndependent) {
    Scene scene = smallScene(), copy = scene;
    copy.set("seed", 7);
    EXPECT_EQ(copy.get("seed"), "7");
    EXPECT_NE(scene.get("seed"), "7");
}

TEST(ApiScene, WhatItWritesReadsTheSame) {
    Scene scene = smallScene();
    scene.set("medium.extinction", 12.5).add("obstacle", "{shape = \"box\", min = [0, 0, 0], max = [0.2, 0.2, 0.2]}");
    const std::string text = scene.toml();
    EXPECT_EQ(Scene::parse(text).toml(), text);
    EXPECT_THAT(text, HasSubstr("shape = \"box\""));
}

TEST(ApiScene, AddMakesAListWhereThereIsNone) {
    Scene scene;
    scene.add("emitter", "{shape = \"sphere\", radius = 0.2, density = 1}").add("emitter", "{shape = \"box\", density = 2}");
    scene.set("emitter[1].density", 3);
    EXPECT_THAT(scene.toml(), testing::AllOf(HasSubstr("radius = 0.2"), HasSubstr("density = 3.0")));
}

TEST(ApiScene, KeysThatDependOnEachOtherAreSetOneByOne) {
    Scene scene;
    scene.set("grid.cells", {32, 32, 32});  // not cubic yet
    const Error error = errorOf([&] { scene.check(); });
    EXPECT_EQ(error.code(), ErrorCode::Scene);
    scene.set("grid.size", {1, 1, 1});
    EXPECT_NO_THROW(scene.check());
}

TEST(ApiScene, WrongNamesAndTypesAreErrorsWithTheKeyAndChangeNothing) {
    Scene scene = smallScene();
    const std::string before = scene.toml();
    const auto keyOf = [&](const std::string& key, const Value& value) {
        const Error e = errorOf([&] { scene.set(key, value); });
        EXPECT_EQ(e.code(), ErrorCode::Scene) << e.what();
        EXPECT_FALSE(e.problems().empty());
        return e.key();
    };
    EXPECT_EQ(keyOf("flow.vortcity", 1.0), "flow.vortcity");
    EXPECT_EQ(keyOf("flow.vorticity", "much"), "flow.vorticity");
    EXPECT_EQ(keyOf("camera.eye", {1, 2}), "camera.eye");
    EXPECT_EQ(keyOf("emitter[3].radius", 1.0), "emitter[3].radius");
    EXPECT_EQ(errorOf([&] { scene.add("emitters", "{radius = 1}"); }).code(), ErrorCode::Scene);
    EXPECT_EQ(errorOf([&] { scene.add("flow", "{gust = 1}"); }).code(), ErrorCode::Scene);
    EXPECT_EQ(errorOf([&] { scene.add("emitter", "radius = 1"); }).code(), ErrorCode::Scene);
    EXPECT_EQ(errorOf([&] { (void)scene.get("flow.vortcity"); }).key(), "flow.vortcity");
    EXPECT_EQ(scene.toml(), before);
}

TEST(ApiScene, RangesAreCheckedTogetherAndNamed) {
    Scene scene = smallScene();
    scene.set("flow.viscosity", -1.0).set("emitter[0].radius", std::numeric_limits<double>::quiet_NaN());
    const Error error = errorOf([&] { scene.check(); });
    EXPECT_EQ(error.code(), ErrorCode::Scene);
    std::vector<std::string> keys;
    for (const SceneProblem& p : error.problems()) keys.push_back(p.key);
    EXPECT_THAT(keys, testing::IsSupersetOf({"flow.viscosity", "emitter[0].radius"}));
}

TEST(ApiScene, ProblemsOfValuesThatWereSetHaveNoPlaceInAText) {
    Scene scene = smallScene();
    const auto expectPlain = [](const Error& error, const std::string& key, const std::string& text) {
        ASSERT_EQ(error.problems().size(), 1u) << error.what();
        const SceneProblem& p = error.problems()[0];
        EXPECT_EQ(p.file, "");
        EXPECT_EQ(p.line, 0u);
        EXPECT_EQ(p.column, 0u);
        EXPECT_EQ(p.key, key);
        EXPECT_EQ(std::string(error.what()), key + ": " + p.message);
        EXPECT_THAT(p.message, HasSubstr(text));
    };
    expectPlain(errorOf([&] { scene.set("flow.vorticity", "much"); }), "flow.vorticity", "is the string \"much\", must be a number");
    expectPlain(errorOf([&] { scene.set("camera.eye", Value::toml("[1, 2")); }), "camera.eye", "is not a TOML value");
    expectPlain(errorOf([&] { scene.set("flow.vortcity", 1); }), "flow.vortcity", "unknown key");
    expectPlain(errorOf([&] { scene.add("emitter", "{shape = \"ball\"}"); }), "emitter[1].shape", "is \"ball\", must be one of");
    scene.set("flow.viscosity", -1.0);
    expectPlain(errorOf([&] { scene.check(); }), "flow.viscosity", "is -1, must be from 0");
    scene.set("flow.viscosity", 0.0).set("grid.cells", {0, 24, 16});
    expectPlain(errorOf([&] { scene.check(); }), "grid.cells", "[0, 24, 16]");
}

TEST(ApiScene, ErrorsOfTextHaveTheirLine) {
    const Error error = errorOf([] { (void)Scene::parse("seed = 1\n[flow]\nvorticity = \"no\"\n"); });
    EXPECT_EQ(error.code(), ErrorCode::Scene);
    ASSERT_EQ(error.problems().size(), 1u);
    EXPECT_EQ(error.problems()[0].line, 3u);
    EXPECT_EQ(error.problems()[0].file, "scene.toml");
    EXPECT_EQ(error.key(), "flow.vorticity");
    EXPECT_EQ(errorOf([] { (void)Scene::load("no such scene"); }).code(), ErrorCode::File);
    EXPECT_EQ(errorOf([] { (void)Scene::load("/nowhere/at/all.toml"); }).code(), ErrorCode::File);
}

TEST(ApiScene, WarnsOfWhatIsProbablyNotMeant) {
    Scene scene = smallScene();
    scene.set("emitter[0].centre", {5, 5, 5});
    const auto warnings = scene.warnings();
    ASSERT_FALSE(warnings.empty());
    EXPECT_THAT(warnings[0].key, HasSubstr("emitter[0]"));
}

TEST(ApiCamera, LooksAsTheMatricesOfAHostDo) {
    // Column by column: the eye is at (1, 2, 5) and looks along -z; 90 degrees high, twice as wide, depth reversed without a far plane.
    const std::array<float, 16> view{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -5, 1};
    const std::array<float, 16> projection{0.5f, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0, 0, 0.1f, 0};
    const Camera given = Camera::fromMatrices(view, projection);
    const Camera same = Camera::lookAt({1, 2, 5}, {1, 2, 0}, 1.57079633f, 2.0f);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(given.eye[axis], same.eye[axis], 1e-6f);
        EXPECT_NEAR(given.forward[axis], same.forward[axis], 1e-6f);
        EXPECT_NEAR(given.right[axis], same.right[axis], 1e-6f);
        EXPECT_NEAR(given.up[axis], same.up[axis], 1e-6f);
    }
    EXPECT_NEAR(given.depthFactor / (0.05f + given.depthOffset), 2.0f, 1e-5f);  // depth = near / distance
}

TEST(ApiCamera, TurnsDepthIntoDistance) {
    const std::array<float, 16> still{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float near = 0.1f, far = 10.0f;
    const auto camera = [&](float a, float b) {  // depth = (a z + b) / -z
        return Camera::fromMatrices(still, {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, a, -1, 0, 0, b, 0});
    };
    const auto expectDistances = [&](float a, float b) {
        for (const float distance : {0.1f, 0.5f, 3.0f, 10.0f}) {
            const float depth = b / distance - a;
            const Camera c = camera(a, b);
            // The depth is rounded to 6e-8, over a slope of at least near / distance^2.
            EXPECT_NEAR(c.depthFactor / (depth + c.depthOffset), distance, 1e-6f * distance * distance / near) << a << " " << b;
        }
    };
    expectDistances(far / (near - far), near * far / (near - far));   // from 0 to 1
    expectDistances(near / (far - near), near * far / (far - near));  // reversed
    expectDistances(-1.0f, -near);                                    // without a far plane
    expectDistances(0.0f, near);                                      // the same, reversed
    const Camera up = Camera::fromMatrices(still, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, near, 0}, true);
    EXPECT_GT(up.up[1], 0.0f);
}

TEST(ApiCamera, RefusesWhatItCannotDraw) {
    const std::array<float, 16> still{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::array<float, 16> lens{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0, 0, 0.1f, 0};
    const auto codeOf = [](const std::function<void()>& call) { return errorOf(call).code(); };
    std::array<float, 16> scaled = still, shifted = lens, flat = still, broken = lens;
    scaled[0] = 2.0f;
    shifted[8] = 0.1f;
    broken[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(codeOf([&] { (void)Camera::fromMatrices(scaled, lens); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([&] { (void)Camera::fromMatrices(still, shifted); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([&] { (void)Camera::fromMatrices(still, flat); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([&] { (void)Camera::fromMatrices(still, broken); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([] { (void)Camera::lookAt({1, 1, 1}, {1, 1, 1}, 1.0f, 1.0f); }), ErrorCode::Argument);
    EXPECT_EQ(codeOf([] { (void)Camera::lookAt({1, 1, 1}, {0, 1, 1}, 4.0f, 1.0f); }), ErrorCode::Argument);
}

TEST(ApiScene, LinesAreThoseOfTheUsersText) {
    const std::string text = "[[emitter]]\nvelocity = [1.0, 0.0, 0.0]\n[[emitter]]\nradius = 0.1\n";
    Scene scene = Scene::parse(text), other = scene, program = Scene::parse(text, "", {.lines = false}, "", Scene());
    other.remove("emitter", 1);
    for (Scene* s : {&scene, &other, &program}) s->set("prescribed.field", "rotation");
    const auto problemOf = [](const Scene& s) { return errorOf([&] { s.check(); }).problems().at(0); };
    EXPECT_EQ(problemOf(scene).key, "emitter[0].velocity");
    EXPECT_EQ(problemOf(scene).line, 2u);
    EXPECT_EQ(problemOf(other).key, "emitter[0].velocity");
    EXPECT_EQ(problemOf(other).line, 0u) << "wisp has written the text";
    EXPECT_EQ(problemOf(program).line, 0u);
    EXPECT_EQ(problemOf(program).file, "");
}

}  // namespace
}  // namespace wisp::test
