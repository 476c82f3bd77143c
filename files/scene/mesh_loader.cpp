// SPDX-License-Identifier: MIT
#include "files/scene/mesh_loader.h"

#include "compute/scene/double_sided.h"
#include "compute/scene/mesh_crossing.h"
#include "compute/scene/mesh_report.h"
#include "files/base/extension.h"
#include "files/base/frame_pattern.h"
#include "files/scene/files_in_use.h"
#include "files/scene/gltf_file.h"
#include "files/scene/input_files.h"
#include "files/scene/mesh_file.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

namespace wisp {
namespace {

using Pose = std::vector<glm::vec3>;

constexpr double kUsualFps = 24.0;
constexpr std::size_t kMostVerticesLookedAt = 5'000'000;  // of all poses of an animation, to find its largest extent

/// The poses of a sequence of files.
class PoseSequence : public MeshMotion {
public:
    PoseSequence(std::vector<Pose> poses, double fps, double start) : poses_(std::move(poses)), fps_(fps), start_(start) {}

    [[nodiscard]] Pose positions(double t) const override {
        const auto last = static_cast<double>(poses_.size() - 1);
        const double at = std::clamp((t - start_) * fps_, 0.0, last), i = std::min(std::floor(at), std::max(last - 1.0, 0.0)), s = at - i;
        const auto pose = [&](double n) -> const Pose& { return poses_[static_cast<std::size_t>(std::clamp(n, 0.0, last))]; };
        // Catmull-Rom. At the ends, where a neighbour is missing, the difference spans one interval.
        const double s2 = s * s, s3 = s2 * s, before = i > 0.0 ? 0.5 : 1.0, after = i + 2.0 <= last ? 0.5 : 1.0;
        const double startSlope = (s3 - 2.0 * s2 + s) * before, endSlope = (s3 - s2) * after, end = 3.0 * s2 - 2.0 * s3;
        const Pose &a = pose(i - 1.0), &b = pose(i), &c = pose(i + 1.0), &d = pose(i + 2.0);
        Pose result(b.size());
        for (std::size_t v = 0; v < result.size(); ++v) {
            const glm::dvec3 from(b[v]), to(c[v]);
            result[v] = from + end * (to - from) + startSlope * (to - glm::dvec3(a[v])) + endSlope * (glm::dvec3(d[v]) - from);
        }
        return result;
    }

private:
    std::vector<Pose> poses_;
    double fps_, start_;
};

/// An animated glTF file.
class GltfMotion : public MeshMotion {
public:
    GltfMotion(GltfScene scene, double start) : scene_(std::move(scene)), start_(start) {}
    [[nodiscard]] Pose positions(double t) const override { return scene_.positions(t - start_); }

private:
    GltfScene scene_;
    double start_;
};

/// Takes in the poses of a motion, one after the other.
class RangeOfMotion {
public:
    explicit RangeOfMotion(Mesh& mesh) : mesh_(mesh) {}
    void add(const Pose& pose, double time) {
        mesh_.range.extent = glm::max(mesh_.range.extent, boundsOf(mesh_, pose).size());
        mesh_.motionHash = XXH3_64bits_withSeed(pose.data(), pose.size() * sizeof(glm::vec3), mesh_.motionHash);
        double farthest = 0.0;
        for (std::size_t v = 0; v < last_.size(); ++v)
            farthest = std::max(farthest, glm::distance(glm::dvec3(pose[v]), glm::dvec3(last_[v])));
        if (farthest > 0.0 && time > lastTime_) mesh_.range.speed = std::max(mesh_.range.speed, farthest / (time - lastTime_));
        last_ = pose;
        lastTime_ = time;
    }

private:
    Mesh& mesh_;
    Pose last_;
    double lastTime_ = 0.0;
};

void requireSameTriangles(const Mesh& mesh, const Mesh& first, const std::string& name) {
    if (mesh.positions.size() != first.positions.size() || mesh.triangles.size() != first.triangles.size())
        throw std::runtime_error(
            fmt::format("has {} vertices and {} triangles, but {} has {} and {}: all files of a sequence must have the "
                        "same triangles",
                        mesh.positions.size(), mesh.triangles.size(), name, first.positions.size(), first.triangles.size()));
    const auto [here, there] = std::ranges::mismatch(mesh.triangles, first.triangles);
    if (here != mesh.triangles.end())
        throw std::runtime_error(fmt::format(
            "has a triangle {} of the vertices {}, {} and {}, but in {} it has {}, {} and {}: all files "
            "of a sequence must have the same triangles",
            here - mesh.triangles.begin() + 1, here->x + 1, here->y + 1, here->z + 1, name, there->x + 1, there->y + 1, there->z + 1));
}

/// Adds the name of a file of a sequence to its error.
template <class Work>
auto naming(const std::filesystem::path& file, Work work) {
    try {
        return work();
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(fmt::format("{}: {}", file.filename().string(), e.what()));
    }
}

Mesh readSequence(const MeshSource& source) {
    if (extensionOf(source.file) != ".obj") throw std::runtime_error("is a sequence, which must be of .obj files");
    const FramePattern pattern = parseInputPattern(source.file);
    const FileNumbers numbers = numbersOfFiles(pattern);
    const auto nameOf = [&](std::size_t n) { return pattern.name(numbers.first + n); };
    Mesh mesh = naming(nameOf(0), [&] { return readMesh(nameOf(0)); });
    const std::uint64_t bytes = numbers.count * mesh.positions.size() * sizeof(glm::vec3);
    if (bytes > kMaxSequenceBytes)
        throw std::runtime_error(fmt::format("has {} files of {} vertices, which take {:.1f} GB of memory, at most {:.1f} GB are allowed",
                                             numbers.count, mesh.positions.size(), static_cast<double>(bytes) * 1e-9,
                                             static_cast<double>(kMaxSequenceBytes) * 1e-9));
    std::vector<Pose> poses{mesh.positions};
    const std::size_t together = std::max(1u, std::thread::hardware_concurrency());
    const std::string first = nameOf(0).filename().string();
    while (poses.size() < numbers.count) {
        std::vector<std::future<Pose>> next;
        for (std::size_t n = poses.size(); n < std::min(numbers.count, poses.size() + together); ++n)
            next.push_back(std::async([&, n] {  // on a thread if one can be started
                return naming(nameOf(n), [&] {
                    Mesh pose = readMesh(nameOf(n));
                    requireSameTriangles(pose, mesh, first);
                    return std::move(pose.positions);
                });
            }));
        for (std::future<Pose>& pose : next) poses.push_back(pose.get());
    }
    const double fps = source.fps ? static_cast<double>(*source.fps) : kUsualFps;
    RangeOfMotion range(mesh);
    for (std::size_t n = 0; n < poses.size(); ++n)
        range.add(poses[n], fps > 0.0 ? static_cast<double>(n) / fps : 0.0);  // the scene refuses 0
    mesh.motion = std::make_shared<PoseSequence>(std::move(poses), fps, static_cast<double>(source.start));
    return mesh;
}

Mesh readGltf(const MeshSource& source) {
    GltfScene scene(source.file, source.node);
    std::vector<double> times = scene.keyTimes();
    if (times.empty()) times.push_back(0.0);
    Mesh mesh{.positions = scene.positions(times.front()), .triangles = scene.triangles()};
    dropBackFaces(mesh);
    if (const std::string problem = meshProblem(mesh); !problem.empty()) throw std::runtime_error(problem);
    if (!scene.animated()) return mesh;
    const std::size_t most = std::max<std::size_t>(kMostVerticesLookedAt / mesh.positions.size(), 8);
    const std::size_t stride = (times.size() + most - 1) / most;
    RangeOfMotion range(mesh);
    for (std::size_t n = 0; n < times.size(); n += stride) {
        const Mesh pose{.positions = scene.positions(times[n]), .triangles = mesh.triangles};
        if (const std::string problem = meshProblem(pose); !problem.empty())
            throw std::runtime_error(fmt::format("at {:.4g} s: {}", times[n], problem));
        range.add(pose.positions, times[n]);
    }
    mesh.motion = std::make_shared<GltfMotion>(std::move(scene), static_cast<double>(source.start));
    return mesh;
}

}  // namespace

Mesh loadMesh(const MeshSource& source) {
    Mesh mesh = isSequence(source.file) ? readSequence(source) : isGltf(source.file) ? readGltf(source) : readMesh(source.file, true);
    mesh.source = source;
    if (const std::string leaks = leakProblem(inspectMesh(mesh, 0.0)); !leaks.empty()) throw std::runtime_error(leaks);
    if (!source.overlap && !isVolumeMesh(source.file))  // the surface of a field cannot
        if (const std::string crossing = crossingProblem(mesh); !crossing.empty()) throw std::runtime_error(crossing);
    return mesh;
}

namespace {

/// All files of a mesh; none if they cannot be listed, so that loadMesh says why.
std::vector<std::filesystem::path> filesOf(const MeshSource& source) {
    if (isSequence(source.file) && extensionOf(source.file) != ".obj") return {};
    try {
        return inputFiles(source.file);
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace

std::shared_ptr<const Mesh> sharedMesh(const MeshSource& source) {
    static FilesInUse<MeshSource, const Mesh> inUse;
    return inUse.get(source, filesOf(source), [&] { return std::make_shared<const Mesh>(loadMesh(source)); });
}

}  // namespace wisp
