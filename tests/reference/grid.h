// SPDX-License-Identifier: MIT
#pragma once

#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstddef>
#include <vector>

/// CPU twins of the GPU passes in double precision, written from docs/passes.md. They favour clarity over speed.
namespace wisp::reference {

using glm::dvec3;
using glm::dvec4;
using glm::ivec3;

/// Calls f(c) for every index c of a grid of `size`, x fastest.
template <class F>
void forEach(ivec3 size, F&& f) {
    for (int z = 0; z < size.z; ++z)
        for (int y = 0; y < size.y; ++y)
            for (int x = 0; x < size.x; ++x) f(ivec3(x, y, z));
}

inline ivec3 unit(int axis) { return {axis == 0, axis == 1, axis == 2}; }

/// Values on a 3D grid, x fastest as in memory of the GPU.
template <class T>
class Grid {
public:
    Grid() = default;
    explicit Grid(ivec3 size, T value = T(0))
        : size_(size),
          values_(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * static_cast<std::size_t>(size.z), value) {}

    [[nodiscard]] ivec3 size() const { return size_; }
    [[nodiscard]] std::size_t count() const { return values_.size(); }
    [[nodiscard]] std::vector<T>& values() { return values_; }
    [[nodiscard]] const std::vector<T>& values() const { return values_; }

    T& operator()(ivec3 c) { return values_[index(c)]; }
    const T& operator()(ivec3 c) const { return values_[index(c)]; }
    [[nodiscard]] bool contains(ivec3 c) const {
        return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < size_.x && c.y < size_.y && c.z < size_.z;
    }
    /// The cell that index c refers to. Periodic axes (`period` not 0) wrap into the first period. Other axes clamp to the grid.
    [[nodiscard]] ivec3 inside(ivec3 c, ivec3 period) const {
        for (int a = 0; a < 3; ++a)
            c[a] = period[a] == 0 ? glm::clamp(c[a], 0, size_[a] - 1) : ((c[a] % period[a]) + period[a]) % period[a];
        return c;
    }
    [[nodiscard]] const T& nearest(ivec3 c, ivec3 period = ivec3(0)) const { return (*this)(inside(c, period)); }

    /// Calls f(cell, weight) for the eight texels around a texel coordinate. Texel centres are at i + 1/2.
    template <class F>
    void forTexelsAround(dvec3 texel, F&& f, ivec3 period = ivec3(0)) const {
        const ivec3 base(glm::floor(texel - 0.5));
        forEach(ivec3(2), [&](ivec3 o) {
            const dvec3 hat = 1.0 - glm::abs(texel - 0.5 - dvec3(base + o));
            f(inside(base + o, period), hat.x * hat.y * hat.z);
        });
    }

    /// Trilinear interpolation.
    [[nodiscard]] T sample(dvec3 texel, ivec3 period = ivec3(0)) const {
        T sum(0);
        forTexelsAround(
            texel, [&](ivec3 c, double weight) { sum += weight * (*this)(c); }, period);
        return sum;
    }

private:
    [[nodiscard]] std::size_t index(ivec3 c) const {
        return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(size_.y) + static_cast<std::size_t>(c.y)) *
                   static_cast<std::size_t>(size_.x) +
               static_cast<std::size_t>(c.x);
    }
    ivec3 size_{0};
    std::vector<T> values_;
};

/// Image texels: velocity on faces, (density, temperature), ...
using Field = Grid<dvec4>;
using Numbers = Grid<double>;

}  // namespace wisp::reference
