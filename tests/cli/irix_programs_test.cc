// Real IRIX programs, which are not part of the project: ../shared/irix has SGI's IDO 5.3 tool
// chain with its libc and rld, programs made with it, and what QEMU's IRIX fork printed for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

class IrixPrograms : public CommandTest {
 protected:
  void SetUp() override {
    // Bazel's runfiles are links to the files of the source tree.
    std::error_code error;
    const auto own = std::filesystem::canonical("syscalls/irix/syscalls.master", error);
    irix_ = (own.parent_path() / "../../../shared/irix").lexically_normal();
    if (!std::filesystem::exists(irix_)) {
      GTEST_SKIP() << "no ../shared/irix beside the source tree";
    }
  }

  std::string shared(const std::string& name) const { return irix_ + "/" + name; }
  std::string root() const { return shared("ido5.3"); }

  // Runs hardclock with SGI's root, in the environment in which QEMU ran.
  Finished run(std::vector<std::string> words) const {
    std::vector<std::string> arguments = {"run", "-L", root(), "--env", "PATH=/usr/bin:/bin"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return hardclock(arguments);
  }
  void copy(const std::string& name) const {
    const std::filesystem::path source = shared(name);
    std::filesystem::copy_file(source, path(source.filename().string()));
  }
  // One of tests/cli/guests, compiled by SGI's compiler.
  Finished run_compiled(const std::string& name, std::vector<std::string> options = {}) const {
    write(name + ".c", read_file("tests/cli/guests/" + name + ".c"));
    expect_clean(run({"/usr/bin/cc", "-o", name, name + ".c"}));
    options.push_back("./" + name);
    const Finished finished = run(options);
    expect_clean(finished);
    return finished;
  }
  // The ticks of the log "ticks" that counted, in a function.
  std::size_t ticks_in(std::string_view function) const {
    const auto lines = lines_of(read("ticks"));
    return static_cast<std::size_t>(std::ranges::count_if(lines, [&](const std::string& line) {
      return contains(line, function) && contains(line, "-> counter");
    }));
  }
  void expect_clean(const Finished& finished) const {
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
  }

 private:
  std::string irix_;
};

int status_in(const std::string& file) {
  return std::stoi(read_file(file));
}

TEST_F(IrixPrograms, Hello) {
  const Finished finished = run({shared("programs/hello"), "a", "b c"});
  EXPECT_EQ(finished.out, read_file(shared("programs/hello.stdout")));
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(finished.status, status_in(shared("programs/hello.rc")));
}

TEST_F(IrixPrograms, Work) {
  const Finished finished = run({shared("programs/work")});
  EXPECT_EQ(finished.out, read_file(shared("programs/work.stdout")));
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(finished.status, status_in(shared("programs/work.rc")));
}

TEST_F(IrixPrograms, WithoutARootSayWhatIsMissing) {
  expect_complaint(hardclock({"run", shared("programs/hello")}),
                   {"programs/hello", "/usr/lib/libc.so.1", "-L DIR", "Guest roots"});
}

// rld says why it gives up through syslog(3), which writes to /dev/console where nobody else takes
// the message.
TEST_F(IrixPrograms, TheDynamicLinkersMessageIsSeen) {
  write("library.c", "int answer(void) { return 7; }\n");
  write("program.c", "extern int answer(void); int main(void) { return answer(); }\n");
  expect_clean(run({"/usr/bin/cc", "-shared", "-o", "libanswer.so", "library.c"}));
  expect_clean(run({"/usr/bin/cc", "-o", "program", "program.c", "libanswer.so"}));
  std::filesystem::remove(path("libanswer.so"));
  const Finished finished = run({"./program"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(contains(finished.err, "Fatal Error: cannot map soname 'libanswer.so'"))
      << finished.err;
}

// The working directory is visible at its own path, before the root's files.
TEST_F(IrixPrograms, AWorkingDirectoryThatCoversTheRootIsNamed) {
  const auto from = [&](const std::string& directory, const std::string& program) {
    return hardclock({"run", "-L", root(), program}, Surroundings{.directory = directory});
  };
  expect_complaint(from("/usr/lib", "/usr/bin/cc"),
                   {"/usr/lib/libc.so.1", "the host's /usr/lib", "start hardclock elsewhere"});
  expect_complaint(from("/usr", "/usr/bin/strip"),
                   {"/usr/bin/strip", "the host's /usr,", "start hardclock elsewhere"});
}

TEST_F(IrixPrograms, SystemVIpc) {
  const Finished finished = run_compiled("irix_ipc");
  EXPECT_EQ(finished.out,
            "msgsnd 0\n"
            "stat 0 mode 600 count 1 bytes 6 of 32768 sender 1 receiver 0\n"
            "times 1 0 1\n"
            "set 0 mode 640 of 100\n"
            "msgrcv 6 3 hello\n"
            "msgrcv -1 1\n"
            "rmid 0\n"
            "setval 0\n"
            "semop 0 value 3 by 1\n"
            "getall 0 0 3\n"
            "stat 0 count 2 mode 600 times 1 1\n"
            "nowait -1 1\n"
            "rmid 0\n"
            "shared\n"
            "stat 0 size 5000 attached 1 by 1 mode 600 times 1 1\n"
            "rmid 0 again -1 1 shmdt 0\n");
}

// SGI's library counts; in the device the processes sleep. Each waits at most as often as there are
// turns, so nobody spins.
TEST_F(IrixPrograms, SemaphoresOfAnArenaBlock) {
  const Finished finished = run_compiled("irix_arena", {"--strace=calls"});
  EXPECT_EQ(finished.out, "1\nturn 1\nturn 2\nturn 3\nturn 4\nturn 5\nleft 0 0\n");
  const auto lines = lines_of(read("calls"));
  const auto requests = std::ranges::count_if(
      lines, [](const std::string& line) { return contains(line, "0x757303"); });
  EXPECT_GT(requests, 0);
  EXPECT_LE(requests, 10);
}

TEST_F(IrixPrograms, ASemaphoreOfAnArenaCanBePolled) {
  EXPECT_EQ(run_compiled("irix_poll_arena").out,
            "descriptor 1\n"
            "parent: 1\n"
            "released: 0\n"
            "child: 0 0 1 revents 1 turns 1\n"
            "again: 1\n");
}

// A line of the probe and why it is not what QEMU's IRIX fork printed.
struct Differing {
  std::size_t line;  // from 0
  const char* text;
};

// QEMU is wrong in what it lacks: profil() and sprofil(), pathconf() and sysconf(_SC_ARG_MAX), the
// register mask of a sigcontext, and the pad word of a ucontext (n64decomp/qemu-irix linux-user).
// The other values are each machine's own: stack addresses, the process and descriptor limits
// (sysconf(2) of IRIX 5.3), where mmap() puts things, and a share group of one (NetBSD
// irix_prctl.c: 0).
constexpr Differing differing[] = {
    {7, "profil=0 errno=0"},
    {8, "profil samples>0: 1"},
    {9, "sprofil=0 errno=0 tick=0.010000"},
    {10, "sysmp(14)=4096 prctl(14)=0 sysconf(1)=20480 (2)=150 (3)=100 (5)=200 (11)=4096"},
    {11, "pathconf NAME_MAX=255 errno=0"},
    {13, "ulimit(4)=200 isatty(1)=0"},
    {15, "mmap /dev/zero 4000000"},
};

TEST_F(IrixPrograms, Probe) {
  // QEMU showed the host's pid.
  const Finished finished = run({"--pid=14681", shared("programs/probe/probe")});
  expect_clean(finished);
  const auto lines = lines_of(finished.out);
  auto expected = lines_of(read_file(shared("programs/probe/probe.qemu.stdout")));
  ASSERT_EQ(lines.size(), expected.size());
  for (const Differing& each : differing) {
    EXPECT_NE(expected[each.line], each.text);
    expected[each.line] = each.text;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 3 || i == 4) continue;
    EXPECT_EQ(lines[i], expected[i]);
  }
  // sc_regmask, sc_status, sc_pc; uc_flags ... uc_stack.ss_flags (SS_DISABLE), ss_pad.
  EXPECT_TRUE(lines[3].starts_with("got=16 a1=0 ctx=7fff")) << lines[3];
  EXPECT_TRUE(contains(lines[3], ": fffffffe 0 0 fae25d4 0 0 0 0")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("siginfo: got=17 a1=7fff")) << lines[4];
  EXPECT_TRUE(contains(lines[4], ": f 0 0 0 0 0 0 0 2 0 0 0")) << lines[4];
}

// libc's sproc(), which QEMU's IRIX fork cannot start: a child with PR_SALL stores 43.
TEST_F(IrixPrograms, ProbeSharesItsMemory) {
  const Finished finished = run({shared("programs/probe/probe"), "sproc"});
  expect_clean(finished);
  EXPECT_TRUE(contains(finished.out, "sproc=1 ")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "\nwait=1 st=0 shared=43\n")) << finished.out;
}

// ---- SGI's compiler and linker.

TEST_F(IrixPrograms, CompileLinkAndRun) {
  for (const char* name : {"hello", "work"}) {
    copy(std::string("programs/") + name + ".c");
    expect_clean(run({"/usr/bin/cc", "-o", name, std::string(name) + ".c"}));
  }
  const Finished hello = run({path("hello"), "a", "b c"});
  EXPECT_EQ(hello.out, read_file(shared("programs/hello.stdout")));
  EXPECT_EQ(hello.status, status_in(shared("programs/hello.rc")));
  const Finished work = run({path("work")});
  EXPECT_EQ(work.out, read_file(shared("programs/work.stdout")));
  EXPECT_EQ(work.status, status_in(shared("programs/work.rc")));
}

// docs/tour.md. busy() does three times the work of calm(), all of it once under profil() and
// once under sprofil(): of some 54 ticks each time on an R4400, about 40 and 14. Both together are
// the ticks whose pc lies in the function, as --explain has them.
TEST_F(IrixPrograms, ProfilesItself) {
  write("selfprofile.c", read_file("docs/examples/irix/selfprofile.c"));
  expect_clean(run({"/usr/bin/cc", "-o", "selfprofile", "selfprofile.c"}));
  const Finished finished = run({"--explain=ticks", path("selfprofile")});
  expect_clean(finished);
  const auto lines = lines_of(finished.out);
  ASSERT_EQ(lines.size(), 3U) << finished.out;
  std::array<unsigned, 2> busy{}, calm{};
  ASSERT_EQ(std::sscanf(lines[0].c_str(), "profil busy %u calm %u", &busy[0], &calm[0]), 2);
  ASSERT_EQ(std::sscanf(lines[1].c_str(), "sprofil busy %u calm %u", &busy[1], &calm[1]), 2);
  for (const unsigned i : {0U, 1U}) {
    EXPECT_NEAR(busy[i], 40, 6) << lines[i];
    EXPECT_NEAR(calm[i], 14, 6) << lines[i];
  }
  EXPECT_EQ(busy[0] + busy[1], ticks_in("<busy+"));
  EXPECT_EQ(calm[0] + calm[1], ticks_in("<calm+"));
  EXPECT_EQ(lines[2], "tick 0.010000 s, elsewhere 0");
}

// ---- SGI's profiler: ../shared/irix/cc-p has what `cc -p` and prof(1) need beside the tool chain.
class IrixProfiler : public IrixPrograms {
 protected:
  void SetUp() override {
    IrixPrograms::SetUp();
    if (IsSkipped()) return;
    std::filesystem::create_directories(path("extra/usr/lib"));
    std::filesystem::create_directories(path("extra/usr/bin"));
    for (const char* const name : {"usr/lib/mcrt1.o", "usr/lib/libprof.a", "usr/bin/prof"}) {
      const std::filesystem::path to = path("extra/" + std::string(name));
      std::filesystem::copy_file(shared("cc-p/" + to.filename().string()), to);
    }
    copy("cc-p/p.c");
    expect_clean(run_on({}, {"/usr/bin/cc", "-O0", "-p", "-o", "pp", "p.c"}));
  }

  Finished run_on(const std::vector<std::string>& options,
                  const std::vector<std::string>& command) const {
    std::vector<std::string> arguments = {"run", "-L", path("extra") + ":" + root(), "--env",
                                          "PATH=/usr/bin"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), command.begin(), command.end());
    return hardclock(arguments);
  }
  // The words below "samples time CPU FPU Clock" in what prof prints.
  std::vector<std::string> header_of(const std::string& listing) const {
    const auto lines = lines_of(listing);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      if (!contains(lines[i], "CPU    FPU   Clock")) continue;
      std::istringstream words(lines[i + 1]);
      return {std::istream_iterator<std::string>(words), {}};
    }
    return {};
  }
};

// Processor and FPU are those of the chips' revisions, the clock is the board's (getinvent(3)).
// What cc links is marked as MIPS II, and ran on an R3000.
TEST_F(IrixProfiler, ProfNamesTheMachine) {
  const struct {
    const char *option, *cpu, *fpu, *clock;
  } machines[] = {{"--machine=indigo", "R2000A/R3000", "R2010A/R3010", "33.0MHz"},
                  {"--machine=indigo2-r4400", "R4400", "R4010", "200.0MHz"},
                  {"--cpu=r4000@50", "R4000", "R4010", "50.0MHz"}};
  for (const auto& [option, cpu, fpu, clock] : machines) {
    SCOPED_TRACE(option);
    expect_clean(run_on({option}, {"./pp"}));
    const Finished prof = run_on({option}, {"/usr/bin/prof", "pp", "mon.out"});
    expect_clean(prof);
    const std::vector<std::string> header = header_of(prof.out);
    ASSERT_GE(header.size(), 5U) << prof.out;
    EXPECT_EQ(header[2], cpu);
    EXPECT_EQ(header[3], fpu);
    EXPECT_EQ(header[4], clock);
  }
}

// prof of IRIX 5.3 knows the R3000, R4000, R4600 and R8000 and refuses others, whose profiles it
// reads when told to take the processor for an R4000.
TEST_F(IrixProfiler, ProfKnowsNoR5000) {
  expect_clean(run_on({"--machine=o2"}, {"./pp"}));
  const Finished refused = run_on({"--machine=o2"}, {"/usr/bin/prof", "pp", "mon.out"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err, "prof: cpu type 0x2300 not supported\n");
  const Finished prof = run_on({"--machine=o2"}, {"/usr/bin/prof", "-r4000", "pp", "mon.out"});
  expect_clean(prof);
  const std::vector<std::string> header = header_of(prof.out);
  ASSERT_GE(header.size(), 5U) << prof.out;
  EXPECT_EQ(header[4], "200.0MHz");
}

// libc's _is_mips2 asks the processor by a branch likely, which an R3000 executes as the branch
// that it knows.
TEST_F(IrixProfiler, TraceShowsWhatTheChipExecutes) {
  const auto asked = [&](const std::string& cpu) {
    EXPECT_EQ(
        run_on({"--cpu=" + cpu, "--trace=trace", "--max-instructions=60000"}, {"./pp"}).status,
        own_failure);
    for (const std::string& line : lines_of(read("trace"))) {
      if (contains(line, " 04430002 ")) return line.substr(line.find(" 04430002 ") + 10, 6);
    }
    return std::string();
  };
  EXPECT_EQ(asked("r3000"), "bgez\tv");
  EXPECT_EQ(asked("r4400"), "bgezl\t");
}

// One folder of ../shared/irix/expected: its name is INPUT-OPTIONS.
class IrixCompiler : public IrixPrograms, public ::testing::WithParamInterface<const char*> {};

std::vector<std::string> options_in(const std::string& name) {
  if (name == "O2-mips2") return {"-O2", "-mips2"};
  if (name == "O2-non_shared-G0") return {"-O2", "-non_shared", "-G", "0"};
  return {"-" + name};
}

TEST_P(IrixCompiler, GivesTheSameBytes) {
  const std::string name = GetParam();
  const std::size_t dash = name.find('-');
  const std::string input = name.substr(0, dash);
  copy("src/" + input + ".c");
  std::vector<std::string> command = {"/usr/bin/cc"};
  for (const std::string& option : options_in(name.substr(dash + 1))) command.push_back(option);
  command.insert(command.end(), {"-c", input + ".c", "-o", input + ".o"});
  const Finished finished = run(command);
  const std::string expected = shared("expected/" + name);
  EXPECT_EQ(finished.status, status_in(expected + "/qemu.rc"));
  EXPECT_EQ(finished.out, read_file(expected + "/qemu.stdout"));
  EXPECT_EQ(finished.err, read_file(expected + "/qemu.stderr"));
  EXPECT_TRUE(read(input + ".o") == read_file(expected + "/qemu.o"));
}

INSTANTIATE_TEST_SUITE_P(Expected, IrixCompiler,
                         ::testing::Values("t300-O2", "t1000-O1", "t1000-O2", "t1000-O2-mips2",
                                           "t1000-O2-non_shared-G0", "t3000-O1", "t3000-O2"),
                         [](const auto& info) { return replace(info.param, "-", "_"); });

// A folder that is added to the expected ones is a test that is missing above.
TEST_F(IrixPrograms, AllExpectedFoldersAreTested) {
  const auto folders = std::filesystem::directory_iterator(shared("expected"));
  EXPECT_EQ(std::distance(begin(folders), end(folders)), 7);
}

}  // namespace
}  // namespace hardclock::cli_test
