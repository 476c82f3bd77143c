// SPDX-License-Identifier: MIT
// Values of enumerations that shaders use. The enums of compute/scene take their values from here. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_ENUMS_H
#define WISP_SHADERS_SHARED_ENUMS_H

// ShapeKind
#define WISP_SPHERE 0
#define WISP_BOX 1
#define WISP_CAPSULE 2
#define WISP_MESH 3
#define WISP_VOLUME 4  // only a setting: shaders of volumes do not use shapes

// Side
#define WISP_OPEN 0
#define WISP_WALL 1
#define WISP_INFLOW 2
#define WISP_PERIODIC 3

// InflowPattern
#define WISP_EVEN 0
#define WISP_STRIPES 1       // across the inflow
#define WISP_CHECKERBOARD 2  // in x and y

// PrescribedField
#define WISP_UNIFORM 1
#define WISP_ROTATION 2
#define WISP_SHEAR 3
#define WISP_SINE 4
#define WISP_TAYLOR_GREEN 5
#define WISP_ARROWS 6

// InitialField
#define WISP_FIELD_SHAPE 0
#define WISP_FIELD_TAYLOR_GREEN 1
#define WISP_FIELD_GAUSSIAN 2
#define WISP_FIELD_ZALESAK 3
#define WISP_FIELD_CHECKERBOARD 4  // radius of the shape: edge of a square
#define WISP_FIELD_IMAGE 5

// FireMixing
#define WISP_PREMIXED 0   // with the air that it burns in
#define WISP_DIFFUSION 1  // pure fuel does not burn

// LightKind
#define WISP_SUN 0
#define WISP_POINT 1
#define WISP_SPOT 2  // a point light that is limited to a cone

// ViewField
#define WISP_VIEW_DENSITY 1
#define WISP_VIEW_TEMPERATURE 2
#define WISP_VIEW_SPEED 3
#define WISP_VIEW_VORTICITY 4
#define WISP_VIEW_PRESSURE 5
#define WISP_VIEW_DIVERGENCE 6
#define WISP_VIEW_FUEL 7
#define WISP_VIEW_FLAME 8

// Tonemap
#define WISP_ACES 0
#define WISP_AGX 1
#define WISP_LINEAR 2
#define WISP_FILMIC 3

#endif
