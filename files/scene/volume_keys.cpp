// SPDX-License-Identifier: MIT
#include "files/scene/volume_keys.h"

#include "files/scene/named_file.h"
#include "files/scene/scene_reader.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>

#include <stdexcept>

namespace wisp {
namespace {

enum class Up : std::uint32_t { Y, Z };

std::shared_ptr<VolumeFrames> filesOf(const SceneVisitor& v, const VolumeSettings& volume, std::uint32_t needs, float ambient,
                                      const std::filesystem::path& folder) {
    VolumeRequest request{.file = fileNamed(volume.file, folder),
                          .fps = volume.fps,
                          .ambient = ambient,
                          .unit = volume.temperatureUnit,
                          .isShown = v.shows()};
    request.density = (needs & VolumeSettings::kDensity) != 0;
    request.temperature = (needs & VolumeSettings::kTemperature) != 0;
    request.fuel = (needs & VolumeSettings::kFuel) != 0;
    return sharedVolume(request);
}

void open(SceneVisitor& v, Shape& shape, VolumeSettings& volume, std::uint32_t needs, float ambient, const std::filesystem::path& folder) {
    volume.frames = isInMemory(volume.file) ? volumeInMemory(v.memory(), volume.file, needs) : filesOf(v, volume, needs, ambient, folder);
    volume.needs = needs;
    const VolumeBounds bounds = placed(volume.frames->bounds(), volume.placement(shape));
    shape.centre = 0.5 * (bounds.low + bounds.high);
    shape.half = 0.5 * (bounds.high - bounds.low);
}

}  // namespace

void visitVolume(SceneVisitor& v, Shape& shape, VolumeSettings& volume, std::uint32_t needs, float ambient,
                 const std::filesystem::path& folder) {
    const bool isVolume = shape.kind == ShapeKind::Volume;
    if (!v.where(isVolume)) {
        volume = {};
        return;
    }
    Section* const s = v.reading();
    const VolumeSettings before = volume;
    const float scale = shape.scale;
    if (!s) volume.file = fileFrom(folder, volume.file);
    const std::string shown = volume.file;
    if (isVolume) v.key("file", &volume.file, {.help = "a .vdb or .nvdb file, or a sequence such as x_%04d.vdb"});
    if (shape.kind != ShapeKind::Mesh) {  // which has keys of the same names
        v.key("fps", &volume.fps,
              {"1/s", 1.0f, 120.0f, "files per second of a sequence; not set: as the first file says, or else 24", KeyInfo::Kind::Rate});
        v.key("start", &volume.start, {"s", -10.0f, 10.0f, "time of the first file of a sequence"});
    }
    Up up = volume.upIsZ ? Up::Z : Up::Y;
    v.choose("up", up, {{"y", Up::Y}, {"z", Up::Z}}, "axis of the file that is up; Blender's files have z");
    volume.upIsZ = up == Up::Z;
    v.choose("temperature_unit", volume.temperatureUnit,
             {{"guess", TemperatureUnit::Guess}, {"kelvin", TemperatureUnit::Kelvin}, {"share", TemperatureUnit::Share}},
             "of the file: kelvin, or share of 1000 K as in Blender's files; guess: share if no temperature is above 100");
    if (isVolume && !s) v.key("scale", &shape.scale, {"", 0.01f, 10.0f, "about the origin of the file", KeyInfo::Kind::Logarithmic});
    v.key("offset", &volume.offset, {"m", -2.0f, 2.0f, "added to the positions of the file"});
    if (s && !isVolume) {
        for (const std::string key : {"fps", "start", "up", "offset", "temperature_unit"}) {
            const bool alsoOfMeshes = key == "fps" || key == "start";
            if (!s->has(key) || s->refused("shape") || (alsoOfMeshes && shape.kind == ShapeKind::Mesh)) continue;
            s->fail(key, alsoOfMeshes ? "is only for shape = \"volume\" or \"mesh\"" : "is only for shape = \"volume\"");
        }
        return;
    }
    if (s) {
        for (const char* key : {"centre", "radius", "half", "min", "max", "size", "velocity", "rotation", "keys", "fill"})
            if (s->has(key)) s->fail(key, "is not allowed for a volume, which is where its file says; use offset and scale");
        if (!s->has("file")) return s->fail("shape", "is \"volume\", which needs file, the path of a .vdb or .nvdb file");
    }
    if (volume.file == shown && !s) volume.file = before.file;
    if (!s && volume == before && shape.scale == scale && needs == volume.needs) return;
    try {
        open(v, shape, volume, needs, ambient, folder);
        volume.file = fileNamed(volume.file, folder).string();
    } catch (const std::runtime_error& e) {
        v.fail("file", fmt::format("{}: {}", volume.file, e.what()));
        volume = before;
        if (s) shape.kind = ShapeKind::Sphere;  // avoids further errors about the missing volume
    }
}

}  // namespace wisp
