// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Parts of a glTF 2.0 file, checked. tinygltf checks neither indices nor the bounds of accessors.
namespace wisp {

// Limits of a file, so that reading takes bounded memory and time.
inline constexpr std::size_t kMaxGltfJsonBytes = 64u << 20;
inline constexpr std::size_t kMaxGltfParts = 65536;  ///< of each kind: nodes, primitives, accessors, channels ...

template <class... Values>
[[noreturn]] void failGltf(fmt::format_string<Values...> message, Values&&... values) {
    throw std::runtime_error(fmt::format(message, std::forward<Values>(values)...));
}

/// Reads a .glb file, or a .gltf file with buffers in it or beside it. Images, materials, cameras and extensions are left out: only the
/// geometry, nodes, skins and animations remain. @throws std::runtime_error with the reason.
tinygltf::Model readGltfModel(const std::filesystem::path& file);

/// Reads numbers of a model. Every function @throws std::runtime_error with the reason, also for values that are not finite.
class GltfReader {
public:
    explicit GltfReader(const tinygltf::Model& model) : model_(model) {}

    [[nodiscard]] std::size_t count(int accessor) const;
    [[nodiscard]] std::vector<float> scalars(int accessor) const { return floats(accessor, TINYGLTF_TYPE_SCALAR, 1); }
    [[nodiscard]] std::vector<glm::vec3> vectors(int accessor) const;   ///< also of whole numbers
    [[nodiscard]] std::vector<glm::vec4> vectors4(int accessor) const;  ///< integers that are normalised become floats
    [[nodiscard]] std::vector<glm::mat4> matrices(int accessor) const;
    [[nodiscard]] std::vector<std::uint32_t> indices(int accessor) const;
    [[nodiscard]] std::vector<glm::uvec4> joints(int accessor) const;

private:
    struct Elements {
        const unsigned char* first = nullptr;
        std::size_t count = 0, stride = 0;
    };
    [[nodiscard]] const tinygltf::Accessor& at(int accessor) const;
    /// The elements of an accessor of this type, all of which lie in their buffer.
    [[nodiscard]] Elements elements(int accessor, int type, std::size_t components) const;
    [[nodiscard]] std::vector<float> floats(int accessor, int type, std::size_t components, bool whole = false) const;
    [[nodiscard]] std::vector<std::uint32_t> integers(int accessor, int type, std::size_t components) const;

    const tinygltf::Model& model_;
};

}  // namespace wisp
