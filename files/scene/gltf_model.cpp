// SPDX-License-Identifier: MIT
#include "files/scene/gltf_model.h"

#include "files/base/extension.h"
#include "files/base/text_file.h"
#include "files/scene/mesh_file.h"
#include "third_party/tinygltf_versions.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace wisp {
namespace {

using GltfJson = nlohmann::json;

// The parts of a .glb file.
struct Chunks {
    std::string_view json, binary;
};

std::uint32_t wordAt(std::string_view bytes, std::size_t offset) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);  // little-endian, as all devices that wisp runs on
    return word;
}

Chunks chunksOf(std::string_view bytes) {
    constexpr std::uint32_t kJson = 0x4E4F534A, kBinary = 0x004E4942;
    if (bytes.size() < 20) failGltf("is cut short: a .glb file has at least 20 bytes, this has {}", bytes.size());
    if (!bytes.starts_with("glTF")) failGltf("is no .glb file: it does not begin with \"glTF\"");
    if (const std::uint32_t version = wordAt(bytes, 4); version != 2) failGltf("has the glTF version {}, must be 2", version);
    if (const std::uint32_t size = wordAt(bytes, 8); size > bytes.size()) failGltf("is cut short: has {} of {} bytes", bytes.size(), size);
    Chunks chunks;
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::size_t size = wordAt(bytes, at);
        const std::uint32_t kind = wordAt(bytes, at + 4);
        at += 8;
        if (size > bytes.size() - at) failGltf("is cut short: a chunk of {} bytes ends after {}", size, bytes.size() - at);
        const std::string_view content = bytes.substr(at, size);
        if (kind == kJson && chunks.json.empty()) chunks.json = content;
        if (kind == kBinary && chunks.binary.empty()) chunks.binary = content;
        at += size;
    }
    if (chunks.json.empty()) failGltf("has no JSON chunk");
    return chunks;
}

/// `extras` and `extensions` may be in every object. The values inside may be large and deep.
void removeExtras(GltfJson& json) {
    if (json.is_object()) {
        json.erase("extras");
        json.erase("extensions");
    }
    if (!json.is_structured()) return;
    for (GltfJson& part : json) removeExtras(part);
}

std::size_t sizeOfList(const GltfJson& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_array() ? found->size() : 0;
}

void requireFew(const char* what, std::size_t count) {
    if (count > kMaxGltfParts) failGltf("has {} {}, must have at most {}", count, what, kMaxGltfParts);
}

/// Bounds the memory that tinygltf allocates.
void requireLimits(const GltfJson& json) {
    for (const char* const key : {"scenes", "nodes", "meshes", "skins", "animations", "accessors", "bufferViews", "buffers"})
        requireFew(key, sizeOfList(json, key));
    for (const auto& [list, parts] : {std::pair("meshes", "primitives"), std::pair("animations", "channels"),
                                      std::pair("animations", "samplers"), std::pair("skins", "joints"), std::pair("nodes", "children")}) {
        std::size_t sum = 0;
        if (const auto found = json.find(list); found != json.end() && found->is_array())
            for (const GltfJson& part : *found) sum += sizeOfList(part, parts);
        requireFew(parts, sum);
    }
    if (const auto meshes = json.find("meshes"); meshes != json.end() && meshes->is_array())
        for (const GltfJson& mesh : *meshes)
            if (sizeOfList(mesh, "primitives") > 0)
                for (const GltfJson& part : mesh["primitives"])
                    if (sizeOfList(part, "targets") > 0)
                        failGltf("has morph targets, which are not supported: apply them before the export");
    std::uint64_t bytes = 0;
    if (const auto buffers = json.find("buffers"); buffers != json.end() && buffers->is_array())
        for (const GltfJson& buffer : *buffers) {
            const auto length = buffer.is_object() ? buffer.find("byteLength") : buffer.end();
            if (length == buffer.end() || !length->is_number_unsigned()) failGltf("a buffer has no byteLength");
            bytes += std::min<std::uint64_t>(length->get<std::uint64_t>(), kMaxMeshFileBytes + 1);
        }
    if (bytes > kMaxMeshFileBytes) failGltf("has buffers of more than {} MB", kMaxMeshFileBytes >> 20);
}

constexpr std::string_view kWholeNumbers = "KHR_mesh_quantization";  // of positions

/// Extensions that do not change the geometry may be required, and that of whole numbers.
void requireKnownExtensions(const GltfJson& json) {
    const auto required = json.find("extensionsRequired");
    if (required == json.end() || !required->is_array()) return;
    for (const GltfJson& name : *required) {
        const std::string text = name.is_string() ? name.get<std::string>() : "";
        static constexpr std::array kBeginnings{"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_xmp", "KHR_lights_punctual"};
        if (text != kWholeNumbers && std::ranges::none_of(kBeginnings, [&](const char* b) { return text.starts_with(b); }))
            failGltf("needs the extension \"{}\", which is not supported: export without {}", text.substr(0, 100),
                     text.find("compression") == std::string::npos ? "it" : "compression");
    }
}

/// A "%" that begins no code of a byte stands for itself, as in the name "10%.bin", which some programs write. tinygltf decodes it.
void mendUri(GltfJson& buffer) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) return;
    const auto given = buffer["uri"].get<std::string>();
    if (given.starts_with("data:")) return;
    const auto isHex = [&](std::size_t n) { return n < given.size() && std::isxdigit(static_cast<unsigned char>(given[n])) != 0; };
    std::string uri;
    for (std::size_t n = 0; n < given.size(); ++n) {
        uri += given[n];
        if (given[n] == '%' && !(isHex(n + 1) && isHex(n + 2))) uri += "25";
    }
    buffer["uri"] = uri;
}

/// Only what wisp reads, so that tinygltf meets nothing else of an untrusted file.
std::string simplified(std::string_view text) {
    if (text.size() > kMaxGltfJsonBytes) failGltf("has {} MB of JSON, must have at most {}", text.size() >> 20, kMaxGltfJsonBytes >> 20);
    static constexpr int kDeepest = 64;
    const GltfJson json = GltfJson::parse(text, [](int depth, GltfJson::parse_event_t, const GltfJson&) {
        if (depth > kDeepest) failGltf("is nested more than {} levels deep", kDeepest);
        return true;
    });
    if (!json.is_object()) failGltf("is no glTF file: its JSON is no object");
    requireLimits(json);
    requireKnownExtensions(json);
    GltfJson kept = GltfJson::object();
    for (const char* const key :
         {"asset", "scene", "scenes", "nodes", "meshes", "skins", "animations", "accessors", "bufferViews", "buffers"})
        if (json.contains(key)) kept[key] = json[key];
    removeExtras(kept);
    if (const auto required = json.find("extensionsRequired"); required != json.end() && required->is_array())
        if (std::ranges::find(*required, GltfJson(kWholeNumbers)) != required->end()) kept["extensionsUsed"] = {kWholeNumbers};
    if (kept.contains("nodes"))
        for (GltfJson& node : kept["nodes"])
            if (node.is_object()) node.erase("camera");
    if (kept.contains("buffers") && kept["buffers"].is_array())
        for (GltfJson& buffer : kept["buffers"]) mendUri(buffer);
    return kept.dump(-1, ' ', false, GltfJson::error_handler_t::replace);
}

std::string glbOf(std::string json, std::string_view binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    const auto word = [&](std::size_t value) {
        const auto bits = static_cast<std::uint32_t>(value);
        bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
    };
    word(2);
    word(12 + 8 + json.size() + (binary.empty() ? 0 : 8 + binary.size()));
    word(json.size());
    bytes += "JSON" + json;
    if (binary.empty()) return bytes;
    word(binary.size());
    bytes.append("BIN\0", 4);
    bytes.append(binary);
    return bytes;
}

// A buffer in a file of its own. Only files in the folder of the .gltf or below are read.
bool isInside(const std::string& name) {
    const std::filesystem::path path = name;
    return path.is_relative() && std::ranges::none_of(path, [](const auto& part) { return part == ".."; });
}

tinygltf::FsCallbacks filesBeside(std::filesystem::path& folder) {
    const auto read = [](std::vector<unsigned char>* bytes, std::string* error, const std::string& name, void* data) {
        try {
            if (!isInside(name)) failGltf("{}: is outside of the folder of the .gltf file", name);
            const std::string content = readBytes(*static_cast<std::filesystem::path*>(data) / name, kMaxMeshFileBytes);
            bytes->assign(content.begin(), content.end());
            return true;
        } catch (const std::exception& e) {
            *error += name + ": " + e.what();
            return false;
        }
    };
    return {.FileExists = [](const std::string& name, void*) { return isInside(name); },
            .ExpandFilePath = [](const std::string& name, void*) { return name; },
            .ReadWholeFile = read,
            .WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&, void*) { return false; },
            .user_data = &folder};
}

/// Size of such a file [bytes], which tinygltf requires to be at least 1.
bool sizeBeside(std::size_t* size, std::string* error, const std::string& name, void* data) {
    std::error_code failed;
    const bool readable = isInside(name);
    if (readable) *size = std::filesystem::file_size(*static_cast<std::filesystem::path*>(data) / name, failed);
    if (readable && !failed) return true;
    *error += readable ? name + ": " + failed.message() : fmt::format("{}: is outside of the folder of the .gltf file", name);
    return false;
}

std::string oneLine(std::string text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text.empty() ? "is no valid glTF file" : text.substr(0, 300);
}

}  // namespace

tinygltf::Model readGltfModel(const std::filesystem::path& file) {
    const std::string bytes = readBytes(file, kMaxMeshFileBytes);
    const bool isBinary = extensionOf(file) == ".glb" || bytes.starts_with("glTF");
    const Chunks chunks = isBinary ? chunksOf(bytes) : Chunks{bytes, {}};
    tinygltf::Model model;
    tinygltf::TinyGLTF loader;
    std::filesystem::path folder = file.parent_path();
    third_party::setFiles(loader, filesBeside(folder), sizeBeside);
    std::string errors, warnings, json;
    bool read = false;
    try {
        json = simplified(chunks.json);
        if (!isBinary) {
            read = loader.LoadASCIIFromString(&model, &errors, &warnings, json.data(), static_cast<unsigned>(json.size()), "");
        } else {
            const std::string glb = glbOf(std::move(json), chunks.binary);
            const auto* const data = reinterpret_cast<const unsigned char*>(glb.data());
            read = loader.LoadBinaryFromMemory(&model, &errors, &warnings, data, static_cast<unsigned>(glb.size()), "");
        }
    } catch (const GltfJson::exception& e) {
        failGltf("is no valid JSON: {}", oneLine(e.what()));
    } catch (const std::logic_error& e) {  // tinygltf uses vector::at, for example in a buffer of 0 bytes
        failGltf("is no valid glTF file: {}", oneLine(e.what()));
    }
    if (!read) throw std::runtime_error(oneLine(errors));
    return model;
}

const tinygltf::Accessor& GltfReader::at(int accessor) const {
    if (accessor < 0 || static_cast<std::size_t>(accessor) >= model_.accessors.size())
        failGltf("uses accessor {}, but the file has {}", accessor, model_.accessors.size());
    return model_.accessors[static_cast<std::size_t>(accessor)];
}

std::size_t GltfReader::count(int accessor) const { return at(accessor).count; }

GltfReader::Elements GltfReader::elements(int accessor, int type, std::size_t components) const {
    const tinygltf::Accessor& a = at(accessor);
    if (a.type != type) failGltf("accessor {} has another type than its use needs", accessor);
    if (a.sparse.isSparse) failGltf("accessor {} is sparse, which is not supported", accessor);
    if (a.bufferView < 0 || static_cast<std::size_t>(a.bufferView) >= model_.bufferViews.size())
        failGltf("accessor {} uses bufferView {}, but the file has {}", accessor, a.bufferView, model_.bufferViews.size());
    const tinygltf::BufferView& view = model_.bufferViews[static_cast<std::size_t>(a.bufferView)];
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model_.buffers.size())
        failGltf("bufferView {} uses buffer {}, but the file has {}", a.bufferView, view.buffer, model_.buffers.size());
    const std::vector<unsigned char>& data = model_.buffers[static_cast<std::size_t>(view.buffer)].data;
    if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset)
        failGltf("bufferView {} ends after its buffer of {} bytes", a.bufferView, data.size());
    const int bytes = tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(a.componentType));
    if (bytes <= 0) failGltf("accessor {} has the component type {}, which does not exist", accessor, a.componentType);
    const std::size_t size = static_cast<std::size_t>(bytes) * components, stride = view.byteStride == 0 ? size : view.byteStride;
    if (stride < size) failGltf("bufferView {} has a stride of {} bytes for elements of {}", a.bufferView, stride, size);
    if (a.count == 0) failGltf("accessor {} is empty", accessor);
    if (a.byteOffset > view.byteLength || size > view.byteLength - a.byteOffset ||
        a.count - 1 > (view.byteLength - a.byteOffset - size) / stride)
        failGltf("accessor {} of {} elements ends after its bufferView of {} bytes", accessor, a.count, view.byteLength);
    return {.first = data.data() + view.byteOffset + a.byteOffset, .count = a.count, .stride = stride};
}

namespace {

template <class T>
double valueAt(const unsigned char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
}

/// @param whole whether whole numbers that are not normalised are allowed, as for positions by KHR_mesh_quantization
double readFloat(const unsigned char* from, int type, bool normalised, bool whole, bool& known) {
    known = type == TINYGLTF_COMPONENT_TYPE_FLOAT || normalised || whole;
    const auto scaled = [&](double value, double one) { return normalised ? std::max(value / one, -1.0) : value; };
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_FLOAT: return valueAt<float>(from);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return scaled(valueAt<std::uint8_t>(from), 255.0);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return scaled(valueAt<std::uint16_t>(from), 65535.0);
        case TINYGLTF_COMPONENT_TYPE_BYTE: return scaled(valueAt<std::int8_t>(from), 127.0);
        case TINYGLTF_COMPONENT_TYPE_SHORT: return scaled(valueAt<std::int16_t>(from), 32767.0);
        default: known = false; return 0.0;
    }
}

std::uint32_t readInteger(const unsigned char* from, int type, bool& known) {
    known = true;
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return *from;
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return static_cast<std::uint32_t>(valueAt<std::uint16_t>(from));
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT: return static_cast<std::uint32_t>(valueAt<std::uint32_t>(from));
        default: known = false; return 0;
    }
}

template <class Vector>
std::vector<Vector> grouped(const std::vector<float>& values) {
    std::vector<Vector> result(values.size() / static_cast<std::size_t>(sizeof(Vector) / sizeof(float)));
    std::memcpy(static_cast<void*>(result.data()), values.data(), result.size() * sizeof(Vector));
    return result;
}

}  // namespace

std::vector<float> GltfReader::floats(int accessor, int type, std::size_t components, bool whole) const {
    const Elements from = elements(accessor, type, components);
    const tinygltf::Accessor& a = at(accessor);
    const auto bytes = static_cast<std::size_t>(tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(a.componentType)));
    std::vector<float> values;
    values.reserve(from.count * components);
    for (std::size_t n = 0; n < from.count; ++n)
        for (std::size_t c = 0; c < components; ++c) {
            bool known = false;
            const double value = readFloat(from.first + n * from.stride + c * bytes, a.componentType, a.normalized, whole, known);
            if (!known) failGltf("accessor {} has components that are no floats", accessor);
            if (!std::isfinite(value)) failGltf("accessor {} has a value that is not finite, in element {}", accessor, n);
            values.push_back(static_cast<float>(value));
        }
    return values;
}

std::vector<std::uint32_t> GltfReader::integers(int accessor, int type, std::size_t components) const {
    const Elements from = elements(accessor, type, components);
    const tinygltf::Accessor& a = at(accessor);
    const auto bytes = static_cast<std::size_t>(tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(a.componentType)));
    std::vector<std::uint32_t> values;
    values.reserve(from.count * components);
    for (std::size_t n = 0; n < from.count; ++n)
        for (std::size_t c = 0; c < components; ++c) {
            bool known = false;
            values.push_back(readInteger(from.first + n * from.stride + c * bytes, a.componentType, known));
            if (!known) failGltf("accessor {} has components that are no whole numbers", accessor);
        }
    return values;
}

std::vector<glm::vec3> GltfReader::vectors(int accessor) const {
    return grouped<glm::vec3>(floats(accessor, TINYGLTF_TYPE_VEC3, 3, !model_.extensionsUsed.empty()));
}
std::vector<glm::vec4> GltfReader::vectors4(int accessor) const { return grouped<glm::vec4>(floats(accessor, TINYGLTF_TYPE_VEC4, 4)); }

std::vector<glm::mat4> GltfReader::matrices(int accessor) const {
    if (at(accessor).componentType != TINYGLTF_COMPONENT_TYPE_FLOAT) failGltf("accessor {} has components that are no floats", accessor);
    return grouped<glm::mat4>(floats(accessor, TINYGLTF_TYPE_MAT4, 16));  // by columns, as in glm
}

std::vector<std::uint32_t> GltfReader::indices(int accessor) const { return integers(accessor, TINYGLTF_TYPE_SCALAR, 1); }

std::vector<glm::uvec4> GltfReader::joints(int accessor) const {
    const std::vector<std::uint32_t> values = integers(accessor, TINYGLTF_TYPE_VEC4, 4);
    std::vector<glm::uvec4> result;
    for (std::size_t n = 0; n + 3 < values.size(); n += 4) result.emplace_back(values[n], values[n + 1], values[n + 2], values[n + 3]);
    return result;
}

}  // namespace wisp
