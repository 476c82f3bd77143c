// SPDX-License-Identifier: MIT
#pragma once

#include "tests/physics/simulation.h"

#include <cmath>
#include <cstring>
#include <vector>

/// Fields of a sparse simulation, whose bricks are stored in slots.
namespace wisp::test {

inline constexpr int kBrick = WISP_BRICK_EDGE;

/// A plume in a box of 1 x 1.5 x 1 m with an open top and open sides. Most of the box stays empty.
inline Settings plume(std::uint32_t ratio = 2) {
    Settings s = stillBox({64, 96, 64}, 1.0f / 64);
    for (const std::size_t side : {0u, 1u, 3u, 4u, 5u}) s.grid.sides[side] = Side::Open;
    s.grid.pressureRatio = ratio;
    s.grid.sparse = true;
    s.timeStep = 1.0f / 60;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
    s.flow.buoyancy = 0.03f;
    s.flow.vorticity = 0.3f;
    s.flow.detailDecay = 1.0f;
    s.advection.filter = Filter::Hardware;
    EmitterSettings source;
    source.shape = {.centre = {0.5f, 0.12f, 0.5f}, .radius = 0.1f};
    source.density = 1.0f;
    source.temperature = 100.0f;
    source.velocity = {0.0f, 0.6f, 0.0f};
    source.hasVelocity = true;
    source.turbulence = 0.3f;
    source.turbulenceScale = 0.08f;
    s.emitters.push_back(source);
    return s;
}

/// The same simulation without bricks.
inline Settings dense(Settings s) {
    s.grid.sparse = false;
    return s;
}

/// Of the first channel.
inline double rms(const Field& a, const Field& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.count(); ++i) sum += (a.values()[i].x - b.values()[i].x) * (a.values()[i].x - b.values()[i].x);
    return std::sqrt(sum / static_cast<double>(a.count()));
}

class SparsePhysics : public PhysicsTest {
protected:
    template <class T>
    std::vector<T> valuesOf(const engine::Buffer& buffer, std::size_t count) {
        const std::vector<std::byte> bytes = downloadBytes(buffer);
        std::vector<T> values(count);
        std::memcpy(values.data(), bytes.data(), count * sizeof(T));
        return values;
    }

    /// Whether the brick of a cell or face texel of edge `edge` fine cells is active.
    class Active {
    public:
        Active(ivec3 size, std::vector<std::uint32_t> states) : size_(size), words_(std::move(states)) {}
        bool operator()(ivec3 c, int edge = 1) const {
            const ivec3 b = c * edge / kBrick;
            return (words_[static_cast<std::size_t>((b.z * size_.y + b.y) * size_.x + b.x)] & WISP_IS_ACTIVE) != 0;
        }

    private:
        ivec3 size_;
        std::vector<std::uint32_t> words_;
    };
    Active activeIn(Simulation& s) {
        const Bricks& bricks = *s.simulator.fields().domain.bricks;
        return {ivec3(bricks.size), valuesOf<std::uint32_t>(bricks.states, bricks.count())};
    }
    std::vector<gpu::BrickSlots> slotsOf(Simulation& s) {
        const Bricks& bricks = *s.simulator.fields().domain.bricks;
        return valuesOf<gpu::BrickSlots>(bricks.slots, bricks.count());
    }

    /// A field of a sparse simulation as a dense one of `size` texels. Bricks that are not stored have the texels of a blank slot. `edge`:
    /// texels along an edge of a brick. A field of a dense simulation does not change.
    Field gathered(Simulation& s, const engine::Image& image, ivec3 size, int edge, bool ofSmoke) {
        const Field atlas = fieldOf(image);
        if (!s.simulator.fields().domain.bricks) return atlas;
        const std::vector<gpu::BrickSlots> slots = slotsOf(s);
        const ivec3 count(s.simulator.fields().domain.bricks->size);
        const int side = edge + 1;  // of a slot, with its margin
        Field field(size);
        forEach(size, [&](ivec3 c) {
            const ivec3 b = c / edge;
            const gpu::BrickSlots& own = slots[static_cast<std::size_t>((b.z * count.y + b.y) * count.x + b.x)];
            const int slot = static_cast<int>(ofSmoke ? own.smoke : own.flow);
            field(c) = atlas(side * ivec3(slot % WISP_SLOTS_X, slot / WISP_SLOTS_X % WISP_SLOTS_Y, slot / (WISP_SLOTS_X * WISP_SLOTS_Y)) +
                             c % edge);
        });
        return field;
    }
    Field facesOf(Simulation& s, const engine::Image& image) {
        return gathered(s, image, ivec3(s.simulator.fields().domain.faceTexels()), kBrick, false);
    }
    Field smokeOf(Simulation& s, const engine::Image& image) {
        const Domain& d = s.simulator.fields().domain;
        return gathered(s, image, ivec3(d.scalarCells()), kBrick * static_cast<int>(d.grid.scalarRatio), true);
    }
    Field densityOf(Simulation& s) { return smokeOf(s, s.simulator.fields().smoke.scalars[0]); }
    Field coloursOf(Simulation& s) { return smokeOf(s, s.simulator.fields().smoke.colours[0]); }
    Field velocityOf(Simulation& s) { return facesOf(s, s.simulator.fields().flow.divergenceFree()); }

    /// Rms divergence [1/s] of the fine cells in active bricks.
    double fineDivergence(Simulation& s, const Active& active) {
        const Field u = velocityOf(s);
        const ivec3 cells(s.simulator.fields().domain.cells());
        double sum = 0.0, count = 0.0;
        forEach(cells, [&](ivec3 c) {
            if (!active(c)) return;
            double out = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                ivec3 high = c;
                ++high[axis];
                out += u(high)[axis] - u(c)[axis];
            }
            sum += out * out;
            count += 1.0;
        });
        return std::sqrt(sum / count) / double(s.simulator.settings().grid.cellSize());
    }

    /// What the slots of a simulation are used for.
    class SlotUse {
    public:
        enum Kind { Blank, Active, Halo, Free };
        SlotUse(SparsePhysics& test, Simulation& s)
            : bricks_(*s.simulator.fields().domain.bricks), flow_(bricks_.flowSlots, Free), smoke_(bricks_.smokeSlots, false) {
            std::fill_n(flow_.begin(), WISP_BLANK_SLOTS, Blank);
            std::fill_n(smoke_.begin(), WISP_BLANK_SLOTS, true);
            for (const gpu::BrickSlots& own : test.slotsOf(s)) {
                if (own.flow >= WISP_BLANK_SLOTS) flow_[own.flow] = own.smoke >= WISP_BLANK_SLOTS ? Active : Halo;
                smoke_[own.smoke] = true;
            }
        }
        /// On the fine grid slots have a margin.
        static int slotEdge(int edge) { return edge == kBrick ? edge + 1 : edge; }
        /// `edge`: texels along an edge of a brick.
        bool isInSlots(const engine::Image& image, int edge) const {
            return image.size() == bricks_.flowTexels(static_cast<std::uint32_t>(slotEdge(edge)));
        }
        bool isInSlots(const engine::Buffer& buffer, int edge) const {
            return buffer.bytes() >= bricks_.flowSlots * sizeof(float) * static_cast<std::size_t>(edge * edge * edge);
        }
        /// The kind of each slot, as a bit.
        [[nodiscard]] std::vector<std::uint32_t> flowBits() const {
            std::vector<std::uint32_t> bits;
            for (const Kind kind : flow_) bits.push_back(1u << kind);
            return bits;
        }
        [[nodiscard]] std::vector<std::uint32_t> smokeBits() const {
            std::vector<std::uint32_t> bits(smoke_.size(), 1u << Free);
            std::fill_n(bits.begin(), WISP_BLANK_SLOTS, 1u << Blank);
            return bits;
        }
        enum class SmokeKind { Blank, Used, Free, Margin };
        /// Calls f(index, kind of the slot or margin) for all values of a field of smoke. Blank slots have no margins.
        template <class F>
        void forSmoke(const engine::Image& image, std::size_t values, const F& f) const {
            forSlots(image, static_cast<int>(image.size().x / WISP_SLOTS_X), values, [&](std::size_t i, std::size_t slot, bool isMargin) {
                f(i, slot < WISP_BLANK_SLOTS ? SmokeKind::Blank
                     : isMargin              ? SmokeKind::Margin
                     : smoke_[slot]          ? SmokeKind::Used
                                             : SmokeKind::Free);
            });
        }

    private:
        template <class F>
        static void forSlots(const engine::Image& image, int edge, std::size_t values, const F& f) {
            const ivec3 size(image.size());
            const std::size_t channels = values / Field(size).count();
            std::size_t i = 0;
            forEach(size, [&](ivec3 c) {
                const ivec3 n = c / edge, local = c % edge;
                const bool isMargin = local.x == edge - 1 || local.y == edge - 1 || local.z == edge - 1;
                for (std::size_t k = 0; k < channels; ++k)
                    f(i++, static_cast<std::size_t>((n.z * WISP_SLOTS_Y + n.y) * WISP_SLOTS_X + n.x), isMargin);
            });
        }
        const Bricks& bricks_;
        std::vector<Kind> flow_;
        std::vector<bool> smoke_;
    };
};

}  // namespace wisp::test
