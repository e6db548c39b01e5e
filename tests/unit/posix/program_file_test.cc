// What exec finds behind a path. Expectations: execve(2) of System V.4 and of 4.3BSD (scripts: sys/
// kern_exec.c, execve()), and the gABI, chapter 5 (Program Interpreter).
#include "syscalls/posix/program_file.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/mips_tools.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock::posix {
namespace {

using hardclock::testing::ElfBuilder;
using hardclock::testing::tiny_program;

class LoadProgram : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes, bool executable = true) const {
    const std::filesystem::path path = folder_.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    std::filesystem::permissions(
        path, executable ? std::filesystem::perms::owner_all : std::filesystem::perms::owner_read);
  }
  void write(const std::string& name, const ElfBuilder& builder) const {
    const auto bytes = builder.build().bytes;
    write(name, std::string(bytes.begin(), bytes.end()));
  }

  Result<Program, ExecFailure> load(const std::string& path,
                                    std::vector<std::string> arguments = {"name", "x"}) const {
    auto files = host::GuestFiles::create({.roots = {folder_.path()}});
    EXPECT_TRUE(files.ok());
    auto program =
        load_program(*files, {host::GuestPath::parse("/", path).value(), "/dir", script_line});
    if (program) add_arguments(*program, std::move(arguments));
    return program;
  }
  // How many functions of it have names.
  std::size_t names_in(const std::string& path, bool symbols) const {
    auto files = host::GuestFiles::create({.roots = {folder_.path()}});
    EXPECT_TRUE(files.ok());
    const auto program = load_program(*files, {.path = host::GuestPath::parse("/", path).value(),
                                               .directory = "/dir",
                                               .script_line = script_line,
                                               .symbols = symbols});
    return program ? program->image->symbols.all().size() : 99;
  }
  Errno error_of(const std::string& path) const { return load(path).error().error; }
  std::string message_of(const std::string& path) const { return load(path).error().message; }

  // 4.4BSD's MAXINTERP is 64; a longer one would hide nothing here.
  static constexpr std::size_t script_line = 64;

 private:
  support::TemporaryFolder folder_;
};

TEST_F(LoadProgram, NamesOfFunctionsAreForWhoAsks) {
  ElfBuilder builder = tiny_program(Endian::big);
  builder.add_symbols(SHT_SYMTAB, hardclock::testing::tiny_symbols());
  write("prog", builder);
  write("script", "#!/prog\n");
  for (const char* const path : {"/prog", "/script"}) {
    EXPECT_NE(names_in(path, true), 0U) << path;
    EXPECT_EQ(names_in(path, false), 0U) << path;
  }
}

ElfBuilder with_interpreter(const std::string& name) {
  ElfBuilder builder = tiny_program(Endian::big);
  constexpr std::size_t at = 0x800;
  builder.place(at, name + std::string(1, '\0'));
  builder.add_program_header(PT_INTERP, PF_R, at, 0, name.size() + 1, name.size() + 1);
  return builder;
}

TEST_F(LoadProgram, FindsAProgram) {
  write("bin/prog", tiny_program(Endian::big));
  const auto program = load("/bin/prog");
  ASSERT_TRUE(program.ok()) << program.error().message;
  EXPECT_EQ(program->path, "/bin/prog");
  EXPECT_EQ(program->image->entry, GuestAddr(0x400100));
  EXPECT_EQ(program->arguments, (std::vector<std::string>{"name", "x"}));
  EXPECT_EQ(program->linker, nullptr);
}

TEST_F(LoadProgram, BringsTheDynamicLinker) {
  write("prog", with_interpreter("/lib/rld"));
  ElfBuilder linker = tiny_program(Endian::big);
  linker.header.e_type = ET_DYN;
  write("lib/rld", linker);
  const auto program = load("/prog");
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_NE(program->linker, nullptr);
  EXPECT_TRUE(program->linker->relocatable);
  EXPECT_FALSE(program->image->relocatable);
}

TEST_F(LoadProgram, SaysWhichLinkerIsMissing) {
  write("prog", with_interpreter("/lib/rld"));
  EXPECT_EQ(error_of("/prog"), Errno::enoent);
  EXPECT_EQ(message_of("/prog"),
            "a dynamic o32 program; /lib/rld not found below the guest root; pass -L DIR, see "
            "\"Guest roots\"");
  write("lib/rld", "no program");
  EXPECT_EQ(error_of("/prog"), Errno::enoexec);
  EXPECT_TRUE(message_of("/prog").starts_with("its dynamic linker /lib/rld: "));
  write("lib/rld", with_interpreter("/lib/rld"));
  EXPECT_EQ(error_of("/prog"), Errno::enoexec);
  EXPECT_EQ(message_of("/prog"), "its dynamic linker /lib/rld needs one itself");
  write("lib/rld", tiny_program(Endian::little));
  EXPECT_EQ(error_of("/prog"), Errno::enoexec);
  EXPECT_EQ(message_of("/prog"), "its dynamic linker /lib/rld is for another ABI");
  ElfBuilder n32 = tiny_program(Endian::big);
  n32.header.e_flags |= EF_MIPS_ABI2;
  write("lib/rld", n32);
  EXPECT_EQ(message_of("/prog"), "its dynamic linker /lib/rld is for another ABI: n32, not o32");
}

TEST_F(LoadProgram, RefusesWhatIsNoProgram) {
  write("data", "no program");
  EXPECT_EQ(error_of("/data"), Errno::enoexec);
  write("empty", "");
  EXPECT_EQ(error_of("/empty"), Errno::enoexec);
  ElfBuilder other = tiny_program(Endian::big);
  other.header.e_machine = EM_X86_64;
  write("x86", other);
  EXPECT_EQ(error_of("/x86"), Errno::enoexec);
  EXPECT_EQ(error_of("/absent"), Errno::enoent);
  EXPECT_EQ(load("/absent").error().interpreter, "");
  EXPECT_EQ(error_of("/"), Errno::eacces);
  write("locked", "#!/bin/prog\n", false);
  EXPECT_EQ(error_of("/locked"), Errno::eacces);
}

TEST_F(LoadProgram, RunsTheInterpreterOfAScript) {
  write("bin/sh", tiny_program(Endian::big));
  write("script", "#! \t/bin/sh  -e  -x \necho\n");
  const auto program = load("/script");
  ASSERT_TRUE(program.ok()) << program.error().message;
  EXPECT_EQ(program->path, "/bin/sh");
  EXPECT_EQ(program->arguments, (std::vector<std::string>{"/bin/sh", "-e  -x", "/script", "x"}));

  write("plain", "#!/bin/sh\n");
  EXPECT_EQ(load("/plain", {})->arguments, (std::vector<std::string>{"/bin/sh", "/plain"}));
  // Seen from the process's directory.
  write("dir/own", tiny_program(Endian::big));
  write("relative", "#!own\n");
  EXPECT_EQ(load("/relative")->path, "/dir/own");
}

TEST_F(LoadProgram, RefusesScriptsWithoutASoundFirstLine) {
  write("bin/sh", tiny_program(Endian::big));
  write("nameless", "#! \n");
  EXPECT_EQ(error_of("/nameless"), Errno::enoexec);
  write("zero", std::string("#!/bin/sh\0x\n", 12));
  EXPECT_EQ(error_of("/zero"), Errno::enoexec);
  // An unfinished line must end the file, or the name could be a part of a longer one.
  write("short", "#!/bin/sh");
  EXPECT_TRUE(load("/short").ok());
  write("long", "#!/bin/sh " + std::string(script_line, 'x') + "\n");
  EXPECT_EQ(error_of("/long"), Errno::enoexec);
  // "The interpreter cannot itself be a script."
  write("first", "#!/nested\n");
  write("nested", "#!/bin/sh\n");
  EXPECT_EQ(error_of("/first"), Errno::enoexec);
  EXPECT_TRUE(message_of("/first").starts_with("a script whose interpreter /nested cannot run: "));
  EXPECT_EQ(load("/first").error().interpreter, "/nested");
  write("absent", "#!/bin/absent\n");
  EXPECT_EQ(error_of("/absent"), Errno::enoent);
  write("locked", "#!/bin/locked\n");
  write("bin/locked", "", false);
  EXPECT_EQ(error_of("/locked"), Errno::eacces);
}

}  // namespace
}  // namespace hardclock::posix
