// SPDX-License-Identifier: MIT
// Initial smoke from an image or a checkerboard: files, keys, and error messages.
#include "files/scene/initial_image_file.h"

#include "compute/scene/initial_image.h"
#include "compute/scene/validate.h"
#include "files/base/image.h"
#include "files/scene/scene.h"
#include "files/scene/scene_keys.h"
#include "files/scene/scene_writer.h"
#include "tests/support/meaning.h"
#include "tests/support/pictures.h"
#include "tests/support/scratch_folder.h"

#include <glm/gtc/packing.hpp>
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace wisp::app {
namespace {

using testing::HasSubstr;

constexpr double kHalfStep = 0.5 * 2.4 / 1.055 / 255.0;  // largest rounding error of eight bits, in linear light

/// An OpenEXR file with one row of these values, equal in every channel.
std::string exrOf(const std::vector<float>& values) {
    std::vector<std::uint16_t> halves;
    for (const float v : values) halves.insert(halves.end(), 4, glm::packHalf1x16(v));
    std::string pixels(reinterpret_cast<const char*>(halves.data()), 2 * halves.size());
    pixels.resize(pixels.size() + 4 * values.size());  // depths
    return encode(ImageKind::Exr, {values.size(), 1}, std::as_bytes(std::span(pixels)));
}

class InitialImageTest : public testing::Test {
protected:
    void write(const std::string& name, const std::string& bytes) const { std::ofstream(folder.path() / name, std::ios::binary) << bytes; }
    InitialImage read(const std::string& bytes) const {
        write("picture", bytes);
        return readInitialImage(folder.path() / "picture");
    }
    std::string problemOf(const std::string& bytes) const {
        try {
            read(bytes);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    Settings parse(const std::string& text) const { return parseScene(text, scene()); }
    std::string errorsOf(const std::string& text) const {
        try {
            parse(text);
        } catch (const SceneFailure& e) {
            return e.what();
        }
        return {};
    }
    [[nodiscard]] std::string scene() const { return (folder.path() / "t.toml").string(); }
    /// Expects one error, at this line, for this key.
    void expectError(const std::string& text, int line, const std::string& key, const std::string& what) const {
        const std::string errors = errorsOf(text);
        EXPECT_THAT(errors, testing::StartsWith(scene() + ":" + std::to_string(line) + ":")) << text;
        EXPECT_THAT(errors, HasSubstr(": " + key + ": ")) << text;
        EXPECT_THAT(errors, HasSubstr(what)) << text;
        EXPECT_EQ(errors.find('\n'), std::string::npos) << errors;
    }
    test::ScratchFolder folder;
};

TEST_F(InitialImageTest, FirstRowIsTheBottomInLinearLight) {
    const InitialImage image = read(
        test::pngOf({2, 2}, PNG_FORMAT_RGBA, {255, 0, 0, 255, 0, 188, 0, 255, 0, 0, 255, 102, 255, 255, 255, 0}));
    ASSERT_EQ(image.size, glm::uvec2(2, 2));
    EXPECT_EQ(image.texels[0], glm::vec3(0, 0, 0.4f)) << "bottom left, with alpha 2/5";
    EXPECT_EQ(image.texels[1], glm::vec3(0.0f)) << "bottom right, transparent";
    EXPECT_EQ(image.texels[2], glm::vec3(1, 0, 0)) << "top left";
    EXPECT_NEAR(image.texels[3].y, 0.502887, 1e-6) << "top right: ((188/255 + .055) / 1.055)^2.4";
    EXPECT_EQ(image.texels[3].x, 0.0f);
    EXPECT_TRUE(image.isColoured());
    EXPECT_EQ(image.file, (folder.path() / "picture").string());
    EXPECT_NEAR(read(test::pngOf({1, 1}, PNG_FORMAT_GRAY, {10})).texels[0].x, 10.0 / 255.0 / 12.92, 1e-9)
        << "the linear part of the sRGB curve";
}

TEST_F(InitialImageTest, EveryKindOfPngIsRead) {
    const InitialImage grey = read(test::pngOf({3, 1}, PNG_FORMAT_GRAY, {0, 188, 255}));
    EXPECT_FALSE(grey.isColoured());
    EXPECT_EQ(read(test::pngOf({3, 1}, PNG_FORMAT_RGB, {0, 0, 0, 188, 188, 188, 255, 255, 255})).texels, grey.texels);
    EXPECT_EQ(read(test::pngOf({3, 1}, PNG_FORMAT_GA, {0, 255, 188, 255, 255, 255})).texels, grey.texels);
    // libpng converts 16 bits to eight with a table, which may add an error of one step.
    const auto deep = [](std::uint16_t v) { return std::vector<png_byte>{static_cast<png_byte>(v & 255), static_cast<png_byte>(v >> 8)}; };
    const std::string linear = test::pngOf({1, 1}, PNG_FORMAT_LINEAR_Y, deep(32768));
    EXPECT_NEAR(read(linear).texels[0].x, 0.5, 3.0 * kHalfStep) << "the gAMA chunk says that the image is linear";
    const std::size_t gamma = linear.find("gAMA") - 4;
    EXPECT_NEAR(read(std::string(linear).erase(gamma, 16)).texels[0].x, std::pow((0.5 + 0.055) / 1.055, 2.4), 3.0 * kHalfStep)
        << "sRGB is the default";
}

TEST_F(InitialImageTest, LinearImagesHaveTheSameRowOrder) {
    const InitialImage image = read(exrOf({0.25f, 1.0f, 0.0f}));
    EXPECT_EQ(image.texels, (std::vector<glm::vec3>{glm::vec3(0.25f), glm::vec3(1.0f), glm::vec3(0.0f)}));
    const InitialImage tall = read("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 1\n" +
                                   std::string("\x80\x80\x80\x80\x40\x40\x40\x80", 8));
    ASSERT_EQ(tall.size, glm::uvec2(1, 2));
    EXPECT_EQ(tall.texels[0], glm::vec3(0.25f)) << "the second row must be the bottom row";
    EXPECT_EQ(tall.texels[1], glm::vec3(0.5f));
}

TEST_F(InitialImageTest, InvalidImagesAreRefused) {
    for (const char* bytes : {"", "P6 1 1 255 abc", "\xff\xd8\xff\xe0 JFIF", "\x89PNG\r\n\x1a"})
        EXPECT_THAT(problemOf(bytes), HasSubstr("is neither PNG")) << bytes;
    EXPECT_THAT(problemOf("\x89PNG\r\n\x1a\n"), HasSubstr("cannot be decoded"));
    EXPECT_THAT(problemOf(exrOf({0.0f, std::numeric_limits<float>::quiet_NaN()})), HasSubstr("is nan in column 1 of row 0"));
    EXPECT_THAT(problemOf(exrOf({0.0f, std::numeric_limits<float>::infinity()})), HasSubstr("is inf in column 1"));
    EXPECT_THAT(problemOf(exrOf({0.0f, 0.0f, -0.5f})), HasSubstr("is -0.5 in column 2"));
    EXPECT_THAT(problemOf(exrOf({0.0f, 1.5f})), HasSubstr("is 1.5 in column 1 of row 0, must be from 0 to 1"));
    EXPECT_THAT(problemOf(test::pngOf({4097, 1}, PNG_FORMAT_GRAY, std::vector<png_byte>(4097))),
                HasSubstr("has 4097x1 pixels, at most 4096x4096"));
    EXPECT_THAT(problemOf(test::pngOf({1, 4097}, PNG_FORMAT_GRAY, std::vector<png_byte>(4097))), HasSubstr("has 1x4097 pixels"));
    EXPECT_EQ(problemOf(test::pngOf({4096, 1}, PNG_FORMAT_GRAY, std::vector<png_byte>(4096))), "");
    std::string none = test::pngOf({1, 1}, PNG_FORMAT_GRAY, {0});
    none[19] = '\0';  // the width; its checksum is then wrong, too
    EXPECT_THAT(problemOf(none), HasSubstr("cannot be decoded"));
}

// Every chunk has a checksum. Only bytes after the image data may be missing or damaged.
TEST_F(InitialImageTest, DamagedFilesAreRefusedOrComplete) {
    std::vector<png_byte> pixels(4 * 20 * 13);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<png_byte>(i * i * 7 + i);
    const std::string whole = test::pngOf({20, 13}, PNG_FORMAT_RGBA, pixels);
    const InitialImage image = read(whole);
    const std::size_t begin = whole.find("IDAT"),
                      end = whole.find("IEND") - 8;  // end of the image data; a checksum and the length of the IEND chunk follow
    ASSERT_LT(begin, end);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
        for (const auto& [bytes, spoilt] : {std::pair{whole.substr(0, i), i < end}, {damaged, i >= begin && i < end}}) {
            const bool refused = !problemOf(bytes).empty();
            EXPECT_TRUE(refused || (!spoilt && read(bytes).texels == image.texels)) << i;
        }
    }
}

TEST_F(InitialImageTest, UnreadableFileIsAnErrorOfItsKey) {
    write("text.png", "no picture");
    write("wide.png", test::pngOf({4097, 2}, PNG_FORMAT_GRAY, std::vector<png_byte>(std::size_t{2} * 4097)));
    const std::string head = "[[initial]]\nfield = \"image\"\n";
    for (const auto& [value, what] : {std::pair{"\"none.png\"", "none.png: does not exist"},
                                      {"\".\"", ".: is not a regular file"},
                                      {"\"/dev/zero\"", "/dev/zero: is not a regular file"},
                                      {"\"text.png\"", "text.png: is neither PNG"},
                                      {"\"wide.png\"", "wide.png: has 4097x2 pixels, at most 4096x4096"},
                                      {"\"\"", "is empty, must be the path"},
                                      {"3", "must be a string"}})
        expectError(head + "file = " + value, 3, "initial[0].file", what);
    expectError(head, 1, "initial[0].file", "is missing, must be the path of a .png, .exr or .hdr file");
}

TEST_F(InitialImageTest, KeysMustFitTheField) {
    write("a.png", test::pngOf({1, 1}, PNG_FORMAT_GRAY, {255}));
    for (const char* field : {"", "field = \"gaussian\"\n", "field = \"image\"\nfile = \"a.png\"\n"}) {
        const std::string text = std::string("[[initial]]\n") + field;
        const auto line = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
        expectError(text + "squares = 4", line, "initial[0].squares", "is only for field = \"checkerboard\"");
        if (text.find("file") == std::string::npos)
            expectError(text + "file = \"a.png\"", line, "initial[0].file", "is only for field = \"image\"");
    }
    expectError("[[initial]]\nfield = \"picture\"\nfile = \"a.png\"\nsquares = 4", 2, "initial[0].field", "picture");
    const std::string board = "[[initial]]\nfield = \"checkerboard\"\n";
    EXPECT_EQ(parse(board).initial[0].squares, 16u);
    expectError(board + "velocity = [0, 1, 0]", 3, "initial[0].velocity", "must be left out");
    EXPECT_EQ(parse("[[initial]]\nfield = \"taylor_green\"\nvelocity = [2, 0, 0]").initial[0].velocity.x, 2.0f);
    for (const char* good : {"1", "4096"}) EXPECT_EQ(errorsOf(board + "squares = " + good), "");
    for (const char* bad : {"0", "4097"})
        expectError(board + "squares = " + bad, 3, "initial[0].squares", std::string("is ") + bad + ", must be from 1 to 4096");
    for (const char* bad : {"-1", "1.5", "nan", "\"4\""}) expectError(board + "squares = " + bad, 3, "initial[0].squares", "");
}

TEST_F(InitialImageTest, SettingsAreValidatedWithoutAFile) {
    Settings s;
    s.initial.push_back({.field = InitialField::Image});
    const auto problem = [&](const InitialImage& image) {
        s.initial[0].image = std::make_shared<const InitialImage>(image);
        const std::vector<Problem> problems = validate(s);
        return problems.empty() ? "" : problems.front().key + ": " + problems.front().message;
    };
    EXPECT_EQ(validate(s).front().key, "initial[0].file");
    EXPECT_EQ(problem({{1, 1}, {glm::vec3(1.0f)}}), "");
    EXPECT_EQ(problem({}), "initial[0].file: has 0x0 pixels, must have from 1x1 to 4096x4096");
    EXPECT_EQ(problem({{2, 1}, {glm::vec3(1.0f)}}), "initial[0].file: has 1 texels, must have 2");
    EXPECT_EQ(problem({{1, 2}, {glm::vec3(1.0f), {0.0f, 0.0f, NAN}}}), "initial[0].file: is nan in column 0 of row 0, must be from 0 to 1");
}

TEST_F(InitialImageTest, SmokeIsColouredWhereThePictureIs) {
    Settings s;
    for (const auto& [colour, coloured] :
         {std::pair{glm::vec3(0.5f), false}, {glm::vec3(0.5f, 0.5f, 0.4f), true}, {glm::vec3(0.4f, 0.5f, 0.5f), true}}) {
        s.initial = {
            {.field = InitialField::Image, .image = std::make_shared<const InitialImage>(InitialImage{{2, 1}, {glm::vec3(1.0f), colour}})}};
        EXPECT_EQ(s.usesColour(), coloured);
    }
}

TEST_F(InitialImageTest, FileIsWrittenRelativeToTheScene) {
    std::filesystem::create_directories(folder.path() / "pictures");
    std::filesystem::create_directories(folder.path() / "scenes");
    write("pictures/a.png", test::pngOf({1, 1}, PNG_FORMAT_GRAY, {188}));
    const Settings s = parse(
        "[[initial]]\nfield = \"image\"\nfile = \"pictures/a.png\"\ndensity = 2\n[[initial]]\nfield = \"checkerboard\"\nsquares = 9\n");
    const std::string text = writeScene(s, folder.path() / "scenes");
    EXPECT_EQ(text,
              "name = \"t\"\n\n[[initial]]\nfield = \"image\"\nfile = \"../pictures/a.png\"\ndensity = 2.0\n\n[[initial]]\nfield = "
              "\"checkerboard\"\nsquares = 9\n");
    EXPECT_TRUE(test::sameMeaning(parseScene(text, (folder.path() / "scenes/t.toml").string()), s));
}

/// Types a file name into the panel.
class Typist : public SceneVisitor {
public:
    std::string file, problem;
    bool key(const std::string& name, KeyValue value, const KeyInfo&) override {
        if (name == "file") *std::get<std::string*>(value) = file;
        return true;
    }
    void table(const std::string&, const std::function<void()>& keys) override { keys(); }
    void list(const std::string&, const List& list) override {
        for (std::size_t i = 0; i < list.size; ++i) list.keys(i);
    }
    void fail(const std::string& name, const std::string& message) override { problem = name + ": " + message; }
};

TEST_F(InitialImageTest, CanBeReplacedInThePanel) {
    write("a.png", test::pngOf({1, 1}, PNG_FORMAT_GRAY, {188}));
    Settings s;
    s.initial.push_back({.field = InitialField::Image});
    Typist typist;
    typist.file = "a.png";
    visitScene(typist, s, folder.path());
    const auto image = s.initial[0].image;
    ASSERT_TRUE(image);
    visitScene(typist, s, folder.path());
    EXPECT_EQ(s.initial[0].image, image) << "a file with the same name is not read again";
    typist.file = "b.png";
    visitScene(typist, s, folder.path());
    EXPECT_EQ(typist.problem, "file: b.png: does not exist");
    EXPECT_EQ(s.initial[0].image, image);
    s.initial[0].field = InitialField::Gaussian;
    visitScene(typist, s, folder.path());
    EXPECT_FALSE(s.initial[0].image) << "the image must be freed";
    s.initial[0] = {.field = InitialField::Image, .image = image};
    typist.file.clear();
    visitScene(typist, s, folder.path());
    EXPECT_FALSE(s.initial[0].image);
}

}  // namespace
}  // namespace wisp::app
