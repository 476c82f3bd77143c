// SPDX-License-Identifier: MIT
// Files that a scene names are read once while what was read is in use.
#include "files/scene/files_in_use.h"
#include "files/scene/scene.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace wisp {
namespace {

class FilesInUseTest : public testing::Test {
protected:
    std::shared_ptr<const std::string> get(const std::string& key = "key") {
        return inUse.get(key, {file}, [&] {
            ++reads;
            std::ifstream in(file);
            std::string text;
            std::getline(in, text);
            return std::make_shared<const std::string>(text);
        });
    }
    void write(const std::string& text) { std::ofstream(file) << text; }

    test::ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "a.txt";
    FilesInUse<std::string, const std::string> inUse;
    int reads = 0;
};

TEST_F(FilesInUseTest, WhatIsInUseIsNotReadAgain) {
    write("one");
    auto first = get();
    EXPECT_EQ(*first, "one");
    EXPECT_EQ(get(), first);
    EXPECT_EQ(reads, 1);
    EXPECT_NE(get("another key"), first);
    EXPECT_EQ(reads, 2);
    first.reset();
    EXPECT_EQ(*get(), "one");
    EXPECT_EQ(reads, 3) << "nobody used it";
}

TEST_F(FilesInUseTest, AFileThatHasChangedIsReadAgain) {
    write("one");
    const auto first = get();
    write("three");  // another size
    const auto second = get();
    EXPECT_EQ(*second, "three");
    EXPECT_EQ(get(), second);
    write("seven");
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(1));  // another time
    EXPECT_EQ(*get(), "seven");
    EXPECT_EQ(*first, "one");
}

TEST_F(FilesInUseTest, AFileThatIsGoneIsNotAnswered) {
    write("one");
    const auto first = get();
    std::filesystem::remove(file);
    EXPECT_NE(get(), first);
    EXPECT_EQ(reads, 2);
}

TEST(SceneFilesInUse, ASceneThatIsReadAgainHasTheSameMesh) {
    const test::ScratchFolder folder;
    std::ofstream(folder.path() / "a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const std::string file = (folder.path() / "scene.toml").string();
    const auto read = [&] { return parseScene("[[obstacle]]\nshape = \"mesh\"\nfile = \"a.obj\"\nsize = 0.5\n", file); };
    const Settings first = read(), second = read();
    ASSERT_EQ(first.meshes.size(), 1u);
    EXPECT_EQ(first.meshes[0], second.meshes[0]);
}

}  // namespace
}  // namespace wisp
