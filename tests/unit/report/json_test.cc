// hardclock's JSON profile: round trips, its documented layout, and every way to be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/report/profile.h"
#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Source: the layout that sim/report/json_format.cc documents, keys sorted. It is hardclock's own,
// so there is no peer to compare with.
constexpr std::string_view example_profile = R"({
 "address_bits": 32,
 "byte_order": "big",
 "command": "w \"10\"",
 "cpu_hz": 33000000,
 "format": "hardclock-profile",
 "processes": [
  {
   "arcs": [
    {
     "count": 3,
     "from": "0x00400108",
     "self": "0x00400100"
    }
   ],
   "calls": [
    {
     "calls": 4,
     "function": "0x00400100"
    }
   ],
   "cycles": {
    "0x00400104": 18446744073709551615
   },
   "histograms": [
    {
     "counts": [
      7
     ],
     "high": "0x00400110",
     "low": "0x00400100"
    }
   ],
   "mappings": [
    {
     "file": "/bin/w",
     "offset": 0,
     "size": 4096,
     "start": "0x00400000"
    }
   ],
   "moved_by": "0xfffffffffffff000",
   "pid": 1,
   "program": "/bin/w",
   "samples": {
    "0x00400104": 75,
    "0x00400108": 25
   },
   "text_hash": "cbf29ce484222325"
  }
 ],
 "tick_hz": 100,
 "version": 1
}
)";

Profile example() {
  Profile profile;
  profile.command = "w \"10\"";
  profile.cpu = Hertz(33'000'000);
  profile.tick_rate = Hertz(100);
  ProcessProfile& process = profile.processes.emplace_back();
  process.pid = 1;
  process.program = "/bin/w";
  process.text_hash = "cbf29ce484222325";
  process.moved_by = 0 - std::uint64_t{0x1000};
  process.mappings = {{GuestAddr(0x400000), 0x1000, "/bin/w", 0}};
  process.samples = {{GuestAddr(0x400108), 25}, {GuestAddr(0x400104), 75}};
  process.cycles = {{GuestAddr(0x400104), ~std::uint64_t{0}}};
  process.histograms = {{.low = GuestAddr(0x400100), .high = GuestAddr(0x400110), .counts = {7}}};
  process.calls = {{.function = GuestAddr(0x400100), .calls = 4}};
  process.arcs = {{.from = GuestAddr(0x400108), .self = GuestAddr(0x400100), .count = 3}};
  return profile;
}

TEST(Json, WritesTheDocumentedLayout) {
  const auto bytes = write_profile_as(example(), "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_EQ(*bytes, example_profile);
}

TEST(Json, ReadsTheDocumentedLayout) {
  const auto profile = read_profile(to_bytes(example_profile));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, example());
}

TEST(Json, AddressesOf64BitProgramsHave16Digits) {
  Profile profile;
  profile.address_bits = 64;
  profile.processes.emplace_back().samples = {{GuestAddr(0x4000000000001000), 1}};
  const auto bytes = write_profile_as(profile, "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_THAT(*bytes, HasSubstr("\"0x4000000000001000\": 1"));
}

// RFC 8259 section 8.1: JSON is UTF-8. U+FFFD stands for what is not.
// Pointers of 32 bits on IA-64 are addresses with the region's number on top.
TEST(Json, AddressesOfNarrowProgramsForIa64HaveARegion) {
  Profile profile = example();
  profile.processes.front().samples = {{GuestAddr(0x2000000000400108), 75}};
  const auto bytes = write_profile_as(profile, "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  const auto read = read_profile(to_bytes(*bytes));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, profile);
}

TEST(Json, WrongUtf8IsReplaced) {
  Profile profile;
  profile.command = "w \xff";
  const auto bytes = write_profile_as(profile, "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  const auto back = read_profile(to_bytes(*bytes));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->command, "w \uFFFD");
}

// ---- round trip

rc::Gen<GuestAddr> any_address(unsigned bits) {
  return rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [bits](std::uint64_t value) {
    return GuestAddr(bits == 32 ? value & 0xffffffff : value);
  });
}

// Counts whose sums stay below 2^64.
rc::Gen<std::uint64_t> any_count() {
  return rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t v) { return v >> 24; });
}

std::string any_text() {
  return *rc::gen::container<std::string>(rc::gen::inRange<char>(0x01, 0x7f));
}

Histogram any_histogram(unsigned bits) {
  GuestAddr low = *any_address(bits);
  GuestAddr high = *any_address(bits);
  if (high < low) std::swap(low, high);
  if (low == high) low == GuestAddr() ? high = GuestAddr(1) : low = GuestAddr();
  const auto counts = rc::gen::container<std::vector<std::uint64_t>>(any_count());
  return {.low = low, .high = high, .counts = *rc::gen::nonEmpty(counts)};
}

// Of each pc's cycles some for one reason, the rest for another, and perhaps the kernel's.
ReasonsByPc any_reasons(const CyclesByPc& cycles) {
  ReasonsByPc all;
  for (const auto& [pc, own] : cycles) {
    const auto some = *rc::gen::inRange<std::uint64_t>(0, own + 1);
    const auto own_reason = rc::gen::inRange<unsigned>(0, cycle_reasons - 1);
    const std::pair<CycleReason, std::uint64_t> parts[] = {
        {static_cast<CycleReason>(*own_reason), some},
        {static_cast<CycleReason>(*own_reason), own - some},
        {CycleReason::kernel, std::uint64_t{*any_count()}},
    };
    for (const auto& [reason, part] : parts) {
      if (part != 0) all[reason][pc] += part;
    }
  }
  return all;
}

ProcessProfile any_process(unsigned bits) {
  using Counts = std::map<GuestAddr, std::uint64_t>;
  ProcessProfile process;
  process.pid = *rc::gen::arbitrary<std::uint32_t>();
  process.program = any_text();
  process.samples = *rc::gen::container<Counts>(any_address(bits), any_count());
  const auto cycles = *rc::gen::container<Counts>(any_address(bits), any_count());
  process.cycles = {cycles.begin(), cycles.end()};
  if (*rc::gen::arbitrary<bool>()) process.reasons = any_reasons(process.cycles);
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
    process.histograms.push_back(any_histogram(bits));
  }
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
    process.calls.push_back(
        {.function = *any_address(bits), .calls = *rc::gen::arbitrary<std::uint64_t>()});
  }
  for (int n = *rc::gen::inRange(0, 3); n > 0; --n) {
    process.arcs.push_back({.from = *any_address(bits),
                            .self = *any_address(bits),
                            .count = *rc::gen::arbitrary<std::uint64_t>()});
  }
  return process;
}

RC_GTEST_PROP(Json, RoundTrip, ()) {
  Profile profile;
  profile.command = any_text();
  profile.byte_order = *rc::gen::element(Endian::big, Endian::little);
  profile.address_bits = *rc::gen::element(32U, 64U);
  profile.cpu = Hertz(*rc::gen::arbitrary<std::uint64_t>());
  profile.tick_rate = Hertz(*rc::gen::arbitrary<std::uint64_t>());
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    profile.processes.push_back(any_process(profile.address_bits));
  }
  const auto bytes = write_profile_as(profile, "hardclock");
  RC_ASSERT(bytes.ok());
  const auto back = read_profile(to_bytes(*bytes));
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == profile);
  RC_ASSERT(*write_profile_as(*back, "hardclock") == *bytes);
  // With sorted keys, as another writer of JSON lays it out.
  RC_ASSERT(nlohmann::json::parse(*bytes).dump(1) + "\n" == *bytes);
}

// ---- what is wrong

struct Change {
  std::string_view from;  // occurs in example_profile; its first occurrence is replaced
  std::string_view to;
  std::string_view why;
};

TEST(Json, EveryMistakeIsNamed) {
  const Change changes[] = {
      {R"("hardclock-profile")", R"("other")", R"(format is not "hardclock-profile")"},
      {R"("version": 1)", R"("version": 5)", "version is 5, and this hardclock reads 1 to 4 only"},
      {R"("version": 1)", R"("version": "1")", "version is not a whole number"},
      {R"("tick_hz": 100,)", "", "tick_hz is missing"},
      {R"("tick_hz": 100)", R"("tick_hz": -1)", "tick_hz is not a whole number from 0 to"},
      {R"("tick_hz": 100)", R"("tick_hz": 59.94)", "tick_hz is not a whole number"},
      {R"("cpu_hz": 33000000)", R"("cpu_hz": 18446744073709551616)",
       "cpu_hz is not a whole number"},
      {R"("cpu_hz": 33000000)", R"("cpu_hz": 1e999)", "a number that is out of range"},
      {R"("byte_order": "big")", R"("byte_order": "pdp")", R"(byte_order is neither "big")"},
      {R"("byte_order": "big")", R"("byte_order": 4321)", "byte_order is not text"},
      {R"("address_bits": 32)", R"("address_bits": 16)", "address_bits is neither 32 nor 64"},
      {R"("address_bits": 32)", R"("address_bits": 65)", "address_bits is not a whole number"},
      {R"("command": "w \"10\"",)", "", "command is missing"},
      {R"("command")", R"("comand")", R"(the document has the unknown key "comand")"},
      {R"("command")", R"("x\ny")", R"(unknown key "x\ny")"},
      {R"("cpu_hz": 33000000)", R"("cpu_hz": 1, "cpu_hz": 2)",
       R"(the key "cpu_hz" occurs twice in one object)"},
      {R"("pid": 1)", R"("pid": 4294967296)",
       "processes[0].pid is not a whole number from 0 to 4294967295"},
      {R"("program": "/bin/w",)", "", "processes[0].program is missing"},
      {R"("program")", R"("prog")", R"(processes[0] has the unknown key "prog")"},
      {R"("samples": {)", R"("samples": [], "cycles": {)", R"(the key "cycles" occurs twice)"},
      {R"("0x00400104": 75)", R"("00400104": 75)", R"(processes[0].samples has "00400104" where)"},
      {R"("0x00400104": 75)", R"("0x": 75)", R"(processes[0].samples has "0x" where an address)"},
      {R"("0x00400104": 75)", R"("0x-1": 75)", R"(processes[0].samples has "0x-1" where)"},
      {R"("0x00400104": 75)", R"("0x4g": 75)", R"(processes[0].samples has "0x4g" where)"},
      {R"("0x00400104": 75)", R"("0x100000000": 75)", "an address of more than 32 bits"},
      {R"("0x00400104": 75)", R"("0x10000000000000000": 75)", "where an address such as"},
      {R"("0x00400104": 75)", R"("0x400108": 75)",
       R"(processes[0].samples has the address "0x00400108" twice)"},
      {R"("0x00400104": 75)", R"("0x00400104": null)",
       "the address 0x00400104 has no whole number from 0 to"},
      {R"("0x00400104": 75)", R"("0x00400104": 18446744073709551600)",
       "processes[0].samples.0x00400108 brings the sum of the counts above 2^64 - 1"},
      {R"("high": "0x00400110")", R"("high": "0x00400110", "density": 0)",
       "processes[0].histograms[0].density leaves counters without addresses"},
      {R"("high": "0x00400110")", R"("high": "0x00400110", "density": 262145)",
       "processes[0].histograms[0].density is not a whole number from 0 to 262144"},
      {R"("high": "0x00400110")", R"("high": "0x00400100")",
       "processes[0].histograms[0].high is not above low"},
      {R"("high": "0x00400110")", R"("high": 4)", "processes[0].histograms[0].high is not text"},
      {"      7\n", "", "processes[0].histograms[0].counts is empty"},
      {"      7\n", "true\n", "processes[0].histograms[0].counts[0] is not a whole number"},
      {"      7\n", "18446744073709551615, 1\n", "counts[1] brings the sum"},
      {R"("function": "0x00400100")", R"("function": "main")",
       R"(processes[0].calls[0].function has "main" where an address)"},
      {R"("calls": 4,)", "", "processes[0].calls[0].calls is missing"},
      {R"("count": 3,)", "", "processes[0].arcs[0].count is missing"},
      {R"("from": )", R"("form": )", R"(processes[0].arcs[0] has the unknown key "form")"},
  };
  for (const Change& change : changes) {
    std::string text(example_profile);
    const std::size_t at = text.find(change.from);
    ASSERT_NE(at, std::string::npos) << change.from;
    text.replace(at, change.from.size(), change.to);
    const auto profile = read_profile(to_bytes(text));
    ASSERT_FALSE(profile) << change.to;
    EXPECT_THAT(profile.error(), HasSubstr(change.why));
    EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
  }
}

// A loop in main calls f twice, which calls itself once.
Profile example_with_calls() {
  Profile profile = example();
  ProcessProfile& process = profile.processes.front();
  process.call_tree = {{CallNode::none, GuestAddr(0x400100), 1, 100, 3},
                       {0, GuestAddr(0x400200), 2, 50, 0},
                       {1, GuestAddr(0x400200), 2, 40, 1}};
  process.call_arcs = {{GuestAddr(0x400108), GuestAddr(0x400200), 2, 90},
                       {GuestAddr(0x400208), GuestAddr(0x400200), 2, 40}};
  process.calls_not_kept = 7;
  profile.processor = "r4400 of indigo2-r4400";
  return profile;
}

TEST(Json, KeepsCalls) {
  const auto bytes = write_profile_as(example_with_calls(), "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_THAT(*bytes, HasSubstr("\"version\": 2"));
  const auto profile = read_profile(to_bytes(*bytes));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, example_with_calls());
}

TEST(Json, ProcessorIsOfVersion2) {
  Profile profile = example();
  profile.processor = "r3000";
  const auto bytes = write_profile_as(profile, "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_THAT(*bytes, HasSubstr("\"version\": 2"));
  EXPECT_EQ(*read_profile(to_bytes(*bytes)), profile);
}

// The example with more members in its process.
Result<Profile, std::string> with(std::string_view members) {
  std::string text(example_profile);
  const std::string_view before = "\"text_hash\": \"cbf29ce484222325\"";
  text.insert(text.find(before) + before.size(), "," + std::string(members));
  return read_profile(to_bytes(text));
}

TEST(Json, MistakesInCallsAreNamed) {
  EXPECT_TRUE(with(R"("call_tree": [[-1, "0x4", 1, 1, 1], [0, "0x8", 1, 1, 1]])"));
  const std::pair<const char*, const char*> cases[] = {
      {R"("call_tree": 3)", "call_tree is not an array"},
      {R"("call_tree": [3])", "call_tree[0] is not an array of 5 items"},
      {R"("call_tree": [[-1, "0x4", 1, 1]])", "call_tree[0] is not an array of 5 items"},
      {R"("call_tree": [[0, "0x4", 1, 1, 1]])", "call_tree[0] is the first, and has a parent"},
      {R"("call_tree": [[-1, "0x4", 1, 1, 1], [1, "0x4", 1, 1, 1]])",
       "call_tree[1] is not a whole number from 0 to 0"},
      {R"("call_tree": [[-1, 4, 1, 1, 1]])", "call_tree[0] has no address as its item 1"},
      {R"("call_tree": [[-1, "4", 1, 1, 1]])", "where an address such as"},
      {R"("call_tree": [[-1, "0x4", 1, -1, 1]])", "call_tree[0] is not a whole number"},
      {R"("call_tree": [[-1, "0x4", 1, 18446744073709551615, 1], [0, "0x4", 1, 1, 1]])",
       "call_tree[1] brings the sum of the counts above"},
      {R"("call_arcs": [["0x4", "0x4", 1]])", "call_arcs[0] is not an array of 4 items"},
      {R"("call_arcs": [["0x4", "0x4", 1, 1], ["0x4", "0x4", 1, 1]])",
       "call_arcs[1] is not behind the arc before"},
      {R"("call_tree": [[-1, "0x4", 1, 1, 1], ["0x4", "0x4", 1, 1]])",
       "item 1 of a table of calls is not like those before it"},
      {R"("call_tree": [[-1, "0x4", 1, 1, 1], [0, "0x4", 1]])", "an item of another kind"},
      {R"("call_arcs": [[-1, "0x4", 1, 1, 1]])", "call_arcs[0] is not an array of 4 items"},
      {R"("call_tree": {"0x4": 1})", "call_tree is not an array"},
      {R"("reasons": {"unit": [["0x4", "0x4", 1, 1]]})", "unit is not an object"},
      {R"("calls_not_kept": -1)", "calls_not_kept is not a whole number"},
  };
  for (const auto& [members, why] : cases) {
    const auto profile = with(members);
    ASSERT_FALSE(profile) << members;
    EXPECT_THAT(profile.error(), HasSubstr(why));
  }
}

// At 0x400108 only the kernel works.
Profile example_with_reasons() {
  Profile profile = example();
  ProcessProfile& process = profile.processes.front();
  process.cycles = {{GuestAddr(0x400104), 12}, {GuestAddr(0x400106), 0}};
  process.reasons[CycleReason::issue] = {{GuestAddr(0x400104), 5}};
  process.reasons[CycleReason::instruction_miss] = {{GuestAddr(0x400104), 7}};
  process.reasons[CycleReason::kernel] = {{GuestAddr(0x400104), 9}, {GuestAddr(0x400108), 3}};
  return profile;
}

// A file that older hardclocks take has none.
TEST(Json, KeepsDensity) {
  Profile profile = example();
  profile.processes[0].histograms[0].density = 65798;
  const auto bytes = write_profile_as(profile, "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_THAT(*bytes, HasSubstr("\"version\": 4"));
  EXPECT_THAT(*bytes, HasSubstr("\"density\": 65798"));
  const auto back = read_profile(to_bytes(*bytes));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, profile);
}

TEST(Json, KeepsReasons) {
  const auto bytes = write_profile_as(example_with_reasons(), "hardclock");
  ASSERT_TRUE(bytes) << bytes.error();
  EXPECT_THAT(*bytes, HasSubstr("\"version\": 3"));
  EXPECT_THAT(*bytes, HasSubstr(R"(   "reasons": {
    "instruction miss": {
     "0x00400104": 7
    },
    "issue": {
     "0x00400104": 5
    },
    "kernel": {
     "0x00400104": 9,
     "0x00400108": 3
    }
   },
)"));
  const auto profile = read_profile(to_bytes(*bytes));
  ASSERT_TRUE(profile) << profile.error();
  EXPECT_EQ(*profile, example_with_reasons());
}

TEST(Json, MistakesInReasonsAreNamed) {
  // The cycles of 0x00400104 are 2^64 - 1.
  EXPECT_TRUE(with(R"("reasons": {"unit": {"0x400104": 18446744073709551615},
                                  "kernel": {"0x8": 18446744073709551615}})"));
  EXPECT_TRUE(with(R"("reasons": {"unit": {"0x400104": 18446744073709551614, "0x8": 0},
                                  "tlb": {"0x400104": 1}})"));
  const std::pair<const char*, const char*> cases[] = {
      {R"("reasons": 3)", "processes[0].reasons is not an object"},
      {R"("reasons": {"unit": 3})", "processes[0].reasons.unit is not an object"},
      {R"("reasons": {"boredom": {}})", R"(processes[0].reasons has the unknown key "boredom")"},
      {R"("reasons": {"unit": {"4": 1}})", "where an address such as"},
      {R"("reasons": {"unit": {"0x100000000": 1}})", "an address of more than 32 bits"},
      {R"("reasons": {"unit": {"0x4": 1, "0x04": 1}})",
       R"(unit has the address "0x00000004" twice)"},
      {R"("reasons": {"unit": {"0x4": -1}})", "the address 0x00000004 has no whole number"},
      {R"("reasons": {"unit": {"0x4": 1.5}})", "the address 0x00000004 has no whole number"},
      {R"("reasons": {"unit": {"0x400104": 18446744073709551615}, "tlb": {"0x4": 1}})",
       "brings the sum of the counts above 2^64 - 1"},
      {R"("reasons": {"kernel": {"0x4": 18446744073709551615, "0x8": 1}})",
       "kernel.0x00000008 brings the sum of the counts above 2^64 - 1"},
      {R"("reasons": {"unit": {"0x400104": 5}})",
       "processes[0].reasons are 5 of the 18446744073709551615 cycles of 0x00400104"},
      {R"("reasons": {"kernel": {"0x400104": 18446744073709551615}})",
       "processes[0].reasons are 0 of the 18446744073709551615 cycles of 0x00400104"},
      {R"("reasons": {"unit": {"0x400104": 18446744073709551613, "0x8": 2}})",
       "processes[0].reasons are 18446744073709551613 of"},
  };
  for (const auto& [members, why] : cases) {
    const auto profile = with(members);
    ASSERT_FALSE(profile) << members;
    EXPECT_THAT(profile.error(), HasSubstr(why)) << members;
  }
  // A pc that has no cycles.
  std::string text = *write_profile_as(example_with_reasons(), "hardclock");
  const std::string_view kernel = "\"kernel\": {";
  text.insert(text.find(kernel), R"("tlb": {"0x00400108": 1}, )");
  EXPECT_THAT(read_profile(to_bytes(text)).error(),
              HasSubstr("processes[0].reasons are 1 of the 0 cycles of 0x00400108"));
}

TEST(Json, WrongShapesAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "format is missing"},
      {R"({"format": "hardclock-profile")", "stops being JSON at byte 30 of 30"},
      {R"({"format": "hardclock-profile"} x)", "stops being JSON at byte"},
      {R"({"processes": {}})", "format is missing"},
  };
  for (const auto& [text, why] : cases) {
    const auto profile = read_profile(to_bytes(text));
    ASSERT_FALSE(profile) << text;
    EXPECT_THAT(profile.error(), HasSubstr(why));
  }
  std::string text(example_profile);
  text.replace(text.find("[\n  {"), text.rfind("\n ]") + 3 - text.find("[\n  {"), "[3]");
  EXPECT_THAT(read_profile(to_bytes(text)).error(), HasSubstr("processes[0] is not an object"));
  text.replace(text.find("[3]"), 3, "3");
  EXPECT_THAT(read_profile(to_bytes(text)).error(), HasSubstr("processes is not an array"));
}

TEST(Json, DeepNestingIsRefusedNotFollowed) {
  const std::string text = R"({"format": )" + std::string(1'000'000, '[');
  EXPECT_THAT(read_profile(to_bytes(text)).error(), HasSubstr("nested deeper than 64 levels"));
  const std::string closed =
      R"({"format": )" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  EXPECT_THAT(read_profile(to_bytes(closed)).error(), HasSubstr("nested deeper than 64 levels"));
  const std::string allowed = R"({"format": )" + std::string(63, '[') + std::string(63, ']') + "}";
  EXPECT_THAT(read_profile(to_bytes(allowed)).error(), HasSubstr("format is not text"));
}

TEST(Json, AnyTruncationIsRefused) {
  for (std::size_t size = 1; size + 1 < example_profile.size(); ++size) {
    const auto profile = read_profile(to_bytes(example_profile.substr(0, size)));
    ASSERT_FALSE(profile) << size;
    EXPECT_THAT(profile.error(), Not(HasSubstr("\n")));
  }
}

}  // namespace
}  // namespace hardclock::report
