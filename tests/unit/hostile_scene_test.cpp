// SPDX-License-Identifier: MIT
// Errors in scene reading that fuzzing and random tests found (see tests/fuzz, tests/properties).
#include "files/scene/scene.h"

#include <gtest/gtest.h>

namespace wisp::app {
namespace {

TEST(HostileScene, AMisspeltValueCausesNoOtherErrors) {
    for (const char* text :
         {"[grid]\ncells = [8, 8, 8]\nsize = \"1\"\n", "[[light]]\ntype = \"sopt\"\nangle = 30\n",
          "[[emitter]]\nshape = \"bx\"\nhalf = [1, 1, 1]\n", "[view]\nfield = \"sped\"\nslice = \"x\"\n", "[flow]\nviscosity = inf\n"}) {
        try {
            parseScene(text, "t.toml");
            ADD_FAILURE() << text;
        } catch (const SceneFailure& e) {
            EXPECT_EQ(e.errors().size(), 1u) << e.what();
        }
    }
}

TEST(HostileScene, HugeGridIsRefusedWithoutOverflow) {
    const SceneOptions ultra{.quality = QualityLevel::Ultra};  // 2 * (2^31 + 4) is 8 in 32 bits
    EXPECT_THROW(parseScene("[grid]\ncells = [2147483652, 2147483652, 2147483652]\nsize = [1, 1, 1]\n", "t.toml", ultra), SceneFailure);
}

TEST(HostileScene, EndlessFileIsRefused) { EXPECT_THROW(loadScene("/dev/zero"), SceneFailure); }

}  // namespace
}  // namespace wisp::app
