// What the runtime says that it has (guest/hpux/functions.txt), for programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sim/base/endian.h"
#include "sim/load/imports.h"
#include "syscalls/hpux/runtime/functions.h"
#include "syscalls/hpux/runtime/runtime_files.h"

namespace hardclock::hpux {
namespace {

std::vector<std::uint8_t> content_of(const std::string& name) {
  std::ifstream file("tests/guests/hppa/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<ProgramImport> imports_of_guest(const std::string& name) {
  const auto bytes = content_of(name);
  FileWindow window{std::span<const std::uint8_t>(bytes)};
  return imports_of(window);
}

TEST(RuntimeFunctions, AreTold) {
  EXPECT_EQ(find_function("confstr").state, FunctionState::partial);
  EXPECT_EQ(find_function("confstr").note, "_CS_PATH alone");
  EXPECT_EQ(find_function("strlen").state, FunctionState::done);
  EXPECT_EQ(find_function("strlen").note, "");
  EXPECT_EQ(find_function("floor").state, FunctionState::done);
  EXPECT_EQ(find_function("fpsetdefaults").state, FunctionState::missing);
  EXPECT_EQ(find_function("no_such_function").state, FunctionState::missing);
  EXPECT_EQ(name_of(FunctionState::partial), "partial");
}

TEST(RuntimeFunctions, PartialOnesSayWhatTheyLack) {
  for (const LibraryFunction& function : library_functions()) {
    EXPECT_EQ(function.state == FunctionState::partial, !function.note.empty()) << function.name;
    EXPECT_EQ(find_function(function.name).name, function.name);
  }
  EXPECT_GT(library_functions().size(), 400u);
}

// The 93 functions of the HP-UX programs of Inferno's first edition.
TEST(RuntimeFunctions, HaveWhatInfernoImports) {
  const char* const names[] = {
      "strncpy",  "exit",     "_start",        "mkdir",   "write",    "malloc",      "strerror",
      "open",     "_exit",    "memmove",       "read",    "memset",   "free",        "close",
      "strchr",   "atoi",     "strcmp",        "strlen",  "strcpy",   "remove",      "strrchr",
      "atexit",   "strncmp",  "realloc",       "lseek",   "dup2",     "strcat",      "wait",
      "execl",    "pipe",     "memcpy",        "time",    "dup",      "getpid",      "fork",
      "getpwuid", "getgrgid", "atol",          "perror",  "fstat",    "stat",        "isdigit",
      "getenv",   "isupper",  "qsort",         "memcmp",  "strtoul",  "abort",       "kill",
      "readdir",  "longjmp",  "setjmp",        "access",  "utime",    "mktemp",      "opendir",
      "closedir", "getuid",   "openlog",       "signal",  "closelog", "syslog",      "tolower",
      "socket",   "connect",  "gethostbyname", "getgid",  "tmpnam",   "islower",     "ferror",
      "getc",     "fwrite",   "fflush",        "sprintf", "fopen",    "tmpfile",     "sscanf",
      "fseek",    "fread",    "fprintf",       "putc",    "fclose",   "isprint",     "isalnum",
      "atof",     "strtol",   "execv",         "bind",    "gmtime",   "gethostname", "listen",
      "rename",   "accept",   "errno",         "__iob"};
  for (const char* name : names) {
    EXPECT_NE(find_function(name).state, FunctionState::missing) << name;
  }
}

TEST(RuntimeFunctions, AreComparedWithAProgramsImports) {
  using ::testing::Contains;
  using ::testing::Field;
  using ::testing::Not;
  const auto imports = imports_of_guest("dynamic/binding");
  const auto named = [](const char* name, FunctionState state) {
    return ::testing::AllOf(Field(&ProgramImport::name, name), Field(&ProgramImport::state, state));
  };
  EXPECT_THAT(imports, Contains(named("nobody_has_this", FunctionState::missing)));
  EXPECT_THAT(imports, Contains(named("greet", FunctionState::missing)));
  EXPECT_THAT(imports, Contains(named("strdup", FunctionState::done)));
  EXPECT_THAT(imports, Contains(named("printf", FunctionState::done)));
  // Its own.
  EXPECT_THAT(imports, Not(Contains(Field(&ProgramImport::name, "malloc"))));
  EXPECT_THAT(imports, Not(Contains(Field(&ProgramImport::name, "errno"))));
}

// As HP's link editor lists functions of the program's own that are passed as pointers.
TEST(RuntimeFunctions, WhatHasNoTypeIsNoImport) {
  auto bytes = content_of("dynamic/binding");
  const auto word = [&](std::size_t at) {
    return load_bytes<std::uint32_t>(&bytes[at], Endian::big);
  };
  std::size_t header = 0;
  while (word(header) != 93092112) header += 4;
  const std::size_t imports = header + word(header + 16), count = word(header + 20);
  const std::size_t names = header + word(header + 40);
  for (std::size_t at = imports; at < imports + 8 * count; at += 8) {
    const bool is_named = word(at) != 0xffffffff;
    const auto* const name = reinterpret_cast<const char*>(&bytes[names + word(at)]);
    if (is_named && name == std::string_view("nobody_has_this")) bytes[at + 6] = 0;
  }
  FileWindow window{std::span<const std::uint8_t>(bytes)};
  const auto found = imports_of(window);
  EXPECT_THAT(found, ::testing::Not(::testing::IsEmpty()));
  EXPECT_THAT(found, ::testing::Not(::testing::Contains(
                         ::testing::Field(&ProgramImport::name, "nobody_has_this"))));
}

TEST(RuntimeFunctions, AStaticProgramImportsNothing) {
  EXPECT_THAT(imports_of_guest("sample"), ::testing::IsEmpty());
}

// Damage costs the names, never the run.
TEST(RuntimeFunctions, DamagedTablesAreNoTables) {
  auto bytes = content_of("dynamic/binding");
  const std::size_t text = 0x1000;
  for (std::size_t at = text; at < text + 112; at += 4) {
    for (const std::uint8_t byte : {0x00, 0x7f, 0xff}) {
      auto damaged = bytes;
      std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(at), 4, byte);
      FileWindow window{std::span<const std::uint8_t>(damaged)};
      EXPECT_LT(read_som_imports(window).size(), 100u);
    }
  }
}

TEST(RuntimeFiles, AreForSomPrograms) {
  const std::uint8_t som[] = {0x02, 0x10, 0x01, 0x08}, elf[] = {0x7f, 'E', 'L', 'F'};
  EXPECT_TRUE(may_need_runtime(som));
  EXPECT_FALSE(may_need_runtime(elf));
  EXPECT_FALSE(may_need_runtime({}));
  for (const host::BuiltInFile& file : runtime_files()) {
    EXPECT_NE(file.path.front(), '/');
    EXPECT_EQ(file.program.empty(), !file.link.empty()) << file.path;
  }
}

TEST(RuntimeFiles, AreFoundByTheirPathsAndLinks) {
  for (const host::BuiltInFile& file : runtime_files()) {
    EXPECT_FALSE(runtime_file("/" + std::string(file.path)).empty()) << file.path;
  }
  EXPECT_EQ(runtime_file("/usr/lib/libc.2").data(), runtime_file("/usr/lib/libc.1").data());
  for (const char* path : {"", "/", "/usr/lib", "/usr/lib/libz.1", "/usr/lib/../lib/none"}) {
    EXPECT_TRUE(runtime_file(path).empty()) << path;
  }
}

}  // namespace
}  // namespace hardclock::hpux
