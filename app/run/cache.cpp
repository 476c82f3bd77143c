// SPDX-License-Identifier: MIT
#include "app/run/cache.h"

#include "app/base/scene_values.h"
#include "files/base/failure.h"
#include "files/base/json.h"
#include "files/base/pending_file.h"
#include "files/base/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr int kFormat = 1;  // of the manifest
constexpr std::size_t kMaxManifestBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxSceneBytes = std::size_t{4} << 20;
constexpr std::size_t kMostDifferences = 5;  // that an error lists

// What the simulation does not depend on.
constexpr std::array<std::string_view, 8> kPictureKeys{"camera.", "environment.", "light[",  "medium.",
                                                       "name",    "probe[",       "render.", "view."};

[[noreturn]] void refuse(const Cache& cache, const std::string& why) {
    throw Failure(Exit::Usage, fmt::format("{}: {}", cache.folder().string(), why));
}

fs::path manifestOf(const Cache& cache) { return cache.folder() / "manifest.json"; }

std::string hex(XXH64_hash_t hash) { return fmt::format("{:016x}", hash); }

std::string hashOf(const std::string& bytes) { return hex(XXH3_64bits(bytes.data(), bytes.size())); }

void makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) failOutput(folder, "the folder cannot be created", error.value());
}

/// Copies the files of each key into a folder of its own, where they keep their names, and makes the scene use the copies.
void takeFiles(const Cache& cache, Scene& scene) {
    std::size_t n = 0;
    for (const SceneFiles& files : scene.files()) {
        const fs::path folder = cache.folder() / "files" / std::to_string(n++), from = fs::path(files.name).parent_path();
        for (const std::string& file : files.files) {
            const fs::path below = fs::path(file).lexically_relative(from.empty() ? "." : from);
            if (below.empty() || *below.begin() == "..") refuse(cache, fmt::format("{}: {} is not beside {}", files.key, file, files.name));
            makeFolder((folder / below).parent_path());
            std::error_code error;
            fs::copy_file(file, folder / below, fs::copy_options::overwrite_existing, error);
            if (error) failOutput(folder / below, "cannot be copied", error.value());
        }
        scene.set(files.key, Value(fs::absolute(folder / fs::path(files.name).filename()).string()));
    }
}

Json jsonOf(const CacheManifest& m) {
    return {{"format", kFormat},  {"wisp", m.wisp},     {"scene", m.scene},
            {"hash", m.hash},     {"seed", m.seed},     {"quality", m.quality},
            {"device", m.device}, {"driver", m.driver}, {"frames", m.frames.text()},
            {"every", m.every},   {"fps", m.fps},       {"steps_per_frame", m.stepsPerFrame},
            {"files", m.files}};
}

CacheManifest manifestFrom(const Json& json) {
    if (json.at("format").get<int>() != kFormat) throw std::runtime_error("is of another version of wisp");
    CacheManifest m;
    json.at("wisp").get_to(m.wisp);
    json.at("scene").get_to(m.scene);
    json.at("hash").get_to(m.hash);
    json.at("seed").get_to(m.seed);
    json.at("quality").get_to(m.quality);
    json.at("device").get_to(m.device);
    json.at("driver").get_to(m.driver);
    m.frames = FrameList("frames", json.at("frames").get<std::string>());
    json.at("every").get_to(m.every);
    json.at("fps").get_to(m.fps);
    json.at("steps_per_frame").get_to(m.stepsPerFrame);
    json.at("files").get_to(m.files);
    if (m.every == 0 || m.stepsPerFrame == 0 || !(m.fps > 0.0)) throw std::runtime_error("has a number that is not above 0");
    return m;
}

/// A lock for writing, of the open file instead of the process.
struct flock wholeFile() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

bool isOfPicture(const std::string& key) {
    return std::ranges::any_of(kPictureKeys, [&](std::string_view start) { return key.starts_with(start); });
}

/// Values by key, without those of pictures, and without the files that the manifest has hashes of.
std::map<std::string, std::string> simulated(const Scene& scene, const CacheManifest& manifest) {
    std::map<std::string, std::string> values;
    for (const SceneKey& key : scene.keys())
        if (!isOfPicture(key.path) && !manifest.files.contains(key.path)) values[key.path] = key.value;
    return values;
}

}  // namespace

bool Cache::exists() const {
    std::error_code ignored;
    return fs::exists(manifestOf(*this), ignored);
}

CacheManifest Cache::manifest() const {
    if (!exists()) refuse(*this, "is no cache: it has no manifest.json; make one with wisp sim SCENE --cache");
    CacheManifest m;
    try {
        m = manifestFrom(parseJson(readText(manifestOf(*this), kMaxManifestBytes)));
    } catch (const std::exception& e) {
        refuse(*this, fmt::format("manifest.json cannot be used: {}", e.what()));
    }
    std::string text;
    try {
        text = readText(scene(), kMaxSceneBytes);
    } catch (const std::runtime_error& e) {
        refuse(*this, fmt::format("scene.toml: {}", e.what()));
    }
    if (hashOf(text) != m.hash) refuse(*this, "scene.toml has changed since the cache was made; simulate it into another folder");
    return m;
}

void Cache::create(CacheManifest manifest, Scene scene) const {
    makeFolder(folder_ / "checkpoints");
    manifest.files = hashesOfFiles(scene);
    takeFiles(*this, scene);
    while (scene.count("probe") > 0) scene.remove("probe", 0);  // they have no files of pictures
    // Text without the quality level: its cells are those of the level.
    const std::string folder = fs::absolute(folder_).string();
    Scene scaled = Scene::parse(scene.toml(folder), folder);
    scaled.set("grid.cells", Value::toml(scene.get("grid.cells")));
    const std::string text = scaled.toml(folder);
    writeFileAtomically(this->scene(), text);
    manifest.hash = hashOf(text);
    write(manifest);
}

void Cache::write(const CacheManifest& manifest) const { writeFileAtomically(manifestOf(*this), prettyJson(jsonOf(manifest))); }

fs::path Cache::checkpoint(std::size_t frame) const { return folder_ / "checkpoints" / fmt::format("{:04}.wisp", frame); }

std::vector<std::size_t> Cache::checkpoints() const {
    std::vector<std::size_t> frames;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "checkpoints", error)) {
        const std::string name = entry.path().stem().string();
        std::size_t frame = 0;
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), frame);
        if (problem == std::errc() && end == name.data() + name.size() && checkpoint(frame).filename() == entry.path().filename())
            frames.push_back(frame);
    }
    std::ranges::sort(frames);
    return frames;
}

std::size_t Cache::nearest(const CacheManifest& manifest, std::size_t frame) const {
    if (frame < manifest.frames.first() || frame > manifest.frames.last())
        refuse(*this, fmt::format("frame {} is not in it: it has frames {} to {}", frame, manifest.frames.first(), manifest.frames.last()));
    const std::vector<std::size_t> all = checkpoints();
    const auto after = std::ranges::upper_bound(all, frame);
    const std::size_t found = after == all.begin() ? std::numeric_limits<std::size_t>::max() : *(after - 1);
    if (found <= frame && frame - found < manifest.every) return found;
    const std::size_t wanted = frame - (frame - manifest.frames.first()) % manifest.every;
    const std::string what = fmt::format("frame {} needs {}, which does not exist", frame, checkpoint(wanted).filename().string());
    if (isBeingWritten()) refuse(*this, what + " yet: wisp sim is still writing the cache; try again later");
    refuse(*this, what + ": the cache is cut short; the same wisp sim again goes on where it stopped");
}

bool Cache::isBeingWritten() const {
    const int file = ::open((folder_ / ".lock").c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return false;
    struct flock lock = wholeFile();
    const bool held = ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(file);
    return held;
}

CacheLock::CacheLock(const Cache& cache) {
    makeFolder(cache.folder());
    const fs::path path = cache.folder() / ".lock";
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) failOutput(path, "cannot be created", errno);
    struct flock lock = wholeFile();
    if (::fcntl(file_, F_OFD_SETLK, &lock) == 0) return;
    const int error = errno;
    ::close(file_);
    if (error == EAGAIN || error == EACCES)
        refuse(cache, "another process is writing this cache; wait until it ends, or choose another folder");
    failOutput(path, "cannot be locked", error);
}

CacheLock::~CacheLock() { ::close(file_); }

std::string differences(const Scene& scene, const Scene& cached, const CacheManifest& manifest) {
    std::vector<std::string> found;
    const auto ours = simulated(scene, manifest), theirs = simulated(cached, manifest);
    const auto text = [](const auto& values, const std::string& key) {
        const auto value = values.find(key);
        return value == values.end() || value->second.empty() ? std::string("not set") : value->second;
    };
    std::map<std::string, std::string> all = ours;
    all.insert(theirs.begin(), theirs.end());
    for (const auto& [key, ignored] : all)
        if (text(ours, key) != text(theirs, key))
            found.push_back(fmt::format("{} is {}, in the cache {}", key, text(ours, key), text(theirs, key)));
    const auto files = hashesOfFiles(scene);
    for (const auto& [key, hash] : manifest.files)
        if (!isOfPicture(key) && (!files.contains(key) || files.at(key) != hash))
            found.push_back(key + " has other contents than in the cache");
    std::string list;
    for (std::size_t n = 0; n < std::min(found.size(), kMostDifferences); ++n) list += (n > 0 ? "; " : "") + found[n];
    if (found.size() > kMostDifferences) list += fmt::format("; and {} more", found.size() - kMostDifferences);
    return list;
}

std::map<std::string, std::string> hashesOfFiles(const Scene& scene) {
    std::map<std::string, std::string> hashes;
    for (const SceneFiles& files : scene.files()) {
        std::string all;
        for (const std::string& file : files.files) all += hashOf(readBytes(file, std::numeric_limits<std::uintmax_t>::max()));
        hashes[files.key] = hashOf(all);
    }
    return hashes;
}

}  // namespace wisp::app
