// SPDX-License-Identifier: MIT
// The whole interface of the library.
#ifndef WISP_WISP_H
#define WISP_WISP_H

#include <wisp/camera.h>
#include <wisp/checkpoint.h>
#include <wisp/device.h>
#include <wisp/error.h>
#include <wisp/field.h>
#include <wisp/needs.h>
#include <wisp/profile.h>
#include <wisp/quality.h>
#include <wisp/renderer.h>
#include <wisp/scene.h>
#include <wisp/simulation.h>
#include <wisp/version.h>
#include <wisp/volume.h>
#include <wisp/volume_writer.h>

#endif
