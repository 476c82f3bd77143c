// SPDX-License-Identifier: MIT
#include "api/field_legend.h"

#include "api/guarded.h"
#include "api/renderer_impl.h"
#include "compute/picture/colour_map.h"
#include "compute/picture/field_view.h"
#include "compute/scene/view_fields.h"

namespace wisp {

std::optional<FieldLegend> legendOf(const Settings& s) {
    const ViewSettings& view = s.view;
    if (view.field == ViewField::Smoke) return std::nullopt;
    const ViewFieldInfo& info = viewFieldInfo(view.field);
    FieldLegend legend{.name = info.name, .unit = info.unit, .absolute = viewScale(s).base > 0.0f, .width = legendWidth(s)};
    for (const glm::vec3 c : colourMapOf(s)) legend.colours.push_back({c.r, c.g, c.b});
    if (view.slice == SliceAxis::None) return legend;
    legend.slice = "xyz"[static_cast<int>(view.slice) - 1];
    legend.moves = !s.follow.keys.empty() && !view.position;
    legend.position = slicePosition(s);
    if (view.arrows > 0) legend.arrow = WISP_ARROW_LENGTH * slicePlot(s).spacing;
    return legend;
}

std::optional<FieldLegend> Renderer::legend() const {
    return guarded([&] {
        const Entry entry(*impl_->simulation);
        return legendOf(impl_->wanted());
    });
}

}  // namespace wisp
