// SPDX-License-Identifier: MIT
#include "engine/pipeline_cache.h"
#include "tests/support/gpu_test.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

namespace wisp::engine {
namespace {

using ::testing::HasSubstr;

// Lavapipe 22.3 stores only the header in a VkPipelineCache and never reports a hit. With it, the tests show only that the bytes reach the
// driver, and that shaders are specialized once. A driver that stores pipelines (more bytes than a header) must report hits.
class EnginePipelineCache : public test::GpuTest {
protected:
    /// One run of a program that creates a pipeline and uses it. Contains the state of the cache before the program ends.
    struct Run {
        std::size_t given = 0;
        std::uint64_t pipelines = 0, hits = 0, specializedHits = 0;
        std::string report;
        float result = 0.0f;
    };
    Run once(const std::filesystem::path& folder, std::span<const EmbeddedShader> shaders = test::testShaders()) {
        DeviceOptions options = device().options();
        options.cacheFolder = folder;
        Device own(options);
        Run run;
        {
            ShaderLibrary library(own, shaders);
            Image target(own, {"target", {3, 3, 3}, VK_FORMAT_R32_SFLOAT});
            Recorder rec(own, library, {.timing = Timing::Off, .readbackBytes = target.bytes()});
            rec.begin();
            rec.dispatch("engine_write", target.size(), {{"target", target}}, 2.0f);
            rec.read(target, [&](std::span<const std::byte> bytes) { std::memcpy(&run.result, bytes.data(), sizeof run.result); });
            rec.submit();
            rec.finish();
            library.save();
            run = {library.cache().given(),           own.counters.pipelines,   own.counters.pipelineHits,
                   library.cache().specializedHits(), library.cache().report(), run.result};
        }
        EXPECT_TRUE(own.validationMessages().empty());
        return run;
    }
    void damage(std::size_t at) const {
        std::fstream file(scratch.path() / scratch.files().at(0), std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(static_cast<std::streamoff>(at));
        const int byte = file.get();
        file.seekp(static_cast<std::streamoff>(at));
        file.put(static_cast<char>(byte ^ 1));
    }
    test::ScratchFolder scratch;
};

TEST_F(EnginePipelineCache, TheSecondRunLoadsTheCacheOfTheFirst) {
    const Run first = once(scratch.path());
    EXPECT_EQ(first.given, 0u);
    ASSERT_EQ(scratch.files().size(), 1u);
    const auto size = std::filesystem::file_size(scratch.path() / scratch.files()[0]);
    const Run second = once(scratch.path());
    const bool isCpu = device().isCpu();
    EXPECT_GT(second.given, 0u);
    EXPECT_LT(second.given, size - CacheFile::kHeaderBytes);
    EXPECT_EQ(second.pipelines, first.pipelines);
    EXPECT_EQ(first.specializedHits, 0u);
    EXPECT_EQ(second.specializedHits, isCpu ? second.pipelines : 0u);
    if (second.given > sizeof(VkPipelineCacheHeaderVersionOne)) {
        EXPECT_EQ(second.hits, second.pipelines);
    }
    EXPECT_EQ(second.result, first.result);
    EXPECT_THAT(second.report, HasSubstr(scratch.files()[0]));
}

// Two runs at once, whose shaders differ in name or in a constant.
TEST_F(EnginePipelineCache, SpecializedShadersOfOtherRunsAreKept) {
    const std::uint32_t known = device().isCpu() ? 3 : 0;  // other devices specialize no shaders
    DeviceOptions options = device().options();
    options.cacheFolder = scratch.path();
    Device own(options);
    ShaderLibrary first(own, test::testShaders()), second(own, test::testShaders());
    (void)first.get("engine_write");
    for (const std::uint32_t fetches : {0u, 1u}) (void)second.get("engine_count", {{"kFetches", fetches}});
    EXPECT_EQ(second.cache().specializedHits(), 0u);
    first.save();
    second.save();
    ShaderLibrary third(own, test::testShaders());
    (void)third.get("engine_write");
    for (const std::uint32_t fetches : {0u, 1u}) (void)third.get("engine_count", {{"kFetches", fetches}});
    EXPECT_EQ(third.cache().specializedHits(), known);
    (void)third.get("engine_scale");
    EXPECT_EQ(third.cache().specializedHits(), known);
}

TEST_F(EnginePipelineCache, OtherShadersHaveAnotherFile) {
    once(scratch.path());
    once(scratch.path(), test::testShaders().first(test::testShaders().size() - 1));
    EXPECT_EQ(scratch.files().size(), 2u);
}

TEST_F(EnginePipelineCache, ADamagedFileIsReplaced) {
    const Run good = once(scratch.path());
    for (const std::size_t at : {0u, 8u, 20u, 33u, 41u, 48u, 60u}) {
        damage(at);
        const Run run = once(scratch.path());
        EXPECT_EQ(run.given, 0u) << at;
        EXPECT_EQ(run.result, good.result);
        EXPECT_THAT(run.report, HasSubstr("is recreated"));
        EXPECT_GT(once(scratch.path()).given, 0u) << at;
    }
}

TEST_F(EnginePipelineCache, DataOfAnotherDriverIsNotLoaded) {
    VkPhysicalDeviceProperties p;
    device().vk.GetPhysicalDeviceProperties(device().physical(), &p);
    VkPipelineCacheHeaderVersionOne good{sizeof good, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, p.vendorID, p.deviceID, {}};
    std::memcpy(good.pipelineCacheUUID, p.pipelineCacheUUID, VK_UUID_SIZE);
    const auto accepted = [&](const VkPipelineCacheHeaderVersionOne& h) { return isValidCacheFor(std::as_bytes(std::span(&h, 1)), p); };
    EXPECT_TRUE(accepted(good));
    EXPECT_FALSE(isValidCacheFor({}, p));
    EXPECT_FALSE(isValidCacheFor(std::as_bytes(std::span(&good, 1)).first(sizeof good - 1), p));
    for (std::size_t i = 0; i < sizeof good; ++i) {
        VkPipelineCacheHeaderVersionOne bad = good;
        reinterpret_cast<std::uint8_t*>(&bad)[i] ^= 0x80;
        EXPECT_FALSE(accepted(bad)) << i;
    }
    // A valid cache file that contains data of another driver.
    once(scratch.path());
    const std::string name = scratch.files().at(0);
    CacheFile::Key key{};
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(std::stoi(name.substr(10 + 2 * i, 2), nullptr, 16));
    good.deviceID ^= 1;
    const struct {
        std::uint64_t size;
        VkPipelineCacheHeaderVersionOne data;
    } contents{sizeof good, good};
    ASSERT_TRUE(CacheFile(scratch.path(), key).write(std::as_bytes(std::span(&contents, 1))));
    const Run run = once(scratch.path());
    EXPECT_EQ(run.given, 0u);
    EXPECT_THAT(run.report, HasSubstr("from another driver"));
    EXPECT_GT(once(scratch.path()).given, 0u);
}

TEST_F(EnginePipelineCache, WorksWithoutAWritableFolder) {
    const Run none = once({});
    EXPECT_THAT(none.report, HasSubstr("no cache folder"));
    const Run unwritable = once("/proc/wisp");
    EXPECT_EQ(unwritable.result, none.result);
    EXPECT_THAT(unwritable.report, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace wisp::engine
