// SPDX-License-Identifier: MIT
#include "engine/cache_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace wisp::engine {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr char kMagic[8] = {'w', 'i', 's', 'p', 'p', 'i', 'p', 'e'};
constexpr std::uint64_t kFormat = 1;
constexpr auto kTemporaryAge = 1h;  // an older temporary file was left by a writer that was killed

fs::path nameOf(const CacheFile::Key& key) {
    std::string name = "pipelines-";
    for (const std::uint8_t byte : key) name += fmt::format("{:02x}", byte);
    return name + ".bin";
}

}  // namespace

CacheFile::CacheFile(const fs::path& folder, const Key& key) : path_(folder / nameOf(key)), key_(key) {}

bool CacheFile::fail(const std::string& what) {
    problem_ = what;
    return false;
}

/// In the byte order of this machine: the file is useless on other machines.
std::array<std::byte, CacheFile::kHeaderBytes> CacheFile::header(std::span<const std::byte> contents) const {
    const std::uint64_t length = contents.size(), hash = XXH3_64bits(contents.data(), contents.size());
    std::array<std::byte, kHeaderBytes> bytes{};
    std::memcpy(&bytes[0], kMagic, 8);
    std::memcpy(&bytes[8], &kFormat, 8);
    std::memcpy(&bytes[16], key_.data(), 16);
    std::memcpy(&bytes[32], &length, 8);
    std::memcpy(&bytes[40], &hash, 8);
    return bytes;
}

std::vector<std::byte> CacheFile::read() {
    problem_.clear();
    std::error_code error;
    if (!fs::exists(fs::symlink_status(path_, error))) return {};
    const auto refuse = [&](const char* why) {
        problem_ = fmt::format("{} {}: it is recreated", path_.string(), why);
        fs::remove(path_, error);  // fails for a folder that is not empty; write() then reports it
        return std::vector<std::byte>{};
    };
    // Reading a named pipe would block.
    if (!fs::is_regular_file(path_, error)) return refuse("is not a regular file");
    const std::uintmax_t size = fs::file_size(path_, error);
    if (error || size < kHeaderBytes || size > kHeaderBytes + kMostBytes) return refuse("has a wrong size");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    std::ifstream in(path_, std::ios::binary);
    if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) return refuse("cannot be read");
    std::vector<std::byte> contents(bytes.begin() + kHeaderBytes, bytes.end());
    // One comparison checks magic, format, key, length and hash.
    if (!std::ranges::equal(header(contents), std::span(bytes).first(kHeaderBytes))) return refuse("is damaged or not from wisp");
    fs::last_write_time(path_, fs::file_time_type::clock::now(), error);  // removeOld() keeps the newest files
    return contents;
}

bool CacheFile::write(std::span<const std::byte> contents) {
    problem_.clear();
    if (contents.size() > kMostBytes) return fail(fmt::format("{} bytes exceed the maximum size of a cache file", contents.size()));
    std::error_code error;
    fs::create_directories(path_.parent_path(), error);
    static std::atomic<int> written{0};
    const fs::path temporary = path_.parent_path() / fmt::format(".{}.tmp-{}-{}", path_.filename().string(), ::getpid(), written++);
    const std::array<std::byte, kHeaderBytes> head = header(contents);
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(head.data()), kHeaderBytes);
    out.write(reinterpret_cast<const char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
    out.close();
    if (out) fs::rename(temporary, path_, error);
    if (!out || error) {
        const std::string reason = error ? error.message() : std::strerror(errno);
        fs::remove(temporary, error);
        return fail(fmt::format("{} cannot be written: {}", path_.string(), reason));
    }
    removeOld();
    return true;
}

/// Removes the oldest files of other drivers, devices and builds, and temporary files of killed writers.
void CacheFile::removeOld() const {
    std::error_code error;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const auto& entry : fs::directory_iterator(path_.parent_path(), error)) {
        const std::string name = entry.path().filename().string();
        const auto time = entry.last_write_time(error);
        if (error) continue;  // another process removed it first
        if (name.starts_with("pipelines-") && name.ends_with(".bin")) files.emplace_back(time, entry.path());
        if (name.starts_with(".pipelines-") && time < fs::file_time_type::clock::now() - kTemporaryAge) fs::remove(entry.path(), error);
    }
    std::ranges::sort(files, std::ranges::greater());
    for (std::size_t i = kKept; i < files.size(); ++i)
        if (files[i].second != path_) fs::remove(files[i].second, error);
}

}  // namespace wisp::engine
