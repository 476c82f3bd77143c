// SPDX-License-Identifier: MIT
#include "files/scene/mesh_file.h"

#include "compute/scene/double_sided.h"
#include "files/base/text_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace wisp {
namespace {

/// Copies only vertices and faces of a file, checked and in simple form, for tinyobjloader. tinyobjloader does not check missing
/// coordinates, indices past the end and tag sizes.
class Scan {
public:
    /// @param anywhere whether the mesh may be moved, see readMesh
    std::string run(std::string_view file, bool anywhere) {
        constexpr std::string_view kUtf8 = "\xef\xbb\xbf";
        if (file.starts_with("\xff\xfe") || file.starts_with("\xfe\xff")) fail("is text of 16 bits a character, must be ASCII or UTF-8");
        if (file.starts_with(kUtf8)) file.remove_prefix(kUtf8.size());
        while (!file.empty()) {
            std::string_view rest = takeLine(file);
            const std::size_t first = ++line_;
            const std::string_view word = take(rest);
            if (word != "v" && word != "f") continue;  // where a path may end with a backslash
            std::string text = withoutEnd(rest);
            while (goesOn(rest) && !file.empty()) {
                rest = takeLine(file);
                text += ' ' + withoutEnd(rest);
                ++line_;
            }
            const std::size_t last = std::exchange(line_, first);  // messages name the first one
            if (word == "v") vertex(text);
            if (word == "f") face(text);
            line_ = last;
        }
        line_ = 0;
        if (corners_ == 0)
            fail(vertices_ > 0 ? "has no faces" : "is no mesh that can be read, must be a .obj, .glb, .gltf, .vdb or .nvdb file");
        if (highest_ > vertices_) {
            line_ = highestLine_;
            fail(fmt::format("uses vertex {}, but the file has only {}", highest_, vertices_));
        }
        return vertices(anywhere ? origin() : glm::dvec3(0.0)) + text_;
    }

private:
    /// The middle of a mesh so far from the origin that floats resolve less than 1e-6 of its extent; otherwise 0.
    [[nodiscard]] glm::dvec3 origin() const {
        constexpr double kFar = 16.0;  // extents; a float has 24 bits
        glm::dvec3 low = positions_.front(), high = low;
        for (const glm::dvec3& p : positions_) {
            low = glm::min(low, p);
            high = glm::max(high, p);
        }
        const glm::dvec3 middle = 0.5 * (low + high);
        const double distance = glm::length(middle);
        return distance > kFar * glm::length(high - low) && distance <= kMaxMeshCoordinate ? middle : glm::dvec3(0.0);
    }
    [[nodiscard]] std::string vertices(const glm::dvec3& origin) const {
        std::string text;
        for (const glm::dvec3& p : positions_) {
            const glm::vec3 v(p - origin);
            fmt::format_to(std::back_inserter(text), "v {} {} {}\n", v.x, v.y, v.z);
        }
        return text;
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw std::runtime_error(line_ == 0 ? message : fmt::format("line {}: {}", line_, message));
    }

    static constexpr std::string_view kBlank = " \t\v\f";

    /// Lines end with LF, CR LF or CR.
    static std::string_view takeLine(std::string_view& file) {
        const std::size_t end = std::min(file.find_first_of("\r\n"), file.size());
        const std::string_view line = file.substr(0, end);
        file.remove_prefix(end);
        file.remove_prefix(file.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, file.size()));
        return line;
    }

    /// Whether the line ends with a backslash, so that the next one is part of it.
    static bool goesOn(std::string_view line) {
        const std::size_t last = line.find_last_not_of(kBlank);
        return last != std::string_view::npos && line[last] == '\\' && line.find('#') == std::string_view::npos;
    }
    /// Without a comment and without the backslash.
    static std::string withoutEnd(std::string_view line) {
        if (goesOn(line)) line = line.substr(0, line.find_last_not_of(kBlank));
        return std::string(line.substr(0, line.find('#')));
    }

    static std::string_view take(std::string_view& rest) {
        rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
        const std::string_view word = rest.substr(0, rest.find_first_of(kBlank));
        rest.remove_prefix(word.size());
        return word;
    }

    void vertex(std::string_view rest) {
        if (++vertices_ > kMaxMeshVertices) fail(fmt::format("has more than {} vertices", kMaxMeshVertices));
        glm::dvec3& position = positions_.emplace_back(0.0);
        for (int axis = 0; axis < 3; ++axis) {
            std::string_view word = take(rest);
            if (word.empty()) fail(fmt::format("a vertex has no {}", "xyz"[axis]));
            if (word.starts_with('+')) word.remove_prefix(1);
            double value = 0.0;  // numbers too small for a float are written, too
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
            if (end != word.data() + word.size() || error == std::errc::invalid_argument) fail(fmt::format("\"{}\" is not a number", word));
            const bool isTiny = error == std::errc::result_out_of_range && word.find("e-") + word.find("E-") != 2 * std::string_view::npos;
            if ((error != std::errc{} && !isTiny) || !(std::abs(value) <= std::numeric_limits<float>::max()))
                fail(fmt::format("{} is {}, must be finite", "xyz"[axis], word));
            position[axis] = value;
        }
    }

    /// Starts a quadrilateral at its first corner in the order of positions, so that the back of one is split along the same diagonal.
    void rotate(std::vector<std::int64_t>& face) const {
        const auto isKnown = [&](std::int64_t index) { return static_cast<std::size_t>(index) <= vertices_; };
        if (face.size() != 4 || !std::ranges::all_of(face, isKnown)) return;
        const auto position = [&](std::int64_t index) {
            const glm::dvec3& p = positions_[static_cast<std::size_t>(index - 1)];
            return std::array{p.x, p.y, p.z};
        };
        std::rotate(face.begin(), std::ranges::min_element(face, {}, position), face.end());
    }

    // The vertex index of "7/2/5" is 7. Negative indices count back from the last vertex so far.
    void face(std::string_view rest) {
        std::vector<std::int64_t> indices;
        for (std::string_view word = take(rest); !word.empty(); word = take(rest)) {
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
            indices.push_back(index);
        }
        rotate(indices);
        fmt::format_to(std::back_inserter(text_), "f {}\n", fmt::join(indices, " "));
        const std::size_t corners = indices.size();
        if (corners < 3) fail(fmt::format("a face has {} corners, must have at least 3", corners));
        if (corners > kMaxFaceCorners) fail(fmt::format("a face has {} corners, must have at most {}", corners, kMaxFaceCorners));
        if (corners > 4) work_ += std::pow(static_cast<double>(corners), 3.0);
        if (work_ > kMaxFaceWork) fail("has too many faces with many corners: triangulate the mesh first");
        corners_ += corners;
        triangles_ += corners - 2;
        if (triangles_ > kMaxMeshTriangles) fail(fmt::format("has more than {} triangles", kMaxMeshTriangles));
    }

    std::string text_;  // faces
    std::vector<glm::dvec3> positions_;
    std::size_t line_ = 0, vertices_ = 0, corners_ = 0, triangles_ = 0;
    double work_ = 0.0;
    std::size_t highest_ = 0, highestLine_ = 0;  // highest vertex index and its line
};

}  // namespace

Mesh readMesh(const std::filesystem::path& file, bool anywhere) {
    if (isVolumeMesh(file)) return readVolumeMesh(file);
    tinyobj::ObjReaderConfig config;
    config.triangulate = true;
    config.vertex_color = false;
    tinyobj::ObjReader reader;
    if (!reader.ParseFromString(Scan().run(readBytes(file, kMaxMeshFileBytes), anywhere), "", config))
        throw std::runtime_error(reader.Error());
    Mesh mesh;
    const std::vector<float>& v = reader.GetAttrib().vertices;
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) mesh.positions.emplace_back(v[i], v[i + 1], v[i + 2]);
    for (const tinyobj::shape_t& shape : reader.GetShapes()) {
        const auto& corners = shape.mesh.indices;
        const auto index = [&](std::size_t i) { return static_cast<std::uint32_t>(corners[i].vertex_index); };
        for (std::size_t i = 0; i + 2 < corners.size(); i += 3) mesh.triangles.emplace_back(index(i), index(i + 1), index(i + 2));
    }
    if (const std::string problem = meshProblem(mesh); !problem.empty()) throw std::runtime_error(problem);
    dropBackFaces(mesh);
    mesh.source.file = file;
    return mesh;
}

}  // namespace wisp
