// SPDX-License-Identifier: MIT
// Volume files and numbered sequences of them.
#include "files/base/failure.h"
#include "files/base/frame_pattern.h"
#include "files/scene/files_in_use.h"
#include "files/scene/input_files.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
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

constexpr float kShare = 1000.0f;         // [K], of which Blender's temperatures are shares
constexpr float kColdest = 100.0f;        // [K]: no gas is colder, and no share is as large
constexpr std::size_t kMostForFire = 32;  // files that are read to find fire
constexpr float kShinesAbove = 1000.0f;   // [K]: gas without a flame that counts as fire; hotter than what Blender calls smoke

/// Fields of smoke that are wanted, and where they go.
struct WantedField {
    VolumeRole role;
    bool wanted;
    VolumeLattice VolumeData::*lattice;
};
std::array<WantedField, 3> wantedOf(const VolumeRequest& r) {
    return {{{VolumeRole::Density, r.density, &VolumeData::density},
             {VolumeRole::Temperature, r.temperature, &VolumeData::temperature},
             {r.isShown ? VolumeRole::Flame : VolumeRole::Fuel, r.fuel, &VolumeData::fuel}}};
}

float largestOf(const VolumeLattice& lattice) {
    float most = 0.0f;
    for (const VolumeLattice::Block& b : lattice.blocks) most = std::max(most, *std::ranges::max_element(b.values));
    return most;
}

class VolumeFiles : public VolumeFrames {
public:
    explicit VolumeFiles(const VolumeRequest& request)
        : request_(request), pattern_(parseInputPattern(request.file)), numbers_(numbersOfFiles(pattern_)) {
        for (std::size_t n = 0; n < numbers_.count; ++n)
            naming(numbers_.first + n, [&](const fs::path& file) { heads_.push_back(readVolumeHead(file)); });
        for (const VolumeRole role : {VolumeRole::Density, VolumeRole::Temperature, VolumeRole::Fuel, VolumeRole::Flame})
            names_[role] = namesIn(heads_, role);
        prepare();
    }
    /// The same files with other fields: their heads are not read again.
    VolumeFiles(const VolumeFiles& other, const VolumeRequest& request)
        : request_(request), pattern_(other.pattern_), numbers_(other.numbers_), heads_(other.heads_), names_(other.names_) {
        prepare();
    }

    [[nodiscard]] const VolumeRequest& request() const { return request_; }
    [[nodiscard]] TemperatureUnit unit() const { return unit_; }

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
    [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
    [[nodiscard]] bool hasVelocity() const override {
        return std::ranges::any_of(heads_, [](const VolumeHead& head) { return !velocityGrids(head).empty(); });
    }
    [[nodiscard]] bool hasGrid(VolumeRole role) const {
        return std::ranges::any_of(heads_, [&](const VolumeHead& head) { return gridOf(head, role) != nullptr; });
    }
    /// Shortest edge of a voxel of the density [m].
    [[nodiscard]] double edge() const {
        for (const VolumeHead& head : heads_)
            if (const VolumeGridHead* density = gridOf(head, VolumeRole::Density))
                return std::min({glm::length(glm::dvec3(density->toWorld[0])), glm::length(glm::dvec3(density->toWorld[1])),
                                 glm::length(glm::dvec3(density->toWorld[2]))});
        return 0.0;
    }
    /// Whether there is flame, or gas that shines, in at most kMostForFire files: those that may have it, evenly spread. A share of 1000 K
    /// is what Blender writes for smoke: there, flames decide.
    [[nodiscard]] bool burns() const {
        const bool byHeat = unit_ == TemperatureUnit::Kelvin || !hasGrid(VolumeRole::Flame);
        const float shines = kShinesAbove / (unit_ == TemperatureUnit::Share ? kShare : 1.0f);
        std::vector<std::size_t> files;
        for (std::size_t n = 0; n < heads_.size(); ++n)
            if (hasValues(n, VolumeRole::Flame) || (byHeat && hasValues(n, VolumeRole::Temperature))) files.push_back(n);
        const std::size_t count = std::min(files.size(), kMostForFire);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t place = (count / 2 + k) % count;  // fire is likeliest in the middle
            const std::size_t n = files[place * (files.size() - 1) / std::max<std::size_t>(count - 1, 1)];
            if (largestIn(n, VolumeRole::Flame) > 0.0f || (byHeat && largestIn(n, VolumeRole::Temperature) > shines)) return true;
        }
        return false;
    }

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

    [[nodiscard]] const VolumeGridHead* gridOf(const VolumeHead& head, VolumeRole role) const { return smokeGrid(head, names_.at(role)); }

    /// Checks what the request needs of the heads.
    void prepare() {
        for (std::size_t n = 0; n < heads_.size(); ++n) naming(numbers_.first + n, [&](const fs::path&) { check(heads_[n]); });
        checkGrids();
        fps_ = request_.fps.value_or(heads_.front().fps.value_or(kUsualFps));
        if (!(fps_ > 0.0f && fps_ <= 1e4f)) throw std::runtime_error(fmt::format("says {} frames per second; set fps", fps_));
        if (request_.temperature) findUnit();
    }
    void check(const VolumeHead& head) {
        for (const WantedField& field : wantedOf(request_)) {
            const VolumeGridHead* grid = field.wanted ? gridOf(head, field.role) : nullptr;
            if (!grid) continue;
            checkVolumePlace(*grid);
            if (grid->activeVoxels > 0) bounds_.add(boundsOfPoints(grid->toWorld, grid->low, grid->high));
        }
        if (!request_.velocity) return;
        for (const VolumeGridHead* grid : velocityGrids(head)) checkVelocityHead(*grid);
    }
    /// Programs leave out grids that are empty: a file lacks a grid only if all files of the sequence do.
    void checkGrids() {
        const std::string first = pattern_.name(numbers_.first).filename().string();
        for (const WantedField& field : wantedOf(request_)) {
            if (!field.wanted) continue;
            const std::string& name = volumeNames(field.role).front();
            if (!hasGrid(field.role)) {
                if (field.lattice != &VolumeData::fuel || !request_.temperature)
                    naming(numbers_.first, [&](const fs::path&) {
                        throw std::runtime_error(fmt::format("has no grid {}, but {}", name, namesOf(heads_.front())));
                    });
                notes_.push_back(fmt::format("{} has no fuel and no flame ({}): only hot smoke gives light", first,
                                             fmt::join(volumeNames(VolumeRole::Fuel), ", ")));
            }
            noteNamesakes(field.role);
        }
    }
    /// Says which of several grids with one name is read, for the first file that has such.
    void noteNamesakes(VolumeRole role) {
        for (std::size_t n = 0; n < heads_.size(); ++n) {
            const VolumeGridHead* grid = gridOf(heads_[n], role);
            const std::vector<const VolumeGridHead*> all = grid ? namesakes(heads_[n], *grid) : std::vector<const VolumeGridHead*>();
            if (all.size() < 2) continue;
            notes_.push_back(
                fmt::format("{} has {} grids with the name {}: only number {} is read, the first one that fits and is not empty",
                            pattern_.name(numbers_.first + n).filename().string(), all.size(), grid->name,
                            std::ranges::find(all, grid) - all.begin() + 1));
            return;
        }
    }
    [[nodiscard]] bool hasValues(std::size_t file, VolumeRole role) const {
        const VolumeGridHead* grid = gridOf(heads_[file], role);
        return grid && grid->activeVoxels > 0;
    }
    /// The largest value in this file, 0 if there is none above it. Reads only this grid.
    [[nodiscard]] float largestIn(std::size_t file, VolumeRole role) const {
        float most = 0.0f;
        naming(numbers_.first + file, [&](const fs::path& name) {
            if (hasValues(file, role)) most = largestOf(readVolumeLattice(name, *gridOf(heads_[file], role)));
        });
        return most;
    }
    /// The first temperature above 0 tells.
    void findUnit() {
        unit_ = request_.unit == TemperatureUnit::Share ? TemperatureUnit::Share : TemperatureUnit::Kelvin;
        if (request_.unit != TemperatureUnit::Guess) return;
        for (std::size_t n = 0; n < heads_.size(); ++n) {
            const float most = largestIn(n, VolumeRole::Temperature);
            if (most <= 0.0f) continue;
            if (most > kColdest) return;
            unit_ = TemperatureUnit::Share;
            notes_.push_back(fmt::format(
                "{} has no temperature above {:.4g}: temperatures are taken as shares of {} K. Say temperature_unit = \"share\" "
                "(--from-temperature share), or \"kelvin\" if they are kelvin",
                pattern_.name(numbers_.first + n).filename().string(), most, kShare));
            return;
        }
    }
    [[nodiscard]] std::uint64_t voxelsOf(const VolumeHead& head) const {
        std::uint64_t sum = 0;
        for (const WantedField& field : wantedOf(request_))
            if (const VolumeGridHead* grid = field.wanted ? gridOf(head, field.role) : nullptr) sum += grid->activeVoxels;
        return sum;
    }

    [[nodiscard]] std::shared_ptr<const VolumeData> load(std::size_t number) const {
        auto data = std::make_shared<VolumeData>();
        naming(number, [&](const fs::path& file) {
            const VolumeHead& head = heads_[number - numbers_.first];
            for (const WantedField& field : wantedOf(request_))
                if (const VolumeGridHead* grid = field.wanted ? gridOf(head, field.role) : nullptr)
                    (*data).*field.lattice = readVolumeLattice(file, *grid);
            if (!request_.velocity) return;
            if (const VelocityHeads grids = velocityGrids(head); !grids.empty()) data->velocity = readVolumeVelocity(file, grids);
        });
        // A share of 0 is the temperature of the air.
        for (VolumeLattice::Block& b : data->temperature.blocks)
            for (float& v : b.values)
                if (v != 0.0f) v = unit_ == TemperatureUnit::Share ? std::max(kShare * v - request_.ambient, 0.0f) : v - request_.ambient;
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
    bool isSequence_ = pattern_.digits > 0;
    std::size_t start_ = request_.first.value_or(numbers_.first);  ///< number of the file at t = 0
    float fps_ = kUsualFps;
    std::vector<VolumeHead> heads_;
    std::map<VolumeRole, std::vector<std::string>> names_;  ///< of the grids of smoke
    VolumeBounds bounds_;
    TemperatureUnit unit_ = TemperatureUnit::Kelvin;
    std::vector<std::string> notes_;
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
    VolumeRequest request = files->request();
    request.velocity = true;
    try {
        return std::make_shared<VolumeFiles>(*files, request);
    } catch (const Failure&) {
        throw;
    } catch (const std::runtime_error& e) {
        throw Failure(Exit::Usage, fmt::format("{}: {}", request.file.string(), e.what()));
    }
}

VolumeSummary summaryOf(VolumeRequest request) {
    request.isShown = true;
    const VolumeFiles files(request);
    VolumeSummary summary{.temperature = files.hasGrid(VolumeRole::Temperature), .edge = files.edge(), .bounds = files.bounds()};
    if (!summary.temperature) return summary;
    request.temperature = true;
    request.fuel = files.hasGrid(VolumeRole::Flame);
    const VolumeFiles fire(files, request);
    summary.burns = fire.burns();
    request.fuel = request.fuel && summary.burns;
    request.unit = fire.unit();
    summary.bounds = VolumeFiles(fire, request).bounds();
    return summary;
}

std::shared_ptr<VolumeFrames> sharedVolume(const VolumeRequest& request) {
    static FilesInUse<VolumeRequest, VolumeFrames> inUse;
    return inUse.get(request, inputFiles(request.file), [&] { return openVolume(request); });
}

}  // namespace wisp
