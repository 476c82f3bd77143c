// SPDX-License-Identifier: MIT
// The Debian packages, without the Python module: made by cpack, and installed by dpkg into an empty folder. scripts/packages.sh installs
// all packages in a whole Debian.
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <sstream>
#include <string_view>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::MatchesRegex;
using testing::Not;
using testing::UnorderedElementsAre;

class Packages : public testing::Test {
protected:
    void SetUp() override {
        // Not compressed, which takes most of the time.
        const Outcome o = run(WISP_CPACK " --config " WISP_BUILD_DIR
                                         "/CPackConfig.cmake -B \"$PWD/made\" -D CPACK_DEBIAN_COMPRESSION_TYPE=none");
        ASSERT_EQ(o.status, 0) << o.output << o.errors;
    }
    Outcome run(const std::string& command) { return runShell(command, scratch.path()); }
    std::string field(const std::string& package, const std::string& name) {
        const Outcome o = run("dpkg-deb --field made/" + package + "_*.deb " + name);
        EXPECT_EQ(o.status, 0) << o.errors;
        return o.output;
    }
    ScratchFolder scratch;
};

std::vector<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
}

TEST_F(Packages, InstallRunAndDisappear) {
    const Outcome list = run("ls made/*.deb | sed 's,made/\\([^_]*\\)_.*,\\1,'");
    ASSERT_THAT(lines(list.output), UnorderedElementsAre("libwisp0.1", "libwisp-dev", "wisp", "wisp-openvdb"));

    EXPECT_THAT(field("libwisp0.1", "Depends"), HasSubstr("libvulkan1"));
    EXPECT_THAT(field("libwisp0.1", "Depends"), HasSubstr("libc6 (>="));
    EXPECT_THAT(field("libwisp0.1", "Depends"), HasSubstr("libpng16"));
    EXPECT_THAT(field("libwisp0.1", "Recommends"), HasSubstr("mesa-vulkan-drivers | vulkan-icd"));
    EXPECT_THAT(field("libwisp-dev", "Depends"), MatchesRegex("libwisp0\\.1 \\(= [0-9.]+\\)\n"));
    EXPECT_THAT(field("wisp", "Depends"), AllOf(HasSubstr("libglfw3"), HasSubstr("libwisp0.1 (= ")));
    EXPECT_THAT(field("wisp-openvdb", "Depends"), HasSubstr("libopenvdb"));
    EXPECT_EQ(field("wisp", "Section") + field("libwisp0.1", "Section") + field("libwisp-dev", "Section"), "graphics\nlibs\nlibdevel\n");

    Outcome o = run(
        "mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates && touch root/var/lib/dpkg/status && dpkg --root=\"$PWD/root\" "
        "--log=log "
        "--force-not-root --force-depends --force-script-chrootless --install made/*.deb");
    ASSERT_EQ(o.status, 0) << o.output << o.errors;
    const std::string lib = "root/usr/" WISP_LIBDIR "/", share = "root/usr/share/";
    EXPECT_THAT(
        scratch.files(),
        IsSupersetOf({lib + "pkgconfig/wisp.pc", lib + "cmake/wisp/wisp-config.cmake", std::string("root/usr/bin/wisp"),
                      std::string("root/usr/lib/wisp/wisp_openvdb.so"), std::string("root/usr/include/wisp/wisp.h"),
                      share + "man/man1/wisp.1.gz", share + "applications/wisp.desktop", share + "icons/hicolor/scalable/apps/wisp.svg",
                      share + "bash-completion/completions/wisp", share + "zsh/vendor-completions/_wisp",
                      share + "fish/vendor_completions.d/wisp.fish", share + "wisp/scenes/smoke.toml", share + "doc/libwisp0.1/copyright",
                      share + "doc/libwisp-dev/changelog.gz", share + "doc/wisp-openvdb/copyright", share + "doc/wisp/copyright"}));
    EXPECT_EQ(run("cmp " + lib + "libwisp.so " + lib + "libwisp.so.0.1").status, 0);  // links
    EXPECT_EQ(run("LD_LIBRARY_PATH=" + lib + " root/usr/bin/wisp check smoke").status, 0);
    o = run("gzip -dc root/usr/share/man/man1/wisp.1.gz | mandoc -T lint -W all");
    EXPECT_EQ(o.output + o.errors, "");

    // Nothing of the machine that built them: neither folders to search for libraries nor names of source files.
    EXPECT_THAT(run("readelf -d root/usr/bin/wisp " + lib + "libwisp.so root/usr/lib/wisp/wisp_openvdb.so").output, Not(HasSubstr("PATH")));
    if (std::string_view(WISP_SANITIZER).empty()) {  // a sanitizer keeps names of source files
        EXPECT_EQ(run("grep -rlF -e " + sourceFolder() + " -e " WISP_BUILD_DIR " root/usr").output, "");
    }
    EXPECT_EQ(run("find root/usr -not -user \"$(id -un)\" -o -type d -not -perm 755 -o -type f -not -perm 644 -not -perm 755").output, "");

    o = run(
        "dpkg --root=\"$PWD/root\" --log=log --force-not-root --force-script-chrootless --purge libwisp-dev wisp wisp-openvdb libwisp0.1");
    EXPECT_EQ(o.status, 0) << o.output << o.errors;
    EXPECT_EQ(run("find root -iname '*wisp*'").output, "");
}

}  // namespace
}  // namespace wisp::test
