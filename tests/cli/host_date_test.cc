// The host's date does not reach the guest: a run under another one, which faketime(1) pretends,
// gives the same bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class HostDate : public CommandTest {
 protected:
  // What the guest prints and what hardclock writes, under a date; empty: today's.
  std::vector<std::string> run_under(const std::string& date) const {
    std::filesystem::remove(path("first"));
    std::filesystem::remove(path("second"));
    std::vector<std::string> words = {hardclock_path(),   "run",         "--stats=s.json",
                                      "--profile=p.json", "--explain=e", guest("filetimes")};
    if (!date.empty()) words.insert(words.begin(), {"faketime", date});
    const Finished finished = other_program(words);
    EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
    return {finished.out, read("s.json"), read("p.json"), read("e")};
  }
};

TEST_F(HostDate, ChangesNothing) {
  const Finished year = other_program({"faketime", "2031-05-06 07:08:09", "date", "+%Y"});
  ASSERT_EQ(year.out, "2031\n") << year.err;
  const auto today = run_under("");
  EXPECT_EQ(run_under("2031-05-06 07:08:09"), today);
  EXPECT_EQ(run_under("1999-12-31 23:59:59"), today);
}

}  // namespace
}  // namespace hardclock::cli_test
