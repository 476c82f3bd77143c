// SPDX-License-Identifier: MIT
// Partial transfers of resources to the host and back.
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace wisp::engine {
namespace {

class EngineTransfers : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        shaders = library({});
        recorder = std::make_unique<Recorder>(device(), *shaders, RecorderOptions{.timing = Timing::Off, .readbackBytes = 4096});
    }
    void TearDown() override {
        recorder.reset();
        shaders.reset();
        GpuTest::TearDown();
    }
    /// Reads one part in a separate frame.
    template <class Resource>
    std::vector<std::byte> read(const Resource& resource, std::uint64_t offset, std::uint64_t bytes) {
        std::vector<std::byte> part;
        recorder->begin();
        recorder->read(resource, offset, bytes, [&](std::span<const std::byte> got) { part.assign(got.begin(), got.end()); });
        recorder->submit();
        recorder->finish();
        return part;
    }
    template <class Resource>
    void write(const Resource& resource, std::uint64_t offset, std::span<const std::byte> bytes) {
        recorder->begin();
        recorder->upload(resource, offset, bytes);
        recorder->submit();
    }
    static std::vector<std::byte> counting(std::size_t bytes) {
        std::vector<std::uint16_t> numbers(bytes / 2);
        std::iota(numbers.begin(), numbers.end(), std::uint16_t{1});
        const auto all = std::as_bytes(std::span(numbers));
        return {all.begin(), all.end()};
    }
    std::unique_ptr<ShaderLibrary> shaders;
    std::unique_ptr<Recorder> recorder;
};

// Every range of rows: inside a plane, across the end of a plane, over full planes.
TEST_F(EngineTransfers, EveryRangeOfRowsOfAnImage) {
    const Image i = image("i", {5, 3, 4}, VK_FORMAT_R16_SFLOAT);
    const std::vector<std::byte> all = counting(i.bytes());
    constexpr std::uint64_t kRow = 10, kRows = 12;
    for (std::uint64_t first = 0; first < kRows; ++first) {
        for (std::uint64_t end = first + 1; end <= kRows; ++end) {
            const auto part = std::span(all).subspan(first * kRow, (end - first) * kRow);
            recorder->begin();
            recorder->clear(i, 0.0f);
            recorder->upload(i, first * kRow, part);
            recorder->submit();
            std::vector<std::byte> expected(all.size());
            std::ranges::copy(part, expected.begin() + static_cast<std::ptrdiff_t>(first * kRow));
            ASSERT_EQ(read(i, 0, i.bytes()), expected) << first << " to " << end;
            ASSERT_TRUE(std::ranges::equal(read(i, first * kRow, part.size()), part)) << first << " to " << end;
        }
    }
}

TEST_F(EngineTransfers, PartsOfABuffer) {
    const Buffer b = buffer("b", 64);
    const std::vector<std::byte> all = counting(64);
    write(b, 0, all);
    EXPECT_EQ(read(b, 0, 64), all);
    EXPECT_TRUE(std::ranges::equal(read(b, 12, 40), std::span(all).subspan(12, 40)));
    write(b, 60, std::span(all).first(4));
    EXPECT_TRUE(std::ranges::equal(read(b, 60, 4), std::span(all).first(4)));
    EXPECT_TRUE(std::ranges::equal(read(b, 0, 60), std::span(all).first(60)));
}

// Copies of images and buffers keep what only the larger one has. A copy reads what earlier commands of the frame wrote.
TEST_F(EngineTransfers, CopiesOfDifferentSizes) {
    const glm::uvec3 sizes[] = {{5, 3, 4}, {5, 3, 7}, {8, 2, 4}};
    for (const glm::uvec3 a : sizes) {
        for (const glm::uvec3 b : sizes) {
            const Image from = image("from", a, VK_FORMAT_R16_SFLOAT), to = image("to", b, VK_FORMAT_R16_SFLOAT);
            const std::vector<std::byte> all = counting(from.bytes());
            recorder->begin();
            recorder->clear(to, 0.0f);
            recorder->upload(from, all);
            recorder->copy(from, to);
            recorder->clear(from, 0.0f);
            recorder->submit();
            std::vector<std::byte> expected(to.bytes());
            for (std::uint32_t z = 0; z < std::min(a.z, b.z); ++z) {
                for (std::uint32_t y = 0; y < std::min(a.y, b.y); ++y) {
                    const auto row = all.begin() + static_cast<std::ptrdiff_t>(2 * a.x * (y + a.y * z));
                    std::copy_n(row, 2 * std::min(a.x, b.x), expected.begin() + static_cast<std::ptrdiff_t>(2 * b.x * (y + b.y * z)));
                }
            }
            EXPECT_EQ(read(to, 0, to.bytes()), expected);
            EXPECT_EQ(read(from, 0, from.bytes()), std::vector<std::byte>(from.bytes()));
        }
    }
    const Buffer small = buffer("small", 64), large = buffer("large", 96);
    const std::vector<std::byte> words = counting(96);
    for (const auto& [from, to] : {std::pair(&small, &large), {&large, &small}}) {
        recorder->begin();
        recorder->clear(*to, 0);
        recorder->upload(*from, std::span(words).first(from->bytes()));
        recorder->copy(*from, *to);
        recorder->submit();
        std::vector<std::byte> expected(to->bytes());
        std::copy_n(words.begin(), 64, expected.begin());
        EXPECT_EQ(read(*to, 0, to->bytes()), expected);
    }
}

// An image that is known to hold only zeros is copied as such.
TEST_F(EngineTransfers, CopiesOfZeros) {
    const Image zero = image("zero", {5, 3, 4}, VK_FORMAT_R16_SFLOAT), to = image("to", {5, 3, 6}, VK_FORMAT_R16_SFLOAT);
    recorder->begin();
    recorder->clear(zero, 0.0f);
    recorder->clear(to, 0.0f);
    recorder->copy(zero, to);
    EXPECT_TRUE(to.isZero());
    recorder->clear(to, 1.0f);
    recorder->copy(zero, to);
    EXPECT_FALSE(to.isZero()) << "two of its layers are not";
    recorder->submit();
    const std::vector<std::byte> bytes = read(to, 0, to.bytes());
    EXPECT_TRUE(std::all_of(bytes.begin(), bytes.begin() + 120, [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_NE(bytes.back(), std::byte{0});
}

TEST_F(EngineTransfers, InvalidRangesAreRefused) {
    const Image i = image("i", {5, 3, 4}, VK_FORMAT_R16_SFLOAT);
    const Buffer b = buffer("b", 64);
    const std::vector<std::byte> bytes(1000);
    recorder->begin();
    for (const auto& [offset, count] :
         {std::pair<std::uint64_t, std::uint64_t>{0, 0}, {5, 10}, {0, 15}, {110, 20}, {120, 10}, {0, 130}, {~std::uint64_t{9}, 20}}) {
        EXPECT_THROW(recorder->read(i, offset, count, [](auto) {}), std::invalid_argument) << offset << " " << count;
        EXPECT_THROW(recorder->upload(i, offset, std::span(bytes).first(count)), std::invalid_argument) << offset << " " << count;
    }
    for (const auto& [offset, count] : {std::pair<std::uint64_t, std::uint64_t>{0, 0}, {0, 68}, {60, 8}, {64, 4}, {~std::uint64_t{3}, 8}}) {
        EXPECT_THROW(recorder->read(b, offset, count, [](auto) {}), std::invalid_argument) << offset << " " << count;
        EXPECT_THROW(recorder->upload(b, offset, std::span(bytes).first(count)), std::invalid_argument) << offset << " " << count;
    }
    recorder->submit();
    recorder->finish();
}

// Host memory stays at the size of a few parts, however much data is transferred.
TEST_F(EngineTransfers, MemoryStaysBounded) {
    const Buffer b = buffer("b", 1 << 16);
    const std::vector<std::byte> part = counting(4096);
    for (std::uint64_t n = 0; n < 4; ++n) write(b, 4096 * n, part);
    recorder->finish();
    const VkDeviceSize before = device().memory().used();
    for (std::uint64_t n = 0; n < 16; ++n) write(b, 4096 * n, part);
    for (std::uint64_t n = 0; n < 16; ++n) EXPECT_EQ(read(b, 4096 * n, 4096), part);
    EXPECT_EQ(device().memory().used(), before);
}

}  // namespace
}  // namespace wisp::engine
