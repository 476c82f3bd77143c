// SPDX-License-Identifier: MIT
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace wisp {

/// XXH3 of data that arrives in parts.
class RunningHash {
public:
    RunningHash() : state_(XXH3_createState()) { XXH3_64bits_reset(state_.get()); }
    void add(std::span<const std::byte> bytes) { XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }
    [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> state_;
};

}  // namespace wisp
