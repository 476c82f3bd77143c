// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/child_process.h"
#include "app/base/frame_list.h"
#include "app/base/log.h"
#include "app/output/image_sequence.h"
#include "files/base/pending_file.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace wisp::app {

struct OutputRequest {
    std::filesystem::path out;  ///< video.mp4, a folder, one image, or a pattern such as out/%04d.exr
    glm::uvec2 size{0};         ///< [pixels]
    double fps = 60.0;
    FrameList frames{1};
    std::size_t first = 0;   ///< number of the first frame that is written
    char plane = 'Z';        ///< see encode
    bool alpha = false;      ///< see encode
    bool instead = true;     ///< write images if no video can be encoded; false: throw a Failure
    bool overwrite = false;  ///< these images may replace existing files
};

/// Creates the writer for `out` and its folder, and checks that files can be written. For the format of frames see pixelFormatOf.
/// @throws Failure Usage for an unknown kind of file, Output if nothing can be written.
std::unique_ptr<FrameWriter> openWriter(const OutputRequest& request, const Log& log);

/// H.264 video in an .mp4 file, encoded by a child process ffmpeg. If ffmpeg is missing or stops, frames are written as PNG files to a
/// folder beside the video, named like the video without the extension. If `OutputRequest::instead` is false, a Failure is thrown.
class Video : public FrameWriter {
public:
    Video(const OutputRequest& request, const Log& log);
    [[nodiscard]] std::size_t threads() const override { return 1; }
    void write(std::size_t index, std::span<const std::byte> pixels) override;
    void finish() override;

private:
    void fallBack(std::size_t index, const std::string& reason);

    OutputRequest request_;
    const Log& log_;
    std::size_t lost_ = 0;  ///< number of the first frame that ffmpeg did not accept
    std::size_t written_ = 0;
    std::optional<PendingFile> file_;
    std::optional<ChildProcess> ffmpeg_;
    std::optional<ImageSequence> images_;
};

}  // namespace wisp::app
