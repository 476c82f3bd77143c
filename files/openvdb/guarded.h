// SPDX-License-Identifier: MIT
#pragma once

#include <openvdb/openvdb.h>

#include <exception>
#include <mutex>
#include <new>
#include <string>

namespace wisp::app {

/// Runs the work of a function that the module exports. `error` gets the message of an exception. Types of exceptions of
/// libraries stay in the module: only std::bad_alloc leaves it.
template <class Work>
void guarded(std::string& error, Work work) {
    try {
        static std::once_flag once;
        std::call_once(once, [] { openvdb::initialize(); });
        work();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        error = e.what();
    }
}

}  // namespace wisp::app
