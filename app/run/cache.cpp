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
#include <fstream>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr int kFormat = 1;  // of the manifest
constexpr std::size_t kMaxManifestBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxSceneBytes = std::size_t{4} << 20;
constexpr std::size_t kMostDifferences = 5;  // that an error lists

fs::path manifestOf(const Cache& cache) { return cache.folder() / "manifest.json"; }

std::string hex(XXH64_hash_t hash) { return fmt::format("{:016x}", hash); }

std::string hashOf(const std::string& bytes) { return hex(XXH3_64bits(bytes.data(), bytes.size())); }

/// Name of a file in the folder of those of its key. A .gltf file may have its buffers in folders below.
fs::path nameIn(const SceneFiles& files, const std::string& file) {
    const fs::path from = fs::path(files.name).parent_path();
    return fs::path(file).lexically_relative(from.empty() ? "." : from);
}

/// Of the names and contents of all files of a key. They may be larger than the memory.
std::string hashOf(const SceneFiles& files) {
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
    if (!state) throw std::bad_alloc();
    XXH3_64bits_reset(state.get());
    std::vector<char> part(std::size_t{1} << 20);
    for (const std::string& file : files.files) {
        const std::string name = nameIn(files, file).string();
        XXH3_64bits_update(state.get(), name.data(), name.size() + 1);  // with its end
        std::ifstream in(file, std::ios::binary);
        while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0)
            XXH3_64bits_update(state.get(), part.data(), static_cast<std::size_t>(in.gcount()));
        if (!in.eof()) throw Failure(Exit::Usage, fmt::format("{}: {}: cannot be read", files.key, file));
    }
    return hex(XXH3_64bits_digest(state.get()));
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

/// Values by key, without those of pictures, and without `files`.
std::map<std::string, std::string> simulated(const Scene& scene, const std::map<std::string, std::string>& files) {
    std::map<std::string, std::string> values;
    for (const SceneKey& key : scene.keys())
        if (!scene.isOfPicture(key.path) && !files.contains(key.path)) values[key.path] = key.value;
    return values;
}

}  // namespace

bool Cache::exists() const {
    std::error_code ignored;
    return fs::exists(manifestOf(*this), ignored);
}

CacheManifest Cache::manifest() const {
    if (!exists()) refuse("is no cache: it has no manifest.json; make one with wisp sim SCENE --cache");
    CacheManifest m;
    try {
        m = manifestFrom(parseJson(readText(manifestOf(*this), kMaxManifestBytes)));
    } catch (const std::exception& e) {
        refuse(fmt::format("manifest.json cannot be used: {}", e.what()));
    }
    std::string text;
    try {
        text = readText(scene(), kMaxSceneBytes);
    } catch (const std::runtime_error& e) {
        refuse(fmt::format("scene.toml: {}", e.what()));
    }
    if (hashOf(text) != m.hash) refuse("scene.toml has changed since the cache was made; simulate it into another folder");
    return m;
}

void Cache::refuse(const std::string& why) const { throw Failure(Exit::Usage, fmt::format("{}: {}", folder_.string(), why)); }

/// Copies the files of each key into a folder of their hash, where they keep their names, and makes the scene use the copies.
void Cache::takeFiles(Scene& scene, const std::map<std::string, std::string>& hashes) const {
    for (const SceneFiles& files : scene.files()) {
        const fs::path folder = folder_ / "files" / hashes.at(files.key);
        for (const std::string& file : files.files) {
            const fs::path name = nameIn(files, file);
            if (name.empty() || *name.begin() == "..")
                refuse(fmt::format("{}: {} must be in the folder of {}, or below it", files.key, file, files.name));
            makeFolder((folder / name).parent_path());
            std::error_code error;
            fs::copy_file(file, folder / name, fs::copy_options::overwrite_existing, error);
            if (error) failOutput(folder / name, "cannot be copied", error.value());
        }
        scene.set(files.key, Value(fs::absolute(folder / fs::path(files.name).filename()).string()));
    }
}

void Cache::create(CacheManifest manifest, Scene scene) const {
    if (!checkpoints().empty()) refuse("has checkpoints, but no manifest.json that says of what; choose another folder");
    makeFolder(folder_ / "checkpoints");
    for (const SceneFiles& files : scene.files()) manifest.files[files.key] = hashOf(files);
    takeFiles(scene, manifest.files);
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

std::optional<std::size_t> Cache::lastBefore(std::size_t frame) const {
    const std::vector<std::size_t> all = checkpoints();
    const auto after = std::ranges::upper_bound(all, frame);
    return after == all.begin() ? std::nullopt : std::optional(*(after - 1));
}

std::size_t Cache::nearest(const CacheManifest& manifest, std::size_t frame) const {
    if (frame < manifest.frames.first() || frame > manifest.frames.last())
        refuse(fmt::format("frame {} is not in it: it has frames {} to {}", frame, manifest.frames.first(), manifest.frames.last()));
    if (const auto found = lastBefore(frame); found && frame - *found < manifest.every) return *found;
    const std::size_t wanted = frame - (frame - manifest.frames.first()) % manifest.every;
    const std::string what = fmt::format("frame {} needs {}, which does not exist", frame, checkpoint(wanted).filename().string());
    if (isBeingWritten()) refuse(what + " yet: wisp sim is still writing the cache; try again later");
    refuse(what + ": the cache is cut short; the same wisp sim again makes what is missing");
}

bool Cache::isBeingWritten() const {
    const int file = ::open((folder_ / ".lock").c_str(), O_RDONLY | O_CLOEXEC);
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
        cache.refuse("another process is writing this cache; wait until it ends, or choose another folder");
    failOutput(path, "cannot be locked", error);
}

CacheLock::~CacheLock() { ::close(file_); }

std::string differences(const Scene& scene, const Scene& cached, const CacheManifest& manifest, CompareFiles files) {
    std::vector<std::string> found;
    const std::map<std::string, std::string> none;
    const auto& left = files == CompareFiles::Names ? none : manifest.files;
    const auto ours = simulated(scene, left), theirs = simulated(cached, left);
    const auto text = [](const auto& values, const std::string& key) {
        const auto value = values.find(key);
        return value == values.end() || value->second.empty() ? std::string("not set") : value->second;
    };
    std::map<std::string, std::string> all = ours;
    all.insert(theirs.begin(), theirs.end());
    for (const auto& [key, ignored] : all)
        if (text(ours, key) != text(theirs, key))
            found.push_back(fmt::format("{} is {}, in the cache {}", key, text(ours, key), text(theirs, key)));
    if (files == CompareFiles::Contents) {
        std::map<std::string, std::string> hashes;
        for (const SceneFiles& f : scene.files())
            if (!scene.isOfPicture(f.key)) hashes[f.key] = hashOf(f);
        for (const auto& [key, hash] : manifest.files)
            if (!scene.isOfPicture(key) && (!hashes.contains(key) || hashes.at(key) != hash))
                found.push_back(key + " has other contents than in the cache");
    }
    std::string list;
    for (std::size_t n = 0; n < std::min(found.size(), kMostDifferences); ++n) list += (n > 0 ? "; " : "") + found[n];
    if (found.size() > kMostDifferences) list += fmt::format("; and {} more", found.size() - kMostDifferences);
    return list;
}

}  // namespace wisp::app
