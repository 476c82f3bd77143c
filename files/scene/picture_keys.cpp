// SPDX-License-Identifier: MIT
#include "files/scene/picture_keys.h"

#include "compute/scene/view_fields.h"
#include "files/scene/environment_file.h"
#include "files/scene/named_file.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace wisp {
namespace {

using Kind = KeyInfo::Kind;

void visitMedium(SceneVisitor& v, MediumSettings& medium) {
    v.key("extinction", &medium.extinction, {"1/m", 0.1f, 200.0f, "extinction per unit density", Kind::Logarithmic});
    v.key("albedo", &medium.albedo, {"", 0.0f, 1.0f, "scattered fraction of the extinguished light", Kind::Colour});
    v.key("emission", &medium.emission,
          {"W/(m² sr)", 0.0f, 10.0f, "radiance that optically thick smoke emits, before the factor 1 - albedo"});
    v.table("phase", [&] {
        v.key("g", &medium.phase.g, {"", -0.95f, 0.95f, "mean cosine of the forward lobe"});
        v.key("g_back", &medium.phase.gBack, {"", -0.95f, 0.95f, "mean cosine of the second lobe"});
        v.key("blend", &medium.phase.blend, {"", 0.0f, 1.0f, "share of the second lobe"});
    });
    v.key("octaves", &medium.octaves,
          {"", 1.0f, 8.0f, "1: single scattering; more: octaves of multiple scattering with render.scattering = \"octaves\""});
}

void visitLight(SceneVisitor& v, LightSettings& light) {
    v.choose("type", light.kind, {{"sun", LightKind::Sun}, {"point", LightKind::Point}, {"spot", LightKind::Spot}}, "");
    if (v.where(light.kind != LightKind::Point))
        v.key("direction", &light.direction, {"", -1.0f, 1.0f, "direction in which the light travels"});
    if (v.where(light.kind != LightKind::Sun)) v.key("position", &light.position, {"m", -2.0f, 4.0f});
    v.key("colour", &light.colour, {"", 0.0f, 1.0f, "", Kind::Colour});
    v.key("intensity", &light.intensity, {light.kind == LightKind::Sun ? "W/m²" : "W/sr", 0.0f, 50.0f});
    if (light.kind == LightKind::Sun)
        v.key("size", &light.size, {"°", 0.0f, 20.0f, "diameter; a larger light makes softer shadows of obstacles", Kind::Degrees});
    else v.key("size", &light.size, {"m", 0.0f, 1.0f, "diameter; a larger light makes softer shadows of obstacles"});
    const bool spot = light.kind == LightKind::Spot;
    if (Section* const s = v.reading(); s && !spot && !s->refused("type"))
        for (const char* key : {"angle", "softness"})
            if (s->has(key)) s->fail(key, "is only for type = \"spot\"");
    if (v.where(spot)) v.key("angle", &light.angle, {"°", 1.0f, 180.0f, "full cone angle", Kind::Degrees});
    if (v.where(spot)) v.key("softness", &light.softness, {"", 0.0f, 1.0f, "share of the half angle over which the light falls off"});
}

void visitImage(SceneVisitor& v, EnvironmentSettings& e, const std::filesystem::path& folder) {
    Section* const s = v.reading();
    const std::string before = e.image ? fileFrom(folder, e.image->file) : "";
    std::string image = before;
    const bool named = v.key("image", &image, {.help = "an .hdr or .exr file that replaces the colours"});
    if (s) {
        if (!s->has("image") && s->has("rotation")) s->fail("rotation", "has no effect without environment.image");
        for (const char* key : {"colour", "top", "bottom"})
            if (s->has("image") && s->has(key)) s->fail(key, "cannot be combined with image, which replaces it");
        if (!named) return;
        if (image.empty()) return s->fail("image", "is empty, must be the path of an .hdr or .exr file");
    }
    if (image == before) return;
    if (image.empty()) return e.image.reset();
    try {
        e.image = sharedEnvironment(fileNamed(image, folder));
    } catch (const std::runtime_error& error) {
        v.fail("image", fmt::format("{}: {}", image, error.what()));
    }
}

void visitEnvironment(SceneVisitor& v, EnvironmentSettings& e, const std::filesystem::path& folder) {
    if (v.where(!e.image)) {
        v.key("colour", &e.colour, {"W/(m² sr)", 0.0f, 1.0f, "radiance from all directions, or from the horizon", Kind::Colour});
        v.key("top", &e.top, {"W/(m² sr)", 0.0f, 1.0f, "radiance from straight above", Kind::Colour});
        v.key("bottom", &e.bottom, {"W/(m² sr)", 0.0f, 1.0f, "radiance from straight below", Kind::Colour});
    }
    v.key("intensity", &e.intensity, {"", 0.0f, 4.0f, "factor for the colours and the image"});
    if (v.where(e.image != nullptr))
        v.key("rotation", &e.rotation, {"°", -180.0f, 180.0f, "rotation of the image about +y", Kind::Degrees});
    v.key("ground", &e.ground, {.help = "a diffuse plane at the floor of the box"});
    v.key("ground_radius", &e.groundRadius,
          {"m", 0.0f, 20.0f,
           "distance from the centre of the box at which the ground begins to fade; it ends at twice this distance; 0: infinite ground"});
    visitImage(v, e, folder);
}

void visitCamera(SceneVisitor& v, CameraSettings& camera) {
    v.key("eye", &camera.eye, {"m", -5.0f, 5.0f});
    v.key("target", &camera.target, {"m", -5.0f, 5.0f});
    v.key("fov", &camera.fov, {"°", 10.0f, 100.0f, "vertical field of view", Kind::Degrees});
    v.key(
        "shutter", &camera.shutter,
        {"°", 0.0f, 360.0f, "motion blur: the shutter is open for this share of a frame; 180: for half of it; 0: no blur", Kind::Degrees});
    v.key("follows", &camera.follows, {.help = "the camera moves with the target of follow.keys"});
    v.key("height", &camera.height, {"m", 0.0f, 5.0f, "flat grid: height of the image around the target; 0: the whole grid"});
    v.each("keys", camera.keys, [&](CameraKey& k) {
        v.key("t", &k.t, {"s", 0.0f, 20.0f, "must be later than the previous key"});
        v.key("eye", &k.eye, {"m", -5.0f, 5.0f, "position of the camera on a smooth path"});
        v.key("target", &k.target, {"m", -5.0f, 5.0f, "point that the camera looks at, on a smooth path"});
    });
}

void visitRender(SceneVisitor& v, const Settings& s, RenderSettings& render) {
    v.choose("mode", render.mode, {{"raymarch", RenderMode::Raymarch}, {"path", RenderMode::Path}},
             "path: path tracing, the reference for still images; the window always uses raymarch");
    v.key("size", &render.size, {"px", 64.0f, 4096.0f, "size of the images of `wisp render`; the window has its own size"});
    v.key("step", &render.step, {"m", 0.0f, 0.05f, "step length of rays; 0: one scalar cell, longer in thin smoke"});
    v.key("exposure", &render.exposure, {"stops", -8.0f, 8.0f});
    v.choose("tonemap", render.tonemap,
             {{"aces", Tonemap::Aces}, {"agx", Tonemap::Agx}, {"linear", Tonemap::Linear}, {"filmic", Tonemap::Filmic}},
             "filmic: keeps flames yellow, where the others turn them white");
    v.key("obstacle_colour", &render.obstacleColour, {"", 0.0f, 1.0f, "albedo", Kind::Colour});
    v.key("obstacle_specular", &render.obstacleSpecular,
          {"", 0.0f, 1.0f, "reflectance of the clear coat of obstacles at normal incidence; 0: diffuse surface"});
    v.key("obstacle_roughness", &render.obstacleRoughness, {"", 0.1f, 1.0f, "roughness of the clear coat"});
    v.key("ground_colour", &render.groundColour, {"", 0.0f, 1.0f, "albedo", Kind::Colour});
    v.key("temporal", &render.temporal, {.help = "average an image with earlier images: less noise, softer motion"});
    v.choose("shadows", render.shadows, {{"volume", Shadows::Volume}, {"march", Shadows::March}},
             "march traces shadow rays: sharper and slower");
    v.choose("scattering", render.scattering, {{"ordinates", Scattering::Ordinates}, {"octaves", Scattering::Octaves}},
             "multiple scattering: ordinates solves for it, octaves is a cheap approximation");
    v.key("scattering_cells", &render.scatteringCells,
          {"", 8.0f, 128.0f, "ordinates: maximum number of cells along the longest edge; dense smoke needs more", Kind::Logarithmic});
    v.key("relief", &render.relief, {"", 0.0f, 2.0f, "flat grid: strength of relief shading on the dye"});
    v.key("glow", &render.glow, {"", 0.0f, 2.0f, "flat grid: light that spreads around a pixel, relative to its own"});
    v.key("light_ratio", &render.lightRatio, {"", 1.0f, 4.0f, "fine cells per cell of the light volume: 1, 2 or 4"});
    v.key("shutter_samples", &render.shutterSamples,
          {"", 1.0f, 64.0f, "raymarch with camera.shutter: moments in the mean of an image", Kind::Logarithmic});
    v.key("samples", &render.samples, {"", 1.0f, 1024.0f, "path mode: maximum number of paths per pixel", Kind::Logarithmic});
    v.key("error", &render.error, {"", 0.0f, 0.1f, "path mode: an image stops early when its noise is below this"});
    v.key("bounces", &render.bounces, {"", 0.0f, 64.0f, "path mode: maximum number of scattering events; 0: no limit"});
    if (v.where(s.grid.sparse))
        v.key("bricks", &render.bricks, {.help = "shows the edges of active bricks as lines, if grid.sparse; not in slices"});
    v.key("antialias", &render.antialias, {.help = "true: a pixel is the mean over its area; false: the value at its centre"});
}

void visitView(SceneVisitor& v, const Settings& s, ViewSettings& view) {
    Choices<ViewField> fields{{"smoke", ViewField::Smoke}};
    for (const ViewFieldInfo& info : viewFields()) fields.emplace_back(info.name, info.field);
    v.choose("field", view.field, fields, "shows a field in colours instead of lit smoke");
    const bool field = view.field != ViewField::Smoke;
    if (v.where(field)) {
        v.choose("slice", view.slice, {{"none", SliceAxis::None}, {"x", SliceAxis::X}, {"y", SliceAxis::Y}, {"z", SliceAxis::Z}},
                 "shows a plane normal to this axis instead of the whole volume");
        v.key("position", &view.position, {"m", -2.0f, 4.0f, "position of the slice on its axis"});
        v.key("range", &view.range, {"", -5.0f, 5.0f, "values of the first and the last colour"});
    }
    if (v.where(field || (s.grid.isFlat() && s.prescribed.field != PrescribedField::None) || view.arrows > 0))
        v.key("arrows", &view.arrows,
              {"", 0.0f, 32.0f, "fine cells between velocity arrows on a slice, or over the dye with a prescribed velocity; 0: none"});
    if (v.where(field)) v.key("legend", &view.legend, {});
}

}  // namespace

void visitPicture(SceneVisitor& v, Settings& settings, const std::filesystem::path& folder) {
    v.table("medium", [&] { visitMedium(v, settings.medium); });
    v.each("light", settings.lights, [&](LightSettings& l) { visitLight(v, l); });
    v.table("environment", [&] { visitEnvironment(v, settings.environment, folder); });
    v.table("camera", [&] { visitCamera(v, settings.camera); });
    v.table("render", [&] { visitRender(v, settings, settings.render); });
    v.table("view", [&] { visitView(v, settings, settings.view); });
}

}  // namespace wisp
