// SPDX-License-Identifier: MIT
#include "app/scene/scene_keys.h"

#include "app/scene/environment_file.h"
#include "app/scene/initial_image_file.h"
#include "app/scene/scene_shapes.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace wisp::app {
namespace {

using Kind = About::Kind;

void visitGrid(SceneVisitor& v, GridSettings& grid) {
    v.key("cells", &grid.cells, {"", 8.0f, 512.0f, "fine cells, which hold the velocity; they must come out cubic"});
    v.key("pressure_ratio", &grid.pressureRatio, {"", 1.0f, 4.0f, "fine cells per pressure cell along an edge: 1, 2 or 4"});
    v.key("scalar_ratio", &grid.scalarRatio, {"", 1.0f, 8.0f, "scalar cells per fine cell along an edge: 1, 2, 4 or 8"});
    v.key("size", &grid.size, {"m", 0.1f, 10.0f, "edges of the box"});
    v.key("origin", &grid.origin, {"m", -5.0f, 5.0f, "its low corner"});
    v.choose("precision", grid.precision, {{"half", Precision::Half}, {"float", Precision::Float}}, "storage of velocity and scalars");
    v.table("sides", [&] {
        const char* const names[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
        for (std::size_t i = 0; i < 6; ++i)
            v.choose(names[i], grid.sides[i],
                     {{"open", Side::Open}, {"wall", Side::Wall}, {"inflow", Side::Inflow}, {"periodic", Side::Periodic}},
                     "what happens at this side of the box");
    });
}

void visitFlow(SceneVisitor& v, FlowSettings& flow) {
    v.key("buoyancy", &flow.buoyancy, {"m/s² per K", 0.0f, 0.1f, "above ambient, against gravity"});
    v.key("weight", &flow.weight, {"m/s²", -2.0f, 2.0f, "per unit density, along gravity"});
    v.key("vorticity", &flow.vorticity, {"", 0.0f, 3.0f, "epsilon of the confinement: how much of the small swirls is given back"});
    v.key("viscosity", &flow.viscosity, {"m²/s", 0.0f, 1e-3f});
    v.key("viscosity_sweeps", &flow.viscositySweeps, {"", 0.0f, 60.0f, "of an implicit solve, which has no limit; 0: explicit"});
    v.key("density_decay", &flow.densityDecay, {"1/s", 0.0f, 2.0f, "rate at which smoke fades"});
    v.key("velocity_decay", &flow.velocityDecay, {"1/s", 0.0f, 2.0f, "rate at which motion dies away"});
    v.key("detail_decay", &flow.detailDecay, {"1/s", 0.0f, 40.0f, "of motion that the pressure grid does not see"});
    v.key("side_fade", &flow.sideFade,
          {"m", 0.0f, 0.5f, "smoke fades so far before open sides of the box; 0: pictures show where a side cuts it"});
    v.key("fluid_density", &flow.fluidDensity, {"kg/m³", 0.1f, 2000.0f, "of the air, for forces on obstacles", Kind::Logarithmic});
    v.key("gravity", &flow.gravity, {"m/s²", -10.0f, 10.0f, "for smoke only its direction matters"});
    v.key("inflow", &flow.inflow, {"m/s", -5.0f, 5.0f, "of the air outside, through inflow sides"});
    v.key("gust", &flow.gust, {"m/s", 0.0f, 3.0f, "rms of the noise on it, a component, of what comes in through open sides"});
    v.key("gust_scale", &flow.gustScale, {"m", 0.05f, 5.0f, "size of its eddies", Kind::Logarithmic});
    v.key("inflow_density", &flow.inflowDensity, {"", 0.0f, 4.0f, "of the smoke that comes in with it"});
    v.choose("inflow_pattern", flow.inflowPattern,
             {{"even", InflowPattern::Even}, {"stripes", InflowPattern::Stripes}, {"checkerboard", InflowPattern::Checkerboard}},
             "of that smoke, which moves with the inflow");
    if (v.where(flow.inflowPattern != InflowPattern::Even || flow.inflowWidth != FlowSettings().inflowWidth))
        v.key("inflow_width", &flow.inflowWidth, {"m", 0.01f, 1.0f, "of its stripes or squares", Kind::Logarithmic});
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
        "how smoke and motion are carried; cubic keeps most of the smoke, and is maccormack for motion; upwind is for prescribed fields");
    v.choose("filter", advection.filter, {{"hardware", Filter::Hardware}, {"exact", Filter::Exact}}, "exact is the same on every device");
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
             "a steady velocity that is given, not solved for");
    if (!v.where(p != PrescribedSettings())) return;
    v.key("speed", &p.speed, {"m/s", 0.0f, 5.0f, "the greatest, or where it is told"});
    v.key("velocity", &p.velocity, {"m/s", -5.0f, 5.0f, "of uniform; the way of arrows that are not turned"});
    v.each("arrow", p.arrows, [&](ArrowSettings& a) {
        v.key("at", &a.at, {"", 0.0f, static_cast<float>(kArrows - 1), "column from x0 and row from y0, of 16"});
        v.key("angle", &a.angle, {"°", -180.0f, 180.0f, "from +x towards +y", Kind::Degrees});
    });
}

void visitLiquid(SceneVisitor& v, LiquidSettings& l) {
    v.key("particles_per_cell", &l.particlesPerCell, {"", 1.0f, 27.0f, "that it begins with: 1, 8 or 27"});
    v.key("jitter", &l.jitter, {"", 0.0f, 1.0f, "how far they are from a regular lattice"});
    v.choose("transfer", l.transfer, {{"pic_flip", LiquidTransfer::PicFlip}, {"apic", LiquidTransfer::Apic}},
             "of motion between particles and grid");
    v.key("pic_rate", &l.picRate, {"1/s", 0.0f, 60.0f, "at which particles take the grid's velocity: calms the water; 0: FLIP alone"});
    v.choose("kernel", l.kernel, {{"linear", LiquidKernel::Linear}, {"quadratic", LiquidKernel::Quadratic}}, "of that transfer");
    v.choose("surface", l.surface, {{"ghost_fluid", LiquidSurface::GhostFluid}, {"cells", LiquidSurface::Cells}},
             "where the pressure is 0: on it, or by cells");
    v.choose("motion", l.motion, {{"rk2", LiquidMotion::Rk2}, {"rk3", LiquidMotion::Rk3}}, "of particles");
    v.key("density_rate", &l.densityRate, {"1/s", 0.0f, 60.0f, "at which crowded places come back to their volume"});
    v.key("reseed", &l.reseed, {.help = "particles go from where they are far too many to where the liquid has become thin inside"});
    v.key("capacity", &l.capacity, {"", 0.0f, 1e7f, "particles that there is memory for; 0: chosen from the scene"});
    v.key("fluid_density", &l.fluidDensity, {"kg/m³", 100.0f, 2000.0f, "of the liquid, for forces on obstacles", Kind::Logarithmic});
    v.choose("look", l.look, {{"surface", LiquidLook::Surface}, {"points", LiquidLook::Points}}, "points are coloured by speed");
    v.key("absorption", &l.absorption, {"1/m", 0.0f, 10.0f, "of light of each colour"});
    v.key("refraction", &l.refraction, {"", 1.0f, 2.0f, "index of refraction"});
    v.key("speed", &l.speed, {"m/s", 0.1f, 20.0f, "of the last colour of points", Kind::Logarithmic});
    v.key("size", &l.size, {"px", 0.5f, 8.0f, "diameter of a point"});
}

void visitPressure(SceneVisitor& v, PressureSettings& pressure) {
    const std::uint32_t usual = defaultIterations(pressure.solver);
    v.choose("solver", pressure.solver,
             {{"jacobi", PressureSolver::Jacobi},
              {"red_black_sor", PressureSolver::RedBlackSor},
              {"multigrid", PressureSolver::Multigrid},
              {"mgpcg", PressureSolver::Mgpcg}},
             "all solve the same equation; mgpcg for thin solids");
    if (defaultIterations(pressure.solver) != usual) pressure.iterations = defaultIterations(pressure.solver);
    v.key("iterations", &pressure.iterations,
          {"", 1.0f, 4.0f * static_cast<float>(defaultIterations(pressure.solver)),
           "cycles, or sweeps of jacobi and red_black_sor, at most"});
    v.key("tolerance", &pressure.tolerance, {"", 0.0f, 1e-2f, "relative residual that ends the solve; 0: none"});
    v.key("omega", &pressure.omega, {"", 1.0f, 1.99f, "over-relaxation of red_black_sor"});
}

void visitEmitter(SceneVisitor& v, EmitterSettings& e) {
    visitShape(v, e.shape);
    std::optional<glm::vec3> velocity = e.hasVelocity ? std::optional(e.velocity) : std::nullopt;
    v.key("velocity", &velocity, {"m/s", -5.0f, 5.0f, "held inside"});
    e.hasVelocity = velocity.has_value();
    e.velocity = velocity.value_or(e.velocity);
    v.key("density", &e.density, {"", 0.0f, 4.0f, "held at least at this inside"});
    v.key("density_rate", &e.densityRate, {"1/s", 0.0f, 20.0f, "added instead"});
    v.key("temperature", &e.temperature, {"K", 0.0f, 500.0f, "above ambient, held at least at this inside"});
    v.key("temperature_rate", &e.temperatureRate, {"K/s", 0.0f, 2000.0f, "added instead"});
    v.key("turbulence", &e.turbulence, {"", 0.0f, 1.0f, "noise on the velocity, as a share of it"});
    v.key("turbulence_scale", &e.turbulenceScale, {"m", 0.01f, 0.5f, "size of its eddies"});
    v.key("colour", &e.colour, {"", 0.0f, 1.0f, "of its smoke: a factor of medium.albedo", Kind::Colour});
    v.key("liquid", &e.liquid, {.help = "it is always full of liquid"});
}

void visitKeys(SceneVisitor& v, std::vector<PathKey>& keys) {
    v.each("keys", keys, [&](PathKey& k) {
        v.key("t", &k.t, {"s", 0.0f, 20.0f, "later than the key before"});
        v.key("centre", &k.centre, {"m", -2.0f, 4.0f, "on a smooth path, instead of velocity"});
    });
}

void visitStroke(SceneVisitor& v, StrokeSettings& s) {
    v.key("radius", &s.radius, {"m", 0.002f, 0.2f, "standard deviation of the Gaussian across its way", Kind::Logarithmic});
    v.key("force", &s.force, {"1/s", 0.0f, 100.0f, "velocity that it gives per metre of its way"});
    v.key("density", &s.density, {"", 0.0f, 4.0f, "left in the middle of its way"});
    v.key("temperature", &s.temperature, {"K", 0.0f, 500.0f, "likewise"});
    v.key("colour", &s.colour, {"", 0.0f, 1.0f, "of its smoke: a factor of medium.albedo", Kind::Colour});
    visitKeys(v, s.keys);
}

void visitBrush(SceneVisitor& v, BrushSettings& b) {
    v.key("radius", &b.radius, {"m", 0.002f, 0.5f, "of what the hand paints with; in a flat grid of a Gaussian", Kind::Logarithmic});
    v.key("density", &b.density, {"", 0.0f, 4.0f});
    v.key("temperature", &b.temperature, {"K", 0.0f, 500.0f});
    v.key("colour", &b.colour, {"", 0.0f, 1.0f, "of its smoke: a factor of medium.albedo", Kind::Colour});
    v.key("strength", &b.strength, {"", 0.0f, 2.0f, "of a box: share of the stroke's speed that the smoke takes"});
    v.key("force", &b.force, {"1/s", 0.0f, 100.0f, "of a flat grid: velocity that a stroke gives per metre of its way"});
    v.key("cycle", &b.cycle, {"s", 0.0f, 20.0f, "of a flat grid: time of drawing in which the colour goes through all hues; 0: it stays"});
}

void visitObstacle(SceneVisitor& v, ObstacleSettings& o, MeshShelf& meshes) {
    visitSolidShape(v, o.shape, meshes);
    v.key("velocity", &o.velocity, {"m/s", -5.0f, 5.0f});
    v.key("rotation", &o.rotation, {"°", -180.0f, 180.0f, "at t = 0: about this axis by its length", Kind::Degrees});
    v.key("angular_velocity", &o.angularVelocity, {"°/s", -360.0f, 360.0f, "about this axis by its length", Kind::Degrees});
    v.key("colour", &o.colour, {"", 0.0f, 1.0f, "albedo; none: render.obstacle_colour", Kind::Colour});
    visitKeys(v, o.keys);
}

void visitTracers(SceneVisitor& v, TracerSettings& t) {
    v.key("count", &t.count, {"", 0.0f, 1e6f, "marks that the flow carries, born everywhere in the box", Kind::Logarithmic});
    v.key("lifetime", &t.lifetime, {"s", 0.1f, 20.0f, "after which one is born anew elsewhere"});
    v.choose("look", t.look, {{"points", TracerLook::Points}, {"arrows", TracerLook::Arrows}}, "");
    v.key("size", &t.size, {"px", 0.5f, 8.0f, "diameter of a point, twice the width of an arrow"});
    v.key("arrow", &t.arrow, {"s", 0.0f, 1.0f, "motion that an arrow shows"});
    v.key("speed", &t.speed, {"m/s", 0.1f, 20.0f, "of the last colour", Kind::Logarithmic});
    v.key("brightness", &t.brightness, {"", 0.0f, 10.0f, "of the colours, which are light of their own"});
}

void visitGrass(SceneVisitor& v, GrassSettings& g) {
    v.key("count", &g.count, {"", 0.0f, 1e6f, "blades that the wind bends, and that do nothing to it", Kind::Logarithmic});
    v.key("low", &g.low, {"m", -50.0f, 50.0f, "corner of the lawn, its y the height of both"});
    v.key("high", &g.high, {"m", -50.0f, 50.0f, "the other corner"});
    v.key("height", &g.height, {"m", 0.01f, 2.0f, "mean length of a blade"});
    v.key("bend", &g.bend, {"m/s", 0.1f, 20.0f, "wind in which one leans by 45°"});
    v.key("colour", &g.colour, {"", 0.0f, 1.0f, "albedo of tips; roots are darker", Kind::Colour});
}

void visitInitialImage(SceneVisitor& v, InitialSettings& i, const std::filesystem::path& folder) {
    const std::string before = i.image ? fileFrom(folder, i.image->file) : "";
    std::string file = before;
    v.key("file", &file, {.help = "of an image: a .png, .exr or .hdr, which fills the box in x and y"});
    Section* const s = v.reading();
    if (s && (i.field != InitialField::Image || !s->has("file") || s->refused("file"))) return;
    if (s && file.empty()) return s->fail("file", "is empty, must be the path of a .png, .exr or .hdr file");
    if (file == before) return;
    if (file.empty()) return i.image.reset();
    try {
        i.image = std::make_shared<const InitialImage>(readInitialImage((folder / file).lexically_normal()));
    } catch (const std::runtime_error& error) {
        v.fail("file", fmt::format("{}: {}", file, error.what()));
    }
}

void visitInitial(SceneVisitor& v, InitialSettings& i, const std::filesystem::path& folder) {
    const bool ofShape = i.field == InitialField::Shape;
    Section* const s = v.reading();
    if (s || ofShape) visitShape(v, i.shape);
    if (s || !ofShape)
        v.choose("field", i.field,
                 {{"taylor_green", InitialField::TaylorGreen},
                  {"gaussian", InitialField::Gaussian},
                  {"zalesak", InitialField::Zalesak},
                  {"checkerboard", InitialField::Checkerboard},
                  {"image", InitialField::Image}},
                 "instead of a shape");
    if (!s && (i.field == InitialField::Gaussian || i.field == InitialField::Zalesak)) {
        v.key("centre", &i.shape.centre, {"m", -2.0f, 4.0f, "its middle"});
        v.key("radius", &i.shape.radius, {"m", 0.01f, 0.5f});
    }
    if (s && s->has("field") && s->has("shape")) s->fail("field", "must not stand beside shape: an initial field is one or the other");
    const bool squares = i.field == InitialField::Checkerboard, image = i.field == InitialField::Image;
    if (v.where(squares))
        v.key("squares", &i.squares, {"", 1.0f, 64.0f, "of a checkerboard, along the smaller of the box' edges in x and y"});
    if (v.where(image)) visitInitialImage(v, i, folder);
    else i.image.reset();  // of no use any more
    if (s && !s->refused("field")) {
        if (s->has("squares") && !squares) s->fail("squares", "is only for field = \"checkerboard\"");
        if (s->has("file") && !image) s->fail("file", "is only for field = \"image\"");
    }
    v.key("density", &i.density, {"", 0.0f, 4.0f});
    v.key("temperature", &i.temperature, {"K", 0.0f, 500.0f, "above ambient"});
    v.key("velocity", &i.velocity, {"m/s", -5.0f, 5.0f});
    v.key("colour", &i.colour, {"", 0.0f, 1.0f, "of its smoke: a factor of medium.albedo", Kind::Colour});
    v.key("liquid", &i.liquid, {.help = "a shape full of liquid"});
}

void visitProbe(SceneVisitor& v, ProbeSettings& p) {
    static const std::vector<std::string> kFields{"velocity", "pressure", "density", "temperature",
                                                  "vorticity"};  // in the order of ProbeField
    v.key("file", &p.file, {.help = "that wisp render writes: .csv or .jsonl"});
    v.key("at", &p.at, {"m", -2.0f, 4.0f, "a point"});
    v.key("from", &p.from, {"m", -2.0f, 4.0f, "one end of a line"});
    v.key("to", &p.to, {"m", -2.0f, 4.0f, "its other end"});
    v.key("points", &p.points, {"", 2.0f, 256.0f, "of the line, evenly spaced, with its ends"});
    v.key("every", &p.every, {"steps", 1.0f, 100.0f, "between two samples", Kind::Logarithmic});
    v.key("fields", Words{&p.fields, &kFields}, {.help = "that are sampled; none given: all that the scene has"});
    if (Section* const s = v.reading(); s && s->has("points") && s->has("at"))
        s->fail("points", "is only for a line: from and to instead of at");
}

void visitMedium(SceneVisitor& v, MediumSettings& medium) {
    v.key("extinction", &medium.extinction, {"1/m", 0.1f, 200.0f, "per unit density", Kind::Logarithmic});
    v.key("albedo", &medium.albedo, {"", 0.0f, 1.0f, "how much of the light that it takes up it scatters", Kind::Colour});
    v.key("emission", &medium.emission, {"W/(m² sr)", 0.0f, 10.0f, "of thick smoke itself, times 1 - albedo"});
    v.table("phase", [&] {
        v.key("g", &medium.phase.g, {"", -0.95f, 0.95f, "mean cosine of the forward lobe"});
        v.key("g_back", &medium.phase.gBack, {"", -0.95f, 0.95f, "of the other lobe"});
        v.key("blend", &medium.phase.blend, {"", 0.0f, 1.0f, "share of the other lobe"});
    });
    v.key("octaves", &medium.octaves,
          {"", 1.0f, 8.0f, "1: light is scattered once; more: of multiple scattering by render.scattering = \"octaves\""});
}

void visitLight(SceneVisitor& v, LightSettings& light) {
    v.choose("type", light.kind, {{"sun", LightKind::Sun}, {"point", LightKind::Point}, {"spot", LightKind::Spot}}, "");
    if (v.where(light.kind != LightKind::Point)) v.key("direction", &light.direction, {"", -1.0f, 1.0f, "in which the light travels"});
    if (v.where(light.kind != LightKind::Sun)) v.key("position", &light.position, {"m", -2.0f, 4.0f});
    v.key("colour", &light.colour, {"", 0.0f, 1.0f, "", Kind::Colour});
    v.key("intensity", &light.intensity, {light.kind == LightKind::Sun ? "W/m²" : "W/sr", 0.0f, 50.0f});
    if (light.kind == LightKind::Sun)
        v.key("size", &light.size, {"°", 0.0f, 20.0f, "diameter: how soft the shadows of obstacles are", Kind::Degrees});
    else v.key("size", &light.size, {"m", 0.0f, 1.0f, "diameter: how soft the shadows of obstacles are"});
    const bool spot = light.kind == LightKind::Spot;
    if (Section* const s = v.reading(); s && !spot && !s->refused("type"))
        for (const char* key : {"angle", "softness"})
            if (s->has(key)) s->fail(key, "is only for type = \"spot\"");
    if (v.where(spot)) v.key("angle", &light.angle, {"°", 1.0f, 180.0f, "the whole cone", Kind::Degrees});
    if (v.where(spot)) v.key("softness", &light.softness, {"", 0.0f, 1.0f, "share of the half angle over which it falls off"});
}

void visitImage(SceneVisitor& v, EnvironmentSettings& e, const std::filesystem::path& folder) {
    Section* const s = v.reading();
    const std::string before = e.image ? fileFrom(folder, e.image->file) : "";
    std::string image = before;
    const bool named = v.key("image", &image, {.help = "an .hdr or .exr file, instead of the colours"});
    if (s) {
        if (!s->has("image") && s->has("rotation")) s->fail("rotation", "is of environment.image, which is not there");
        for (const char* key : {"colour", "top", "bottom"})
            if (s->has("image") && s->has(key)) s->fail(key, "must not stand beside image, which takes its place");
        if (!named) return;
        if (image.empty()) return s->fail("image", "is empty, must be the path of an .hdr or .exr file");
    }
    if (image == before) return;
    if (image.empty()) return e.image.reset();
    try {
        e.image = std::make_shared<const EnvironmentImage>(readEnvironment((folder / image).lexically_normal()));
    } catch (const std::runtime_error& error) {
        v.fail("image", fmt::format("{}: {}", image, error.what()));
    }
}

void visitEnvironment(SceneVisitor& v, EnvironmentSettings& e, const std::filesystem::path& folder) {
    if (v.where(!e.image)) {
        v.key("colour", &e.colour, {"W/(m² sr)", 0.0f, 1.0f, "from everywhere, or from the horizon", Kind::Colour});
        v.key("top", &e.top, {"W/(m² sr)", 0.0f, 1.0f, "from straight above", Kind::Colour});
        v.key("bottom", &e.bottom, {"W/(m² sr)", 0.0f, 1.0f, "from straight below", Kind::Colour});
    }
    v.key("intensity", &e.intensity, {"", 0.0f, 4.0f, "times all of these"});
    if (v.where(e.image != nullptr)) v.key("rotation", &e.rotation, {"°", -180.0f, 180.0f, "of the image about +y", Kind::Degrees});
    v.key("ground", &e.ground, {.help = "a matt plane at the floor of the box"});
    v.key("ground_radius", &e.groundRadius,
          {"m", 0.0f, 20.0f, "from there to twice as far from the box's middle the ground fades into the surroundings; 0: it has no end"});
    visitImage(v, e, folder);
}

void visitCamera(SceneVisitor& v, CameraSettings& camera) {
    v.key("eye", &camera.eye, {"m", -5.0f, 5.0f});
    v.key("target", &camera.target, {"m", -5.0f, 5.0f});
    v.key("fov", &camera.fov, {"°", 10.0f, 100.0f, "from the bottom of the picture to its top", Kind::Degrees});
    v.key("follows", &camera.follows, {.help = "it goes with the target of follow.keys"});
    v.key("height", &camera.height, {"m", 0.0f, 5.0f, "of the picture of a flat grid around the target; 0: all of it"});
    v.each("keys", camera.keys, [&](CameraKey& k) {
        v.key("t", &k.t, {"s", 0.0f, 20.0f, "later than the key before"});
        v.key("eye", &k.eye, {"m", -5.0f, 5.0f, "on a smooth path"});
        v.key("target", &k.target, {"m", -5.0f, 5.0f, "likewise"});
    });
}

void visitRender(SceneVisitor& v, RenderSettings& render) {
    v.choose("mode", render.mode, {{"raymarch", RenderMode::Raymarch}, {"path", RenderMode::Path}},
             "path is the reference, for stills; a window shows raymarch");
    v.key("size", &render.size, {"px", 64.0f, 4096.0f, "of pictures that `wisp render` makes; a window has its own"});
    v.key("step", &render.step, {"m", 0.0f, 0.05f, "of a ray; 0: one scalar cell, longer in thin smoke"});
    v.key("exposure", &render.exposure, {"stops", -8.0f, 8.0f});
    v.choose("tonemap", render.tonemap, {{"aces", Tonemap::Aces}, {"agx", Tonemap::Agx}, {"linear", Tonemap::Linear}}, "");
    v.key("obstacle_colour", &render.obstacleColour, {"", 0.0f, 1.0f, "albedo", Kind::Colour});
    v.key("obstacle_specular", &render.obstacleSpecular,
          {"", 0.0f, 1.0f, "share of light that the obstacles' clear coat mirrors, seen straight on; 0: they are matt"});
    v.key("obstacle_roughness", &render.obstacleRoughness, {"", 0.1f, 1.0f, "of that coat"});
    v.key("ground_colour", &render.groundColour, {"", 0.0f, 1.0f, "albedo", Kind::Colour});
    v.key("temporal", &render.temporal, {.help = "a picture is a mean of itself and those before: less noise, softer motion"});
    v.choose("shadows", render.shadows, {{"volume", Shadows::Volume}, {"march", Shadows::March}}, "march is sharper, and slower");
    v.choose("scattering", render.scattering, {{"ordinates", Scattering::Ordinates}, {"octaves", Scattering::Octaves}},
             "light scattered more than once: discrete ordinates are right, octaves are cheap");
    v.key("scattering_cells", &render.scatteringCells,
          {"", 8.0f, 128.0f, "of ordinates: cells along the longest edge at most; dense smoke needs more", Kind::Logarithmic});
    v.key("relief", &render.relief, {"", 0.0f, 2.0f, "of a flat grid: how much of a surface its dye is to the light"});
    v.key("glow", &render.glow, {"", 0.0f, 2.0f, "of a flat grid: light that spreads, over what a pixel has itself"});
    v.key("light_ratio", &render.lightRatio, {"", 1.0f, 4.0f, "fine cells per cell of the light volume: 1, 2 or 4"});
    v.key("samples", &render.samples, {"", 1.0f, 1024.0f, "path mode: paths a pixel at most", Kind::Logarithmic});
    v.key("error", &render.error, {"", 0.0f, 0.1f, "path mode: noise at which a picture ends early"});
    v.key("bounces", &render.bounces, {"", 0.0f, 64.0f, "path mode: scatterings at most; 0: any number"});
    v.key("antialias", &render.antialias, {.help = "a pixel is the mean over its area; false: what is seen through its middle"});
}

void visitView(SceneVisitor& v, const Settings& s, ViewSettings& view) {
    v.choose("field", view.field,
             {{"smoke", ViewField::Smoke},
              {"density", ViewField::Density},
              {"temperature", ViewField::Temperature},
              {"speed", ViewField::Speed},
              {"vorticity", ViewField::Vorticity},
              {"pressure", ViewField::Pressure},
              {"divergence", ViewField::Divergence}},
             "a field by colour instead of lit smoke");
    const bool field = view.field != ViewField::Smoke;
    if (v.where(field)) {
        v.choose("slice", view.slice, {{"none", SliceAxis::None}, {"x", SliceAxis::X}, {"y", SliceAxis::Y}, {"z", SliceAxis::Z}},
                 "a plane across this axis");
        v.key("position", &view.position, {"m", -2.0f, 4.0f, "where it cuts the axis"});
        v.key("range", &view.range, {"", -5.0f, 5.0f, "values of the first and the last colour"});
    }
    if (v.where(field || (s.grid.isFlat() && s.prescribed.field != PrescribedField::None) || view.arrows > 0))
        v.key("arrows", &view.arrows,
              {"", 0.0f, 32.0f, "fine cells between velocity arrows on a slice, or over dye in a prescribed velocity; 0: none"});
    if (v.where(field)) v.key("legend", &view.legend, {});
}

}  // namespace

std::uint32_t defaultIterations(PressureSolver solver) {
    return solver == PressureSolver::Jacobi || solver == PressureSolver::RedBlackSor ? 40 : 2;
}

void visitScene(SceneVisitor& v, Settings& settings, const std::filesystem::path& folder) {
    MeshShelf meshes(folder, settings);
    v.key("name", &settings.name, {.help = "title, and what pictures are called"});
    v.key("seed", &settings.seed, {"", 1.0f, 100.0f, "of the emitters' turbulence"});
    v.table("grid", [&] { visitGrid(v, settings.grid); });
    v.table("time", [&] { v.key("step", &settings.timeStep, {"s", 1e-3f, 0.05f, "", Kind::Logarithmic}); });
    v.table("flow", [&] { visitFlow(v, settings.flow); });
    v.table("advection", [&] { visitAdvection(v, settings.advection); });
    v.table("prescribed", [&] { visitPrescribed(v, settings.prescribed); });
    v.table("liquid", [&] { visitLiquid(v, settings.liquid); });
    v.table("follow", [&] { visitKeys(v, settings.follow.keys); });
    v.table("tracers", [&] { visitTracers(v, settings.tracers); });
    v.table("grass", [&] { visitGrass(v, settings.grass); });
    v.table("pressure", [&] { visitPressure(v, settings.pressure); });
    v.each("emitter", settings.emitters, [&](EmitterSettings& e) { visitEmitter(v, e); });
    v.table("brush", [&] { visitBrush(v, settings.brush); });
    v.each("stroke", settings.strokes, [&](StrokeSettings& s) { visitStroke(v, s); });
    v.each("obstacle", settings.obstacles, [&](ObstacleSettings& o) { visitObstacle(v, o, meshes); });
    v.each("initial", settings.initial, [&](InitialSettings& i) { visitInitial(v, i, folder); });
    v.each("probe", settings.probes, [&](ProbeSettings& p) { visitProbe(v, p); });
    v.table("medium", [&] { visitMedium(v, settings.medium); });
    v.each("light", settings.lights, [&](LightSettings& l) { visitLight(v, l); });
    v.table("environment", [&] { visitEnvironment(v, settings.environment, folder); });
    v.table("camera", [&] { visitCamera(v, settings.camera); });
    v.table("render", [&] { visitRender(v, settings.render); });
    v.table("view", [&] { visitView(v, settings, settings.view); });
}

}  // namespace wisp::app
