// A profile is read where the n-th allocation fails, for every n: std::bad_alloc leaves nothing
// that cannot be destroyed. (nlohmann::json says of a value what it is before it has the memory for
// it.)
#include "tests/support/without_memory.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "sim/report/profile.h"

namespace hardclock::report {
namespace {

// Its counters are taken out of the document while that is read.
constexpr std::string_view profile = R"({
 "address_bits": 32, "byte_order": "big", "command": "w", "cpu_hz": 33000000,
 "format": "hardclock-profile",
 "processes": [
  {"calls": [{"calls": 4, "function": "0x00400100"}],
   "cycles": {"0x00400104": 18446744073709551615},
   "histograms": [{"counts": [7], "high": "0x00400110", "low": "0x00400100"}],
   "mappings": [{"file": "/bin/w", "offset": 0, "size": 4096, "start": "0x00400000"}],
   "pid": 1, "program": "/bin/w",
   "samples": {"0x00400104": 75, "0x00400108": 25},
   "text_hash": "cbf29ce484222325"}],
 "tick_hz": 100, "version": 1})";

TEST(WithoutMemory, AProfileIsReadOrNot) {
  const std::vector<std::uint8_t> bytes(profile.begin(), profile.end());
  const auto read = read_profile(bytes);
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_GT(support::allocations_that_may_fail([&] { (void)read_profile(bytes); }), 50U);
}

}  // namespace
}  // namespace hardclock::report
