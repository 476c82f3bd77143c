// SPDX-License-Identifier: MIT
// A library that makes calls to the host fail, for tests of the shipped program. It is loaded by LD_PRELOAD and affects only wisp, not its
// child processes.
//
//   WISP_HOST_FAULT=CALL:N:WHAT   The N-th call (from 1) fails; N+: all calls from the N-th on. WHAT is an errno, or SIGINT. CALL is one of
//     open, write, close, rename  on files in the working folder or below it
//     new                         called by the program and libwisp.so, from the start of main on. Calls by other libraries do not count.
//                                 They may use templates of the standard library that an unoptimised program exports; their frames let
//                                 no exception pass. If they are on the stack at the N-th call, the next call without them fails.
//     large                       like new, for at least 16 KiB
//     thread                      start of a thread
//     none                        nothing fails
//   WISP_FAULT_LOG=FILE           Gets the lines "calls CALL COUNT" at the end.
#include "tests/faults/fault.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <exception>
#include <link.h>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <string>
#include <unwind.h>
#include <utility>

namespace wisp::test {
namespace {

constexpr std::size_t kLarge = 16 * 1024;

bool isWisp() {
    static const bool is = std::string_view(program_invocation_short_name) == "wisp";
    return is;
}

/// The fault and the counters. It allocates no memory, because `new` is one of the calls.
struct Host {
    char call[16] = {};
    long first = 0;
    bool onwards = false;
    std::atomic<bool> struck{false};
    int what = 0, signal = 0;
    std::atomic<long> opens{0}, writes{0}, closes{0}, renames{0}, news{0}, larges{0}, threads{0};

    /// Address range of the code of a library or of the program.
    struct Code {
        std::uintptr_t begin = 0, end = 0;
        [[nodiscard]] bool holds(std::uintptr_t at) const { return at >= begin && at < end; }
    };
    Code program, library, standard, c, self;

    Host() {
        const Fault fault = readFault("WISP_HOST_FAULT");
        std::strncpy(call, fault.call.c_str(), sizeof call - 1);
        first = fault.first;
        onwards = fault.onwards;
        what = fault.what;
        signal = fault.signal;
        program = codeOf("");
        library = codeOf("libwisp.so");
        standard = codeOf(reinterpret_cast<std::uintptr_t>(&std::terminate));
        c = codeOf(reinterpret_cast<std::uintptr_t>(&std::abort));
        self = codeOf(reinterpret_cast<std::uintptr_t>(&writeLog));
        if (isWisp()) std::atexit(writeLog);
    }
    static void writeLog();

    static Code executable(const dl_phdr_info& info, auto&& accepts) {
        for (int i = 0; i < info.dlpi_phnum; ++i) {
            const ElfW(Phdr)& segment = info.dlpi_phdr[i];
            if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
            const Code code{info.dlpi_addr + segment.p_vaddr, info.dlpi_addr + segment.p_vaddr + segment.p_memsz};
            if (accepts(code)) return code;
        }
        return {};
    }

    /// Code that contains an address.
    static Code codeOf(std::uintptr_t address) {
        std::pair<std::uintptr_t, Code> found{address, {}};
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* data) {
                auto& [at, code] = *static_cast<std::pair<std::uintptr_t, Code>*>(data);
                code = executable(*info, [&](const Code& c) { return c.holds(at); });
                return code.end == 0 ? 0 : 1;
            },
            &found);
        return found.second;
    }

    /// Code of the first file whose path contains `name`. The program has no path and comes first.
    static Code codeOf(const char* name) {
        std::pair<const char*, Code> found{name, {}};
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* data) {
                auto& [part, code] = *static_cast<std::pair<const char*, Code>*>(data);
                if (!std::strstr(info->dlpi_name, part)) return 0;
                code = executable(*info, [](const Code&) { return true; });
                return 1;
            },
            &found);
        return found.second;
    }

    [[nodiscard]] bool isWispCode(std::uintptr_t at) const { return program.holds(at) || library.holds(at); }

    bool strikes(const char* name, std::atomic<long>& count) {
        return strikes(name, count, [] { return true; });
    }
    /// Counts a call, and returns whether it fails: call number `first`, or the next one for which `may()` returns true. It is asked only
    /// then, because it is slow for allocations.
    template <typename May>
    bool strikes(const char* name, std::atomic<long>& count, May&& may) {
        const long n = ++count;
        if (first == 0 || std::strcmp(name, call) != 0 || n < first || (!onwards && struck) || !may()) return false;
        if (struck.exchange(true) && !onwards) return false;
        if (signal != 0) return ::raise(signal), false;
        errno = what;
        return true;
    }
};

Host& host() {
    alignas(Host) static char place[sizeof(Host)];
    static Host* const h = new (place) Host;
    return *h;
}

std::atomic<bool> ready{false};  // set when main has started: before, no handler could catch the exception

__attribute__((constructor)) void begin() { host(); }

void Host::writeLog() {
    Host& h = host();
    std::string text;
    for (const auto& [name, count] : {std::pair<const char*, long>{"open", h.opens},
                                      {"write", h.writes},
                                      {"close", h.closes},
                                      {"rename", h.renames},
                                      {"new", h.news},
                                      {"large", h.larges},
                                      {"thread", h.threads}})
        text += std::string("calls ") + name + " " + std::to_string(count) + "\n";
    ready = false;
    appendToLog(text);
}

bool isBelow(const char* path) {
    char folder[PATH_MAX];
    if (!::getcwd(folder, sizeof folder)) return false;
    return path[0] != '/' || std::string_view(path).starts_with(folder);
}

bool isBelow(int file) {
    char link[32], path[PATH_MAX];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t n = ::readlink(link, path, sizeof path - 1);
    if (n <= 0) return false;
    path[n] = 0;
    return path[0] == '/' && isBelow(static_cast<const char*>(path));
}

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// Whether all frames from here up to the start of the thread belong to the program, libwisp.so or the standard library.
bool isOurs() {
    bool ours = true;
    _Unwind_Backtrace(
        [](_Unwind_Context* frame, void* answer) {
            const std::uintptr_t at = _Unwind_GetIP(frame);
            const Host& h = host();
            if (h.isWispCode(at) || h.standard.holds(at) || h.self.holds(at)) return _URC_NO_REASON;
            *static_cast<bool*>(answer) = h.c.holds(at);
            return _URC_END_OF_STACK;
        },
        &ours);
    return ours;
}

void* allocate(std::size_t bytes, const void* caller) {
    if (ready && isWisp() && host().isWispCode(reinterpret_cast<std::uintptr_t>(caller))) {
        const bool few = host().strikes("new", host().news, isOurs);
        if (few || (bytes >= kLarge && host().strikes("large", host().larges, isOurs))) return nullptr;
    }
    return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace
}  // namespace wisp::test

using wisp::test::host;

void* operator new(std::size_t bytes) {
    if (void* const p = wisp::test::allocate(bytes, __builtin_return_address(0))) return p;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) {
    if (void* const p = wisp::test::allocate(bytes, __builtin_return_address(0))) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

extern "C" {

sighandler_t signal(int number, sighandler_t handler) noexcept {
    wisp::test::ready = true;  // main calls signal() first
    static const auto below = wisp::test::real<sighandler_t (*)(int, sighandler_t)>("signal");
    return below(number, handler);
}

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    const bool ours = wisp::test::isWisp() && (flags & (O_WRONLY | O_RDWR)) != 0 && wisp::test::isBelow(path);
    if (ours && host().strikes("open", host().opens)) return -1;
    static const auto below = wisp::test::real<int (*)(const char*, int, ...)>("open");
    return below(path, flags, mode);
}

ssize_t write(int file, const void* bytes, std::size_t count) {
    if (wisp::test::isWisp() && wisp::test::isBelow(file) && host().strikes("write", host().writes)) return -1;
    static const auto below = wisp::test::real<ssize_t (*)(int, const void*, std::size_t)>("write");
    return below(file, bytes, count);
}

int close(int file) {
    static const auto below = wisp::test::real<int (*)(int)>("close");
    const bool struck = wisp::test::isWisp() && wisp::test::isBelow(file) && host().strikes("close", host().closes);
    const int what = errno, result = below(file);  // the file is closed in any case
    if (!struck) return result;
    errno = what;
    return -1;
}

int rename(const char* from, const char* to) {
    if (wisp::test::isWisp() && wisp::test::isBelow(to) && host().strikes("rename", host().renames)) return -1;
    static const auto below = wisp::test::real<int (*)(const char*, const char*)>("rename");
    return below(from, to);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    Dl_info info{};  // std::thread calls pthread_create from libstdc++
    const bool ours = wisp::test::isWisp() && ::dladdr(__builtin_return_address(0), &info) != 0 && info.dli_fname &&
                      std::strstr(info.dli_fname, "libstdc++");
    if (ours && host().strikes("thread", host().threads)) return EAGAIN;
    static const auto below = wisp::test::real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    return below(thread, attributes, start, argument);
}
}
