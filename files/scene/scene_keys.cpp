// SPDX-License-Identifier: MIT
#include "files/scene/scene_keys.h"

#include "files/base/extension.h"
#include "files/scene/fire_keys.h"
#include "files/scene/initial_image_file.h"
#include "files/scene/liquid_keys.h"
#include "files/scene/named_file.h"
#include "files/scene/picture_keys.h"
#include "files/scene/scene_shapes.h"
#include "files/scene/volume_keys.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace wisp {
namespace {

using Kind = KeyInfo::Kind;

void visitGrid(SceneVisitor& v, GridSettings& grid) {
    v.key("cells", &grid.cells, {"", 8.0f, 512.0f, "number of fine cells, which store the velocity; cells must be cubic"});
    v.key("pressure_ratio", &grid.pressureRatio, {"", 1.0f, 4.0f, "fine cells per pressure cell along an edge: 1, 2 or 4"});
    v.key("scalar_ratio", &grid.scalarRatio, {"", 1.0f, 8.0f, "scalar cells per fine cell along an edge: 1, 2, 4 or 8"});
    v.key("size", &grid.size, {"m", 0.1f, 10.0f, "edges of the box"});
    v.key("origin", &grid.origin, {"m", -5.0f, 5.0f, "low corner of the box"});
    v.choose("precision", grid.precision, {{"half", Precision::Half}, {"float", Precision::Float}}, "storage of velocity and scalars");
    v.key("sparse", &grid.sparse, {.help = "fine velocity and smoke only in bricks of 16 cells where something happens"});
    v.key("threshold", &grid.threshold, {"", 0.0f, 0.01f, "density below which a brick counts as empty, if sparse", Kind::Logarithmic});
    v.key("vorticity_threshold", &grid.vorticityThreshold,
          {"", 0.0f, 1.0f,
           "vorticity above which a brick without smoke is fine, if sparse: change of velocity in a pressure cell over the "
           "largest speed"});
    v.key("memory", &grid.memory, {"GB", 0.0f, 64.0f, "most memory for bricks, if sparse; 0: what the device has"});
    v.table("sides", [&] {
        const char* const names[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
        for (std::size_t i = 0; i < 6; ++i)
            v.choose(names[i], grid.sides[i],
                     {{"open", Side::Open}, {"wall", Side::Wall}, {"inflow", Side::Inflow}, {"periodic", Side::Periodic}},
                     "boundary condition at this side of the box");
    });
}

void visitFlow(SceneVisitor& v, FlowSettings& flow) {
    v.key("buoyancy", &flow.buoyancy, {"m/s² per K", 0.0f, 0.1f, "acceleration per kelvin above ambient, against gravity"});
    v.key("weight", &flow.weight, {"m/s²", -2.0f, 2.0f, "acceleration per unit density, along gravity"});
    v.key("vorticity", &flow.vorticity, {"", 0.0f, 3.0f, "epsilon of vorticity confinement, which restores small vortices"});
    v.key("viscosity", &flow.viscosity, {"m²/s", 0.0f, 1e-3f});
    v.key("viscosity_sweeps", &flow.viscositySweeps,
          {"", 0.0f, 60.0f, "sweeps of an implicit solve, which has no stability limit; 0: explicit"});
    v.key("density_decay", &flow.densityDecay, {"1/s", 0.0f, 2.0f, "decay rate of smoke"});
    v.key("velocity_decay", &flow.velocityDecay, {"1/s", 0.0f, 2.0f, "decay rate of velocity"});
    v.key("detail_decay", &flow.detailDecay, {"1/s", 0.0f, 40.0f, "decay rate of motion that the pressure grid does not resolve"});
    v.key("side_fade", &flow.sideFade,
          {"m", 0.0f, 0.5f, "thickness of the layers before open sides in which smoke fades; 0: off, images show a flat cut at the side"});
    v.key("fluid_density", &flow.fluidDensity,
          {"kg/m³", 0.1f, 2000.0f, "density of the air, for forces on obstacles and the heat of fire", Kind::Logarithmic});
    v.key("ambient", &flow.ambient, {"K", 200.0f, 400.0f, "temperature of the air; other temperatures are relative to it"});
    v.key("gravity", &flow.gravity, {"m/s²", -10.0f, 10.0f, "for smoke only the direction has an effect"});
    v.key("inflow", &flow.inflow, {"m/s", -5.0f, 5.0f, "velocity of the ambient flow, which enters through inflow and open sides"});
    v.key("gust", &flow.gust, {"m/s", 0.0f, 3.0f, "rms per component of noise on air that enters through open sides"});
    v.key("gust_scale", &flow.gustScale, {"m", 0.05f, 5.0f, "size of the eddies of gusts", Kind::Logarithmic});
    v.key("inflow_density", &flow.inflowDensity, {"", 0.0f, 4.0f, "density of smoke that enters through inflow sides"});
    v.choose("inflow_pattern", flow.inflowPattern,
             {{"even", InflowPattern::Even}, {"stripes", InflowPattern::Stripes}, {"checkerboard", InflowPattern::Checkerboard}},
             "pattern of the smoke that enters through inflow sides; moves with the inflow");
    if (v.where(flow.inflowPattern != InflowPattern::Even || flow.inflowWidth != FlowSettings().inflowWidth))
        v.key("inflow_width", &flow.inflowWidth, {"m", 0.01f, 1.0f, "width of the stripes or squares", Kind::Logarithmic});
}

void visitAdvection(SceneVisitor& v, AdvectionSettings& advection) {
    v.choose(
        "scheme", advection.scheme,
        {{"semi_lagrangian", AdvectionScheme::SemiLagrangian},
         {"maccormack", AdvectionScheme::MacCormack},
         {"maccormack_unclamped", AdvectionScheme::MacCormackUnclamped},
         {"bfecc", AdvectionScheme::Bfecc},
         {"cubic", AdvectionScheme::Cubic},
         {"upwind", AdvectionScheme::Upwind}},
        "scheme for smoke and motion; cubic preserves most of the smoke and uses maccormack for motion; upwind is for prescribed fields");
    v.choose("filter", advection.filter, {{"hardware", Filter::Hardware}, {"exact", Filter::Exact}},
             "exact gives the same result on every device");
}

void visitPrescribed(SceneVisitor& v, PrescribedSettings& p) {
    v.choose("field", p.field,
             {{"none", PrescribedField::None},
              {"uniform", PrescribedField::Uniform},
              {"rotation", PrescribedField::Rotation},
              {"shear", PrescribedField::Shear},
              {"sine", PrescribedField::Sine},
              {"taylor_green", PrescribedField::TaylorGreen},
              {"arrows", PrescribedField::Arrows}},
             "a steady velocity that is prescribed instead of solved");
    if (!v.where(p != PrescribedSettings())) return;
    v.key("speed", &p.speed, {"m/s", 0.0f, 5.0f, "maximum speed; for rotation the speed at half the shorter edge from the centre"});
    v.key("velocity", &p.velocity, {"m/s", -5.0f, 5.0f, "velocity of uniform; direction of arrows that are not turned"});
    v.each("arrow", p.arrows, [&](ArrowSettings& a) {
        v.key("at", &a.at, {"", 0.0f, static_cast<float>(kArrows - 1), "column from x0 and row from y0 of 16x16 arrows"});
        v.key("angle", &a.angle, {"°", -180.0f, 180.0f, "direction of the arrow, from +x towards +y", Kind::Degrees});
    });
}

bool isSweeps(PressureSolver solver) { return solver == PressureSolver::Jacobi || solver == PressureSolver::RedBlackSor; }

void visitPressure(SceneVisitor& v, PressureSettings& pressure) {
    const std::uint32_t before = defaultIterations(pressure.solver);
    v.choose("solver", pressure.solver,
             {{"jacobi", PressureSolver::Jacobi},
              {"red_black_sor", PressureSolver::RedBlackSor},
              {"multigrid", PressureSolver::Multigrid},
              {"mgpcg", PressureSolver::Mgpcg}},
             "all solve the same equation; use mgpcg for thin solids");
    if (defaultIterations(pressure.solver) != before) pressure.iterations = defaultIterations(pressure.solver);
    v.key("iterations", AutoNumber{&pressure.iterations},
          {"", 1.0f, isSweeps(pressure.solver) ? 160.0f : 8.0f,
           "cycles, or sweeps of jacobi and red_black_sor; auto: as many cycles as the tolerance needs"});
    v.key("tolerance", &pressure.tolerance,
          {"", 0.0f, 1e-2f, "relative residual at which the solve stops; 0: no check, or 0.01 if iterations is auto"});
    v.key("omega", &pressure.omega, {"", 1.0f, 1.99f, "over-relaxation of red_black_sor"});
}

void visitKeys(SceneVisitor& v, std::vector<PathKey>& keys) {
    v.each("keys", keys, [&](PathKey& k) {
        v.key("t", &k.t, {"s", 0.0f, 20.0f, "must be later than the previous key"});
        v.key("centre", &k.centre, {"m", -2.0f, 4.0f, "position at this time, on a smooth path"});
    });
}

void visitEmitter(SceneVisitor& v, EmitterSettings& e, MeshCache& meshes, float ambient, const std::filesystem::path& folder) {
    visitSolidShape(v, e.shape, meshes, true);
    if (v.where(e.shape.kind == ShapeKind::Mesh))
        v.choose("fill", e.fill, {{"inside", EmitterFill::Inside}, {"surface", EmitterFill::Surface}},
                 "a mesh emits inside, or in a layer on its surface of a cell to each side");
    v.key("rotation", &e.rotation, {"°", -180.0f, 180.0f, "axis times angle", Kind::Degrees});
    std::optional<glm::vec3> velocity = e.hasVelocity ? std::optional(e.velocity) : std::nullopt;
    v.key("velocity", &velocity, {"m/s", -5.0f, 5.0f, "velocity that is set inside"});
    e.hasVelocity = velocity.has_value();
    e.velocity = velocity.value_or(e.velocity);
    v.key("inherit_velocity", &e.inheritVelocity,
          {"", 0.0f, 1.0f, "share of the emitter's own velocity, by its keys or its mesh, that is added to velocity"});
    v.key("density", &e.density, {"", 0.0f, 4.0f, "minimum density inside"});
    v.key("density_rate", &e.densityRate, {"1/s", 0.0f, 20.0f, "density added per second"});
    v.key("temperature", &e.temperature,
          {"K", 0.0f, 500.0f, "temperature above ambient inside is raised to this value; if negative, lowered to it"});
    v.key("temperature_rate", &e.temperatureRate, {"K/s", 0.0f, 2000.0f, "temperature added per second"});
    visitFuel(v, e);
    v.key("turbulence", &e.turbulence, {"", 0.0f, 1.0f, "rms of noise on the velocity, as a share of the speed"});
    v.key("turbulence_scale", &e.turbulenceScale, {"m", 0.01f, 0.5f, "size of the eddies of turbulence"});
    v.key("colour", &e.colour, {"", 0.0f, 1.0f, "colour of the smoke from here, a factor of medium.albedo", Kind::Colour});
    visitLiquidSource(v, e);
    visitKeys(v, e.keys);
    const std::uint32_t fields = volumeFields(e.density != 0.0f || e.densityRate != 0.0f,
                                              e.temperature != 0.0f || e.temperatureRate != 0.0f, e.fuel != 0.0f || e.fuelRate != 0.0f);
    visitVolume(v, e.shape, e.volume, fields, ambient, folder);
}

void visitStroke(SceneVisitor& v, StrokeSettings& s) {
    v.key("radius", &s.radius, {"m", 0.002f, 0.2f, "standard deviation of the Gaussian across the path", Kind::Logarithmic});
    v.key("force", &s.force, {"1/s", 0.0f, 100.0f, "velocity added per metre of the path"});
    v.key("density", &s.density, {"", 0.0f, 4.0f, "density added at the centre of the path"});
    v.key("temperature", &s.temperature, {"K", 0.0f, 500.0f, "temperature added at the centre of the path"});
    visitFuel(v, s);
    v.key("colour", &s.colour, {"", 0.0f, 1.0f, "colour of the smoke from here, a factor of medium.albedo", Kind::Colour});
    visitKeys(v, s.keys);
}

void visitBrush(SceneVisitor& v, BrushSettings& b) {
    v.key("radius", &b.radius,
          {"m", 0.002f, 0.5f, "radius of the mouse brush; in a flat grid the standard deviation of a Gaussian", Kind::Logarithmic});
    v.key("density", &b.density, {"", 0.0f, 4.0f});
    v.key("temperature", &b.temperature, {"K", 0.0f, 500.0f});
    visitFuel(v, b);
    v.key("colour", &b.colour, {"", 0.0f, 1.0f, "colour of the smoke from here, a factor of medium.albedo", Kind::Colour});
    v.key("strength", &b.strength, {"", 0.0f, 2.0f, "three-dimensional box: share of the speed of the stroke that the smoke takes"});
    v.key("force", &b.force, {"1/s", 0.0f, 100.0f, "flat grid: velocity that a stroke adds per metre of its path"});
    v.key("cycle", &b.cycle,
          {"s", 0.0f, 20.0f, "flat grid: time of drawing in which the colour passes through all hues; 0: constant colour"});
}

void visitObstacle(SceneVisitor& v, ObstacleSettings& o, MeshCache& meshes) {
    visitSolidShape(v, o.shape, meshes, false);
    v.key("velocity", &o.velocity, {"m/s", -5.0f, 5.0f});
    v.key("rotation", &o.rotation, {"°", -180.0f, 180.0f, "rotation at t = 0: axis times angle", Kind::Degrees});
    v.key("angular_velocity", &o.angularVelocity, {"°/s", -360.0f, 360.0f, "axis times angle per second", Kind::Degrees});
    v.key("colour", &o.colour, {"", 0.0f, 1.0f, "albedo; not set: render.obstacle_colour", Kind::Colour});
    visitKeys(v, o.keys);
}

void visitTracers(SceneVisitor& v, TracerSettings& t) {
    v.key("count", &t.count,
          {"", 0.0f, 1e6f, "number of particles that the flow carries, spawned everywhere in the box", Kind::Logarithmic});
    v.key("lifetime", &t.lifetime, {"s", 0.1f, 20.0f, "time after which a tracer is spawned again elsewhere"});
    v.choose("look", t.look, {{"points", TracerLook::Points}, {"arrows", TracerLook::Arrows}}, "");
    v.key("size", &t.size, {"px", 0.5f, 8.0f, "diameter of a point, twice the width of an arrow"});
    v.key("arrow", &t.arrow, {"s", 0.0f, 1.0f, "time of the motion that an arrow shows"});
    v.key("speed", &t.speed, {"m/s", 0.1f, 20.0f, "speed at the last colour", Kind::Logarithmic});
    v.key("brightness", &t.brightness, {"", 0.0f, 10.0f, "factor of the colours, which are emitted light"});
}

void visitGrass(SceneVisitor& v, GrassSettings& g) {
    v.key("count", &g.count, {"", 0.0f, 1e6f, "number of blades that the wind bends; they do not affect the wind", Kind::Logarithmic});
    v.key("low", &g.low, {"m", -50.0f, 50.0f, "corner of the lawn; its y is the height of the lawn"});
    v.key("high", &g.high, {"m", -50.0f, 50.0f, "the other corner"});
    v.key("height", &g.height, {"m", 0.01f, 2.0f, "mean length of a blade"});
    v.key("bend", &g.bend, {"m/s", 0.1f, 20.0f, "wind in which a blade leans by 45°"});
    v.key("colour", &g.colour, {"", 0.0f, 1.0f, "albedo of the tips; the roots are darker", Kind::Colour});
}

void visitInitialImage(SceneVisitor& v, InitialSettings& i, const std::filesystem::path& folder) {
    const std::string before = i.image ? fileFrom(folder, i.image->file) : "";
    std::string file = before;
    v.key("file", &file, {.help = "a .png, .exr or .hdr image, stretched over the box in x and y"});
    Section* const s = v.reading();
    if (s && (i.field != InitialField::Image || !s->has("file") || s->refused("file"))) return;
    if (s && file.empty()) return s->fail("file", "is empty, must be the path of a .png, .exr or .hdr file");
    if (file == before) return;
    if (file.empty()) return i.image.reset();
    try {
        i.image = sharedInitialImage(fileNamed(file, folder));
    } catch (const std::runtime_error& error) {
        v.fail("file", fmt::format("{}: {}", file, error.what()));
    }
}

void visitInitial(SceneVisitor& v, InitialSettings& i, float ambient, const std::filesystem::path& folder) {
    const bool ofShape = i.field == InitialField::Shape;
    Section* const s = v.reading();
    if (s || ofShape) visitInitialShape(v, i.shape);
    if (s || !ofShape)
        v.choose("field", i.field,
                 {{"taylor_green", InitialField::TaylorGreen},
                  {"gaussian", InitialField::Gaussian},
                  {"zalesak", InitialField::Zalesak},
                  {"checkerboard", InitialField::Checkerboard},
                  {"image", InitialField::Image}},
                 "predefined field, instead of a shape");
    if (!s && (i.field == InitialField::Gaussian || i.field == InitialField::Zalesak)) {
        v.key("centre", &i.shape.centre, {"m", -2.0f, 4.0f, "centre of the field"});
        v.key("radius", &i.shape.radius, {"m", 0.01f, 0.5f});
    }
    if (s && s->has("field") && s->has("shape")) s->fail("field", "cannot be combined with shape: use one of them");
    const bool squares = i.field == InitialField::Checkerboard, image = i.field == InitialField::Image;
    if (v.where(squares)) v.key("squares", &i.squares, {"", 1.0f, 64.0f, "number of squares along the shorter edge of the box in x and y"});
    if (v.where(image)) visitInitialImage(v, i, folder);
    else i.image.reset();  // only for field = "image"
    if (s && !s->refused("field")) {
        if (s->has("squares") && !squares) s->fail("squares", "is only for field = \"checkerboard\"");
        if (s->has("file") && !image && i.shape.kind != ShapeKind::Volume)
            s->fail("file", "is only for field = \"image\" or shape = \"volume\"");
    }
    v.key("density", &i.density, {"", 0.0f, 4.0f});
    v.key("temperature", &i.temperature, {"K", 0.0f, 500.0f, "above ambient"});
    visitFuel(v, i);
    v.key("velocity", &i.velocity, {"m/s", -5.0f, 5.0f});
    v.key("colour", &i.colour, {"", 0.0f, 1.0f, "colour of the smoke from here, a factor of medium.albedo", Kind::Colour});
    visitLiquidSource(v, i);
    if (s || ofShape)
        visitVolume(v, i.shape, i.volume, volumeFields(i.density != 0.0f, i.temperature != 0.0f, i.fuel != 0.0f), ambient, folder);
}

void visitProbe(SceneVisitor& v, ProbeSettings& p) {
    // In the order of ProbeField.
    static const std::vector<std::string> kFields{"velocity", "pressure", "density", "temperature", "vorticity"};
    v.key("file", &p.file, {.help = "output file of wisp render: .csv or .jsonl"});
    if (const std::string extension = extensionOf(p.file); !p.file.empty() && extension != ".csv" && extension != ".jsonl")
        v.fail("file", fmt::format("is \"{}\", must end in .csv or .jsonl", p.file));
    v.key("at", &p.at, {"m", -2.0f, 4.0f, "a point"});
    v.key("from", &p.from, {"m", -2.0f, 4.0f, "one end of a line"});
    v.key("to", &p.to, {"m", -2.0f, 4.0f, "the other end of the line"});
    v.key("points", &p.points, {"", 2.0f, 256.0f, "number of points on the line, evenly spaced, including both ends"});
    v.key("every", &p.every, {"steps", 1.0f, 100.0f, "steps between two samples", Kind::Logarithmic});
    v.key("fields", Words{&p.fields, &kFields}, {.help = "fields to sample; not set: all fields of the scene"});
    if (Section* const s = v.reading(); s && s->has("points") && s->has("at"))
        s->fail("points", "is only for a line: use from and to instead of at");
}

}  // namespace

std::uint32_t defaultIterations(PressureSolver solver) { return isSweeps(solver) ? 40 : 0; }

void visitScene(SceneVisitor& v, Settings& settings, const std::filesystem::path& folder) {
    MeshCache meshes(folder, settings, v.memory());
    v.key("name", &settings.name, {.help = "title, and name of the output files"});
    v.key("seed", &settings.seed, {"", 1.0f, 100.0f, "seed of all random numbers"});
    v.table("grid", [&] { visitGrid(v, settings.grid); });
    v.table("time", [&] { v.key("step", &settings.timeStep, {"s", 1e-3f, 0.05f, "", Kind::Logarithmic}); });
    v.table("flow", [&] { visitFlow(v, settings.flow); });
    v.table("advection", [&] { visitAdvection(v, settings.advection); });
    v.table("prescribed", [&] { visitPrescribed(v, settings.prescribed); });
    v.table("liquid", [&] { visitLiquid(v, settings.liquid); });
    v.table("fire", [&] { visitFire(v, settings.fire); });
    v.table("follow", [&] { visitKeys(v, settings.follow.keys); });
    v.table("tracers", [&] { visitTracers(v, settings.tracers); });
    v.table("grass", [&] { visitGrass(v, settings.grass); });
    v.table("pressure", [&] { visitPressure(v, settings.pressure); });
    v.each("emitter", settings.emitters, [&](EmitterSettings& e) { visitEmitter(v, e, meshes, settings.flow.ambient, folder); });
    v.table("brush", [&] { visitBrush(v, settings.brush); });
    v.each("stroke", settings.strokes, [&](StrokeSettings& s) { visitStroke(v, s); });
    v.each("obstacle", settings.obstacles, [&](ObstacleSettings& o) { visitObstacle(v, o, meshes); });
    v.each("initial", settings.initial, [&](InitialSettings& i) { visitInitial(v, i, settings.flow.ambient, folder); });
    v.each("probe", settings.probes, [&](ProbeSettings& p) { visitProbe(v, p); });
    visitPicture(v, settings, folder);
}

}  // namespace wisp
