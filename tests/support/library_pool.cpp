// SPDX-License-Identifier: MIT
#include "tests/support/library_pool.h"

#include "tests/support/gpu_test.h"

#include <map>
#include <vector>

namespace wisp::test {

struct LibraryPool {
    std::vector<std::unique_ptr<engine::ShaderLibrary>> free;
};

namespace {

/// By the shaders, and by the option that setOptions does not change.
std::map<std::pair<const engine::EmbeddedShader*, bool>, LibraryPool>& pools() {
    static std::map<std::pair<const engine::EmbeddedShader*, bool>, LibraryPool> all;
    return all;
}

}  // namespace

void ReturnLibrary::operator()(engine::ShaderLibrary* library) const {
    std::unique_ptr<engine::ShaderLibrary> owned(library);
    if (pool) pool->free.push_back(std::move(owned));
}

PooledLibrary pooledLibrary(engine::Device& device, std::span<const engine::EmbeddedShader> shaders, const engine::ShaderOptions& options) {
    if (&device != sharedDevice()) return PooledLibrary(new engine::ShaderLibrary(device, shaders, options));
    LibraryPool& pool = pools()[{shaders.data(), options.kept}];
    if (pool.free.empty()) return {new engine::ShaderLibrary(device, shaders, options), {&pool}};
    PooledLibrary library(pool.free.back().release(), {&pool});
    pool.free.pop_back();
    library->setOptions(options);
    return library;
}

void clearLibraryPools() { pools().clear(); }

}  // namespace wisp::test
