// The files that hardclock writes for its user: whole or not at all, under their own names alone,
// whatever a guest left in their folder.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/cli/happens.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> outputs = {"--stats=", "--explain=", "--strace=",
                                          "--trace=", "--profile",  "--pipeline=main+9,",
                                          "--digest="};

class Outputs : public CommandTest {
 protected:
  // An option that writes to the file; the profile's name tells its format.
  static std::string writing(const std::string& option, const std::string& file) {
    return option == "--profile" ? "--profile=" + file + ".json" : option + file;
  }
  std::size_t names() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder()), fs::directory_iterator()));
  }
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {hardclock_path(), "run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
};

// An earlier guest of the folder made the links.
TEST_F(Outputs, LinksAreReplaced) {
  fs::create_directories(path("home"));
  fs::create_directories(path("work"));
  Surroundings in_work = here();
  in_work.directory = path("work");
  for (const std::string& option : outputs) {
    SCOPED_TRACE(option);
    write("home/file", "the user's");
    const std::string name = option == "--profile" ? "work/out.json" : "work/out";
    fs::remove(path(name));
    fs::create_symlink("../home/file", path(name));
    EXPECT_EQ(hardclock({"run", writing(option, "out"), guest("compute")}, in_work).status, 0);
    EXPECT_EQ(read("home/file"), "the user's");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path(name))));
  }
  fs::create_symlink("../home", path("work/folder"));
  expect_complaint(hardclock({"run", "--stats=folder/file", guest("compute")}, in_work),
                   {"folder/file", "link out of the working directory"});
  EXPECT_EQ(read("home/file"), "the user's");
}

// As conform takes "-" for standard input. A file of that name is called ./-.
TEST_F(Outputs, ADashIsStandardOutput) {
  const Finished run = hardclock({"run", "--stats=-", guest("compute")});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "hardclock-stats")) << run.out;
  ASSERT_EQ(hardclock({"run", "--profile=p.json", guest("split75"), "2"}).status, 0);
  const Finished report = hardclock({"report", "--output=-", "p.json", guest("split75")});
  EXPECT_EQ(report.out, hardclock({"report", "p.json", guest("split75")}).out) << report.err;
  EXPECT_FALSE(fs::exists(path("-")));
}

TEST_F(Outputs, ConvertedProfileReplacesALink) {
  ASSERT_EQ(hardclock({"run", "--profile=p.json", guest("split75"), "2"}).status, 0);
  write("home", "the user's");
  fs::create_symlink("home", path("link"));
  EXPECT_EQ(hardclock({"report", "p.json", guest("split75"), "--format=hardclock", "--output=link"})
                .status,
            0);
  EXPECT_EQ(read("home"), "the user's");
  EXPECT_EQ(read("link"), read("p.json"));
}

// The limit, of 512 bytes, stands for a full disk.
TEST_F(Outputs, ConversionOntoItselfLosesNothing) {
  ASSERT_EQ(hardclock({"run", "--profile=p.json", guest("split75"), "2"}).status, 0);
  const std::string before = read("p.json");
  const std::size_t names_before = names();
  ASSERT_GT(before.size(), 512U);
  const std::string limited = "ulimit -f 1; exec '" + hardclock_path() + "' report p.json '" +
                              guest("split75") + "' --output=p.json";
  const Finished finished = other_program({"sh", "-c", limited});
  expect_complaint(finished, {"p.json", "writing failed: File too large"});
  EXPECT_EQ(read("p.json"), before);
  EXPECT_EQ(names(), names_before) << "the new file is gone";
}

// No orderly end follows SIGKILL.
TEST_F(Outputs, KilledRunLeavesTheOldFiles) {
  write("s.json", "old statistics");
  write("p.json", "old profile");
  Child child(command({"--stats=s.json", "--profile=p.json", "--trace=t", guest("spin")}), here());
  ASSERT_TRUE(gets_bytes(path("t")));
  child.send(SIGKILL);
  child.wait();
  EXPECT_EQ(read("s.json"), "old statistics");
  EXPECT_EQ(read("p.json"), "old profile");
  EXPECT_EQ(names(), 3U);
}

TEST_F(Outputs, ModeIsTheOldFilesOrTheUmasks) {
  const std::string masked = "umask 027; exec '" + hardclock_path() +
                             "' run --stats=s.json --strace=l '" + guest("compute") + "'";
  write("l", "");
  ASSERT_EQ(::chmod(path("l").c_str(), 0604), 0);
  EXPECT_EQ(other_program({"sh", "-c", masked}).status, 0);
  struct ::stat status;
  ASSERT_EQ(::stat(path("s.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
  ASSERT_EQ(::stat(path("l").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0604U);
}

TEST_F(Outputs, NoFileIsWrittenTwice) {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder", path("link"));
  write("a", "");
  fs::create_hard_link(path("a"), path("b"));
  const std::vector<std::pair<std::string, std::string>> same = {
      {"--stats=x", "--trace=x"},
      {"--stats=x", "--strace=./x"},
      {"--explain=x", "--pipeline=main," + path("x")},
      {"--stats=folder/x.json", "--profile=link/x.json"},
      {"--stats=a", "--strace=b"},
  };
  for (const auto& [first, second] : same) {
    expect_complaint(hardclock({"run", first, second, guest("compute")}),
                     {first.substr(0, first.find('=')), second.substr(0, second.find('=')),
                      "give each its own file"});
  }
  EXPECT_EQ(hardclock({"run", "--stats=/dev/null", "--strace=/dev/null", guest("compute")}).status,
            0);
}

TEST_F(Outputs, WhatTheRunNeedsIsNotWrittenOver) {
  write("program", read_file(guest("compute")));
  fs::create_hard_link(path("program"), path("other"));
  write("data", "bound");
  for (const std::string& option : outputs) {
    if (option == "--profile") continue;  // of a name with a suffix
    SCOPED_TRACE(option);
    expect_complaint(hardclock({"run", option + "program", "program"}),
                     {"program", "another file"});
    expect_complaint(hardclock({"run", option + "other", "program"}), {"other", "the program"});
    expect_complaint(hardclock({"run", "--bind=data:/data:ro", option + "data", "program"}),
                     {"data", "--bind"});
  }
  EXPECT_EQ(read("program"), read_file(guest("compute")));
  const std::string redirected = "'" + hardclock_path() + "' run --stats=out program > out";
  const Finished finished = other_program({"sh", "-c", redirected});
  EXPECT_EQ(finished.status, own_failure);
  EXPECT_TRUE(contains(finished.err, "standard output")) << finished.err;
}

// To where the user sent standard output, behind the guest's own bytes.
TEST_F(Outputs, StandardOutputIsGoneOnWith) {
  const std::string redirected = "echo before > out; '" + hardclock_path() +
                                 "' run --stats=/dev/stdout '" + guest("compute") + "' >> out";
  EXPECT_EQ(other_program({"sh", "-c", redirected}).status, 0);
  const std::string out = read("out");
  const std::string start = "before\n" + expected_output("compute.txt") + "{";
  EXPECT_EQ(out.substr(0, start.size()), start);
}

// The guest never ends: the log that cannot be written ends the run.
TEST_F(Outputs, LogThatCannotBeWrittenStopsTheRun) {
  for (const char* option : {"--trace=", "--explain="}) {
    const Finished run =
        hardclock({"run", "--stats=s.json", option + std::string("/dev/full"), guest("spin")});
    expect_complaint(run, {"/dev/full: writing failed: No space left on device"});
    EXPECT_EQ(nlohmann::json::parse(read("s.json")).at("outcome"), "log failure");
  }
}

TEST_F(Outputs, ReaderThatGoesStopsTheRun) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  Child child(command({"--stats=s.json", "--trace=fifo", guest("spin")}), here());
  const int reader = ::open(path("fifo").c_str(), O_RDONLY);
  char text[100];
  EXPECT_EQ(::read(reader, text, sizeof text), 100);
  ::close(reader);
  expect_complaint(child.wait(), {"fifo: writing failed: Broken pipe"});
  EXPECT_EQ(nlohmann::json::parse(read("s.json")).at("outcome"), "log failure");
}

// The guest sees no name that another run would not have: hardclock's process id is none of its
// business.
TEST_F(Outputs, NothingElseIsInTheFolderWhileTheGuestRuns) {
  Child child(command({"--stats=s.json", "--profile=p.json", "--trace=t", guest("spin")}), here());
  ASSERT_TRUE(gets_bytes(path("t")));
  EXPECT_EQ(names(), 1U);
  child.send(SIGTERM);
  child.wait();
  EXPECT_EQ(names(), 3U);
}

}  // namespace
}  // namespace hardclock::cli_test
