// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/temporal.h"
#include "tests/reference/solids.h"

#include <vector>

/// Rendering passes. Positions are in metres. A field that fills the box is sampled at (x - origin) / size.
namespace wisp::reference {

using View = gpu::ViewData;

dvec3 boxSize(const Step& s);
dvec4 sampleBox(const Step& s, const Field& field, dvec3 x);
/// Density of smoke. Smoke repeats along periodic axes, light does not.
double densityAt(const Step& s, const Field& scalars, dvec3 x);

/// Albedo at a point with smoke. `colours`: density times colour, or null.
dvec3 albedoAt(const Step& s, const View& v, const Field& scalars, const Field* colours, dvec3 x);

Field occupancy(const Step& s, const Field& scalars);

/// First point of a ray on an obstacle grown by `margin` [m], at most at `far`. `obstacle`: its index, or -1.
struct Hit {
    double distance;
    int obstacle;
};
Hit obstacleHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin);

/// As obstacleHit(), plus the ground: the plane y = origin.y seen from above. Its index is WISP_MAX_OBSTACLES.
Hit surfaceHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin, bool ground);

/// Opacity of the ground at x. The ground fades out between one and two ground radii.
double groundCover(const Step& s, const View& v, dvec3 x);

/// exp(-optical depth) from x to where the ray leaves the box, or to `far`. Midpoint rule with steps of at most `stepLength`.
double transmittance(const Step& s, const View& v, const Field& scalars, dvec3 x, dvec3 direction, double far, double stepLength);

/// Optical depth from the centre of each sky volume cell along each of up to four vectors `ways` [m], cut at the sides of the box.
Field opticalDepth(const Step& s, const View& v, const Field& scalars, const std::vector<dvec3>& ways);
/// Optical depth along vectors of twice the length.
Field opticalDepthDouble(const Step& s, const Field& depths, const std::vector<dvec3>& ways);

/// Obstacles grown by `margin` cast the shadows. Cells that differ between two margins are too close to a silhouette to be compared. With
/// fewer than four lights the last channel is `sky`. `depthToSuns`: optical depths from the sky volume's cells, one channel per sun.
Field lightVolume(const Step& s, const View& v, const Field& scalars, const Field& depthToSuns, const Field& sky, int lights, double margin,
                  bool ground = false);
/// From the optical depths along the diagonals towards -z and +z.
Field skyVolume(const Step& s, const View& v, const Field& depthBack, const Field& depthAhead, double margin, bool ground = false);
/// The four cell diagonals towards -z or +z (the sign of `z`), `cells` cells long [m].
std::vector<dvec3> diagonals(const Step& s, const View& v, double z, double cells);

/// Blend of two Henyey-Greenstein lobes [1/sr]. Cosine 1: light goes straight on to the camera.
double phase(double cosine, double g, double gBack, double blend);

/// Unit direction of the ray through a pixel's centre. Row 0 is the top.
dvec3 cameraRay(const View& v, ivec3 pixel);

struct Beam {  // of one light, at a point
    dvec3 towards;
    dvec3 irradiance;
};
Beam beamAt(const gpu::LightData& light, dvec3 x);

/// Radiance of the environment map in a direction.
dvec3 environmentRadiance(const View& v, const Field& map, dvec3 direction);
/// All four channels of the environment map in a direction.
dvec4 environmentTexel(const View& v, const Field& map, dvec3 direction);

/// Mean of the view's harmonics under a lobe around `direction` with the Legendre coefficients 1, first, second.
dvec3 environmentMean(const View& v, dvec3 direction, double first, double second);

/// Fraction of light n that reaches x. 0 in shadow.
double lit(const Step& s, const View& v, const Field& scalars, int n, dvec3 x, double stepLength, double margin, bool ground);

struct Seen {
    dvec4 radiance;  ///< a: alpha
    double depth;    ///< along the view axis [m], infinite where nothing is seen
};
/// Radiance and depth of a pixel. First steps are shortened to the fraction `offset` (0 to 1) of their length.
Seen raymarch(const Step& s, const View& v, const Field& scalars, const Field& bricks, const Field& light, const Field& sky,
              const Field& surroundings, int lights, int octaves, ivec3 pixel, double offset, bool ground = false, bool marched = false,
              const Field* colours = nullptr);

/// History of a pixel from the previous frames.
struct Known {
    dvec3 place;      ///< xy: position in the previous frame [pixels], z: depth in that frame
    double pictures;  ///< number of frames in the history; 0: the history shows something else
};
Known known(const View& now, const View& before, const Field& depth, const Field& knownIn, ivec3 pixel);
/// The pixel's history blended with this frame, if known() accepts the history.
dvec4 temporal(const Known& known, const Field& picture, const Field& meanIn, ivec3 pixel);

/// Exposure, tone curve and sRGB curve: display value in [0, 1] of a radiance, before dither.
dvec3 tonemap(const View& v, dvec3 radiance);

}  // namespace wisp::reference
