// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <span>
#include <string>

namespace wisp {

/// What a scene must contain so that a field can be shown.
enum class ViewNeeds : std::uint32_t { Nothing, Smoke, Temperature, Fuel };

/// The properties of a field that can be shown by colour. shaders/picture/view_field.comp computes its values.
struct ViewFieldInfo {
    ViewField field;
    const char *name, *unit;  ///< `name` as in scene files
    bool isSigned;            ///< the field is signed; see ViewScale
    bool onScalarCells;       ///< one value per scalar cell; else one per fine cell
    ViewNeeds needs;
};

/// All but ViewField::Smoke, in the order of ViewField.
std::span<const ViewFieldInfo> viewFields();
/// @throws std::logic_error for ViewField::Smoke, which is not a field
const ViewFieldInfo& viewFieldInfo(ViewField field);
/// How the values of settings.view.field are shown. Scenes with fuel have absolute temperatures, because flames are far above ambient.
struct ViewScale {
    bool isSigned = false;  ///< the colour map is centred at 0
    float base = 0.0f;      ///< value where nothing is: the ambient temperature [K] of absolute temperatures
    float ignition = 0.0f;  ///< [K] above ambient, from which fuel is a flame; 0 for other fields
    bool operator==(const ViewScale&) const = default;
};
ViewScale viewScale(const Settings& settings);

/// The names of all fields in the form "density, temperature or speed".
std::string viewFieldNames();

/// Integer scale of text and lines in a picture: 1 for 640x360. 0: the picture is too small for a legend.
std::uint32_t legendScale(glm::uvec2 pixels);
/// Width of the legend's strip at the right side of the picture [pixels]; 0: no legend.
std::uint32_t legendWidth(const Settings& settings);

}  // namespace wisp
