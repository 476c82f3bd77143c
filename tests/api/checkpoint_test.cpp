// SPDX-License-Identifier: MIT
// A checkpoint and the hashes have everything that a run depends on, whatever the host did before.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>

namespace wisp::test {
namespace {

using testing::HasSubstr;
using Hashes = std::map<std::string, std::uint64_t>;

Hashes hashesOf(Simulation& s) {
    Hashes hashes;
    for (const FieldHash& h : s.hashes()) hashes[h.name] = h.hash;
    return hashes;
}

/// What a host does between two steps of a run of the scene. `before`: what it does before the first step.
struct Deed {
    const char* name;
    std::function<void(Simulation&)> act;
    std::function<void(Simulation&)> before = [](Simulation&) {};
    std::function<Scene()> scene = smallScene;
};
void PrintTo(const Deed& d, std::ostream* out) { *out << d.name; }

Scene changed(const std::function<void(Scene&)>& change, Scene scene = smallScene()) {
    change(scene);
    return scene;
}

Scene flatScene() { return Scene::parse("[grid]\ncells = [32, 32, 1]\nsize = [1.0, 1.0, 0.03125]\n[time]\nstep = 0.02\n"); }

Scene followingScene() {
    return changed([](Scene& s) {
        s.set("grid.sides", Value::toml("{y0 = \"open\"}")).set("follow.keys", Value::toml("[{t = 0.0, centre = [0.4, 0.6, 0.4]}]"));
        s.set("flow.inflow", {0.5, 0.0, 0.0});
    });
}

Scene sparseScene() {
    return changed([](Scene& s) { s.set("grid.cells", {32, 48, 32}).set("grid.sparse", true).set("flow.viscosity", 0.0); });
}

Scene fieryScene() {
    return changed([](Scene& s) { s.set("emitter[0].fuel", 0.8).set("emitter[0].temperature", 900.0); });
}

void changes(Simulation& s, const std::string& key, const Value& value) { s.set(key, value); }

const Deed kDeeds[] = {
    {"nothing", [](Simulation&) {}},
    {"place",
     [](Simulation& s) {
         s.obstacle(0).place({0.3f, 0.75f, 0.4f});
     }},
    {"placed before, and still there", [](Simulation&) {},
     [](Simulation& s) {
         s.obstacle(0).place({0.3f, 0.75f, 0.4f});
     }},
    {"velocity",
     [](Simulation& s) {
         s.obstacle(0).velocity({0.5f, 0.0f, 0.1f});
     }},
    {"velocity before, and still moving", [](Simulation&) {},
     [](Simulation& s) {
         s.obstacle(0).velocity({0.5f, 0.0f, 0.1f});
     }},
    {"release", [](Simulation& s) { s.obstacle(0).release(); },
     [](Simulation& s) {
         s.obstacle(0).place({0.3f, 0.75f, 0.4f});
     }},
    {"place far away", [](Simulation&) {},
     [](Simulation& s) {
         s.obstacle(0).place({1e30f, 0.0f, 0.0f});
     }},
    {"emitter",
     [](Simulation& s) {
         s.emitter(0).place({0.5f, 0.25f, 0.4f});
     },
     [](Simulation& s) {
         s.emitter(0).velocity({0, 2, 0});
     }},
    {"emitter released", [](Simulation& s) { s.emitter(0).release(); },
     [](Simulation& s) {
         s.emitter(0).place({0.5f, 0.25f, 0.4f});
     }},
    {"paint",
     [](Simulation& s) {
         s.paint({.from = {0.2f, 0.3f, 0.4f}, .to = {0.6f, 0.4f, 0.4f}, .radius = 0.1f, .temperature = 50.0f});
         s.paint({.from = {0.2f, 0.9f, 0.4f}, .to = {0.2f, 0.9f, 0.4f}, .radius = 0.1f, .velocity = std::array{1.0f, 0.0f, 0.0f}});
     }},
    {"paint with the first colour",
     [](Simulation& s) {
         s.paint({.from = {0.2f, 0.3f, 0.4f}, .to = {0.6f, 0.4f, 0.4f}, .radius = 0.1f, .colour = {1.0f, 0.2f, 0.0f}});
     }},
    {"paint in a flat grid",
     [](Simulation& s) {
         s.paint({.from = {0.2f, 0.3f, 0}, .to = {0.6f, 0.4f, 0}, .radius = 0.1f, .force = 9.0f});
     },
     [](Simulation& s) {
         s.paint({.from = {0.6f, 0.7f, 0}, .to = {0.6f, 0.4f, 0}, .radius = 0.1f});
     },
     flatScene},
    {"nothing, with fire", [](Simulation&) {}, [](Simulation&) {}, fieryScene},
    {"vorticity", [](Simulation& s) { changes(s, "flow.vorticity", 0.7); }},
    {"time step", [](Simulation& s) { changes(s, "time.step", 0.01); }, [](Simulation& s) { changes(s, "time.step", 0.015); }},
    {"centre of an obstacle",
     [](Simulation& s) {
         changes(s, "obstacle[0].centre", {0.5, 0.75, 0.4});
     }},
    {"velocity of an obstacle",
     [](Simulation& s) {
         changes(s, "obstacle[0].velocity", {0.5, 0.0, 0.0});
     }},
    {"obstacle added", [](Simulation& s) { s.change(s.scene().add("obstacle", "{centre = [0.2, 0.7, 0.3], radius = 0.15}")); }},
    {"moved obstacle removed", [](Simulation& s) { s.change(s.scene().remove("obstacle", 0)); },
     [](Simulation& s) {
         s.obstacle(0).place({0.3f, 0.75f, 0.4f});
     }},
    {"first colour",
     [](Simulation& s) {
         changes(s, "emitter[0].colour", {1.0, 0.2, 0.0});
     }},
    {"sides", [](Simulation& s) { changes(s, "grid.sides", Value::toml("{y1 = \"wall\"}")); }},
    {"scheme", [](Simulation& s) { changes(s, "advection.scheme", "maccormack"); },
     [](Simulation& s) { changes(s, "advection.scheme", "semi_lagrangian"); }},
    {"target",
     [](Simulation& s) {
         s.follow({0.9f, 0.6f, 0.4f});
     },
     [](Simulation&) {}, followingScene},
    {"target before", [](Simulation&) {},
     [](Simulation& s) {
         s.follow({0.9f, 0.6f, 0.4f});
     },
     followingScene},
    {"clear", [](Simulation& s) { s.clear(); }},
    {"nothing, sparse", [](Simulation&) {}, [](Simulation&) {}, sparseScene},
    {"place, sparse",
     [](Simulation& s) {
         s.obstacle(0).place({0.3f, 0.75f, 0.4f});
     },
     [](Simulation&) {}, sparseScene},
    {"obstacle and paint, sparse",
     [](Simulation& s) {
         changes(s, "obstacle[0].centre", {0.5, 0.75, 0.4});
         s.paint({.from = {0.2f, 0.3f, 0.4f}, .to = {0.6f, 0.4f, 0.4f}, .radius = 0.1f});
     },
     [](Simulation&) {}, sparseScene},
};

class ApiCheckpoint : public testing::Test {
protected:
    [[nodiscard]] std::string path(const char* name) const { return (scratch_.path() / name).string(); }
    ScratchFolder scratch_;
};

class ApiCheckpointAfter : public ApiCheckpoint, public testing::WithParamInterface<Deed> {};

TEST_P(ApiCheckpointAfter, TheRunGoesOnBitForBit) {
    const Deed& deed = GetParam();
    Simulation whole(device(), deed.scene());
    deed.before(whole);
    whole.step(3);
    deed.act(whole);
    whole.save(path("x"));
    Simulation again = Simulation::resume(device(), path("x"));
    EXPECT_EQ(hashesOf(again), hashesOf(whole)) << "before a step";
    const auto expectSame = [&](Simulation& other, const char* when) {
        EXPECT_EQ(hashesOf(other), hashesOf(whole)) << when;
        EXPECT_EQ(densityOf(other), densityOf(whole)) << when;
        EXPECT_EQ(other.time(), whole.time()) << when;
        for (std::size_t n = 0; n < whole.obstacleCount(); ++n) {
            EXPECT_EQ(other.obstacle(n).centre(), whole.obstacle(n).centre()) << when;
            EXPECT_EQ(other.obstacle(n).velocity(), whole.obstacle(n).velocity()) << when;
        }
        for (std::size_t n = 0; n < whole.emitterCount(); ++n) EXPECT_EQ(other.emitter(n).centre(), whole.emitter(n).centre()) << when;
    };
    whole.step();
    again.step();
    expectSame(again, "after a step");
    again.save(path("y"));
    Simulation twice = Simulation::resume(device(), path("y"), whole.scene());  // as a film does
    whole.step(3);
    twice.step(3);
    expectSame(twice, "after a second checkpoint");
    for (Simulation* s : {&whole, &twice}) {  // the scene has not become that of the host
        for (std::size_t n = 0; n < s->obstacleCount(); ++n) s->obstacle(n).release();
        for (std::size_t n = 0; n < s->emitterCount(); ++n) s->emitter(n).release();
        s->step();
    }
    expectSame(twice, "after all is released");
    whole.reset();
    twice.reset();
    expectSame(twice, "after a reset");
}

std::string nameOf(const testing::TestParamInfo<Deed>& deed) {
    std::string name = deed.param.name;
    std::erase_if(name, [](char c) { return c == ','; });
    std::ranges::replace(name, ' ', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Deeds, ApiCheckpointAfter, testing::ValuesIn(kDeeds), nameOf);

TEST_F(ApiCheckpoint, HashesTellApartWhatLeadsToAnotherRun) {
    for (const Deed& deed : kDeeds) {
        if (std::string_view(deed.name).starts_with("nothing")) continue;
        SCOPED_TRACE(deed.name);
        Simulation with(device(), deed.scene()), without(device(), deed.scene());
        deed.before(with);
        for (Simulation* s : {&with, &without}) s->step(3);
        deed.act(with);
        EXPECT_NE(hashesOf(with), hashesOf(without));
    }
}

TEST_F(ApiCheckpoint, HashesOfEqualRunsAreEqualWhateverIsMeasuredOrShown) {
    Scene elsewhere = smallScene();
    elsewhere.set("camera.eye", {1.4, 0.6, 3.0}).set("obstacle[0].colour", {0.1, 0.2, 0.3}).set("medium.extinction", 3.0);
    Simulation plain(device(), smallScene()), measured(device(), smallScene(), {.residuals = true, .timing = Timing::Passes});
    for (Simulation* s : {&plain, &measured}) s->step(9);  // residuals of pressure.iterations = "auto" arrive later
    plain.setResiduals(true);
    measured.setTiming(Timing::Off);
    measured.change(elsewhere);
    (void)measured.quality();
    EXPECT_EQ(hashesOf(measured), hashesOf(plain));
    for (Simulation* s : {&plain, &measured}) s->step(2);
    EXPECT_EQ(hashesOf(measured), hashesOf(plain));
}

// Its last bricks are partly outside of the box.
Scene sparseJet() {
    return changed([](Scene& s) {
        s.set("grid.cells", {40, 72, 56}).set("grid.size", {1.0, 1.8, 1.4}).set("grid.sparse", true).set("flow.viscosity", 0.0);
        s.set("emitter[0].centre", {0.5, 0.3, 0.7}).set("obstacle[0].centre", {0.55, 0.9, 0.7}).set("emitter[0].colour", {1.0, 0.4, 0.2});
        s.set("advection.filter", "exact");  // the last bits do not depend on the size of images
    });
}

const char* const kInSlots[] = {"velocity", "scalars", "colours", "centre velocity", "reach of paths"};

TEST_F(ApiCheckpoint, HashesOfSparseRunsAreEqualWhateverIsInUnusedMemory) {
    Scene elsewhere = sparseJet();
    elsewhere.set("emitter[0].centre", {0.2, 0.2, 0.2})
        .set("emitter[0].velocity", {0.0, 9.0, 3.0})
        .set("obstacle[0].centre", {0.9, 1.4, 1.2});
    Simulation plain(device(), sparseJet()), used(device(), elsewhere);
    used.step(12);
    used.change(sparseJet());
    used.reset();
    EXPECT_EQ(hashesOf(used), hashesOf(plain));
    for (int n = 0; n < 3; ++n) {
        for (Simulation* s : {&plain, &used}) s->step(4);
        Renderer renderer(used, {.width = 32, .height = 48});
        renderer.draw();  // writes the margins of slots
        (void)renderer.read();
        EXPECT_EQ(hashesOf(used), hashesOf(plain)) << "after " << plain.steps() << " steps";
    }
    used.save(path("x"));
    Simulation again = Simulation::resume(device(), path("x"));
    EXPECT_EQ(hashesOf(again), hashesOf(plain));
    Hashes before = hashesOf(again);
    again.step();
    for (const char* field : kInSlots) EXPECT_NE(hashesOf(again).at(field), before.at(field)) << field;
    plain.step();
    EXPECT_EQ(hashesOf(again), hashesOf(plain));
}

TEST_F(ApiCheckpoint, HashesOfSparseFieldsDoNotDependOnTheNumberOfSlots) {
    // The bricks around a source in one brick fit into a layer of 128 slots, all 175 of the box do not.
    Scene scene = sparseJet();
    scene.set("grid.cells", {72, 104, 72}).set("grid.size", {1.8, 2.6, 1.8}).remove("obstacle", 0);
    scene.set("emitter[0].centre", {1.0, 1.0, 1.0});
    Simulation plain(device(), scene), small(device(), scene.set("grid.memory", 1.0));
    for (Simulation* s : {&plain, &small}) s->step(6);
    ASSERT_NE(hashesOf(plain).at("free slots"), hashesOf(small).at("free slots"));
    for (const char* field : kInSlots) EXPECT_EQ(hashesOf(small).at(field), hashesOf(plain).at(field)) << field;
}

TEST_F(ApiCheckpoint, AResetForgetsWhatIsPaintedForTheNextStep) {
    Simulation painted(device(), smallScene()), plain(device(), smallScene());
    painted.paint({.from = {0.2f, 0.9f, 0.4f}, .to = {0.2f, 0.9f, 0.4f}, .radius = 0.1f});
    painted.reset();
    for (Simulation* s : {&painted, &plain}) s->step();
    EXPECT_EQ(densityOf(painted), densityOf(plain));
}

// Volumes and meshes of files: the scene of the last step and the next one share them.
TEST_F(ApiCheckpoint, AChangeOfASceneWithFilesIsKept) {
    Simulation source(device(), smallScene());
    source.step(4);
    VolumeWriter writer(source);
    writer.write(path("s.nvdb"));
    writer.flush();
    std::ofstream(path("o.obj")) << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                                    "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    Scene scene = smallScene();
    scene.add("initial", "{shape = \"volume\", file = \"" + path("s.nvdb") + "\", density = 1.0}");
    scene.add("emitter", "{shape = \"volume\", file = \"" + path("s.nvdb") + "\", density_rate = 2.0}");
    scene.add("obstacle", "{shape = \"mesh\", file = \"" + path("o.obj") + "\", centre = [0.2, 0.9, 0.4], scale = 0.15}");
    Simulation whole(device(), scene);
    whole.step(3);
    whole.set("obstacle[1].centre", {0.3, 0.9, 0.4});
    whole.set("emitter[1].density_rate", 3.0);
    whole.save(path("x"));
    Simulation again = Simulation::resume(device(), path("x"));
    EXPECT_EQ(hashesOf(again), hashesOf(whole));
    for (Simulation* s : {&whole, &again}) s->step(3);
    EXPECT_EQ(hashesOf(again), hashesOf(whole));
}

TEST_F(ApiCheckpoint, WhatCannotBeSavedIsNamed) {
    const std::vector<float> values(8, 1.0f);
    const std::array<double, 16> place{0.05, 0, 0, 0, 0, 0.05, 0, 0, 0, 0, 0.05, 0, 0.2, 0.2, 0.2, 1};
    const auto withCloud = [&](const std::vector<float>& of) {
        Scene scene = smallScene();
        scene.volume("cloud", {{.size = {2, 2, 2}, .toWorld = place, .values = of}});
        return scene.add("emitter", R"({shape = "volume", file = "memory:cloud", density_rate = 1.0})");
    };
    Simulation simulation(device(), withCloud(values));
    simulation.step();
    EXPECT_THAT(errorOf([&] { simulation.save(path("x")); }).what(), HasSubstr("emitter[1].file = \"memory:cloud\""));
    const Hashes first = hashesOf(simulation);
    simulation.change(withCloud(std::vector<float>(8, 2.0f)));
    EXPECT_NE(hashesOf(simulation), first) << "other data of the same name";
    simulation.change(withCloud(values));
    EXPECT_EQ(hashesOf(simulation), first);
    simulation.change(smallScene());
    EXPECT_THAT(errorOf([&] { simulation.save(path("x")); }).what(), HasSubstr("memory:cloud")) << "the last step has used it";
    simulation.step();
    EXPECT_NO_THROW(simulation.save(path("x")));
    for (int n = 0; n < 4097; ++n) simulation.paint({.from = {0.4f, 0.5f, 0.4f}, .to = {0.4f, 0.6f, 0.4f}, .radius = 0.01f});
    const Error error = errorOf([&] { simulation.save(path("x")); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr("4097 strokes are painted for the next step"));
}

}  // namespace
}  // namespace wisp::test
