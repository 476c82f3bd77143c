// SPDX-License-Identifier: MIT
#include "files/checkpoint/brick_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace wisp {
namespace {

constexpr glm::uvec3 kBricks(2, 1, 1);

/// Bricks of 2^3 elements, of which the second one has the first half in the box. Both are active.
std::uint64_t hashOf(const std::vector<float>& values, bool isImage, bool isSmoke = false, std::uint32_t firstSlot = 3,
                     std::uint32_t smokeOfFirst = 7) {
    const SlotLayout layout{.isSmoke = isSmoke, .isImage = isImage, .edge = {2, 2, 2}, .size = {3, 2, 2}};
    const StoredField field{"x", isImage ? glm::uvec3(48, 24, 3) : glm::uvec3(1024, 1, 1), "r32f"};
    EXPECT_EQ(values.size() * 4, field.bytes());
    const std::vector<gpu::BrickSlots> slots{{firstSlot, smokeOfFirst}, {18, 4}};
    BrickHash hash(layout, field, kBricks, slots);
    const auto bytes = std::as_bytes(std::span(values));
    const std::size_t block = field.rowBytes();
    for (std::size_t at = 0; at < bytes.size(); at += block) hash.add(at, bytes.subspan(at, block));
    return hash.value();
}

std::vector<float> numbered(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0f);
    return values;
}

/// The number of values that the hash depends on.
std::size_t counted(bool isImage, bool isSmoke, const std::function<bool(std::size_t)>& isExpected) {
    std::vector<float> values = numbered(isImage ? 48 * 24 * 3 : 1024);
    const std::uint64_t first = hashOf(values, isImage, isSmoke);
    std::size_t found = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
        values[n] += 0.5f;
        const bool differs = hashOf(values, isImage, isSmoke) != first;
        EXPECT_EQ(differs, isExpected(n)) << n;
        found += differs;
        values[n] -= 0.5f;
    }
    return found;
}

// Slot 3 is at (3, 0), slot 18 at (2, 1); a slot has 3 texels along an edge.
TEST(BrickHash, OfAnImageCountsTexelsOfBricksInTheBox) {
    EXPECT_EQ(counted(true, false,
                      [](std::size_t n) {
                          const std::size_t x = n % 48, y = n / 48 % 24, z = n / (48 * 24);
                          return z < 2 && ((x >= 9 && x < 11 && y < 2) || (x == 6 && y >= 3 && y < 5));
                      }),
              12u);
}

TEST(BrickHash, OfABufferCountsElementsOfBricksInTheBox) {
    for (const bool isSmoke : {false, true}) {
        const std::size_t first = isSmoke ? 7 : 3, second = isSmoke ? 4 : 18;
        EXPECT_EQ(counted(false, isSmoke, [&](std::size_t n) { return n / 8 == first || (n / 8 == second && n % 2 == 0); }), 12u);
    }
}

TEST(BrickHash, DoesNotDependOnTheSlotButOnTheBrick) {
    std::vector<float> values = numbered(1024);
    const std::uint64_t first = hashOf(values, false);
    std::copy_n(values.begin() + 3 * 8, 8, values.begin() + 5 * 8);
    EXPECT_EQ(hashOf(values, false, false, 5), first);
    EXPECT_NE(hashOf(values, false, false, 6), first) << "other values";
    EXPECT_NE(hashOf(values, false, false, 3, WISP_OPEN_SLOT), first) << "not active";
}

}  // namespace
}  // namespace wisp
