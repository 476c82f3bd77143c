// SPDX-License-Identifier: MIT
#pragma once

#include "engine/binding.h"
#include "engine/device.h"
#include "engine/frame_timer.h"
#include "engine/gpu_clock.h"
#include "engine/members.h"
#include "engine/swapchain.h"
#include "engine/threads.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace wisp::engine {

class ShaderLibrary;
struct RecorderFrame;

/// The push constants of a dispatch and the description of their members.
struct PushConstants {
    std::span<const std::byte> bytes;
    const StructMembers* members = nullptr;  ///< null: no push constants

    template <class Push>
    static PushConstants of(const Push& push) {
        static_assert(std::is_trivially_copyable_v<Push>);
        return {std::as_bytes(std::span(&push, 1)), &describe<Push>()};
    }
};

struct RecorderOptions {
    Timing timing = Timing::Passes;
    VkDeviceSize readbackBytes = 4096;     ///< host memory for `read` in each frame in flight, allocated once
    bool statistics = false;               ///< also count the invocations of passes, if the device supports it
    bool trace = false;                    ///< call `onTrace`
    const Buffer* workCounters = nullptr;  ///< counter buffer for the shaders of a WorkCounter
    int dropBarrier = -1;                  ///< tests only: omits the barrier with this number, to prove that it is needed
};

/// A frame in a command buffer that a host records, and submits to the queue of its device in the order of recording.
struct HostFrame {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    SemaphorePoint done;  ///< signalled once the GPU has executed these commands; frames with the same one are a batch
};

/// Records frames of compute passes, two in flight; of a host, two batches of frames.
///
/// A pass is one `dispatch`. The pipeline is looked up by name, and resources are matched by their GLSL names. Barriers follow from
/// `readonly` and `writeonly`, the number of work groups from the shader's local size. The recorder derives all barriers; they are global
/// memory barriers. Results arrive two frames later, so `begin` waits only for the frame before the previous one.
class Recorder {
public:
    static constexpr std::uint32_t kFramesInFlight = 2;

    Recorder(Device& device, ShaderLibrary& shaders, RecorderOptions options = {});
    /// Does not wait: frames in flight stay until the GPU has finished them. Drops what they would deliver, because receivers may be gone.
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Starts a frame in the slot of two frames ago: waits for that frame only, and delivers its read-back data.
    void begin();
    /// Starts a frame of a host: waits for the batch before the last. What was recorded before in its command buffer is done and visible.
    /// @throws Error HostTimeout if the host has not submitted that batch.
    void begin(const HostFrame& host);
    /// The current frame for another device object of the same queue, which records into it as into that of a host: with barriers around
    /// its commands, because this recorder does not know what they access. Nothing else may be submitted before this frame.
    [[nodiscard]] HostFrame lend();
    /// Ends and submits the frame, or leaves a frame of a host to it; returns its serial. What a host records after sees the results.
    /// The semaphores are those of Device::submit; a frame of a host has none.
    std::uint64_t submit(const SemaphorePoint& wait = {}, const SemaphorePoint& signal = {});
    /// Waits for all frames and delivers their read-back data.
    void finish();

    /// Records one pass over `threads` invocations in x, y, z, or over listed units of invocations. Nothing is recorded if any count is 0.
    /// `push`: one scalar or vector, or a struct with WISP_MEMBERS. Names, types and offsets must match the shader's block.
    /// @throws Error Shader if a binding is missing, unknown, or of the wrong kind, or a member of the push constants does not match.
    template <class Push>
    void dispatch(std::string_view pass, const Threads& threads, std::initializer_list<Binding> bindings, const Push& push) {
        dispatch(pass, threads, std::span(bindings.begin(), bindings.size()), PushConstants::of(push));
    }
    void dispatch(std::string_view pass, const Threads& threads, std::initializer_list<Binding> bindings) {
        dispatch(pass, threads, std::span(bindings.begin(), bindings.size()), PushConstants{});
    }
    void dispatch(std::string_view pass, const Threads& threads, std::span<const Binding> bindings, const PushConstants& push);

    /// Uses these RecorderOptions from the next frame on. Waits for all frames.
    void setTiming(Timing timing, bool trace);

    /// Bindings for every following dispatch whose shader declares them, such as the uniforms of the step.
    void setCommon(std::vector<Binding> bindings);

    void clear(const Image& image, float value);           ///< every channel
    void clear(const Buffer& buffer, std::uint32_t word);  ///< every 32-bit word
    /// Writes up to 65536 bytes (a multiple of 4) in recording order: following commands see them.
    void update(const Buffer& buffer, std::span<const std::byte> bytes);
    /// Copies `bytes` into the image (tightly packed texels) or to the start of the buffer, through a staging buffer of the frame, which
    /// grows when needed.
    void upload(const Image& image, std::span<const std::byte> bytes);
    void upload(const Buffer& buffer, std::span<const std::byte> bytes);
    /// Writes `bytes` from byte `offset` on. For an image both must be multiples of a row (along x).
    void upload(const Image& image, std::uint64_t offset, std::span<const std::byte> bytes);
    void upload(const Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes);
    /// Copies from the start, as many bytes as the smaller buffer has.
    void copy(const Buffer& from, const Buffer& to);
    /// Copies the texels that both images have.
    void copy(const Image& from, const Image& to);

    /// Copies the pixels in `words` to the image that `swapchain` acquired in this frame, at most once a frame. `words`: one 32-bit word
    /// per pixel, rows of the swapchain's width from top to bottom, channels in the swapchain's order.
    void present(const Buffer& words, Swapchain& swapchain);

    using ReadCallback = std::function<void(std::span<const std::byte>)>;
    /// Copies the resource to host memory. After the frame has run, a later `begin` or `finish` calls `deliver` with the bytes.
    /// A buffer in host memory (Location::Readback), which passes have written, is not copied: `deliver` gets its own bytes. They are valid
    /// until a later frame writes it.
    /// @throws std::invalid_argument if readbackBytes is too small.
    void read(const Buffer& buffer, ReadCallback deliver) { read(buffer, 0, buffer.bytes(), std::move(deliver)); }
    void read(const Image& image, ReadCallback deliver) { read(image, 0, image.bytes(), std::move(deliver)); }
    /// Reads `bytes` from byte `offset` on. For an image both must be multiples of a row (along x).
    void read(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, ReadCallback deliver);
    void read(const Image& image, std::uint64_t offset, std::uint64_t bytes, ReadCallback deliver);

    /// Times and labels everything recorded until its destruction.
    class Scope {
    public:
        Scope(Recorder& recorder, std::string_view name);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Recorder& recorder_;
        std::size_t index_;
    };

    /// Times of the newest completed frame; empty before the third `begin`.
    [[nodiscard]] const std::vector<PassTime>& times() const { return times_; }
    /// Called for every completed frame, in order.
    std::function<void(const std::vector<PassTime>&)> onTimes;
    /// Called for every completed frame, in order, if RecorderOptions::trace is set.
    std::function<void(const FrameTrace&)> onTrace;
    /// CPU times of the frame that was submitted last.
    [[nodiscard]] const FrameCpu& cpu() const { return cpu_; }
    /// Converts GPU times to host times; null without RecorderOptions::trace.
    [[nodiscard]] const GpuClock* clock() const { return clock_.get(); }

    [[nodiscard]] std::uint32_t barriers() const { return barriers_; }  ///< recorded since `begin`
    [[nodiscard]] Device& device() { return device_; }

private:
    RecorderFrame& frame() { return *current_; }
    void start(const HostFrame* host);
    RecorderFrame& freeFrame();
    std::uint64_t end(RecorderFrame& frame, SemaphorePoint wait, SemaphorePoint signal);
    VkCommandBuffer record(std::string_view name, const Work& work);
    template <class Resource>
    void prepare(const Resource& resource);
    void toGeneral(const Image& image);
    void synchronize(bool hazard, bool ofCommands = false);
    void barrier(bool ofCommands);
    template <class Resource>
    VkCommandBuffer transfer(std::string_view name, const Resource& resource, bool writes, std::uint64_t bytes);
    VkDeviceSize stage(std::span<const std::byte> bytes);
    template <class Copy>
    void readBytes(std::size_t bytes, ReadCallback deliver, Copy copy);
    void deliver(RecorderFrame& frame);
    void take(RecorderFrame& frame);  ///< waits for the frame and delivers its read-back data

    Device& device_;
    ShaderLibrary& shaders_;
    RecorderOptions options_;
    std::vector<Binding> common_;
    std::vector<std::unique_ptr<RecorderFrame>> frames_;  ///< more than two only if a host records several frames a batch
    std::vector<RecorderFrame*> flying_;                  ///< submitted, the oldest first
    RecorderFrame* current_;                              ///< that is, or was last, recorded
    std::unique_ptr<GpuClock> clock_;
    FrameCpu cpu_;
    std::uint64_t batch_ = 0;   ///< of the current frame
    SemaphorePoint batchDone_;  ///< of a host
    std::uint32_t barriers_ = 0;
    Swapchain* target_ = nullptr;  ///< swapchain to which this frame presents
    std::vector<PassTime> times_;
};

}  // namespace wisp::engine
