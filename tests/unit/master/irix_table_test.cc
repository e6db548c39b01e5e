// IRIX's table against an independent listing of the same numbers, irix_reference.tsv, which says
// where they are from.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "syscalls/irix/irix_calls.h"
#include "tests/unit/master/reference_rows.h"

namespace hardclock::irix {
namespace {

constexpr unsigned syssgi_number = 1040, sysmp_number = 1056, prctl_number = 1130;

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out(1);
  for (const char c : list) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

struct Call {
  std::vector<std::string> names;
  std::string slots;  // "?" if unknown
};

class IrixReference : public ::testing::Test {
 protected:
  // A row: kind, number, names, slots, where it was seen.
  IrixReference() {
    for (const auto& row : master::reference_rows("irix_reference.tsv", 5)) {
      const auto number = static_cast<unsigned>(std::stoul(row[1]));
      if (row[0] == "call") {
        calls_[number] = {words_of(row[2]), row[3]};
      } else {
        requests_[row[0]][number] = row[2];
      }
    }
  }

  std::map<unsigned, Call> calls_;
  std::map<std::string, std::map<unsigned, std::string>> requests_;  // number -> name
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

TEST_F(IrixReference, HasTheSameNumbers) {
  ASSERT_EQ(calls_.size(), 212U);
  std::set<unsigned> expected, actual;
  for (const auto& [number, call] : calls_) expected.insert(number);
  // IRIX 4's wait, fstat, signal and lstat: SGI's libc of 5.3 makes others in their place.
  expected.insert({1007, 1028, 1048, 1117});
  for (const CallInfo& call : all_calls()) actual.insert(call.number);
  EXPECT_EQ(actual, expected);
}

TEST_F(IrixReference, HasTheSameNames) {
  for (const auto& [number, row] : calls_) {
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
// that qemu does not answer. Its prctl is that of 5.3's libc; PR_THREAD_CTL of 6.5 takes a fourth
// argument, the signal to send.
TEST_F(IrixReference, HasTheSameArgumentSlots) {
  for (const auto& [number, row] : calls_) {
    const CallInfo* const call = find_call(number, std::nullopt);
    ASSERT_NE(call, nullptr) << number;
    if (row.slots == "?" || has_unknown_arguments(*call)) continue;
    const unsigned expected = static_cast<unsigned>(std::stoul(row.slots));
    if (!call->is_multiplexed()) {
      EXPECT_EQ(call->slot_count, expected) << number << " " << call->name;
      continue;
    }
    for (const CallInfo* request : requests_of(number)) {
      if (has_unknown_arguments(*request) || request->name == "thread_ctl") continue;
      EXPECT_LE(request->slot_count, expected) << number << " " << request->name;
    }
  }
}

std::map<unsigned, std::string> named_requests(unsigned number) {
  std::map<unsigned, std::string> out;
  for (const CallInfo* request : requests_of(number)) out[*request->subcode] = request->name;
  return out;
}

TEST_F(IrixReference, HasTheSameSyssgiCodes) {
  std::set<unsigned> expected, actual;
  for (const auto& [code, name] : requests_.at("syssgi")) expected.insert(code);
  for (const CallInfo* request : requests_of(syssgi_number)) actual.insert(*request->subcode);
  EXPECT_EQ(expected.size(), 42U);
  EXPECT_EQ(actual, expected);
}

TEST_F(IrixReference, HasTheSameSysmpCodes) {
  EXPECT_EQ(named_requests(sysmp_number), requests_.at("sysmp"));
}

TEST_F(IrixReference, HasTheSamePrctlCodes) {
  EXPECT_EQ(named_requests(prctl_number), requests_.at("prctl"));
}

}  // namespace
}  // namespace hardclock::irix
