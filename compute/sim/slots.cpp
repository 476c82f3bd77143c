// SPDX-License-Identifier: MIT
#include "compute/sim/slots.h"

#include <algorithm>

namespace wisp {
namespace {

struct GrowSlotsPush {
    std::uint32_t flowSlots, smokeSlots;
};
WISP_MEMBERS(GrowSlotsPush, flowSlots, smokeSlots)

template <class Resource>
struct Slotted {
    Resource* resource;
    bool isSmoke;
};

std::vector<Slotted<engine::Image>> slotImages(Fields& f) {
    std::vector<Slotted<engine::Image>> all;
    const auto add = [&](engine::Image& image, bool isSmoke) {
        if (image && image.size().z > 1) all.push_back({&image, isSmoke});
    };
    Domain& d = f.domain;
    for (engine::Image* image : {&d.aperture, &d.apertureBefore, &d.solidDistance, &d.solidDistanceBefore, &d.solidVelocity,
                                 &f.flow.velocity, &f.flow.projected, &f.flow.scratch, &f.flow.centre})
        add(*image, false);
    if (f.pressure.middle) {
        MiddleGrid& m = *f.pressure.middle;
        for (engine::Image* image : {&m.velocity, &m.projected, &m.aperture}) add(*image, false);
        for (engine::Image& image : f.pressure.blocks.changes) add(image, false);
    }
    for (auto* field : {&f.smoke.scalars, &f.smoke.colours})
        for (engine::Image& image : *field) add(image, true);
    return all;
}

std::vector<Slotted<engine::Buffer>> slotBuffers(Fields& f) {
    std::vector<Slotted<engine::Buffer>> all;
    for (engine::Buffer* buffer : {&f.flow.centreVectors, &f.flow.back, &f.flow.ahead, &f.flow.reach}) all.push_back({buffer, false});
    all.push_back({&f.pressure.potential, false});
    if (f.pressure.middle)
        for (engine::Buffer* buffer : {&f.pressure.middle->correction, &f.pressure.blocks.openFaces, &f.pressure.blocks.smoothFaces})
            all.push_back({buffer, false});
    for (engine::Buffer* buffer : {&f.smoke.bricks, &f.smoke.reached}) all.push_back({buffer, true});
    return all;
}

// Resources of a slot of each kind [bytes].
std::pair<double, double> bytesOfSlot(const Fields& fields) {
    auto& f = const_cast<Fields&>(fields);  // NOLINT(cppcoreguidelines-pro-type-const-cast): the lists are only read
    const Bricks& b = *f.domain.bricks;
    std::pair<double, double> sum{0.0, 0.0};
    const auto add = [&](const auto& all) {
        for (const auto& s : all)
            (s.isSmoke ? sum.second : sum.first) += static_cast<double>(s.resource->bytes()) / (s.isSmoke ? b.smokeSlots : b.flowSlots);
    };
    add(slotImages(f));
    add(slotBuffers(f));
    return sum;
}

// The resource with another number of slots.
engine::Image resized(engine::Device& device, const engine::Image& image, std::uint32_t before, std::uint32_t slots) {
    engine::ImageDesc desc = image.desc();
    desc.size.z = static_cast<std::uint32_t>(std::uint64_t{desc.size.z} * slots / before);
    return {device, desc};
}
engine::Buffer resized(engine::Device& device, const engine::Buffer& buffer, std::uint32_t before, std::uint32_t slots) {
    engine::BufferDesc desc = buffer.desc();
    desc.bytes = desc.bytes / before * slots;
    return {device, desc};
}

// `replace`: called with each resource and its successor.
template <class Replace>
void resizeAll(engine::Device& device, Fields& f, SlotCounts slots, const Replace& replace) {
    Bricks& b = *f.domain.bricks;
    const auto resize = [&](const auto& s) {
        const std::uint32_t before = s.isSmoke ? b.smokeSlots : b.flowSlots, after = s.isSmoke ? slots.smoke : slots.flow;
        if (before == after) return;
        auto next = resized(device, *s.resource, before, after);
        replace(*s.resource, next, s.isSmoke);
        *s.resource = std::move(next);
    };
    for (const auto& s : slotImages(f)) resize(s);
    for (const auto& s : slotBuffers(f)) resize(s);
    b.flowSlots = slots.flow;
    b.smokeSlots = slots.smoke;
}

}  // namespace

std::uint64_t slotBytes(const Fields& fields, SlotCounts slots) {
    const auto [flow, smoke] = bytesOfSlot(fields);
    return static_cast<std::uint64_t>(flow * slots.flow + smoke * slots.smoke);
}

SlotCounts slotsWithin(const Fields& fields, SlotCounts wanted, std::uint64_t bytes, std::uint32_t largestImage) {
    const Bricks& b = *fields.domain.bricks;
    const SlotCounts now = b.slotCounts();
    const auto most = [&](std::uint32_t want, std::uint32_t edge) {
        const std::uint64_t inImage = std::uint64_t{std::min<std::uint32_t>(largestImage, WISP_DEEPEST_IMAGE) / edge} * b.slotsInLayer();
        // Shaders number the cells of all slots in 32 bits.
        const std::uint64_t cells = std::uint64_t{edge - 1} * (edge - 1) * (edge - 1),
                            numbered = (std::uint64_t{1} << 32) / (cells * b.slotsInLayer()) * b.slotsInLayer();
        return Bricks::wholeLayers(std::min({std::uint64_t{want}, b.count() + WISP_BLANK_SLOTS, inImage, numbered}), b.columns);
    };
    wanted = {most(wanted.flow, WISP_BRICK_EDGE + 1), most(wanted.smoke, WISP_BRICK_EDGE * fields.domain.grid.scalarRatio + 1)};
    const double room = static_cast<double>(bytes) - static_cast<double>(slotBytes(fields, now)),
                 share = std::clamp(room / static_cast<double>(slotBytes(fields, wanted)), 0.0, 1.0);
    const auto fitting = [&](std::uint32_t have, std::uint32_t want) {
        const auto layers = static_cast<std::uint32_t>(share * (want / b.slotsInLayer()));  // rounded down
        return std::max(have, layers * b.slotsInLayer());
    };
    return {fitting(now.flow, wanted.flow), fitting(now.smoke, wanted.smoke)};
}

void recordMoreSlots(engine::Device& device, engine::Recorder& rec, Fields& f, SlotCounts slots) {
    Bricks& b = *f.domain.bricks;
    engine::Buffer free = b.makeFreeSlots(device, slots);
    rec.clear(free, 0);
    rec.dispatch("grow_slots", {std::max(slots.flow, slots.smoke), 1, 1}, {{"freeSlots", b.freeSlots}, {"freeSlotsOut", free}},
                 GrowSlotsPush{slots.flow, slots.smoke});
    resizeAll(device, f, slots, [&](const auto& from, const auto& to, bool isSmoke) {
        if (isSmoke) rec.clear(to, 0);  // free slots hold no smoke
        rec.copy(from, to);
    });
    b.freeSlots = std::move(free);
}

void makeSlots(engine::Device& device, Fields& f, SlotCounts slots) {
    Bricks& b = *f.domain.bricks;
    if (slots == b.slotCounts()) return;
    engine::Buffer free = b.makeFreeSlots(device, slots);
    resizeAll(device, f, slots, [](const auto&, const auto&, bool) {});
    b.freeSlots = std::move(free);
}

}  // namespace wisp
