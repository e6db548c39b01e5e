// tools/timing-check --emit-c: the program compiles as strict C89 with GCC and with SGI's compiler,
// measures by its own clock what the kernels' sources say, tells readings apart, and says what is
// wrong. The expected cycles are those of the kernel files. The commands of docs/owners.md are
// such.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Row {
  std::string id;
  std::string cpu;
  double cycles = 0;
  std::string verdict;
};

// "ID CPU EXPECTED... MEASURED VERDICT", and last the sums.
std::vector<Row> rows_of(const std::string& output) {
  std::vector<Row> rows;
  for (const std::string& line : lines_of(output)) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.size() < 5) continue;
    rows.push_back({words[0], words[1], std::atof(words[words.size() - 2].c_str()), words.back()});
  }
  return rows;
}

// Two cycles and the branch's: one instruction a cycle on an R3000 (Hennessy and Patterson).
Json three_cycles() {
  return {{"id", "loop"},
          {"cpu", "r3000"},
          {"asm", "K:\taddiu $8,$8,-1\n\tbne $8,$0,K\n\tnop"},
          {"assemble", "mips-linux-gnu-as -EB -32 -march=r3000 (prepend .set noreorder/.set noat)"},
          {"cycles_per_iteration", 3},
          {"init", {{"counter", "$8"}}}};
}

Json with(Json kernel, const std::string& key, const Json& value) {
  kernel[key] = value;
  return kernel;
}

class TimingProgram : public CommandTest {
 protected:
  void SetUp() override {
    for (const char* const processor : {"mips", "hppa"}) {
      const std::string compiler = std::string(processor) + "-linux-gnu-gcc";
      if (other_program({compiler, "--version"}).status != 0) {
        GTEST_SKIP() << "no " << compiler << "; tools/install-deps test brings it";
      }
    }
  }

  // Writes FILES.c and FILES_loops.s.
  Finished emit(const std::string& file, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> command = {fs::absolute("tools/timing-check").string(), "--emit-c",
                                        "--output", path("files")};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(file);
    return other_program(command);
  }
  void emit_kernels(const std::vector<Json>& kernels) const {
    write("kernels.json", Json(kernels).dump());
    const Finished emitted = emit(path("kernels.json"));
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    EXPECT_EQ(emitted.out + emitted.err, "");
  }
  static std::string kernels(const std::string& name) {
    return fs::absolute("tests/timing/" + name).string();
  }

  // For IRIX, as the guests are compiled: //tests/guests:guest.bzl.
  void compile_for_mips(const std::string& level) const {
    const std::string guests = fs::absolute("tests/guests").string();
    const std::string runtime = fs::absolute("guest/runtime").string();
    std::string include = other_program({"mips-linux-gnu-gcc", "-print-file-name=include"}).out;
    include.pop_back();
    const Finished compiled = other_program({"mips-linux-gnu-gcc",
                                             "-mabi=32",
                                             "-mno-abicalls",
                                             "-mfp32",
                                             "-G0",
                                             level,
                                             "-fno-pic",
                                             "-ffreestanding",
                                             "-fno-stack-protector",
                                             "-U__linux__",
                                             "-D__hardclock_guest__",
                                             "-include",
                                             runtime + "/systems/irix.h",
                                             "-nostdinc",
                                             "-I" + runtime + "/include",
                                             "-isystem",
                                             include,
                                             "-std=c89",
                                             "-pedantic",
                                             "-Wall",
                                             "-Wextra",
                                             "-Werror",
                                             "-O2",
                                             "-static",
                                             "-nostdlib",
                                             "-nostartfiles",
                                             "-Wl,--build-id=none",
                                             "-Wl,-z,max-page-size=4096",
                                             "-Wl,-T," + guests + "/irix.ld",
                                             "-o",
                                             path("timing"),
                                             path("files.c"),
                                             path("files_loops.s"),
                                             runtime + "/libirix.a"});
    ASSERT_EQ(compiled.status, 0) << compiled.err;
  }
  void compile_for_pa_risc() const {
    const Finished compiled =
        other_program({"hppa-linux-gnu-gcc", "-std=c89", "-D_GNU_SOURCE", "-pedantic", "-Wall",
                       "-Wextra", "-Werror", "-O2", "-static", "-o", path("timing"),
                       path("files.c"), path("files_loops.s")});
    ASSERT_EQ(compiled.status, 0) << compiled.err;
  }

  Finished run_for_irix(const std::string& processor,
                        const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {"run", "--os=irix", processor, "./timing"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return hardclock(command);
  }
};

// Each within 2 % of what the file says, or 0.05 cycles.
void expect_published(const Finished& run, const std::string& file, const std::string& cpu) {
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  std::size_t seen = 0;
  const auto rows = rows_of(run.out);
  for (const Json& kernel : Json::parse(read_file("tests/timing/" + file))) {
    if (kernel["cpu"] != cpu) continue;
    ASSERT_LT(seen, rows.size()) << run.out;
    const double expected = kernel["cycles_per_iteration"].get<double>();
    EXPECT_EQ(rows[seen].id, kernel["id"].get<std::string>());
    EXPECT_EQ(rows[seen].cpu, cpu);
    EXPECT_NEAR(rows[seen].cycles, expected, std::max(0.05, 0.02 * expected)) << rows[seen].id;
    EXPECT_EQ(rows[seen].verdict, "agrees") << rows[seen].id;
    ++seen;
  }
  EXPECT_EQ(rows.size(), seen) << run.out;
  EXPECT_GT(seen, 0U);
  EXPECT_TRUE(run.out.ends_with("\n" + std::to_string(seen) + " agree, 0 differ\n")) << run.out;
}

TEST_F(TimingProgram, MeasuresPublishedCyclesOnMips) {
  ASSERT_EQ(emit(kernels("r3000.json")).status, 0);
  compile_for_mips("-march=mips1");
  expect_published(run_for_irix("--cpu=r3000@33", {"33"}), "r3000.json", "r3000");
}

TEST_F(TimingProgram, MeasuresOnAWholeMachine) {
  ASSERT_EQ(emit(kernels("latencies.json"), {"--cpu=r3000"}).status, 0);
  compile_for_mips("-march=mips1");
  expect_published(run_for_irix("--machine=indigo", {"33", "r3000"}), "latencies.json", "r3000");
}

TEST_F(TimingProgram, MeasuresPublishedCyclesOnPaRisc) {
  ASSERT_EQ(emit(kernels("latencies.json"), {"--cpu=pa7100,pa7100lc,pa8000"}).status, 0);
  compile_for_pa_risc();
  for (const std::string cpu : {"pa7100", "pa7100lc", "pa8000"}) {
    const Finished run = hardclock({"run", "--cpu=" + cpu + "@99.5", "./timing", "99.5", cpu});
    expect_published(run, "latencies.json", cpu);
  }
}

// SGI's compiler is not part of the project (../shared/irix).
TEST_F(TimingProgram, MeasuresPublishedCyclesWithSgisCompiler) {
  std::error_code error;
  const fs::path own = fs::canonical("syscalls/irix/syscalls.master", error);
  const fs::path root = (own.parent_path() / "../../../shared/irix/ido5.3").lexically_normal();
  if (!fs::exists(root)) GTEST_SKIP() << "no ../shared/irix beside the source tree";
  ASSERT_EQ(emit(kernels("latencies.json"), {"--cpu=r3000"}).status, 0);
  const Finished compiled =
      hardclock({"run", "--timing=functional", "-L", root.string(), "--env", "PATH=/usr/bin",
                 "/usr/bin/cc", "-DNO_HEADERS", "-O", "-o", "timing", "files.c", "files_loops.s"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  expect_published(hardclock({"run", "-L", root.string(), "--cpu=r3000@33", "./timing", "33"}),
                   "latencies.json", "r3000");
}

// What the caller has in registers survives each kernel: with sixteen pointers in use, among them
// those in which compilers keep loop counters, the next row is right, too.
TEST_F(TimingProgram, KernelsMayUseAnyRegister) {
  Json busy = with(three_cycles(), "id", "busy");
  std::string assembly = "K:\t";
  for (int i = 1; i < 32; ++i) {
    if (i != 4 && i != 29) assembly += "li $" + std::to_string(i) + ",-1\n\t";
  }
  busy["asm"] = assembly + "addiu $4,$4,-1\n\tbne $4,$0,K\n\tnop";
  busy["init"]["counter"] = "$4";
  busy["cycles_per_iteration"] = 32;
  emit_kernels({busy, three_cycles(), busy});
  compile_for_mips("-march=mips1");
  const Finished run = run_for_irix("--cpu=r3000@50", {"50"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(run.out.ends_with("\n3 agree, 0 differ\n")) << run.out;
}

TEST_F(TimingProgram, TellsReadingsApart) {
  const Json readings = {{"slow", 4}, {"right", 3}, {"fast", 2}};
  emit_kernels({with(three_cycles(), "readings", readings),
                with(with(three_cycles(), "readings", {{"a", 4}, {"b", 2}}), "id", "wrong"),
                with(with(three_cycles(), "cycles_per_iteration", 4), "id", "no_reading")});
  compile_for_mips("-march=mips1");
  const Finished run = run_for_irix("--cpu=r3000@25", {"25"});
  EXPECT_EQ(run.status, 1);
  const auto rows = rows_of(run.out);
  ASSERT_EQ(rows.size(), 3U) << run.out;
  EXPECT_EQ(rows[0].verdict, "right");
  EXPECT_TRUE(contains(run.out, "slow=4.00")) << run.out;
  EXPECT_EQ(rows[1].verdict, "none");
  EXPECT_EQ(rows[2].verdict, "differs");
  EXPECT_TRUE(run.out.ends_with("\n1 agree, 2 differ\n")) << run.out;
}

// The clock rate is what the user says it is.
TEST_F(TimingProgram, AWrongClockRateGivesWrongCycles) {
  emit_kernels({three_cycles()});
  compile_for_mips("-march=mips1");
  const Finished run = run_for_irix("--cpu=r3000@25", {"50"});
  EXPECT_EQ(run.status, 1);
  const auto rows = rows_of(run.out);
  ASSERT_EQ(rows.size(), 1U) << run.out;
  EXPECT_NEAR(rows[0].cycles, 6, 0.12);
  EXPECT_EQ(rows[0].verdict, "differs");
}

TEST_F(TimingProgram, SaysWhichProcessorsItKnows) {
  emit_kernels({three_cycles(), with(three_cycles(), "cpu", "r2000")});
  compile_for_mips("-march=mips1");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"33"},
                                                    {"0", "r3000"},
                                                    {"fast", "r3000"},
                                                    {"33", "r4000"},
                                                    {"33", "r3000", "more"}}) {
    const Finished run = run_for_irix("--cpu=r3000@33", arguments);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(run.out, "usage: MHZ CPU, the clock rate and one of: r2000 r3000\n");
  }
  EXPECT_EQ(run_for_irix("--cpu=r3000@33", {"33.0", "r2000"}).status, 0);
}

TEST_F(TimingProgram, NoticesThatAnAssemblerChangedALoop) {
  emit_kernels({three_cycles()});
  write("files_loops.s",
        replace(read("files_loops.s"), "\taddiu\t$8,$8,-1\n", "\tnop\n\taddiu\t$8,$8,-1\n"));
  compile_for_mips("-march=mips1");
  const Finished run = run_for_irix("--cpu=r3000@33", {"33"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "loop  r3000  the assembler changed its code\n0 agree, 1 differ\n");
}

// ---- docs/owners.md.

struct OwnersProgram {
  std::string file;  // of tests/timing
  std::string cpus;
  std::string options;  // of cc
  std::string megahertz;
  std::string cpu;
};

// The three commands of each program, with one name.
std::vector<OwnersProgram> owners_programs() {
  const std::regex commands(
      R"(    tools/timing-check --emit-c --cpu (\S+) --output (\w+) tests/timing/(\S+)\n)"
      R"(    cc -O( -mips[12])? -o \2 \2\.c \2_loops\.s\n)"
      R"(    \./\2 (\d+) (\w+) > \2\.txt\n)");
  const std::string page = read_file("docs/owners.md");
  std::vector<OwnersProgram> programs;
  for (std::sregex_iterator each(page.begin(), page.end(), commands), end; each != end; ++each) {
    const std::smatch& words = *each;
    programs.push_back({words[3], words[1], words[4], words[5], words[6]});
  }
  std::size_t commanded = 0;
  for (const std::string& line : lines_of(page)) commanded += line.starts_with("    tools/");
  EXPECT_EQ(programs.size(), commanded) << "three commands with one name are expected";
  EXPECT_GT(commanded, 0U);
  return programs;
}

// Each makes a program that finds on the simulated processor what hardclock's rows say.
TEST_F(TimingProgram, OwnersCommandsDoWhatThePageSays) {
  for (const OwnersProgram& program : owners_programs()) {
    SCOPED_TRACE(program.file + " " + program.cpu);
    ASSERT_EQ(emit(kernels(program.file), {"--cpu", program.cpus}).status, 0);
    const bool is_mips = program.cpu.starts_with("r");
    if (is_mips) {
      compile_for_mips("-march=" + program.options.substr(program.options.find('m')));
    } else {
      compile_for_pa_risc();
    }
    const Finished run = hardclock({"run", is_mips ? "--os=irix" : "--os=linux",
                                    "--cpu=" + program.cpu + "@" + program.megahertz, "./timing",
                                    program.megahertz, program.cpu});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_TRUE(contains(run.out, " agree, 0 differ\n")) << run.out;
  }
}

// A processor with a loop in doubt has a program there, as far as --emit-c can make one.
TEST_F(TimingProgram, OwnersPageHasEveryProcessorInDoubt) {
  std::set<std::string> cpus, files;
  for (const OwnersProgram& program : owners_programs()) {
    files.insert(program.file);
    std::istringstream names(program.cpus);
    for (std::string cpu; std::getline(names, cpu, ',');) cpus.insert(cpu);
  }
  EXPECT_EQ(files,
            (std::set<std::string>{"doubts.json", "order_r10000.json", "sign_extension.json"}));
  std::set<std::string> in_doubt;
  const Json doubts = Json::parse(read_file("tests/timing/doubts.json"));
  for (const Json& kernel : doubts["kernels"]) in_doubt.insert(kernel["cpu"].get<std::string>());
  EXPECT_EQ(cpus, in_doubt);
}

// With the compiler of Linux on PA-RISC for an owner's GCC.
TEST_F(TimingProgram, OwnersMeasureMemoryAndKernel) {
  const std::string page = read_file("docs/owners.md");
  const std::size_t begin = page.find("    for t in lat_mem_rd");
  ASSERT_NE(begin, std::string::npos);
  const std::string command = page.substr(begin, page.find("done\n", begin) + 4 - begin);
  fs::create_directory(path("bin"));
  write("bin/gcc", "#!/bin/sh\nexec hppa-linux-gnu-gcc -static \"$@\"\n");
  fs::permissions(path("bin/gcc"), fs::perms::owner_all);
  fs::create_directory_symlink(fs::absolute("tests"), path("tests"));
  const Finished compiled = other_program({"sh", "-c", "PATH=$PWD/bin:$PATH; set -e; " + command});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  for (const std::string test : {"lat_syscall", "lat_ctx", "lat_proc"}) {
    const Finished run = hardclock({"run", "--machine=c3000", "./" + test});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(lines_of(run.out).size(), 2U) << run.out;
  }
}

TEST_F(TimingProgram, RefusesWhatNoProgramCanHold) {
  const auto refused = [&](const std::vector<Json>& file, const std::string& reason) {
    write("kernels.json", Json(file).dump());
    const Finished run = emit(path("kernels.json"));
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_TRUE(contains(run.err, reason)) << run.err;
    EXPECT_FALSE(fs::exists(path("files.c")));
  };
  const Json n32 =
      with(three_cycles(), "assemble", "mips-linux-gnu-as -EB -n32 (prepend .set noat)");
  refused({three_cycles(), n32}, "o32, big-endian: r3000");
  refused({with(three_cycles(), "assemble", "mips-linux-gnu-as -EB -64 (prepend .set noat)")},
          "32 bits");
  refused({with(three_cycles(), "assemble", "ia64-linux-gnu-as -mbe (prepend .explicit)")},
          "32 bits");
  refused(
      {with(three_cycles(), "asm", "K:\taddiu $8,$8,-1\n\tbeq $8,$0,E\n\tnop\n\tj K\n\tnop\nE:")},
      "address");
  refused({with(three_cycles(), "asm", "K:\tno instruction")}, "Error");
  refused({with(three_cycles(), "readings", {{"two words", 3}})}, "one word");
  refused({with(three_cycles(), "readings", {{"a", "three"}})}, "not a number");
  Json many = three_cycles();
  for (int i = 9; i < 25; ++i) many["init"]["pointers"].push_back("$" + std::to_string(i));
  refused({many}, "15 pointers");
}

}  // namespace
}  // namespace hardclock::cli_test
