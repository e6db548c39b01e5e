// How a run ends from outside, at whatever moment: with its status, and with nothing left behind.
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

class Ending : public CommandTest {
 protected:
  void SetUp() override { fs::create_directory(path("scratch")); }

  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {hardclock_path(), "run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
  Surroundings surroundings() const {
    Surroundings beside = here();
    beside.environment.push_back("TMPDIR=" + path("scratch"));
    return beside;
  }
  void expect_nothing_left() const {
    EXPECT_TRUE(fs::is_empty(path("scratch")));
    for (const auto& entry : fs::directory_iterator(folder())) {
      EXPECT_FALSE(contains(entry.path().filename().string(), "hardclock-")) << entry.path();
    }
  }
  // A program that never ends, of 20 MB, which take their time to be read.
  std::string big_program() const {
    write("big.c",
          "static char bytes[20 << 20] = {1};\n"
          "void __start(void) { for (;;) *(volatile char*)bytes = bytes[7]; }\n");
    const Finished built =
        other_program({"mips-linux-gnu-gcc", "-mabi=32", "-march=mips1", "-mfp32", "-mno-llsc",
                       "-mno-abicalls", "-fno-pic", "-G0", "-O1", "-nostdlib", "-static",
                       "-nostartfiles", "-Wl,--no-warnings", "-o", "big", "big.c"});
    EXPECT_EQ(built.status, 0) << built.err;
    return path("big");
  }
};

// Statuses of shells: 128 + the signal's number. The first milliseconds are the host's own, which
// then ends the process by the signal.
TEST_F(Ending, SignalEndsItAtAnyMoment) {
  const std::string program = big_program();
  const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  unsigned written = 0;
  for (int step = 0; step < 24; ++step) {
    const int signal = signals[step % 4];
    SCOPED_TRACE(::testing::Message() << "signal " << signal << " after " << step * 4 << " ms");
    fs::remove(path("s.json"));
    Child child(command({"--stats=s.json", program}), surroundings());
    ::usleep(static_cast<::useconds_t>(step) * 4'000);
    child.send(signal);
    const Finished run = child.wait();
    EXPECT_EQ(run.status, 128 + signal);
    EXPECT_EQ(run.err, "");
    expect_nothing_left();
    if (run.crashed) {
      EXPECT_FALSE(fs::exists(path("s.json")));
      continue;
    }
    ++written;
    EXPECT_EQ(nlohmann::json::parse(read("s.json")).at("outcome"), "interrupted");
  }
  EXPECT_GT(written, 0U);
}

// Whether the process has a handler for the signal (proc(5), SigCgt).
bool catches(pid_t process, int signal) {
  for (const std::string& line :
       lines_of(read_file("/proc/" + std::to_string(process) + "/status"))) {
    if (!line.starts_with("SigCgt:")) continue;
    return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
  }
  return false;
}

TEST_F(Ending, Usr1DoesNoHarmFromTheStart) {
  const std::string program = big_program();
  for (int step = 0; step < 6; ++step) {
    Child child(command({program}), surroundings());
    ASSERT_TRUE(happens([&] { return catches(child.process(), SIGUSR1); }));
    ::usleep(static_cast<::useconds_t>(step) * 5'000);
    child.send(SIGUSR1);
    ASSERT_TRUE(happens([&] { return contains(child.err(), "simulated"); }));
    child.send(SIGTERM);
    EXPECT_EQ(child.wait().status, 128 + SIGTERM);
  }
}

// nohup(1)
TEST_F(Ending, HangupThatIsIgnoredStaysIgnored) {
  const std::string ignoring =
      "trap '' HUP; exec '" + hardclock_path() + "' run --trace=t '" + guest("spin") + "'";
  Child child({"sh", "-c", ignoring}, surroundings());
  ASSERT_TRUE(gets_bytes(path("t")));
  child.send(SIGHUP);
  child.send(SIGUSR1);
  EXPECT_TRUE(happens([&] { return contains(child.err(), "simulated"); }));
  child.send(SIGTERM);
  EXPECT_EQ(child.wait().status, 128 + SIGTERM);
}

// The statistics go to a pipe that is full: the first signal ends the guest, the second all.
TEST_F(Ending, SecondSignalLeavesNothingBehind) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  const int pipe = ::open(path("fifo").c_str(), O_RDWR | O_NONBLOCK);
  while (::write(pipe, "x", 1) == 1) continue;
  Child child(command({"--stats=fifo", "--trace=t", guest("spin")}), surroundings());
  ASSERT_TRUE(gets_bytes(path("t")));
  child.send(SIGTERM);
  ::usleep(300'000);
  EXPECT_FALSE(fs::is_empty(path("scratch"))) << "it waits for the pipe's reader";
  child.send(SIGINT);
  EXPECT_EQ(child.wait().status, 128 + SIGINT);
  expect_nothing_left();
  ::close(pipe);
}

// Half of a second of the host's, whatever the guest does with it.
class TimeLimit : public Ending {
 protected:
  void expect_end(const Finished& run) const {
    expect_sound(run);
    EXPECT_EQ(run.status, own_failure);
    EXPECT_EQ(run.err, "hardclock: stopped at --max-seconds; raise it to let the program go on\n");
    EXPECT_EQ(nlohmann::json::parse(read("s.json")).at("outcome"), "time limit");
    expect_nothing_left();
  }
};

TEST_F(TimeLimit, EndsWhatComputes) {
  expect_end(
      hardclock({"run", "--max-seconds=0.5", "--stats=s.json", guest("spin")}, surroundings()));
}

TEST_F(TimeLimit, EndsWhatReads) {
  ASSERT_EQ(::mkfifo(path("input").c_str(), 0600), 0);
  const int writer = ::open(path("input").c_str(), O_RDWR);
  Surroundings with_input = surroundings();
  with_input.input = path("input");
  expect_end(
      hardclock({"run", "--max-seconds=0.5", "--stats=s.json", cli_guest("copy")}, with_input));
  ::close(writer);
}

TEST_F(TimeLimit, EndsWhatSleeps) {
  write("sleep.c", "unsigned sleep(unsigned);\nint main(void) { for (;;) sleep(1); }\n");
  ASSERT_EQ(other_program({"mips-linux-gnu-gcc", "-static", "-o", "sleeper", "sleep.c"}).status, 0);
  expect_end(hardclock({"run", "--cpu=mips32r2", "--max-seconds=0.5", "--stats=s.json", "sleeper"},
                       surroundings()));
}

// One call moves up to 2 GiB: it ends with what it has moved, and the run with it.
TEST_F(TimeLimit, EndsALongCall) {
  write(
      "long.c",
      "#include <fcntl.h>\n#include <sys/sendfile.h>\n#include <unistd.h>\n"
      "int main(void) {\n"
      "  int hole = open(\"hole\", O_RDWR | O_CREAT, 0666), null = open(\"/dev/null\", O_WRONLY);\n"
      "  ftruncate(hole, 0x7fffffff);\n"
      "  for (;;) {\n    off_t start = 0;\n"
      "    if (sendfile(null, hole, &start, 0x7fffffff) != 0x7fffffff) for (;;) {}\n  }\n}\n");
  ASSERT_EQ(other_program({"mips-linux-gnu-gcc", "-static", "-o", "long", "long.c"}).status, 0);
  expect_end(hardclock(
      {"run", "--cpu=mips32r2", "--max-seconds=0.5", "--stats=s.json", "--strace=calls", "long"},
      surroundings()));
  const std::string calls = read("calls");
  const std::size_t last = calls.rfind("sendfile");
  ASSERT_NE(last, calls.npos);
  EXPECT_FALSE(contains(calls.substr(last), "= 2147483647")) << calls.substr(last);
}

TEST_F(TimeLimit, LeavesWhatEndsBefore) {
  const Finished run = hardclock({"run", "--max-seconds=1000", cli_guest("files"), "a"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace hardclock::cli_test
