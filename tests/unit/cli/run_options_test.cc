// What `hardclock run` takes and refuses. The source of every expectation is the manual page
// (hardclock.1); 1996-01-01 is 820454400 by GNU `date -u -d 1996-01-01 +%s`.
#include "cli/run_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock {
namespace {

using Words = std::vector<std::string>;

RunOptions parsed(const Words& words) {
  auto run = parse_run_options(words);
  EXPECT_TRUE(run.ok()) << run.error().message;
  return run.ok() ? *run : RunOptions();
}

std::string error(const Words& words) {
  const auto run = parse_run_options(words);
  return run.ok() ? "(no error)" : run.error().message;
}

TEST(RunOptions, Defaults) {
  const RunOptions run = parsed({"prog"});
  EXPECT_EQ(run.program, "prog");
  EXPECT_EQ(run.arguments, Words{});
  EXPECT_FALSE(run.os.has_value());
  EXPECT_FALSE(run.cpu.has_value());
  EXPECT_FALSE(run.machine.has_value());
  EXPECT_FALSE(run.placement.has_value());
  EXPECT_EQ(run.tick_rate, std::nullopt);
  EXPECT_EQ(run.timing, TimingModel::cycle);
  EXPECT_FALSE(run.syscall_cycles.has_value());
  EXPECT_EQ(run.start_time.time_since_epoch().count(), 820454400);
  EXPECT_EQ(run.host_name, "hardclock");
  EXPECT_EQ(run.first_pid, 100);
  EXPECT_EQ(run.roots, Words{});
  EXPECT_TRUE(run.binds.empty());
  EXPECT_TRUE(run.variables.empty());
  EXPECT_FALSE(run.stats || run.explain || run.strace || run.trace || run.profile);
  EXPECT_FALSE(run.max_instructions || run.max_cycles || run.max_host_time);
  EXPECT_EQ(run.max_memory, 1073741824U);
  EXPECT_EQ(run.max_disk, 1073741824U);
}

TEST(RunOptions, Machine) {
  const RunOptions run = parsed(
      {"--os", "irix", "--cpu=r3000@33.33", "--hz=1000", "--timing=functional", "--syscall-cycles",
       "500", "--time=1996-02-29", "--hostname=ip22.sgi-4_d", "--pid=2", "prog", "--hz=7", "-x"});
  EXPECT_EQ(run.os, "irix");
  ASSERT_TRUE(run.cpu.has_value());
  EXPECT_EQ(run.cpu->name, "r3000");
  EXPECT_EQ(run.cpu->clock, Hertz(33'330'000));
  EXPECT_EQ(run.tick_rate, Hertz(1000));
  EXPECT_EQ(run.timing, TimingModel::functional);
  EXPECT_EQ(run.syscall_cycles, Cycles(500));
  EXPECT_EQ(run.start_time.time_since_epoch().count(), 825552000);
  EXPECT_EQ(run.host_name, "ip22.sgi-4_d");
  EXPECT_EQ(run.first_pid, 2);
  EXPECT_EQ(run.arguments, (Words{"--hz=7", "-x"}));
  EXPECT_EQ(parsed({"--machine=indigo", "prog"}).machine, "indigo");
  EXPECT_EQ(parsed({"--placement=4294967295", "--machine=o2", "prog"}).placement, 4294967295U);
}

TEST(RunOptions, Engine) {
  EXPECT_TRUE(parsed({"prog"}).translation.is_on);
  EXPECT_EQ(parsed({"prog"}).translation.after_executions, 32U);
  EXPECT_TRUE(parsed({"--engine=translator", "prog"}).translation.is_on);
  EXPECT_EQ(parsed({"--engine=translator,0", "prog"}).translation.after_executions, 0U);
  EXPECT_FALSE(parsed({"--engine=interpreter", "prog"}).translation.is_on);
  for (const char* const wrong :
       {"jit", "translator,", "translator,-1", "translator,1000001", "interpreter,3"}) {
    EXPECT_EQ(
        error({std::string("--engine=") + wrong, "prog"}),
        "--engine needs translator, translator,N with N up to 1000000, or interpreter, not '" +
            std::string(wrong) + "'");
  }
}

TEST(RunOptions, WorkingDirectory) {
  EXPECT_FALSE(parsed({"prog"}).working_directory.has_value());
  EXPECT_EQ(parsed({"--cwd=rw", "prog"}).working_directory, DirectoryAccess::read_write);
  EXPECT_EQ(parsed({"--cwd", "ro", "prog"}).working_directory, DirectoryAccess::read_only);
  EXPECT_EQ(parsed({"--cwd=none", "prog"}).working_directory, DirectoryAccess::none);
  EXPECT_EQ(error({"--cwd=wr", "prog"}), "--cwd needs rw, ro or none, not 'wr'");
}

TEST(RunOptions, CpuWithoutClock) {
  const RunOptions run = parsed({"--cpu", "r4000", "prog"});
  ASSERT_TRUE(run.cpu.has_value());
  EXPECT_EQ(run.cpu->name, "r4000");
  EXPECT_FALSE(run.cpu->clock.has_value());
}

TEST(RunOptions, World) {
  const RunOptions run =
      parsed({"-L", "/a:/b", "--root=c", "--bind=/data:/mnt", "--bind", "x:/y:ro", "--bind=/ro:/ro",
              "--env=PATH=/bin:/usr/bin", "--env", "A=1", "--env=E=", "--env=A=2=3", "prog"});
  EXPECT_EQ(run.roots, (Words{"/a", "/b", "c"}));
  ASSERT_EQ(run.binds.size(), 3U);
  EXPECT_EQ(run.binds[0].host, "/data");
  EXPECT_EQ(run.binds[0].guest, "/mnt");
  EXPECT_FALSE(run.binds[0].read_only);
  EXPECT_EQ(run.binds[1].host, "x");
  EXPECT_EQ(run.binds[1].guest, "/y");
  EXPECT_TRUE(run.binds[1].read_only);
  EXPECT_EQ(run.binds[2].guest, "/ro");
  EXPECT_FALSE(run.binds[2].read_only);
  ASSERT_EQ(run.variables.size(), 3U);
  EXPECT_EQ(run.variables[0].name, "PATH");
  EXPECT_EQ(run.variables[0].value, "/bin:/usr/bin");
  EXPECT_EQ(run.variables[1].name, "A");
  EXPECT_EQ(run.variables[1].value, "2=3");
  EXPECT_EQ(run.variables[2].name, "E");
  EXPECT_EQ(run.variables[2].value, "");
}

TEST(RunOptions, Outputs) {
  const RunOptions run = parsed(
      {"--stats", "--explain=e.txt", "--strace", "--trace=t", "--profile", "out.json", "prog"});
  ASSERT_TRUE(run.stats && run.explain && run.strace && run.trace && run.profile);
  EXPECT_EQ(run.stats->file, "");
  EXPECT_EQ(run.explain->file, "e.txt");
  EXPECT_EQ(run.strace->file, "");
  EXPECT_EQ(run.trace->file, "t");
  EXPECT_EQ(*run.profile, "out.json");
}

TEST(RunOptions, Limits) {
  const RunOptions run = parsed(
      {"--max-instructions=18446744073709551615", "--max-cycles=1", "--max-memory=256M", "prog"});
  EXPECT_EQ(run.max_instructions, Instructions(18446744073709551615U));
  EXPECT_EQ(run.max_cycles, Cycles(1));
  EXPECT_EQ(run.max_memory, 268435456U);
  EXPECT_EQ(parsed({"--max-memory=1024G", "prog"}).max_memory, 1099511627776U);
  EXPECT_EQ(parsed({"--max-disk=0", "prog"}).max_disk, 0U);
  EXPECT_EQ(parsed({"--max-seconds=1.5", "prog"}).max_host_time,
            std::chrono::microseconds(1500000));
}

TEST(RunOptions, MistakesGetOneLine) {
  struct Case {
    Words words;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"--hz=abc"}, "--hz needs a whole number from 1 to 10000, not 'abc'"},
      {{"--hz=0"}, "--hz needs a whole number from 1 to 10000, not '0'"},
      {{"--hz=10001"}, "--hz needs a whole number from 1 to 10000, not '10001'"},
      {{"--hz", "-1"}, "--hz needs a whole number from 1 to 10000, not '-1'"},
      {{"--hz=1\n2"}, "--hz needs a whole number from 1 to 10000, not '1\\x0a2'"},
      {{"--timing=fast"}, "--timing needs cycle or functional, not 'fast'"},
      {{"--timing=Cycle"}, "--timing needs cycle or functional, not 'Cycle'"},
      {{"--machine=indigo", "--cpu=r3000"}, "--machine has its own processor; leave out --cpu"},
      {{"--placement=4294967296", "--machine=o2"},
       "--placement needs a whole number from 0 to 4294967295, not '4294967296'"},
      {{"--placement=1"}, "--placement chooses a machine's pages; add --machine NAME"},
      {{"--syscall-cycles=1000000001"},
       "--syscall-cycles needs a whole number from 0 to 1000000000, not '1000000001'"},
      {{"--time=yesterday"},
       "--time needs seconds since 1970 or a date like 1996-01-31, until 2038-01-19, not "
       "'yesterday'"},
      {{"--max-instructions=0"},
       "--max-instructions needs a number from 1 on like 250000, 250k, 10M, 2G or 1e9, not '0'"},
      {{"--max-cycles=18446744073709551616"},
       "--max-cycles needs a number from 1 on like 250000, 250k, 10M, 2G or 1e9, not "
       "'18446744073709551616'"},
      {{"--max-memory=63K"}, "--max-memory needs a size from 64K to 1024G like 256M, not '63K'"},
      {{"--max-memory=1025G"},
       "--max-memory needs a size from 64K to 1024G like 256M, not '1025G'"},
      {{"--max-disk=1025G"}, "--max-disk needs a size from 0 to 1024G like 256M, not '1025G'"},
      {{"--max-seconds=0"}, "--max-seconds needs seconds up to 1000000000 like 30 or 0.5, not '0'"},
      {{"--env=PATH"}, "--env needs NAME=VALUE with a NAME, not 'PATH'"},
      {{"--env==x"}, "--env needs NAME=VALUE with a NAME, not '=x'"},
      {{"--root=/a::/b"}, "--root needs DIR or DIR:DIR, not '/a::/b'"},
      {{"-L", ":"}, "--root needs DIR or DIR:DIR, not ':'"},
      // The first mistake is the one that is told, in the order of the manual page's groups.
      {{"--max-memory=x", "--hz=y"}, "--hz needs a whole number from 1 to 10000, not 'y'"},
  };
  for (const Case& c : cases) {
    Words words = c.words;
    words.emplace_back("prog");
    EXPECT_EQ(error(words), c.message);
  }
  EXPECT_EQ(error({""}), "PROGRAM is empty; see 'hardclock run --help'");
}

TEST(RunOptions, BadCpusAndBinds) {
  for (const char* cpu : {"@33", "r3000@", "r3000@0", "r3000@fast", "r3000@33@34", "@"}) {
    EXPECT_EQ(error({"--cpu", cpu, "prog"}),
              "--cpu needs NAME or NAME@MHZ with MHZ up to 10000 and six decimals at most, not '" +
                  std::string(cpu) + "'");
  }
  for (const char* bind :
       {"/a", "/a:", ":/b", "/a:b", "/a:/b:rw", "/a:/b:/c", "/a:ro", ":", "::ro", "/a:/b:ro:ro"}) {
    EXPECT_EQ(error({"--bind", bind, "prog"}),
              "--bind needs HOST:GUEST or HOST:GUEST:ro with an absolute path GUEST, not '" +
                  std::string(bind) + "'");
  }
}

// ---- hardclock lab.

std::string lab_error(const Words& words) {
  const auto run = parse_lab_options(words);
  return run.ok() ? "(no error)" : run.error().message;
}

TEST(LabOptions, AreThoseOfARunAndItsOwn) {
  const auto plain = parse_lab_options({"prog"});
  ASSERT_TRUE(plain.ok());
  EXPECT_FALSE(plain->lab->profil || plain->lab->keys || plain->lab->output);
  EXPECT_FALSE(plain->lab->is_page);
  EXPECT_EQ(plain->lab->frames, 2000U);
  EXPECT_EQ(plain->lab->columns, 80U);
  EXPECT_EQ(plain->lab->rows, 24U);
  EXPECT_EQ(plain->working_directory, DirectoryAccess::read_only);
  const auto run = parse_lab_options({"--machine=indigo", "--hz=50", "--cwd=rw", "--keys=s t",
                                      "--profil=hot,0x4000", "--size=40x30", "prog", "--keys=x"});
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run->machine, "indigo");
  EXPECT_EQ(run->tick_rate, Hertz(50));
  EXPECT_EQ(run->working_directory, DirectoryAccess::read_write);
  EXPECT_EQ(run->lab->keys, "s t");
  EXPECT_EQ(run->lab->profil->where, "hot");
  EXPECT_EQ(run->lab->profil->scale, 0x4000U);
  EXPECT_EQ(run->lab->columns, 40U);
  EXPECT_EQ(run->lab->rows, 30U);
  EXPECT_EQ(run->arguments, Words{"--keys=x"});
  EXPECT_TRUE(parse_lab_options({"--output=a.html", "prog"})->lab->is_page);
  EXPECT_TRUE(parse_lab_options({"--format=html", "prog"})->lab->is_page);
}

TEST(LabOptions, Mistakes) {
  EXPECT_EQ(lab_error({"--size=80", "prog"}),
            "--size needs COLUMNSxROWS from 40x12 to 400x200, not '80'");
  EXPECT_EQ(lab_error({"--profil=,2", "prog"}),
            "--profil needs WHERE[,SCALE] like text or hot,0x8000, not ',2'");
  EXPECT_EQ(lab_error({"--keys=s", "--script=f", "prog"}),
            "--script has the keys; leave out --keys");
  EXPECT_EQ(lab_error({"--keys=s", "--format=html", "prog"}),
            "a page has its own keys; leave out --keys and --script");
  EXPECT_EQ(lab_error({"--output=x", "prog"}),
            "--output is for a page or for screens; add --format=html, or --keys");
  EXPECT_EQ(lab_error({"--frames=50001", "prog"}),
            "--frames needs a whole number from 10 to 50000, not '50001'");
  for (const std::string option : {"--stats", "--trace", "--profile=x", "--pipeline=hot"})
    EXPECT_NE(lab_error({option, "prog"}), "(no error)") << option;
}

}  // namespace
}  // namespace hardclock
