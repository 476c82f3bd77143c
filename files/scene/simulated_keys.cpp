// SPDX-License-Identifier: MIT
#include "files/scene/simulated_keys.h"

#include "files/scene/named_file.h"
#include "files/scene/path_visitor.h"
#include "files/scene/scene_keys.h"
#include "files/scene/scene_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

namespace wisp {
namespace {

constexpr std::array<std::string_view, 8> kPictureKeys{"camera.", "environment.", "light[",  "medium.",
                                                       "name",    "probe[",       "render.", "view."};

class Lines : public PathVisitor {
public:
    explicit Lines(const Settings& settings) : settings_(settings) {}
    std::string text;
    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        const std::string path = path_ + name;
        if (isOfPicture(path, settings_)) return true;
        std::string word = valueText(value, about);
        if (name == "file") word = std::filesystem::path(word).filename();  // copies of a scene and its files are the same simulation
        fmt::format_to(std::back_inserter(text), "{} = {}\n", path, word);
        return true;
    }
    void table(const std::string& name, const std::function<void()>& keys) override { within(name, keys); }
    void list(const std::string& name, const List& list) override {
        for (std::size_t i = 0; i < list.size; ++i) within(fmt::format("{}[{}]", name, i), [&] { list.keys(i); });
    }
    void fail(const std::string&, const std::string&) override {}

private:
    const Settings& settings_;
};

std::uint64_t hashOf(const VolumeLattice& lattice, std::uint64_t seed) {
    std::uint64_t hash = XXH3_64bits_withSeed(&lattice.toWorld, sizeof lattice.toWorld, seed);
    for (const VolumeLattice::Block& b : lattice.blocks) hash = XXH3_64bits_withSeed(&b, sizeof b, hash);
    return hash;
}

/// Of a volume in memory. Files count by their names: a simulation may read many and large ones.
std::uint64_t hashOf(const VolumeSettings& volume) {
    if (!volume.frames || !isInMemory(volume.file)) return 0;
    const auto data = volume.frames->at(0.0);
    return hashOf(data->fuel, hashOf(data->temperature, hashOf(data->density, 0)));
}

}  // namespace

bool isOfPicture(std::string_view key, const Settings& settings) {
    if (key == "environment.ground") return settings.follow.keys.empty();  // a box that follows a target stays on the ground
    if (key.starts_with("obstacle[") && key.ends_with("].colour")) return true;
    return std::ranges::any_of(kPictureKeys, [&](std::string_view start) { return key.starts_with(start); });
}

std::string simulatedText(const Settings& settings) {
    Settings copy = settings;
    Lines lines(settings);
    visitScene(lines, copy, {});
    std::vector<std::uint64_t> volumes;
    for (const EmitterSettings& e : settings.emitters) volumes.push_back(hashOf(e.volume));
    for (const InitialSettings& i : settings.initial) volumes.push_back(hashOf(i.volume));
    return lines.text + fmt::format("meshes = {}\nvolumes = {}\n", fmt::join(meshHashes(settings), ","), fmt::join(volumes, ","));
}

std::vector<std::uint64_t> meshHashes(const Settings& settings) {
    std::vector<std::uint64_t> hashes;
    for (const auto& mesh : settings.meshes) {
        const std::uint64_t positionsHash = XXH3_64bits(mesh->positions.data(), mesh->positions.size() * sizeof(glm::vec3));
        const std::uint64_t bytes = mesh->triangles.size() * sizeof(glm::uvec3);
        hashes.push_back(XXH3_64bits_withSeed(mesh->triangles.data(), bytes, positionsHash ^ mesh->motionHash));
    }
    return hashes;
}

}  // namespace wisp
