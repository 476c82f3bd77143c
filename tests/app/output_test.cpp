// SPDX-License-Identifier: MIT
// Files of the real binary against results of the library, and files that cannot be written.
#include "compute/picture/volume_renderer.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "files/scene/scene.h"
#include "tests/app/run_program.h"
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>
#include <tinyexr.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace wisp::test {
namespace {

class Output : public GpuTest {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    ScratchFolder scratch;
};

struct Picture {
    std::vector<float> radiance, depth;
};

/// The picture after `steps` steps of a scene, computed by the library.
Picture pictureOf(engine::Device& device, const Settings& settings, int steps,
                  const std::function<std::vector<float>(const engine::Image&)>& download) {
    const PooledLibrary shaders = pooledLibrary(device, embeddedShaders(), shaderOptions(settings));
    FluidSimulator simulator(device, settings);
    VolumeRenderer renderer(device, settings);
    {
        engine::Recorder rec(device, *shaders, {.timing = engine::Timing::Off});
        rec.begin();
        simulator.reset(rec);
        for (int i = 0; i < steps; ++i) simulator.step(rec);
        renderer.draw(rec, simulator.fields());
        rec.submit();
        rec.finish();
    }
    return {download(renderer.radiance()), download(renderer.depth())};
}

std::map<std::string, std::vector<float>> channelsOf(const std::string& file) {
    EXRVersion version;
    EXRHeader header;
    EXRImage image;
    InitEXRHeader(&header);
    InitEXRImage(&image);
    const char* error = nullptr;
    EXPECT_EQ(ParseEXRVersionFromFile(&version, file.c_str()), TINYEXR_SUCCESS);
    EXPECT_EQ(ParseEXRHeaderFromFile(&header, &version, file.c_str(), &error), TINYEXR_SUCCESS);
    for (int c = 0; c < header.num_channels; ++c) header.requested_pixel_types[c] = TINYEXR_PIXELTYPE_FLOAT;
    EXPECT_EQ(LoadEXRImageFromFile(&image, &header, file.c_str(), &error), TINYEXR_SUCCESS);
    std::map<std::string, std::vector<float>> channels;
    for (int c = 0; c < header.num_channels; ++c) {
        std::vector<float>& values = channels[header.channels[c].name];
        values.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
        std::memcpy(values.data(), image.images[c], values.size() * sizeof(float));
    }
    FreeEXRImage(&image);
    FreeEXRHeader(&header);
    return channels;
}

TEST_F(Output, ExrHoldsTheRadianceImageAndItsDepth) {
    const Outcome o = wisp("render jet --set grid.cells=[32,16,16] --size 64x36 --frames 2 --out 'x_%02d.exr'");
    ASSERT_EQ(o.status, 0) << o.errors;
    SceneOptions options;
    options.overrides = {{"test", "grid.cells", "[32, 16, 16]"}, {"test", "render.size", "[64, 36]"}};
    const Settings settings = loadScene(findScene("jet"), options);
    const Picture picture = pictureOf(device(), settings, 4, [this](const engine::Image& i) { return download(i); });
    const auto channels = channelsOf((scratch.path() / "x_01.exr").string());
    ASSERT_EQ(channels.size(), 5u);
    const std::string names = "RGBA";
    std::size_t smoke = 0, nothing = 0;
    for (std::size_t i = 0; i < picture.depth.size(); ++i) {
        for (std::size_t n = 0; n < 4; ++n)
            ASSERT_EQ(channels.at(names.substr(n, 1))[i], picture.radiance[4 * i + n]) << "pixel " << i << " channel " << names[n];
        ASSERT_EQ(channels.at("Z")[i], picture.depth[i]) << "pixel " << i;
        if (std::isinf(picture.depth[i])) ++nothing;
        else ++smoke;
    }
    EXPECT_GT(smoke, 0u);
    EXPECT_GT(nothing, 0u);
}

TEST_F(Output, AFilmOfAnOddSizeIsSaid) {
    const std::string start = "render smoke --quality draft --frames 1 --steps-per-frame 1 --allow-cpu ";
    EXPECT_THAT(wisp(start + "--size 33x17 --out odd.mp4").errors, testing::HasSubstr("is 33x17, but the film is 34x18"));
    EXPECT_THAT(wisp(start + "--size 34x18 --out even.mp4").errors, testing::Not(testing::HasSubstr("but the film")));
    EXPECT_THAT(wisp(start + "--size 33x17 --out odd.png").errors, testing::Not(testing::HasSubstr("but the film")));
}

TEST_F(Output, AFullDiskIsAnErrorOfEveryKind) {
    for (const char* kind : {"png", "exr", "pfm"}) {
        const std::string name = std::string("x.") + kind;
        std::filesystem::create_symlink("/dev/full", scratch.path() / name);
        const Outcome o = wisp("render jet --set grid.cells=[32,16,16] --size 64x36 --frames 1 --out " + name);
        EXPECT_EQ(o.status, 6) << o.errors;
        EXPECT_THAT(o.errors, testing::HasSubstr(name + ": cannot be written: No space left on device"));
    }
    EXPECT_EQ(scratch.files().size(), 3u);  // no temporary file stays
}

}  // namespace
}  // namespace wisp::test
