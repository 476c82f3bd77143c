// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/picture_settings.h"

#include <span>
#include <string>

namespace wisp {

/// What a scene must contain so that a field can be shown.
enum class ViewNeeds : std::uint32_t { Nothing, Smoke, Temperature, Fuel };

/// The properties of a field that can be shown by colour. shaders/picture/view_field.comp computes its values.
struct ViewFieldInfo {
    ViewField field;
    const char *name, *unit;  ///< `name` as in scene files
    bool isSigned;            ///< the field is signed, and its colour map is centred at 0
    bool onScalarCells;       ///< one value per scalar cell; else one per fine cell
    ViewNeeds needs;
};

/// All but ViewField::Smoke, in the order of ViewField.
std::span<const ViewFieldInfo> viewFields();
/// @throws std::logic_error for ViewField::Smoke, which is not a field
const ViewFieldInfo& viewFieldInfo(ViewField field);
/// The names of all fields in the form "density, temperature or speed".
std::string viewFieldNames();

}  // namespace wisp
