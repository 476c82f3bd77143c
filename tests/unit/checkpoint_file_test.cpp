// SPDX-License-Identifier: MIT
// Reading a checkpoint gives the written data, or an error with a reason.
#include "files/checkpoint/checkpoint_file.h"
#include "files/checkpoint/checkpoint_head.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

namespace wisp::app {
namespace {

namespace fs = std::filesystem;
using Contents = std::vector<std::vector<std::byte>>;

CheckpointHeader smallHead() {
    CheckpointHeader head{.name = "a \"name\"", .scene = "name = \"x\"\n", .meshes = {std::numeric_limits<std::uint64_t>::max(), 1}};
    head.run.steps = (std::uint64_t{1} << 53) + 1;  // not exact in a double
    head.run.stepsBefore = 3;
    head.run.timeBefore = 0.1;
    head.run.velocityDecay = Decay(1.0 / 3);
    head.run.densityDecay = Decay(std::numeric_limits<double>::denorm_min());
    head.run.poseTime = std::nextafter(1e6, 0.0);
    head.run.poseMotion = static_cast<double>(1.0f / 120);
    head.run.overrides[1] = {{0.1f, -0.2f, 1e-30f}, {1.0f / 3, 0.0f, 5.0f}};
    head.sceneOfStep = "seed = 3\n";
    head.host.obstacles[2] = {.at = {1e30f, 0.1f, -1.0f}, .goal = glm::vec3(1.0f / 3, 0.0f, 2.0f), .velocity = {0.0f, 0.1f, -3e38f}};
    head.host.obstacles[3] = {.at = {0.1f, 0.2f, 0.3f}};
    head.host.emitters[1] = {.at = {}, .velocity = glm::vec3(0.1f, 0.2f, 0.3f)};
    head.host.target = {0.1f, 1e-30f, 7.0f};
    head.host.strokes = {{.from = {0.1f, 0, 0}, .to = {0, 0.2f, 0}, .radius = 0.3f, .fuel = 0.4f, .colour = {0.5f, 1, 0}, .force = -2.5f},
                         {.density = -0.1f, .temperature = 1e30f, .velocity = std::array{0.1f, 0.2f, -0.3f}}};
    head.pictures = 7;
    head.stepsSincePicture = 1;
    head.temporal = TemporalState{9, {0.1f, 0.2f, 0.3f}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    head.fields = {{"velocity", {3, 2, 2}, "rgba16f"}, {"scalars", {5, 1, 1}, "r16f"}};
    return head;
}

Contents noise(const CheckpointHeader& head) {
    Contents contents;
    std::uint32_t seed = 1;
    for (const StoredField& f : head.fields) {
        auto& bytes = contents.emplace_back(f.bytes());
        for (std::byte& b : bytes) b = static_cast<std::byte>((seed = seed * 1664525u + 1013904223u) >> 24);
    }
    return contents;
}

FetchBytes from(const Contents& contents) {
    return [&contents](std::size_t field, std::uint64_t offset, std::span<std::byte> into) {
        std::memcpy(into.data(), contents.at(field).data() + offset, into.size());
    };
}

Contents readAll(CheckpointFile& file) {
    Contents contents(file.head().fields.size());
    file.read([&](std::size_t field, std::uint64_t offset, std::span<const std::byte> bytes) {
        EXPECT_EQ(offset, contents.at(field).size());
        EXPECT_EQ(bytes.size() % file.head().fields[field].rowBytes(), 0u);
        contents[field].insert(contents[field].end(), bytes.begin(), bytes.end());
    });
    return contents;
}

class CheckpointFileTest : public testing::Test {
protected:
    [[nodiscard]] std::string whole() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void put(const std::string& bytes) const { std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes; }
    /// Writes a header with correct length and hash, as an attacker could. `rest` follows.
    void putHead(const std::string& text, const std::string& rest = "") const {
        const std::uint64_t numbers[] = {kCheckpointVersion, text.size(), XXH3_64bits(text.data(), text.size())};
        put("wispckpt" + std::string(reinterpret_cast<const char*>(numbers), sizeof numbers) + text + rest);
    }
    /// The error message for the present file. Empty if the file is accepted.
    [[nodiscard]] std::string refusal() const {
        try {
            CheckpointFile file(path);
            readAll(file);
        } catch (const Failure& e) {
            EXPECT_EQ(e.status(), Exit::Usage);
            return e.what();
        }
        return "";
    }

    test::ScratchFolder scratch;
    const fs::path path = scratch.path() / "x.checkpoint";
    const CheckpointHeader head = smallHead();
    const Contents contents = noise(head);
};

TEST_F(CheckpointFileTest, ReadsBackWrittenData) {
    writeCheckpoint(path, head, from(contents));
    CheckpointFile file(path);
    const CheckpointHeader& read = file.head();
    EXPECT_EQ(read.name, head.name);
    EXPECT_EQ(read.scene, head.scene);
    EXPECT_EQ(read.meshes, head.meshes);
    EXPECT_EQ(read.run.steps, head.run.steps);
    EXPECT_EQ(read.run.stepsBefore, head.run.stepsBefore);
    EXPECT_EQ(read.run.timeBefore, head.run.timeBefore);
    EXPECT_EQ(read.run.velocityDecay.due(), head.run.velocityDecay.due());
    EXPECT_EQ(read.run.densityDecay.due(), head.run.densityDecay.due());
    EXPECT_EQ(read.run.poseTime, head.run.poseTime);
    EXPECT_EQ(read.run.poseMotion, head.run.poseMotion);
    ASSERT_EQ(read.run.overrides.size(), 1u);
    EXPECT_EQ(read.run.overrides.at(1).from, head.run.overrides.at(1).from);
    EXPECT_EQ(read.run.overrides.at(1).to, head.run.overrides.at(1).to);
    EXPECT_EQ(read.sceneOfStep, head.sceneOfStep);
    EXPECT_EQ(writeRun(read.run, read.host, read.temporal), writeRun(head.run, head.host, head.temporal));
    EXPECT_EQ(read.host.obstacles, head.host.obstacles);
    EXPECT_EQ(read.host.emitters, head.host.emitters);
    EXPECT_EQ(read.host.target, head.host.target);
    ASSERT_EQ(read.host.strokes.size(), 2u);
    EXPECT_EQ(read.host.strokes[0].colour, head.host.strokes[0].colour);
    EXPECT_EQ(read.host.strokes[0].force, -2.5f);
    EXPECT_FALSE(read.host.strokes[0].velocity);
    EXPECT_EQ(read.host.strokes[1].velocity, head.host.strokes[1].velocity);
    EXPECT_EQ(read.pictures, head.pictures);
    EXPECT_EQ(read.stepsSincePicture, head.stepsSincePicture);
    ASSERT_TRUE(read.temporal);
    EXPECT_EQ(read.temporal->pictures, 9u);
    EXPECT_EQ(read.temporal->eye, head.temporal->eye);
    EXPECT_EQ(read.temporal->forward, head.temporal->forward);
    EXPECT_EQ(read.fields, head.fields);
    EXPECT_EQ(readAll(file), contents);
    EXPECT_EQ(scratch.files(), std::vector<std::string>{"x.checkpoint"});
}

TEST_F(CheckpointFileTest, FieldsOfSeveralBlocks) {
    CheckpointHeader large = head;
    large.fields = {{"velocity", {129, 65, 131}, "rgba16f"}, {"scalars", {8192, 129, 1}, "rgba32f"}, {"pressure", {1, 1, 1}, "r32f"}};
    ASSERT_GT(large.fields[0].bytes(), 2 * kCheckpointBlock);
    Contents many = noise(large);
    std::fill(many[0].begin() + 1000, many[0].end(), std::byte{0});  // some blocks compress to almost nothing
    writeCheckpoint(path, large, from(many));
    CheckpointFile file(path);
    EXPECT_EQ(readAll(file), many);
}

TEST_F(CheckpointFileTest, HashesMatchTheBytes) {
    ASSERT_EQ(head.fields.size(), 2u);
    for (std::size_t n = 0; n < 2; ++n)
        EXPECT_EQ(hashField(head.fields, n, from(contents)), XXH3_64bits(contents[n].data(), contents[n].size()));
    writeCheckpoint(path, head, from(contents));
    std::uint64_t last = 0;
    const std::string bytes = whole();
    std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
    EXPECT_EQ(last, XXH3_64bits(contents[1].data(), contents[1].size()));
}

TEST_F(CheckpointFileTest, EveryChangedByteIsDetected) {
    writeCheckpoint(path, head, from(contents));
    const std::string good = whole();
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
        put(bad);
        ASSERT_NE(refusal(), "") << "byte " << at;
    }
    put(good);
    EXPECT_EQ(refusal(), "");
}

TEST_F(CheckpointFileTest, EveryWrongLengthIsDetected) {
    writeCheckpoint(path, head, from(contents));
    const std::string good = whole();
    for (std::size_t length = 0; length < good.size(); ++length) {
        put(good.substr(0, length));
        const std::string why = refusal();
        ASSERT_THAT(why, testing::HasSubstr(length < 8 ? "is not a wisp checkpoint" : "is truncated")) << length;
    }
    put(good + "x");
    EXPECT_THAT(refusal(), testing::HasSubstr("there is data after the last field"));
    put(good + good);
    EXPECT_NE(refusal(), "");
}

TEST_F(CheckpointFileTest, ErrorsNameTheCause) {
    using testing::EndsWith;
    EXPECT_THAT(refusal(), EndsWith("x.checkpoint: cannot be read: No such file or directory"));
    put("[grid]\ncells = [1, 2, 3]\n");
    EXPECT_THAT(refusal(), EndsWith("is not a wisp checkpoint"));
    writeCheckpoint(path, head, from(contents));
    const std::string good = whole();
    std::string bad = good;
    bad[8] = 2;
    put(bad);
    EXPECT_THAT(refusal(), EndsWith("is of version 2; this wisp reads version 1"));
    bad = good;
    bad[good.size() - 20] ^= 1;  // before the hash of the last field
    put(bad);
    EXPECT_THAT(refusal(), EndsWith("is damaged: block 0 of scalars does not match its hash"));
    fs::remove(path);
    fs::create_symlink("/dev/zero", path);
    EXPECT_THAT(refusal(), EndsWith("is not a regular file"));
}

// Swapped blocks still have the correct hashes.
TEST_F(CheckpointFileTest, SwappedBlocksAreDetected) {
    CheckpointHeader rows = head;
    rows.fields = {{"velocity", {8192, 64, 1}, "rgba16f"}};
    Contents zeros{std::vector<std::byte>(rows.fields[0].bytes())};
    ASSERT_EQ(zeros[0].size(), kCheckpointBlock);
    rows.fields[0].size.y = 128;
    zeros[0].resize(2 * kCheckpointBlock, std::byte{1});
    writeCheckpoint(path, rows, from(zeros));
    const std::string good = whole();
    const std::size_t blocks = 32 + writeHead(rows).size();
    std::uint64_t first = 0;
    std::memcpy(&first, good.data() + blocks, sizeof first);
    const std::string one = good.substr(blocks, 16 + first), hash = good.substr(good.size() - 8);
    put(good.substr(0, blocks) + good.substr(blocks + one.size(), good.size() - 8 - blocks - one.size()) + one + hash);
    EXPECT_THAT(refusal(), testing::EndsWith("is damaged: velocity does not match its hash"));
}

TEST_F(CheckpointFileTest, HostileHeadersAreRefused) {
    const std::string good = writeHead(head);
    const auto with = [&](const std::string& what, const std::string& instead) {
        std::string text = good;
        const std::size_t at = text.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        return text.replace(at, what.size(), instead);
    };
    putHead(good);
    EXPECT_THAT(refusal(), testing::HasSubstr("is truncated: it ends in block 0 of velocity"));  // everything up to here is valid
    for (const std::string& text : {std::string(),
                                    std::string("null"),
                                    std::string("[]"),
                                    std::string("{}"),
                                    std::string("7"),
                                    std::string(1000000, '['),
                                    "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}",
                                    with("[3,2,2]", "[3,2]"),
                                    with("[3,2,2]", "[3,2,0]"),
                                    with("[3,2,2]", "[3,-2,2]"),
                                    with("[3,2,2]", "[3,2.5,2]"),
                                    with("[3,2,2]", "[3,2,4294967298]"),
                                    with("[3,2,2]", "[3,2,1e9]"),
                                    with("[3,2,2]", "7"),
                                    with("rgba16f", "rgba17f"),
                                    with("\"name\": \"velocity\"", "\"name\": null"),
                                    with("\"fuel\": 0.4", "\"fuel\": 1.5"),
                                    with("\"radius\": 0.3", "\"radius\": 0"),
                                    with("\"colour\": [0.5", "\"colour\": [-0.5"),
                                    with("\"force\": -2.5", "\"force\": 1e39"),
                                    with("\"emitter\": 1", "\"emitter\": -1"),
                                    with("\"strokes\"", "\"stroke\""),
                                    with("\"target\": [", "\"target\": [0.0,"),
                                    with("\"pictures\": 7", "\"pictures\": -7"),
                                    with("\"pictures\": 7", "\"pictures\": 7.5"),
                                    with("\"time_before\": 0.1", "\"time_before\": 1e400"),
                                    with("\"time_before\": 0.1", "\"time_before\": -1"),
                                    with("\"time_before\": 0.1", "\"time_before\": null"),
                                    with("\"time_before\": 0.1", "\"time_before\": 1e300"),
                                    with("\"steps_before\": 3", "\"steps_before\": 18446744073709551615"),
                                    with("\"obstacle\": 1", "\"obstacle\": \"1\""),
                                    with("\"scene\"", "\"scenes\""),
                                    with("\"run\"", "\"ran\""),
                                    with("\"meshes\": [", "\"meshes\": [-1,")}) {
        putHead(text);
        EXPECT_THAT(refusal(), testing::HasSubstr("is invalid: in its header")) << text.substr(0, 200);
    }
}

// Files of before the host's input was saved.
TEST_F(CheckpointFileTest, WithoutInputOfTheHostThereIsNone) {
    std::string text = writeHead({.name = "x"});
    const std::size_t at = text.find("\"host\"");
    ASSERT_NE(at, std::string::npos);
    const CheckpointHeader read = readHead(text.replace(at, 6, "\"unknown\""));
    EXPECT_TRUE(read.host.obstacles.empty());
    EXPECT_TRUE(read.host.strokes.empty());
    EXPECT_FALSE(read.host.target);
    EXPECT_EQ(read.sceneOfStep, "");
}

// Of a sparse simulation.
TEST_F(CheckpointFileTest, SlotsOfBricks) {
    CheckpointHeader sparse = head;
    sparse.run.slots = SlotPlan({384, 128}, {{8, std::make_shared<SlotCounts>(SlotCounts{300, 70})}, {16, std::make_shared<SlotCounts>()}});
    const std::string text = writeHead(sparse);
    const SlotPlan read = readHead(text).run.slots;
    EXPECT_EQ(read.slots(), (SlotCounts{384, 128}));
    ASSERT_EQ(read.uses().size(), 2u);
    for (std::size_t n = 0; n < 2; ++n) {
        EXPECT_EQ(read.uses()[n].step, sparse.run.slots.uses()[n].step);
        EXPECT_EQ(*read.uses()[n].used, *sparse.run.slots.uses()[n].used);
    }
    for (const auto& [from, to] :
         {std::pair("384", "-1"), {"384", "33554432"}, {"128", "null"}, {"70", "1.5"}, {"\"uses\": [", "\"uses\": ["}}) {
        std::string wrong = text;
        const std::size_t at = wrong.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        wrong.replace(at, std::string(from).size(), std::string(to) == from ? "\"uses\": [{},{},{},{}," : to);
        EXPECT_THROW((void)readHead(wrong), std::runtime_error) << to;
    }
}

// An attacker who computes the right hash can change any byte of the header. The header is then refused, or read as a valid header.
TEST_F(CheckpointFileTest, ChangedHeadersAreValidOrRefused) {
    const std::string good = writeHead(head);
    std::size_t refused = 0, taken = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char c :
             {'9', '-', '"', ']', '}', ',', '\\', '\0', '\xff', static_cast<char>(good[at] ^ 1), static_cast<char>(good[at] ^ 32)}) {
            std::string text = good;
            text[at] = c;
            try {
                const CheckpointHeader read = readHead(text);
                ++taken;
                for (const StoredField& f : read.fields) ASSERT_TRUE(f.bytes() > 0 && f.bytes() < std::uint64_t{1} << 50) << text;
                ASSERT_LE(read.run.stepsBefore, read.run.steps) << text;
                for (const double x : {read.run.timeBefore, read.run.poseTime, read.run.poseMotion, read.run.velocityDecay.due(),
                                       read.run.densityDecay.due()})
                    ASSERT_TRUE(x >= 0.0 && x <= 1e12) << text;
                for (const auto& [obstacle, way] : read.run.overrides)
                    ASSERT_TRUE(std::isfinite(way.from.x) && std::isfinite(way.to.z)) << text;
            } catch (const std::runtime_error&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, good.size());
    EXPECT_GT(taken, good.size());  // letters of names, and digits
}

// Sizes in a header can be anything. Memory is allocated only for one block of the data that is present.
TEST_F(CheckpointFileTest, MemoryIsBounded) {
    const auto mostMemory = [] {  // [KiB], since the last call
        std::ifstream status("/proc/self/status");
        long most = -1;
        for (std::string word; status >> word;)
            if (word == "VmHWM:") status >> most;
        std::ofstream("/proc/self/clear_refs") << 5;
        return most;
    };
    CheckpointHeader huge = head;
    huge.fields = {{"velocity", glm::uvec3(1u << 15), "rgba32f"}};
    const std::string text = writeHead(huge);
    mostMemory();
    const long before = mostMemory();
    ASSERT_GT(before, 0);
    putHead(text);
    EXPECT_THAT(refusal(), testing::HasSubstr("is truncated"));
    std::uint64_t block[] = {std::uint64_t{1} << 40, 0};
    putHead(text, {reinterpret_cast<const char*>(block), sizeof block});
    EXPECT_THAT(refusal(), testing::HasSubstr("the length of block 0 of velocity is wrong"));
    block[0] = kCheckpointBlock;
    putHead(text, {reinterpret_cast<const char*>(block), sizeof block});
    EXPECT_THAT(refusal(), testing::HasSubstr("is truncated"));
    const std::uint64_t length[] = {kCheckpointVersion, std::uint64_t{1} << 60, 0};
    put("wispckpt" + std::string(reinterpret_cast<const char*>(length), sizeof length));
    EXPECT_THAT(refusal(), testing::HasSubstr("the length of its header is wrong"));
    EXPECT_LT(mostMemory() - before, 64 << 10) << "memory of four blocks, and the overhead of a sanitizer";
}

TEST_F(CheckpointFileTest, OldFileStaysUntilTheNewOneIsComplete) {
    writeCheckpoint(path, head, from(contents));
    const std::string good = whole();
    CheckpointHeader next = head;
    next.pictures = 8;
    EXPECT_THROW(writeCheckpoint(path, next,
                                 [&](std::size_t field, std::uint64_t, std::span<std::byte>) {
                                     EXPECT_EQ(whole(), good);
                                     if (field == 1) throw std::runtime_error("the device was lost");
                                 }),
                 std::runtime_error);
    EXPECT_EQ(whole(), good);
    EXPECT_EQ(scratch.files(), std::vector<std::string>{"x.checkpoint"});
    writeCheckpoint(path, next, from(contents));
    EXPECT_EQ(CheckpointFile(path).head().pictures, 8u);
}

TEST_F(CheckpointFileTest, AFullDiskIsAnError) {
    fs::create_symlink("/dev/full", path);
    try {
        writeCheckpoint(path, head, from(contents));
        FAIL() << "expected an error, got none";
    } catch (const Failure& e) {
        EXPECT_EQ(e.status(), Exit::Output);
        EXPECT_THAT(e.what(), testing::HasSubstr("x.checkpoint: cannot be written: No space left on device"));
    }
}

}  // namespace
}  // namespace wisp::app
