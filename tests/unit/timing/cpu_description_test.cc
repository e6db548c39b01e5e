// The .timing format, as sim/timing/cpu_description.h defines it, and its mistakes.
#include "sim/timing/cpu_description.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hardclock {
namespace {

constexpr const char* complete = R"(
# a comment
cpu      test1000     # another
called old,t1
isa      mips1
pipeline in-order
about    a processor for tests
clock 12.5 also 20,25     published: manual, page 2
class alu  latency 1  published: manual, page 1
class mul  latency 5 \  # goes on
           repeat 3 unit m  measured: a bench
note one
note two
)";

TEST(CpuDescription, ReadsEveryStatement) {
  const auto cpu = parse_cpu_description(complete);
  ASSERT_TRUE(cpu.ok()) << cpu.error();
  EXPECT_EQ(cpu->name, "test1000");
  EXPECT_EQ(cpu->other_names, (std::vector<std::string>{"old", "t1"}));
  EXPECT_EQ(cpu->isa, "mips1");
  EXPECT_EQ(cpu->clock, Hertz(12'500'000));
  EXPECT_EQ(cpu->kind, PipelineKind::in_order);
  EXPECT_EQ(cpu->about, "a processor for tests");
  EXPECT_EQ(cpu->notes, (std::vector<std::string>{"one", "two"}));
  ASSERT_EQ(cpu->rows.size(), 3u);
  EXPECT_EQ(cpu->rows[0].keyword, "clock");
  EXPECT_EQ(cpu->rows[1].keyword, "class");
  EXPECT_EQ(cpu->rows[1].name, "alu");
  EXPECT_EQ(cpu->rows[1].grade, "published");
  EXPECT_EQ(cpu->rows[1].source, "manual, page 1");
  using Values = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(cpu->rows[2].values, (Values{{"latency", "5"}, {"repeat", "3"}, {"unit", "m"}}));
  EXPECT_EQ(cpu->rows[2].grade, "measured");
  EXPECT_EQ(cpu->rows[2].line, 10u);
}

TEST(CpuDescription, KnowsTheGrades) {
  for (const std::string grade :
       {"exact", "published", "measured", "vendor's table", "derived", "unverified"}) {
    const auto cpu = parse_cpu_description("cpu x\nisa i\npipeline in-order\nabout a\nclock 1 " +
                                           grade + ": x\nclass alu latency 1 " + grade + ": y z\n");
    ASSERT_TRUE(cpu.ok()) << cpu.error();
    EXPECT_EQ(cpu->rows.at(1).grade, grade);
    EXPECT_EQ(cpu->rows.at(1).source, "y z");
  }
  for (const std::string grade : {"vendor's", "vendor's tables", "vendor's x", "table", "vendor"}) {
    const auto cpu = parse_cpu_description("cpu x\nclass alu latency 1 " + grade + ": y\n");
    ASSERT_FALSE(cpu.ok()) << grade;
  }
}

TEST(CpuDescription, KnowsTheKindsOfPipelines) {
  const std::pair<const char*, PipelineKind> kinds[] = {
      {"functional", PipelineKind::functional},
      {"in-order", PipelineKind::in_order},
      {"bundles", PipelineKind::bundles},
      {"out-of-order", PipelineKind::out_of_order}};
  for (const auto& [name, kind] : kinds) {
    const auto cpu =
        parse_cpu_description("cpu x\nclock 1 exact: x\npipeline " + std::string(name));
    ASSERT_TRUE(cpu.ok()) << cpu.error();
    EXPECT_EQ(cpu->kind, kind);
  }
}

struct Mistake {
  const char* line;
  const char* message;  // a part of it
};

TEST(CpuDescription, NamesTheLineAndTheMistake) {
  const Mistake mistakes[] = {
      {"cpu", "line 1: cpu needs a value"},
      {"note", "line 1: note needs a value"},
      {"called", "line 1: called needs a value"},
      {"called one,,two", "line 1: called needs names, with a comma between two"},
      {"called one, two", "line 1: called needs names, with a comma between two"},
      {"pipeline sideways", "line 1: unknown pipeline 'sideways'"},
      {"speed 5 exact: x", "line 1: unknown keyword 'speed'"},
      {"clock fast exact: x", "line 1: clock needs a number of MHz, not 'fast'"},
      {"clock 0 exact: x", "line 1: clock needs"},
      {"clock -5 exact: x", "line 1: clock needs"},
      {"clock 5 and 6 exact: x", "line 1: unknown word 'and' in a clock row"},
      {"clock 5 MHz exact: x", "line 1: MHz needs a value"},
      {"clock nan exact: x", "line 1: clock needs"},
      {"clock inf exact: x", "line 1: clock needs"},
      {"clock 1e300 exact: x", "line 1: clock needs"},
      {"clock 1e999 exact: x", "line 1: clock needs"},
      {"clock 1e-9 exact: x", "line 1: clock needs"},
      {"clock 5 also fast exact: x", "line 1: also needs numbers of MHz, not 'fast'"},
      {"clock 5 also 6,,7 exact: x", "line 1: also needs numbers of MHz, not ''"},
      {"\nclock 5 also 6,-7 exact: x", "line 2: also needs numbers of MHz, not '-7'"},
      {"class", "line 1: class needs a name"},
      {"class exact: x", "line 1: class needs a name"},
      {"class alu", "line 1: a row ends with its grade and source"},
      {"class alu latency 1", "line 1: a row ends with its grade"},
      {"class alu latency", "line 1: latency needs a value"},
      {"class alu latency exact: x", "line 1: latency needs a value"},
      {"class alu latency 1 guessed: x", "line 1: a row ends with its grade"},
      {"class alu latency 1 : x", "line 1: a row ends with its grade"},
      {"class alu latency 1 exact:", "line 1: the row names no source"},
      {"class alu latency 1 exact: # none", "line 1: the row names no source"},
      {"class alu latency 1 exact: x\nclass alu latency 2 exact: y",
       "line 2: a second row for class alu"},
      {"clock 5 exact: x\nclock 6 exact: x", "line 2: a second row for clock"},
      {"issue 1 exact: x\nissue 2 exact: x", "line 2: a second row for issue"},
      {"windows all entries 4 exact: x", "line 1: unknown keyword 'windows'"},
      {"isa mips1\ncpu\n", "line 2: cpu needs a value"},
      {"", "no cpu line"},
      {"cpu x", "no clock line"},
      {"clock 5 exact: x", "no cpu line"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto cpu = parse_cpu_description(mistake.line);
    ASSERT_FALSE(cpu.ok()) << mistake.line;
    EXPECT_NE(cpu.error().find(mistake.message), std::string::npos)
        << mistake.line << ": " << cpu.error();
  }
}

// A row that is for another kind of pipeline, or for the other kind of file, would be a wish that
// nobody reads.
TEST(CpuDescription, RefusesRowsThatNobodyReads) {
  const std::pair<const char*, std::vector<const char*>> unread[] = {
      {"functional",
       {"stages", "issue", "pair", "pair_words", "alone", "class", "bypass", "overwrite", "waits",
        "redirect", "continues", "fetch", "unit", "queue", "kernel", "processor"}},
      {"in-order",
       {"fetch", "decode", "unit", "predictor", "graduate", "mispredict", "queue", "active",
        "branches", "registers", "misses", "window", "ports", "second", "in_slots", "split",
        "split_after", "kernel", "processor"}},
      {"bundles",
       {"issue", "pair", "pair_words", "alone", "overwrite", "waits", "continues", "fetch", "unit",
        "queue", "kernel", "processor"}},
      {"out-of-order",
       {"stages", "issue", "pair", "pair_words", "alone", "overwrite", "waits", "redirect",
        "continues", "window", "ports", "kernel", "processor"}}};
  for (const auto& [kind, keywords] : unread) {
    for (const std::string keyword : keywords) {
      const auto cpu = parse_cpu_description("cpu x\nclock 1 exact: x\n" + keyword +
                                             " all exact: x\npipeline " + kind);
      ASSERT_FALSE(cpu.ok()) << kind << " " << keyword;
      EXPECT_EQ(cpu.error(),
                "line 3: nobody reads " + keyword + " rows of " + kind + " processors");
    }
  }
}

TEST(MachineDescription, RefusesRowsThatNobodyReads) {
  for (const std::string keyword :
       {"clock", "stages", "issue", "class", "pair", "pair_words", "alone", "bypass", "overwrite",
        "redirect", "continues", "queue"}) {
    const auto machine =
        parse_machine_description("cpu x\nprocessor r9 mhz 1 exact: x\n" + keyword + " 1 exact: x");
    ASSERT_FALSE(machine.ok()) << keyword;
    EXPECT_EQ(machine.error(), "line 3: nobody reads " + keyword + " rows of machines");
  }
  for (const std::string statement : {"isa mips1", "pipeline in-order", "called m"}) {
    const auto machine =
        parse_machine_description("cpu x\nprocessor r9 mhz 1 exact: x\n" + statement);
    ASSERT_FALSE(machine.ok()) << statement;
    EXPECT_EQ(machine.error().find("line 3: nobody reads the "), 0u) << machine.error();
  }
}

TimingRow row_of(const std::string& text) {
  const auto cpu = parse_cpu_description("cpu x\nclock 1 exact: x\n" + text + " exact: x");
  EXPECT_TRUE(cpu.ok()) << cpu.error();
  return cpu->rows.at(1);
}

TEST(RowReader, ReadsNumbersWordsAndChoices) {
  const TimingRow row = row_of("cache l1d size 16K ways 2 big 3M policy write-back");
  RowReader reader(row);
  EXPECT_EQ(reader.name(), "l1d");
  EXPECT_TRUE(reader.has("size"));
  EXPECT_FALSE(reader.has("line"));
  EXPECT_EQ(reader.number("size", 1, 1, 1 << 20), 16384u);
  EXPECT_EQ(reader.number("ways", 1, 1, 16), 2u);
  EXPECT_EQ(reader.number("big", 1, 1, 1 << 30), 3u << 20);
  EXPECT_EQ(reader.number("line", 32, 1, 128), 32u) << "not in the row";
  EXPECT_EQ(reader.choice("policy", {"write-through", "write-back"}), 1u);
  EXPECT_EQ(reader.word("replacement", "lru"), "lru");
  EXPECT_EQ(reader.error(), "");
}

TEST(RowReader, NamesTheLineAndTheFirstMistake) {
  const TimingRow row = row_of("cache l1d size 16Q ways 99999999999999999999 policy none odd 1");
  const auto error_of = [&](auto read) {
    RowReader reader(row);
    read(reader);
    return reader.error();
  };
  EXPECT_EQ(error_of([](RowReader& r) { r.number("size", 1, 1, 64); }),
            "line 3: size needs a number from 1 to 64, not '16Q'");
  EXPECT_EQ(error_of([](RowReader& r) { r.number("ways", 1, 1, 64); }),
            "line 3: ways needs a number from 1 to 64, not '99999999999999999999'");
  EXPECT_EQ(error_of([](RowReader& r) {
              r.choice("policy", {"a", "b"});
            }),
            "line 3: unknown policy 'none'");
  EXPECT_EQ(error_of([](RowReader& r) { r.require("line"); }), "line 3: cache l1d needs line");
  EXPECT_EQ(error_of([](RowReader& r) {
              for (const char* const key : {"size", "ways", "policy"}) r.word(key, "");
            }),
            "line 3: unknown word 'odd' in a cache row");
}

TEST(WordsOfList, AreSeparatedByCommas) {
  EXPECT_EQ(words_of_list("a"), std::vector<std::string>{"a"});
  EXPECT_EQ(words_of_list("a,b,,c"), (std::vector<std::string>{"a", "b", "", "c"}));
}

TEST(MachineDescription, IsAProcessorAndRows) {
  const auto machine = parse_machine_description(
      "cpu box\nabout a machine\nprocessor r9 mhz 12.5 published: a manual\n"
      "memory main ns 100 measured: a bench\nnote one\n");
  ASSERT_TRUE(machine.ok()) << machine.error();
  EXPECT_EQ(machine->name, "box");
  EXPECT_EQ(machine->processor, "r9");
  EXPECT_EQ(machine->clock, Hertz(12'500'000));
  EXPECT_EQ(machine->rows.size(), 2u);
  EXPECT_EQ(machine->notes, std::vector<std::string>{"one"});
  const std::string text = to_text(*machine);
  for (const char* const part : {"box", "a machine", "r9", "12.5 MHz", "a bench", "one"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  const std::pair<const char*, const char*> mistakes[] = {
      {"cpu box", "no processor line"},
      {"processor r9 mhz 1 exact: x", "no cpu line"},
      {"cpu box\nprocessor r9 exact: x", "line 2: processor r9 needs mhz"},
      {"cpu box\nprocessor r9 mhz fast exact: x", "line 2: mhz needs a number"},
      {"cpu box\nprocessor r9 mhz 0.0000001 exact: x", "line 2: mhz needs a number"},
      {"cpu box\nprocessor r9 mhz 5 at 7 exact: x", "line 2: unknown word 'at'"},
      {"cpu box\nprocessor r9 mhz 5 exact: x\nprocessor r8 mhz 5 exact: x",
       "line 3: a second row for processor"}};
  for (const auto& [text_of_file, message] : mistakes) {
    const auto wrong = parse_machine_description(text_of_file);
    ASSERT_FALSE(wrong.ok()) << text_of_file;
    EXPECT_NE(wrong.error().find(message), std::string::npos) << wrong.error();
  }
}

TEST(ToText, ShowsEachRowsEvidence) {
  const auto cpu = parse_cpu_description(complete);
  ASSERT_TRUE(cpu.ok());
  const std::string text = to_text(*cpu);
  for (const char* const part :
       {"test1000", "old t1", "12.5 MHz", "manual, page 1", "measured", "two"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace hardclock
