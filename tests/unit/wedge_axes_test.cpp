// SPDX-License-Identifier: MIT
// The values of a wedge (--set-each), and all of their combinations.
#include "app/wedge/axes.h"

#include "files/base/failure.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> valuesOf(const std::string& text) { return wedgeAxes({text}).at(0).values; }

std::string refusal(const std::vector<std::string>& setEach) {
    try {
        (void)wedgeAxes(setEach);
    } catch (const Failure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.what();
    }
    return "accepted";
}

TEST(WedgeAxes, ListsKeepTheirTexts) {
    EXPECT_THAT(valuesOf("flow.vorticity=0.2,0.40,8e-1"), ElementsAre("0.2", "0.40", "8e-1"));
    EXPECT_THAT(valuesOf("flow.gravity=[0, -1, 0],[0, -2, 0]"), ElementsAre("[0, -1, 0]", "[0, -2, 0]"));
    EXPECT_THAT(valuesOf("name=\"a, b\",c"), ElementsAre("\"a, b\"", "c"));
    EXPECT_THAT(valuesOf("obstacle[0].file=a:b:3"), ElementsAre("a:b:3"));  // no number before the colon
}

TEST(WedgeAxes, RangesAreEvenlySpacedAndIncludeBothEnds) {
    EXPECT_THAT(valuesOf("pressure.iterations=1:4:4"), ElementsAre("1", "2", "3", "4"));
    EXPECT_THAT(valuesOf("pressure.iterations=4:1:4"), ElementsAre("4", "3", "2", "1"));
    EXPECT_THAT(valuesOf("flow.vorticity=0.2:0.8:4"), ElementsAre("0.2", "0.4", "0.6", "0.8"));
    EXPECT_THAT(valuesOf("flow.vorticity=-0.3:0.3:7"), ElementsAre("-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"));
    EXPECT_THAT(valuesOf("flow.vorticity=0:1:2,4"), ElementsAre("0", "1", "4"));
    // Not whole: a key that needs whole numbers refuses 2.5 when the scene is read.
    EXPECT_THAT(valuesOf("pressure.iterations=1:4:3"), ElementsAre("1", "2.5", "4"));
    EXPECT_THAT(valuesOf("seed=0:4294967295:2"), ElementsAre("0", "4294967295"));
    EXPECT_THAT(valuesOf("seed=0:3000000000:4"), ElementsAre("0", "1000000000", "2000000000", "3000000000"));  // no exponent
}

TEST(WedgeAxes, BadTextsAreRefused) {
    for (const char* text : {"flow.vorticity", "flow.vorticity=", "=1,2", "flow.vorticity=1,,2", "flow.vorticity=1,"})
        EXPECT_THAT(refusal({text}), AllOf(HasSubstr(text), HasSubstr("KEY=FROM:TO:COUNT"))) << text;
    for (const char* range : {"1:4", "1:4:", "1:4:1", "1:4:0", "1:4:-3", "1:4:2.5", "1:4:4:4", "1::4", "1:x:4", "1:inf:4", "1:nan:4"})
        EXPECT_THAT(refusal({std::string("flow.vorticity=") + range}), AllOf(HasSubstr(range), HasSubstr("a count of at least 2")))
            << range;
    EXPECT_THAT(refusal({"seed=1,2", "flow.vorticity=1,2", "seed=3"}), AllOf(HasSubstr("seed=3"), HasSubstr("given twice")));
}

TEST(WedgeAxes, TheFirstKeyVariesSlowest) {
    const std::vector<KeyValues> axes = wedgeAxes({"a=1,2", "b=x,y,z"});
    ASSERT_EQ(memberCount(axes), 6u);
    std::vector<std::string> all;
    for (std::size_t n = 0; n < 6; ++n) all.push_back(valuesOfMember(axes, n)[0] + valuesOfMember(axes, n)[1]);
    EXPECT_THAT(all, ElementsAre("1x", "1y", "1z", "2x", "2y", "2z"));
}

TEST(WedgeAxes, EnormousWedgesAreRefusedWithTheirCount) {
    EXPECT_EQ(memberCount(wedgeAxes({"a=0:1:100", "b=0:1:100"})), kMaxMembers);
    EXPECT_THAT(refusal({"a=0:1:100", "b=0:1:101"}), AllOf(HasSubstr("10100 members"), HasSubstr("at most 10000")));
    // Nothing may be allocated for these: a list of 10^9 texts would take 32 GB.
    EXPECT_THAT(refusal({"a=0:1:1000", "b=0:1:1000", "c=0:1:1000"}), HasSubstr("have 1000000000 members"));
    EXPECT_THAT(refusal({"a=0:1:1000000000"}), HasSubstr("have 1000000000 members"));
    EXPECT_THAT(refusal({"a=0:1:999999999,5"}), HasSubstr("have 1000000000 members"));
    EXPECT_THAT(refusal({"a=0:1:18446744073709551614", "b=1,2"}), HasSubstr("more than 18446744073709551614"));
    EXPECT_THAT(refusal({"a=0:1:99999999999999999999999"}), HasSubstr("more than 18446744073709551614"));
    EXPECT_THAT(refusal({"a=0:1:4294967296", "b=0:1:4294967296"}), HasSubstr("more than"));  // the product is 2^64
}

}  // namespace
}  // namespace wisp::app
