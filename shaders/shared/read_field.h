// SPDX-License-Identifier: MIT
// The fields that read_field.comp reads. The first ones are channels of the scalars.
#ifndef WISP_SHADERS_SHARED_READ_FIELD_H
#define WISP_SHADERS_SHARED_READ_FIELD_H

#define WISP_READ_DENSITY 0
#define WISP_READ_TEMPERATURE 1
#define WISP_READ_FUEL 2
#define WISP_READ_VELOCITY 3
#define WISP_READ_PRESSURE 4
#define WISP_READ_COLOUR 5

#endif
