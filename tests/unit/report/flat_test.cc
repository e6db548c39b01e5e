// The flat report. Every expected figure is worked out by hand beside it.
#include "sim/report/flat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hardclock::report {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

Symbol function(std::uint64_t address, std::uint64_t size, std::string name) {
  return {.address = GuestAddr(address), .size = size, .name = std::move(name)};
}

// 64 bytes each, one behind the other.
SymbolTable two_functions() {
  return SymbolTable({function(0x400100, 64, "heavy"), function(0x400140, 64, "light")},
                     GuestAddr(0x400180));
}

Profile of_process(ProcessProfile process, std::uint64_t rate = 100) {
  Profile profile;
  profile.tick_rate = Hertz(rate);
  profile.processes.push_back(std::move(process));
  return profile;
}

// 75 of 100 ticks, 7520 of 10000 cycles.
Profile three_quarters() {
  ProcessProfile process;
  process.program = "/bin/w";
  process.samples = {
      {GuestAddr(0x400100), 50}, {GuestAddr(0x40013c), 25}, {GuestAddr(0x400140), 25}};
  process.cycles = {
      {GuestAddr(0x400100), 7000}, {GuestAddr(0x40013c), 520}, {GuestAddr(0x40017c), 2480}};
  return of_process(process);
}

auto row(const std::string& name, double ticks) {
  return testing::AllOf(Field(&FlatRow::function, name), Field(&FlatRow::ticks, ticks));
}

TEST(Flat, ThreeQuarters) {
  const Profile profile = three_quarters();
  const FlatReport report = flat(profile, two_functions(), &profile);
  ASSERT_THAT(report.rows, ElementsAre(row("heavy", 75), row("light", 25)));
  EXPECT_EQ(report.ticks, Ticks(100));
  EXPECT_EQ(report.cycles, Cycles(10000));
  EXPECT_DOUBLE_EQ(report.sampled_percent(report.rows[0]), 75);
  EXPECT_DOUBLE_EQ(report.exact_percent(report.rows[0]), 75.2);
  EXPECT_NEAR(report.difference(report.rows[0]), 75 - 75.2, 1e-9);
  EXPECT_NEAR(report.difference(report.rows[1]), 25 - 24.8, 1e-9);
}

// 80 columns less 57 for figures, gaps and names leave bars of 23; 23 * 25/75 rounds to 8.
TEST(FlatText, ThreeQuarters) {
  const Profile profile = three_quarters();
  EXPECT_EQ(to_text(flat(profile, two_functions(), &profile)),
            "ticks  seconds  ticks%                           cycles  cycles%  diff  function\n"
            "   75    0.750    75.0  #######################    7520     75.2  -0.2  heavy\n"
            "   25    0.250    25.0  ########                   2480     24.8  +0.2  light\n"
            "  100    1.000   100.0                            10000    100.0        total\n"
            "Ticks at random times are as far off in 96 % of runs (chi-square 0.0, 2 groups): "
            "within chance.\n");
}

// No cycles, no rate: the bar grows to its limit of 40; 40 * 25/75 rounds to 13.
TEST(FlatText, WithoutRateAndCycles) {
  Profile profile = three_quarters();
  profile.tick_rate = Hertz();
  EXPECT_EQ(to_text(flat(profile, two_functions()), {.width = 100}),
            "ticks  ticks%                                            function\n"
            "   75    75.0  ########################################  heavy\n"
            "   25    25.0  #############                             light\n"
            "  100   100.0                                            total\n");
}

TEST(FlatText, NoTicks) {
  EXPECT_EQ(to_text(flat(of_process({}), two_functions())),
            "ticks  seconds  ticks%                                            function\n"
            "    0    0.000     0.0                                            total\n");
}

TEST(FlatText, ControlCharactersDoNotReachTheTerminal) {
  ProcessProfile process;
  process.samples = {{GuestAddr(0x1000), 1}};
  const SymbolTable symbols({function(0x1000, 16, "a\x1b[2J\nb\x7f")}, GuestAddr(0x1010));
  const std::string text = to_text(flat(of_process(process), symbols));
  EXPECT_THAT(text, HasSubstr("a?[2J?b?\n"));
}

// The rarest row still has a bar, and the difference of 0.04 ticks is no "-0.0".
TEST(FlatText, SmallFigures) {
  Profile profile = three_quarters();
  profile.processes[0].samples = {{GuestAddr(0x400100), 9999}, {GuestAddr(0x400140), 1}};
  profile.processes[0].cycles = {{GuestAddr(0x400100), 9999'04}, {GuestAddr(0x400140), 96}};
  const std::string text = to_text(flat(profile, two_functions(), &profile));
  EXPECT_THAT(text, HasSubstr("    1    0.010     0.0  #  "));
  EXPECT_THAT(text, HasSubstr("  0.0  heavy\n"));
  EXPECT_THAT(text, HasSubstr("  0.0  light\n"));
}

TEST(Flat, OutsideOfFunctionsIsOneRow) {
  ProcessProfile process;
  process.program = "/usr/bin/w";
  process.samples = {{GuestAddr(0xfb60000), 2}, {GuestAddr(0x4000fc), 1}, {GuestAddr(0x400100), 3}};
  const FlatReport report = flat(of_process(process), two_functions());
  EXPECT_THAT(report.rows, ElementsAre(row("heavy", 3), row("(outside w)", 3)));
  process.program.clear();
  EXPECT_THAT(flat(of_process(process), two_functions()).rows,
              ElementsAre(row("heavy", 3), row("(outside the program)", 3)));
}

TEST(Flat, EqualTicksAreSortedByAddress) {
  ProcessProfile process;
  process.samples = {{GuestAddr(0x400140), 1}, {GuestAddr(0x400100), 1}, {GuestAddr(0x10), 1}};
  EXPECT_THAT(flat(of_process(process), two_functions()).rows,
              ElementsAre(row("heavy", 1), row("light", 1), row("(outside the program)", 1)));
}

// A run of less than a tick: its order is that of the cycles.
TEST(Flat, EqualTicksAreSortedByCycles) {
  ProcessProfile process;
  process.cycles = {{GuestAddr(0x400140), 9}, {GuestAddr(0x400100), 5}, {GuestAddr(0x10), 7}};
  const Profile profile = of_process(process);
  EXPECT_THAT(flat(profile, two_functions(), &profile).rows,
              ElementsAre(row("light", 0), row("(outside the program)", 0), row("heavy", 0)));
}

// A library that its link editor left at 0x1000, where its file's byte 0x200 belongs; here it lies
// at 0x77000000.
Image library() {
  Image image;
  image.relocatable = true;
  image.segments = {{GuestAddr(0x1000), 0x100, {.read = true, .execute = true}, {}, 0x200}};
  image.segments[0].bytes.resize(0x100);
  image.symbols = SymbolTable({function(0x1010, 16, "malloc")}, GuestAddr(0x1100));
  return image;
}

// Moved by 0x55550000 - 0x400000, beside a library.
ProcessProfile moved_process() {
  ProcessProfile process;
  process.program = "/bin/w";
  process.moved_by = 0x55550000 - 0x400000;
  process.mappings = {{GuestAddr(0x55550000), 0x1000, "/bin/w", 0},
                      {GuestAddr(0x77000000), 0x100, "/lib/libc.so.6", 0x200}};
  return process;
}

TEST(Flat, MovedProgramsAndSharedObjects) {
  ProcessProfile process = moved_process();
  process.samples = {{GuestAddr(0x55550104), 5},
                     {GuestAddr(0x55550140), 4},
                     {GuestAddr(0x77000014), 3},
                     {GuestAddr(0x77000080), 2},
                     {GuestAddr(0x400100), 1}};
  const Objects objects = {{"/lib/libc.so.6", library()}};
  const FlatReport named = flat(of_process(process), two_functions(), nullptr, {}, objects);
  EXPECT_THAT(named.rows,
              ElementsAre(row("heavy", 5), row("light", 4), row("malloc (libc.so.6)", 3),
                          row("(libc.so.6, no function)", 2), row("(outside w)", 1)));
  EXPECT_EQ(named.rows[2].address, GuestAddr(0x1010));
  EXPECT_THAT(flat(of_process(process), two_functions()).rows,
              ElementsAre(row("heavy", 5), row("(libc.so.6: pass -L DIR)", 5), row("light", 4),
                          row("(outside w)", 1)));
}

// They share a name, not their functions' ticks.
TEST(Flat, ObjectsOfTheSameName) {
  ProcessProfile process = moved_process();
  process.mappings.push_back({GuestAddr(0x78000000), 0x100, "/usr/lib/libc.so.6", 0x200});
  process.samples = {{GuestAddr(0x77000014), 3}, {GuestAddr(0x78000014), 2}};
  const Objects objects = {{"/lib/libc.so.6", library()}, {"/usr/lib/libc.so.6", library()}};
  const FlatReport named = flat(of_process(process), two_functions(), nullptr, {}, objects);
  ASSERT_THAT(named.rows, ElementsAre(row("malloc (libc.so.6)", 3), row("malloc (libc.so.6)", 2)));
  EXPECT_EQ(named.rows[0].object, "/lib/libc.so.6");
  EXPECT_EQ(named.rows[1].object, "/usr/lib/libc.so.6");
}

// Counters of 0x20 bytes, of which the first has the 0x10 of malloc.
TEST(Flat, CountersOverSharedObjects) {
  ProcessProfile process = moved_process();
  process.histograms = {{GuestAddr(0x77000000), GuestAddr(0x77000100), {8, 2, 0, 0, 0, 0, 0, 1}}};
  const Objects objects = {{"/lib/libc.so.6", library()}};
  EXPECT_THAT(flat(of_process(process), two_functions(), nullptr, {}, objects).rows,
              ElementsAre(row("(libc.so.6, no function)", 7), row("malloc (libc.so.6)", 4)));
}

// What moved_by of a damaged file may do: half of the counter would lie below address 0.
TEST(Flat, MovedOverTheEndOfTheAddresses) {
  ProcessProfile process;
  process.moved_by = 0x400110;
  process.histograms = {{GuestAddr(0x400100), GuestAddr(0x400120), {4}}};
  EXPECT_THAT(flat(of_process(process), two_functions()).rows,
              ElementsAre(row("(outside the program)", 4)));
}

// fork: both processes ran w. exec: the third ran cc, whose pcs mean nothing in w's symbol table.
TEST(Flat, ProcessesOfOtherProgramsAreKeptApart) {
  Profile profile = three_quarters();
  profile.processes.push_back(profile.processes[0]);
  profile.processes.push_back(profile.processes[0]);
  profile.processes[2].program = "/usr/bin/cc";
  EXPECT_THAT(flat(profile, two_functions(), &profile).rows,
              ElementsAre(row("heavy", 150), row("(other program cc)", 100), row("light", 50)));
  EXPECT_THAT(flat(profile, two_functions(), &profile, {.name = "build/cc"}).rows,
              ElementsAre(row("(other program w)", 200), row("heavy", 75), row("light", 25)));
}

// A driver's processes: each program whose file is known has its own functions.
TEST(Flat, OtherProgramsThatAreKnownHaveTheirFunctions) {
  Profile profile = three_quarters();
  ProcessProfile other = moved_process();
  other.program = "/usr/lib/cfe";
  other.mappings[0].file = other.program;
  other.mappings.push_back({GuestAddr(0x66000000), 0x100, "/usr/lib/cfe", 0x200});
  other.samples = {{GuestAddr(0x66000014), 30}, {GuestAddr(0x77000014), 3}};
  profile.processes.push_back(other);
  const Objects objects = {{"/usr/lib/cfe", library()}, {"/lib/libc.so.6", library()}};
  const FlatReport named = flat(profile, two_functions(), nullptr, {}, objects);
  EXPECT_THAT(named.rows, ElementsAre(row("heavy", 75), row("malloc (cfe)", 30), row("light", 25),
                                      row("malloc (libc.so.6)", 3)));
  EXPECT_EQ(named.rows[1].object, "/usr/lib/cfe");
}

// A program without mappings has all addresses, as the named one has.
TEST(Flat, OtherProgramsWithoutMappings) {
  Profile profile = three_quarters();
  ProcessProfile other;
  other.program = "/usr/lib/cfe";
  other.samples = {{GuestAddr(0x1014), 7}};
  profile.processes.push_back(other);
  EXPECT_THAT(flat(profile, two_functions(), nullptr, {}, {{"/usr/lib/cfe", library()}}).rows,
              ElementsAre(row("heavy", 75), row("light", 25), row("malloc (cfe)", 7)));
}

TEST(Flat, FunctionThatWasNeverSampledShowsItsCycles) {
  Profile profile = three_quarters();
  profile.processes[0].samples = {{GuestAddr(0x400100), 100}};
  const FlatReport report = flat(profile, two_functions(), &profile);
  ASSERT_THAT(report.rows, ElementsAre(row("heavy", 100), row("light", 0)));
  EXPECT_NEAR(report.difference(report.rows[1]), -24.8, 1e-9);
}

Profile of_histogram(std::uint64_t low, std::uint64_t high, std::vector<std::uint64_t> counts) {
  ProcessProfile process;
  process.histograms = {
      {.low = GuestAddr(low), .high = GuestAddr(high), .counts = std::move(counts)}};
  return of_process(process);
}

// Counters of 32 bytes: two whole ones in each function.
TEST(Flat, CountersWithinOneFunctionAreExact) {
  EXPECT_THAT(flat(of_histogram(0x400100, 0x400180, {40, 35, 0, 25}), two_functions()).rows,
              ElementsAre(row("heavy", 75), row("light", 25)));
}

// One counter over [0x400130, 0x400150): heavy covers 16 of its 32 bytes; then over
// [0x400138, 0x400158): 8 of 32.
TEST(Flat, SharedCounterIsDividedByOverlap) {
  EXPECT_THAT(flat(of_histogram(0x400130, 0x400150, {9}), two_functions()).rows,
              ElementsAre(row("heavy", 4.5), row("light", 4.5)));
  const FlatReport report = flat(of_histogram(0x400138, 0x400158, {10}), two_functions());
  EXPECT_THAT(report.rows, ElementsAre(row("light", 7.5), row("heavy", 2.5)));
  EXPECT_THAT(to_text(report), HasSubstr("  7.5    0.075    75.0  "));
}

// 128 bytes in 3 counters: the second covers 42 2/3 bytes from 0x400100 + 42 2/3; half of it lies
// below 0x400140.
TEST(Flat, CounterBoundariesNeedNotBeWholeBytes) {
  const FlatReport report = flat(of_histogram(0x400100, 0x400180, {0, 6, 0}), two_functions());
  EXPECT_THAT(report.rows, ElementsAre(row("heavy", 3), row("light", 3)));
}

// A counter over both functions and 128 bytes behind them.
TEST(Flat, CodeWithoutSymbolsIsOutside) {
  EXPECT_THAT(flat(of_histogram(0x400100, 0x400200, {8}), two_functions()).rows,
              ElementsAre(row("(outside the program)", 4), row("heavy", 2), row("light", 2)));
}

// gprof lets each function reach to the next one, so it knows no padding; neither do we below 32
// bytes. f has 40 bytes of code and 24 of padding, then 64 bytes without a symbol follow g.
TEST(Flat, PaddingBelongsToTheFunctionBefore) {
  const SymbolTable symbols(
      {function(0x1000, 40, "f"), function(0x1040, 64, "g"), function(0x10c0, 64, "h")},
      GuestAddr(0x1100));
  EXPECT_THAT(flat(of_histogram(0x1000, 0x1100, {3, 2, 1, 4}), symbols).rows,
              ElementsAre(row("h", 4), row("f", 3), row("g", 2), row("(outside the program)", 1)));
}

// A function without a size ends with the code (SymbolTable); what follows is no padding.
TEST(Flat, NothingBelongsToCodeThatEnded) {
  const SymbolTable symbols({function(0x1000, 0, "f")}, GuestAddr(0x1010));
  EXPECT_THAT(flat(of_histogram(0x1008, 0x1018, {1, 2}), symbols).rows,
              ElementsAre(row("(outside the program)", 2), row("f", 1)));
}

TEST(Flat, WidestHistogramOfAll) {
  const std::uint64_t top = ~std::uint64_t{0};
  const FlatReport report = flat(of_histogram(0, top, {1, 1, 1}), two_functions());
  double sum = 0;
  for (const FlatRow& each : report.rows) sum += each.ticks;
  EXPECT_NEAR(sum, 3, 1e-9);
}

// A stripped program: calls say where its functions begin. 0x400010 is one of 0x40 bytes up to the
// next one that was called, though none of its own is a symbol; below the first is nobody's.
TEST(Flat, FunctionsWithoutSymbolsAreWhereCallsWent) {
  ProcessProfile process;
  process.program = "w";
  process.cycles = {{GuestAddr(0x400000), 5},
                    {GuestAddr(0x400010), 10},
                    {GuestAddr(0x40004c), 20},
                    {GuestAddr(0x400050), 40}};
  process.call_tree = {{CallNode::none, GuestAddr(0x400010), 1, 30, 0},
                       {0, GuestAddr(0x400050), 1, 40, 0}};
  const Profile exact = of_process(process);
  const FlatReport report = flat(exact, SymbolTable(), &exact);
  ASSERT_THAT(report.rows,
              ElementsAre(row("0x00400050", 0), row("0x00400010", 0), row("(outside w)", 0)));
  EXPECT_EQ(report.rows[0].cycles, Cycles(40));
  EXPECT_EQ(report.rows[0].address, GuestAddr(0x400050));
  EXPECT_EQ(report.rows[1].cycles, Cycles(30));
  EXPECT_EQ(report.rows[2].cycles, Cycles(5));

  // Counters of the same run, of 32 bytes, which know no calls: half of the third is above
  // 0x400050.
  ProcessProfile counters;
  counters.program = "w";
  counters.histograms = {{GuestAddr(0x400000), GuestAddr(0x400060), {0, 1, 4}}};
  const FlatReport counted = flat(of_process(counters), SymbolTable(), &exact);
  EXPECT_EQ(counted.rows[0].function, "0x00400010");
  EXPECT_NEAR(counted.rows[0].ticks, 3, 1e-9);
  EXPECT_EQ(counted.rows[1].function, "0x00400050");
  EXPECT_NEAR(counted.rows[1].ticks, 2, 1e-9);
}

// Between symbols with sizes, too; a symbol ends such a function, and what is behind it is
// nobody's.
TEST(Flat, FunctionsWithoutSymbolsBetweenOthers) {
  const SymbolTable symbols({function(0x1000, 0x10, "f"), function(0x1080, 0x10, "g")},
                            GuestAddr(0x1200));
  ProcessProfile process;
  process.samples = {{GuestAddr(0x1004), 8},
                     {GuestAddr(0x1014), 1},
                     {GuestAddr(0x1024), 4},
                     {GuestAddr(0x1090), 2}};
  process.call_tree = {{CallNode::none, GuestAddr(0x1000), 1, 0, 9},
                       {0, GuestAddr(0x1020), 1, 0, 6}};
  EXPECT_THAT(flat(of_process(process), symbols).rows,
              ElementsAre(row("f", 8), row("0x00001020", 4), row("(outside the program)", 3)));
}

// However counters and functions lie, no tick is lost or made.
RC_GTEST_PROP(Flat, RowsSumToTheTotal, ()) {
  std::vector<Symbol> symbols;
  for (int n = *rc::gen::inRange(0, 12); n > 0; --n) {
    symbols.push_back(function(*rc::gen::inRange(0x1000, 0x1200), *rc::gen::inRange(0, 0x80), "f"));
  }
  const auto low = *rc::gen::inRange<std::uint64_t>(0xf00, 0x1200);
  const auto width = *rc::gen::inRange<std::uint64_t>(1, 0x300);
  const auto counts = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 1000)));
  const FlatReport report =
      flat(of_histogram(low, low + width, counts), SymbolTable(symbols, GuestAddr(0x1300)));
  double sum = 0;
  for (const FlatRow& each : report.rows) sum += each.ticks;
  RC_ASSERT(std::abs(sum - static_cast<double>(report.ticks.value())) < 1e-6);
}

}  // namespace
}  // namespace hardclock::report
