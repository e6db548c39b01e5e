// What a user gets wrong: one line that says what, where and what to do, status 125, nothing on
// standard output, and never a crash. The words asked for are the user's own or the option's name.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/command_test.h"
#include "tests/support/part_of_cases.h"

namespace hardclock::cli_test {
namespace {

struct Mistake {
  std::vector<std::string> arguments;
  std::vector<std::string> words;
};

// Runs in a folder with `spin` (a program that never ends), a text file and an empty one.
class BadInput : public CommandTest {
 protected:
  void SetUp() override {
    write("spin", read_file(guest("spin")));
    write("text", "hello\n");
    write("empty", "");
    write("ecoff", std::string("\x01\x60\x00\x07", 4) + std::string(60, '\0'));
  }

  void expect_complaints(const std::vector<Mistake>& mistakes) const {
    for (const Mistake& mistake : mistakes) {
      SCOPED_TRACE(::testing::PrintToString(mistake.arguments));
      expect_complaint(hardclock(mistake.arguments), mistake.words);
    }
  }
};

TEST_F(BadInput, Commands) {
  expect_complaints({
      {{}, {"no command", "hardclock help"}},
      {{""}, {"no command", "hardclock help"}},
      {{"frobnicate"}, {"'frobnicate'", "hardclock run frobnicate"}},
      {{"rnu"}, {"'rnu'", "did you mean 'hardclock run'?"}},
      {{"gdb", "spin"}, {"'gdb'", "hardclock lab PROGRAM"}},
      {{"record", "spin"}, {"'record'", "hardclock run --profile=FILE.json"}},
      {{"--stats"}, {"--stats", "hardclock help"}},
      {{"run"}, {"PROGRAM", "hardclock run --help"}},
      {{"report", "p.json"}, {"PROGRAM", "hardclock report --help"}},
      {{"report", "a", "b", "c"}, {"'c'", "hardclock report --help"}},
      {{"disasm"}, {"PROGRAM", "hardclock disasm --help"}},
      {{"cpus", "z80"}, {"'z80'", "hardclock cpus"}},
      {{"syscalls", "--os=plan9"}, {"'plan9'", "irix"}},
      {{"help", "frobnicate"}, {"'frobnicate'", "hardclock help"}},
  });
}

// e_machine, the 19th and 20th byte of an ELF file: EM_IA_64, and a number that is no processor's.
TEST_F(BadInput, OtherProcessors) {
  std::string itanium = read("spin"), unknown = itanium;
  itanium.replace(18, 2, std::string("\0\x32", 2));
  unknown.replace(18, 2, "\x12\x34");
  write("itanium", itanium);
  write("unknown", unknown);
  expect_complaints({
      {{"run", "itanium"}, {"itanium", "32-bit big-endian ELF", "Itanium", "does not run"}},
      {{"run", "--os=hpux", "itanium"}, {"32-bit big-endian ELF", "HP-UX does not run"}},
      {{"run", "unknown"}, {"unknown", "machine 4660", "MIPS", "PA-RISC"}},
      {{"disasm", "unknown"}, {"unknown", "machine 4660", "MIPS", "PA-RISC", "IA-64"}},
  });
}

TEST_F(BadInput, TooFewOpenFiles) {
  for (const int limit : {5, 8, 10, 12}) {
    // UBSan's check of a virtual call (vptr) opens a pipe, and reports a mistake if it gets none.
    if (limit == 5 && support::part_of_cases != 1) continue;
    const std::string command =
        "ulimit -n " + std::to_string(limit) + "; exec '" + hardclock_path() + "' run spin";
    expect_complaint(other_program({"sh", "-c", command}), {"too many open files", "ulimit -n"});
  }
}

TEST_F(BadInput, Options) {
  expect_complaints({
      {{"run", "--frobnicate", "spin"}, {"--frobnicate", "hardclock run --help"}},
      {{"run", "-x", "spin"}, {"-x", "hardclock run --help"}},
      {{"run", "--cpu=z80", "spin"}, {"'z80'", "r3000"}},
      {{"run", "--cpu=r3000@0", "spin"}, {"--cpu", "'r3000@0'"}},
      {{"run", "--os=plan9", "spin"}, {"'plan9'", "irix"}},
      {{"run", "--os=hpux", "spin"}, {"'hpux'", "irix"}},
      {{"run", "--hz=0", "spin"}, {"--hz", "'0'", "from 1"}},
      {{"run", "--hz", "0", "spin"}, {"--hz", "'0'", "from 1"}},
      {{"run", "--hz=many", "spin"}, {"--hz", "'many'"}},
      {{"run", "--timing=fast", "spin"}, {"--timing", "functional", "'fast'"}},
      {{"run", "--time=yesterday", "spin"}, {"--time", "'yesterday'", "1996"}},
      {{"run", "--time=2040-01-01", "spin"}, {"--time", "'2040-01-01'"}},
      {{"run", "--env=NAME", "spin"}, {"--env", "NAME=VALUE"}},
      {{"run", "--max-cycles=0", "spin"}, {"--max-cycles", "'0'"}},
      {{"run", "--max-instructions=-1", "spin"}, {"--max-instructions", "'-1'"}},
      {{"run", "--max-memory=lots", "spin"}, {"--max-memory", "'lots'"}},
      {{"run", "--max-seconds=0", "spin"}, {"--max-seconds", "'0'"}},
      {{"run", "--max-seconds=1e3", "spin"}, {"--max-seconds", "'1e3'"}},
      {{"run", "--hostname=a b", "spin"}, {"--hostname", "'a b'"}},
      {{"run", "--hostname=", "spin"}, {"--hostname"}},
      {{"run", "--pid=1", "spin"}, {"--pid", "'1'"}},
      {{"run", "--pid=30001", "spin"}, {"--pid", "'30001'"}},
      {{"run", "--stats", "--stats", "spin"}, {"--stats", "once"}},
      {{"run", "--stats=x", "--trace=x", "spin"}, {"--stats", "--trace", "'x'"}},
      {{"run", "--profile=x.pdf", "spin"}, {"x.pdf", ".json", "mon.out"}},
      {{"run", "--strace=json", "spin"}, {"--strace", "text", "'json'"}},
      {{"run", "--explain=e.html", "spin"}, {"--explain", "text", "'e.html'"}},
      {{"run", "--pipeline=main+12,p.svg", "spin"}, {"--pipeline", "text", "'p.svg'"}},
      {{"run", "--check=snapshots", "--digest=d", "spin"}, {"--check=snapshots", "--digest"}},
      {{"run", "--profile=p.%p.json", "spin"}, {"--profile", "all processes", "leave out %p"}},
      {{"systems", "--compare", "--output=c.html"}, {"--output", "c.html", "text"}},
  });
}

TEST_F(BadInput, PlacesOfTheHost) {
  expect_complaints({
      {{"run", "-L", "nowhere", "spin"}, {"nowhere", "no such directory", "-L"}},
      {{"run", "-L", "text", "spin"}, {"text", "not a directory", "-L"}},
      {{"run", "--bind=/tmp", "spin"}, {"--bind", "HOST:GUEST", "'/tmp'"}},
      {{"run", "--bind=/tmp:relative", "spin"}, {"--bind", "absolute"}},
      {{"run", "--bind=nowhere:/data", "spin"}, {"nowhere:/data", "--bind"}},
      {{"run", "--bind=/dev/null:/data", "spin"}, {"/dev/null:/data", "--bind"}},
      {{"run", "--stats=nowhere/s.json", "spin"}, {"nowhere/s.json", "another file"}},
      {{"run", "--explain=nowhere/e", "spin"}, {"nowhere/e", "another file"}},
      {{"run", "--strace=nowhere/e", "spin"}, {"nowhere/e", "another file"}},
      {{"run", "--trace=.", "spin"}, {".", "another file"}},
      {{"run", "--profile=nowhere/p.json", "spin"}, {"nowhere/p.json", "another file"}},
  });
}

TEST_F(BadInput, ThingsThatAreNoPrograms) {
  const std::vector<Mistake> mistakes = {
      {{"run", "nothing"}, {"nothing", "no such program", "-L"}},
      {{"run", "--stats", "stats.json", "spin"}, {"stats.json", "write --stats=stats.json"}},
      {{"run", "--stats", "text", "spin"}, {"text", "magic", "write --stats=text"}},
      {{"run", "nowhere/spin"}, {"nowhere/spin", "-L"}},
      {{"run", "text/spin"}, {"text/spin"}},
      {{"run", "."}, {".", "name a program"}},
      {{"run", "/"}, {"/", "name a program"}},
      {{"run", "text"}, {"text", "ELF"}},
      {{"run", "empty"}, {"empty", "too few"}},
      {{"run", "ecoff"}, {"ecoff", "ECOFF header", "object file"}},
      {{"run", "/dev/null"}, {"/dev/null", "name a program"}},
      {{"run", "/dev/zero"}, {"/dev/zero", "name a program"}},
      {{"run", "/bin/true"}, {"/bin/true", "64-bit", "MIPS"}},
      {{"run", ""}, {"PROGRAM is empty", "hardclock run --help"}},
      {{"run", std::string(5000, 'n')}, {"nnn", "too long"}},
      {{"disasm", "text"}, {"text", "ELF"}},
      {{"disasm", "nothing"}, {"nothing", "check the name"}},
      {{"disasm", "."}, {"directory", "name a file"}},
      {{"report", "text", "spin"}, {"text", "not a profile"}},
      {{"report", "empty", "spin"}, {"empty", "wrote nothing"}},
      {{"report", "nothing", "spin"}, {"nothing", "check the name"}},
      {{"report", "text", "text"}, {"text", "ELF"}},
  };
  expect_complaints(mistakes);
}

// A line for the user is one line whatever the name is made of, and no terminal obeys it.
TEST_F(BadInput, NamesWithControlCharacters) {
  expect_complaint(hardclock({"run", "a\nb\033[2J"}), {"a\\x0ab\\x1b[2J"});
  expect_complaint(hardclock({"--\n"}), {"--\\x0a"});
}

TEST_F(BadInput, UnreadableProgram) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can read every file";
  ASSERT_EQ(::chmod(path("spin").c_str(), 0), 0);
  expect_complaint(hardclock({"run", "spin"}), {"spin", "permission"});
}

TEST_F(BadInput, FifoIsNoProgram) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0666), 0);
  expect_complaint(hardclock({"run", "fifo"}), {"fifo", "name a program"});
}

TEST_F(BadInput, TooLittleMemory) {
  for (const char* size : {"64K", "100K", "128K"}) {
    SCOPED_TRACE(size);
    expect_complaint(hardclock({"run", std::string("--max-memory=") + size, "spin"}),
                     {"spin", "--max-memory"});
  }
}

TEST_F(BadInput, FullDisk) {
  for (const char* option : {"--stats=", "--explain=", "--strace="}) {
    const Finished run = hardclock({"run", option + std::string("/dev/full"), guest("compute")});
    EXPECT_EQ(run.status, own_failure);
    EXPECT_EQ(run.out, expected_output("compute.txt"));
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(contains(run.err, "/dev/full")) << run.err;
  }
}

// POSIX.1 Utility Syntax Guidelines 9 and 10: options come before operands, and "--" ends them.
TEST_F(BadInput, OptionsBehindTheProgramAreItsOwn) {
  const std::string program = cli_guest("files");
  const Finished run = hardclock({"run", program, "a", "--stats", "-h", "--", "--hz=0"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out,
            "a 0 '" + program + "'\na 1 'a'\na 2 '--stats'\na 3 '-h'\na 4 '--'\na 5 '--hz=0'\n");
  EXPECT_EQ(run.err, "");
  write("--stats", read_file(program));
  EXPECT_EQ(hardclock({"run", "--", "--stats", "a"}).out, "a 0 '--stats'\na 1 'a'\n");
}

}  // namespace
}  // namespace hardclock::cli_test
