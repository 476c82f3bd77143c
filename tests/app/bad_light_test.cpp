// SPDX-License-Identifier: MIT
// Bad settings of lights and images in the real binary: exit statuses and messages.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CliLight : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    ScratchFolder scratch;
};

const std::string kTiny = "render jet --set grid.cells=[32,16,16] --frames 1 ";

TEST_F(CliLight, BadImagesAreErrorsOfTheScene) {
    std::ofstream(scratch.path() / "sky.hdr", std::ios::binary) << "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99 +X 8\n";
    std::ofstream(scratch.path() / "s.toml") << "[environment]\nimage = \"sky.hdr\"\n[medium]\nphase = { g = 1.0 }\n[camera]\nfov = 180\n";
    for (const char* command : {"check s.toml", "render s.toml", "bench s.toml"}) {
        const Outcome o = wisp(command);
        EXPECT_EQ(o.status, 2) << o.errors;
        EXPECT_THAT(o.errors, AllOf(HasSubstr("s.toml:2:9: environment.image: sky.hdr: is truncated"),
                                    HasSubstr("s.toml:4:15: medium.phase.g: is 1"), HasSubstr("s.toml:6:7: camera.fov: is 180 degrees")));
    }
}

TEST_F(CliLight, APictureTooLargeForTheDeviceIsReportedAsSuch) {
    // Either the device does not support images of this size, or memory is too small.
    const Outcome large = wisp(kTiny + "--size 16384x16384 --out a");
    if (large.status == 2) {
        EXPECT_THAT(large.errors, HasSubstr("render.size: is [16384, 16384], which exceeds the limits of "));
    } else if (large.status == 4) {
        EXPECT_THAT(large.errors, HasSubstr("with an image of 16384x16384"));
    } else {
        EXPECT_EQ(large.status, 0) << large.errors;
    }
    const Outcome steps = wisp(kTiny + "--size 16x16 --set render.step=0.002 --set render.shadows=march --out b");
    if (steps.status != 0) {
        EXPECT_THAT(steps.errors, HasSubstr("wisp: render.step: is too short"));
    }
    EXPECT_THAT(steps.status, testing::AnyOf(0, 2)) << steps.errors;
}

TEST_F(CliLight, TheSmallestPicturesAreWritten) {
    EXPECT_EQ(wisp(kTiny + "--size 1x1 --out a --validate").status, 0);
    EXPECT_EQ(wisp(kTiny + "--size 1x1 --out v.mp4").status, 0);
    EXPECT_EQ(wisp(kTiny + "--size 3x1 --set render.temporal=true --out x%01d.exr --validate").status, 0);
}

/// Bytes of rows of the memory plan, by name.
TEST_F(CliLight, TheLightVolumeIsPlanned) {
    const auto bytesOf = [&](const std::string& ratio, const std::string& name) {
        const Outcome o = wisp(kTiny + "--size 64x36 --dry-run --out a --set render.light_ratio=" + ratio);
        EXPECT_EQ(o.status, 0) << o.errors;
        const std::size_t at = ("\n" + o.output).find("\n" + name + " ");
        return at == std::string::npos ? 0.0 : std::stod(o.output.substr(at + 32));
    };
    // A device may round the size of an allocation up.
    EXPECT_GE(bytesOf("1", "light"), 8.0 * 32 * 16 * 16);
    EXPECT_NEAR(bytesOf("1", "light") / bytesOf("2", "light"), 8.0, 1.0);
    EXPECT_GE(bytesOf("4", "light"), 8.0 * 8 * 4 * 4);
    EXPECT_GE(bytesOf("1", "sky"), 2.0 * 16 * 8 * 8);
}

}  // namespace
}  // namespace wisp::test
