// SPDX-License-Identifier: MIT
#include "files/scene/scene_shapes.h"

#include "files/scene/gltf_file.h"
#include "files/scene/input_files.h"
#include "files/scene/mesh_file.h"
#include "files/scene/mesh_loader.h"

#include <fmt/format.h>

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <stdexcept>

namespace wisp {
namespace {

/// A box may be defined by its corners instead of its centre and half edges.
void readCorners(Section& s, Shape& shape) {
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
    const bool hasLow = s.read("min", low);
    const bool hasHigh = s.read("max", high);
    if (!s.has("min") && !s.has("max")) return;
    const std::string given = s.has("min") ? "min" : "max";
    if (s.refused("shape")) return;
    if (shape.kind != ShapeKind::Box) return s.fail(given, "is only for shape = \"box\"");
    if (!s.has("min") || !s.has("max")) return s.fail(given, "needs both min and max");
    if (s.has("centre") || s.has("half")) return s.fail(given, "cannot be combined with centre and half: both define the box");
    if (!hasLow || !hasHigh) return;
    if (glm::any(glm::lessThanEqual(high, low))) return s.fail("max", "must be above min in every direction");
    shape.centre = 0.5f * (low + high);
    shape.half = 0.5f * (high - low);
}

void visitMeasures(SceneVisitor& v, Shape& shape) {
    const bool round = shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::Capsule;
    const bool edged = shape.kind == ShapeKind::Box || shape.kind == ShapeKind::Capsule;
    if (v.where(shape.kind != ShapeKind::Volume)) v.key("centre", &shape.centre, {"m", -2.0f, 4.0f, "centre of the shape"});
    if (v.where(round)) v.key("radius", &shape.radius, {"m", 0.01f, 0.5f});
    if (v.where(edged))
        v.key("half", &shape.half,
              {"m", 0.01f, 1.0f, shape.kind == ShapeKind::Box ? "half of the edges" : "from the centre to the centre of an end"});
    Section* const s = v.reading();
    if (s == nullptr) return;
    readCorners(*s, shape);
    if (s->refused("shape")) return;
    if (shape.kind == ShapeKind::Box && s->has("radius"))
        s->fail("radius", "is only for a sphere or a capsule; a box has half, or min and max");
    if (shape.kind == ShapeKind::Sphere && s->has("half")) s->fail("half", "is only for a box or a capsule; a sphere has radius");
}

/// Checks the keys that depend on the kind of shape. Returns true for a mesh.
bool checkMeshKeys(Section& s, const Shape& shape, bool isEmitter) {
    if (shape.kind != ShapeKind::Mesh) {
        for (const char* key : {"node", "overlap"})
            if (s.has(key)) s.fail(key, "is only for shape = \"mesh\"");
        if (shape.kind == ShapeKind::Volume) return false;  // see visitVolume
        for (const char* key : {"file", "scale", "size"})
            if (s.has(key)) s.fail(key, "is only for shape = \"mesh\"");
        for (const char* key : {"fps", "start"})
            if (!isEmitter && s.has(key)) s.fail(key, "is only for shape = \"mesh\"");
        return false;
    }
    for (const char* key : {"radius", "half"})
        if (s.has(key)) s.fail(key, "is not allowed for a mesh; use scale or size");
    if (s.has("scale") && s.has("size")) s.fail("size", "cannot be combined with scale: both define the size");
    if (!s.has("file")) s.fail("shape", "is \"mesh\", which needs file, the path of an .obj, .glb, .gltf, .vdb or .nvdb file");
    return true;
}

void checkKindOfFile(Section& s, const std::string& file) {
    const bool sequence = isSequence(file);
    if (s.has("node") && !isGltf(file)) s.fail("node", "is only for a glTF file");
    if (s.has("fps") && !sequence) s.fail("fps", "is only for a sequence of files such as body_%04d.obj");
    if (s.has("start") && !sequence && !isGltf(file)) s.fail("start", "is only for a sequence of files or a glTF file");
}

/// @param motion whether to visit the keys of its motion
void visitMeshSource(SceneVisitor& v, MeshSource& source, bool motion) {
    if (v.where(isGltf(source.file))) v.key("node", &source.node, {.help = "of a glTF file: only this node and all below it"});
    if (motion && v.where(isSequence(source.file)))
        v.key("fps", &source.fps, {"1/s", 1.0f, 120.0f, "files per second of a sequence; not set: 24", KeyInfo::Kind::Rate});
    if (motion) v.key("start", &source.start, {"s", -10.0f, 10.0f, "time at which a sequence or the animation of a glTF file begins"});
    if (v.where(source.overlap))
        v.key("overlap", &source.overlap, {.help = "the surface may intersect itself: all that it encloses is solid"});
}

/// A file may contain `size`, the longest edge of the bounding box, instead of `scale`.
void visitMesh(SceneVisitor& v, Shape& shape, MeshCache& meshes, bool isEmitter) {
    if (!v.where(shape.kind == ShapeKind::Mesh)) return;
    Section* const s = v.reading();
    const MeshSource before = s ? MeshSource{} : meshes.sourceOf(shape.mesh);
    MeshSource source = before;
    float size = 0.0f;
    const bool named = v.key(
        "file", &source.file,
        {.help = "a closed mesh: Wavefront OBJ, a sequence body_%04d.obj, glTF 2.0, or the surface of a .vdb or .nvdb volume"});
    const bool ofAnother = isEmitter && shape.kind != ShapeKind::Mesh;  // a volume of an emitter has keys of the same names
    visitMeshSource(v, source, s ? !ofAnother : meshes[shape.mesh].motion != nullptr);
    v.key("scale", &shape.scale, {"m per unit", 0.01f, 10.0f, "", KeyInfo::Kind::Logarithmic});
    const bool sized = s && s->read("size", size);
    if (s && (s->refused("shape") || !checkMeshKeys(*s, shape, isEmitter))) return;
    if (s) checkKindOfFile(*s, source.file);
    if (sized && !(size > 0.0f)) s->fail("size", fmt::format("is {}, must be above 0", size));
    if (!s && source == before) return;
    try {
        if (!named) throw std::runtime_error("");
        shape.mesh = meshes.find(source);
        const glm::dvec3 extent = boundsOf(meshes[shape.mesh]).size();
        if (sized && size > 0.0f) shape.scale = static_cast<float>(static_cast<double>(size) / std::max({extent.x, extent.y, extent.z}));
        // A volume and a motion say themselves where they are.
        if (s && (isVolumeMesh(source.file) || meshes[shape.mesh].motion) && !s->has("centre"))
            shape.centre = glm::vec3(boundsOf(meshes[shape.mesh]).middle()) * shape.scale;
    } catch (const std::runtime_error& e) {
        if (named) v.fail("file", fmt::format("{}: {}", source.file, e.what()));
        if (s) shape.kind = ShapeKind::Sphere;  // avoids further errors about the missing mesh
    }
}

}  // namespace

std::uint32_t MeshCache::find(MeshSource source) {
    source.file = fileNamed(source.file, folder_).string();
    const auto known = std::ranges::find_if(meshes_, [&](const auto& mesh) { return mesh->source == source; });
    if (known != meshes_.end()) return static_cast<std::uint32_t>(known - meshes_.begin());
    meshes_.push_back(isInMemory(source.file) ? meshInMemory(memory_, source) : sharedMesh(source));
    return static_cast<std::uint32_t>(meshes_.size() - 1);
}

MeshSource MeshCache::sourceOf(std::uint32_t mesh) const {
    if (mesh >= meshes_.size()) return {};
    MeshSource source = meshes_[mesh]->source;
    source.file = fileFrom(folder_, source.file);
    return source;
}

void addMesh(Settings& settings, const std::string& file) {
    MeshCache meshes("", settings);
    const GridSettings& grid = settings.grid;
    ObstacleSettings o;
    o.shape.kind = ShapeKind::Mesh;
    o.shape.mesh = meshes.find({.file = file, .overlap = true});
    o.shape.centre = grid.origin + 0.5f * grid.size;
    const glm::dvec3 extent = boundsOf(meshes[o.shape.mesh]).size();
    o.shape.scale = 0.25f * std::min({grid.size.x, grid.size.y, grid.size.z}) /
                    static_cast<float>(std::max({extent.x, extent.y, extent.z}));
    settings.obstacles.push_back(o);
}

namespace {

void chooseKind(SceneVisitor& v, Shape& shape, bool meshes, bool volumes) {
    Choices<ShapeKind> choices{{"sphere", ShapeKind::Sphere}, {"box", ShapeKind::Box}, {"capsule", ShapeKind::Capsule}};
    if (meshes) choices.emplace_back("mesh", ShapeKind::Mesh);
    if (volumes) choices.emplace_back("volume", ShapeKind::Volume);
    v.choose("shape", shape.kind, choices, "");
}

}  // namespace

void visitInitialShape(SceneVisitor& v, Shape& shape) {
    chooseKind(v, shape, false, v.where(shape.kind == ShapeKind::Volume));
    visitMeasures(v, shape);
    if (v.reading()) v.key("scale", &shape.scale, {});  // of a volume
}

void visitSolidShape(SceneVisitor& v, Shape& shape, MeshCache& meshes, bool isEmitter) {
    chooseKind(v, shape, v.where(!meshes.empty()), isEmitter && v.where(shape.kind == ShapeKind::Volume));
    visitMeasures(v, shape);
    visitMesh(v, shape, meshes, isEmitter);
}

}  // namespace wisp
