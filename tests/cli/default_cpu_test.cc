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

// Linux 6.1, arch/mips/kernel/traps.c, do_ri(): LL, SC, SYNC and RDHWR of the thread pointer work
// on processors that lack them. Its calls: 4283 is set_thread_area, 4001 exit. A misaligned LL is
// SIGBUS, 10, one of an address that is not there SIGSEGV, 11.
constexpr const char* emulated = R"(
	.set	noreorder
	.set	mips32r2
	.globl	__start
__start:
	li	$2, 4283
	li	$4, 0x12345678
	syscall
	la	$8, cell
	sync
1:	ll	$9, 0($8)
	addiu	$10, $9, 2
	sc	$10, 0($8)
	beqz	$10, 1b
	rdhwr	$3, $29
	li	$11, 0x12345678
	bne	$3, $11, wrong
	lw	$4, 0($8)
	b	over
	sync
wrong:	li	$4, 1
over:	addu	$4, $4, $10
#ifdef BAD
	li	$8, BAD
	ll	$9, 0($8)
#endif
	li	$2, 4001
	syscall
	.data
	.align	2
cell:	.word	5
)";

TEST_F(DefaultCpu, LinuxCarriesOutWhatMipsILacks) {
  write("emulated.S", emulated);
  compile("mips1", {"-static", "-fno-pic", "-mno-abicalls", "-G0", "-o", "prog", "emulated.S"});
  for (const char* const option :
       {"--cpu=r2000", "--cpu=r3000", "--machine=indigo", "--timing=functional"}) {
    std::string cycles;
    for (const char* const engine : {"interpreter", "translator", "translator,0"}) {
      const Finished finished = run({option, "--stats", std::string("--engine=") + engine});
      EXPECT_EQ(finished.status, 8) << option << finished.err;
      for (const std::string& line : lines_of(finished.err)) {
        if (!line.starts_with("cycles ")) continue;
        if (cycles.empty()) cycles = line;
        EXPECT_EQ(line, cycles) << option << engine;
      }
    }
    EXPECT_NE(cycles, "") << option;
  }
  const std::pair<const char*, int> faults[] = {{"-DBAD=0x400002", 138}, {"-DBAD=64", 139}};
  for (const auto& [bad, status] : faults) {
    compile("mips1",
            {"-static", "-fno-pic", "-mno-abicalls", "-G0", bad, "-o", "prog", "emulated.S"});
    EXPECT_EQ(run({"--cpu=r3000"}).status, status) << bad;
  }
}

// Linux 6.1, arch/mips/kernel/proc.c, show_cpuinfo(), and cpu-probe.c for the names; the numbers
// are those of PRId and FCR0 in the .timing files: 0x0230 and 0x0340, 0x0460 and 0x0500, ...
TEST_F(DefaultCpu, LinuxNamesItInProc) {
  write("cpuinfo.c", R"C(
static long call(long number, long a, long b, long c) {
  register long v0 __asm__("$2") = number;
  register long a0 __asm__("$4") = a, a1 __asm__("$5") = b, a2 __asm__("$6") = c;
  __asm__ volatile("syscall" : "+r"(v0) : "r"(a0), "r"(a1), "r"(a2) : "$7", "memory");
  return v0;
}
void __start(void) {
  static char text[4096];
  const long file = call(4005, (long)"/proc/cpuinfo", 0, 0);
  call(4004, 1, (long)text, call(4003, file, (long)text, sizeof text));
  call(4001, 0, 0, 0);
}
)C");
  compile("mips1", {"-static", "-fno-pic", "-mno-abicalls", "-G0", "-o", "prog", "cpuinfo.c"});
  const std::pair<const char*, const char*> models[] = {{"r3000", "R3000A V3.0  FPU V4.0"},
                                                        {"r4000", "R4000SC V2.2  FPU V0.0"},
                                                        {"r4400", "R4400SC V6.0  FPU V0.0"},
                                                        {"r10000", "R10000 V2.7  FPU V0.0"},
                                                        {"24kf", "MIPS 24Kc V0.0  FPU V0.0"}};
  for (const auto& [cpu, model] : models) {
    const Finished shown = run({"--os=linux", std::string("--cpu=") + cpu});
    EXPECT_TRUE(contains(shown.out, std::string("\ncpu model\t\t: ") + model + "\n")) << shown.out;
  }
}

// Linux 6.1, arch/parisc/kernel/processor.c, show_cpuinfo(), and hardware.c, cpu_name_version[].
TEST_F(DefaultCpu, LinuxNamesPaRiscProcessorsInProc) {
  write("cpuinfo.S", R"(
	.level	1.1
	.data
name:	.asciz	"/proc/cpuinfo"
	.comm	text,4096,8
	.text
	.globl	_start
_start:	ldil	L%name,%r26
	ldo	R%name(%r26),%r26
	ldi	0,%r25
	ble	0x100(%sr2,%r0)
	ldi	5,%r20
	copy	%r28,%r26
	ldil	L%text,%r25
	ldo	R%text(%r25),%r25
	ldi	4096,%r24
	ble	0x100(%sr2,%r0)
	ldi	3,%r20
	ldi	1,%r26
	ldil	L%text,%r25
	ldo	R%text(%r25),%r25
	copy	%r28,%r24
	ble	0x100(%sr2,%r0)
	ldi	4,%r20
	ldi	0,%r26
	ble	0x100(%sr2,%r0)
	ldi	1,%r20
)");
  const Finished built =
      other_program({"hppa-linux-gnu-gcc", "-nostdlib", "-static", "-o", "prog", "cpuinfo.S"});
  ASSERT_EQ(built.status, 0) << built.err;
  const struct {
    const char *cpu, *family, *name, *megahertz;
  } cases[] = {{"pa7000", "1.1a", "PA7000 (PCX-S)", "66.000000"},
               {"pa7100", "1.1b", "PA7100 (PCX-T)", "99.000000"},
               {"pa7200", "1.1c", "PA7200 (PCX-T')", "120.000000"},
               {"pa7100lc@66.5", "1.1d", "PA7100LC (PCX-L)", "66.500000"},
               {"pa7300lc", "1.1e", "PA7300LC (PCX-L2)", "132.000000"},
               {"pa8000", "2.0", "PA8000 (PCX-U)", "180.000000"},
               {"pa8200", "2.0", "PA8200 (PCX-U+)", "236.000000"},
               {"pa8500", "2.0", "PA8500 (PCX-W)", "400.000000"},
               {"pa8600", "2.0", "PA8600 (PCX-W+)", "552.000000"},
               {"pa8700", "2.0", "PA8700 (PCX-W2)", "750.000000"}};
  for (const auto& [cpu, family, name, megahertz] : cases) {
    EXPECT_EQ(run({std::string("--cpu=") + cpu}).out,
              std::string("processor\t: 0\ncpu family\t: PA-RISC ") + family +
                  "\ncpu\t\t: " + name + "\ncpu MHz\t\t: " + megahertz + "\n\n");
  }
  // Nobody made it.
  EXPECT_EQ(run({"--cpu=pa1_1@50"}).out, "processor\t: 0\ncpu MHz\t\t: 50.000000\n\n");
}

// Linux 6.1, arch/ia64/kernel/setup.c, show_cpuinfo(). An Itanium 2 of 900 MHz, of 2003: family 31
// (then a word), model 0, archrev 0, branchlong, cpu regs 4 (LKML, "aliasing test", an HP rx2600);
// ours has revision 0.
TEST_F(DefaultCpu, LinuxNamesIa64ProcessorsInProc) {
  write("cpuinfo.s", R"(
	.data
name:	stringz	"/proc/cpuinfo"
	.comm	text,4096,8
	.text
	.global	_start
_start:	alloc	r34 = ar.pfs, 0, 3, 3, 0
	movl	r35 = name ;;
	mov	r36 = r0
	mov	r15 = 1028 ;;
	break	0x100000 ;;
	mov	r35 = r8
	movl	r36 = text ;;
	mov	r37 = 4096
	mov	r15 = 1026 ;;
	break	0x100000 ;;
	mov	r35 = 1
	movl	r36 = text ;;
	mov	r37 = r8
	mov	r15 = 1027 ;;
	break	0x100000 ;;
	mov	r35 = r0
	mov	r15 = 1025 ;;
	break	0x100000 ;;
)");
  if (other_program({"ia64-linux-gnu-as", "-o", "cpuinfo.o", "cpuinfo.s"}).status == 127)
    GTEST_SKIP() << "ia64-linux-gnu-as is missing; tools/install-deps brings it";
  const Finished built = other_program({"ia64-linux-gnu-ld", "-o", "prog", "cpuinfo.o"});
  ASSERT_EQ(built.status, 0) << built.err;
  const auto text = [](const char* family, const char* features, const char* megahertz) {
    return std::string(
               "processor  : 0\nvendor     : GenuineIntel\narch       : IA-64\nfamily     : ") +
           family + "\nmodel      : 0\nrevision   : 0\narchrev    : 0\nfeatures   : " + features +
           "\ncpu number : 0\ncpu regs   : 4\ncpu MHz    : " + megahertz +
           "\nitc MHz    : " + megahertz + "000\n\n";
  };
  EXPECT_EQ(run({"--cpu=mckinley"}).out, text("31", "branchlong", "900.000"));
  EXPECT_EQ(run({"--cpu=madison"}).out, text("31", "branchlong", "1300.000"));
  EXPECT_EQ(run({"--cpu=merced"}).out, text("7", "standard", "733.000"));
  EXPECT_EQ(run({"--cpu=ia64@1"}).out,
            text("33", "branchlong, 16-byte atomic ops, 0x300000000", "1.000"));
}

TEST_F(DefaultCpu, TheInstructionThatIsLackingIsNamed) {
  write("new.S", ".globl __start\n.set mips32r2\n__start: movz $2,$3,$4\nli $2,1001\nsyscall\n");
  compile("mips1", {"-static", "-o", "prog", "new.S"});
  const Finished lacks = run({"--os=irix", "--cpu=r3000"});
  EXPECT_EQ(lacks.status, 132) << lacks.err;
  EXPECT_TRUE(contains(lacks.err,
                       "ends with SIGILL: reserved instruction (movz v0,v1,a0: the r5000 has it, "
                       "--cpu=r5000), pc __start"))
      << lacks.err;
  EXPECT_EQ(run({"--os=irix", "--cpu=r5000"}).status, 0);
  const Finished doctor = hardclock({"doctor", "-L", "root", "--os=irix", "--cpu=r3000", "prog"});
  EXPECT_EQ(doctor.status, 0) << doctor.err;
  for (const char* const part : {"instructions    1 in", "movz v0,v1,a0: the r5000", "__start",
                                 "runs, until it uses what is missing above"}) {
    EXPECT_TRUE(contains(doctor.out, part)) << doctor.out;
  }
}

// GNU's assembler marks a file by its options, not by the code that .set lets in: libc.so.6 of
// 2012, as in github.com/angr/binaries, tests/mips, is marked MIPS I and has branches likely.
TEST_F(DefaultCpu, TheCodeOfGnuFilesCountsNotTheirMark) {
  const std::pair<const char*, const char*> cases[] = {{"sync", "r3000"},
                                                       {"beqzl $2,1f\n nop\n1:", "r4400"},
                                                       {"movz $2,$3,$4", "r5000"},
                                                       {"seb $2,$3", "24kf"},
                                                       // Data: letters, and a branch between.
                                                       {"b 1f\n.ascii \"abcdabcd\"\n"
                                                        ".word 0x50400001,-1\n1:",
                                                        "r3000"}};
  for (const auto& [code, cpu] : cases) {
    write("new.S", std::string(".globl __start\n.set mips32r2\n__start: ") + code +
                       "\nli $4,0\nli $2,4001\nsyscall\n");
    compile("mips1", {"-static", "-o", "prog", "new.S"});
    EXPECT_EQ(cpu_of_run(), cpu) << code;
  }
}

// elf-Linux-hppa-bash of github.com/JonathanSalwan/binary-samples is marked PA-RISC 1.1 and has
// calls of 2.0 throughout (b,l with 22 bits). What a program has in one place it may ask for first.
TEST_F(DefaultCpu, PaRiscProgramsWhoseCodeIsLargelyLater) {
  for (const auto& [count, cpu] : {std::pair(20, "pa2_0"), std::pair(1, "pa7100")}) {
    write("later.S",
          "\t.level 1.1\n\t.globl _start\n_start:\tldi 0,%r26\n\tble 0x100(%sr2,%r0)\n"
          "\tldi 1,%r20\n\t.rept " +
              std::to_string(count) +
              "\n\t.word 0xe800a000\n\tnop\n\t.endr\n\t.rept 200\n\tnop\n\t.endr\n");
    const Finished built =
        other_program({"hppa-linux-gnu-gcc", "-nostdlib", "-static", "-o", "prog", "later.S"});
    ASSERT_EQ(built.status, 0) << built.err;
    EXPECT_EQ(cpu_of_run({"--os=linux"}), cpu) << count;
  }
}

// GNU's assembler marks files for what no processor here has.
TEST_F(DefaultCpu, CodeThatNoProcessorHasIsRefused) {
  write("new.s", ".globl __start\n.ent __start\n__start: nop\n.end __start\n");
  const struct {
    std::vector<std::string> options;
    const char* name;
  } cases[] = {{{"-march=mips32r2", "-mmicromips"}, "microMIPS"},
               {{"-march=mips32r2", "-mips16"}, "MIPS16"},
               {{"-march=octeon"}, "Octeon"},
               {{"-march=r5900"}, "R5900"},
               {{"-march=mips32r6"}, "MIPS32 release 6"},
               {{"-march=mips5"}, "MIPS V"}};
  for (const auto& [options, name] : cases) {
    Words command = {"mips-linux-gnu-as", "-32", "-o", "new.o", "new.s"};
    command.insert(command.end() - 3, options.begin(), options.end());
    const Finished assembled = other_program(command);
    ASSERT_EQ(assembled.status, 0) << name << assembled.err;
    const Finished linked = other_program({"mips-linux-gnu-ld", "-o", "prog", "new.o"});
    ASSERT_EQ(linked.status, 0) << name << linked.err;
    expect_complaint(run({"--os=linux"}), {name, "which is not simulated"});
    expect_complaint(run({"--os=linux", "--cpu=24kf"}), {name, "which is not simulated"});
    const Finished doctor = hardclock({"doctor", "--os=linux", "prog"});
    EXPECT_EQ(doctor.status, 1) << doctor.out;
    EXPECT_TRUE(contains(doctor.out, name)) << doctor.out;
  }
}

// GNU binutils 2.40, binutils/readelf.c, get_machine_name(), get_machine_flags().
TEST_F(DefaultCpu, OtherMachinesAreNamed) {
  write("end.S", ".globl __start\n__start: li $2,4001\n li $4,0\n syscall\n");
  compile("mips1", {"-static", "-o", "prog", "end.S"});
  const std::string program = read("prog");
  constexpr std::size_t machine_place = 18, flags_place = 36;  // of an ELF header of 32 bits
  const struct {
    std::size_t place;
    std::string bytes;
    const char* name;
  } cases[] = {{machine_place, {0, 62}, "x86-64 (e_machine 62"},
               {machine_place, {0, 2}, "SPARC (e_machine 2,"},
               {machine_place, "\x90\x26", "Alpha (e_machine 36902"},
               {machine_place, "\x7f\x01", "machine 32513"},
               {flags_place, {0x30, 0, 0x20, 1}, "MIPS o64"}};
  for (const auto& [place, bytes, name] : cases) {
    std::string other = program;
    other.replace(place, bytes.size(), bytes);
    write("prog", other);
    expect_complaint(run({}), {name, "are not supported"});
  }
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
