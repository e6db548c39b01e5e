// HP-UX's table against an independent listing of the same numbers: the reference table that was
// merged from Linux's, aeriebsd's and Ski's. It is not part of the project; without it these tests
// are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "syscalls/hpux/hpux_calls.h"

namespace hardclock::hpux {
namespace {

// The reference lies in a folder beside the source tree, which the test finds through one of the
// tree's own files: Bazel's runfiles are links to them.
std::filesystem::path reference_file() {
  std::error_code error;
  const auto table = std::filesystem::canonical("syscalls/hpux/hpux.master", error);
  return table.parent_path() / "../../../shared/reference/hpux-syscalls.tsv";
}

struct Row {
  std::string name, other_name, arguments;
};

class Reference : public ::testing::Test {
 protected:
  // A row: number, name, sources, another name, the arguments in C; the first line is the heading.
  void SetUp() override {
    std::ifstream file(reference_file());
    if (!file) GTEST_SKIP() << "no ../shared/reference/hpux-syscalls.tsv beside the source tree";
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream in(line);
      std::vector<std::string> cells;
      for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
      cells.resize(5);
      rows_[static_cast<unsigned>(std::stoul(cells[0]))] = {cells[1], cells[3], cells[4]};
    }
    ASSERT_GT(rows_.size(), 400u) << "the reference has another form";
    rows_.erase(0);  // nosys
  }

  std::map<unsigned, Row> rows_;
};

TEST_F(Reference, HasTheSameNumbersAndNames) {
  for (const auto& [number, row] : rows_) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number << " " << row.name;
    EXPECT_EQ(call->name, row.name) << number;
  }
  EXPECT_EQ(all_calls().size(), rows_.size());
}

std::size_t count_arguments(const std::string& arguments) {
  if (arguments == "void") return 0;
  return 1 + static_cast<std::size_t>(std::count(arguments.begin(), arguments.end(), ','));
}

// It counts the C arguments, which are 32 bits each where it knows them.
TEST_F(Reference, HasTheSameCountOfArguments) {
  unsigned compared = 0;
  for (const auto& [number, row] : rows_) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number;
    if (row.arguments.empty()) continue;
    EXPECT_EQ(call->arguments.size(), count_arguments(row.arguments)) << call->prototype;
    ++compared;
  }
  EXPECT_GT(compared, 130u);
}

}  // namespace
}  // namespace hardclock::hpux
