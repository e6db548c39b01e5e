#include "sim/cli/last_words.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "sim/base/check.h"
#include "sim/cli/leftovers.h"
#include "sim/cli/output_file.h"
#include "tests/unit/cli/temporary_file.h"

namespace hardclock {
namespace {

namespace fs = std::filesystem;
using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;
using testing::TemporaryDirectory;

constexpr const char* line = "hardclock: internal error: .*last_words_test.cc:.*please report this";

void fail() {
  CHECK(1 + 1 == 3);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(LastWordsDeathTest, WithoutThemACheckAborts) {
  EXPECT_EXIT(fail(), KilledBySignal(SIGABRT), line);
}

TEST(LastWordsDeathTest, EndInOrder) {
  EXPECT_EXIT(
      {
        end_in_order_after_failed_checks();
        fail();
      },
      ExitedWithCode(125), line);
}

TEST(LastWordsDeathTest, WriteWhatIsKnownAndLeaveNothingBehind) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("scratch/a"));
  EXPECT_EXIT(
      {
        const Leftover scratch(AT_FDCWD, here.at("scratch"), Leftover::Kind::tree);
        auto statistics = OutputFile::find(here.at("s.json"));
        const LastWords words([&] { statistics->replace("what there is\n").ok(); });
        fail();
      },
      ExitedWithCode(125), line);
  EXPECT_EQ(content_of(here.at("s.json")), "what there is\n");
  EXPECT_FALSE(fs::exists(here.at("scratch")));
}

TEST(LastWordsDeathTest, EndWhereTheyFailThemselves) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("scratch"));
  EXPECT_EXIT(
      {
        const Leftover scratch(AT_FDCWD, here.at("scratch"), Leftover::Kind::tree);
        const LastWords words(fail);
        fail();
      },
      ExitedWithCode(125), line);
  EXPECT_FALSE(fs::exists(here.at("scratch")));
  EXPECT_EXIT(
      {
        const LastWords words([] { throw std::runtime_error("no"); });
        fail();
      },
      ExitedWithCode(125), line);
}

TEST(LastWordsDeathTest, AreForgottenWithTheirObject) {
  EXPECT_EXIT(
      {
        {
          const LastWords words([] { std::_Exit(1); });
        }
        fail();
      },
      ExitedWithCode(125), line);
}

}  // namespace
}  // namespace hardclock
