// SPDX-License-Identifier: MIT
#include "engine/error.h"
#include "api/guarded.h"
#include "files/base/version.h"
#include "files/scene/scene_error.h"
#include "wisp/version.h"

#include <new>
#include <stdexcept>
#include <utility>

namespace wisp {
namespace {

ErrorCode codeOf(engine::ErrorKind kind) {
    switch (kind) {
        case engine::ErrorKind::NoDevice: return ErrorCode::NoDevice;
        case engine::ErrorKind::OutOfMemory: return ErrorCode::OutOfMemory;
        case engine::ErrorKind::DeviceLost: return ErrorCode::DeviceLost;
        case engine::ErrorKind::HostTimeout: return ErrorCode::HostTimeout;
        case engine::ErrorKind::Validation: return ErrorCode::Validation;
        case engine::ErrorKind::Shader: return ErrorCode::Internal;
        case engine::ErrorKind::Vulkan: return ErrorCode::Vulkan;
    }
    return ErrorCode::Internal;
}

ErrorCode codeOf(Exit status) {
    switch (status) {
        case Exit::NoDevice: return ErrorCode::NoDevice;
        case Exit::OutOfMemory: return ErrorCode::OutOfMemory;
        case Exit::DeviceLost: return ErrorCode::DeviceLost;
        case Exit::NotFinite: return ErrorCode::NotFinite;
        case Exit::Usage: return ErrorCode::File;  // of the library: files and names of files
        case Exit::Output: return ErrorCode::Output;
        default: return ErrorCode::Internal;
    }
}

Error sceneError(const SceneFailure& failure) {
    std::vector<SceneProblem> problems;
    for (const SceneError& e : failure.errors()) problems.push_back({e.file, e.line, e.column, e.key, e.message});
    return {ErrorCode::Scene, failure.what(), std::move(problems)};
}

}  // namespace

void throwError() {
    try {
        throw;
    } catch (const Error&) {
        throw;
    } catch (const engine::Error& e) {
        throw Error(codeOf(e.kind()), e.what());
    } catch (const SceneFailure& e) {
        throw sceneError(e);
    } catch (const Failure& e) {
        throw Error(codeOf(e.status()), e.what());
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::OutOfMemory, "the host is out of memory");
    } catch (const std::invalid_argument& e) {
        throw Error(ErrorCode::Argument, e.what());
    } catch (const std::out_of_range& e) {
        throw Error(ErrorCode::Argument, e.what());
    } catch (const std::exception& e) {
        throw Error(ErrorCode::Internal, e.what());
    }
}

Error::Error(ErrorCode code, const std::string& message, std::vector<SceneProblem> problems)
    : std::runtime_error(message), code_(code), problems_(std::move(problems)) {}
Error::Error(const Error&) = default;
Error& Error::operator=(const Error&) = default;
Error::~Error() = default;

std::string Error::key() const { return problems_.empty() ? std::string() : problems_.front().key; }

const char* version() noexcept { return WISP_VERSION; }

}  // namespace wisp
