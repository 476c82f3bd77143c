// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

#include <fmt/format.h>
#include <glm/vector_relational.hpp>

#include <string>
#include <utility>
#include <vector>

/// The parts of `validate`.
namespace wisp {

// Beyond these limits, squares and sums of half-precision fields exceed the range of half floats (65504) or of exact sums.
inline constexpr float kMaxLength = 1e6f;   // [m]
inline constexpr float kMinLength = 1e-6f;  // [m]; below it air is no continuum, and squares of quotients by it overflow
inline constexpr float kMaxSpeed = 1e4f;    // [m/s]
inline constexpr float kMaxAmount = 1e4f;   // density, temperature [K] and their rates
inline constexpr float kMaxRate = 1e4f;     // [1/s]
inline constexpr float kMaxLight = 1e6f;
inline constexpr float kMaxView = 1e9f;
inline constexpr std::uint32_t kMaxArrows = 1024;
inline constexpr std::uint32_t kMaxCells = 4096;  // along an edge
inline constexpr std::uint64_t kMaxScalarCells = 1ull << 32;

/// Collects problems. Every comparison is false for NaN, so NaN is never in range.
class Checker {
public:
    std::vector<Problem> problems;

    void fail(std::string key, std::string message, std::vector<std::string> with = {}) {
        problems.push_back({std::move(key), std::move(message), std::move(with)});
    }

    void within(const std::string& key, float value, float low, float high) {
        if (!(value >= low && value <= high)) fail(key, fmt::format("is {}, must be from {} to {}", value, low, high));
    }
    void between(const std::string& key, float value, float low, float high) {
        if (!(value > low && value < high)) fail(key, fmt::format("is {}, must lie between {} and {}, ends excluded", value, low, high));
    }
    void positive(const std::string& key, float value, float high) {
        if (!(value > 0.0f && value <= high)) fail(key, fmt::format("is {}, must be above 0 and at most {}", value, high));
    }
    void within(const std::string& key, std::uint32_t value, std::uint32_t low, std::uint32_t high) {
        if (value < low || value > high) fail(key, fmt::format("is {}, must be from {} to {}", value, low, high));
    }
    void within(const std::string& key, const glm::vec3& v, float low, float high) {
        if (!glm::all(glm::greaterThanEqual(v, glm::vec3(low))) || !glm::all(glm::lessThanEqual(v, glm::vec3(high))))
            fail(key, fmt::format("is [{}, {}, {}], each must be from {} to {}", v.x, v.y, v.z, low, high));
    }
    void within(const std::string& key, const glm::uvec2& v, std::uint32_t low, std::uint32_t high) {
        if (glm::any(glm::lessThan(v, glm::uvec2(low))) || glm::any(glm::greaterThan(v, glm::uvec2(high))))
            fail(key, fmt::format("is [{}, {}], each must be from {} to {}", v.x, v.y, low, high));
    }
    void positive(const std::string& key, const glm::vec3& v, float high) {
        if (!glm::all(glm::greaterThan(v, glm::vec3(0.0f))) || !glm::all(glm::lessThanEqual(v, glm::vec3(high))))
            fail(key, fmt::format("is [{}, {}, {}], each must be above 0 and at most {}", v.x, v.y, v.z, high));
    }
    /// A temperature above ambient [K]: not below absolute zero.
    void temperature(const std::string& key, float value, const Settings& s) {
        if (!(value < -s.flow.ambient && value >= -kMaxAmount)) return within(key, value, -kMaxAmount, kMaxAmount);
        fail(key,
             fmt::format("is {} K above ambient, which is below absolute zero: must be at least {} K, with flow.ambient = {} K", value,
                         -s.flow.ambient, s.flow.ambient),
             {"flow.ambient"});
    }
    /// Times of keys must strictly increase.
    template <class Key>
    void times(const std::string& path, const std::vector<Key>& keys) {
        for (std::size_t k = 0; k < keys.size(); ++k) {
            const std::string key = fmt::format("{}.keys[{}].t", path, k);
            within(key, keys[k].t, 0.0f, kMaxLength);
            if (k > 0 && keys[k].t >= 0.0f && keys[k].t <= keys[k - 1].t)
                fail(key, fmt::format("is {}, must be later than the key before it, at {}", keys[k].t, keys[k - 1].t),
                     {fmt::format("{}.keys[{}].t", path, k - 1)});
        }
    }
    template <class T>
    void atMost(const std::string& key, const std::vector<T>& list, std::size_t limit) {
        if (list.size() > limit) fail(key, fmt::format("there are {}, at most {} are allowed", list.size(), limit));
    }
};

/// Emitters, strokes, obstacles and initial fields.
void checkSources(Checker& check, const Settings& settings);
/// Keys of fire, and settings that cannot be combined with it.
void checkFire(Checker& check, const Settings& settings);
/// Settings that a sparse simulation does not support.
void checkSparse(Checker& check, const Settings& settings);
/// Positions, fields and files of probes.
void checkProbes(Checker& check, const Settings& settings);
/// Keys of the scene's fluid, and settings that cannot be combined with the fluid.
void checkFluid(Checker& check, const Settings& settings);

}  // namespace wisp
