// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wisp::app {

/// How long ago the oldest event happened that a picture shows, once that picture is there. A window tells of its events only when it
/// is asked, and they may have waited since it was asked the time before: ages count from there, so they are upper bounds.
class InputAge {
public:
    /// The window was asked at `now` [s]; `any`: something had happened.
    void polled(double now, bool any);
    /// What was polled until now is in the picture that the GPU has made when it has reached `serial`.
    void submitted(std::uint64_t serial);
    /// The ages [s] at `now` of pictures that are there since the last call.
    std::vector<double> presented(std::uint64_t completed, double now);

private:
    struct Waiting {
        std::uint64_t serial;
        double since;
    };
    double lastPoll_ = 0.0;
    bool polled_ = false;
    std::optional<double> oldest_;
    std::deque<Waiting> waiting_;
};

}  // namespace wisp::app
