// SPDX-License-Identifier: MIT
#include "api/field_access.h"
#include "api/simulation_impl.h"

namespace wisp {
namespace {

const engine::Image& imageOf(const Fields& f, const ReadableField& field) {
    switch (field.number) {
        case WISP_READ_VELOCITY: return f.flow.divergenceFree();
        case WISP_READ_COLOUR: return f.smoke.colours[0];
        default: return f.smoke.scalars[0];
    }
}

}  // namespace

Field Field::Access::make(const Simulation::Impl& s, const ReadableField& field) {
    if (field.number == WISP_READ_PRESSURE)
        throw Error(ErrorCode::Unsupported, "pressure is not in an image; Simulation::read gives its values");
    const Fields& f = s.simulator.fields();
    const engine::Image& image = imageOf(f, field);
    Field made;
    made.name_ = field.name;
    made.lattice_ = s.latticeOf(field);
    made.channel_ = field.number <= WISP_READ_FUEL ? static_cast<std::uint32_t>(field.number) : 0;
    made.components_ = field.components;
    made.format_ = static_cast<int>(image.desc().format);
    made.source_ = {image.handle(), image.view(), f.domain.bricks ? f.domain.bricks->slots.handle() : nullptr};
    made.version_ = s.version;
    return made;
}

const Field::Source& Field::source() const {
    if (version_.expired())
        throw Error(ErrorCode::Outdated, "the field " + name_ + " is from before a step, reset or change: ask the simulation for it again");
    return source_;
}

VkImage Field::image() const { return source().image; }
VkImageView Field::view() const { return source().view; }
VkBuffer Field::bricks() const { return source().bricks; }

}  // namespace wisp
