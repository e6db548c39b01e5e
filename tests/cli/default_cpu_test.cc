// Which processor runs a program when none is named, and what is said when the one that is named
// cannot: both by the program, its dynamic linker and its libraries, as GNU's tools mark them.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// A program in place of a dynamic linker: it ends at once (IRIX: exit is call 1001).
constexpr const char* linker = R"(
void __start(void) { __asm__("li $2,1001\nli $4,0\nsyscall"); }
)";
constexpr const char* program = R"(
int f(void);
int __start(void) { return f(); }
)";
constexpr const char* library = R"C(
#ifdef NEXT
int g(void);
int f(void) { return g(); }
#else
int NAME(void) {
#ifdef MIPS2_CODE
  __asm__("ll $2,0($4)");
#endif
  return 0;
}
#endif
)C";

class DefaultCpu : public CommandTest {
 protected:
  void SetUp() override {
    fs::create_directories(path("root/lib"));
    fs::create_directories(path("root/usr/lib"));
    write("linker.c", linker);
    write("program.c", program);
    write("library.c", library);
    compile("mips1",
            {"-static", "-Wl,-Ttext-segment=0x0f000000", "-o", "root/lib/rld", "linker.c"});
  }

  void compile(const std::string& march, const Words& rest) {
    Words command = {
        "mips-linux-gnu-gcc", "-mabi=32",      "-mfp32",           "-march=" + march, "-O1",
        "-nostdlib",          "-nostartfiles", "-Wl,--no-warnings"};
    if (march == "mips1") command.push_back("-mno-llsc");
    command.insert(command.end(), rest.begin(), rest.end());
    const Finished built = other_program(command);
    ASSERT_EQ(built.status, 0) << built.err;
  }
  // A library with `function`, at `place` below the root.
  void compile_library(const std::string& march, const std::string& place, Words options = {},
                       const std::string& function = "f") {
    Words rest = {"-shared",
                  "-fPIC",
                  "-DNAME=" + function,
                  "-Wl,-soname," + fs::path(place).filename().string(),
                  "-o",
                  "root/" + place,
                  "library.c"};
    rest.insert(rest.end(), options.begin(), options.end());
    compile(march, rest);
  }
  void compile_program(const std::string& library_file, Words options = {},
                       const std::string& march = "mips1") {
    Words rest = {
        "-no-pie",   "-Wl,-dynamic-linker,/lib/rld", "-Wl,--allow-shlib-undefined", "-o", "prog",
        "program.c", "root/" + library_file};
    rest.insert(rest.end(), options.begin(), options.end());
    compile(march, rest);
  }
  Finished run(Words options) {
    options.insert(options.begin(), {"run", "-L", "root"});
    options.push_back("prog");
    return hardclock(options);
  }
  // The processor of a run that ends well.
  std::string cpu_of_run(Words options = {}) {
    options.push_back("--stats");
    const Finished finished = run(options);
    EXPECT_EQ(finished.status, 0) << finished.err;
    for (const std::string& line : lines_of(finished.err)) {
      if (!line.starts_with("cpu ")) continue;
      const std::size_t start = line.find_first_not_of(' ', 4);
      return line.substr(start, line.find(' ', start) - start);
    }
    return "";
  }
};

TEST_F(DefaultCpu, SuitsTheProgramAndItsLibrary) {
  const std::pair<const char*, const char*> cases[] = {
      {"mips1", "r3000"}, {"mips2", "r4400"}, {"mips4", "r5000"}, {"mips32r2", "24kf"}};
  for (const auto& [march, cpu] : cases) {
    compile_library(march, "usr/lib/libf.so");
    compile_program("usr/lib/libf.so");
    EXPECT_EQ(cpu_of_run(), cpu) << march;
  }
}

TEST_F(DefaultCpu, SuitsLibrariesOfLibraries) {
  compile_library("mips3", "usr/lib/libg.so", {}, "g");
  compile_library("mips1", "usr/lib/libf.so", {"-DNEXT", path("root/usr/lib/libg.so")});
  compile_program("usr/lib/libf.so");
  EXPECT_EQ(cpu_of_run(), "r4400");
}

TEST_F(DefaultCpu, SuitsTheDynamicLinker) {
  compile("mips2", {"-static", "-Wl,-Ttext-segment=0x0f000000", "-o", "root/lib/rld", "linker.c"});
  compile_library("mips1", "usr/lib/libf.so");
  compile_program("usr/lib/libf.so");
  EXPECT_EQ(cpu_of_run(), "r4400");
}

// rld(1), ld.so(8): LD_LIBRARY_PATH and what the program names come before the usual folders.
TEST_F(DefaultCpu, LooksForLibrariesAsADynamicLinkerDoes) {
  fs::create_directories(path("root/opt/lib"));
  compile_library("mips4", "opt/lib/libf.so");
  compile_program("opt/lib/libf.so");
  EXPECT_EQ(cpu_of_run(), "r3000") << "it is not found";
  EXPECT_EQ(cpu_of_run({"--env", "LD_LIBRARY_PATH=/nowhere:/opt/lib"}), "r5000");
  compile_program("opt/lib/libf.so", {"-Wl,-rpath,/opt/lib"});
  EXPECT_EQ(cpu_of_run(), "r5000");
  compile_library("mips1", "usr/lib/libf.so");
  EXPECT_EQ(cpu_of_run(), "r5000") << "its own folder comes first";
  // Of another ABI: passed over.
  write("root/opt/lib/libf.so", read_file(path("root/usr/lib/libf.so")).substr(0, 40));
  EXPECT_EQ(cpu_of_run(), "r3000");
}

// A mark says what there may be in a file: that of IRIX 5.3's crtn.o makes every program of its cc
// one for MIPS II, and an R3000 ran them. What there is says whether it can.
TEST_F(DefaultCpu, ChosenProcessorRunsWhatItCan) {
  compile_library("mips2", "usr/lib/libf.so");
  compile_program("usr/lib/libf.so", {}, "mips2");
  EXPECT_EQ(cpu_of_run({"--cpu=r3000"}), "r3000");
  EXPECT_EQ(cpu_of_run({"--machine=indigo"}), "r3000");
}

TEST_F(DefaultCpu, FileThatTheChosenProcessorCannotRunIsNamed) {
  compile_library("mips2", "usr/lib/libf.so", {"-DMIPS2_CODE"});
  compile_program("usr/lib/libf.so");
  EXPECT_EQ(cpu_of_run(), "r4400");
  expect_complaint(run({"--cpu=r3000"}), {"/usr/lib/libf.so is for MIPS II, the r3000 has MIPS I",
                                          "choose --cpu=r4400", "compile it with -mips1"});
  // A stripped file does not say where its code is: then its mark counts.
  compile_library("mips2", "usr/lib/libf.so");
  const Finished stripped =
      other_program({"mips-linux-gnu-objcopy", "--strip-section-headers", "root/usr/lib/libf.so"});
  if (stripped.status == 0) {
    expect_complaint(run({"--cpu=r3000"}), {"/usr/lib/libf.so is for MIPS II"});
  }
}

TEST_F(DefaultCpu, ProgramThatTheMachineCannotRunIsNamed) {
  write("movz.c", "int __start(int a, int b) { return a ? b : 3; }\n");
  compile("mips32r2", {"-static", "-o", "prog", "movz.c"});
  expect_complaint(
      run({"--machine=indigo2-r4400"}),
      {"prog is for MIPS32 release 2, the r4400 has MIPS III",
       "choose --cpu=24kf in place of --machine", "pass --isa=any", "compile it with -mips3"});
  expect_complaint(run({"--machine=c180"}),
                   {"for MIPS, which pa8000 is not", "choose another --machine"});
  expect_complaint(run({"--cpu=pa8000"}), {"choose another --cpu"});
}

// A program of today on a processor of then: MUL takes the time of MULT, whose result MUL's user
// waits for (r4400.timing: 12 cycles), MOVZ a cycle.
TEST_F(DefaultCpu, AnyInstructionsRunWhereTheUserSaysSo) {
  write("new.S", R"(
	.set	noreorder
	.globl	__start
__start:
	li	$8, 1000
loop:
	mul	$9, $8, $8
	addu	$10, $9, $9
	movz	$11, $9, $0
	addiu	$8, $8, -1
	bnez	$8, loop
	nop
	li	$2, 1001
	li	$4, 0
	syscall
)");
  compile("mips32r2", {"-static", "-o", "prog", "new.S"});
  expect_complaint(run({"--cpu=r4400"}), {"is for MIPS32 release 2", "--isa=any"});
  const Finished any = run({"--os=irix", "--cpu=r4400", "--isa=any", "--stats=any.json"});
  EXPECT_EQ(any.status, 0) << any.err;

  const std::string stats = read("any.json");
  EXPECT_TRUE(contains(stats, "\"cpu\": \"r4400\"")) << stats;
  EXPECT_TRUE(contains(stats, "\"foreign_instructions\": 2")) << stats;
  // A trip: MUL, 12 cycles to ADDU, then MOVZ, ADDIU, BNEZ and its slot, and 2 of a taken branch.
  EXPECT_TRUE(contains(stats, "\"cycles\": 19002,")) << stats;
  const Finished text = run({"--os=irix", "--machine=indigo", "--isa=any", "--stats"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(text.err, "any: 2 instructions in the files are later than the r3000\n"))
      << text.err;
  expect_complaint(hardclock({"run", "--cpu=pa8000", "--isa=any", "prog"}), {"--isa=any", "MIPS"});
  expect_complaint(run({"--isa=all"}), {"--isa", "cpu or any"});
}

// Systems of then had no such processors: the choice is worth a line.
TEST_F(DefaultCpu, LaterProgramsSayWhatTheyAreTimedAs) {
  write("end.S", ".globl __start\n__start: li $2,1001\n li $4,0\n syscall\n");
  compile("mips32r2", {"-static", "-o", "prog", "end.S"});
  const std::string err = run({"--os=irix"}).err;
  EXPECT_TRUE(contains(err, "timed as MIPS32 24Kf core")) << err;
  EXPECT_EQ(run({"--os=irix", "--cpu=24kf"}).err, "");
  EXPECT_EQ(run({"--os=irix", "--timing=functional"}).err, "");
  compile("mips2", {"-static", "-o", "prog", "end.S"});
  EXPECT_EQ(run({"--os=irix"}).err, "");
}

// So is a library for which the program alone would not be timed so.
TEST_F(DefaultCpu, TheLibraryThatAsksForAProcessorIsNamed) {
  compile_library("mips32", "usr/lib/libf.so");
  compile_program("usr/lib/libf.so", {}, "mips2");
  const std::string err = run({}).err;
  EXPECT_TRUE(contains(err, "timed as MIPS32 24Kf core")) << err;
  EXPECT_TRUE(contains(err, ", which /usr/lib/libf.so needs; choose another with --cpu")) << err;
  compile_program("usr/lib/libf.so", {}, "mips32");
  EXPECT_FALSE(contains(run({}).err, "libf.so"));
}

// What a program starts gets the processor that suits it, or fails with ENOEXEC (8) and a line.
TEST_F(DefaultCpu, ProgramStartedByAnotherGetsItsOwn) {
  write("first.c", R"(
static const char name[] = "./second";
static const char *const list[] = {name, 0};
void __start(void) {
  register long v0 __asm__("$2") = 1059;  /* execve; a3 says whether it failed */
  register const void *a0 __asm__("$4") = name, *a1 __asm__("$5") = list, *a2 __asm__("$6") = list + 1;
  __asm__ volatile("syscall" : "+r"(v0) : "r"(a0), "r"(a1), "r"(a2) : "$7", "memory");
  register long status __asm__("$4") = v0;
  __asm__ volatile("li $2,1001\n syscall" : : "r"(status));
}
)");
  write("second.c", "void __start(void) { __asm__(\"sync\\nli $2,1001\\nli $4,5\\nsyscall\"); }\n");
  compile("mips1", {"-static", "-fno-pic", "-mno-abicalls", "-G0", "-o", "prog", "first.c"});
  compile("mips2", {"-static", "-o", "second", "second.c"});
  EXPECT_EQ(run({"--os=irix"}).status, 5);
  const Finished refused = run({"--os=irix", "--cpu=r3000"});
  EXPECT_EQ(refused.status, 8) << "ENOEXEC";
  EXPECT_TRUE(contains(refused.err, "second is for MIPS II, the r3000 has MIPS I; choose"))
      << refused.err;
}

// binutils, gas/config/tc-mips.c: GNU's assembler marks o32 files but not for IRIX; its link editor
// writes segments and sections that no other does. Linux's exit is call 4001.
TEST_F(DefaultCpu, StaticFilesOfGnuToolsAreLinuxs) {
  write("exit.c", "void __start(void) { __asm__(\"li $2,4001\\nli $4,3\\nsyscall\"); }\n");
  compile("mips1", {"-static", "-o", "prog", "exit.c"});
  EXPECT_EQ(run({}).status, 3);
  EXPECT_EQ(other_program(
                {"mips-linux-gnu-strip", "-R", ".gnu.attributes", "-R", ".MIPS.abiflags", "prog"})
                .status,
            0);
  EXPECT_EQ(run({}).status, 3);
}

TEST_F(DefaultCpu, LinuxProgramsRunUnderNoOtherSystem) {
  write("note.c", R"(
__asm__(".section .note.ABI-tag,\"a\"\n .long 4,16,1\n .asciz \"GNU\"\n .long 0,2,6,0\n .text");
void __start(void) { __asm__("li $2,4001\nli $4,3\nsyscall"); }
)");
  compile("mips1", {"-static", "-o", "prog", "note.c"});
  EXPECT_EQ(run({"--os=linux"}).status, 3);
  for (const char* const os : {"4.4bsd", "irix", "v7"}) {
    expect_complaint(run({std::string("--os=") + os}),
                     {std::string("--os=") + os, "prog", "for Linux", "leave --os out"});
  }
}

}  // namespace
}  // namespace hardclock::cli_test
