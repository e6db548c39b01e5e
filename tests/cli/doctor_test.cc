// hardclock doctor: what it says of programs, and that it agrees with what a run does.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Doctor : public CommandTest {
 protected:
  void compile(const std::vector<std::string>& rest) {
    std::vector<std::string> command = {
        "mips-linux-gnu-gcc", "-mabi=32",      "-mfp32", "-mips2",
        "-nostdlib",          "-nostartfiles", "-O1",    "-Wl,--no-warnings"};
    command.insert(command.end(), rest.begin(), rest.end());
    const Finished built = other_program(command);
    ASSERT_EQ(built.status, 0) << built.err;
  }
  Json json_of(const std::vector<std::string>& words, int status) {
    std::vector<std::string> command = {"doctor", "--format=json"};
    command.insert(command.end(), words.begin(), words.end());
    const Finished run = hardclock(command);
    EXPECT_EQ(run.status, status) << run.out << run.err;
    return Json::parse(run.out);
  }

  const std::string elf2som_ = fs::absolute("tools/elf2som").string();
};

TEST_F(Doctor, AStaticProgramRuns) {
  const Finished run = hardclock({"doctor", guest("spin")});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  for (const char* const part :
       {"ELF o32, 32 bits, big-endian, static", "MIPS I", "IRIX", "r3000: MIPS R3000",
        "verdict         runs: nothing is known to be missing\n"}) {
    EXPECT_TRUE(contains(run.out, part)) << run.out;
  }
  for (const std::string& line : lines_of(run.out)) {
    EXPECT_LE(line.size(), 80U + (line.starts_with("program") ? 200U : 0U)) << line;
  }
}

// A library of a library is missing; with it the program runs as far as known.
TEST_F(Doctor, LibrariesAreLookedForAsARunDoes) {
  fs::create_directories(path("root/lib"));
  fs::create_directories(path("root/usr/lib"));
  write("linker.c", "void __start(void) { __asm__(\"li $2,1001\\nli $4,0\\nsyscall\"); }\n");
  write("g.c", "int g(void) { return 1; }\n");
  write("f.c", "int g(void);\nint f(void) { return g(); }\n");
  write("p.c", "int f(void);\nint __start(void) { return f(); }\n");
  compile({"-static", "-Wl,-Ttext-segment=0x0f000000", "-o", "root/lib/rld", "linker.c"});
  compile({"-shared", "-fPIC", "-Wl,-soname,libg.so", "-o", "root/usr/lib/libg.so", "g.c"});
  compile({"-shared", "-fPIC", "-Wl,-soname,libf.so", "-o", "root/usr/lib/libf.so", "f.c",
           "root/usr/lib/libg.so"});
  compile({"-no-pie", "-Wl,-dynamic-linker,/lib/rld", "-Wl,--allow-shlib-undefined", "-o", "prog",
           "p.c", "root/usr/lib/libf.so"});
  const Json whole = json_of({"-L", "root", "--os=irix", "prog"}, 0);
  EXPECT_EQ(whole.at("verdict"), "runs");
  ASSERT_EQ(whole.at("needs").size(), 3U) << whole;
  EXPECT_EQ(whole.at("needs")[0].at("found"), "/lib/rld");
  EXPECT_EQ(whole.at("needs")[1].at("found"), "/usr/lib/libf.so");
  EXPECT_EQ(whole.at("needs")[2].at("found"), "/usr/lib/libg.so");
  fs::create_directory(path("spare"));
  fs::rename(path("root/usr/lib/libg.so"), path("spare/libg.so"));
  const Json lacking = json_of({"-L", "root", "--os=irix", "prog"}, 1);
  EXPECT_EQ(lacking.at("verdict"), "lacks");
  EXPECT_TRUE(lacking.at("needs")[2].at("found").is_null());
  EXPECT_EQ(lacking.at("needs")[2].at("needed_by"), "/usr/lib/libf.so");
  EXPECT_TRUE(contains(lacking.at("trouble").get<std::string>(), "libg.so")) << lacking;
  const Finished text = hardclock({"doctor", "-L", "root", "--os=irix", "prog"});
  EXPECT_TRUE(contains(text.out, "MISSING: libg.so, for /usr/lib/libf.so")) << text.out;
  compile({"-no-pie", "-Wl,-dynamic-linker,/lib/rld", "-Wl,--allow-shlib-undefined", "-o", "both",
           "p.c", "root/usr/lib/libf.so", "-Wl,--no-as-needed", "spare/libg.so"});
  fs::remove(path("root/usr/lib/libf.so"));
  const Json lacking_two = json_of({"-L", "root", "--os=irix", "both"}, 1);
  EXPECT_TRUE(
      contains(lacking_two.at("trouble").get<std::string>(), "not found: libf.so, libg.so; "))
      << lacking_two;
  fs::remove(path("root/lib/rld"));
  const Json without = json_of({"-L", "root", "--os=irix", "prog"}, 1);
  EXPECT_TRUE(contains(without.at("trouble").get<std::string>(), "/lib/rld")) << without;
  EXPECT_EQ(without.at("built_for"), "MIPS II");
}

// Where IRIX' ABIs have their libraries: abi(5) of IRIX 6.
TEST_F(Doctor, TheAbiWhoseLibrariesAreMissingIsNamed) {
  struct Abi {
    std::string name, linker;
    std::vector<std::string> compiler;
  };
  const std::vector<Abi> abis = {
      {"o32", "/usr/lib/libc.so.1", {"mips-linux-gnu-gcc", "-mabi=32"}},
      {"n32", "/usr/lib32/libc.so.1", {"mips64-linux-gnuabi64-gcc", "-mabi=n32"}},
      {"n64", "/usr/lib64/libc.so.1", {"mips64-linux-gnuabi64-gcc", "-mabi=64"}}};
  write("f.c", "int f(void) { return 1; }\n");
  write("p.c", "int f(void);\nint __start(void) { return f(); }\n");
  for (const Abi& abi : abis) {
    const auto build = [&](std::vector<std::string> rest) {
      rest.insert(rest.begin(), abi.compiler.begin(), abi.compiler.end());
      rest.insert(rest.end(), {"-nostdlib", "-nostartfiles"});
      const Finished built = other_program(rest);
      ASSERT_EQ(built.status, 0) << built.err;
    };
    build({"-shared", "-fPIC", "-o", "libf.so", "f.c"});
    build({"-no-pie", "-Wl,-dynamic-linker," + abi.linker, "-o", "prog", "p.c", "libf.so"});
    const std::string what = "a dynamic " + abi.name + " program; " + abi.linker;
    expect_complaint(hardclock({"run", "--os=irix", "prog"}), {what, "-L DIR", "Guest roots"});
    const Json lacking = json_of({"--os=irix", "prog"}, 1);
    EXPECT_TRUE(contains(lacking.at("file_format").get<std::string>(), "ELF " + abi.name));
    EXPECT_TRUE(contains(lacking.at("trouble").get<std::string>(), what)) << lacking;
  }
}

// The names are those of GNU's readelf, which reads segment and attributes, too.
TEST_F(Doctor, FloatsAreSpelledAsReadelfDoes) {
  write("f.c", "int f(void) { return 1; }\n");
  std::set<std::string> names;
  const std::vector<std::vector<std::string>> kinds = {
      {"-msoft-float"}, {"-msingle-float"},      {"-mfp32"},
      {"-mfpxx"},       {"-mips32r2", "-mfp64"}, {"-mips32r2", "-mfp64", "-mno-odd-spreg"}};
  for (const std::vector<std::string>& kind : kinds) {
    std::vector<std::string> command = {"mips-linux-gnu-gcc", "-shared", "-fPIC", "-nostdlib"};
    command.insert(command.end(), kind.begin(), kind.end());
    command.insert(command.end(), {"-o", "libf.so", "f.c"});
    const Finished built = other_program(command);
    ASSERT_EQ(built.status, 0) << built.err;
    for (const bool has_segment : {true, false}) {
      SCOPED_TRACE(kind.back());
      const std::string label = has_segment ? "FP ABI: " : "Tag_GNU_MIPS_ABI_FP: ";
      std::string expected;
      for (const std::string& line :
           lines_of(other_program({"mips-linux-gnu-readelf", "-A", "libf.so"}).out)) {
        const auto place = line.find(label);
        if (place != std::string::npos) expected = line.substr(place + label.size());
      }
      EXPECT_EQ(json_of({"--os=linux", "libf.so"}, 0).at("float_abi"), expected);
      names.insert(expected);
      const Finished cut =
          other_program({"mips-linux-gnu-objcopy", "--remove-section=.MIPS.abiflags", "libf.so"});
      ASSERT_EQ(cut.status, 0) << cut.err;
    }
  }
  EXPECT_EQ(names.size(), kinds.size());
}

// glibc 2.36, sysdeps/mips/dl-machine-reject-phdr.h: no mode is left to soft float and the double
// precision of a unit; FPXX goes with the latter.
TEST_F(Doctor, FloatsOfLibrariesMustGoTogether) {
  fs::create_directories(path("root/lib"));
  write("linker.c", "void __start(void) { __asm__(\"li $2,4001\\nli $4,0\\nsyscall\"); }\n");
  write("f.c", "double f(double x) { return x; }\n");
  write("p.c", "double f(double);\nint __start(void) { return (int)f(1); }\n");
  compile({"-static", "-msoft-float", "-o", "root/lib/ld.so.1", "linker.c"});
  const auto make_library = [&](const std::string& kind) {
    compile({kind, "-shared", "-fPIC", "-Wl,-soname,libf.so", "-o", "root/lib/libf.so", "f.c"});
  };
  make_library("-msoft-float");
  compile({"-msoft-float", "-no-pie", "-Wl,-dynamic-linker,/lib/ld.so.1", "-o", "prog", "p.c",
           "root/lib/libf.so"});
  const std::vector<std::string> words = {"-L", "root", "--os=linux", "prog"};
  const Json same = json_of(words, 0);
  EXPECT_EQ(same.at("float_abi"), "Soft float");
  EXPECT_TRUE(same.at("other_floats").empty()) << same;
  make_library("-mfp32");
  const Json refused = json_of(words, 1);
  ASSERT_EQ(refused.at("other_floats").size(), 1U) << refused;
  EXPECT_EQ(refused.at("other_floats")[0].at("file"), "/lib/libf.so");
  EXPECT_EQ(refused.at("other_floats")[0].at("float_abi"), "Hard float (double precision)");
  EXPECT_TRUE(contains(refused.at("trouble").get<std::string>(), "/lib/libf.so")) << refused;
  // Without the segment nobody refuses it.
  ASSERT_EQ(other_program(
                {"mips-linux-gnu-objcopy", "--remove-section=.MIPS.abiflags", "root/lib/libf.so"})
                .status,
            0);
  EXPECT_EQ(json_of(words, 0).at("other_floats").size(), 1U);
  const std::string text = hardclock({"doctor", "-L", "root", "--os=linux", "prog"}).out;
  EXPECT_TRUE(contains(text, "DIFFERENT: Hard float (double precision) in /lib/libf.so")) << text;
  EXPECT_TRUE(contains(text, "runs, until floats pass between different files\n")) << text;
  // What goes with the unit's.
  compile({"-mfpxx", "-static", "-o", "root/lib/ld.so.1", "linker.c"});
  make_library("-mfpxx");
  compile({"-mfp32", "-no-pie", "-Wl,-dynamic-linker,/lib/ld.so.1", "-o", "prog", "p.c",
           "root/lib/libf.so"});
  const Json mixed = json_of(words, 0);
  EXPECT_EQ(mixed.at("float_abi"), "Hard float (double precision)");
  EXPECT_TRUE(mixed.at("other_floats").empty()) << mixed;
}

TEST_F(Doctor, CallsThatAreMissingAreFoundInTheCode) {
  // IRIX: 1055 is uadmin, 1014 has no line in the table, 1003 is read.
  write("calls.S",
        ".set noreorder\n.globl __start\n__start: li $2,1003\n syscall\n li $2,1014\n"
        " nop\n syscall\n li $2,1055\n syscall\n li $2,1003\n syscall\n jr $31\n nop\n");
  compile({"-static", "-o", "prog", "calls.S"});
  const Json json = json_of({"--os=irix", "prog"}, 0);
  ASSERT_EQ(json.at("missing_calls").size(), 2U) << json;
  EXPECT_EQ(json.at("missing_calls")[0].at("number"), 1014);
  EXPECT_EQ(json.at("missing_calls")[0].at("name"), "");
  EXPECT_EQ(json.at("missing_calls")[1].at("name"), "uadmin");
  const std::string text = hardclock({"doctor", "--os=irix", "prog"}).out;
  EXPECT_TRUE(contains(text, "1055 uadmin\n")) << text;
  EXPECT_TRUE(contains(text, "runs, until it uses what is missing above\n")) << text;
}

// Linux, arch/parisc/kernel/syscall.S: r20 has the number; 3 is read, 24 getuid, 26 ptrace and 999
// none. What only looks like a call is none: another entry, another space.
TEST_F(Doctor, CallsOfLinuxOnPaRiscAreFound) {
  write("calls.S",
        ".globl _start\n_start: ble 0x100(%sr2,%r0)\n ldi 3,%r20\n ldi 999,%r20\n nop\n"
        " ble 0x100(%sr2,%r0)\n nop\n ble 0xb0(%sr2,%r0)\n ldi 998,%r20\n .rept 7\n nop\n .endr\n"
        " ble 0x100(%sr4,%r0)\n ldi 997,%r20\n .rept 7\n nop\n .endr\n ble 0x100(%sr2,%r0)\n ldi "
        "24,%r22\n bv,n %r0(%rp)\n");
  const Finished built =
      other_program({"hppa-linux-gnu-gcc", "-nostdlib", "-static", "-o", "prog", "calls.S"});
  ASSERT_EQ(built.status, 0) << built.err;
  const Json json = json_of({"--os=linux", "prog"}, 0);
  ASSERT_EQ(json.at("missing_calls").size(), 1U) << json;
  EXPECT_EQ(json.at("missing_calls")[0].at("number"), 999);
}

// In HP-UX r22 has it, and LDIL the gateway page's address; the file is SOM.
TEST_F(Doctor, CallsOfHpuxOnPaRiscAreFound) {
  write("calls.S",
        ".globl $START$\n$START$: ldil L%0xc0000000,%r1\n ble 4(%sr7,%r1)\n ldi 999,%r22\n"
        " ldil L%0xc0000000,%r1\n ldi 20,%r22\n ble 4(%sr7,%r1)\n nop\n ldil L%0x40000000,%r1\n"
        " ble 4(%sr7,%r1)\n ldi 998,%r22\n bv,n %r0(%rp)\n .data\n .word 0\n");
  write("som.ld", other_program({elf2som_, "--linker-script"}).out);
  const Finished built =
      other_program({"hppa-linux-gnu-gcc", "-nostdlib", "-static", "-Wl,--build-id=none",
                     "-Wl,-T,som.ld", "-o", "prog.elf", "calls.S"});
  ASSERT_EQ(built.status, 0) << built.err;
  const Finished converted = other_program({elf2som_, "prog.elf", "prog"});
  ASSERT_EQ(converted.status, 0) << converted.err;
  const Json json = json_of({"prog"}, 0);
  ASSERT_EQ(json.at("missing_calls").size(), 1U) << json;
  EXPECT_EQ(json.at("missing_calls")[0].at("number"), 999);
}

// Linux, arch/ia64/include/uapi/asm/unistd.h: 1025 is exit; the highest is below 1400.
TEST_F(Doctor, CallsOfLinuxOnIa64AreFound) {
  write(
      "calls.s",
      ".global _start#\n.proc _start#\n_start:\n mov r15 = 1025\n break 0x100000\n ;;\n"
      " addl r15 = 9000, r0\n nop 1\n ;;\n break.i 0x100000\n mov r15 = 1999\n break 0x1000\n ;;\n"
      " br.ret.sptk.many rp\n .endp _start#\n");
  const Finished assembled = other_program({"ia64-linux-gnu-as", "-o", "calls.o", "calls.s"});
  ASSERT_EQ(assembled.status, 0) << assembled.err;
  const Finished linked = other_program({"ia64-linux-gnu-ld", "-o", "prog", "calls.o"});
  ASSERT_EQ(linked.status, 0) << linked.err;
  const Json json = json_of({"--os=linux", "prog"}, 0);
  ASSERT_EQ(json.at("missing_calls").size(), 1U) << json;
  EXPECT_EQ(json.at("missing_calls")[0].at("number"), 9000);
}

// What hardclock's own C library for HP-UX has of what the program imports; the user's own libc
// says nothing of that kind.
TEST_F(Doctor, FunctionsOfTheHpuxLibraryAreLookedUp) {
  const std::string program = guest("hppa/dynamic/binding");
  const Json json = json_of({program}, 0);
  std::map<std::string, std::string> states;
  for (const Json& each : json.at("imports")) states[each.at("name")] = each.at("state");
  EXPECT_EQ(states["strdup"], "done") << json;
  EXPECT_EQ(states["shl_get"], "partial") << json;
  EXPECT_EQ(states["nobody_has_this"], "missing") << json;
  EXPECT_EQ(json.at("needs")[0].at("name"), "/usr/lib/libgreet.1");
  EXPECT_TRUE(json.at("needs")[0].at("found").is_null()) << json;
  EXPECT_EQ(json.at("needs")[1].at("found"), "/usr/lib/libc.1") << json;
  const std::string text = hardclock({"doctor", program}).out;
  EXPECT_TRUE(contains(text, "runs, until it uses what is missing above\n")) << text;
  EXPECT_TRUE(contains(text, "missing, unless another library has them: ")) << text;
  EXPECT_TRUE(contains(text, "nobody_has_this")) << text;
  fs::create_directories(path("root/usr/lib"));
  write("root/usr/lib/libc.1", "a library of the user's");
  EXPECT_TRUE(json_of({"-L", "root", program}, 0).at("imports").empty());
}

// A library is no program: it is told what it is, imports and lacks, in each format.
TEST_F(Doctor, SharedLibrariesAreLookedAt) {
  fs::create_directories(path("root/usr/lib"));
  const std::string library = guest("hppa/dynamic/libmore.1");
  const Json som = json_of({library}, 0);
  EXPECT_EQ(som.at("kind"), "library");
  EXPECT_EQ(som.at("file_format"), "SOM, 32 bits, big-endian, shared library");
  EXPECT_EQ(som.at("system"), "HP-UX");
  EXPECT_EQ(som.at("verdict"), "loads");
  ASSERT_EQ(som.at("needs").size(), 1U) << som;
  EXPECT_EQ(som.at("needs")[0].at("name"), "/usr/lib/libgreet.1");
  EXPECT_TRUE(som.at("needs")[0].at("found").is_null()) << som;
  std::map<std::string, std::string> states;
  for (const Json& each : som.at("imports")) states[each.at("name")] = each.at("state");
  EXPECT_EQ(states["nobody_has_this_either"], "missing") << som;
  const std::string text = hardclock({"doctor", library}).out;
  EXPECT_TRUE(text.starts_with("shared library  ")) << text;
  EXPECT_TRUE(contains(text, "loads, until it uses what is missing above\n")) << text;
  for (const std::string format :
       {"pa20_64/libmore.1", "hpux32/libmore.so.1", "hpux64/libmore.so.1"}) {
    const Json elf = json_of({guest("hppa/dynamic/elf/prebuilt/" + format)}, 0);
    EXPECT_EQ(elf.at("kind"), "library") << format;
    EXPECT_EQ(elf.at("system"), "HP-UX") << format;
    EXPECT_FALSE(elf.at("imports").empty()) << format;
  }
}

TEST_F(Doctor, SharedLibrariesOfIrixAreLookedAt) {
  fs::create_directories(path("root/usr/lib"));
  write("g.c", "int g(void) { return 1; }\n");
  write("f.c", "int g(void);\nint f(void) { return g(); }\n");
  compile({"-shared", "-fPIC", "-Wl,-soname,libg.so", "-o", "root/usr/lib/libg.so", "g.c"});
  compile({"-shared", "-fPIC", "-o", "libf.so", "f.c", "root/usr/lib/libg.so"});
  const Json whole = json_of({"-L", "root", "--os=irix", "libf.so"}, 0);
  EXPECT_EQ(whole.at("kind"), "library");
  EXPECT_EQ(whole.at("built_for"), "MIPS II");
  EXPECT_EQ(whole.at("needs")[0].at("found"), "/usr/lib/libg.so");
  EXPECT_EQ(json_of({"-L", "root", "--os=irix", "root/usr/lib/libg.so"}, 0).at("verdict"), "loads");
  fs::remove(path("root/usr/lib/libg.so"));
  const Json lacking = json_of({"-L", "root", "--os=irix", "libf.so"}, 1);
  EXPECT_TRUE(contains(lacking.at("trouble").get<std::string>(), "libg.so")) << lacking;
  const Finished text = hardclock({"doctor", "-L", "root", "--os=irix", "libf.so"});
  EXPECT_TRUE(contains(text.out, "does not load: not found: libg.so")) << text.out;
}

TEST_F(Doctor, WhatCannotRunIsSaid) {
  write("text", "hello\n");
  write("cut", read_file(guest("spin")).substr(0, 100));
  const Json text = json_of({"text"}, 2);
  EXPECT_EQ(text.at("verdict"), "no program");
  EXPECT_TRUE(contains(text.at("trouble").get<std::string>(), "magic"));
  EXPECT_EQ(json_of({"cut"}, 2).at("verdict"), "no program");
  const Json little = json_of({guest("irix4_little")}, 1);
  EXPECT_TRUE(contains(little.at("trouble").get<std::string>(), "Ultrix")) << little;
  EXPECT_EQ(little.at("file_format"), "ECOFF, 32 bits, little-endian, static");
  const Json wrong = json_of({"--cpu=pa8000", guest("spin")}, 1);
  EXPECT_TRUE(contains(wrong.at("trouble").get<std::string>(), "choose another --cpu")) << wrong;
  expect_complaint(hardclock({"doctor"}), {"PROGRAM"});
  EXPECT_EQ(hardclock({"doctor", "nothing"}).status, 1);
}

}  // namespace
}  // namespace hardclock::cli_test
