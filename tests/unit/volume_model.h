// SPDX-License-Identifier: MIT
#pragma once

#include "files/volume/volume.h"

#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <vector>

/// Volumes with known contents, and what a file must contain, cell by cell.
namespace wisp::test {

inline std::size_t indexOf(glm::uvec3 size, int x, int y, int z) {
    return (static_cast<std::size_t>(z) * size.y + static_cast<std::size_t>(y)) * size.x + static_cast<std::size_t>(x);
}
inline std::size_t count(glm::uvec3 size) { return std::size_t{size.x} * size.y * size.z; }

/// Multiples of 1/16 up to 8. About `some` of ten numbers are not 0.
inline std::vector<float> someNumbers(std::size_t count, unsigned some, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<float> numbers(count);
    for (float& n : numbers) n = generator() % 10 < some ? static_cast<float>(1 + generator() % 128) / 16.0f : 0.0f;
    return numbers;
}

/// A volume with its own bytes. All numbers are exact in 16-bit floats, for both storage formats.
struct StoredVolume {
    Settings settings;
    std::vector<std::byte> smokeBlocks, velocityBlocks;  ///< of .vdb and .nvdb files
    std::uint32_t channels = 1;
    std::vector<std::byte> velocity, aperture;  ///< of an atlas

    explicit StoredVolume(glm::uvec3 cells, Precision precision = Precision::Half, std::uint32_t scalarRatio = 1) {
        settings.grid = {.cells = cells,
                         .scalarRatio = scalarRatio,
                         .size = glm::vec3(cells) * 0.125f,
                         .origin = {-3.0f, 0.5f, 2.25f},
                         .precision = precision};
    }
    void put(std::vector<std::byte>& to, float value) const {
        const std::uint16_t half = glm::packHalf1x16(value);
        const float whole = glm::unpackHalf1x16(half);
        const auto bytes = settings.grid.precision == Precision::Half ? std::as_bytes(std::span(&half, 1))
                                                                      : std::as_bytes(std::span(&whole, 1));
        to.insert(to.end(), bytes.begin(), bytes.end());
    }
    [[nodiscard]] Volume volume() const {
        return {.grid = settings.grid,
                .blocks = {smokeBlocks, velocityBlocks},
                .channels = channels,
                .velocity = velocity,
                .aperture = aperture};
    }
    /// Packs all blocks of a field with `channels` numbers per cell, as shaders/volume does, in the reverse order.
    [[nodiscard]] std::vector<std::byte> pack(glm::uvec3 cells, std::span<const float> numbers, std::size_t perCell) const {
        std::vector<std::byte> packed;
        const glm::ivec3 blocks((cells + 7u) / 8u);
        for (int n = blocks.x * blocks.y * blocks.z - 1; n >= 0; --n) {
            const glm::ivec4 corner = 8 * glm::ivec4(n % blocks.x, n / blocks.x % blocks.y, n / (blocks.x * blocks.y), 0);
            const auto head = std::as_bytes(std::span(&corner, 1));
            packed.insert(packed.end(), head.begin(), head.end());
            for (std::size_t channel = 0; channel < perCell; ++channel)
                for (int i = 0; i < 512; ++i) {
                    const glm::ivec3 c = glm::ivec3(corner) + glm::ivec3(i % 8, i / 8 % 8, i / 64);
                    const bool inside = c.x < static_cast<int>(cells.x) && c.y < static_cast<int>(cells.y) &&
                                        c.z < static_cast<int>(cells.z);
                    put(packed, inside ? numbers[indexOf(cells, c.x, c.y, c.z) * perCell + channel] : 0.0f);
                }
        }
        return packed;
    }
    void packSmoke(std::span<const float> numbers, std::uint32_t perCell) {
        channels = perCell;
        smokeBlocks = pack(settings.grid.scalarCells(), numbers, perCell);
    }
    void packVelocity(std::span<const float> numbers) { velocityBlocks = pack(settings.grid.cells, numbers, 3); }
};

/// Random gas, and what its files contain.
struct VolumeModel {
    StoredVolume stored;
    glm::ivec3 cells, smokeCells;
    std::vector<float> density, temperature, fuel, velocity;
    bool burns;
    Volume volume;

    VolumeModel(glm::uvec3 size, Precision precision, std::uint32_t scalarRatio, bool burning = false)
        : stored(size, precision, scalarRatio), cells(size), smokeCells(stored.settings.grid.scalarCells()), burns(burning) {
        const glm::uvec3 smoke(smokeCells);
        density = someNumbers(count(smoke), 1, 1);
        temperature = someNumbers(count(smoke), 2, 2);
        fuel = someNumbers(count(smoke), 3, 4);
        velocity = someNumbers(3 * count(size), 7, 3);
        std::vector<float> numbers;
        for (std::size_t n = 0; n < density.size(); ++n) {
            numbers.insert(numbers.end(), {density[n], temperature[n]});
            if (burns) numbers.push_back(fuel[n]);
        }
        stored.packSmoke(numbers, burns ? 3 : 2);
        stored.packVelocity(velocity);
        volume = stored.volume();
        volume.ambient = 300.0f;
        volume.ignition = 4.0f;
        volume.time = 1.25;
        volume.frame = 7;
        volume.choice.threshold = 0.5f;
        volume.choice.fps = 24.0;
    }
    [[nodiscard]] glm::ivec3 sizeOf(VolumeField f) const { return f == VolumeField::Velocity ? cells : smokeCells; }
    [[nodiscard]] bool isSmoke(glm::ivec3 c) const {
        const std::size_t n = indexOf(glm::uvec3(smokeCells), c.x, c.y, c.z);
        const bool any = burns && (volume.choice.has(VolumeField::Fuel) || temperature[n] >= volume.ignition);
        return density[n] > volume.choice.threshold || (any && fuel[n] > volume.choice.threshold);
    }
    /// Value of an active cell, else std::nullopt.
    [[nodiscard]] std::optional<float> scalar(VolumeField f, glm::ivec3 c) const {
        if (!isSmoke(c)) return std::nullopt;
        const std::size_t n = indexOf(glm::uvec3(smokeCells), c.x, c.y, c.z);
        const float flame = temperature[n] >= volume.ignition ? fuel[n] : 0.0f;
        if (f == VolumeField::Temperature) return volume.ambient + temperature[n];
        const float value = f == VolumeField::Flame ? flame : f == VolumeField::Fuel ? fuel[n] : density[n];
        return value == 0.0f ? std::nullopt : std::optional(value);
    }
    [[nodiscard]] std::optional<glm::vec3> velocityAt(glm::ivec3 c) const {
        const glm::ivec3 ratio = smokeCells / cells, low = glm::max((c - 1) * ratio, 0), high = glm::min((c + 2) * ratio, smokeCells);
        bool any = false;
        for (int z = low.z; z < high.z; ++z)
            for (int y = low.y; y < high.y; ++y)
                for (int x = low.x; x < high.x; ++x) any = any || isSmoke({x, y, z});
        const std::size_t n = 3 * indexOf(glm::uvec3(cells), c.x, c.y, c.z);
        return any ? std::optional(glm::vec3(velocity[n], velocity[n + 1], velocity[n + 2])) : std::nullopt;
    }
    /// Calls `check` with the index in the file and the expected value of each cell, and of the cells around the grid.
    template <class Value>
    void forCells(VolumeField f, const std::function<void(glm::ivec3, std::optional<Value>)>& check) const {
        const glm::ivec3 end = sizeOf(f);
        for (int z = -1; z <= end.z; ++z)
            for (int y = -1; y <= end.y; ++y)
                for (int x = -1; x <= end.x; ++x) {
                    const glm::ivec3 c(x, y, z), index = volume.choice.upIsZ ? glm::ivec3(x, end.z - 1 - z, y) : c;
                    std::optional<Value> value;
                    if (std::min({x, y, z}) >= 0 && x < end.x && y < end.y && z < end.z) {
                        if constexpr (std::is_same_v<Value, float>) value = scalar(f, c);
                        else value = velocityAt(c);
                        if constexpr (!std::is_same_v<Value, float>)
                            if (value && volume.choice.upIsZ) value = glm::vec3(value->x, -value->z, value->y);
                    }
                    check(index, value);
                }
    }
};

}  // namespace wisp::test
