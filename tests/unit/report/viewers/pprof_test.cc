// pprof's files as gzip and protoc read them. Figures are sorting.h's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "sim/report/viewers/viewers.h"
#include "tests/support/mips_tools.h"
#include "tests/unit/report/viewers/sorting.h"

namespace hardclock::report {
namespace {

using testing::HasSubstr;

// Without the line ends and blanks of protoc's print.
std::string decoded(const std::string& bytes) {
  const support::TemporaryFolder folder;
  std::ofstream(folder.path() + "/p.pb.gz", std::ios::binary) << bytes;
  const std::string command = "gzip -dc '" + folder.path() +
                              "/p.pb.gz' | protoc --decode=pprof.Profile "
                              "-I tests/unit/report/viewers tests/unit/report/viewers/pprof.proto";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c == '\n' || (c == ' ' && !text.empty() && text.back() == ' ')) c = ' ';
    if (c != ' ' || text.empty() || text.back() != ' ') text += static_cast<char>(c);
  }
  EXPECT_EQ(pclose(pipe), 0) << text;
  return text;
}

// Functions by object and address: 1 main, 2 sort, 3 less of /bin/s, 4 the library's. 33 MHz at
// 100 ticks a second is a tick in 330 000 cycles; 104 cycles take 3151 ns.
TEST(Pprof, StacksOfFunctions) {
  const std::string text = decoded(*to_pprof(graph_of_sorting()));
  EXPECT_THAT(text, HasSubstr("sample_type { type: 1 unit: 2 } sample_type { type: 3 unit: 2 } "
                              "sample { location_id: 1 value: 10 value: 1 } "
                              "sample { location_id: 2 location_id: 1 value: 20 value: 2 } "));
  EXPECT_THAT(text, HasSubstr("sample { location_id: 3 location_id: 2 location_id: 2 "
                              "location_id: 1 value: 25 value: 3 } "));
  EXPECT_THAT(text, HasSubstr("sample { location_id: 4 location_id: 1 value: 4 value: 0 } "));
  EXPECT_THAT(text, HasSubstr("location { id: 3 mapping_id: 1 address: 4128 "
                              "line { function_id: 3 } } "));
  EXPECT_THAT(text, HasSubstr("mapping { id: 1 memory_start: 4096 memory_limit: 8192 filename: "));
  EXPECT_THAT(text, HasSubstr("string_table: \"\" string_table: \"cycles\" string_table: \"count\" "
                              "string_table: \"ticks\" "));
  EXPECT_THAT(text, HasSubstr("string_table: \"sort<a;b>\""));
  EXPECT_THAT(text, HasSubstr("string_table: \"command: s \\\"1\\\"\""));
  EXPECT_THAT(text, HasSubstr("duration_nanos: 3151 "));
  EXPECT_THAT(text, HasSubstr("period_type { type: 1 unit: 2 } period: 330000 "));
}

TEST(Pprof, WithoutCallsInstructions) {
  Profile profile = flat_profile_of_sorting();
  profile.processes[0].cycles[GuestAddr(0x1014)] = 7;
  const std::string text = decoded(*to_pprof(graph_of_sorting(profile)));
  EXPECT_THAT(text, HasSubstr("sample { location_id: 3 value: 7 value: 0 } "));
  EXPECT_THAT(text, HasSubstr("location { id: 3 mapping_id: 1 address: 4116 "
                              "line { function_id: 2 } } "));
}

// Types 3 to 12 are the reasons. Points by object and address: main, main + 4, sort, less, library.
TEST(Pprof, ReasonsOfInstructions) {
  const std::string text =
      decoded(*to_pprof(graph_of_sorting(with_reasons(flat_profile_of_sorting()))));
  for (const char* const type : {"issue", "operand", "unit", "branch", "instruction_miss",
                                 "data_miss", "second_level", "tlb", "write_buffer", "kernel"}) {
    EXPECT_THAT(text, HasSubstr("string_table: \"" + std::string(type) + "\" "));
  }
  EXPECT_THAT(text,
              HasSubstr("sample { location_id: 2 value: 0 value: 0 value: 0 value: 0 value: 0 "
                        "value: 0 value: 0 value: 0 value: 0 value: 0 value: 0 value: 9 } "));
  EXPECT_THAT(text,
              HasSubstr("sample { location_id: 4 value: 40 value: 4 value: 24 value: 0 value: "
                        "0 value: 0 value: 0 value: 16 value: 0 value: 0 value: 0 value: 0 } "));
}

// Paths have cycles and ticks; the instructions, behind the four functions, reasons alone.
TEST(Pprof, ReasonsStandBesidePaths) {
  const std::string text = decoded(*to_pprof(graph_of_sorting(with_reasons(profile_of_sorting()))));
  EXPECT_THAT(text, HasSubstr("sample { location_id: 2 location_id: 1 value: 20 value: 2 value: 0 "
                              "value: 0 value: 0 value: 0 value: 0 value: 0 value: 0 value: 0 "
                              "value: 0 value: 0 } "));
  EXPECT_THAT(text,
              HasSubstr("sample { location_id: 8 value: 0 value: 0 value: 24 value: 0 value: 0 "
                        "value: 0 value: 0 value: 16 value: 0 value: 0 value: 0 value: 0 } "));
  EXPECT_THAT(text, HasSubstr("location { id: 8 mapping_id: 1 address: 4128 "
                              "line { function_id: 3 } } "));
}

// What is inlined from another file is that file's part of the function: pprof's functions have
// one.
TEST(Pprof, LinesAndTheFilesOfInlinedCode) {
  LineTableBuilder lines;
  const std::uint32_t own = *lines.file("/src/sort.c"), header = *lines.file("/src/x.h");
  lines.add(GuestAddr(0x1010), GuestAddr(0x1014), own, 7);
  lines.add(GuestAddr(0x1014), GuestAddr(0x1018), header, 2);
  lines.add(GuestAddr(0x1018), GuestAddr(0x1020), own, 9);
  Lines all;
  all.emplace("", std::move(lines).finish());
  Profile profile = flat_profile_of_sorting();
  profile.processes[0].cycles[GuestAddr(0x1014)] = 1;
  profile.processes[0].cycles[GuestAddr(0x1018)] = 1;
  const std::string text = decoded(*to_pprof(graph_of_sorting(profile), all));
  EXPECT_THAT(text, HasSubstr("address: 4112 line { function_id: 2 line: 7 } } "));
  EXPECT_THAT(text, HasSubstr("address: 4116 line { function_id: 5 line: 2 } } "));
  EXPECT_THAT(text, HasSubstr("address: 4120 line { function_id: 2 line: 9 } } "));
  EXPECT_THAT(text, HasSubstr("string_table: \"/src/sort.c\" "));
  EXPECT_THAT(text, HasSubstr("string_table: \"/src/x.h\" "));
  EXPECT_TRUE(std::regex_search(
      text,
      std::regex(
          "function \\{ id: 2 name: (\\d+) system_name: \\1 filename: \\d+ start_line: 7 \\} .*"
          "function \\{ id: 5 name: \\1 system_name: \\1 filename: \\d+ \\} ")))
      << text;
}

// RFC 1952: the time is bytes 4 to 7, the flags byte 3.
TEST(Pprof, HasNoTimeAndNoName) {
  const std::string bytes = *to_pprof(graph_of_sorting());
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
  EXPECT_EQ(bytes, *to_pprof(graph_of_sorting()));
}

TEST(Pprof, RefusesNumbersBeyondItsOwn) {
  Profile profile = flat_profile_of_sorting();
  profile.processes[0].cycles = {{GuestAddr(0x1000), std::uint64_t{1} << 63}};
  const Written written = to_pprof(graph_of_sorting(profile));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error(), HasSubstr("above 2^63 - 1"));
}

}  // namespace
}  // namespace hardclock::report
