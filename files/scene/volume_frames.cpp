// SPDX-License-Identifier: MIT
// Volume files and numbered sequences of them.
#include "files/base/failure.h"
#include "files/base/frame_pattern.h"
#include "files/scene/files_in_use.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace wisp {
namespace {

namespace fs = std::filesystem;

constexpr float kUsualFps = 24.0f;
constexpr std::size_t kFramesKept = 2;
constexpr std::size_t kMostAhead = 16;                             // files that are read at the same time
constexpr std::uint64_t kMostAheadBytes = std::uint64_t{2} << 30;  // of these

const VolumeGridHead* gridNamed(const VolumeHead& head, const std::string& name) {
    const auto found = std::ranges::find(head.grids, name, &VolumeGridHead::name);
    return found == head.grids.end() ? nullptr : &*found;
}

std::string namesOf(const VolumeHead& head) {
    std::vector<std::string> names;
    for (const VolumeGridHead& g : head.grids) names.push_back(g.name);
    return names.empty() ? "no grids" : fmt::format("only {}", fmt::join(names, ", "));
}

/// A grid of smoke, which the file must have if it is `wanted`. Files of rendered fire have burning fuel, `flame`, instead of all fuel.
const VolumeGridHead* smokeGrid(const VolumeHead& head, const std::string& name, bool wanted) {
    if (!wanted) return nullptr;
    const VolumeGridHead* grid = gridNamed(head, name);
    if (!grid && name == "fuel") grid = gridNamed(head, "flame");
    if (!grid) throw std::runtime_error(fmt::format("has no grid {}, but {}", name, namesOf(head)));
    if (!grid->isFloat) throw std::runtime_error(fmt::format("{}: has values of type {}, must be float", name, grid->type));
    if (grid->isLevelSet) throw std::runtime_error(fmt::format("{}: is a level set, must be a fog volume", name));
    return grid;
}

/// The velocity, in files that have one.
const VolumeGridHead* velocityGrid(const VolumeHead& head, bool wanted) {
    const VolumeGridHead* grid = wanted ? gridNamed(head, "vel") : nullptr;
    if (grid && !grid->isVector) throw std::runtime_error(fmt::format("vel: has values of type {}, must be vectors of floats", grid->type));
    return grid;
}

class VolumeFiles : public VolumeFrames {
public:
    explicit VolumeFiles(const VolumeRequest& request)
        : request_(request), pattern_(parseInputPattern(request.file)), numbers_(numbersOfFiles(pattern_)) {
        isSequence_ = pattern_.digits > 0;
        start_ = request.first.value_or(numbers_.first);
        for (std::size_t n = 0; n < numbers_.count; ++n) {
            naming(numbers_.first + n, [&](const fs::path& file) {
                heads_.push_back(readVolumeHead(file));
                check(heads_.back());
            });
        }
        fps_ = request.fps.value_or(heads_.front().fps.value_or(kUsualFps));
        if (!(fps_ > 0.0f && fps_ <= 1e4f)) throw std::runtime_error(fmt::format("says {} frames per second; set fps", fps_));
    }

    /// The same files, also with their velocity.
    explicit VolumeFiles(const VolumeFiles& other)
        : request_(other.request_),
          pattern_(other.pattern_),
          numbers_(other.numbers_),
          isSequence_(other.isSequence_),
          start_(other.start_),
          fps_(other.fps_),
          heads_(other.heads_),
          bounds_(other.bounds_) {
        request_.velocity = true;
        for (std::size_t n = 0; n < heads_.size(); ++n)
            naming(numbers_.first + n, [&](const fs::path&) {
                if (const VolumeGridHead* grid = velocityGrid(heads_[n], true)) checkVelocityHead(*grid);
            });
    }
    VolumeFiles& operator=(const VolumeFiles&) = delete;

    [[nodiscard]] const fs::path& file() const { return request_.file; }

    std::shared_ptr<const VolumeData> at(double time) override {
        const std::lock_guard lock(mutex_);
        if (!isSequence_) return frame(numbers_.first);
        const double n = static_cast<double>(start_) + std::floor(time * static_cast<double>(fps_) + 1e-3);
        const std::size_t end = numbers_.first + numbers_.count;
        if (n < static_cast<double>(numbers_.first) || n >= static_cast<double>(end)) return nullptr;
        const auto number = static_cast<std::size_t>(n);
        auto data = frame(number);
        readAhead(number + 1, std::min(end, number + 1 + framesAhead(*data)));
        return data;
    }

    [[nodiscard]] VolumeBounds bounds() const override { return bounds_; }

    /// Of the file with the most voxels. A file that cannot be read is reported when its frame is needed.
    [[nodiscard]] VolumeRoom room() override {
        const std::lock_guard lock(mutex_);
        if (room_) return *room_;
        const auto largest = std::ranges::max_element(heads_, {}, [&](const VolumeHead& head) { return voxelsOf(head); });
        try {
            room_ = roomOf(*frame(numbers_.first + static_cast<std::size_t>(largest - heads_.begin())));
        } catch (const Failure&) {
            room_.emplace();
        }
        return *room_;
    }

private:
    struct Kept {
        std::size_t number;
        std::shared_ptr<const VolumeData> data;
    };

    /// Adds the name of the file to an error.
    template <class Work>
    void naming(std::size_t number, Work work) const {
        const fs::path file = pattern_.name(number);
        try {
            work(file);
        } catch (const std::runtime_error& e) {
            throw std::runtime_error(isSequence_ ? fmt::format("{}: {}", file.filename().string(), e.what()) : e.what());
        }
    }

    void check(const VolumeHead& head) {
        for (const auto& [name, wanted] :
             {std::pair("density", request_.density), {"temperature", request_.temperature}, {"fuel", request_.fuel}})
            if (const VolumeGridHead* grid = smokeGrid(head, name, wanted); grid && grid->activeVoxels > 0)
                bounds_.add(boundsOfPoints(grid->toWorld, grid->low, grid->high));
        if (const VolumeGridHead* grid = velocityGrid(head, request_.velocity)) checkVelocityHead(*grid);
    }
    [[nodiscard]] std::uint64_t voxelsOf(const VolumeHead& head) const {
        std::uint64_t sum = 0;
        for (const auto& [name, wanted] :
             {std::pair("density", request_.density), {"temperature", request_.temperature}, {"fuel", request_.fuel}})
            if (const VolumeGridHead* grid = smokeGrid(head, name, wanted)) sum += grid->activeVoxels;
        return sum;
    }
    [[nodiscard]] std::shared_ptr<const VolumeData> load(std::size_t number) const {
        auto data = std::make_shared<VolumeData>();
        naming(number, [&](const fs::path& file) {
            const VolumeHead& head = heads_[number - numbers_.first];
            for (const auto& [name, wanted, lattice] : {std::tuple("density", request_.density, &data->density),
                                                        {"temperature", request_.temperature, &data->temperature},
                                                        {"fuel", request_.fuel, &data->fuel}})
                if (const VolumeGridHead* grid = smokeGrid(head, name, wanted)) *lattice = readVolumeLattice(file, *grid);
            if (const VolumeGridHead* grid = velocityGrid(head, request_.velocity)) data->velocity = readVolumeVelocity(file, *grid);
        });
        for (VolumeLattice::Block& b : data->temperature.blocks)
            for (float& v : b.values)
                if (v != 0.0f) v -= request_.ambient;
        for (VolumeLattice* lattice : {&data->density, &data->fuel})
            for (VolumeLattice::Block& b : lattice->blocks)
                for (float& v : b.values) v = std::max(v, 0.0f);
        return data;
    }

    std::shared_ptr<const VolumeData> frame(std::size_t number) {
        const auto known = std::ranges::find(kept_, number, &Kept::number);
        if (known != kept_.end()) return known->data;
        std::shared_ptr<const VolumeData> data;
        try {
            const auto ahead = ahead_.find(number);
            data = ahead == ahead_.end() ? load(number) : ahead->second.get();
        } catch (const Failure&) {
            throw;
        } catch (const std::runtime_error& e) {  // heads were good: the file has changed, or its body is damaged
            throw Failure(Exit::Usage, fmt::format("{}: {}", request_.file.string(), e.what()));
        }
        ahead_.erase(ahead_.begin(), ahead_.upper_bound(number));
        kept_.push_front({number, data});
        if (kept_.size() > kFramesKept) kept_.pop_back();
        return data;
    }

    /// How many files to read ahead: decoding one takes a core longer than drawing it takes the device.
    static std::size_t framesAhead(const VolumeData& data) {
        const VolumeRoom room = roomOf(data);
        const std::uint64_t bytes = (1 + room.blocks) * sizeof(VolumeLattice::Block) + room.velocityBlocks * sizeof(VolumeVelocity::Block);
        const std::uint64_t cores = std::max(2u, std::thread::hardware_concurrency()) - 1;
        return std::clamp<std::uint64_t>(kMostAheadBytes / bytes, 1, std::min(cores, kMostAhead));
    }
    void readAhead(std::size_t first, std::size_t end) {
        for (std::size_t number = first; number < end; ++number) {
            if (ahead_.contains(number) || std::ranges::find(kept_, number, &Kept::number) != kept_.end()) continue;
            try {
                ahead_[number] = std::async(std::launch::async, [this, number] { return load(number); });
            } catch (const std::system_error&) {  // without a thread it is read when it is needed
                ahead_.erase(number);
                return;
            }
        }
    }

    VolumeRequest request_;
    FramePattern pattern_;
    FileNumbers numbers_;
    bool isSequence_ = false;
    std::size_t start_ = 0;  ///< number of the file at t = 0
    float fps_ = kUsualFps;
    std::vector<VolumeHead> heads_;
    VolumeBounds bounds_;
    std::mutex mutex_;  ///< of what is below: simulations on different devices and threads may share a volume
    std::optional<VolumeRoom> room_;
    std::deque<Kept> kept_;
    std::map<std::size_t, std::future<std::shared_ptr<const VolumeData>>>
        ahead_;  // last: its destructor waits for threads that use the above
};

}  // namespace

std::shared_ptr<VolumeFrames> openVolume(const VolumeRequest& request) { return std::make_shared<VolumeFiles>(request); }

std::shared_ptr<VolumeFrames> withVelocity(const VolumeFrames& frames) {
    const auto* const files = dynamic_cast<const VolumeFiles*>(&frames);
    if (!files) return nullptr;
    try {
        return std::make_shared<VolumeFiles>(*files);
    } catch (const Failure&) {
        throw;
    } catch (const std::runtime_error& e) {
        throw Failure(Exit::Usage, fmt::format("{}: {}", files->file().string(), e.what()));
    }
}

std::shared_ptr<VolumeFrames> sharedVolume(const VolumeRequest& request) {
    static FilesInUse<VolumeRequest, VolumeFrames> inUse;
    const FramePattern pattern = parseInputPattern(request.file);
    const FileNumbers numbers = numbersOfFiles(pattern);
    std::vector<std::filesystem::path> files;
    for (std::size_t n = 0; n < numbers.count; ++n) files.push_back(pattern.name(numbers.first + n));
    return inUse.get(request, files, [&] { return openVolume(request); });
}

}  // namespace wisp
