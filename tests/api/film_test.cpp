// SPDX-License-Identifier: MIT
// What a film needs: checkpoints with the history of its pictures, probes, legends, volume files instead of steps, and its memory.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr RendererOptions kFilmSize{.width = 48, .height = 64};

class ApiFilm : public testing::Test {
protected:
    [[nodiscard]] std::string path(const char* name) const { return (folder / name).string(); }
    ScratchFolder scratch;
    const fs::path& folder = scratch.path();
};

std::uint64_t bytesOf(const std::vector<MemoryUse>& rows) {
    return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}, [](std::uint64_t sum, const MemoryUse& m) { return sum + m.bytes; });
}

TEST_F(ApiFilm, ACheckpointTellsHowFarTheFilmIs) {
    Simulation simulation(device(), smallScene());
    simulation.step(5);
    simulation.save(path("x"), {.pictures = 2, .stepsSincePicture = 1});
    const CheckpointInfo info = CheckpointInfo::read(path("x"));
    EXPECT_EQ(info.scene, "small");
    EXPECT_EQ(info.steps, 5u);
    EXPECT_EQ(info.film.pictures, 2u);
    EXPECT_EQ(info.film.stepsSincePicture, 1u);
    std::ofstream(path("bad")) << "wispckpt";
    EXPECT_EQ(errorOf([&] { (void)CheckpointInfo::read(path("bad")); }).code(), ErrorCode::File);
}

TEST_F(ApiFilm, AResumedRunContinuesTheHistoryOfThePictures) {
    Scene scene = smallScene();
    scene.set("render.temporal", true);
    Simulation whole(device(), scene);
    Renderer pictures(whole, kFilmSize);
    const auto advance = [](Simulation& s, Renderer& r) {
        s.step();
        r.draw();
    };
    for (int n = 0; n < 3; ++n) advance(whole, pictures);
    whole.save(path("x"));
    const auto names = [](Simulation& s) {
        std::vector<std::string> list;
        for (const FieldHash& h : s.hashes()) list.push_back(h.name);
        return list;
    };
    EXPECT_THAT(names(whole), testing::Contains("temporal mean"));
    for (int n = 0; n < 2; ++n) advance(whole, pictures);
    Simulation again = Simulation::resume(device(), path("x"));
    Renderer rest(again, kFilmSize);
    for (int n = 0; n < 2; ++n) advance(again, rest);
    EXPECT_EQ(rest.readRadiance(), pictures.readRadiance());
    // Of another size it begins anew, and so it does after a reset.
    Simulation other = Simulation::resume(device(), path("x"));
    Renderer larger(other, {.width = 96, .height = 128});
    EXPECT_THAT(names(other), testing::Not(testing::Contains("temporal mean")));
    Simulation fresh(device(), scene);
    Renderer first(fresh, kFilmSize);
    advance(fresh, first);
    again.reset();
    EXPECT_THAT(names(again), testing::Not(testing::Contains("temporal mean")));
    advance(again, rest);
    EXPECT_EQ(rest.readRadiance(), first.readRadiance());
}

TEST_F(ApiFilm, ProbesOfTheSceneAreSampledWithoutWaiting) {
    Scene scene = smallScene();
    scene.add("probe", R"({file = "a.csv", at = [0.4, 0.3, 0.4]})");
    scene.add("probe", R"({file = "b.csv", from = [0.1, 0.3, 0.4], to = [0.7, 0.3, 0.4], points = 5, every = 2})");
    Simulation simulation(device(), scene, {.needs = {.probes = true}});
    std::vector<std::pair<std::size_t, std::uint64_t>> found;
    std::vector<ProbeValue> line;
    for (int n = 0; n < 4; ++n) {
        simulation.step();
        simulation.sampleProbes([&](const ProbeSample& s) {
            found.emplace_back(s.probe, s.step);
            EXPECT_NEAR(s.time, static_cast<double>(s.step) * simulation.timeStep(), 1e-6);
            if (s.probe == 1) line = s.values;
        });
    }
    EXPECT_LT(found.size(), 6u) << "it waited";
    simulation.wait();
    using Pair = std::pair<std::size_t, std::uint64_t>;
    EXPECT_THAT(found, ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 2), Pair(0, 3), Pair(0, 4), Pair(1, 4)));
    const std::vector<ProbeValue> direct = simulation.probe({0.1f, 0.3f, 0.4f}, {0.7f, 0.3f, 0.4f}, 5);
    ASSERT_EQ(line.size(), 5u);
    EXPECT_GT(line[2].density, 0.0f);
    for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(line[n].density, direct[n].density);
    scene.set("probe[1].points", 4);
    simulation.change(scene);
    simulation.step(2);
    simulation.sampleProbes([&](const ProbeSample& s) { line = s.values; });
    simulation.wait();
    EXPECT_EQ(line.size(), 4u);
    scene.set("probe[1].points", 6);
    const Error more = errorOf([&] { simulation.change(scene); });
    EXPECT_EQ(more.code(), ErrorCode::Unsupported);
    EXPECT_EQ(more.key(), "probe");
    Simulation without(device(), scene);
    EXPECT_EQ(errorOf([&] { without.sampleProbes([](const ProbeSample&) {}); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { simulation.sampleProbes({}); }).code(), ErrorCode::Argument);
}

TEST_F(ApiFilm, ALegendHasNameUnitAndColours) {
    Scene scene = smallScene();
    scene.set("view.field", "speed").set("view.slice", "z").set("view.position", 0.25).set("view.arrows", 4);
    Simulation simulation(device(), scene);
    Renderer renderer(simulation, {.width = 640, .height = 360});
    const std::optional<FieldLegend> legend = renderer.legend();
    ASSERT_TRUE(legend);
    EXPECT_EQ(legend->name, "speed");
    EXPECT_EQ(legend->unit, "m/s");
    ASSERT_GE(legend->colours.size(), 2u);
    EXPECT_LT(legend->colours.front()[1], 0.1f) << "nearly black";
    EXPECT_GT(legend->colours.back()[1], 0.5f) << "pale yellow";
    EXPECT_EQ(legend->width, 100u);
    EXPECT_EQ(legend->slice, 'z');
    EXPECT_FLOAT_EQ(legend->position, 0.25f);
    EXPECT_FALSE(legend->moves);
    EXPECT_FALSE(legend->absolute);
    // The box of 1.2 m fills the height of 360 pixels but for two margins of 12. Arrows are 4 cells of 0.05 m apart, and 0.8 of that long.
    EXPECT_NEAR(legend->arrow, 0.8f * 4.0f * 0.05f * (360.0f - 24.0f) / 1.2f, 1e-3f);
    Scene volume = smallScene();
    volume.set("view.field", "pressure");
    simulation.change(volume);
    EXPECT_EQ(renderer.legend()->slice, 0);
    EXPECT_EQ(renderer.legend()->arrow, 0.0f);
    simulation.change(smallScene());
    EXPECT_FALSE(renderer.legend());
}

TEST_F(ApiFilm, AStoppedPathTracedPictureHasTheSamplesSoFar) {
    Scene scene = smallScene();
    scene.set("render.mode", "path").set("render.samples", 40);
    Simulation simulation(device(), scene);
    simulation.step(3);
    Renderer renderer(simulation, kFilmSize), noisy(simulation, kFilmSize);
    const auto samplesOf = [](Renderer& r) {
        PathProgress path;
        r.fetch(PictureContent::Display, [&](const FetchedPicture& p) { path = p.path; });
        r.flush();
        return path;
    };
    std::vector<std::uint32_t> calls;
    EXPECT_TRUE(renderer.draw([&](std::uint32_t samples) {
        calls.push_back(samples);
        return true;
    }));
    EXPECT_THAT(calls, ElementsAre(16, 32, 40));
    const PathProgress all = samplesOf(renderer);
    EXPECT_EQ(all.samples, 40u);
    EXPECT_GT(all.noise, 0.0);
    EXPECT_TRUE(std::isfinite(all.noise));
    EXPECT_FALSE(renderer.draw([](std::uint32_t) { return false; }));
    EXPECT_EQ(samplesOf(renderer).samples, 16u);
    simulation.set("render.error", 1.0);  // any picture is good enough; it is known two submits later
    EXPECT_TRUE(noisy.draw(nullptr));
    EXPECT_EQ(samplesOf(noisy).samples, 32u);
}

TEST_F(ApiFilm, VolumeFilesAreShownAtAnyTime) {
    Scene scene = smallScene();
    Simulation run(device(), scene);
    VolumeWriter writer(run, {.fps = 10.0, .first = 3});
    std::vector<std::vector<float>> densities;
    for (const char* name : {"s_03.nvdb", "s_04.nvdb"}) {
        run.step(5);
        writer.write(path(name));
        densities.push_back(run.read("density").values);
    }
    EXPECT_EQ(writer.flush(), 2u);
    const VolumeSequence sequence{.files = path("s_%02d.nvdb"), .fps = 10.0, .start = 0.1};
    const VolumeInfo info = VolumeInfo::read(sequence);
    EXPECT_EQ(info.first, 3u);
    EXPECT_EQ(info.count, 2u);
    EXPECT_TRUE(info.temperature);
    EXPECT_FALSE(info.fuel);
    EXPECT_FLOAT_EQ(static_cast<float>(info.cell), 0.05f);
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_LT(info.low[axis], info.high[axis]) << axis;
    scene.showVolumes(sequence);
    EXPECT_EQ(scene.count("emitter"), 0u);
    EXPECT_EQ(scene.count("obstacle"), 1u);
    Simulation shown(device(), scene, {.showTime = 0.1});
    for (const std::size_t n : {1u, 0u}) {
        shown.show(0.1 * static_cast<double>(n + 1));
        EXPECT_NEAR(shown.time(), 0.1 * static_cast<double>(n + 1), 1e-9);
        EXPECT_EQ(shown.steps(), 0u);
        const std::vector<float> read = shown.read("density").values;
        double most = 0.0;  // as in tests of VolumeWriter: cells below the threshold are left out, and halves are rounded twice
        for (std::size_t i = 0; i < read.size(); ++i)
            most = std::max(most, std::abs(static_cast<double>(read[i]) - static_cast<double>(densities[n][i])) -
                                      std::ldexp(static_cast<double>(densities[n][i]), -10));
        EXPECT_LE(most, 1e-4) << n;
        EXPECT_GT(*std::ranges::max_element(read), 0.1f);
    }
    shown.show(10.0);  // after the last file
    const std::vector<float> nothing = shown.read("density").values;
    EXPECT_EQ(*std::ranges::max_element(nothing), 0.0f);
    EXPECT_EQ(errorOf([&] { shown.show(NAN); }).code(), ErrorCode::Argument);
    fs::remove(path("s_04.nvdb"));
    EXPECT_EQ(errorOf([&] { (void)VolumeInfo::read({.files = path("none_%02d.nvdb")}); }).code(), ErrorCode::File);
    EXPECT_THAT(errorOf([&] { scene.showVolumes({.files = path("none.vdb")}); }).what(), HasSubstr("none.vdb: does not exist"));
    EXPECT_EQ(scene.count("initial"), 1u) << "an error leaves the scene as it was";
}

// After the search the file gets hot, but seems to be the same.
TEST_F(ApiFilm, FireInVolumesIsLookedForOnce) {
    const auto write = [&](double temperature) {
        Scene scene = smallScene();
        scene.set("flow.buoyancy", 0.0).set("emitter[0].temperature", temperature);
        Simulation run(device(), scene);
        run.step(8);
        VolumeWriter writer(run);
        writer.write(path("s.nvdb"));
        writer.flush();
    };
    write(100.0);
    const fs::file_time_type written = fs::last_write_time(path("s.nvdb"));
    const std::uintmax_t size = fs::file_size(path("s.nvdb"));
    VolumeSequence sequence{.files = path("s.nvdb"), .temperature = VolumeTemperature::Kelvin};
    EXPECT_FALSE(VolumeInfo::read(sequence).fuel);
    double hot = 1600.0;  // compressed it has some bytes more or less
    do write(hot += 1.0);
    while (fs::file_size(path("s.nvdb")) != size && hot < 1700.0);
    ASSERT_EQ(fs::file_size(path("s.nvdb")), size);
    fs::last_write_time(path("s.nvdb"), written);
    sequence.velocity = true;
    EXPECT_FALSE(VolumeInfo::read(sequence).fuel) << "looked for again";
    fs::last_write_time(path("s.nvdb"), written + std::chrono::seconds(1));
    EXPECT_TRUE(VolumeInfo::read(sequence).fuel);
}

TEST_F(ApiFilm, MotionBlurOfVolumesNeedsTheirVelocity) {
    Simulation run(device(), smallScene());
    run.step(8);
    VolumeWriter writer(run);
    writer.write(path("s.nvdb"));
    writer.flush();
    Scene scene = smallScene();
    scene.showVolumes({.files = path("s.nvdb")}).set("camera.shutter", 180);
    const auto has = [&](const SimulationOptions& options) {
        return std::ranges::any_of(Simulation::plan(device(), scene, options),
                                   [](const MemoryUse& m) { return m.name == "volume velocities"; });
    };
    EXPECT_FALSE(has({}));
    EXPECT_TRUE(has({.showTime = 0.1}));
    Simulation sharp(device(), scene), blurred(device(), scene, {.showTime = 0.1});
    const auto picture = [](Simulation& s) {
        s.show(0.1);
        Renderer renderer(s, {.width = 48, .height = 64, .frameTime = 0.1});
        renderer.draw();
        return renderer.readRadiance();
    };
    EXPECT_NE(picture(sharp), picture(blurred));
}

TEST_F(ApiFilm, AnAtlasHasTheVelocityOfTheBox) {
    Simulation simulation(device(), smallScene());
    simulation.step(2);
    VolumeWriter writer(simulation);
    writer.write(path("a.exr"));
    writer.write(path("b.nvdb"));
    EXPECT_EQ(writer.flush(), 2u);
    std::ifstream file(path("a.exr"), std::ios::binary);
    std::array<unsigned char, 4> magic{};
    file.read(reinterpret_cast<char*>(magic.data()), 4);
    EXPECT_THAT(magic, ElementsAre(0x76, 0x2f, 0x31, 0x01));
    // A pixel of four halves for each cell.
    EXPECT_GT(fs::file_size(path("a.exr")), 0u);
    EXPECT_TRUE(fs::exists(path("b.nvdb")));
    EXPECT_THAT(VolumeWriter::fields(smallScene()), ElementsAre("density", "temperature", "vel"));
    EXPECT_THAT(VolumeWriter::allFields(), ElementsAre("density", "temperature", "flame", "fuel", "vel"));
    EXPECT_THAT(smallScene().fields(), testing::ContainerEq(simulation.fields()));
    Scene sparse = smallScene();
    sparse.set("grid.cells", {32, 48, 32}).set("grid.sparse", true);
    Simulation bricks(device(), sparse);
    VolumeWriter dense(bricks);
    EXPECT_EQ(errorOf([&] { dense.write(path("c.exr")); }).code(), ErrorCode::Unsupported);
}

TEST_F(ApiFilm, NeedsAreInThePlanAndChecked) {
    const auto bytes = [&](const RunNeeds& needs) { return bytesOf(Simulation::plan(device(), smallScene(), {.needs = needs})); };
    const std::uint64_t bare = bytes({}), pixels = std::uint64_t{64} * 96;
    EXPECT_GT(bytes({.picture = true}), bare + 8 * pixels);
    // Two pictures may be on the way, each with 8 more bytes a pixel.
    EXPECT_EQ(bytes({.picture = true, .fetched = PictureContent::Deep}) - bytes({.picture = true, .fetched = PictureContent::Display}),
              2 * 8 * pixels);
    EXPECT_GT(bytes({.checkpoints = true}), bare);
    EXPECT_GT(bytes({.volume = "x.nvdb"}), bare);
    EXPECT_EQ(errorOf([&] { (void)bytes({.volume = "x.png"}); }).code(), ErrorCode::Argument);
    Scene huge = smallScene();
    huge.set("render.size", {16384, 16384});
    EXPECT_NO_THROW(Simulation::requireMemory(device(), smallScene()));
    Scene grid = smallScene();
    grid.set("grid.cells", {1024, 1536, 1024});
    const Error error = errorOf([&] { Simulation::requireMemory(device(), grid, {.needs = {.picture = true}}); });
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("a grid of [1024, 1536, 1024] cells with an image of 64x96"), HasSubstr("would fit")));
    Simulation simulation(device(), smallScene());
    simulation.step();
    simulation.save(path("x"));
    const std::vector<MemoryUse> resumed = Simulation::plan(device(), smallScene(), {.needs = {.resume = path("x")}});
    EXPECT_GT(bytesOf(resumed), bare) << "with the memory for its copies";
}

TEST_F(ApiFilm, ATextIsReadWithOptions) {
    LoadOptions options{.set = {LoadOptions::Setting::parse("flow.vorticity=0.5")}, .quality = "preview"};
    const Scene scene = Scene::parse(kSmallScene, "", options, "mine.toml");
    EXPECT_EQ(scene.get("flow.vorticity"), "0.5");
    EXPECT_EQ(scene.get("grid.cells"), "[8, 12, 8]");
    options.set = {LoadOptions::Setting::parse("flow.vorticity=x")};
    EXPECT_THAT(errorOf([&] { (void)Scene::parse(kSmallScene, "", options, "mine.toml"); }).what(), HasSubstr("--set flow.vorticity=x"));
    EXPECT_THAT(errorOf([&] { (void)Scene::parse("seed = \"a\"", "", LoadOptions{}, "mine.toml"); }).what(), HasSubstr("mine.toml:1"));
}

TEST_F(ApiFilm, ShadersOfAFolderAreReloaded) {
    Device own;
    EXPECT_EQ(errorOf([&] { own.watchShaders(path("none")); }).code(), ErrorCode::Argument);
    EXPECT_TRUE(own.reloadShaders().empty());
    fs::copy(sourceFolder() + "/shaders", folder / "shaders", fs::copy_options::recursive);
    own.watchShaders(path("shaders"));
    Simulation simulation(own, smallScene());
    simulation.step();
    simulation.wait();
    EXPECT_TRUE(own.reloadShaders().empty());
    std::ofstream(folder / "shaders/smoke/emit_scalars.comp", std::ios::app) << "#error broken\n";
    fs::last_write_time(folder / "shaders/smoke/emit_scalars.comp", fs::file_time_type::clock::now() + std::chrono::seconds(2));
    EXPECT_THAT(own.reloadShaders(), testing::Contains(HasSubstr("emit_scalars")));
    EXPECT_NO_THROW(simulation.step()) << "the old pipeline is kept";
    EXPECT_NO_THROW(own.checkValidation());
    EXPECT_THAT(own.savePipelines(), testing::Not(testing::IsEmpty()));
}

TEST_F(ApiFilm, ALiquidHasRoomForParticles) {
    EXPECT_EQ(Simulation(device(), smallScene()).particleCapacity(), 0u);
    const Scene dam = Scene::parse(
        "[grid]\ncells = [16, 16, 16]\nsize = [1, 1, 1]\npressure_ratio = 1\n[liquid]\ncapacity = 65536\n[[initial]]\nshape = \"box\"\nmin "
        "= [0, 0, 0]\nmax = "
        "[0.5, 0.5, 1]\nliquid = true\n");
    EXPECT_EQ(Simulation(device(), dam).particleCapacity(), 65536u);
}

}  // namespace
}  // namespace wisp::test
