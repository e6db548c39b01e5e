// The formats of profile files, end to end: GNU gprof of the matching target reads what hardclock
// writes and prints the same seconds; hardclock reads what guests and other systems wrote.
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

// Of golden vectors in the project's conformance file formats.json: v7_mon and bsd44_gmon_be32.
constexpr char v7_program[] =
    "\x20\0\x30\0\x02\0\x22\0\x01\0\x70\x11\x28\0\0\0\x03\0\x01\0\0\0\xff\xff\x07\0";
constexpr char bsd44_program[] =
    "\0\0\x10\0\0\0\x10\x10\0\0\0\x28\0\x05\x18\x79\0\0\0\x64\0\0\0\0\0\0\0\0\0\0\0\0"
    "\0\0\0\x04\0\0\0\x02\0\0\x10\x02\0\0\x10\x08\0\0\0\x0b";

template <std::size_t size>
std::string bytes_of(const char (&text)[size]) {
  return {text, size - 1};
}

using Seconds = std::map<std::string, double>;  // by function

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  return {std::istream_iterator<std::string>(text), {}};
}

// "  %   cumulative   self              self     total" / " 75.08      4.43     4.43      hot"
Seconds seconds_of_gprof(const std::string& listing) {
  Seconds seconds;
  for (const std::string& line : lines_of(listing)) {
    const auto words = words_of(line);
    if (words.size() == 4 && std::isdigit(words[0][0])) seconds[words[3]] = std::stod(words[2]);
  }
  return seconds;
}

// "  443    4.430    75.1  ####  hot", or without seconds where the file does not have the rate.
Seconds seconds_of_report(const std::string& listing) {
  constexpr double tick_rate = 100;  // of System V, and what gprof takes without a rate: CLK_TCK
  Seconds seconds;
  const bool has_seconds = contains(lines_of(listing).at(0), "seconds");
  for (const std::string& line : lines_of(listing)) {
    const auto words = words_of(line);
    if (words.size() < 4 || !std::isdigit(words[0][0]) || words.back() == "total") continue;
    seconds[words.back()] = has_seconds ? std::stod(words[1]) : std::stod(words[0]) / tick_rate;
  }
  return seconds;
}

struct Form {
  const char* hardclock;  // --format's name
  const char* gprof;      // --file-format's
};

class ReportFormats : public CommandTest {
 protected:
  std::string answer(const std::vector<std::string>& arguments) const {
    const Finished run = hardclock(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }

  // gprof's seconds and hardclock's, of the same file, are the same.
  void expect_gprof_agrees(const std::string& profile, const std::string& program,
                           const std::string& gprof, const char* form) const {
    const Finished theirs = other_program(
        {gprof, "-b", "-p", std::string("--file-format=") + form, program, path(profile)});
    ASSERT_EQ(theirs.status, 0) << theirs.err;
    const Seconds expected = seconds_of_gprof(theirs.out);
    const Seconds ours = seconds_of_report(answer({"report", profile, program}));
    ASSERT_TRUE(expected.count("hot") == 1 && expected.count("warm") == 1) << theirs.out;
    for (const auto& [function, seconds] : expected) {
      ASSERT_EQ(ours.count(function), 1U) << function;
      // gprof prints two decimals.
      EXPECT_NEAR(ours.at(function), seconds, 0.005001) << form << " " << function;
    }
  }
};

TEST_F(ReportFormats, GprofPrintsTheSameSeconds) {
  for (const std::string_view order : both_byte_orders) {
    const std::string program = guest("split75" + std::string(order));
    const std::string gprof = order.empty() ? "mips-linux-gnu-gprof" : "mipsel-linux-gnu-gprof";
    answer({"run", "--profile=gmon.out", program, "2000"});
    expect_gprof_agrees("gmon.out", program, gprof, "magic");
    for (const auto& [hardclock, form] :
         {Form{"gnu", "magic"}, Form{"bsd44", "4.4bsd"}, Form{"bsd43", "bsd"}}) {
      for (const char* from : {"gmon.out", "mon.out"}) {
        answer({"report", from, program, "--hz=100", std::string("--format=") + hardclock,
                "--output=converted"});
        expect_gprof_agrees("converted", program, gprof, form);
      }
    }
  }
}

// The guest's own mon.out, through every format and back: the same bytes and the same table.
TEST_F(ReportFormats, ConversionsKeepTheGuestsCounters) {
  for (const std::string_view order : both_byte_orders) {
    const std::string program = guest("split75" + std::string(order));
    answer({"run", program, "1000"});
    const std::string table = answer({"report", "--hz=100", "mon.out", program});
    EXPECT_TRUE(contains(table, "seconds"));
    for (const std::string format : {"hardclock", "gnu", "bsd44", "bsd43", "sysv"}) {
      EXPECT_EQ(answer({"report", "mon.out", program, "--hz=100", "--format=" + format,
                        "--output=other"}),
                "");
      EXPECT_EQ(answer({"report", "other", program, "--hz=100"}), table) << format;
      answer({"report", "other", program, "--output=again.mon.out"});
      EXPECT_EQ(read("again.mon.out"), read("mon.out")) << format;
    }
  }
}

// What other machines wrote: no PROGRAM is needed to see what is in it.
TEST_F(ReportFormats, FilesOfOtherMachinesAreConverted) {
  write("v7", bytes_of(v7_program));
  answer({"report", "v7", "--output=v7.json"});
  const auto v7 = nlohmann::json::parse(read("v7.json")).at("processes").at(0);
  EXPECT_EQ(v7.at("histograms").at(0).at("counts"), nlohmann::json({1, 0, 65535, 7}));
  EXPECT_EQ(v7.at("calls").at(0).at("calls"), 70000);
  answer({"report", "v7.json", "--format=v7", "--output=again"});
  EXPECT_EQ(read("again"), read("v7"));

  write("bsd44", bytes_of(bsd44_program));
  const auto bsd44 = nlohmann::json::parse(answer({"report", "bsd44", "--format=hardclock"}));
  EXPECT_EQ(bsd44.at("tick_hz"), 100);
  EXPECT_EQ(bsd44.at("processes").at(0).at("arcs").at(0).at("count"), 11);
}

// Named, a V7 file can be read beside any program; its addresses are in none of these.
TEST_F(ReportFormats, FormatNamesWhatTheBytesDoNotTell) {
  write("v7", bytes_of(v7_program));
  expect_complaint(hardclock({"report", "--input-format=v7", "v7", guest("split75")}),
                   {"v7", "0x00000020 to 0x00000030", "text of"});
  expect_complaint(hardclock({"report", "v7", guest("split75")}), {"v7", "not a profile"});
}

// split75's counters end behind the text of unmap.
TEST_F(ReportFormats, AnotherProgramsCountersAreRefused) {
  answer({"run", "--profile=exact.json", guest("split75"), "1000"});
  for (const auto& [format, file] : {std::pair{"sysv", "s"}, {"bsd43", "b"}, {"gnu", "g"}}) {
    answer({"report", "mon.out", guest("split75"), "--hz=100", std::string("--format=") + format,
            std::string("--output=") + file});
  }
  for (const char* profile : {"mon.out", "s", "b", "g"}) {
    EXPECT_TRUE(contains(answer({"report", profile, guest("split75")}), "hot"));
    expect_complaint(hardclock({"report", profile, guest("unmap")}), {profile, "text of", "unmap"});
  }
  expect_complaint(hardclock({"report", "exact.json", guest("unmap")}),
                   {"exact.json", "of split75"});
  expect_complaint(hardclock({"report", "exact.json", guest("unmap"), "--output=x.gmon"}),
                   {"exact.json", "of split75"});
}

TEST_F(ReportFormats, MistakesGetOneLine) {
  const std::string program = guest("split75");
  answer({"run", "--profile=gmon.out", program, "100"});
  const std::string gmon = read("gmon.out");
  write("cut", gmon.substr(0, gmon.size() - 1));
  write("v7", bytes_of(v7_program));
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> mistakes = {
      {{"cut", program}, {"cut: GNU gmon.out", "truncated"}},
      {{"gmon.out", guest("split75_little")}, {"gmon.out", "big-endian", "name the program"}},
      {{"gmon.out", program, "--input-format=elf"},
       {"'elf'", "hardclock, gnu, bsd44, bsd43, sysv, v7"}},
      {{"gmon.out", program, "--input-format=bsd44"}, {"gmon.out: 4.4BSD gmon.out", "version"}},
      {{"gmon.out", program, "--input-format=sysv"}, {"gmon.out: System V mon.out", "not above"}},
      {{"gmon.out"}, {"PROFILE PROGRAM", "hardclock report --help"}},
      {{"gmon.out", program, "--format=elf"},
       {"--format", "'elf'", "text, csv, json", "hardclock, gnu"}},
      {{"gmon.out", "--format=svg"}, {"PROFILE PROGRAM", "functions"}},
      {{"gmon.out", program, "--output=x.pdf"},
       {"--output", "x.pdf", ".csv", "gmon.out", "--format"}},
      {{"mon.out", program, "--output=x.gmon"}, {"gnu", "--hz"}},
      {{"gmon.out", program, "--hz=60"}, {"--hz", "60", "100"}},
      {{"mon.out", program, "--hz=0"}, {"--hz", "'0'"}},
      {{"gmon.out", program, "--format=v7"}, {"v7: ", "16 bits", ".json"}},
      {{"gmon.out", program, "--format=gnu", "--output=nowhere/x"}, {"nowhere/x", "another file"}},
      {{"gmon.out", program, "--output=x.json", "--exact=gmon.out"}, {"--exact", "hardclock"}},
  };
  for (const auto& [arguments, words] : mistakes) {
    std::vector<std::string> command = {"report"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    expect_complaint(hardclock(command), words);
  }
}

}  // namespace
}  // namespace hardclock::cli_test
