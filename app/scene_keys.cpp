// SPDX-License-Identifier: MIT
#include "app/scene_keys.h"

#include "app/environment_file.h"
#include "app/mesh_file.h"
#include "compute/mesh_report.h"

#include <fmt/format.h>

#include <glm/trigonometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace wisp::app {
namespace {

void readGrid(Section& s, GridSettings& grid) {
    s.read("cells", grid.cells);
    s.read("pressure_ratio", grid.pressureRatio);
    s.read("scalar_ratio", grid.scalarRatio);
    s.read("size", grid.size);
    s.read("origin", grid.origin);
    s.choose("precision", grid.precision, {{"half", Precision::Half}, {"float", Precision::Float}});
    s.table("sides", [&](Section& sides) {
        const char* const names[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
        for (std::size_t i = 0; i < 6; ++i)
            sides.choose(names[i], grid.sides[i],
                         {{"open", Side::Open}, {"wall", Side::Wall}, {"inflow", Side::Inflow}, {"periodic", Side::Periodic}});
    });
}

void readFlow(Section& s, FlowSettings& flow) {
    s.read("buoyancy", flow.buoyancy);
    s.read("weight", flow.weight);
    s.read("vorticity", flow.vorticity);
    s.read("viscosity", flow.viscosity);
    s.read("density_decay", flow.densityDecay);
    s.read("velocity_decay", flow.velocityDecay);
    s.read("detail_decay", flow.detailDecay);
    s.read("gravity", flow.gravity);
    s.read("inflow", flow.inflow);
}

void readAdvection(Section& s, AdvectionSettings& advection) {
    s.choose("scheme", advection.scheme,
             {{"semi_lagrangian", AdvectionScheme::SemiLagrangian},
              {"maccormack", AdvectionScheme::MacCormack},
              {"maccormack_unclamped", AdvectionScheme::MacCormackUnclamped}});
    s.choose("filter", advection.filter, {{"hardware", Filter::Hardware}, {"exact", Filter::Exact}});
}

void readPressure(Section& s, PressureSettings& pressure) {
    s.choose("solver", pressure.solver,
             {{"jacobi", PressureSolver::Jacobi},
              {"red_black_sor", PressureSolver::RedBlackSor},
              {"multigrid", PressureSolver::Multigrid},
              {"mgpcg", PressureSolver::Mgpcg}});
    const bool sweeps = pressure.solver == PressureSolver::Jacobi || pressure.solver == PressureSolver::RedBlackSor;
    if (sweeps) pressure.iterations = 40;
    s.read("iterations", pressure.iterations);
    s.read("tolerance", pressure.tolerance);
    s.read("omega", pressure.omega);
}

/// A box may be given by its corners instead of its centre and half edges.
void readCorners(Section& s, Shape& shape) {
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
    const bool hasLow = s.read("min", low);
    const bool hasHigh = s.read("max", high);
    if (!s.has("min") && !s.has("max")) return;
    const std::string given = s.has("min") ? "min" : "max";
    if (shape.kind != ShapeKind::Box) return s.fail(given, "is only for shape = \"box\"");
    if (!s.has("min") || !s.has("max")) return s.fail(given, "needs both min and max");
    if (s.has("centre") || s.has("half")) return s.fail(given, "must not stand beside centre and half: they say the same");
    if (!hasLow || !hasHigh) return;
    if (glm::any(glm::lessThanEqual(high, low))) return s.fail("max", "must be above min in every direction");
    shape.centre = 0.5f * (low + high);
    shape.half = 0.5f * (high - low);
}

void readShape(Section& s, Shape& shape, bool mesh = false) {
    Choices<ShapeKind> choices{{"sphere", ShapeKind::Sphere}, {"box", ShapeKind::Box}, {"capsule", ShapeKind::Capsule}};
    if (mesh) choices.emplace_back("mesh", ShapeKind::Mesh);
    s.choose("shape", shape.kind, choices, {"mesh"});
    s.read("centre", shape.centre);
    s.read("radius", shape.radius);
    s.read("half", shape.half);
    readCorners(s, shape);
    if (shape.kind == ShapeKind::Box && s.has("radius"))
        s.fail("radius", "is for a sphere or a capsule; a box has half, or min and max");
    if (shape.kind == ShapeKind::Sphere && s.has("half")) s.fail("half", "is for a box or a capsule; a sphere has radius");
}

/// The scene's meshes; a file that several obstacles name is read once.
class MeshShelf {
public:
    MeshShelf(std::filesystem::path folder, std::vector<Mesh>& meshes) : folder_(std::move(folder)), meshes_(meshes) {}

    /// @throws std::runtime_error that says why the file is of no use.
    std::uint32_t find(const std::string& name) {
        const std::string path = (folder_ / name).lexically_normal();
        if (const auto known = known_.find(path); known != known_.end()) return known->second;
        Mesh mesh = readMesh(path);
        if (const std::string leaks = leakProblem(inspectMesh(mesh, 0.0)); !leaks.empty()) throw std::runtime_error(leaks);
        meshes_.push_back(std::move(mesh));
        return known_[path] = static_cast<std::uint32_t>(meshes_.size() - 1);
    }
    [[nodiscard]] const Mesh& operator[](std::uint32_t i) const { return meshes_[i]; }

private:
    std::filesystem::path folder_;
    std::vector<Mesh>& meshes_;
    std::map<std::string, std::uint32_t> known_;
};

/// `size` is the longest edge of the bounding box, instead of `scale`.
void readMeshKeys(Section& s, Shape& shape, MeshShelf& shelf) {
    std::string file;
    float size = 0.0f;
    const bool named = s.read("file", file), sized = s.read("size", size);
    s.read("scale", shape.scale);
    if (shape.kind != ShapeKind::Mesh) {
        for (const char* key : {"file", "scale", "size"})
            if (s.has(key)) s.fail(key, "is only for shape = \"mesh\"");
        return;
    }
    for (const char* key : {"radius", "half"})
        if (s.has(key)) s.fail(key, "is not for a mesh, which has scale or size");
    if (s.has("scale") && s.has("size")) s.fail("size", "must not stand beside scale: they say the same");
    if (!s.has("file")) s.fail("shape", "is \"mesh\", which needs file, the path of an .obj");
    if (sized && !(size > 0.0f)) s.fail("size", fmt::format("is {}, must be above 0", size));
    try {
        if (!named) throw std::runtime_error("");
        shape.mesh = shelf.find(file);
        const glm::dvec3 extent = boundsOf(shelf[shape.mesh]).size();
        if (sized && size > 0.0f) shape.scale = static_cast<float>(static_cast<double>(size) / std::max({extent.x, extent.y, extent.z}));
    } catch (const std::runtime_error& e) {
        if (named) s.fail("file", fmt::format("{}: {}", file, e.what()));
        shape.kind = ShapeKind::Sphere;  // what follows from this is no news
    }
}

EmitterSettings readEmitter(Section& s) {
    EmitterSettings e;
    readShape(s, e.shape);
    e.hasVelocity = s.read("velocity", e.velocity);
    s.read("density", e.density);
    s.read("density_rate", e.densityRate);
    s.read("temperature", e.temperature);
    s.read("temperature_rate", e.temperatureRate);
    s.read("turbulence", e.turbulence);
    s.read("turbulence_scale", e.turbulenceScale);
    s.read("colour", e.colour);
    return e;
}

ObstacleSettings readObstacle(Section& s, MeshShelf& meshes) {
    ObstacleSettings o;
    readShape(s, o.shape, true);
    readMeshKeys(s, o.shape, meshes);
    s.read("velocity", o.velocity);
    glm::vec3 degrees{0.0f};
    if (s.read("rotation", degrees)) o.rotation = glm::radians(degrees);
    if (s.read("angular_velocity", degrees)) o.angularVelocity = glm::radians(degrees);
    s.each("keys", [&](Section& key) {
        PathKey k;
        key.read("t", k.t);
        key.read("centre", k.centre);
        o.keys.push_back(k);
    });
    return o;
}

InitialSettings readInitial(Section& s) {
    InitialSettings i;
    readShape(s, i.shape);
    s.choose("field", i.field,
             {{"taylor_green", InitialField::TaylorGreen},
              {"gaussian", InitialField::Gaussian},
              {"zalesak", InitialField::Zalesak}});
    if (s.has("field") && s.has("shape"))
        s.fail("field", "must not stand beside shape: an initial field is one or the other");
    s.read("density", i.density);
    s.read("temperature", i.temperature);
    s.read("velocity", i.velocity);
    s.read("colour", i.colour);
    return i;
}

void readMedium(Section& s, MediumSettings& medium) {
    s.read("extinction", medium.extinction);
    s.read("albedo", medium.albedo);
    s.read("emission", medium.emission);
    s.table("phase", [&](Section& phase) {
        phase.read("g", medium.phase.g);
        phase.read("g_back", medium.phase.gBack);
        phase.read("blend", medium.phase.blend);
    });
    s.read("octaves", medium.octaves);
}

LightSettings readLight(Section& s) {
    LightSettings light;
    s.choose("type", light.kind, {{"sun", LightKind::Sun}, {"point", LightKind::Point}, {"spot", LightKind::Spot}});
    s.read("direction", light.direction);
    s.read("position", light.position);
    s.read("colour", light.colour);
    s.read("intensity", light.intensity);
    for (const char* key : {"angle", "softness"})
        if (light.kind != LightKind::Spot && s.has(key)) s.fail(key, "is only for type = \"spot\"");
    float degrees = 0.0f;
    if (s.read("angle", degrees)) light.angle = glm::radians(degrees);
    s.read("softness", light.softness);
    return light;
}

void readEnvironmentKeys(Section& s, EnvironmentSettings& e, const std::filesystem::path& folder) {
    s.read("colour", e.colour);
    glm::vec3 colour{0.0f};
    if (s.read("top", colour)) e.top = colour;
    if (s.read("bottom", colour)) e.bottom = colour;
    s.read("intensity", e.intensity);
    float degrees = 0.0f;
    if (s.read("rotation", degrees)) e.rotation = glm::radians(degrees);
    s.read("ground", e.ground);
    std::string image;
    const bool named = s.read("image", image);
    if (!s.has("image")) {
        if (s.has("rotation")) s.fail("rotation", "is of environment.image, which is not there");
        return;
    }
    for (const char* key : {"colour", "top", "bottom"})
        if (s.has(key)) s.fail(key, "must not stand beside image, which takes its place");
    if (!named) return;
    if (image.empty()) return s.fail("image", "is empty, must be the path of an .hdr or .exr file");
    try {
        e.image = std::make_shared<const EnvironmentImage>(readEnvironment(folder / image));
    } catch (const std::runtime_error& error) {
        s.fail("image", fmt::format("{}: {}", image, error.what()));
    }
}

void readCamera(Section& s, CameraSettings& camera) {
    s.read("eye", camera.eye);
    s.read("target", camera.target);
    float degrees = 0.0f;
    if (s.read("fov", degrees)) camera.fov = glm::radians(degrees);
}

void readRender(Section& s, RenderSettings& render) {
    s.choose("mode", render.mode, {{"raymarch", RenderMode::Raymarch}, {"path", RenderMode::Path}});
    s.read("size", render.size);
    s.read("step", render.step);
    s.read("exposure", render.exposure);
    s.choose("tonemap", render.tonemap, {{"aces", Tonemap::Aces}, {"agx", Tonemap::Agx}, {"linear", Tonemap::Linear}});
    s.read("obstacle_colour", render.obstacleColour);
    s.read("ground_colour", render.groundColour);
    s.read("temporal", render.temporal);
    s.choose("shadows", render.shadows, {{"volume", Shadows::Volume}, {"march", Shadows::March}});
    s.read("light_ratio", render.lightRatio);
    s.read("samples", render.samples);
    s.read("error", render.error);
    s.read("bounces", render.bounces);
    s.read("antialias", render.antialias);
}

void readView(Section& s, ViewSettings& view) {
    s.choose("field", view.field,
             {{"smoke", ViewField::Smoke},
              {"density", ViewField::Density},
              {"temperature", ViewField::Temperature},
              {"speed", ViewField::Speed},
              {"vorticity", ViewField::Vorticity},
              {"pressure", ViewField::Pressure},
              {"divergence", ViewField::Divergence}});
    s.choose("slice", view.slice, {{"none", SliceAxis::None}, {"x", SliceAxis::X}, {"y", SliceAxis::Y}, {"z", SliceAxis::Z}});
    float position = 0.0f;
    if (s.read("position", position)) view.position = position;
    glm::vec2 range{0.0f};
    if (s.read("range", range)) view.range = range;
    s.read("arrows", view.arrows);
    s.read("legend", view.legend);
}

}  // namespace

void readScene(Section& root, Settings& settings, const std::filesystem::path& folder) {
    MeshShelf meshes(folder, settings.meshes);
    root.read("name", settings.name);
    root.read("seed", settings.seed);
    root.table("grid", [&](Section& s) { readGrid(s, settings.grid); });
    root.table("time", [&](Section& s) { s.read("step", settings.timeStep); });
    root.table("flow", [&](Section& s) { readFlow(s, settings.flow); });
    root.table("advection", [&](Section& s) { readAdvection(s, settings.advection); });
    root.table("pressure", [&](Section& s) { readPressure(s, settings.pressure); });
    root.each("emitter", [&](Section& s) { settings.emitters.push_back(readEmitter(s)); });
    root.each("obstacle", [&](Section& s) { settings.obstacles.push_back(readObstacle(s, meshes)); });
    root.each("initial", [&](Section& s) { settings.initial.push_back(readInitial(s)); });
    root.table("medium", [&](Section& s) { readMedium(s, settings.medium); });
    root.each("light", [&](Section& s) { settings.lights.push_back(readLight(s)); });
    root.table("environment", [&](Section& s) { readEnvironmentKeys(s, settings.environment, folder); });
    root.table("camera", [&](Section& s) { readCamera(s, settings.camera); });
    root.table("render", [&](Section& s) { readRender(s, settings.render); });
    root.table("view", [&](Section& s) { readView(s, settings.view); });
}

}  // namespace wisp::app
