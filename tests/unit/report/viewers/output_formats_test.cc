// Which format the name of a file asks for.
#include "sim/report/viewers/output_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/report/viewers/sorting.h"

namespace hardclock::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(OutputFormats, NameDecides) {
  for (const auto& [name, format] : {std::pair{"p.json", "hardclock"},
                                     {"p.table.json", "json"},
                                     {"p.speedscope.json", "speedscope"},
                                     {"p.firefox.json", "firefox"},
                                     {"p.csv", "csv"},
                                     {"p.txt", "text"},
                                     {"p.html", "html"},
                                     {"p.svg", "svg"},
                                     {"p.pb.gz", "pprof"},
                                     {"p.folded", "folded"},
                                     {"p.ticks.folded", "folded-ticks"},
                                     {"p.perf", "perf"},
                                     {"callgrind.out", "callgrind"},
                                     {"a/callgrind.out.17", "callgrind"},
                                     {"p.callgrind", "callgrind"},
                                     {"gmon.out", "gnu"},
                                     {"a/17.gmon.out", "gnu"},
                                     {"p.gmon", "gnu"},
                                     {"mon.out", "sysv"},
                                     {"p.irix53", "irix53"},
                                     {"p.irix51", "irix51"}}) {
    const auto found = output_format_for(name);
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ((*found)->name, format) << name;
  }
}

TEST(OutputFormats, UnknownSuffixListsTheKnownOnes) {
  for (const char* name :
       {"w", "w.pdf", "moron.out", "json", "w.json.gz", "callgrind.output", ""}) {
    const auto found = output_format_for(name);
    ASSERT_FALSE(found) << name;
    EXPECT_THAT(found.error(), AllOf(HasSubstr("no format has this suffix"), HasSubstr(".json"),
                                     HasSubstr("mon.out"), Not(HasSubstr("\n"))));
  }
}

TEST(OutputFormats, NamesAndSuffixesStandOnce) {
  std::set<std::string_view> names, suffixes;
  for (const OutputFormat& format : output_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    for (const std::string_view suffix : format.suffixes) {
      EXPECT_TRUE(suffixes.insert(suffix).second) << suffix;
    }
  }
  EXPECT_THAT(output_format_called("elf").error(), HasSubstr("text, csv, json, html"));
}

// Whatever a profile has: nothing, no exact cycles, calls, names that are no text.
TEST(OutputFormats, WriteEveryProfile) {
  const SymbolTable rude({{.address = GuestAddr(0x1000), .size = 16, .name = "\xff<&\"\n;\x1b\\"}},
                         GuestAddr(0x1010));
  for (const Profile& profile :
       {Profile(), profile_of_sorting(), flat_profile_of_sorting(), deep_profile(2000),
        with_reasons(profile_of_sorting()), with_reasons(flat_profile_of_sorting())}) {
    for (const Profile* const exact : {&profile, static_cast<const Profile*>(nullptr)}) {
      for (const OutputFormat& format : output_formats()) {
        if (!format.shows_functions()) continue;
        const auto written = write_as(format, {profile, rude, exact, {.name = "s"}, {}});
        ASSERT_TRUE(written) << format.name << ": " << written.error();
        EXPECT_EQ(*written, *write_as(format, {profile, rude, exact, {.name = "s"}, {}}));
        EXPECT_TRUE(format.name == "pprof" || written->find('\x1b') == std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace hardclock::report
