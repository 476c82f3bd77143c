// SPDX-License-Identifier: MIT
#include "files/base/frame_queue.h"

#include "files/base/clock.h"
#include "files/base/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace wisp {

FrameQueue::FrameQueue(std::unique_ptr<FrameWriter> writer, Encoded encoded) : writer_(std::move(writer)), encoded_(std::move(encoded)) {
    const unsigned encoderCores = std::max(2u, std::thread::hardware_concurrency()) -
                                  1;  // one core is left for the thread that submits GPU work
    const std::size_t count = std::min<std::size_t>(encoderCores, writer_->threads());
    capacity_ = count + 2;
    threads_.reserve(count);
    try {
        while (threads_.size() < count) threads_.emplace_back([this, i = threads_.size()] { work(i); });
    } catch (const std::system_error& e) {  // continue with the threads that have started
        if (threads_.empty())
            throw Failure(Exit::OutOfMemory, fmt::format("no thread could be started to encode frames: {}", e.code().message()));
    }
}

FrameQueue::~FrameQueue() { stop(true); }

void FrameQueue::push(std::size_t number, std::vector<std::byte> frame) {
    std::unique_lock lock(mutex_);
    const std::uint64_t most = writer_->mostBytes();
    const auto hasRoom = [&] { return waiting_.size() < capacity_ && (bytes_ == 0 || bytes_ + frame.size() <= most); };
    changed_.wait(lock, [&] { return hasRoom() || error_; });
    if (error_) std::rethrow_exception(error_);
    bytes_ += frame.size();
    waiting_.push_back({number, std::move(frame)});
    next_ = number + 1;
    ++pushed_;
    changed_.notify_all();
}

std::vector<std::byte> FrameQueue::spare() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    std::vector<std::byte> bytes = std::move(spare_.back());
    spare_.pop_back();
    bytes.clear();
    return bytes;
}

void FrameQueue::flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.empty() && busy_ == 0; });
    if (error_) std::rethrow_exception(error_);
}

void FrameQueue::finish() {
    stop(false);
    if (error_) std::rethrow_exception(error_);
    writer_->finish();
}

void FrameQueue::stop(bool drop) {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        if (drop) waiting_.clear();
        changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void FrameQueue::work(std::size_t thread) {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
        if (waiting_.empty()) return;
        Frame frame = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        if (error_) {  // the first error ends the run; remaining frames are dropped
            bytes_ -= frame.bytes.size();
            continue;
        }
        ++busy_;
        lock.unlock();
        std::exception_ptr error;
        try {
            const std::int64_t begin = steadyNow();
            writer_->write(frame.index, frame.bytes);
            if (encoded_) encoded_(thread, frame.index, begin, steadyNow());
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        --busy_;
        bytes_ -= frame.bytes.size();
        if (spare_.size() < capacity_) spare_.push_back(std::move(frame.bytes));
        if (error && !error_) error_ = error;
        changed_.notify_all();
    }
}

}  // namespace wisp
