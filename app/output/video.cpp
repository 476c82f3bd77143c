// SPDX-License-Identifier: MIT
#include "app/output/video.h"

#include "files/base/extension.h"

#include <fmt/format.h>

#include <system_error>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> encoderCommand(const OutputRequest& request, const fs::path& file) {
    const std::string size = fmt::format("{}x{}", request.size.x, request.size.y);
    // clang-format off
    return {"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostats", "-y",
            "-xerror",  // otherwise ffmpeg returns success when the disk is full
            "-f", "rawvideo", "-pix_fmt", "rgba", "-s", size, "-framerate", fmt::format("{}", request.fps), "-i", "pipe:0",
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2",  // 4:2:0 subsampling needs even width and height
            "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "16", "-movflags", "+faststart",
            "-f", "mp4", "file:" + file.string()};
    // clang-format on
}

}  // namespace

Video::Video(const OutputRequest& request, const Log& log) : request_(request), log_(log) {
    makeFolder(request.out.parent_path());
    file_.emplace(request.out);
    try {
        ffmpeg_.emplace(encoderCommand(request, file_->temporary()));
        file_->setWriter(ffmpeg_->pid());
    } catch (const std::system_error& e) {
        fallBack(request.first, fmt::format("cannot be started ({})", e.code().message()));
    }
}

void Video::fallBack(std::size_t index, const std::string& reason) {
    if (!request_.instead) throw Failure(Exit::Output, fmt::format("{}: ffmpeg {}", request_.out.string(), reason));
    const fs::path folder = fs::path(request_.out).replace_extension();
    const ImagePattern pattern{{.folder = folder, .prefix = {}, .suffix = ".png"}, ImageKind::Png};
    if (!request_.overwrite) pattern.names.requireNew(request_.frames.from(index), Exit::Output);
    log_.error(fmt::format("ffmpeg {}: frame {} and all later frames are written as PNG files to {}/", reason, index, folder.string()));
    lost_ = index;
    ffmpeg_.reset();
    file_.reset();
    images_.emplace(pattern, request_.size);
}

void Video::write(std::size_t index, std::span<const std::byte> pixels) {
    if (ffmpeg_ && !ffmpeg_->write(pixels)) {
        ffmpeg_->finish();
        fallBack(index, fmt::format("stopped ({})", ffmpeg_->messages()));
    }
    if (images_) images_->write(index, pixels);
    ++written_;
}

void Video::finish() {
    if (images_) {
        if (lost_ > request_.first)
            throw Failure(Exit::Output, fmt::format("{}: frames {} to {} were lost when ffmpeg stopped", request_.out.string(),
                                                    request_.first, lost_ - 1));
        return;
    }
    if (written_ == 0) return;  // a video without frames is not a valid file
    const bool success = ffmpeg_->finish();
    file_->setWriter(0);
    if (!success) throw Failure(Exit::Output, fmt::format("{}: ffmpeg failed: {}", request_.out.string(), ffmpeg_->messages()));
    file_->commit();
}

std::unique_ptr<FrameWriter> openWriter(const OutputRequest& request, const Log& log) {
    if (extensionOf(request.out) == ".mp4") return std::make_unique<Video>(request, log);
    return std::make_unique<ImageSequence>(parseImagePattern(request.out, request.frames.size()), request.size, request.plane,
                                           request.alpha);
}

}  // namespace wisp::app
