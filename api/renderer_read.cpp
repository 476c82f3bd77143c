// SPDX-License-Identifier: MIT
// Pictures of a renderer in host memory, and path-traced ones by and by.
#include "api/guarded.h"
#include "api/renderer_impl.h"
#include "shaders/shared/field_view.h"
#include "shaders/shared/path.h"

#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <cstring>

namespace wisp {

void Renderer::Impl::requirePicture() const {
    if (!drawn)
        throw Error(ErrorCode::Outdated, "there is no picture: draw one after the renderer was made, and after a change of the scene");
}

/// The recorder that reads the picture. Its commands run after those that drew the picture.
engine::Recorder& Renderer::Impl::readerOf(PictureContent content) {
    const std::uint64_t bytes = pictureReadback(content, {options.width, options.height});
    if (!reader || readerBytes < bytes) {
        if (reader) reader->finish();  // delivers what is fetched
        reader.reset();
        reader.emplace(simulation->device->device, simulation->device->shaders,
                       engine::RecorderOptions{.timing = engine::Timing::Off, .readbackBytes = bytes});
        readerBytes = bytes;
    }
    return *reader;
}

std::vector<std::byte> Renderer::Impl::bytesOf(PictureContent content) {
    requirePicture();
    simulation->finish();
    std::vector<std::byte> bytes;
    const auto take = [&](std::span<const std::byte> read) { bytes.assign(read.begin(), read.end()); };
    engine::Recorder& from = readerOf(content);
    submitFrame(from, [&] {
        if (content == PictureContent::Display) from.read(picture->display(), take);
        else from.read(picture->radiance(), take);
    });
    from.finish();
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
    engine::Recorder& from = readerOf(content);
    submitFrame(from, [&] {
        if (VolumeRenderer* const smoke = picture->smoke(); smoke && smoke->path())
            smoke->path()->measure(from, [parts](const PathReport& r) { parts->about.path = {r.samples, r.noise, r.cut, r.segments}; });
        if (picture->limits())
            from.read(*picture->limits(), [parts](std::span<const std::byte> bytes) {
                gpu::ViewLimits limits{};
                std::memcpy(&limits, bytes.data(), sizeof limits);
                parts->about.range = {limits.low, limits.high, limits.speed, limits.largest};
            });
        switch (content) {
            case PictureContent::Display: from.read(picture->display(), give); break;
            case PictureContent::Radiance: from.read(picture->radiance(), give); break;
            case PictureContent::Deep:
                from.read(picture->radiance(),
                          [parts](std::span<const std::byte> bytes) { parts->bytes.assign(bytes.begin(), bytes.end()); });
                from.read(picture->plane(), [parts, give](std::span<const std::byte> bytes) {
                    parts->bytes.insert(parts->bytes.end(), bytes.begin(), bytes.end());
                    give(parts->bytes);
                });
                break;
        }
    });
}

namespace {

static_assert(PathProgress::mostSteps == WISP_PATH_STEPS);

constexpr std::uint32_t kFewest = 16;  // a noise estimate from fewer samples may be far too small

/// About a million paths per submit, so that small pictures keep the GPU busy and large ones can be stopped.
std::uint32_t samplesPerSubmit(const RendererOptions& o) { return std::clamp((1u << 20) / (o.width * o.height), 1u, kFewest); }

}  // namespace

bool Renderer::Impl::drawPaths(const std::function<bool(std::uint32_t)>& goOn) {
    VolumeRenderer& smoke = *picture->smoke();
    smoke.restart(simulation->simulator.stepCount());
    refined.reset();
    // The report of two submits ago. Shared, because reports that arrive after the loop still write to it.
    const auto latest = std::make_shared<PathReport>();
    const PathTracer& path = *smoke.path();
    const auto complete = [&] {
        return path.samples() >= settings.render.samples ||
               (latest->samples >= kFewest && latest->noise <= static_cast<double>(settings.render.error));
    };
    const bool mayEndEarly = settings.render.samples > kFewest;
    for (bool done = false;;) {
        simulation->frame([&] {
            done = complete();  // now that the report of two submits ago has arrived
            if (done) return;
            simulation->simulator.catchUp(simulation->recorder);
            const engine::Recorder::Scope scope(simulation->recorder, "frame");
            const std::uint32_t count = std::min(samplesPerSubmit(options), settings.render.samples - path.samples());
            smoke.draw(simulation->recorder, simulation->simulator.fields(), count);
            if (mayEndEarly) path.measure(simulation->recorder, [latest](const PathReport& report) { *latest = report; });
        });
        drawn = true;
        if (done) return true;
        if (goOn && !goOn(path.samples())) return complete();
        if (path.samples() >= settings.render.samples) return true;  // without another submit, which would be empty
    }
}

PathProgress Renderer::Impl::refine(std::uint32_t samples) {
    simulation->device->device.waitForHost();
    follow();
    setFrame();
    VolumeRenderer* const smoke = picture->smoke();
    if (!smoke || !smoke->path()) throw Error(ErrorCode::Unsupported, "refine is for path-traced pictures: set render.mode to path");
    if (!drawn || refined != simulation->versions) smoke->restart(simulation->simulator.stepCount());
    refined = simulation->versions;
    PathProgress progress;
    simulation->frame([&] {
        simulation->simulator.catchUp(simulation->recorder);
        const engine::Recorder::Scope scope(simulation->recorder, "frame");
        smoke->draw(simulation->recorder, simulation->simulator.fields(), samples);
        smoke->path()->measure(simulation->recorder, [&](const PathReport& r) { progress = {r.samples, r.noise, r.cut, r.segments}; });
    });
    drawn = true;
    simulation->finish();
    return progress;
}

PathProgress Renderer::refine(std::uint32_t samples) {
    return called(*impl_->simulation, [&] {
        if (samples == 0) throw Error(ErrorCode::Argument, "refine: samples is 0; must be above 0");
        return impl_->refine(samples);
    });
}

void Renderer::fetch(PictureContent content, std::function<void(const FetchedPicture&)> done) {
    called(*impl_->simulation, [&] {
        if (!done) throw Error(ErrorCode::Argument, "fetch: needs a function");
        if (content != PictureContent::Display && content != PictureContent::Radiance && content != PictureContent::Deep)
            throw Error(ErrorCode::Argument, fmt::format("fetch: there is no content {}", static_cast<int>(content)));
        impl_->fetch(content, std::move(done));
    });
}

void Renderer::flush() {
    called(*impl_->simulation, [&] {
        if (impl_->reader) impl_->reader->finish();
    });
}

PictureData Renderer::read() {
    return called(*impl_->simulation, [&] {
        const std::vector<std::byte> bytes = impl_->bytesOf(PictureContent::Display);
        PictureData data{impl_->options.width, impl_->options.height, std::vector<std::uint8_t>(bytes.size())};
        std::memcpy(data.rgba.data(), bytes.data(), bytes.size());
        return data;
    });
}

std::vector<float> Renderer::readRadiance() {
    return called(*impl_->simulation, [&] {
        const std::vector<std::byte> bytes = impl_->bytesOf(PictureContent::Radiance);
        std::vector<std::uint16_t> halves(bytes.size() / sizeof(std::uint16_t));
        std::memcpy(halves.data(), bytes.data(), bytes.size());
        std::vector<float> floats(halves.size());
        std::ranges::transform(halves, floats.begin(), [](std::uint16_t half) { return glm::unpackHalf1x16(half); });
        return floats;
    });
}

}  // namespace wisp
