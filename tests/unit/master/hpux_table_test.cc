// HP-UX's table against an independent listing of the same numbers, hpux_reference.tsv, which says
// where they are from.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "syscalls/hpux/hpux_calls.h"
#include "tests/unit/master/reference_rows.h"

namespace hardclock::hpux {
namespace {

struct Row {
  std::string name, arguments;
};

class HpuxReference : public ::testing::Test {
 protected:
  // A row: number, name, where it was seen, count of arguments.
  HpuxReference() {
    for (const auto& row : master::reference_rows("hpux_reference.tsv", 4)) {
      rows_[static_cast<unsigned>(std::stoul(row[0]))] = {row[1], row[3]};
    }
    EXPECT_EQ(rows_.size(), 456U);
    rows_.erase(0);  // nosys
  }

  std::map<unsigned, Row> rows_;
};

TEST_F(HpuxReference, HasTheSameNumbersAndNames) {
  for (const auto& [number, row] : rows_) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number << " " << row.name;
    EXPECT_EQ(call->name, row.name) << number;
  }
  EXPECT_EQ(all_calls().size(), rows_.size());
}

// It counts the C arguments, which are 32 bits each where it knows them.
TEST_F(HpuxReference, HasTheSameCountOfArguments) {
  unsigned compared = 0;
  for (const auto& [number, row] : rows_) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number;
    if (row.arguments.empty()) continue;
    EXPECT_EQ(call->arguments.size(), std::stoul(row.arguments)) << call->prototype;
    ++compared;
  }
  EXPECT_GT(compared, 130u);
}

}  // namespace
}  // namespace hardclock::hpux
