// SPDX-License-Identifier: MIT
// Shaders with interfaces that wisp cannot bind, each with one error, compiled here.
#include "engine/shader.h"
#include "engine/shader_compiler.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace wisp::engine {
namespace {

/// The error message of reflect for a shader with these declarations.
std::string refusal(const std::string& declarations) {
    const test::ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "bindable.comp";
    std::ofstream(file) << "#version 460\n#extension GL_EXT_scalar_block_layout : require\n" << declarations << "\nvoid main() {}\n";
    const std::vector<std::uint32_t> spirv = compileShader(file, folder.path());
    try {
        reflect(spirv, "bindable");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(EngineBindable, AcceptsBindableShaders) {
    EXPECT_EQ(refusal("layout(binding = 0) uniform sampler3D a; layout(binding = 1, r32f) uniform image2D b;"), "");
    EXPECT_EQ(refusal("layout(binding = 0) uniform texture2D a;"), "");
    EXPECT_EQ(refusal("layout(binding = 0) uniform sampler3D aLeast; layout(binding = 1) uniform sampler3D aGreatest;"), "");
}

TEST(EngineBindable, NamesTheShaderAndTheBinding) {
    const auto refused = [](const char* declarations, const char* message) {
        EXPECT_THAT(refusal(declarations), testing::AllOf(testing::HasSubstr("shader bindable"), testing::HasSubstr(message)));
    };
    refused("layout(binding = 0) uniform sampler a;", "a, a kind of resource");
    refused("layout(binding = 0) uniform sampler3D a[2];", "a as an array");
    refused("layout(set = 1, binding = 0) uniform sampler3D a;", "a outside set 0");
    refused("layout(binding = 0) uniform sampler3D a; layout(binding = 0) uniform sampler2D b;", "at binding 0");
    refused("layout(binding = 0) uniform samplerCube a;", "a, an image that is neither 2D nor 3D");
    refused("layout(binding = 0) uniform sampler2DArray a;", "a, an image that is neither 2D nor 3D");
    refused("layout(binding = 0, rgba8i) uniform iimage2D a;", "a in a format");
    refused("layout(push_constant, scalar) uniform P { float a[33]; };", "132 bytes of push constants");
}

}  // namespace
}  // namespace wisp::engine
