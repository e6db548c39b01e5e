// Names of any bytes in the files of viewers. UTF-8 by Unicode's table 3-7.
#include "sim/report/viewers/text.h"

#include <gtest/gtest.h>

namespace hardclock::report {
namespace {

constexpr const char* wrong_byte = "\xef\xbf\xbd";

TEST(PlainText, KeepsUtf8) {
  EXPECT_EQ(plain_text("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
            "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

// Too long a form of '/', a surrogate, beyond U+10FFFF, and a sequence that ends early.
TEST(PlainText, ReplacesWhatIsNoUtf8) {
  const std::string w = wrong_byte;
  EXPECT_EQ(plain_text("\xc0\xaf"), w + w);
  EXPECT_EQ(plain_text("\xed\xa0\x80"), w + w + w);
  EXPECT_EQ(plain_text("\xf4\x90\x80\x80"), w + w + w + w);
  EXPECT_EQ(plain_text("x\xe2\x82"), "x" + w + w);
}

// ESC, a newline, DEL, a C1 control, U+202E (right to left), U+FFFF.
TEST(PlainText, ReplacesControls) {
  EXPECT_EQ(plain_text("a\x1b\n\x7f\xc2\x9b\xe2\x80\xae\xef\xbf\xbf"), "a??????");
}

TEST(JsonText, Escapes) {
  EXPECT_EQ(json_text("a\"\\\n"), R"("a\"\\?")");
}

TEST(MarkupText, Escapes) {
  EXPECT_EQ(markup_text("<a href='\"'>&"), "&lt;a href=&#39;&quot;&#39;&gt;&amp;");
}

TEST(Shortened, CountsCharacters) {
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9", 2), "\xc3\xa9\xe2\x80\xa6");
}

}  // namespace
}  // namespace hardclock::report
