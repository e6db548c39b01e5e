// --pipeline: a stretch of a program in its processor's pipeline.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

using Words = std::vector<std::string>;

class PipelineTest : public CommandTest {
 protected:
  Finished show(const std::string& cpu, const std::string& pipeline) {
    return hardclock({"run", "--cpu=" + cpu, "--max-instructions=20000", "--stats=s.json",
                      "--pipeline=" + pipeline, "--", guest("split75")});
  }
};

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// The stages of the R4000 (Heinrich, "MIPS R4000 Microprocessor User's Manual", chapter 3) and of
// the R3000 (Kane and Heinrich, "MIPS RISC Architecture", chapter 1).
TEST_F(PipelineTest, DrawsEachProcessorsStages) {
  for (const auto& [cpu, stages] : {std::pair("r4000", "IF  IS  RF  EX  DF  DS  TC  WB"),
                                    std::pair("r3000", "IF  RD  ALU MEM WB")}) {
    show(cpu, "main+8,p.txt");
    const std::string text = read("p.txt");
    EXPECT_TRUE(contains(text, stages)) << text;
    EXPECT_EQ(count_of(text, "WB"), 8u) << text;
    EXPECT_TRUE(contains(text, "addiu sp,sp,")) << "main's first instruction\n" << text;
  }
}

TEST_F(PipelineTest, DrawsAnOutOfOrderCore) {
  show("r10000", "main+8,p.txt");
  const std::string text = read("p.txt");
  for (const char* const stage : {"fet", "dec", "iss", "gra"}) {
    EXPECT_EQ(count_of(text, stage), 8u) << stage << "\n" << text;
  }
}

// github.com/shioyadan/Konata, docs/kanata-log-format.md: the header, and an I line an instruction.
TEST_F(PipelineTest, WritesATraceForKonata) {
  show("r5000", "main+100,p.kanata");
  const std::string text = read("p.kanata");
  EXPECT_TRUE(text.starts_with("Kanata\t0004\n"));
  EXPECT_EQ(count_of(text, "\nI\t"), 100u);
  EXPECT_EQ(count_of(text, "\nR\t"), 100u);
}

TEST_F(PipelineTest, ChangesNoCycle) {
  show("r4600", "main,p.txt");
  const std::string watched = read("s.json");
  hardclock(
      {"run", "--cpu=r4600", "--max-instructions=20000", "--stats=s.json", "--", guest("split75")});
  EXPECT_EQ(read("s.json"), watched);
}

// split75 is linked to begin at its entry, whose first instruction issues in cycle 0.
TEST_F(PipelineTest, TakesAddressesAndStandardError) {
  const Finished header = other_program({"mips-linux-gnu-readelf", "-h", guest("split75")});
  if (header.status != 0) GTEST_SKIP() << "mips-linux-gnu-readelf is missing";
  const std::size_t at = header.out.find("0x", header.out.find("Entry point address:"));
  ASSERT_NE(at, std::string::npos);
  const std::string entry = header.out.substr(at, header.out.find('\n', at) - at);
  const Finished finished = show("r3000", entry + "+2");
  EXPECT_TRUE(finished.out.empty());
  EXPECT_EQ(count_of(finished.err, "WB"), 2u) << finished.err;
}

// split75 calls hot once in each of its rounds. The moments are those of --trace.
TEST_F(PipelineTest, BeginsAtTheNthTime) {
  const auto at = [&](const std::string& where) {
    return hardclock({"run", "--cpu=r3000", "--trace=t.txt", "--pipeline=" + where + "+5,p.txt",
                      "--", guest("split75"), "10"});
  };
  const Finished symbols = other_program({"mips-linux-gnu-nm", guest("split75")});
  const std::size_t name = symbols.out.find(" T hot\n");
  ASSERT_NE(name, std::string::npos) << symbols.out;
  const std::string hot = symbols.out.substr(name - 8, 8);
  for (const std::size_t nth : {1U, 2U, 7U, 10U}) {
    SCOPED_TRACE(nth);
    EXPECT_EQ(at("hot@" + std::to_string(nth)).err, "");
    std::vector<std::uint64_t> cycles;  // of the lines "CYCLE  ADDRESS: ..."
    for (const std::string& line : lines_of(read("t.txt"))) {
      if (contains(line, "  " + hot + ": ")) cycles.push_back(std::stoull(line));
    }
    ASSERT_EQ(cycles.size(), 10U);
    const std::string text = read("p.txt");
    EXPECT_TRUE(contains(text, "\n" + hot + "  ")) << text;
    EXPECT_EQ(count_of(text, "WB"), 5U) << text;
    ASSERT_TRUE(text.starts_with("cycles ")) << text;
    // An R3000 issues two cycles after it began to fetch.
    EXPECT_EQ(std::stoull(text.substr(7)) + 2, cycles[nth - 1]) << text;
  }
}

// As many times, code counts without a stop. Interpreted, each arrival at an address is stepped.
TEST_F(PipelineTest, BeginsAfterManyTimes) {
  const Finished symbols = other_program({"mips-linux-gnu-nm", guest("split75")});
  const std::size_t name = symbols.out.find(" T hot\n");
  ASSERT_NE(name, std::string::npos) << symbols.out;
  const std::uint64_t hot = std::stoull(symbols.out.substr(name - 8, 8), nullptr, 16);
  for (const char* const processor : {"--cpu=r4400", "--machine=indigo2-r4400"}) {
    for (std::uint64_t offset = 0; offset < 40; offset += 4) {
      SCOPED_TRACE(std::string(processor) + " " + std::to_string(offset));
      const auto at = [&](const char* times, const char* engine) {
        std::ostringstream option;
        option << "--pipeline=0x" << std::hex << hot + offset << times << "+20,p.txt";
        const Finished run =
            hardclock({"run", processor, engine, option.str(), "--", guest("split75"), "60"});
        return run.err + read("p.txt");
      };
      for (const char* const times : {"@69900", "@1000000"})
        EXPECT_EQ(at(times, "--engine=translator"), at(times, "--engine=interpreter"));
    }
  }
}

TEST_F(PipelineTest, SaysHowOftenIfTooSeldom) {
  const auto at = [&](const std::string& where) {
    return hardclock(
        {"run", "--cpu=r3000", "--pipeline=" + where + ",p.txt", "--", guest("split75"), "3"});
  };
  EXPECT_EQ(at("hot@3").err, "");
  const Finished run = at("hot@4");
  EXPECT_EQ(run.err, "hardclock: --pipeline shows nothing: control reached 'hot' 3 times, not 4\n");
  EXPECT_EQ(run.status, 0) << "the program's";
  EXPECT_EQ(read("p.txt").find("WB"), std::string::npos);
  EXPECT_TRUE(contains(at("main@2").err, "'main' 1 time, not 2"));
}

// With --trace the engine steps through the whole run, without it through the stretch alone.
TEST_F(PipelineTest, TheRestOfTheRunIsTranslated) {
  struct Case {
    const char* processor;
    const char* program;
    const char* engine = "translator";
  };
  for (const Case& one :
       {Case{"--cpu=r4400", "split75"}, Case{"--machine=indigo2-r4400", "split75"},
        Case{"--machine=octane", "split75", "interpreter"},
        Case{"--machine=712-80", "hppa/hpux/split75"},
        Case{"--machine=c180", "hppa/hpux/split75", "interpreter"},
        Case{"--machine=rx2600-900", "ia64/prebuilt/split75_32"}}) {
    for (const char* const where : {"hot@1+50", "warm@1+1000"}) {
      SCOPED_TRACE(std::string(one.processor) + " " + where);
      const auto shown = [&](const Words& more) {
        Words words = {"run", one.processor, std::string("--pipeline=") + where + ",p.txt",
                       "--stats=s.json", "--max-instructions=100000"};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {guest(one.program), "9"});
        const Finished run = hardclock(words);
        return run.err + read("p.txt") + read("s.json");
      };
      const std::string fast = shown({});
      EXPECT_EQ(fast, shown({"--trace=t.txt"}));
      EXPECT_GT(fast.size(), 1000U);
    }
    const Finished run = hardclock(
        {"run", one.processor, "--stats", "--pipeline=hot@300+1,p.txt", guest(one.program), "400"});
    EXPECT_TRUE(contains(run.err, std::string("engine         ") + one.engine)) << run.err;
  }
}

// Hennessy and Patterson: a taken branch of an R4000 loses two cycles behind its slot.
TEST_F(PipelineTest, SaysWhatIsWaitedFor) {
  const Finished run = hardclock({"run", "--cpu=r4000", "--max-instructions=100",
                                  "--pipeline=six@2+1,p.txt", "--", guest("pace75")});
  EXPECT_TRUE(contains(read("p.txt"), "  branch 2\n")) << read("p.txt") << run.err;
}

TEST_F(PipelineTest, MistakesAreNamed) {
  expect_complaint(show("r3000", "nowhere"), {"no function 'nowhere'", "0x400100"});
  expect_complaint(show("r3000", "0x40010g"), {"no function '0x40010g'"});
  expect_complaint(show("mips2", "main"), {"mips2", "no pipeline", "--machine"});
  for (const char* const wrong : {"+5", "main+0", "main+100001", "main+x", "main,", "main@0",
                                  "main@", "@2", "main@99999999999999999999", "main+2@2"}) {
    expect_complaint(show("r3000", wrong), {"--pipeline needs AT[@K][+N][,FILE]"});
  }
  expect_complaint(show("r3000", "main,s.json"), {"s.json"});
}

}  // namespace
}  // namespace hardclock::cli_test
