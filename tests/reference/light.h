// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/temporal.h"
#include "tests/reference/solids.h"

#include <vector>

/// Passes of the picture. Positions are in metres; a field that fills the box is sampled at (x - origin) / size.
namespace wisp::reference {

using View = gpu::ViewData;

dvec3 boxSize(const Step& s);
dvec4 sampleBox(const Step& s, const Field& field, dvec3 x);
/// Of smoke, which repeats itself along periodic axes; light does not.
double densityAt(const Step& s, const Field& scalars, dvec3 x);

/// Where there is smoke; of `colours`, density times colour, if that is given.
dvec3 albedoAt(const Step& s, const View& v, const Field& scalars, const Field* colours, dvec3 x);

Field occupancy(const Step& s, const Field& scalars);

/// First point of an obstacle grown by `margin` [m] along a ray, at most `far`. Index of the obstacle, or -1.
struct Hit {
    double distance;
    int obstacle;
};
Hit obstacleHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin);

/// The same with the ground, the plane y = origin.y as seen from above; its index is WISP_MAX_OBSTACLES.
Hit surfaceHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin, bool ground);

/// Share of the ground that is there at x.
double groundCover(const Step& s, const View& v, dvec3 x);

/// exp(-integral) from x to where the ray leaves the box, or `far`: midpoint rule with steps of `stepLength` at most.
double transmittance(const Step& s, const View& v, const Field& scalars, dvec3 x, dvec3 direction, double far, double stepLength);

/// Optical depth from the middle of each cell of the sky volume along each of up to four ways [m], or to where it leaves the box.
Field opticalDepth(const Step& s, const View& v, const Field& scalars, const std::vector<dvec3>& ways);
/// The same of twice those ways.
Field opticalDepthDouble(const Step& s, const Field& depths, const std::vector<dvec3>& ways);

/// Obstacles grown by `margin` cast the shadows, so that two margins tell what is too close to a silhouette to say. With less than
/// four lights the last channel is `sky`'s. `depthToSuns`: from the sky volume's cells, a channel a sun.
Field lightVolume(const Step& s, const View& v, const Field& scalars, const Field& depthToSuns, const Field& sky, int lights, double margin,
                  bool ground = false);
/// Of the depths along the diagonals to -z and to +z.
Field skyVolume(const Step& s, const View& v, const Field& depthBack, const Field& depthAhead, double margin, bool ground = false);
/// The cell's diagonals, four to -z or to +z, so many cells long [m].
std::vector<dvec3> diagonals(const Step& s, const View& v, double z, double cells);

/// Mean of two Henyey-Greenstein lobes [1/sr]; cosine 1 is light that goes straight on to the camera.
double phase(double cosine, double g, double gBack, double blend);

/// Unit direction of the ray through a pixel's centre. Row 0 is the top.
dvec3 cameraRay(const View& v, ivec3 pixel);

struct Beam {  // of one light, at a point
    dvec3 towards;
    dvec3 irradiance;
};
Beam beamAt(const gpu::LightData& light, dvec3 x);

/// Radiance of the map of the surroundings in a direction.
dvec3 environmentRadiance(const View& v, const Field& map, dvec3 direction);
/// All four channels of the map there.
dvec4 environmentTexel(const View& v, const Field& map, dvec3 direction);

/// Mean of the view's harmonics under a lobe around `direction` with the Legendre coefficients 1, first, second.
dvec3 environmentMean(const View& v, dvec3 direction, double first, double second);

/// Share of light n that reaches x: 0 in a shadow.
double lit(const Step& s, const View& v, const Field& scalars, int n, dvec3 x, double stepLength, double margin, bool ground);

struct Seen {
    dvec4 radiance;  ///< and alpha
    double depth;    ///< along the view axis [m], infinite where nothing is seen
};
/// What a pixel sees. First steps have the share `offset` (0 to 1) of their length.
Seen raymarch(const Step& s, const View& v, const Field& scalars, const Field& bricks, const Field& light, const Field& sky,
              const Field& surroundings, int lights, int octaves, ivec3 pixel, double offset, bool ground = false, bool marched = false,
              const Field* colours = nullptr);

/// What a pixel has in mind of the pictures before this one.
struct Known {
    dvec3 place;      ///< where the camera before saw it [pixels], and its depth there
    double pictures;  ///< that the mean at that place is of; 0: none that is of the same thing
};
Known known(const View& now, const View& before, const Field& depth, const Field& knownIn, ivec3 pixel);
/// The mean with this picture in it, if known() says so.
dvec4 temporal(const Known& known, const Field& picture, const Field& meanIn, ivec3 pixel);

/// Exposure, tone curve and sRGB curve: display value in [0, 1] of a radiance, before dither.
dvec3 tonemap(const View& v, dvec3 radiance);

}  // namespace wisp::reference
