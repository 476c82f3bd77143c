// SPDX-License-Identifier: MIT
#pragma once

#include "engine/shader.h"

#include <memory>
#include <span>

namespace wisp::test {

/// Libraries that are not in use. On a CPU device, most of the time of a short test is for creating pipelines. So tests of the shared
/// device use libraries, and with them the pipelines, of earlier tests.
struct LibraryPool;
struct ReturnLibrary {
    LibraryPool* pool = nullptr;  ///< null: the library is destroyed
    void operator()(engine::ShaderLibrary* library) const;
};
using PooledLibrary = std::unique_ptr<engine::ShaderLibrary, ReturnLibrary>;

/// A library with these options that has no other user. It may already have pipelines. It is new if `device` is not the shared one.
PooledLibrary pooledLibrary(engine::Device& device, std::span<const engine::EmbeddedShader> shaders,
                            const engine::ShaderOptions& options = {});

/// Destroys all libraries that are not in use. The shared device must still exist.
void clearLibraryPools();

}  // namespace wisp::test
