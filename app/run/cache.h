// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/frame_list.h"
#include "app/run/options.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// What a cache says about itself, in manifest.json.
struct CacheManifest {
    std::string wisp;   ///< version of the program
    std::string scene;  ///< name of the scene
    std::string hash;   ///< of scene.toml: XXH3, 64 bits, as 16 hex digits
    std::uint32_t seed = 0;
    std::string quality;         ///< level at which it was read; scene.toml has the scaled cells
    std::string device, driver;  ///< on which it was simulated
    FrameList frames{1};         ///< that are simulated, up to the last one
    std::size_t every = 1;       ///< frames from one checkpoint to the next
    double fps = 60.0;           ///< [1/s]
    std::uint32_t stepsPerFrame = 1;
    std::map<std::string, std::string> files;  ///< hash of the files that the scene reads, by key
};

/// A folder with everything that the pictures of a simulation need, on any machine:
///     manifest.json  see CacheManifest; it appears when scene.toml and files are whole
///     scene.toml     the scene, with all keys that were set and the scaled grid
///     files/HASH/    copies of what a key of the scene reads
///     checkpoints/   NNNN.wisp, the state before the steps of frame NNNN
/// One process at a time writes a cache; any number read it, also meanwhile.
class Cache {
public:
    explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] bool exists() const;  ///< has a manifest
    /// @throws Failure Usage if there is none, it is damaged, or scene.toml is not the one that it is of.
    [[nodiscard]] CacheManifest manifest() const;
    /// Writes scene and files, then the manifest, whose `hash` and `files` it sets. @throws Failure Output.
    void create(CacheManifest manifest, Scene scene) const;

    void write(const CacheManifest& manifest) const;  ///< replaces the manifest @throws Failure Output

    [[nodiscard]] std::filesystem::path scene() const { return folder_ / "scene.toml"; }
    [[nodiscard]] std::filesystem::path checkpoint(std::size_t frame) const;  ///< the file of the state before this frame
    [[nodiscard]] std::vector<std::size_t> checkpoints() const;               ///< frames before which there is one, ascending
    /// The frame of the last checkpoint that is not after `frame`. @throws Failure Usage if none lies within CacheManifest::every frames
    /// before it: each task would simulate these frames again.
    [[nodiscard]] std::size_t nearest(const CacheManifest& manifest, std::size_t frame) const;
    /// The frame of the last checkpoint that is not after `frame`; none: there is none.
    [[nodiscard]] std::optional<std::size_t> lastBefore(std::size_t frame) const;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    [[noreturn]] void refuse(const std::string& why) const;  ///< @throws Failure Usage always, with the folder

private:
    void takeFiles(Scene& scene, const std::map<std::string, std::string>& hashes) const;
    [[nodiscard]] bool isBeingWritten() const;
    std::filesystem::path folder_;
};

/// The right to write a cache. The system takes it back when the process ends, however it ends.
class CacheLock {
public:
    /// @throws Failure Usage if another process writes it; Output if the folder cannot be made.
    explicit CacheLock(const Cache& cache);
    ~CacheLock();
    CacheLock(const CacheLock&) = delete;
    CacheLock& operator=(const CacheLock&) = delete;

private:
    int file_ = -1;
};

/// How files of two scenes are compared.
enum class CompareFiles {
    Names,     ///< of scenes in one folder
    Contents,  ///< of the scene with those in the manifest; reads all of them
    No
};
/// The first keys of the simulation (not of its picture) that differ, as "flow.vorticity is 0.4, in the cache 0.8; ..."; empty: none.
/// @throws Error Scene or File; Failure Usage if a file cannot be read.
std::string differences(const Scene& scene, const Scene& cached, const CacheManifest& manifest, CompareFiles files);

}  // namespace wisp::app
