// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace wisp {

/// What files looked like when they were read: time of change and size of each.
using FileStamps = std::vector<std::pair<std::filesystem::file_time_type, std::uintmax_t>>;
/// Empty if one of them cannot be read.
FileStamps stampsOf(const std::vector<std::filesystem::path>& files);

/// What was read from files and is still in use somewhere, so that a scene whose keys change does not read its files again. A file that has
/// changed is read again. For several threads.
template <class Key, class Value>
class FilesInUse {
public:
    /// The value of `key`, which `read` makes from `files`. Without files it is always read.
    template <class Read>
    std::shared_ptr<Value> get(const Key& key, const std::vector<std::filesystem::path>& files, Read read) {
        const FileStamps stamps = stampsOf(files);
        {
            const std::lock_guard lock(mutex_);
            std::erase_if(entries_, [](const Entry& e) { return e.value.expired(); });
            for (const Entry& e : entries_)
                if (e.key == key && e.stamps == stamps)
                    if (std::shared_ptr<Value> value = e.value.lock()) return value;
        }
        std::shared_ptr<Value> value = read();  // without the lock: it may take seconds
        if (stamps.empty() || stampsOf(files) != stamps) return value;
        const std::lock_guard lock(mutex_);
        entries_.push_back({key, stamps, value});
        return value;
    }

private:
    struct Entry {
        Key key;
        FileStamps stamps;
        std::weak_ptr<Value> value;
    };
    std::mutex mutex_;
    std::vector<Entry> entries_;
};

}  // namespace wisp
