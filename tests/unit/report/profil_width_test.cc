// A tick of one instruction, counted as a library asks profil(2) to and the kernel does, is that
// instruction's in the report. The libraries' formulas stand here as their sources have them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "sim/base/endian.h"
#include "sim/report/call_graph.h"
#include "sim/report/code_costs.h"
#include "sim/report/flat.h"
#include "sim/report/histogram.h"
#include "sim/report/profile.h"
#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

constexpr std::uint64_t instruction_bytes = 4;

// What a library asks for.
struct Request {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::uint64_t bytes = 0;  // of counters, of 2 bytes each
  std::uint64_t scale = 0;
};

// glibc 2.36 gmon/gmon.c, __monstartup(): HISTFRACTION is 2, and *froms an unsigned long.
Request monstartup(std::uint64_t low, std::uint64_t high, std::uint64_t long_bytes) {
  const auto up = [](std::uint64_t x, std::uint64_t y) { return (x + y - 1) / y * y; };
  Request request{.low = low / 4 * 4, .high = up(high, 4)};
  const int text = static_cast<int>(request.high - request.low);
  request.bytes = up(static_cast<std::uint64_t>(text) / 2, long_bytes);
  request.scale = 0x10000;
  if (request.bytes < static_cast<std::uint64_t>(text)) {
    const float share = static_cast<float>(request.bytes) / static_cast<float>(text);
    request.scale = static_cast<std::uint64_t>(share * 65536.0F);
  }
  return request;
}

// glibc 2.36 sysdeps/posix/profil.c, profil_count().
std::uint64_t glibc_index(const Request& request, std::uint64_t pc) {
  return (pc - request.low) / 2 * request.scale / 65536;
}

// illumos port/gen/mon.c, monitor(), for words of 2 bytes.
Request monitor(std::uint64_t low, std::uint64_t high, std::uint64_t words) {
  const std::uint64_t text = (high - low + 1) / 2;
  Request request{.low = low, .high = high, .bytes = 2 * words, .scale = 0xffff};
  if (words < text) {
    request.scale =
        static_cast<std::uint64_t>(static_cast<double>(words) * 65536 / static_cast<double>(text));
  }
  return request;
}

// illumos sys/profil, PC_TO_INDEX(): a place in the buffer, in bytes, without its last bit.
std::uint64_t system_v_index(const Request& request, std::uint64_t pc) {
  return ((pc - request.low) * request.scale >> 16) / 2;
}

std::string field_of(std::uint64_t value, unsigned bytes) {
  std::string field;
  for (unsigned i = bytes; i-- > 0;) field += static_cast<char>(value >> 8 * i);
  return field;
}

std::string one_tick(const Request& request, std::uint64_t index) {
  std::string counters(request.bytes, '\0');
  counters.at(2 * index + 1) = 1;
  return counters;
}

std::string gnu_file(const Request& request, std::uint64_t index, unsigned long_bytes) {
  return "gmon" + field_of(1, 4) + std::string(12, '\0') + '\0' +
         field_of(request.low, long_bytes) + field_of(request.high, long_bytes) +
         field_of(request.bytes / 2, 4) + field_of(100, 4) + "seconds" + std::string(8, '\0') +
         "s" + one_tick(request, index);
}

std::string system_v_file(const Request& request, std::uint64_t index, unsigned long_bytes) {
  return field_of(request.low, long_bytes) + field_of(request.high, long_bytes) +
         field_of(0, long_bytes) + one_tick(request, index);
}

Profile profile_in(const std::string& file, unsigned long_bytes, std::string_view format) {
  auto profile = read_profile(to_bytes(file), {Endian::big, 8 * long_bytes}, format);
  RC_ASSERT(profile.ok());
  return std::move(profile).value();
}

// Functions of one instruction: the one before, the one with the tick, the one behind.
SymbolTable three_around(GuestAddr pc) {
  return SymbolTable({{pc - instruction_bytes, instruction_bytes, "before"},
                      {pc, instruction_bytes, "ticked"},
                      {pc + instruction_bytes, instruction_bytes, "behind"}},
                     pc + 2 * instruction_bytes);
}

void expect_the_instruction(const Profile& profile, GuestAddr pc) {
  const SymbolTable symbols = three_around(pc);
  const FlatReport report = flat(profile, symbols);
  RC_ASSERT(report.rows.size() == 1U);
  RC_ASSERT(report.rows[0].function == "ticked");
  RC_ASSERT(std::abs(report.rows[0].ticks - 1) < 1e-9);

  const CallGraph graph = call_graph(profile, symbols, nullptr);
  RC_ASSERT(graph.functions.size() == 1U);
  RC_ASSERT(graph.functions[0].label == "ticked");
  RC_ASSERT(graph.points[0].address == pc);

  const GuestAddr addresses[] = {pc - instruction_bytes, pc, pc + instruction_bytes};
  const auto costs =
      costs_of(addresses, pc + 2 * instruction_bytes, "", profile, symbols, nullptr, {}, {});
  RC_ASSERT(costs[0].ticks == 0U);
  RC_ASSERT(costs[1].ticks == 1U);
  RC_ASSERT(costs[2].ticks == 0U);
}

// Texts of all ends: of a shared program's few bytes, where the scale is far from a half, to those
// above 2^17, where it is a half and the range is not.
std::uint64_t text_bytes() {
  const auto bits = *rc::gen::inRange(5, 22);
  return *rc::gen::inRange<std::uint64_t>(1U << (bits - 1), 1U << bits);
}

RC_GTEST_PROP(ProfilWidth, OfGlibcsMonstartup, ()) {
  const unsigned long_bytes = *rc::gen::element(4U, 8U);
  const std::uint64_t low = 0x400000 + 4 * *rc::gen::inRange<std::uint64_t>(0, 8);
  const Request request = monstartup(low, low + text_bytes(), long_bytes);
  const std::uint64_t words = (request.high - request.low) / instruction_bytes;
  const std::uint64_t pc = low + instruction_bytes * *rc::gen::inRange<std::uint64_t>(0, words);
  const std::uint64_t index = glibc_index(request, pc);
  if (index >= request.bytes / 2) return;
  const std::string file = gnu_file(request, index, long_bytes);
  const Profile profile = profile_in(file, long_bytes, "gnu");
  expect_the_instruction(profile, GuestAddr(pc));

  // As JSON, and as a gmon.out in which the range says the width, as gprof takes it.
  const auto json = write_profile_as(profile, "hardclock");
  RC_ASSERT(json.ok());
  RC_ASSERT(profile_in(*json, long_bytes, "hardclock").processes == profile.processes);
  const auto again = write_profile_as(profile, "gnu");
  RC_ASSERT(again.ok());
  const Profile rewritten = profile_in(*again, long_bytes, "gnu");
  expect_the_instruction(rewritten, GuestAddr(pc));
  RC_ASSERT(rewritten.processes[0].histograms[0].density == 0U);
}

// Counters of an instruction at most: wider ones are divided among what they cover.
RC_GTEST_PROP(ProfilWidth, OfSystemVsMonitor, ()) {
  const unsigned long_bytes = *rc::gen::element(4U, 8U);
  const std::uint64_t low = 0x400000;
  const std::uint64_t high = low + text_bytes();
  const std::uint64_t halves = (high - low) / 2;
  const std::uint64_t words = *rc::gen::inRange<std::uint64_t>(halves / 2 + 2, 2 * halves);
  const Request request = monitor(low, high, words);
  const std::uint64_t pc = low + instruction_bytes * *rc::gen::inRange<std::uint64_t>(
                                                         0, (high - low) / instruction_bytes);
  const std::uint64_t index = system_v_index(request, pc);
  if (index >= words) return;
  const Profile profile = profile_in(system_v_file(request, index, long_bytes), long_bytes, "sysv");
  expect_the_instruction(profile, GuestAddr(pc));
  const auto again = write_profile_as(profile, "sysv");
  RC_ASSERT(again.ok());
  expect_the_instruction(profile_in(*again, long_bytes, "sysv"), GuestAddr(pc));
}

// A counter of several instructions is divided among those that the kernel counts there: 25
// instructions with the scale that 10 counters get, 13107, are 10 bytes for a counter and a bit.
TEST(ProfilWidth, AWideCounterHasWholeInstructions) {
  const Request request = monitor(0x400000, 0x400064, 10);
  ASSERT_EQ(request.scale, 13107U);
  for (std::uint64_t index = 0; index < 10; ++index) {
    auto profile =
        read_profile(to_bytes(system_v_file(request, index, 4)), {Endian::big, 32}, "sysv");
    ASSERT_TRUE(profile) << profile.error();
    std::vector<Symbol> symbols;
    std::vector<std::string> counted;
    for (std::uint64_t pc = 0x400000; pc < 0x400064; pc += instruction_bytes) {
      symbols.push_back({GuestAddr(pc), instruction_bytes, std::to_string(pc)});
      if (system_v_index(request, pc) == index) counted.push_back(std::to_string(pc));
    }
    const FlatReport report = flat(*profile, SymbolTable(symbols, GuestAddr(0x400064)));
    ASSERT_EQ(report.rows.size(), counted.size()) << index;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      EXPECT_EQ(report.rows[i].function, counted[i]);
      EXPECT_NEAR(report.rows[i].ticks, 1.0 / static_cast<double>(counted.size()), 1e-9);
    }
  }
}

// IRIX writes the scale into its file: 21845, which PCS_GRAIN=3 asks for, is 12 bytes and a bit for
// a counter of 4 bytes, so the first instruction behind 12 is the first counter's.
TEST(ProfilWidth, DensityIsAScale) {
  const Histogram counters{GuestAddr(0x1000), GuestAddr(0x1018), {1, 1}, 21845};
  EXPECT_EQ(counter_at(counters, GuestAddr(0x1008)), 0U);
  EXPECT_EQ(counter_at(counters, GuestAddr(0x100c)), 0U);
  EXPECT_EQ(counter_at(counters, GuestAddr(0x1010)), 1U);
  EXPECT_EQ(first_address(counters, 1), GuestAddr(0x1010));
}

}  // namespace
}  // namespace hardclock::report
