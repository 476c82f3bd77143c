// SPDX-License-Identifier: MIT
#include "compute/picture/path_tracer.h"

#include "compute/picture/environment_sampling.h"
#include "compute/scene/environment.h"
#include "compute/sim/fields.h"
#include "shaders/shared/path.h"
#include "shaders/shared/view.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace wisp {
namespace {

using Numbers = std::array<float, 8>;  // see shaders/picture/path_measure.comp

PathReport evaluate(const Numbers& sums, const Numbers& met, std::uint32_t samples, double pixels) {
    const double n = samples, mean = static_cast<double>(sums[0]) / pixels;
    PathReport r{.samples = samples, .luminance = mean, .segments = static_cast<double>(sums[2]), .cut = static_cast<double>(sums[3])};
    r.error = r.noise = std::numeric_limits<double>::infinity();
    if (samples < 2) return r;
    // Pixels are independent, so the variance of the picture's mean is the sum of the pixels' variances over the square of their number.
    const double deviation = std::sqrt(static_cast<double>(sums[1]) / (n * (n - 1.0))) / pixels;
    r.error = mean > 0.0 ? deviation / mean : 0.0;
    // Root mean square of the pixels' standard errors, over the mean luminance. Both only of pixels whose camera rays hit something.
    const double metLuminance = static_cast<double>(met[0]), metPixels = static_cast<double>(met[4]);
    r.noise = metLuminance > 0.0 ? std::sqrt(static_cast<double>(met[1]) / (n * (n - 1.0)) * metPixels) / metLuminance : 0.0;
    return r;
}

}  // namespace

PathTracer::PathTracer(engine::Device& device, const Settings& s, glm::uvec3 bricks) : render_(s.render) {
    const glm::uvec3 size(s.render.size, 1);
    const auto image = [&](const char* name) {
        return engine::Image(device, {.name = name, .size = size, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .flat = true});
    };
    mean_ = image("path mean");
    spread_ = image("path spread");
    const glm::uvec3 threads = reductionThreads(size);
    partials_ = engine::Buffer(device, {.name = "path partials", .bytes = std::uint64_t{threads.x} * threads.y / 256 * kRecordBytes});
    record_ = engine::Buffer(device, {.name = "path record", .bytes = kRecordBytes});
    metRecord_ = engine::Buffer(device, {.name = "path record of what was met", .bytes = kRecordBytes});
    const std::uint64_t texels = samplesEnvironment(s) ? s.environment.image->texels.size() : 1;
    alias_ = engine::Buffer(device, {.name = "environment alias", .bytes = texels * sizeof(gpu::AliasEntry)});
    const std::uint64_t flames = s.usesFuel() ? std::uint64_t{bricks.x} * bricks.y * bricks.z : 1;
    flames_ = engine::Buffer(device, {.name = "flames", .bytes = flames * sizeof(float)});
    restart(s.seed, 0);
}

void PathTracer::setEnvironment(engine::Recorder& rec, std::span<const double> chances) const {
    constexpr double kOnly[] = {1.0};
    const std::vector<gpu::AliasEntry> table = aliasTable(chances.empty() ? std::span<const double>(kOnly) : chances);
    rec.upload(alias_, std::as_bytes(std::span(table)));
}

void PathTracer::restart(std::uint32_t seed, std::uint64_t picture) {
    samples_ = 0;
    // Multiples of the golden ratio, so that pictures with neighbouring seeds do not share their noise.
    pictureSeed_ = seed + static_cast<std::uint32_t>(picture) * 0x9e3779b9u;
}

void PathTracer::findFlames(engine::Recorder& rec, const engine::Image& occupancy) const {
    const auto bricks = static_cast<std::uint32_t>(flames_.bytes() / sizeof(float));
    rec.dispatch("fire_power", occupancy.size() * glm::uvec3(WISP_BRICK_THREADS, 1, 1), {{"occupancy", occupancy}, {"powerOut", flames_}});
    rec.dispatch("fire_table", {256, 1, 1}, {{"fireTable", flames_}}, bricks);
}

void PathTracer::sample(engine::Recorder& rec, const engine::Image& occupancy, bool transparent) {
    const gpu::PathPush push{
        .index = samples_, .seed = pictureSeed_, .bounces = static_cast<int>(render_.bounces), .spread = render_.antialias ? 1 : 0};
    rec.dispatch(
        "path", {mean_.size(), transparent ? engine::ShaderConstants{{"kTransparent", 1}} : engine::ShaderConstants{}},
        {{"occupancy", occupancy}, {"environmentAlias", alias_}, {"fireTable", flames_}, {"pathMean", mean_}, {"pathMoments", spread_}},
        push);
    ++samples_;
}

void PathTracer::resolve(engine::Recorder& rec, const engine::Image& radiance, const engine::Image& depth) const {
    rec.dispatch("path_resolve", radiance.size(),
                 {{"pathMean", mean_}, {"pathMoments", spread_}, {"radiance", radiance}, {"depth", depth}});
}

void PathTracer::measure(engine::Recorder& rec, std::function<void(const PathReport&)> deliver) const {
    const glm::uvec3 threads = reductionThreads(mean_.size());
    const glm::ivec3 pixels(mean_.size());
    const auto sum = [&](bool metOnly, const engine::Buffer& record) {
        rec.dispatch("path_measure", threads, {{"pathMean", mean_}, {"pathMoments", spread_}, {"partialsOut", partials_}},
                     PathMeasurePush{pixels, metOnly ? 1 : 0});
        rec.dispatch("reduce_final", glm::uvec3(256, 1, 1), {{"partialsIn", partials_}, {"partialsOut", record}},
                     threads.x * threads.y / 256);
    };
    sum(false, record_);
    sum(true, metRecord_);
    const auto sums = std::make_shared<Numbers>();
    rec.read(record_, [sums](std::span<const std::byte> bytes) { std::memcpy(sums->data(), bytes.data(), sizeof(Numbers)); });
    rec.read(metRecord_, [sums, samples = samples_, count = double(pixels.x) * pixels.y,
                          deliver = std::move(deliver)](std::span<const std::byte> bytes) {
        Numbers met;
        std::memcpy(met.data(), bytes.data(), sizeof met);
        deliver(evaluate(*sums, met, samples, count));
    });
}

}  // namespace wisp
