// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace wisp::engine {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Edits a copy of the test shaders while the library watches it.
class EngineReload : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        folder = fs::temp_directory_path() / ("wisp_reload_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
                                              std::to_string(reinterpret_cast<std::uintptr_t>(this)));
        fs::create_directories(folder / "shared");
        fs::copy_file(fs::path(test::sourceFolder()) / "tests/gpu/shaders/engine_write.comp", file());
        shaders = library(test::testShaders());
        shaders->watch(folder);
    }
    void TearDown() override {
        shaders.reset();
        fs::remove_all(folder);
        GpuTest::TearDown();
    }

    fs::path file() const { return folder / "engine_write.comp"; }

    /// Writes a file with a modification time that differs from all earlier ones, even if the file system's clock is coarse.
    void save(const fs::path& path, const std::string& text) {
        std::ofstream(path) << text;
        fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(++saves));
    }
    std::string source() const {
        std::ifstream in(file());
        return std::string(std::istreambuf_iterator<char>(in), {});
    }
    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    }
    float written() {
        const Image target = image("target", {3, 3, 3});
        run(*shaders, [&](Recorder& rec) { rec.dispatch("engine_write", target.size(), {{"target", target}}, 2.0f); });
        return download(target).back();
    }

    fs::path folder;
    std::unique_ptr<ShaderLibrary> shaders;
    int saves = 0;
};

TEST_F(EngineReload, NothingChanged) { EXPECT_TRUE(shaders->reload().empty()); }

TEST_F(EngineReload, AnEditTakesEffect) {
    EXPECT_EQ(written(), 2.0f);
    save(file(), replaced(source(), "vec4(value)", "vec4(value * 10)"));
    EXPECT_THAT(shaders->reload(), ElementsAre("engine_write: reloaded"));
    EXPECT_EQ(written(), 20.0f);
    EXPECT_TRUE(shaders->reload().empty());
}

TEST_F(EngineReload, AnEditedIncludeTakesEffect) {
    save(folder / "shared/factor.glsl", "const float factor = 3.0;\n");
    std::string text = replaced(source(), "layout(local_size_x",
                                "#extension GL_GOOGLE_include_directive : require\n#include \"shared/factor.glsl\"\nlayout(local_size_x");
    save(file(), replaced(text, "vec4(value)", "vec4(value * factor)"));
    EXPECT_THAT(shaders->reload(), ElementsAre("engine_write: reloaded"));
    EXPECT_EQ(written(), 6.0f);
    save(folder / "shared/factor.glsl", "const float factor = 4.0;\n");
    EXPECT_THAT(shaders->reload(), ElementsAre("engine_write: reloaded"));
    EXPECT_EQ(written(), 8.0f);
}

TEST_F(EngineReload, AnEditSurvivesAChangeOfOptions) {
    save(file(), replaced(source(), "layout(push", "layout(constant_id = 3) const float kFactor = 10;\nlayout(push"));
    save(file(), replaced(source(), "vec4(value)", "vec4(value * kFactor)"));
    EXPECT_THAT(shaders->reload(), ElementsAre("engine_write: reloaded"));
    EXPECT_EQ(written(), 20.0f);
    shaders->setOptions({.constants = {{"kFactor", std::bit_cast<std::uint32_t>(4.0f)}}});
    EXPECT_EQ(written(), 8.0f);
    shaders->setOptions({});
    EXPECT_EQ(written(), 20.0f);
}

TEST_F(EngineReload, ABrokenEditKeepsTheOldPipeline) {
    EXPECT_EQ(written(), 2.0f);
    const std::string whole = source();
    save(file(), replaced(whole, "vec4(value)", "vec4(valeu)"));
    EXPECT_THAT(shaders->reload(), ElementsAre(HasSubstr("valeu")));
    EXPECT_EQ(written(), 2.0f);
    save(file(), "");
    EXPECT_THAT(shaders->reload(), ElementsAre(HasSubstr("#version")));
    EXPECT_EQ(written(), 2.0f);
    save(file(), whole.substr(0, whole.size() / 2));  // only half of the file is saved
    EXPECT_THAT(shaders->reload(), ElementsAre(HasSubstr("engine_write: not reloaded")));
    save(file(), replaced(whole, "void main", "#include \"shared/nowhere.glsl\"\nvoid main"));
    EXPECT_THAT(shaders->reload(), ElementsAre(HasSubstr("shared/nowhere.glsl was not found")));
    save(file(), replaced(whole, "vec4(value)", "vec4(" + std::string(200'000, '(') + "value)"));
    EXPECT_THAT(shaders->reload(), ElementsAre(HasSubstr("engine_write: not reloaded")));
    EXPECT_EQ(written(), 2.0f);
}

TEST_F(EngineReload, AnEditWithOtherPushConstantsKeepsTheOldPipeline) {
    save(file(), replaced(source(), "float value;", "float value; float other;"));
    EXPECT_THAT(shaders->reload(), ElementsAre(HasSubstr("8 bytes, not 4")));
    EXPECT_EQ(written(), 2.0f);
}

TEST_F(EngineReload, WatchingAMissingFolderIsAnError) { EXPECT_THROW(shaders->watch(folder / "nowhere"), Error); }

}  // namespace
}  // namespace wisp::engine
