// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/picture_settings.h"

#include <span>
#include <string>

namespace wisp {

/// What a scene must have so that a field can be seen.
enum class ViewNeeds : std::uint32_t { Nothing, Smoke, Temperature };

/// A field that can be seen by colour: all that there is to know of it but how it is computed (shaders/picture/view_field.comp).
struct ViewFieldInfo {
    ViewField field;
    const char *name, *unit;  ///< `name` as in scene files
    bool bothSigns;           ///< its sign matters: its colours meet at 0
    bool onScalarCells;       ///< it has a value a scalar cell; else a fine cell
    ViewNeeds needs;
};

/// All but ViewField::Smoke, in the order of ViewField.
std::span<const ViewFieldInfo> viewFields();
/// @throws std::logic_error of ViewField::Smoke, which is no field
const ViewFieldInfo& viewFieldInfo(ViewField field);
/// "density, temperature or speed", say, of all fields.
std::string viewFieldNames();

}  // namespace wisp
