// SPDX-License-Identifier: MIT
// Reading a cache file gives the written bytes, or nothing.
#include "engine/cache_file.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/stat.h>
#include <thread>

namespace wisp::engine {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

CacheFile::Key keyOf(std::uint8_t last) { return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last}; }

class CacheFileTest : public testing::Test {
protected:
    [[nodiscard]] std::string whole() const {
        std::ifstream in(file.path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void put(const std::string& bytes) const { std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << bytes; }

    test::ScratchFolder scratch;
    const fs::path folder = scratch.path() / "not" / "there" / "yet";
    CacheFile file{folder, keyOf(16)};
    const Bytes contents = bytesOf("compiled at great expense");
};

TEST_F(CacheFileTest, ReadsBackWrittenBytes) {
    EXPECT_TRUE(file.read().empty());
    EXPECT_EQ(file.problem(), "");
    ASSERT_TRUE(file.write(contents)) << file.problem();
    EXPECT_EQ(CacheFile(folder, keyOf(16)).read(), contents);
    EXPECT_EQ(scratch.files(), std::vector<std::string>{"not/there/yet/pipelines-0102030405060708090a0b0c0d0e0f10.bin"});
    EXPECT_TRUE(CacheFile(folder, keyOf(17)).read().empty());
    const Bytes longer(1 << 20, std::byte{7});
    ASSERT_TRUE(file.write(longer));
    EXPECT_EQ(file.read(), longer);
    ASSERT_TRUE(file.write({}));
    EXPECT_TRUE(file.read().empty());
    EXPECT_EQ(file.problem(), "");
}

TEST_F(CacheFileTest, IgnoresAndRemovesDamagedFiles) {
    ASSERT_TRUE(file.write(contents));
    const std::string good = whole();
    std::vector<std::string> wrong{"",         "x",         good.substr(0, CacheFile::kHeaderBytes),
                                   good + "x", good + good, std::string(good.size(), '\0')};
    for (std::size_t n = 0; n < good.size(); ++n) wrong.push_back(good.substr(0, n));
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        wrong.push_back(good);
        wrong.back()[bit / 8] = static_cast<char>(wrong.back()[bit / 8] ^ (1 << bit % 8));
    }
    for (const std::string& bytes : wrong) {
        put(bytes);
        EXPECT_TRUE(file.read().empty());
        EXPECT_NE(file.problem(), "");
        EXPECT_FALSE(fs::exists(file.path()));
    }
    ASSERT_TRUE(file.write(contents));
    EXPECT_EQ(file.read(), contents);
}

TEST_F(CacheFileTest, FileOfAnotherKeyIsNotRead) {
    CacheFile other(folder, keyOf(99));
    ASSERT_TRUE(other.write(contents));
    fs::rename(other.path(), file.path());
    EXPECT_TRUE(file.read().empty());
    EXPECT_NE(file.problem(), "");
}

TEST_F(CacheFileTest, RandomDamageIsDetectedWithoutACrash) {
    ASSERT_TRUE(file.write(contents));
    const std::string good = whole();
    std::mt19937 random(5);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    for (int i = 0; i < 2000; ++i) {
        std::string bytes = good;
        for (std::size_t k = below(4) + 1; k > 0 && !bytes.empty(); --k) {
            const std::size_t at = below(bytes.size());
            switch (below(5)) {
                case 0: bytes[at] = static_cast<char>(below(256)); break;
                case 1: bytes.resize(at); break;
                case 2: bytes.insert(at, below(100), static_cast<char>(below(256))); break;
                case 3: bytes.erase(at, below(20)); break;
                default: std::memset(&bytes[at], below(2) ? 0xff : 0, std::min<std::size_t>(8, bytes.size() - at));
            }
        }
        put(bytes);
        EXPECT_EQ(file.read(), bytes == good ? contents : Bytes{});
    }
}

TEST_F(CacheFileTest, HugeFilesAreNotReadOrWritten) {
    ASSERT_TRUE(file.write(contents));
    fs::resize_file(file.path(), CacheFile::kMostBytes + CacheFile::kHeaderBytes + 1);  // a sparse file
    EXPECT_TRUE(file.read().empty());
    EXPECT_FALSE(file.write({contents.data(), CacheFile::kMostBytes + 1}));  // refused before any byte is read
    EXPECT_NE(file.problem(), "");
}

TEST_F(CacheFileTest, UnwritableFoldersAreReported) {
    std::ofstream(scratch.path() / "file") << "a file instead of a folder";
    CacheFile inFile(scratch.path() / "file" / "sub", keyOf(1));
    EXPECT_FALSE(inFile.write(contents));
    EXPECT_NE(inFile.problem().find("cannot be written"), std::string::npos) << inFile.problem();
    EXPECT_TRUE(inFile.read().empty());
    CacheFile device("/dev/full", keyOf(1));
    EXPECT_FALSE(device.write(contents));
    CacheFile kernel("/proc/wisp", keyOf(1));  // cannot be written, not even by root
    EXPECT_FALSE(kernel.write(contents));

    fs::create_directories(file.path() / "full");  // a folder with the name of the file
    EXPECT_TRUE(file.read().empty());
    EXPECT_FALSE(file.write(contents));
    fs::remove_all(file.path());
    ASSERT_EQ(::mkfifo(file.path().c_str(), 0600), 0);  // reading must not block
    EXPECT_TRUE(file.read().empty());
    EXPECT_TRUE(file.write(contents));
    EXPECT_EQ(file.read(), contents);
    EXPECT_EQ(scratch.files().size(), 2u) << "temporary files remain";
}

TEST_F(CacheFileTest, KeepsTheNewestOfOtherKeys) {
    for (std::uint8_t i = 0; i < 12; ++i) {
        CacheFile other(folder, keyOf(i));
        ASSERT_TRUE(other.write(contents));
        fs::last_write_time(other.path(), fs::file_time_type::clock::now() - std::chrono::minutes(100 - i));
    }
    std::ofstream(folder / "notes.txt") << "another file";
    std::ofstream(folder / ".pipelines-0.bin.tmp-1-0") << "of a writer that has ended";
    fs::last_write_time(folder / ".pipelines-0.bin.tmp-1-0", fs::file_time_type::clock::now() - std::chrono::hours(2));
    std::ofstream(folder / ".pipelines-0.bin.tmp-2-0") << "of a running writer";
    EXPECT_EQ(CacheFile(folder, keyOf(4)).read(), contents);  // reading makes the file the newest
    ASSERT_TRUE(file.write(contents));
    EXPECT_EQ(scratch.files().size(), CacheFile::kKept + 2);
    for (const int i : {4, 11, 10, 9, 8, 7, 6, 16})
        EXPECT_TRUE(fs::exists(CacheFile(folder, keyOf(static_cast<std::uint8_t>(i))).path())) << i;
    EXPECT_TRUE(fs::exists(folder / "notes.txt"));
    EXPECT_TRUE(fs::exists(folder / ".pipelines-0.bin.tmp-2-0"));
}

TEST_F(CacheFileTest, ConcurrentWritersLeaveOneCompleteFile) {
    const auto work = [&](char letter) {
        CacheFile mine(folder, keyOf(16));
        const Bytes all(100'000, static_cast<std::byte>(letter));
        for (int i = 0; i < 100; ++i) {
            EXPECT_TRUE(mine.write(all)) << mine.problem();
            const Bytes seen = mine.read();
            ASSERT_EQ(seen.size(), all.size()) << mine.problem();
            EXPECT_EQ(seen, Bytes(all.size(), seen[0]));
        }
    };
    std::thread a(work, 'a'), b(work, 'b');
    a.join();
    b.join();
    EXPECT_EQ(scratch.files().size(), 1u);
}

}  // namespace
}  // namespace wisp::engine
