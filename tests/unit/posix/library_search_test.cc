// Where a dynamic program's libraries are found. Expectations: rld(1) of IRIX, ld.so(8) of Linux,
// and Debian's directories of each architecture.
#include "syscalls/posix/library_search.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/load.h"
#include "syscalls/systems.h"
#include "tests/support/mips_tools.h"
#include "tests/unit/load/elf_builder.h"

namespace hardclock::posix {
namespace {

// A big-endian o32 program that needs libf.so, which is in directories of every system.
class LibrarySearch : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::ElfBuilder library = testing::tiny_program(Endian::big);
    library.header.e_type = ET_DYN;
    for (const std::string directory :
         {"own", "lib/mips-linux-gnu", "lib/hppa-linux-gnu", "usr/lib32", "usr/lib64"}) {
      write(directory + "/libf.so", library.build().bytes);
    }
    auto image = load_image(testing::tiny_program(Endian::big).build().bytes);
    ASSERT_TRUE(image.ok());
    image->libraries = {"libf.so"};
    program_.image = std::make_shared<const Image>(*std::move(image));
    program_.linker = std::make_shared<const Image>();
  }

  // Empty: nowhere.
  std::string found_by(const Port& port) {
    auto files = host::GuestFiles::create({.roots = {folder_.path()}});
    EXPECT_TRUE(files.ok());
    find_libraries(*files, port, program_);
    return program_.libraries.empty() ? "" : program_.libraries.front().path;
  }
  std::string found_under(std::string_view system, std::size_t port = 0) {
    return found_by(find_unix_system(system, Architecture::mips)->ports[port]);
  }

  Program program_;

 private:
  void write(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
    const std::filesystem::path path = folder_.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << std::string(bytes.begin(), bytes.end());
  }

  support::TemporaryFolder folder_;
};

TEST_F(LibrarySearch, TriesThePortsDirectoriesAlone) {
  EXPECT_EQ(found_under("linux"), "/lib/mips-linux-gnu/libf.so");
  EXPECT_EQ(found_under("irix", 0), "");
  EXPECT_EQ(found_under("irix", 1), "/usr/lib32/libf.so");
  EXPECT_EQ(found_under("irix", 2), "/usr/lib64/libf.so");
  EXPECT_EQ(found_under("4.4bsd"), "");
  EXPECT_EQ(found_by({}), "");
}

TEST_F(LibrarySearch, TriesThoseOfTheEnvironmentFirst) {
  program_.environment = {"LD_LIBRARY_PATH=/none:/own"};
  EXPECT_EQ(found_under("linux"), "/own/libf.so");
  EXPECT_EQ(found_by({}), "/own/libf.so");
}

// SOM programs name a library with its whole path (ld(1) of HP-UX); ELF programs may name the file.
TEST(LibraryDirectories, OfHpuxAreByTheFormat) {
  std::vector<std::vector<std::string_view>> directories;
  for (const Port& port : find_unix_system("hpux", Architecture::pa_risc)->ports) {
    directories.emplace_back(port.library_directories.begin(), port.library_directories.end());
  }
  EXPECT_EQ(
      directories,
      (std::vector<std::vector<std::string_view>>{
          {"/usr/lib", "/lib"}, {"/usr/lib/pa20_64"}, {"/usr/lib/hpux32"}, {"/usr/lib/hpux64"}}));
}

}  // namespace
}  // namespace hardclock::posix
