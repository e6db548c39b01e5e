// What mastergen makes of sample.master, and how it is listed. The expectations are sample.master
// read by the rules of syscalls/master/README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "syscalls/master/listing.h"
#include "tests/unit/master/sample_calls.h"

namespace hardclock {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Generated, FindsCallsAndRequests) {
  const CallInfo* const read = sample::find_call(2, std::nullopt);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->name, "read");
  EXPECT_EQ(read->state, CallState::done);
  EXPECT_EQ(read->prototype, "int read(fd file, out(count) buffer, size count)");
  EXPECT_EQ(read->arguments[1].size_argument, 2u);
  EXPECT_EQ(read->slot_count, 3u);
  EXPECT_FALSE(read->is_multiplexed());

  const CallInfo* const first = sample::find_call(20, 1);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->name, "first");
  EXPECT_FALSE(first->is_multiplexed());

  const CallInfo* const kill = sample::find_call(5, std::nullopt);
  ASSERT_NE(kill, nullptr);
  EXPECT_EQ(kill->note, "process groups are missing");
}

TEST(Generated, FindsNothingElse) {
  EXPECT_EQ(sample::find_call(0, std::nullopt), nullptr);
  EXPECT_EQ(sample::find_call(14, std::nullopt), nullptr);
  EXPECT_EQ(sample::find_call(4000000000u, std::nullopt), nullptr);
  EXPECT_EQ(sample::find_call(20, 3), nullptr);
  EXPECT_EQ(sample::find_call(2, 0), nullptr);
}

TEST(Generated, AMultiplexedCallHasTheSlotsOfItsLargestRequest) {
  const CallInfo* const call = sample::find_call(20, std::nullopt);
  ASSERT_NE(call, nullptr);
  EXPECT_TRUE(call->is_multiplexed());
  EXPECT_EQ(call->selector, 0u);
  EXPECT_EQ(call->slot_count, 5u);
  EXPECT_EQ(sample::find_call(20, 1)->slot_count, 3u);
}

TEST(Generated, TheSelectorCanBeAnySlot) {
  EXPECT_EQ(sample::find_call(21, std::nullopt)->selector, 2u);
  EXPECT_EQ(sample::find_call(21, 0)->selector, 2u);
  EXPECT_EQ(sample::find_call(21, 0)->slot_count, 3u);  // the selector lies behind the argument
  EXPECT_EQ(sample::find_call(21, 2)->slot_count, 3u);
}

TEST(Generated, WideAndOpenArgumentsCountTheirSlots) {
  EXPECT_EQ(sample::find_call(8, std::nullopt)->slot_count, 5u);
  EXPECT_EQ(sample::find_call(12, std::nullopt)->slot_count, max_call_slots);
  EXPECT_EQ(sample::find_call(6, std::nullopt)->second_result->name, "ppid");
}

TEST(Generated, MacrosListWhatNeedsAHandler) {
  std::vector<std::pair<unsigned, std::string>> calls;
#define ADD(number, name) calls.emplace_back(number, #name);
  HARDCLOCK_SAMPLE_CALLS(ADD)
#undef ADD
  using Pair = std::pair<unsigned, std::string>;
  EXPECT_THAT(calls, ElementsAre(Pair(1, "leave"), Pair(2, "read"), Pair(3, "write"),
                                 Pair(4, "open"), Pair(5, "kill"), Pair(6, "getpid"),
                                 Pair(8, "lseek64"), Pair(9, "umask"), Pair(11, "brk")));

  std::vector<std::tuple<unsigned, unsigned, std::string>> requests;
#define ADD(number, subcode, name) requests.emplace_back(number, subcode, #name);
  HARDCLOCK_SAMPLE_SUBCALLS(ADD)
#undef ADD
  EXPECT_THAT(requests, ElementsAre(std::tuple(20u, 1u, "first")));
}

TEST(Listing, ShowsNumberStatePrototypeAndNote) {
  const std::string text = to_text(sample::all_calls(), "sample");
  EXPECT_THAT(text, StartsWith("number    state    call\n"
                               "1         done     none leave(int status)\n"));
  EXPECT_THAT(text, HasSubstr("\n5         partial  int kill(pid process, signal signal)\n"
                              "                   process groups are missing\n"
                              "6         done     pid getpid() + pid ppid\n"));
  EXPECT_THAT(text, HasSubstr("\n20.1      done     hex first(ptr buffer, hex flags)\n"));
}

// By hand: done 1 2 3 4 6 8 9 11 12 20.1; partial 5; missing 7 10 13 20.2 21.0 21.2. The
// multiplexed calls 20 and 21 count as their requests.
TEST(Listing, CountsTheStates) {
  EXPECT_THAT(to_text(sample::all_calls(), "sample"),
              EndsWith("\nsample: 10 done, 1 partial, 6 missing\n"));
  EXPECT_THAT(to_text({}, "nothing"), EndsWith("\nnothing: 0 done, 0 partial, 0 missing\n"));
}

}  // namespace
}  // namespace hardclock
