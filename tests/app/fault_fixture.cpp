// SPDX-License-Identifier: MIT
#include "tests/app/fault_fixture.h"

#include "files/checkpoint/checkpoint_file.h"
#include "tests/support/nanovdb_file.h"

#include <nlohmann/json.hpp>
#include <png.h>
#include <tinyexr.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

namespace fs = std::filesystem;

void expectPng(const fs::path& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << path;
    image.format = PNG_FORMAT_RGBA;
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0) << path << ": " << image.message;
}

void expectExr(const fs::path& path) {
    float* rgba = nullptr;
    int width = 0, height = 0;
    const char* error = nullptr;
    EXPECT_EQ(LoadEXR(&rgba, &width, &height, path.c_str(), &error), TINYEXR_SUCCESS) << path;
    std::free(rgba);
}

void expectPfm(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string kind, scale;
    std::size_t width = 0, height = 0;
    in >> kind >> width >> height >> scale;
    EXPECT_EQ(kind, "PF") << path;
    EXPECT_EQ(fs::file_size(path), static_cast<std::size_t>(in.tellg()) + 1 + width * height * 12) << path;
}

void expectJson(const std::string& text, const fs::path& path) { EXPECT_TRUE(nlohmann::json::accept(text)) << path << ":\n" << text; }

void expectLines(const std::string& text, const fs::path& path) {
    EXPECT_TRUE(text.empty() || text.back() == '\n') << path;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) expectJson(line, path);
}

}  // namespace

FaultTest::FaultTest() { std::ofstream(scratch_.path() / "tiny.toml") << kFaultScene; }

FaultTest::Run FaultTest::run(const std::string& arguments, const std::string& environment) {
    folder_ = scratch_.path() / std::to_string(runs_++);
    fs::create_directory(folder_);
    const fs::path log = scratch_.path() / "log";
    fs::remove(log);
    // Mesa's device-select layer crashes if there is no device.
    Run run{runShell("export NODEVICE_SELECT=1 XDG_CACHE_HOME=" + scratch_.path().string() +
                         "/cache VK_ADD_LAYER_PATH=" WISP_FAULT_LAYER " VK_INSTANCE_LAYERS=VK_LAYER_WISP_faults WISP_FAULT_LOG=" +
                         log.string() + "; " + environment + " " WISP_BINARY " " + arguments,
                     folder_),
            {},
            {},
            {}};
    std::istringstream lines(readFile(log));
    std::string kind, call;
    for (long count = 0; lines >> kind >> call >> count;) (kind == "live" ? run.live : run.calls)[call] += count;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
        if (!entry.is_directory()) run.files.push_back(fs::relative(entry.path(), folder_).string());
    std::sort(run.files.begin(), run.files.end());
    return run;
}

std::string FaultTest::fault(const std::string& call, long n, const std::string& what, bool onwards) {
    return "WISP_FAULT='" + call + ":" + std::to_string(n) + (onwards ? "+:" : ":") + what + "'";
}

std::string FaultTest::hostFault(const std::string& call, long n, const std::string& what, bool onwards) {
    return "LD_PRELOAD=" WISP_FAULT_PRELOAD " WISP_HOST_FAULT='" + call + ":" + std::to_string(n) + (onwards ? "+:" : ":") + what + "'";
}

void FaultTest::expectClean(const Run& run) {
    for (const auto& [call, count] : run.live) ADD_FAILURE() << call << ": " << count << " objects were not destroyed\n" << run.errors;
    EXPECT_THAT(run.output, testing::Not(testing::HasSubstr("Validation"))) << run.errors;
    for (const std::string& name : run.files) expectOpens(name);
}

void FaultTest::expectOpens(const std::string& name) {
    const fs::path file = path(name);
    const std::string kind = file.extension().string();
    EXPECT_FALSE(file.filename().string().starts_with(".")) << name << " was left";
    if (kind == ".png") expectPng(file);
    else if (kind == ".exr") expectExr(file);
    else if (kind == ".nvdb") EXPECT_NO_THROW(EXPECT_GE(NanoVdb(readFile(file)).grids.size(), 2u)) << name;
    else if (kind == ".vdb") EXPECT_EQ(readFile(file).substr(0, 4), " BDV") << name;
    else if (kind == ".pfm") expectPfm(file);
    else if (kind == ".json") expectJson(readFile(file), file);
    else if (kind == ".jsonl") expectLines(readFile(file), file);
    else if (kind == ".mp4") EXPECT_EQ(runShell("ffmpeg -v error -i '" + name + "' -f null -", folder_).errors, "") << name;
    else if (kind == ".checkpoint")
        EXPECT_NO_THROW(CheckpointFile(file).read([](std::size_t, std::uint64_t, std::span<const std::byte>) {})) << name;
    else if (kind == ".csv") EXPECT_EQ(readFile(file).back(), '\n') << name;
    else ADD_FAILURE() << name << " has an unknown file type";
}

}  // namespace wisp::test
