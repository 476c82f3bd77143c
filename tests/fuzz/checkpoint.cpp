// SPDX-License-Identifier: MIT
// Checkpoints. An input that begins with "h" is a header up to the first zero byte, followed by blocks: two bytes of length, then zstd data
// of this length. The target adds the correct hashes, as an attacker would. Every other input is a complete file.
#include "api/resumed_scene.h"
#include "compute/scene/validate.h"
#include "files/checkpoint/checkpoint_head.h"
#include "tests/fuzz/support/input.h"

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

using namespace wisp;

namespace {

constexpr std::uint64_t kMostTexels = 32u << 20;  // maximum bytes of all fields that are read; more only takes more time

void add(std::string& file, std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t n : numbers) file.append(reinterpret_cast<const char*>(&n), sizeof n);
}

std::string_view takeBlock(std::string_view& rest) {
    if (rest.size() < 2) return {};
    const std::size_t length = static_cast<unsigned char>(rest[0]) + 256u * static_cast<unsigned char>(rest[1]);
    const std::string_view block = rest.substr(2, length);
    rest.remove_prefix(std::min(rest.size(), 2 + length));
    return block;
}

std::vector<StoredField> fieldsOf(const std::string& head) {
    try {
        return readHead(head).fields;
    } catch (const std::runtime_error&) {
        return {};
    }
}

std::string withHashes(std::string_view input) {
    const std::string head(input.substr(0, input.find('\0')));
    input.remove_prefix(std::min(head.size() + 1, input.size()));
    std::string file = "wispckpt";
    add(file, {kCheckpointVersion, head.size(), XXH3_64bits(head.data(), head.size())});
    file += head;
    for (const StoredField& field : fieldsOf(head)) {
        if (field.bytes() > kCheckpointBlock) break;
        const std::string_view block = takeBlock(input);
        add(file, {block.size(), XXH3_64bits(block.data(), block.size())});
        file += block;
        std::vector<char> texels(field.bytes());
        const std::size_t got = ZSTD_decompress(texels.data(), texels.size(), block.data(), block.size());
        add(file, {XXH3_64bits(texels.data(), ZSTD_isError(got) ? 0 : got)});
    }
    return file.append(input);
}

void read(const std::filesystem::path& path) {
    try {
        const CheckpointFile file(path);
        const ResumedScenes scenes = resumedScenes(file, sceneOf(file));
        fuzz::require(validate(scenes.scene).empty(), "a checkpoint with an invalid scene is accepted");
    } catch (const Failure& e) {
        fuzz::require(e.status() == Exit::Usage, e.what());
    }
    try {
        CheckpointFile file(path);
        std::uint64_t bytes = 0;
        for (const StoredField& field : file.head().fields) bytes += field.bytes();
        if (bytes > kMostTexels) return;
        std::uint64_t got = 0;
        file.read([&](std::size_t, std::uint64_t, std::span<const std::byte> part) { got += part.size(); });
        fuzz::require(got == bytes, "a checkpoint delivers a different number of bytes than its header states");
    } catch (const Failure& e) {
        fuzz::require(e.status() == Exit::Usage, e.what());
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = fuzz::textOf({data, size});
    read(fuzz::fileOf(input.starts_with('h') ? withHashes(input.substr(1)) : std::string(input)));
    return 0;
}
