// SPDX-License-Identifier: MIT
#include "files/base/own_file.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace wisp {
namespace {

namespace fs = std::filesystem;

OwnFile find() {
    std::error_code ignored;
    Dl_info info;
    link_map* map = nullptr;
    const auto* const here = reinterpret_cast<const void*>(&ownFile);
    const bool known = dladdr1(here, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 && map != nullptr;
    // The loader does not know the path of a program, only that of its libraries.
    if (!known || map->l_name[0] == '\0') return {fs::read_symlink("/proc/self/exe", ignored), false};
    return {fs::canonical(map->l_name, ignored), true};
}

}  // namespace

const OwnFile& ownFile() {
    static const OwnFile found = find();
    return found;
}

}  // namespace wisp
