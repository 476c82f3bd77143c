// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/frame_writer.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wisp::app {

/// Encodes frames on threads of its own, so that the GPU's thread never waits for a codec, unless it is far ahead: the
/// queue is short, because frames are large.
class FrameQueue {
public:
    /// `encoded`, if given, is told by the thread (from 0) that wrote a frame, when that began and ended [ns, see engine::hostNow].
    using Encoded = std::function<void(std::size_t thread, std::size_t frame, std::int64_t begin, std::int64_t end)>;
    /// The first frame to come has number `first`.
    explicit FrameQueue(std::unique_ptr<FrameWriter> writer, Encoded encoded = nullptr, std::size_t first = 0);
    ~FrameQueue();  ///< drops what was not written yet
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

    /// Takes the next frame. @throws what a writer threw.
    void push(std::vector<std::byte> frame);
    /// Waits until every frame is written and completes the files. @throws what a writer threw.
    void finish();
    /// Waits until every frame is written, as far as that goes before the last. @throws what a writer threw.
    void flush();
    [[nodiscard]] std::size_t pushed() const { return next_ - first_; }

private:
    struct Frame {
        std::size_t index;
        std::vector<std::byte> bytes;
    };
    void work(std::size_t thread);
    void stop(bool drop);

    std::unique_ptr<FrameWriter> writer_;
    Encoded encoded_;
    std::size_t capacity_ = 0;
    std::size_t first_, next_;
    std::size_t busy_ = 0;  ///< threads with a frame
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Frame> waiting_;
    bool closed_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> threads_;
};

}  // namespace wisp::app
