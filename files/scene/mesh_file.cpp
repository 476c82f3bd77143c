// SPDX-License-Identifier: MIT
#include "files/scene/mesh_file.h"

#include "files/base/text_file.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace wisp {
namespace {

/// Copies only vertices and faces of a file, checked and in simple form, for tinyobjloader. tinyobjloader does not check missing
/// coordinates, indices past the end and tag sizes.
class Scan {
public:
    std::string run(std::istream& in) {
        for (std::string line; std::getline(in, line);) {
            ++line_;
            std::string_view rest = line;
            const std::string_view word = take(rest);
            if (word == "v") vertex(rest);
            if (word == "f") face(rest);
        }
        line_ = 0;
        if (corners_ == 0) fail("has no faces");
        if (highest_ > vertices_) {
            line_ = highestLine_;
            fail(fmt::format("uses vertex {}, but the file has only {}", highest_, vertices_));
        }
        return std::move(text_);
    }

private:
    [[noreturn]] void fail(const std::string& message) const {
        throw std::runtime_error(line_ == 0 ? message : fmt::format("line {}: {}", line_, message));
    }

    static std::string_view take(std::string_view& rest) {
        constexpr std::string_view kBlank = " \t\r";
        rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
        const std::string_view word = rest.substr(0, rest.find_first_of(kBlank));
        rest.remove_prefix(word.size());
        return word;
    }

    void vertex(std::string_view rest) {
        if (++vertices_ > kMaxMeshVertices) fail(fmt::format("has more than {} vertices", kMaxMeshVertices));
        text_ += 'v';
        for (const char axis : {'x', 'y', 'z'}) {
            std::string_view word = take(rest);
            if (word.empty()) fail(fmt::format("a vertex has no {}", axis));
            if (word.starts_with('+')) word.remove_prefix(1);
            float value = 0.0f;
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
            if (end != word.data() + word.size() || error == std::errc::invalid_argument) fail(fmt::format("\"{}\" is not a number", word));
            if (error != std::errc{} || !std::isfinite(value)) fail(fmt::format("{} is {}, must be finite", axis, word));
            fmt::format_to(std::back_inserter(text_), " {}", value);
        }
        text_ += '\n';
    }

    // The vertex index of "7/2/5" is 7. Negative indices count back from the last vertex so far.
    void face(std::string_view rest) {
        std::size_t corners = 0;
        text_ += 'f';
        for (std::string_view word = take(rest); !word.empty(); word = take(rest), ++corners) {
            const std::string_view number = word.substr(0, word.find('/'));
            std::int64_t index = 0;
            const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
            if (end != number.data() + number.size() || error != std::errc{} || index == 0)
                fail(fmt::format("\"{}\" is not a vertex index", word));
            if (index < 0) index += static_cast<std::int64_t>(vertices_) + 1;
            if (index < 1) fail(fmt::format("\"{}\" is before the first vertex", word));
            if (static_cast<std::size_t>(index) > highest_) {  // checked at the end, because vertices may follow
                highest_ = static_cast<std::size_t>(index);
                highestLine_ = line_;
            }
            fmt::format_to(std::back_inserter(text_), " {}", index);
        }
        text_ += '\n';
        if (corners < 3) fail(fmt::format("a face has {} corners, must have at least 3", corners));
        if (corners > kMaxFaceCorners) fail(fmt::format("a face has {} corners, must have at most {}", corners, kMaxFaceCorners));
        if (corners > 4) work_ += std::pow(static_cast<double>(corners), 3.0);
        if (work_ > kMaxFaceWork) fail("has too many faces with many corners: triangulate the mesh first");
        corners_ += corners;
        triangles_ += corners - 2;
        if (triangles_ > kMaxMeshTriangles) fail(fmt::format("has more than {} triangles", kMaxMeshTriangles));
    }

    std::string text_;
    std::size_t line_ = 0, vertices_ = 0, corners_ = 0, triangles_ = 0;
    double work_ = 0.0;
    std::size_t highest_ = 0, highestLine_ = 0;  // highest vertex index and its line
};

}  // namespace

Mesh readMesh(const std::filesystem::path& file) {
    if (isVolumeMesh(file)) return readVolumeMesh(file);
    std::istringstream in(readBytes(file, kMaxMeshFileBytes));
    tinyobj::ObjReaderConfig config;
    config.triangulate = true;
    config.vertex_color = false;
    tinyobj::ObjReader reader;
    if (!reader.ParseFromString(Scan().run(in), "", config)) throw std::runtime_error(reader.Error());
    Mesh mesh;
    const std::vector<float>& v = reader.GetAttrib().vertices;
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) mesh.positions.emplace_back(v[i], v[i + 1], v[i + 2]);
    for (const tinyobj::shape_t& shape : reader.GetShapes()) {
        const auto& corners = shape.mesh.indices;
        const auto index = [&](std::size_t i) { return static_cast<std::uint32_t>(corners[i].vertex_index); };
        for (std::size_t i = 0; i + 2 < corners.size(); i += 3) mesh.triangles.emplace_back(index(i), index(i + 1), index(i + 2));
    }
    if (const std::string problem = meshProblem(mesh); !problem.empty()) throw std::runtime_error(problem);
    mesh.source.file = file;
    return mesh;
}

}  // namespace wisp
