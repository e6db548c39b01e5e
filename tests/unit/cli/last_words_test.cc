#include "cli/last_words.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

#include "cli/leftovers.h"
#include "cli/output_file.h"
#include "sim/base/check.h"
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
        end_in_order_after_failures();
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
        const LastWords words([&](const char*) { statistics->replace("what there is\n").ok(); });
        fail();
      },
      ExitedWithCode(125), line);
  EXPECT_EQ(content_of(here.at("s.json")), "what there is\n");
  EXPECT_FALSE(fs::exists(here.at("scratch")));
}

void throw_bad_alloc() {
  throw std::bad_alloc();
}

// As nlohmann::json's destructor does.
struct Asks {
  ~Asks() { throw_bad_alloc(); }
};

TEST(LastWordsDeathTest, FollowADestructorWithoutMemory) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("scratch/a"));
  EXPECT_EXIT(
      {
        const Leftover scratch(AT_FDCWD, here.at("scratch"), Leftover::Kind::tree);
        auto statistics = OutputFile::find(here.at("s.json"));
        const LastWords words([&](const char* ending) {
          statistics->replace(ending).ok();
          const Asks again;
        });
        const Asks asks;
      },
      ExitedWithCode(125), "^hardclock: out of memory: [^\n]*\n$");
  EXPECT_EQ(content_of(here.at("s.json")), "out of memory");
  EXPECT_FALSE(fs::exists(here.at("scratch")));
}

void call_where_nobody_may_throw(const std::function<void()>& call) noexcept {
  call();
}

TEST(LastWordsDeathTest, OtherUncaughtExceptionsAbort) {
  EXPECT_EXIT(
      {
        end_in_order_after_failures();
        call_where_nobody_may_throw([] { throw std::runtime_error("a bug"); });
      },
      KilledBySignal(SIGABRT), "a bug");
}

TEST(LastWordsDeathTest, EndWhereTheyFailThemselves) {
  const TemporaryDirectory here;
  fs::create_directories(here.at("scratch"));
  EXPECT_EXIT(
      {
        const Leftover scratch(AT_FDCWD, here.at("scratch"), Leftover::Kind::tree);
        const LastWords words([](const char*) { fail(); });
        fail();
      },
      ExitedWithCode(125), line);
  EXPECT_FALSE(fs::exists(here.at("scratch")));
  EXPECT_EXIT(
      {
        const LastWords words([](const char*) { throw std::runtime_error("no"); });
        fail();
      },
      ExitedWithCode(125), line);
}

TEST(LastWordsDeathTest, AreForgottenWithTheirObject) {
  EXPECT_EXIT(
      {
        {
          const LastWords words([](const char*) { std::_Exit(1); });
        }
        fail();
      },
      ExitedWithCode(125), line);
}

}  // namespace
}  // namespace hardclock
