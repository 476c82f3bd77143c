// SPDX-License-Identifier: MIT
// Lists of frames, as --frames takes them.
#include "app/base/frame_list.h"
#include "files/base/failure.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace wisp::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::size_t> numbers(const std::string& text) { return FrameList("--frames", text).numbers(); }

std::string problem(const std::string& text) {
    try {
        (void)numbers(text);
        return "";
    } catch (const Failure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.what();
    }
}

TEST(FrameList, HasCountsRangesAndSteps) {
    EXPECT_THAT(numbers("3"), ElementsAre(0, 1, 2));
    EXPECT_THAT(numbers("10-13"), ElementsAre(10, 11, 12, 13));
    EXPECT_THAT(numbers("1-8x3"), ElementsAre(1, 4, 7));
    EXPECT_THAT(numbers("5,9,12-14"), ElementsAre(5, 9, 12, 13, 14));
    EXPECT_THAT(numbers("12-14,5"), ElementsAre(5, 12, 13, 14)) << "in order of time";
    EXPECT_THAT(numbers("1-5x2,2-4x2"), ElementsAre(1, 2, 3, 4, 5)) << "ranges may interleave";
    EXPECT_THAT(numbers("7-7"), ElementsAre(7)) << "a single frame, unlike the count 7";
    EXPECT_EQ(numbers("999999-999999").front(), 999999u);
    EXPECT_EQ(numbers("1000000").size(), 1000000u);
}

TEST(FrameList, SaysWhatIsWrong) {
    EXPECT_THAT(problem("20-10"), HasSubstr("20-10 is reversed"));
    EXPECT_THAT(problem("1-5,3"), HasSubstr("3 is twice"));
    EXPECT_THAT(problem("1-5,4-8"), HasSubstr("4 is twice"));
    EXPECT_THAT(problem("1-9x0"), HasSubstr("step of 0"));
    EXPECT_THAT(problem("0"), HasSubstr("no frame"));
    EXPECT_THAT(problem(""), HasSubstr("a number is missing"));
    EXPECT_THAT(problem("1-"), HasSubstr("a number is missing"));
    EXPECT_THAT(problem("1,,2"), HasSubstr("a number is missing"));
    EXPECT_THAT(problem("-5"), HasSubstr("\"-5\" is no number"));
    EXPECT_THAT(problem("a-b"), HasSubstr("\"a-b\" is no number"));
    EXPECT_THAT(problem("1-3y2"), HasSubstr("\"y2\" is not expected"));
    EXPECT_THAT(problem("3x2"), HasSubstr("\"x2\" is not expected"));
    EXPECT_THAT(problem("1000000-1000000"), HasSubstr("end at 999999"));
    EXPECT_THAT(problem("0-99999999999999999999"), HasSubstr("end at 999999"));
    EXPECT_THAT(problem("1 - 3"), HasSubstr("\" - 3\" is not expected"));
    const std::string all = "0-999999,";
    EXPECT_THAT(problem(all + all + "1"), HasSubstr("twice"));
}

TEST(FrameList, TextIsRead) {
    for (const char* text : {"240", "10-20", "7-7", "1-99x2", "5,9,12-14", "1,3", "1-2", "0-4x4,5"}) {
        const FrameList list("--frames", text);
        EXPECT_EQ(FrameList("--frames", list.text()), list) << text << ": " << list.text();
    }
    EXPECT_EQ(FrameList("--frames", "1,3,5,7,9").text(), "1-9x2");
    EXPECT_EQ(FrameList("--frames", "1,2,3,10").text(), "1-3,10");
}

TEST(FrameList, HasChunks) {
    const std::vector<FrameList> parts = FrameList("--frames", "1-10").chunks(4);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].text(), "1-4");
    EXPECT_EQ(parts[2].text(), "9-10");
    EXPECT_EQ(FrameList("--frames", "5").chunks(1).back().text(), "4-4") << "no count";
}

}  // namespace
}  // namespace wisp::app
