// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/frame_writer.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace wisp {

/// Encodes frames on separate threads. The thread that submits GPU work waits only if the queue is full. The queue is short because
/// frames are large.
class FrameQueue {
public:
    /// Called after each frame by the thread that wrote it. `thread` counts from 0. `begin` and `end` are times [ns, see steadyNow].
    using Encoded = std::function<void(std::size_t thread, std::size_t frame, std::int64_t begin, std::int64_t end)>;
    explicit FrameQueue(std::unique_ptr<FrameWriter> writer, Encoded encoded = nullptr);
    ~FrameQueue();  ///< drops frames that are not written yet
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;

    /// Adds the next frame. Rethrows an exception of the writer.
    void push(std::vector<std::byte> frame) { push(next_, std::move(frame)); }
    /// Adds a frame with this number.
    void push(std::size_t number, std::vector<std::byte> frame);
    /// Memory of a frame that is written, for the next one: fresh memory of a large frame takes longer than its copy. May be empty.
    [[nodiscard]] std::vector<std::byte> spare();
    /// Waits until every frame is written and completes the files. Rethrows an exception of the writer.
    void finish();
    /// Waits until every pushed frame is passed to the writer, without completing the files. Rethrows an exception of the writer.
    void flush();
    [[nodiscard]] std::size_t pushed() const { return pushed_; }

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
    std::size_t next_ = 0;  ///< number of the next frame
    std::size_t pushed_ = 0;
    std::size_t busy_ = 0;     ///< number of threads that are writing a frame
    std::uint64_t bytes_ = 0;  ///< of frames that wait or are being written
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Frame> waiting_;
    std::vector<std::vector<std::byte>> spare_;
    bool closed_ = false;
    std::exception_ptr error_;
    std::vector<std::thread> threads_;
};

}  // namespace wisp
