// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/fire_settings.h"
#include "compute/scene/liquid_settings.h"
#include "compute/scene/mesh.h"
#include "compute/scene/picture_settings.h"
#include "compute/scene/probe_settings.h"
#include "compute/scene/volume_data.h"
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
/// `validate` is the only range check. Nothing is clamped silently.
namespace wisp {

enum class Precision : std::uint32_t { Half, Float };
enum class Side : std::uint32_t { Open = WISP_OPEN, Wall = WISP_WALL, Inflow = WISP_INFLOW, Periodic = WISP_PERIODIC };
enum class AdvectionScheme : std::uint32_t {
    SemiLagrangian,
    MacCormack,
    MacCormackUnclamped,
    Bfecc,
    Cubic,  // for scalars; velocity by MacCormack
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
enum class ShapeKind : std::uint32_t {
    Sphere = WISP_SPHERE,
    Box = WISP_BOX,
    Capsule = WISP_CAPSULE,
    Mesh = WISP_MESH,
    Volume = WISP_VOLUME
};

/// The grid. The centre of cell (i, j, k) is at origin + (i + 0.5, j + 0.5, k + 0.5) * cellSize() [m], and y is up. With one cell along z
/// the grid is flat, i.e. two-dimensional: its sides along z are walls, and shapes are cut by the plane through the centres of the cells.
struct GridSettings {
    glm::uvec3 cells{256, 128, 128};   ///< fine cells, which hold the velocity
    std::uint32_t pressureRatio = 2;   ///< fine cells per pressure cell along an edge: 1, 2 or 4 (Lentine et al. 2010)
    std::uint32_t scalarRatio = 1;     ///< scalar cells per fine cell along an edge: 1, 2, 4 or 8; always 1 along z of a flat grid
    glm::vec3 size{2.0f, 1.0f, 1.0f};  ///< edges of the box [m]; cells must be cubic (to 1e-3)
    glm::vec3 origin{0.0f};            ///< low corner of the box [m]
    Precision precision = Precision::Half;
    bool sparse = false;      ///< fine velocity and smoke only in bricks where something happens
    float threshold = 1e-4f;  ///< density below which a brick counts as empty, if `sparse`
    /// Largest change of the coarse velocity over a coarse cell, as a share of the largest speed, in a brick without vortices, if `sparse`.
    float vorticityThreshold = 0.05f;
    float memory = 0.0f;          ///< most memory for fields of bricks, if `sparse` [GB]; 0: what the device has
    std::array<Side, 6> sides{};  ///< x0, x1, y0, y1, z0, z1; periodic ones in pairs

    [[nodiscard]] float cellSize() const { return size.x / static_cast<float>(cells.x); }  ///< h, edge of a fine cell [m]
    /// Fine cells over the ratio, rounded up. The last pressure cells may extend beyond the box (see docs/passes.md).
    [[nodiscard]] glm::uvec3 pressureCells() const { return (cells + pressureRatio - 1u) / pressureRatio; }
    [[nodiscard]] glm::uvec3 scalarCells() const { return cells * glm::uvec3(scalarRatio, scalarRatio, isFlat() ? 1 : scalarRatio); }
    [[nodiscard]] bool isFlat() const { return cells.z == 1; }
    [[nodiscard]] Side side(std::size_t n) const { return isFlat() && n >= 4 ? Side::Wall : sides[n]; }
    /// Bits of the axes with periodic sides: fluid that leaves through one side enters through the opposite one.
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
    std::uint32_t viscositySweeps = 0;      ///< of an implicit solve; 0: explicit, needs viscosity * dt / h^2 <= 1/6 (flat grids 1/4)
    float densityDecay = 0.12f;             ///< [1/s]
    float velocityDecay = 0.12f;            ///< [1/s]
    float detailDecay = 0.0f;               ///< [1/s], relaxation of the fine velocity towards the upsampled coarse velocity
    float sideFade = 0.0f;                  ///< [m], thickness of the layers at open sides in which smoke fades; 0: off
    float fluidDensity = 1.2f;              ///< of the air [kg/m^3], for forces on obstacles and the heat of fire
    float ambient = 293.0f;                 ///< [K], temperature of the air; other temperatures are relative to it
    glm::vec3 gravity{0.0f, -9.81f, 0.0f};  ///< [m/s^2]; for smoke only its direction matters: pressure balances a uniform force
    glm::vec3 inflow{0.0f};                 ///< [m/s], velocity of the ambient flow, which enters through inflow and open sides
    float gust = 0.0f;       ///< rms per component of the noise on the ambient flow [m/s], where air enters; the noise moves with `inflow`
    float gustScale = 0.5f;  ///< size of the noise's eddies [m]
    float inflowDensity = 0.0f;  ///< of the smoke that enters through `inflow` sides, in a pattern that moves with `inflow`
    InflowPattern inflowPattern = InflowPattern::Even;
    float inflowWidth = 0.1f;  ///< of the pattern's stripes or squares [m]
    bool operator==(const FlowSettings&) const = default;
};

struct AdvectionSettings {
    AdvectionScheme scheme = AdvectionScheme::Cubic;
    Filter filter = Filter::Hardware;
    bool operator==(const AdvectionSettings&) const = default;
};

/// One of the arrows that define a velocity field. There are kArrows of them along each edge of the box in x and y.
struct ArrowSettings {
    glm::uvec2 at{0};    ///< column from x0, row from y0
    float angle = 0.0f;  ///< from +x towards +y [rad]
    bool operator==(const ArrowSettings&) const = default;
};
inline constexpr std::uint32_t kArrows = 16;

/// A steady velocity field that is prescribed instead of solved for. Only scalars are advected. No field depends on z.
/// With U the speed, a and b the edges of the box along x and y, and r the position relative to its centre:
/// rotation is U (-r.y, r.x) / (min(a, b) / 2),
/// shear is (2 U r.y / b, 0),
/// sine is U / sqrt(2) (1, cos(2 pi x / a)),
/// taylor_green is U (sin(pi x / a) cos(pi y / b), -b / a cos(pi x / a) sin(pi y / b)), with whole waves along periodic axes.
struct PrescribedSettings {
    PrescribedField field = PrescribedField::None;
    float speed = 1.0f;                    ///< U, also the speed of `arrows` [m/s]
    glm::vec3 velocity{1.0f, 0.0f, 0.0f};  ///< of `uniform` [m/s]; also the direction of arrows that are not turned
    std::vector<ArrowSettings> arrows;     ///< the turned arrows, later entries win; bilinear between the centres of arrows
    bool operator==(const PrescribedSettings&) const = default;
};

/// The tolerance if `iterations` is 0 (auto) and `tolerance` is 0.
inline constexpr float kAutoTolerance = 1e-2f;

struct PressureSettings {
    PressureSolver solver = PressureSolver::Multigrid;
    std::uint32_t iterations = 0;  ///< sweeps or cycles; 0: as many cycles as `tolerance` needs, see CyclePlan
    float tolerance = 0.0f;        ///< relative residual at which the solver stops; 0: never, or kAutoTolerance if `iterations` is 0
    float omega = 1.7f;            ///< over-relaxation of red_black_sor, in (0, 2)
    bool operator==(const PressureSettings&) const = default;
};

/// The shape of an obstacle, an emitter or initial fields, at `centre` [m]. A box has half edges `half` [m]. A capsule has spheres of
/// `radius` [m] at centre +- half. A mesh (obstacles and emitters only) has the centre of its bounding box at `centre`.
/// A volume (emitters and initial smoke only) has its bounding box there.
struct Shape {
    ShapeKind kind = ShapeKind::Sphere;
    glm::vec3 centre{0.0f};
    float radius = 0.1f;
    glm::vec3 half{0.1f};
    std::uint32_t mesh = 0;  ///< index into Settings::meshes
    float scale = 1.0f;      ///< of a mesh: metres per unit of its positions; of a volume: factor of its positions
    bool operator==(const Shape&) const = default;
};

/// A key of a path. Between keys the centre follows a Catmull-Rom spline. Before the first key and after the last it is at rest.
struct PathKey {
    float t = 0.0f;  ///< [s]
    glm::vec3 centre{0.0f};
    bool operator==(const PathKey&) const = default;
};

/// What an emitter that is a mesh fills: its inside, or a shell from a fine cell outside of its surface to a fine cell inside.
enum class EmitterFill : std::uint32_t { Inside, Surface };

/// Volume files as the smoke of an emitter or of the start: their fields times the amounts of density, temperature and fuel.
struct VolumeSettings {
    static constexpr std::uint32_t kDensity = 1, kTemperature = 2, kFuel = 4;
    std::string file;               ///< path; of a sequence: with %0Nd
    std::optional<float> fps = {};  ///< of a sequence
    float start = 0.0f;             ///< [s], time of its first file
    bool upIsZ = false;             ///< see VolumePlacement
    glm::vec3 offset{0.0f};         ///< [m]
    TemperatureUnit temperatureUnit = TemperatureUnit::Guess;
    std::uint32_t needs = 0;               ///< fields that are read: kDensity ...
    float exposure = 0.0f;                 ///< [s] of a picture, for motion blur with the velocity of the files
    std::shared_ptr<VolumeFrames> frames;  ///< a null pointer: the shape is no volume. Shared because settings are copied
    [[nodiscard]] VolumePlacement placement(const Shape& shape) const { return {upIsZ, shape.scale, offset}; }
    bool operator==(const VolumeSettings&) const = default;
};

struct EmitterSettings {
    Shape shape;
    glm::vec3 velocity{0.0f};  ///< [m/s], set inside in every step if `hasVelocity`
    bool hasVelocity = false;
    /// Share of its own velocity that the emitter adds: of its motion along `keys` and of the surface of a mesh that deforms.
    float inheritVelocity = 0.0f;
    float density = 0.0f;           ///< smallest density inside, with a smooth edge
    float densityRate = 0.0f;       ///< [1/s], density added inside
    float temperature = 0.0f;       ///< [K] above ambient, smallest temperature inside; if negative, the largest
    float temperatureRate = 0.0f;   ///< [K/s], temperature added inside
    float fuel = 0.0f;              ///< smallest share of fuel inside
    float fuelRate = 0.0f;          ///< [1/s], fuel added inside
    float turbulence = 0.0f;        ///< rms of the noise on the velocity, as a fraction of |velocity|; seeded
    float turbulenceScale = 0.05f;  ///< size of the noise's eddies [m]
    glm::vec3 colour{1.0f};         ///< of its smoke: a factor of medium.albedo, in [0, 1]
    bool liquid = false;            ///< the emitter keeps its shape full of liquid
    glm::vec3 rotation{0.0f};       ///< rotation vector: its direction is the axis, its length the angle [rad]
    /// Path of the centre, which replaces that of the shape; times strictly increase. Without inheritVelocity smoke stays behind.
    std::vector<PathKey> keys = {};
    EmitterFill fill = EmitterFill::Inside;  ///< Surface: meshes of smoke only
    VolumeSettings volume = {};              ///< if the shape is a volume
    [[nodiscard]] bool setsVelocity() const { return hasVelocity || inheritVelocity != 0.0f; }
    bool operator==(const EmitterSettings&) const = default;
};

/// A brush that moves along a path from the time of the first key to that of the last. It leaves a Gaussian profile across its path,
/// independent of the time step.
struct StrokeSettings {
    float radius = 0.03f;       ///< standard deviation of the Gaussian [m]
    float force = 20.0f;        ///< [1/s], velocity added per metre of path within the Gaussian
    float density = 1.0f;       ///< added on the path
    float temperature = 0.0f;   ///< [K], added on the path
    float fuel = 0.0f;          ///< share of fuel added on the path; the sum is at most 1
    glm::vec3 colour{1.0f};     ///< as EmitterSettings::colour
    std::vector<PathKey> keys;  ///< times strictly increase
    bool operator==(const StrokeSettings&) const = default;
};

/// The brush with which the user paints in the window.
struct BrushSettings {
    float radius = 0.06f;      ///< [m]; in a flat grid the standard deviation of a Gaussian
    float density = 1.0f;      ///< in a flat grid added on the path of a stroke
    float temperature = 0.0f;  ///< [K]
    float fuel = 0.0f;         ///< share of fuel, in a scene with fuel; in a flat grid added on the path of a stroke
    bool ignite = false;       ///< in a scene with fuel: gas has the temperature of a flame (fire.heat) instead of `temperature`
    glm::vec3 colour{1.0f};    ///< of its smoke, in [0, 1]
    float strength = 1.0f;     ///< 3D only: share of the stroke's speed that the smoke takes on
    // Flat grids only:
    float force = 20.0f;  ///< [1/s], as StrokeSettings::force. 19.5 gives 5000 cells/s to a stroke across a box of 256 cells
    float cycle = 0.0f;   ///< [s] of drawing in which the colour runs once through all hues; 0: constant
    bool operator==(const BrushSettings&) const = default;
};

struct ObstacleSettings {
    Shape shape;
    glm::vec3 rotation{0.0f};              ///< rotation vector at t = 0: its direction is the axis, its length the angle [rad]
    glm::vec3 velocity{0.0f};              ///< [m/s], of the obstacle if it has no keys
    glm::vec3 angularVelocity{0.0f};       ///< [rad/s]
    std::vector<PathKey> keys;             ///< path of the centre; times strictly increase
    std::optional<glm::vec3> colour = {};  ///< albedo; none: render.obstacle_colour
    bool operator==(const ObstacleSettings&) const = default;
};

/// Texels along an edge. Every Vulkan device can hold an image of this size in half floats, and copy it in one piece.
inline constexpr std::uint32_t kMaxInitialImage = 4096;

/// An image of the initial smoke: linear light times alpha, in [0, 1].
struct InitialImage {
    glm::uvec2 size{0};
    std::vector<glm::vec3> texels;  ///< row by row from the bottom
    std::string file = {};          ///< path of the file that it was read from; empty: none
    [[nodiscard]] bool isColoured() const;
    bool operator==(const InitialImage&) const = default;
};

/// A target that the box follows. The box moves by whole pressure cells, so that fields need no interpolation. Its
/// centre stays within half a pressure cell of the target, except along axes with a wall, and along y with a ground. Cells that the box did
/// not cover before, and all cells at the start, contain the ambient flow: `inflow` and gusts, without smoke.
struct FollowSettings {
    std::vector<PathKey> keys;  ///< path of the target; empty: the box does not move
    bool operator==(const FollowSettings&) const = default;
};

enum class TracerLook : std::uint32_t { Points, Arrows };
/// Massless particles that move with the flow and are spawned everywhere in the box.
struct TracerSettings {
    std::uint32_t count = 0;
    float lifetime = 4.0f;  ///< [s], after which a tracer is spawned again elsewhere
    TracerLook look = TracerLook::Points;
    float size = 1.5f;        ///< diameter of a point, twice the width of an arrow [pixels]
    float arrow = 0.1f;       ///< time whose motion an arrow shows [s]
    float speed = 1.0f;       ///< speed of the last colour [m/s]
    float brightness = 1.0f;  ///< factor of the colours, which are emitted light
    bool operator==(const TracerSettings&) const = default;
};

/// Blades of grass on a level lawn. The wind bends them, and they do not affect the wind.
struct GrassSettings {
    std::uint32_t count = 0;
    glm::vec3 low{0.0f}, high{1.0f, 0.0f, 1.0f};  ///< corners of the lawn [m]; the y of both is its height
    float height = 0.1f;                          ///< mean length of a blade [m]
    float bend = 4.0f;                            ///< wind speed at which a blade leans by 45 degrees [m/s]
    glm::vec3 colour{0.25f, 0.4f, 0.08f};         ///< albedo of tips; roots are darker
    bool operator==(const GrassSettings&) const = default;
};

/// Fields at t = 0. A shape has a sharp edge. Later entries win.
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
    VolumeSettings volume = {};                 ///< if the shape is a volume
    std::uint32_t squares = 16;                 ///< of a checkerboard, along the shorter of the box's edges in x and y
    std::shared_ptr<const InitialImage> image;  ///< fills the box in x and y; shared because settings are copied
    float density = 0.0f;
    float temperature = 0.0f;  ///< [K]
    float fuel = 0.0f;         ///< share of fuel
    glm::vec3 velocity{0.0f};  ///< [m/s]
    glm::vec3 colour{1.0f};    ///< as EmitterSettings::colour
    bool liquid = false;       ///< the shape is full of liquid
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
    FireSettings fire;
    FollowSettings follow;
    TracerSettings tracers;
    GrassSettings grass;
    PressureSettings pressure;
    std::vector<EmitterSettings> emitters;
    std::vector<StrokeSettings> strokes;
    BrushSettings brush;
    std::vector<ObstacleSettings> obstacles;
    std::vector<std::shared_ptr<const Mesh>> meshes;  ///< several obstacles and emitters, and copies of the settings, share one
    std::vector<InitialSettings> initial;
    std::vector<ProbeSettings> probes;
    MediumSettings medium;
    std::vector<LightSettings> lights;
    EnvironmentSettings environment;
    CameraSettings camera;
    RenderSettings render;
    ViewSettings view;
    std::uint32_t seed = 1;
    bool byHand = false;    ///< the user may move and add obstacles during the run, so memory for them is allocated at the start
    bool coloured = false;  ///< coloured smoke may be added during the run, even if these settings contain only white smoke

    /// Whether any mesh changes its shape.
    [[nodiscard]] bool usesDeformation() const;
    /// Whether any emitter, stroke, initial field or force involves temperature. If not, no memory is allocated for it.
    [[nodiscard]] bool usesTemperature() const;
    /// Whether any emitter, stroke or initial field has fuel. If not, no memory is allocated for it, and nothing burns.
    [[nodiscard]] bool usesFuel() const;
    /// Numbers that are stored for each scalar cell: density; with temperature; with fuel and its divergence, too.
    [[nodiscard]] std::uint32_t scalarChannels() const { return usesFuel() ? 4 : usesTemperature() ? 2 : 1; }
    /// Whether gas expands where it is heated.
    [[nodiscard]] bool usesExpansion() const { return usesFuel() && fire.expansion > 0.0f; }
    /// Bits of ProbeField: the fields that probes can sample.
    [[nodiscard]] std::uint32_t probeFields() const;
    /// Density [kg/m^3] and viscosity [m^2/s] of the fluid that acts on obstacles.
    [[nodiscard]] float fluidDensity() const { return usesLiquid() ? liquid.fluidDensity : flow.fluidDensity; }
    [[nodiscard]] float viscosity() const { return usesLiquid() ? 0.0f : flow.viscosity; }
    /// Whether the scene contains, or may get, liquid. It has no smoke then.
    [[nodiscard]] bool usesLiquid() const;
    /// Number of liquid particles that memory is allocated for: liquid.capacity if it is set. Otherwise 5/4 of the particles that fill
    /// twice the initial liquid, with emitters the initial liquid and at least half the box.
    [[nodiscard]] std::uint64_t liquidCapacity() const;
    /// Whether any smoke is not white. If not, no memory is allocated for colours.
    [[nodiscard]] bool usesColour() const;
    /// Whether there are tracers, grass, or a liquid drawn as points.
    [[nodiscard]] bool usesSplats() const {
        return tracers.count > 0 || grass.count > 0 || (liquid.look == LiquidLook::Points && usesLiquid());
    }
    /// Whether pictures of the lit smoke show the time during which a shutter is open.
    [[nodiscard]] bool usesShutter() const { return camera.shutter > 0.0f; }
    /// Whether a point or a spot may be so near to smoke that its light changes much within a cell: in the box, or nearer to it than a
    /// quarter of its longest edge, which is at least four cells of scattered light.
    [[nodiscard]] bool hasNearLamps() const;
    /// Whether raymarch gets multiple scattering from radiative transfer on coarse cells.
    [[nodiscard]] bool usesOrdinates() const { return render.scattering == Scattering::Ordinates && medium.octaves > 1; }
    /// Whether the surface of a liquid is drawn.
    [[nodiscard]] bool showsSurface() const { return liquid.look == LiquidLook::Surface && usesLiquid(); }
    /// Whether a picture shows the edges of active bricks. A slice has no camera, and does not show them.
    [[nodiscard]] bool showsBricks() const { return render.bricks && grid.sparse && view.slice == SliceAxis::None; }
    bool operator==(const Settings&) const = default;
};

inline constexpr std::size_t kMaxEmitters = 16;
inline constexpr std::size_t kMaxStrokes = 256;
inline constexpr std::size_t kMaxObstacles = 16;
inline constexpr std::size_t kMaxLights = 4;
inline constexpr std::uint32_t kMaxSplats = 1u << 22;  ///< of tracers, and of blades of grass

}  // namespace wisp
