// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/liquid_settings.h"
#include "compute/scene/mesh.h"
#include "compute/scene/picture_settings.h"
#include "compute/scene/probe_settings.h"
#include "shaders/shared/enums.h"

#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Plain settings of a simulation and its picture, with the defaults of a scene file. SI units, y up, angles in radians.
/// `validate` is the only judge of what is allowed; nothing is clamped silently.
namespace wisp {

enum class Precision : std::uint32_t { Half, Float };
enum class Side : std::uint32_t { Open = WISP_OPEN, Wall = WISP_WALL, Inflow = WISP_INFLOW, Periodic = WISP_PERIODIC };
enum class AdvectionScheme : std::uint32_t {
    SemiLagrangian,
    MacCormack,
    MacCormackUnclamped,
    Bfecc,
    Cubic,  // of scalars; velocity by MacCormack
    Upwind
};
enum class InflowPattern : std::uint32_t { Even = WISP_EVEN, Stripes = WISP_STRIPES, Checkerboard = WISP_CHECKERBOARD };
enum class PrescribedField : std::uint32_t {
    None,
    Uniform = WISP_UNIFORM,
    Rotation = WISP_ROTATION,
    Shear = WISP_SHEAR,
    Sine = WISP_SINE,
    TaylorGreen = WISP_TAYLOR_GREEN,
    Arrows = WISP_ARROWS
};
enum class Filter : std::uint32_t { Hardware, Exact };
enum class PressureSolver : std::uint32_t { Jacobi, RedBlackSor, Multigrid, Mgpcg };
enum class ShapeKind : std::uint32_t { Sphere = WISP_SPHERE, Box = WISP_BOX, Capsule = WISP_CAPSULE, Mesh = WISP_MESH };

/// Where things are. Cell (i,j,k) is centred at origin + (i+.5, j+.5, k+.5) * cellSize() [m]; y is up. With one cell in depth the
/// grid is flat: two-dimensional, its sides along z are walls, and shapes are cut by the plane through the cells' centres.
struct GridSettings {
    glm::uvec3 cells{256, 128, 128};   ///< fine cells, which hold the velocity
    std::uint32_t pressureRatio = 2;   ///< fine cells per pressure cell along an edge: 1, 2 or 4 (Lentine et al. 2010)
    std::uint32_t scalarRatio = 1;     ///< scalar cells per fine cell along an edge: 1, 2, 4 or 8; along z of a flat grid there is one
    glm::vec3 size{2.0f, 1.0f, 1.0f};  ///< edges of the box [m]; cells must come out cubic (to 1e-3)
    glm::vec3 origin{0.0f};            ///< low corner of the box [m]
    Precision precision = Precision::Half;
    std::array<Side, 6> sides{};  ///< x0, x1, y0, y1, z0, z1; periodic ones in pairs

    [[nodiscard]] float cellSize() const { return size.x / static_cast<float>(cells.x); }  ///< h, edge of a fine cell [m]
    /// Pressure cells: fine cells over the ratio, rounded up; the last ones may reach beyond the box (see docs/passes.md).
    [[nodiscard]] glm::uvec3 pressureCells() const { return (cells + pressureRatio - 1u) / pressureRatio; }
    [[nodiscard]] glm::uvec3 scalarCells() const { return cells * glm::uvec3(scalarRatio, scalarRatio, isFlat() ? 1 : scalarRatio); }
    [[nodiscard]] bool isFlat() const { return cells.z == 1; }
    [[nodiscard]] Side side(std::size_t n) const { return isFlat() && n >= 4 ? Side::Wall : sides[n]; }
    /// Bits of the axes whose sides are periodic: what leaves through one comes in through the other.
    [[nodiscard]] std::uint32_t periodicAxes() const {
        std::uint32_t bits = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) bits |= side(2 * axis) == Side::Periodic ? 1u << axis : 0u;
        return bits;
    }
    bool operator==(const GridSettings&) const = default;
};

struct FlowSettings {
    float buoyancy = 0.0f;                  ///< [m/s^2 per kelvin above ambient], against gravity
    float weight = 0.0f;                    ///< [m/s^2 per unit density], along gravity
    float vorticity = 0.8f;                 ///< epsilon of vorticity confinement, dimensionless
    float viscosity = 0.0f;                 ///< [m^2/s]
    std::uint32_t viscositySweeps = 0;      ///< of an implicit solve; 0: explicit, viscosity * dt / h^2 <= 1/6, in flat grids 1/4
    float densityDecay = 0.12f;             ///< [1/s]
    float velocityDecay = 0.12f;            ///< [1/s]
    float detailDecay = 0.0f;               ///< [1/s], of the fine velocity towards the upsampled coarse one
    float sideFade = 0.0f;                  ///< [m], thickness of the layers before open sides in which smoke fades; 0: it does not
    float fluidDensity = 1.2f;              ///< of the air [kg/m^3], for forces on obstacles
    glm::vec3 gravity{0.0f, -9.81f, 0.0f};  ///< [m/s^2]; for smoke only its direction matters: pressure balances a uniform force
    glm::vec3 inflow{0.0f};                 ///< [m/s], velocity through `inflow` sides
    float gust = 0.0f;  ///< rms of the noise, a component [m/s], on the inflow where air comes in from outside; it moves with the inflow
    float gustScale = 0.5f;      ///< size of its eddies [m]
    float inflowDensity = 0.0f;  ///< of the smoke that comes in there, in a pattern that moves with the inflow
    InflowPattern inflowPattern = InflowPattern::Even;
    float inflowWidth = 0.1f;  ///< of its stripes or squares [m]
    bool operator==(const FlowSettings&) const = default;
};

struct AdvectionSettings {
    AdvectionScheme scheme = AdvectionScheme::Cubic;
    Filter filter = Filter::Hardware;
    bool operator==(const AdvectionSettings&) const = default;
};

/// Of the arrows that stand for a velocity field, kArrows along each edge of the box in x and y.
struct ArrowSettings {
    glm::uvec2 at{0};    ///< column from x0, row from y0
    float angle = 0.0f;  ///< from +x towards +y [rad]
    bool operator==(const ArrowSettings&) const = default;
};
inline constexpr std::uint32_t kArrows = 16;

/// A steady velocity field that is given, instead of one that is solved for; only scalars are carried. None depends on z.
/// Where r is the place from the middle of the box, a and b its edges along x and y, U the speed:
struct PrescribedSettings {
    PrescribedField field = PrescribedField::None;
    float speed = 1.0f;  ///< U [m/s]: rotation U (-r.y, r.x) / (min(a, b) / 2), shear (2 U r.y / b, 0), sine U / sqrt(2) (1, cos(2 pi x /
                         ///< a)), taylor_green U (sin(pi x / a) cos(pi y / b), -b / a cos sin), periodic with whole waves; of the arrows
    glm::vec3 velocity{1.0f, 0.0f, 0.0f};  ///< of `uniform` [m/s]; the way of arrows that are not turned
    std::vector<ArrowSettings> arrows;     ///< turned ones, later entries win; bilinear between their middles
    bool operator==(const PrescribedSettings&) const = default;
};

struct PressureSettings {
    PressureSolver solver = PressureSolver::Multigrid;
    std::uint32_t iterations = 2;  ///< sweeps or cycles at most
    float tolerance = 0.0f;        ///< relative residual at which the solver stops; 0: never
    float omega = 1.7f;            ///< red_black_sor, in (0, 2)
    bool operator==(const PressureSettings&) const = default;
};

/// A solid or an emitter's volume. `centre` [m]; a box has half edges `half` [m], a capsule spheres of `radius` [m] at
/// centre +- half. A mesh (obstacles only) has the middle of its bounding box at `centre`.
struct Shape {
    ShapeKind kind = ShapeKind::Sphere;
    glm::vec3 centre{0.0f};
    float radius = 0.1f;
    glm::vec3 half{0.1f};
    std::uint32_t mesh = 0;  ///< index into Settings::meshes
    float scale = 1.0f;      ///< of a mesh: metres per unit of its positions
    bool operator==(const Shape&) const = default;
};

struct EmitterSettings {
    Shape shape;
    glm::vec3 velocity{0.0f};  ///< [m/s], held inside where `hasVelocity`
    bool hasVelocity = false;
    float density = 0.0f;           ///< held at least at this inside, with a smooth edge
    float densityRate = 0.0f;       ///< [1/s], added instead
    float temperature = 0.0f;       ///< [K] above ambient, held at least at this inside
    float temperatureRate = 0.0f;   ///< [K/s], added instead
    float turbulence = 0.0f;        ///< rms of the noise on the velocity, as a fraction of |velocity|; seeded
    float turbulenceScale = 0.05f;  ///< size of the noise's eddies [m]
    glm::vec3 colour{1.0f};         ///< of its smoke: a factor of medium.albedo, in [0, 1]
    bool liquid = false;            ///< it is always full of liquid
    bool operator==(const EmitterSettings&) const = default;
};

/// One point of a keyed path; between keys the centre follows a Catmull-Rom spline, outside it rests.
struct PathKey {
    float t = 0.0f;  ///< [s]
    glm::vec3 centre{0.0f};
    bool operator==(const PathKey&) const = default;
};

/// A brush that goes its way from the first key's time to the last one's. What it leaves is a Gaussian across its way, however that is cut
/// into steps.
struct StrokeSettings {
    float radius = 0.03f;       ///< standard deviation of the Gaussian [m]
    float force = 20.0f;        ///< [1/s]: velocity that it gives per metre of its way within the Gaussian
    float density = 1.0f;       ///< left in the middle of its way
    float temperature = 0.0f;   ///< [K], likewise
    glm::vec3 colour{1.0f};     ///< as EmitterSettings::colour
    std::vector<PathKey> keys;  ///< times strictly increase
    bool operator==(const StrokeSettings&) const = default;
};

/// What a hand paints with in a window.
struct BrushSettings {
    float radius = 0.06f;      ///< [m]; of a flat grid the standard deviation of a Gaussian
    float density = 1.0f;      ///< in a flat grid what a stroke adds in its middle
    float temperature = 0.0f;  ///< [K]
    glm::vec3 colour{1.0f};    ///< of its smoke, in [0, 1]
    float strength = 1.0f;     ///< of a box: share of the stroke's speed that the smoke takes
    // Of a flat grid:
    float force = 20.0f;  ///< [1/s], as StrokeSettings::force. 5000 in cells a second for a stroke along 256 cells, which is usual, is 19.5
    float cycle = 0.0f;   ///< [s] of drawing in which the colour goes once round all hues; 0: it stays
    bool operator==(const BrushSettings&) const = default;
};

struct ObstacleSettings {
    Shape shape;
    glm::vec3 rotation{0.0f};              ///< at t = 0, about this axis by its length [rad]
    glm::vec3 velocity{0.0f};              ///< [m/s]; without keys the obstacle moves along it
    glm::vec3 angularVelocity{0.0f};       ///< [rad/s]
    std::vector<PathKey> keys;             ///< times strictly increase
    std::optional<glm::vec3> colour = {};  ///< albedo; none: render.obstacle_colour
    bool operator==(const ObstacleSettings&) const = default;
};

inline constexpr std::uint32_t kMaxInitialImage =
    4096;  ///< texels along an edge: as halves what every device can hold, and a copy of it at once

/// A picture that smoke begins as: linear light times alpha, in [0, 1].
struct InitialImage {
    glm::uvec2 size{0};
    std::vector<glm::vec3> texels;  ///< row by row from the bottom
    std::string file = {};          ///< where it was read; empty: nowhere
    [[nodiscard]] bool isColoured() const;
    bool operator==(const InitialImage&) const = default;
};

/// A target that the box follows by whole cells (pressure cells, where these are larger), so that nothing in it changes: its middle stays
/// within half a cell of the target, but along axes with a wall, and upwards with a ground. Where the box was not yet, and at first, there
/// is the air outside: `inflow` and gusts, without smoke.
struct FollowSettings {
    std::vector<PathKey> keys;  ///< the target's way; none: the box stays where it is
    bool operator==(const FollowSettings&) const = default;
};

enum class TracerLook : std::uint32_t { Points, Arrows };
/// Marks that the flow carries, born everywhere in the box.
struct TracerSettings {
    std::uint32_t count = 0;
    float lifetime = 4.0f;  ///< [s], after which one is born anew elsewhere
    TracerLook look = TracerLook::Points;
    float size = 1.5f;        ///< diameter of a point, twice the width of an arrow [pixels]
    float arrow = 0.1f;       ///< motion that an arrow shows [s]
    float speed = 1.0f;       ///< of the last colour [m/s]
    float brightness = 1.0f;  ///< factor of the colours, which are light of their own
    bool operator==(const TracerSettings&) const = default;
};

/// Blades on a level lawn that the wind bends, and that do nothing to it.
struct GrassSettings {
    std::uint32_t count = 0;
    glm::vec3 low{0.0f}, high{1.0f, 0.0f, 1.0f};  ///< corners of the lawn [m]; the y of both is its height
    float height = 0.1f;                          ///< mean length of a blade [m]
    float bend = 4.0f;                            ///< wind in which a blade leans by 45 degrees [m/s]
    glm::vec3 colour{0.25f, 0.4f, 0.08f};         ///< albedo of tips; roots are darker
    bool operator==(const GrassSettings&) const = default;
};

/// What the fields hold at t = 0, inside a shape with a sharp edge; later entries win.
enum class InitialField : std::uint32_t {
    Shape = WISP_FIELD_SHAPE,
    TaylorGreen = WISP_FIELD_TAYLOR_GREEN,
    Gaussian = WISP_FIELD_GAUSSIAN,
    Zalesak = WISP_FIELD_ZALESAK,
    Checkerboard = WISP_FIELD_CHECKERBOARD,
    Image = WISP_FIELD_IMAGE
};
struct InitialSettings {
    InitialField field = InitialField::Shape;
    Shape shape;
    std::uint32_t squares = 16;                 ///< of a checkerboard, along the smaller of the box' edges in x and y
    std::shared_ptr<const InitialImage> image;  ///< which fills the box in x and y; shared because settings are copied
    float density = 0.0f;
    float temperature = 0.0f;  ///< [K]
    glm::vec3 velocity{0.0f};  ///< [m/s]
    glm::vec3 colour{1.0f};    ///< as EmitterSettings::colour
    bool liquid = false;       ///< of a shape: full of liquid
    bool operator==(const InitialSettings&) const = default;
};

struct Settings {
    std::string name = "untitled";
    GridSettings grid;
    float timeStep = 1.0f / 120.0f;  ///< [s]
    FlowSettings flow;
    AdvectionSettings advection;
    PrescribedSettings prescribed;
    LiquidSettings liquid;
    FollowSettings follow;
    TracerSettings tracers;
    GrassSettings grass;
    PressureSettings pressure;
    std::vector<EmitterSettings> emitters;
    std::vector<StrokeSettings> strokes;
    BrushSettings brush;
    std::vector<ObstacleSettings> obstacles;
    std::vector<std::shared_ptr<const Mesh>> meshes;  ///< that obstacles refer to; several may share one, as copies of the settings do
    std::vector<InitialSettings> initial;
    std::vector<ProbeSettings> probes;
    MediumSettings medium;
    std::vector<LightSettings> lights;
    EnvironmentSettings environment;
    CameraSettings camera;
    RenderSettings render;
    ViewSettings view;
    std::uint32_t seed = 1;
    bool byHand = false;    ///< obstacles may be moved, and added, while it runs: memory for that is there from the start
    bool coloured = false;  ///< smoke of other colours than white may come in while it runs, though none is named here

    /// Whether any emitter, initial field or force involves temperature; without it no memory is spent on it.
    [[nodiscard]] bool usesTemperature() const;
    /// Bits of ProbeField: what there is to be sampled.
    [[nodiscard]] std::uint32_t probeFields() const;
    /// Density [kg/m^3] and viscosity [m^2/s] of what obstacles feel.
    [[nodiscard]] float fluidDensity() const { return usesLiquid() ? liquid.fluidDensity : flow.fluidDensity; }
    [[nodiscard]] float viscosity() const { return usesLiquid() ? 0.0f : flow.viscosity; }
    /// Whether there is, or may come, liquid: instead of smoke.
    [[nodiscard]] bool usesLiquid() const;
    /// Particles of liquid that there is memory for: liquid.capacity, or as many as the initial shapes may begin with, and a quarter more;
    /// with emitters what fills half the box.
    [[nodiscard]] std::uint64_t liquidCapacity() const;
    /// Whether any smoke is not white; likewise.
    [[nodiscard]] bool usesColour() const;
    /// Whether there are tracers, grass, or a liquid that is seen as points.
    [[nodiscard]] bool usesMarks() const {
        return tracers.count > 0 || grass.count > 0 || (liquid.look == LiquidLook::Points && usesLiquid());
    }
    /// Raymarch gets light of several scatterings by radiative transfer on coarse cells.
    [[nodiscard]] bool usesOrdinates() const { return render.scattering == Scattering::Ordinates && medium.octaves > 1; }
    /// Whether a liquid's surface is seen.
    [[nodiscard]] bool showsSurface() const { return liquid.look == LiquidLook::Surface && usesLiquid(); }
    bool operator==(const Settings&) const = default;
};

inline constexpr std::size_t kMaxEmitters = 16;
inline constexpr std::size_t kMaxStrokes = 256;
inline constexpr std::size_t kMaxObstacles = 16;
inline constexpr std::size_t kMaxLights = 4;
inline constexpr std::uint32_t kMaxMarks = 1u << 22;  ///< tracers, and blades of grass

}  // namespace wisp
