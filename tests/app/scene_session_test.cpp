// SPDX-License-Identifier: MIT
// A running scene that is changed during the run, without a window.
#include "app/live/scene_session.h"
#include "app/live/interaction.h"
#include "app/live/output.h"
#include "compute/scene/prescribed.h"
#include "files/scene/scene.h"
#include "tests/app/run_program.h"
#include "tests/app/window_scene.h"
#include "tests/support/gpu_test.h"
#include "tests/support/window_library.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glm/gtc/constants.hpp>
#include <gmock/gmock.h>
#include <volk.h>

#include <array>
#include <memory>
#include <string_view>

namespace wisp::app {
namespace {

using testing::HasSubstr;

class SceneSessionTest : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        begin(test::windowLibrary(device()));
    }
    void TearDown() override {
        session.reset();
        GpuTest::TearDown();
    }
    void begin(const Device& library) {
        session.emplace(library, parseScene(test::kWindowScene, "stage.toml"));
        session->resize({64, 48});
        steps(3);
    }
    void steps(std::uint32_t count) {
        if (count > 0) session->simulation().step(count);
        session->renderer().draw();
    }
    std::uint64_t stepCount() { return session->simulation().steps(); }
    std::vector<std::uint8_t> picture() { return session->renderer().read().rgba; }
    std::string cells() { return session->simulation().scene().get("grid.cells"); }
    Settings& settings() { return session->settings; }
    std::string saveWindow() { return savePicture(*session, settings().camera, settings().render.size); }

    std::optional<SceneSession> session;
};

TEST_F(SceneSessionTest, SettingsThatCannotRunAreReverted) {
    const Settings before = settings();
    settings().timeStep = -1.0f;
    EXPECT_THAT(session->apply(false), HasSubstr("time.step "));
    EXPECT_TRUE(settings() == before);
    steps(1);
    EXPECT_EQ(stepCount(), 4u);
}

TEST_F(SceneSessionTest, KeysThatARunCannotChangeRestartItOnRelease) {
    settings().grid.cells = {24, 24, 24};
    EXPECT_EQ(session->apply(true), "");
    EXPECT_EQ(cells(), "[16, 16, 16]") << "the slider is still held";
    EXPECT_EQ(stepCount(), 3u);
    EXPECT_EQ(session->apply(false), "grid.cells has changed: the simulation restarts");
    EXPECT_EQ(cells(), "[24, 24, 24]");
    EXPECT_EQ(settings().render.size, glm::uvec2(64, 48)) << "the size of the window";
    EXPECT_EQ(stepCount(), 0u);
    steps(1);
    EXPECT_EQ(stepCount(), 1u);
}

TEST_F(SceneSessionTest, AGridThatIsTooLargeLeavesEverythingAsItIs) {
    const Settings before = settings();
    settings().grid.cells = {1024, 1024, 1024};
    EXPECT_THAT(session->apply(false),
                testing::AllOf(HasSubstr("a grid of [1024, 1024, 1024] cells with an image of 64x48"), HasSubstr("would fit")));
    EXPECT_TRUE(settings() == before);
    EXPECT_EQ(stepCount(), 3u);
    steps(1);
}

PFN_vkAllocateMemory allocate = nullptr;
int asked = 0;    ///< allocations since the test began to count
int refused = 0;  ///< number of the first that the driver refuses; 0: none
int last = 0;     ///< number of the last such one

VKAPI_ATTR VkResult VKAPI_CALL poorAllocate(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                                            VkDeviceMemory* memory) {
    ++asked;
    return refused > 0 && asked >= refused && asked <= last ? VK_ERROR_OUT_OF_DEVICE_MEMORY : allocate(device, info, callbacks, memory);
}

PFN_vkGetDeviceProcAddr ofDevice = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL poorDevice(VkDevice device, const char* name) {
    const PFN_vkVoidFunction found = ofDevice(device, name);
    if (std::string_view(name) != "vkAllocateMemory") return found;
    allocate = reinterpret_cast<PFN_vkAllocateMemory>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(poorAllocate);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL poorInstance(VkInstance instance, const char* name) {
    const PFN_vkVoidFunction found = vkGetInstanceProcAddr(instance, name);
    if (std::string_view(name) != "vkGetDeviceProcAddr") return found;
    ofDevice = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(poorDevice);
}

/// A session whose driver refuses memory.
class SceneSessionPoor : public SceneSessionTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        refused = 0;
        library.emplace(libraryOn(device(), poorInstance));
        begin(*library);
    }
    void TearDown() override {
        session.reset();
        library.reset();
        SceneSessionTest::TearDown();
    }
    /// Calls `apply` with a driver that refuses the allocations from `from` to `to`, counted from 1.
    std::string applyWithout(int from, int to) {
        asked = 0;
        refused = from;
        last = to;
        const std::string told = session->apply(false);
        EXPECT_GE(asked, from);
        refused = 0;
        return told;
    }
    std::optional<Device> library;
};

// The previous grid fits, so it is allocated again.
TEST_F(SceneSessionPoor, ADriverThatRefusesALargerGridGetsTheOldOneAgain) {
    const Settings before = settings();
    const std::size_t held = library->memory().size();
    settings().grid.cells = {24, 24, 24};
    const std::string told = applyWithout(10, 10);
    EXPECT_THAT(told, testing::AllOf(HasSubstr("VK_ERROR_OUT_OF_DEVICE_MEMORY"), HasSubstr("the previous scene restarts")));
    EXPECT_TRUE(settings() == before);
    EXPECT_TRUE(session->hasPicture());
    EXPECT_EQ(stepCount(), 0u);
    steps(3);
    EXPECT_EQ(library->memory().size(), held) << "as after three steps before";
}

TEST_F(SceneSessionPoor, ColoursWithoutMemoryAreReverted) {
    const Settings before = settings();
    settings().emitters[0].colour = {1.0f, 0.5f, 0.25f};
    const std::string told = applyWithout(1, 1000);
    EXPECT_THAT(told, HasSubstr("VK_ERROR_OUT_OF_DEVICE_MEMORY"));
    EXPECT_TRUE(settings() == before);
    EXPECT_EQ(stepCount(), 3u);
    steps(1);
    settings().emitters[0].colour = {1.0f, 0.5f, 0.25f};
    EXPECT_EQ(session->apply(false), "");
    steps(1);
    EXPECT_EQ(stepCount(), 5u);
    settings().emitters[0].colour = glm::vec3(1.0f);
    EXPECT_EQ(session->apply(false), "");
    EXPECT_TRUE(settings().usesColour()) << "existing smoke keeps its colour";
}

// Between the steps of one picture: a dragged object moves in the next step, and is where the settings have it once they are applied.
TEST_F(SceneSessionTest, StepsFollowADrag) {
    const auto drag = [&](glm::vec2 from, glm::vec2 to, int steps) {
        OrbitCamera camera(settings().camera);
        Interaction interaction(settings(), camera);
        const auto send = [&](InputEvent event) { interaction.update({.events = {event}, .mouse = event.at, .size = {64, 48}}, 0.0); };
        send({.kind = InputEvent::Kind::Press, .at = from, .code = GLFW_MOUSE_BUTTON_LEFT});
        send({.kind = InputEvent::Kind::Move, .at = to});
        for (int n = 0; n < steps; ++n) {
            interaction.beforeStep(session->simulation(), 0, 1);
            session->simulation().step();
        }
        interaction.letGo();
        EXPECT_EQ(session->apply(false), "");
        interaction.applied(session->simulation());
    };
    const auto centre = [&](const auto& handle) { return glm::vec3(handle.centre()[0], handle.centre()[1], handle.centre()[2]); };
    const glm::vec3 before = settings().obstacles[0].shape.centre;
    drag({32, 19}, {40, 19}, 20);
    const Obstacle ball = session->simulation().obstacle(0);
    EXPECT_GT(settings().obstacles[0].shape.centre.x, before.x + 0.05f);
    EXPECT_EQ(centre(ball), settings().obstacles[0].shape.centre);
    settings().obstacles[0].shape.centre.x = 0.4f;
    EXPECT_EQ(session->apply(false), "");
    steps(1);
    EXPECT_EQ(centre(ball).x, 0.4f) << "no longer held";
    drag({32, 34}, {24, 34}, 20);
    const Emitter jet = session->simulation().emitter(0);
    EXPECT_LT(settings().emitters[0].shape.centre.x, 0.45f);
    EXPECT_EQ(centre(jet), settings().emitters[0].shape.centre);
    settings().emitters[0].shape.centre.x = 0.6f;
    EXPECT_EQ(session->apply(false), "");
    EXPECT_EQ(centre(jet).x, 0.6f) << "no longer held";
}

TEST_F(SceneSessionTest, InvisibleChangesKeepThePicture) {
    const std::vector<std::uint8_t> before = picture();
    VkBuffer const display = session->renderer().picture().display;
    settings().flow.vorticity = 2.0f;
    settings().obstacles[0].shape.centre.x = 0.6f;
    EXPECT_EQ(session->apply(false), "");
    EXPECT_EQ(session->renderer().picture().display, display);
    EXPECT_EQ(picture(), before);
    steps(1);
    EXPECT_NE(picture(), before);
}

TEST_F(SceneSessionTest, VisibleChangesRedrawTheSameSmoke) {
    const std::vector<std::uint8_t> before = picture();
    settings().medium.extinction *= 4.0f;
    EXPECT_EQ(session->apply(false), "");
    steps(0);
    EXPECT_EQ(stepCount(), 3u);
    EXPECT_NE(picture(), before);
    settings().obstacles.push_back({.shape = {.centre = {0.2f, 0.5f, 0.5f}, .radius = 0.1f}});
    EXPECT_EQ(session->apply(false), "");
    EXPECT_EQ(stepCount(), 3u);
    settings().view.field = ViewField::Speed;
    EXPECT_EQ(session->apply(false), "");
    steps(0);
    EXPECT_NE(session->renderer().picture().range, nullptr);
    EXPECT_EQ(stepCount(), 3u);
}

TEST_F(SceneSessionTest, OpensAnotherSceneInTheWindowsSize) {
    Settings other = parseScene(test::kWindowScene, "other.toml");
    other.name = "other";
    other.grid.cells = {8, 8, 8};
    session->open(other);
    EXPECT_EQ(settings().name, "other");
    EXPECT_EQ(settings().render.size, glm::uvec2(64, 48));
    EXPECT_EQ(stepCount(), 0u);
    steps(2);
    EXPECT_EQ(stepCount(), 2u);
    const std::vector<std::uint8_t> small = picture();
    session->resize({32, 24});
    steps(0);
    EXPECT_EQ(4 * picture().size(), small.size());
}

std::string wrote(const test::ScratchFolder& folder, const std::string& name) { return "wrote " + (folder.path() / name).string(); }

// The window writes files with new names beside existing files. It reports files that cannot be written.
TEST_F(SceneSessionTest, WritesFilesBesideEarlierOnesOrSaysWhyNot) {
    const test::ScratchFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (const char* number : {"000", "001"}) {
        EXPECT_EQ(saveWindow(), wrote(folder, "window-" + std::string(number) + ".png"));
        EXPECT_EQ(saveScene(settings()), wrote(folder, "window-" + std::string(number) + ".toml"));
        EXPECT_EQ(saveRun(*session, settings()), wrote(folder, "window-" + std::string(number) + ".checkpoint"));
    }
    EXPECT_EQ(folder.files().size(), 6u);
    EXPECT_TRUE(loadScene("window-000.toml").obstacles == settings().obstacles);
    Settings named = settings();
    named.name = "";
    EXPECT_EQ(saveScene(named), wrote(folder, "wisp-000.toml"));
    named.name = "../elsewhere";
    EXPECT_EQ(saveScene(named), wrote(folder, "elsewhere-000.toml")) << "files must not be written to another folder";
    settings().name = named.name = std::string(300, 'x');
    for (const std::string& told : {saveWindow(), saveScene(named), saveRun(*session, named)})
        EXPECT_THAT(told, HasSubstr("File name too long"));
    EXPECT_EQ(folder.files().size(), 8u);
    settings().name = "field";
    settings().view.field = ViewField::Speed;
    ASSERT_EQ(session->apply(false), "");
    session->resize({640, 480});
    steps(0);
    EXPECT_EQ(saveWindow(), wrote(folder, "field-000.png"));
    settings().view.legend = false;
    ASSERT_EQ(session->apply(false), "");
    steps(0);
    EXPECT_EQ(saveWindow(), wrote(folder, "field-001.png"));
    EXPECT_GT(std::filesystem::file_size("field-000.png"), std::filesystem::file_size("field-001.png") + 500)
        << "the file must contain the legend";
    std::filesystem::current_path(before);
}

// On a slow device the picture in the window has fewer pixels than the window. The file has all pixels.
TEST_F(SceneSessionTest, SavesAPictureOfMorePixels) {
    const test::ScratchFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const std::vector<std::uint8_t> small = picture();
    EXPECT_EQ(savePicture(*session, settings().camera, {128, 96}), wrote(folder, "window-000.png"));
    EXPECT_EQ(settings().render.size, glm::uvec2(64, 48));
    EXPECT_EQ(picture(), small) << "the picture in the window must not change";
    session->resize({128, 96});
    steps(0);
    EXPECT_EQ(saveWindow(), wrote(folder, "window-001.png"));
    EXPECT_TRUE(test::readFile("window-000.png") == test::readFile("window-001.png")) << "must equal the picture in a window of this size";
    std::filesystem::current_path(before);
}

/// Dye in a prescribed velocity.
class SceneSessionLab : public SceneSessionTest {
protected:
    void open(const std::string& keys) {
        session->open(
            parseScene("[grid]\ncells = [32, 32, 1]\nsize = [1, 1, 0.03125]\n[flow]\ndensity_decay = 0.0\n[[initial]]\nfield = "
                       "\"gaussian\"\ncentre = [0.5, 0.75, 0.0]\n"
                       "density = 1.0\n[[light]]\nintensity = 12.6\n[environment]\ncolour = [0.0, 0.0, 0.0]\n" +
                           keys,
                       "lab.toml"));
        session->resize({160, 160});
        steps(1);
    }
    /// Pixels of the picture, by rows from the top.
    std::array<int, 3> at(std::size_t x, std::size_t y) {
        const std::vector<std::uint8_t> all = picture();
        const std::uint8_t* const p = &all.at(4 * (160 * y + x));
        return {p[0], p[1], p[2]};
    }
};

// A tile has 10 x 10 pixels. The arrow is in row 2 from below, column 3. All arrows point to +x and are 8 pixels long.
TEST_F(SceneSessionLab, ArrowsTurnInThePictureWhileItRests) {
    open("[prescribed]\nfield = \"arrows\"\n[view]\narrows = 1\n");
    EXPECT_GT(at(32, 134)[0], 150) << "the shaft of an arrow";
    EXPECT_LT(at(35, 137)[0], 50);
    setArrowAngle(settings().prescribed, {3, 2}, 0.5f * glm::pi<float>());
    VkBuffer const display = session->renderer().picture().display;
    EXPECT_EQ(session->apply(false), "");
    steps(0);
    EXPECT_EQ(session->renderer().picture().display, display) << "the smoke must not be drawn again";
    EXPECT_GT(at(34, 137)[0], 150);
    EXPECT_LT(at(32, 134)[0], 50);
    EXPECT_GT(at(42, 134)[0], 150) << "the neighbouring arrow must not change";
    settings().prescribed.field = PrescribedField::Shear;
    EXPECT_EQ(session->apply(false), "");
    steps(0);
    EXPECT_EQ(stepCount(), 1u);
    settings().view.arrows = 0;
    EXPECT_EQ(session->apply(false), "");
    steps(0);
    for (std::size_t x = 0; x < 160; ++x) EXPECT_LT(at(x, 134)[0], 50) << "the dye must have moved up";
}

// The scheme is a specialization constant of the shaders, although it does not change how a picture is drawn.
TEST_F(SceneSessionLab, AnotherSchemeIsUsedFromTheNextStepOn) {
    const std::string rotation = "[prescribed]\nfield = \"rotation\"\nspeed = 9.0\n";
    const AdvectionScheme schemes[] = {AdvectionScheme::Cubic, AdvectionScheme::SemiLagrangian, AdvectionScheme::Bfecc,
                                       AdvectionScheme::MacCormack};
    const char* const names[] = {"cubic", "semi_lagrangian", "bfecc", "maccormack"};
    for (std::size_t to = 0; to < 4; ++to) {
        open(rotation + "[advection]\nscheme = \"" + names[(to + 3) % 4] + "\"\n");
        session->simulation().reset();
        settings().advection.scheme = schemes[to];
        EXPECT_EQ(session->apply(false), "");
        steps(3);
        const std::vector<std::uint8_t> changed = picture();
        open(rotation + "[advection]\nscheme = \"" + names[to] + "\"\n");
        session->simulation().reset();
        steps(3);
        EXPECT_EQ(changed, picture()) << names[to];
    }
}

TEST_F(SceneSessionLab, AnotherFieldToBeginWithBeginsAgain) {
    open("[prescribed]\nfield = \"rotation\"\n");
    const std::vector<std::uint8_t> before = picture();
    settings().initial[0].field = InitialField::Zalesak;
    EXPECT_EQ(session->apply(true), "");
    EXPECT_EQ(session->apply(false), "initial has changed: the simulation restarts");
    EXPECT_EQ(stepCount(), 0u);
    EXPECT_TRUE(session->simulation().knowsExact());
    steps(1);
    EXPECT_NE(picture(), before);
}

}  // namespace
}  // namespace wisp::app
