// SPDX-License-Identifier: MIT
// Written scenes read back unchanged.
#include "files/scene/scene_writer.h"
#include "compute/scene/validate.h"
#include "files/scene/scene.h"
#include "files/scene/scene_keys.h"
#include "tests/support/meshes.h"
#include "tests/support/source_folder.h"

#include <glm/trigonometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <set>
#include <string>

#include <unistd.h>

namespace wisp::app {
namespace {

/// Gives every key that has an effect a value from its usual range.
class Dice : public SceneVisitor {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        if (name == "file" || name == "image") return true;
        std::visit([&](auto v) { roll(v, about); }, value);
        return true;
    }
    void table(const std::string&, const std::function<void()>& keys) override { keys(); }
    void list(const std::string&, const List& list) override {
        const auto n = std::uniform_int_distribution<std::size_t>(0, 3)(random_);
        list.resize(n);
        for (std::size_t i = 0; i < n; ++i) list.keys(i);
    }
    void fail(const std::string& name, const std::string& message) override { ADD_FAILURE() << name << message; }

private:
    float number(const KeyInfo& a) { return std::uniform_real_distribution<float>(a.low, a.high)(random_); }
    bool coin() { return std::bernoulli_distribution()(random_); }
    void roll(bool* v, const KeyInfo&) { *v = coin(); }
    void roll(std::uint32_t* v, const KeyInfo& a) { *v = static_cast<std::uint32_t>(number(a)); }
    void roll(float* v, const KeyInfo& a) { *v = a.kind == KeyInfo::Kind::Degrees ? glm::radians(number(a)) : number(a); }
    void roll(std::string* v, const KeyInfo&) {
        v->clear();
        for (int n = 0; n < 8; ++n) *v += " \"\\#=[]'\n\t\x01.aZ\xc3\xa4"[std::uniform_int_distribution<int>(0, 12)(random_)];
    }
    void roll(AutoNumber n, const KeyInfo& a) { *n.value = coin() ? 0 : static_cast<std::uint32_t>(number(a)); }
    void roll(Choice v, const KeyInfo&) { *v.index = std::uniform_int_distribution<std::size_t>(0, v.names->size() - 1)(random_); }
    void roll(Words v, const KeyInfo&) { *v.bits = std::uniform_int_distribution<std::uint32_t>(0, (1u << v.names->size()) - 1)(random_); }
    template <class T>
    void roll(std::optional<T>* v, const KeyInfo& a) {
        v->reset();
        if (coin()) roll(&v->emplace(), a);
    }
    template <class T>
    void roll(T* v, const KeyInfo& a) {
        for (int i = 0; i < T::length(); ++i) roll(&(*v)[i], a);
    }
    std::mt19937 random_;
};

/// Repairs settings that random values almost never make valid.
void makeValid(Settings& s, bool periodic, bool flat) {
    s.grid.cells = {64, 32, flat ? 1 : 32};
    s.grid.size = {2.0f, 1.0f, flat ? 2.0f / 64.0f : 1.0f};
    if (!flat) s.camera.height = 0.0f;
    s.grid.pressureRatio = 4;
    s.grid.scalarRatio = 2;
    for (std::size_t i = 0; i < 6; i += 2)
        if (s.grid.sides[i] == Side::Periodic || s.grid.sides[i + 1] == Side::Periodic)
            s.grid.sides[i] = s.grid.sides[i + 1] = periodic ? Side::Periodic : Side::Wall;
    s.flow.viscosity = 0.0f;
    s.fire.ignition = std::min(s.fire.ignition, s.fire.heat);
    s.fire.expansion = 0.5f;
    if (s.prescribed.field != PrescribedField::None) {
        for (EmitterSettings& e : s.emitters) e.fuel = e.fuelRate = e.inheritVelocity = 0.0f;
        for (StrokeSettings& stroke : s.strokes) stroke.fuel = 0.0f;
        for (InitialSettings& i : s.initial) i.fuel = 0.0f;
    }
    if ((s.view.field == ViewField::Fuel || s.view.field == ViewField::Flame) && !s.usesFuel()) s.view.field = ViewField::Speed;
    if (s.view.field == ViewField::Temperature && !s.usesTemperature()) s.view.field = ViewField::Speed;
    if (s.pressure.iterations == 0) s.pressure.iterations = defaultIterations(s.pressure.solver);  // auto is for multigrid
    s.liquid.particlesPerCell = 27;
    for (EmitterSettings& e : s.emitters) e.liquid = false;  // scenes with liquid have few other keys, see LiquidScene below
    for (InitialSettings& i : s.initial) i.liquid = false;
    if (std::ranges::find(s.grid.sides, Side::Open) == s.grid.sides.end()) s.flow.gust = 0.0f;
    bool fades = false;  // at an open side; a flat grid has no open side along z
    for (std::size_t i = 0; i < 6; ++i) fades = fades || s.grid.side(i) == Side::Open;
    if (!fades || s.prescribed.field != PrescribedField::None) s.flow.sideFade = 0.0f;
    if (!fades) s.fire.expansion = 0.0f;  // needs an open side, too
    const auto inOrder = [](auto& keys) {
        float t = 0.0f;
        for (auto& k : keys) k.t = t += 1.5f;
    };
    inOrder(s.camera.keys);
    if (flat) s.camera.keys.clear();
    if (flat) s.camera.shutter = 0.0f;
    for (ObstacleSettings& o : s.obstacles) inOrder(o.keys);
    for (EmitterSettings& e : s.emitters) inOrder(e.keys);
    for (StrokeSettings& stroke : s.strokes) inOrder(stroke.keys);
    for (InitialSettings& i : s.initial)
        if (i.field != InitialField::Shape && i.field != InitialField::TaylorGreen) i.velocity = {};
    inOrder(s.follow.keys);
    if (s.grid.periodicAxes() != 0 || s.prescribed.field != PrescribedField::None) s.follow.keys.clear();
    const auto [low, high] = std::pair(glm::min(s.grass.low, s.grass.high), glm::max(s.grass.low, s.grass.high));
    s.grass.low = low;
    s.grass.high = {high.x, low.y, high.z};
    if (flat || s.render.mode == RenderMode::Path) s.tracers.count = s.grass.count = 0;
    if (s.view.range) s.view.range = glm::vec2(-1.5f, 2.25f);
    if (s.view.position) s.view.position = s.grid.origin.x + 0.5f;
    if (s.view.slice == SliceAxis::None) s.view.arrows = 0;
    s.render.lightRatio = 4;
    for (std::size_t i = 0; i < s.probes.size(); ++i) {  // a point or a line in the box, with fields that the scene has
        ProbeSettings& p = s.probes[i];
        p.file = std::to_string(i) + ".csv";
        const bool line = p.from && p.to;
        p.at = line ? std::nullopt : std::optional(s.grid.origin + 0.25f);
        p.from = line ? std::optional(s.grid.origin + 0.5f) : std::nullopt;
        p.to = line ? std::optional(s.grid.origin + glm::vec3(1.5f, 0.0f, 0.5f)) : std::nullopt;
        if (!line) p.points = 2;
        p.fields &= s.probeFields();
    }
    if (!validate(s).empty()) s.grid.sparse = false;  // most random scenes have a setting that a sparse simulation does not support
    s.render.bricks = s.showsBricks();
    if (s.prescribed.field == PrescribedField::None) {
        if (s.advection.scheme == AdvectionScheme::Upwind) s.advection.scheme = AdvectionScheme::Cubic;
        return;
    }
    s.obstacles.clear();
    s.meshes.clear();
    for (EmitterSettings& e : s.emitters) {
        e.hasVelocity = false;
        e.velocity = {};
    }
}

TEST(SceneWriter, ReadsBackUnchanged) {
    int valid = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Settings s;
        Dice dice(seed);
        visitScene(dice, s, {});
        makeValid(s, seed % 4 == 0, seed % 5 == 1);
        const std::string text = writeScene(s, {});
        const std::vector<Problem> problems = validate(s);
        try {
            const Settings read = parseScene(text, "t.toml");
            EXPECT_TRUE(problems.empty()) << text;
            EXPECT_EQ(writeScene(read, {}), text);
            EXPECT_TRUE(read == s) << text;
            ++valid;
        } catch (const SceneFailure& e) {  // only if the settings are invalid
            std::set<std::string> found, expected;
            for (const SceneError& error : e.errors()) found.insert(error.key);
            for (const Problem& problem : problems) expected.insert(problem.key);
            EXPECT_EQ(found, expected) << e.what() << "\n" << text;
        }
    }
    EXPECT_GT(valid, 150);
}

TEST(SceneWriter, LiquidScene) {
    Settings s;
    s.grid.pressureRatio = 1;
    s.emitters.push_back({.velocity = {1.0f, 0.0f, 0.0f}, .hasVelocity = true, .liquid = true});
    s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = {0.5f, 0.5f, 0.5f}}, .liquid = true});
    s.liquid = {.particlesPerCell = 27,
                .jitter = 0.25f,
                .transfer = LiquidTransfer::Apic,
                .picRate = 3.0f,
                .kernel = LiquidKernel::Quadratic,
                .surface = LiquidSurface::Cells,
                .motion = LiquidMotion::Rk3,
                .densityRate = 2.0f,
                .reseed = false,
                .capacity = 1000,
                .look = LiquidLook::Points,
                .absorption = {1.0f, 2.0f, 3.0f},
                .refraction = 1.5f,
                .speed = 2.0f,
                .size = 3.0f};
    const std::string text = writeScene(s, {});
    const Settings read = parseScene(text, "t.toml");
    EXPECT_TRUE(read == s) << text;
    EXPECT_EQ(writeScene(read, {}), text);
}

TEST(SceneWriter, WritesBuiltInScenes) {
    for (const std::string& name : builtInScenes()) {
        const std::filesystem::path file = findScene(name), folder = file.parent_path();
        const Settings s = loadScene(file);
        const std::string text = writeScene(s, folder);
        const Settings read = parseScene(text, (folder / "copy.toml").string());
        ASSERT_EQ(read.meshes.size(), s.meshes.size());
        for (std::size_t m = 0; m < s.meshes.size(); ++m) EXPECT_EQ(*read.meshes[m], *s.meshes[m]);
        Settings same = read;
        same.meshes = s.meshes;  // read again, so another object
        EXPECT_TRUE(same == s) << text;
    }
}

TEST(SceneWriter, WritesAutomaticCyclesWhereTheyAreNotTheDefault) {
    Settings s = parseScene("[pressure]\nsolver = \"mgpcg\"\niterations = \"auto\"\n", "t.toml");
    EXPECT_EQ(s.pressure.iterations, 0u);
    EXPECT_THAT(writeScene(s, {}), testing::Not(testing::HasSubstr("iterations")));
    s.pressure.iterations = 2;
    EXPECT_THAT(writeScene(s, {}), testing::HasSubstr("iterations = 2\n"));
    EXPECT_EQ(sceneValues(parseScene("", "t.toml")).at("pressure.iterations"), "\"auto\"");
}

TEST(SceneWriter, LeavesOutDefaultsAndWritesShortNumbers) {
    Settings s;
    s.name = "mine";
    s.camera.fov = glm::radians(40.0f);
    s.emitters.resize(1);
    s.emitters[0].shape.radius = 0.3f;
    s.pressure.solver = PressureSolver::Jacobi;
    s.pressure.iterations = 2;
    s.medium.phase.g = 1.0f / 3.0f;
    EXPECT_EQ(writeScene(s, {}),
              "name = \"mine\"\n\n[pressure]\nsolver = \"jacobi\"\niterations = 2\n\n[[emitter]]\nradius = 0.3\n\n[medium]\nphase.g = "
              "0.33333334\n");
}

TEST(SceneWriter, KeepsTheHeaderBehindAnInnerTableThatIsLeftOut) {
    Settings s;
    s.medium.octaves = 2;
    EXPECT_EQ(writeScene(s, {}), "name = \"untitled\"\n\n[medium]\noctaves = 2\n");
}

TEST(SceneWriter, WritesAnEmptyName) {  // a scene without a name would get that of the file
    Settings s;
    s.name.clear();
    EXPECT_EQ(writeScene(s, {}), "name = \"\"\n");
}

TEST(SceneWriter, WritesRelativeFilePaths) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("wisp-writer-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "scenes");
    std::ofstream(folder / "cube.obj") << test::objOf(test::cuboid(glm::vec3(0.5f)));
    const Settings s = parseScene("[[obstacle]]\nshape = \"mesh\"\nfile = \"cube.obj\"\nsize = 0.25\n", (folder / "t.toml").string());
    const std::string text = writeScene(s, folder / "scenes");
    EXPECT_EQ(text, "name = \"t\"\n\n[[obstacle]]\nshape = \"mesh\"\nfile = \"../cube.obj\"\nscale = 0.25\n");
    EXPECT_EQ(*parseScene(text, (folder / "scenes" / "t.toml").string()).meshes[0], *s.meshes[0]);
    std::filesystem::remove_all(folder);
}

TEST(SceneWriter, WritesThePositionOfAGaussian) {
    for (const std::string field : {"gaussian", "zalesak"}) {
        const std::string text = "name = \"t\"\n\n[[initial]]\nfield = \"" + field + "\"\ncentre = [0.25, 0.5, 0.75]\nradius = 0.2\n";
        EXPECT_EQ(writeScene(parseScene(text, "t.toml"), {}), text);
    }
}

/// The names of all keys that have an effect.
class Names : public SceneVisitor {
public:
    std::set<std::string> names;
    bool key(const std::string& name, KeyValue, const KeyInfo&) override {
        names.insert(name);
        return true;
    }
    void table(const std::string& name, const std::function<void()>& keys) override {
        names.insert(name);
        keys();
    }
    void list(const std::string& name, const List& list) override {
        names.insert(name);
        for (std::size_t i = 0; i < list.size; ++i) list.keys(i);
    }
    void fail(const std::string&, const std::string&) override {}
};

TEST(SceneDocs, HaveEveryKey) {
    std::ifstream file(test::sourceFolder() + "/docs/scenes.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Names names;
    for (unsigned seed = 0; seed < 100; ++seed) {
        Settings s;
        Dice dice(seed);
        visitScene(dice, s, {});
        visitScene(names, s, {});
    }
    EXPECT_GT(names.names.size(), 90u);
    for (const std::string& name : names.names) EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + name + "\\b"))) << name;
}

}  // namespace
}  // namespace wisp::app
