// SPDX-License-Identifier: MIT
// Pictures of a renderer in host memory, and path-traced ones by and by.
#include "api/guarded.h"
#include "api/renderer_impl.h"
#include "shaders/shared/field_view.h"

#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <cstring>

namespace wisp {

void Renderer::Impl::requirePicture() const {
    if (!drawn)
        throw Error(ErrorCode::Outdated, "there is no picture: draw one after the renderer was made, and after a change of the scene");
}

/// Begins a frame of the reader. Its commands run after those that drew the picture.
void Renderer::Impl::beginRead() {
    if (!reader) {
        const std::uint64_t bytes = picture->radiance().bytes() + picture->plane().bytes() + sizeof(gpu::ViewLimits) + 64;
        reader.emplace(simulation->device->device, simulation->device->shaders,
                       engine::RecorderOptions{.timing = engine::Timing::Off, .readbackBytes = bytes});
    }
    reader->begin();
}

std::vector<std::byte> Renderer::Impl::bytesOf(const engine::Image* image, const engine::Buffer* buffer) {
    requirePicture();
    simulation->finish();
    std::vector<std::byte> bytes;
    const auto take = [&](std::span<const std::byte> read) { bytes.assign(read.begin(), read.end()); };
    beginRead();
    if (image) reader->read(*image, take);
    else reader->read(*buffer, take);
    reader->submit();
    reader->finish();
    return bytes;
}

void Renderer::Impl::fetch(PictureContent content, std::function<void(const FetchedPicture&)> done) {
    requirePicture();
    struct Parts {
        FetchedPicture about;
        std::vector<std::byte> bytes;
        std::function<void(const FetchedPicture&)> done;
    };
    const auto parts = std::make_shared<Parts>();
    parts->done = std::move(done);
    parts->about = {.width = options.width,
                    .height = options.height,
                    .content = content,
                    .step = simulation->simulator.stepCount(),
                    .time = simulation->simulator.time()};
    const auto give = [parts](std::span<const std::byte> bytes) {
        parts->about.data = bytes.data();
        parts->about.bytes = bytes.size();
        parts->done(parts->about);
    };
    beginRead();
    if (picture->limits())
        reader->read(*picture->limits(), [parts](std::span<const std::byte> bytes) {
            gpu::ViewLimits limits{};
            std::memcpy(&limits, bytes.data(), sizeof limits);
            parts->about.range = {limits.low, limits.high, limits.largest, limits.speed};
        });
    switch (content) {
        case PictureContent::Display: reader->read(picture->display(), give); break;
        case PictureContent::Radiance: reader->read(picture->radiance(), give); break;
        case PictureContent::Deep:
            reader->read(picture->radiance(),
                         [parts](std::span<const std::byte> bytes) { parts->bytes.assign(bytes.begin(), bytes.end()); });
            reader->read(picture->plane(), [parts, give](std::span<const std::byte> bytes) {
                parts->bytes.insert(parts->bytes.end(), bytes.begin(), bytes.end());
                give(parts->bytes);
            });
            break;
    }
    reader->submit();
}

PathProgress Renderer::Impl::refine(std::uint32_t samples) {
    simulation->device->device.waitForHost();
    follow();
    setFrame();
    VolumeRenderer* const smoke = picture->smoke();
    if (!smoke || !smoke->path()) throw Error(ErrorCode::Unsupported, "refine is for path-traced pictures: set render.mode to path");
    const std::uint64_t step = simulation->simulator.stepCount();
    if (!drawn || refined != step) smoke->restart(step);
    refined = step;
    PathProgress progress;
    simulation->frame([&] {
        simulation->simulator.catchUp(simulation->recorder);
        const engine::Recorder::Scope scope(simulation->recorder, "frame");
        smoke->draw(simulation->recorder, simulation->simulator.fields(), samples);
        smoke->path()->measure(simulation->recorder, [&](const PathReport& r) { progress = {r.samples, r.noise, r.cut}; });
    });
    drawn = true;
    simulation->finish();
    return progress;
}

PathProgress Renderer::refine(std::uint32_t samples) {
    return guarded([&] {
        const Call call(*impl_->simulation);
        if (samples == 0) throw Error(ErrorCode::Argument, "refine: samples is 0; must be above 0");
        return impl_->refine(samples);
    });
}

void Renderer::fetch(PictureContent content, std::function<void(const FetchedPicture&)> done) {
    guarded([&] {
        const Call call(*impl_->simulation);
        if (!done) throw Error(ErrorCode::Argument, "fetch: needs a function");
        if (content != PictureContent::Display && content != PictureContent::Radiance && content != PictureContent::Deep)
            throw Error(ErrorCode::Argument, fmt::format("fetch: there is no content {}", static_cast<int>(content)));
        impl_->fetch(content, std::move(done));
    });
}

void Renderer::flush() {
    guarded([&] {
        const Call call(*impl_->simulation);
        if (impl_->reader) impl_->reader->finish();
    });
}

PictureData Renderer::read() {
    return guarded([&] {
        const Call call(*impl_->simulation);
        const std::vector<std::byte> bytes = impl_->bytesOf(nullptr, &impl_->picture->display());
        PictureData data{impl_->options.width, impl_->options.height, std::vector<std::uint8_t>(bytes.size())};
        std::memcpy(data.rgba.data(), bytes.data(), bytes.size());
        return data;
    });
}

std::vector<float> Renderer::readRadiance() {
    return guarded([&] {
        const Call call(*impl_->simulation);
        const std::vector<std::byte> bytes = impl_->bytesOf(&impl_->picture->radiance(), nullptr);
        std::vector<std::uint16_t> halves(bytes.size() / sizeof(std::uint16_t));
        std::memcpy(halves.data(), bytes.data(), bytes.size());
        std::vector<float> floats(halves.size());
        std::ranges::transform(halves, floats.begin(), [](std::uint16_t half) { return glm::unpackHalf1x16(half); });
        return floats;
    });
}

}  // namespace wisp
