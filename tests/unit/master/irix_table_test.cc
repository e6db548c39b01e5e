// IRIX's table against an independent listing of the same numbers: the reference document that was
// made by disassembling the stubs in SGI's libc and from NetBSD's and qemu-irix's tables. It is not
// part of the project; without it these tests are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "syscalls/irix/irix_calls.h"

namespace hardclock::irix {
namespace {

// The reference lies in a folder beside the source tree, which the test finds through one of the
// tree's own files: Bazel's runfiles are links to them.
std::filesystem::path reference_file() {
  std::error_code error;
  const auto table = std::filesystem::canonical("syscalls/irix/syscalls.master", error);
  return table.parent_path() / "../../../shared/reference/irix-abi.md";
}

constexpr unsigned syssgi_number = 1040, sysmp_number = 1056, prctl_number = 1130;

// A row of the reference's section 3.1.
struct Row {
  std::set<std::string> names;
  std::string slots;  // "?" if unknown
};

class Reference : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(reference_file());
    if (!file) GTEST_SKIP() << "no ../shared/reference/irix-abi.md beside the source tree";
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }

  // The lines from the heading that begins with `from` to the next one that begins with `to`.
  std::vector<std::string> section(const std::string& from, const std::string& to) const {
    const auto begins_with = [](const std::string& text) {
      return [&text](const std::string& line) { return line.starts_with(text); };
    };
    const auto first = std::find_if(lines_.begin(), lines_.end(), begins_with(from));
    return {first, std::find_if(first, lines_.end(), begins_with(to))};
  }

  std::map<unsigned, Row> calls() const {
    const std::regex row(R"(^\| (1\d\d\d) \| ([^|]*) \| (\d+|\?) \|.*)");
    std::map<unsigned, Row> out;
    for (const std::string& line : section("### 3.1", "Holes")) {
      std::smatch match;
      if (!std::regex_match(line, match, row)) continue;
      Row& entry = out[static_cast<unsigned>(std::stoul(match[1]))];
      entry.slots = match[3];
      const std::string names = match[2];
      const std::regex name(R"([A-Za-z_][A-Za-z0-9_]*)");
      for (std::sregex_iterator i(names.begin(), names.end(), name), end; i != end; ++i) {
        entry.names.insert(i->str());
      }
    }
    return out;
  }

  std::vector<std::string> lines_;
};

std::vector<const CallInfo*> requests_of(unsigned number) {
  std::vector<const CallInfo*> out;
  for (const CallInfo& call : all_calls()) {
    if (call.number == number && call.subcode) out.push_back(&call);
  }
  return out;
}

bool has_unknown_arguments(const CallInfo& call) {
  return !call.arguments.empty() && call.arguments.back().kind == ValueKind::unknown;
}

// Names by which libc and the reference know a call that the table names as programs write it.
std::string reference_name(std::string_view name) {
  if (name == "exit") return "_exit";
  if (name == "BSDgettimeofday") return "BSD_getime";
  return std::string(name);
}

TEST_F(Reference, HasTheSameNumbers) {
  const std::map<unsigned, Row> reference = calls();
  ASSERT_GT(reference.size(), 200u) << "the reference's table has another form now";
  std::set<unsigned> expected, actual;
  for (const auto& [number, row] : reference) expected.insert(number);
  for (const CallInfo& call : all_calls()) actual.insert(call.number);
  EXPECT_EQ(actual, expected);
}

TEST_F(Reference, HasTheSameNames) {
  for (const auto& [number, row] : calls()) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number;
    std::set<std::string> names = {reference_name(call->name)};
    for (const CallInfo* request : requests_of(number)) names.emplace(request->name);
    EXPECT_TRUE(std::any_of(row.names.begin(), row.names.end(),
                            [&](const std::string& name) { return names.contains(name); }))
        << number << " " << call->name;
  }
}

// The reference counts 32-bit slots with their padding. Its 0 for priocntl is qemu's, for a call
// that qemu does not answer.
TEST_F(Reference, HasTheSameArgumentSlots) {
  for (const auto& [number, row] : calls()) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number;
    if (row.slots == "?" || has_unknown_arguments(*call)) continue;
    const unsigned expected = static_cast<unsigned>(std::stoul(row.slots));
    if (!call->is_multiplexed()) {
      EXPECT_EQ(call->slot_count, expected) << number << " " << call->name;
      continue;
    }
    for (const CallInfo* request : requests_of(number)) {
      if (has_unknown_arguments(*request)) continue;
      EXPECT_LE(request->slot_count, expected) << number << " " << request->name;
    }
  }
}

TEST_F(Reference, HasTheSameSyssgiCodes) {
  std::set<unsigned> expected = {1054};  // named in the row of 1015
  const std::regex row(R"(^\| ([0-9 /★*()r.7]+) \|.*)");
  const std::regex code(R"(\d+)");
  for (std::string line : section("### 4.1", "Sources")) {
    line = std::regex_replace(line, std::regex(R"(\(7\.1\))"), "");
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string codes = match[1];
    for (std::sregex_iterator i(codes.begin(), codes.end(), code), end; i != end; ++i) {
      expected.insert(static_cast<unsigned>(std::stoul(i->str())));
    }
  }
  std::set<unsigned> actual;
  for (const CallInfo* request : requests_of(syssgi_number)) actual.insert(*request->subcode);
  EXPECT_GT(expected.size(), 40u) << "the reference's table has another form now";
  EXPECT_EQ(actual, expected);
}

std::map<unsigned, std::string> named_requests(unsigned number) {
  std::map<unsigned, std::string> out;
  for (const CallInfo* request : requests_of(number)) out[*request->subcode] = request->name;
  return out;
}

// "14 GETNSHARE" and "14 MP_PGSIZE" as the reference writes codes.
std::map<unsigned, std::string> codes_in(const std::vector<std::string>& lines,
                                         const std::string& pattern) {
  std::map<unsigned, std::string> out;
  const std::regex code(pattern);
  for (const std::string& line : lines) {
    for (std::sregex_iterator i(line.begin(), line.end(), code), end; i != end; ++i) {
      std::string name = (*i)[2];
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return std::tolower(c); });
      out[static_cast<unsigned>(std::stoul((*i)[1]))] = name;
    }
  }
  return out;
}

TEST_F(Reference, HasTheSameSysmpCodes) {
  auto expected = codes_in(section("### 4.3", "### 4.4"), R"((\d+) MP_([A-Z]+))");
  ASSERT_EQ(expected[14], "pgsize");
  expected[14] = "pagesize";
  EXPECT_EQ(named_requests(sysmp_number), expected);
}

TEST_F(Reference, HasTheSamePrctlCodes) {
  std::vector<std::string> first_columns;
  for (const std::string& line : section("### 4.4", "## 5.")) {
    if (line.starts_with("| ")) first_columns.push_back(line.substr(0, line.find('|', 2)));
  }
  auto expected = codes_in(first_columns, R"((\d+) ([A-Z]+[A-Z_]*))");
  // Not among NetBSD's, but libc.so.1 issues it in _syncinit().
  expected[7] = "atomicsim";
  EXPECT_EQ(named_requests(prctl_number), expected);
}

}  // namespace
}  // namespace hardclock::irix
