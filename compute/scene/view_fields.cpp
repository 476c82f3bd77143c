// SPDX-License-Identifier: MIT
#include "compute/scene/view_fields.h"

#include "shaders/shared/field_view.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace wisp {
namespace {

/// `number`: the shader's constant for the field.
template <ViewField field, int number>
constexpr ViewFieldInfo row(const char* name, const char* unit, bool isSigned, ViewNeeds needs = ViewNeeds::Nothing) {
    static_assert(static_cast<int>(field) == number);
    return {field, name, unit, isSigned, WISP_VIEW_ON_SCALAR_CELLS(number), needs};
}

constexpr std::array kFields{
    row<ViewField::Density, WISP_VIEW_DENSITY>("density", "1", false, ViewNeeds::Smoke),
    row<ViewField::Temperature, WISP_VIEW_TEMPERATURE>("temperature", "K", true, ViewNeeds::Temperature),
    row<ViewField::Speed, WISP_VIEW_SPEED>("speed", "m/s", false),
    row<ViewField::Vorticity, WISP_VIEW_VORTICITY>("vorticity", "1/s", false),
    row<ViewField::Pressure, WISP_VIEW_PRESSURE>("pressure", "m\u00b2/s", true),
    row<ViewField::Divergence, WISP_VIEW_DIVERGENCE>("divergence", "1/s", true),
    row<ViewField::Fuel, WISP_VIEW_FUEL>("fuel", "1", false, ViewNeeds::Fuel),
    row<ViewField::Flame, WISP_VIEW_FLAME>("flame", "1", false, ViewNeeds::Fuel),
};

}  // namespace

std::span<const ViewFieldInfo> viewFields() { return kFields; }

const ViewFieldInfo& viewFieldInfo(ViewField field) {
    for (const ViewFieldInfo& info : kFields)
        if (info.field == field) return info;
    throw std::logic_error("ViewField::Smoke is not a field");
}

ViewScale viewScale(const Settings& s) {
    if (s.view.field == ViewField::Smoke) return {};
    if (s.view.field == ViewField::Temperature && s.usesFuel()) return {.base = s.flow.ambient};
    return {.isSigned = viewFieldInfo(s.view.field).isSigned, .ignition = s.view.field == ViewField::Flame ? s.fire.ignition : 0.0f};
}

std::string viewFieldNames() {
    std::string names;
    for (const ViewFieldInfo& info : kFields)
        names += (names.empty() ? "" : &info == &kFields.back() ? " or " : ", ") + std::string(info.name);
    return names;
}

std::uint32_t legendScale(glm::uvec2 pixels) {
    if (pixels.x < 320 || pixels.y < 220) return 0;
    return std::max(1u, std::min(pixels.x / 640, pixels.y / 360));
}

std::uint32_t legendWidth(const Settings& s) { return s.view.legend ? 100 * legendScale(s.render.size) : 0; }

}  // namespace wisp
