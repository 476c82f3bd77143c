// SPDX-License-Identifier: MIT
#include "app/options.h"
#include "engine/error.h"

#include <fmt/core.h>

#include <csignal>
#include <new>

namespace {

using wisp::app::Exit;

Exit statusOf(wisp::engine::ErrorKind kind) {
    switch (kind) {
        case wisp::engine::ErrorKind::NoDevice: return Exit::NoDevice;
        case wisp::engine::ErrorKind::OutOfMemory: return Exit::OutOfMemory;
        case wisp::engine::ErrorKind::DeviceLost: return Exit::DeviceLost;
        case wisp::engine::ErrorKind::Shader:
        case wisp::engine::ErrorKind::Validation:
        case wisp::engine::ErrorKind::Vulkan: break;
    }
    return Exit::Failed;
}

Exit run(int argc, char** argv) {
    try {
        return wisp::app::runCommandLine(argc, argv);
    } catch (const wisp::app::SceneFailure& e) {
        fmt::print(stderr, "{}\n", e.what());  // lines of file:line:column, as editors read them
        return e.status();
    } catch (const wisp::app::Failure& e) {
        fmt::print(stderr, "wisp: {}\n", e.what());
        return e.status();
    } catch (const wisp::engine::Error& e) {
        fmt::print(stderr, "wisp: {}\n", e.what());
        return statusOf(e.kind());
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "wisp: the host is out of memory\n");
        return Exit::OutOfMemory;
    } catch (const std::exception& e) {
        fmt::print(stderr, "wisp: {}\n", e.what());
        return Exit::Failed;
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error of `write`, not the end
    return static_cast<int>(run(argc, argv));
}
