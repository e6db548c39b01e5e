// mmap(2) of files. Expectations: mmap(2), msync(2) and munmap(2) of System V.4; MAP_AUTOGROW is
// IRIX's (<sys/mman.h>: a store behind the file's end makes it longer).
#include "syscalls/posix/files/file_mapping.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "syscalls/host/guest_files.h"
#include "tests/support/mips_tools.h"

namespace hardclock::posix {
namespace {

constexpr GuestAddr here{0x10000};
constexpr Permissions both{.read = true, .write = true, .execute = false};

class FileMapping : public ::testing::Test {
 protected:
  FileMapping() { write(std::string(page_size, 'a') + "bcd"); }

  std::string path() const { return folder_.path() + "/file"; }
  void write(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
  std::string content() const {
    std::ostringstream bytes;
    bytes << std::ifstream(path(), std::ios::binary).rdbuf();
    return bytes.str();
  }
  std::shared_ptr<OpenFile> open() const {
    auto files = host::GuestFiles::create({.binds = {{folder_.path(), "/d", true}}});
    auto file =
        files->open(host::GuestPath::parse("/", "/d/file").value(), {.read = true, .write = true});
    return to_open_file(*std::move(file));
  }
  std::unique_ptr<AddressSpace> make_memory() const {
    return std::make_unique<AddressSpace>(std::make_shared<MemoryBudget>(1 << 20), Endian::big,
                                          GuestAddr(0x80000000));
  }
  static void map(AddressSpace& memory, const Backing& backing, std::uint64_t pages) {
    ASSERT_TRUE(memory.map_object(here, pages * page_size, both, "[file]", backing).ok());
  }
  static std::uint8_t byte(AddressSpace& memory, std::uint64_t offset) {
    return memory.read<std::uint8_t>(here + offset).value();
  }

 protected:
  std::shared_ptr<MemoryBudget> budget_ = std::make_shared<MemoryBudget>(1 << 20);

 private:
  support::TemporaryFolder folder_;
};

TEST_F(FileMapping, APrivateOneShowsTheFileAndKeepsItsStores) {
  const auto memory = make_memory();
  map(*memory, {nullptr, std::make_shared<FilePages>(open()), 0}, 2);
  EXPECT_EQ(byte(*memory, 0), 'a');
  EXPECT_EQ(byte(*memory, page_size + 2), 'd');
  EXPECT_EQ(byte(*memory, page_size + 3), 0);
  ASSERT_TRUE(memory->write<std::uint8_t>(here, 'X').ok());
  ASSERT_TRUE(memory->unmap(here, 2 * page_size).ok());
  EXPECT_EQ(content().front(), 'a');
}

// "References within the address range starting at addr and continuing for len bytes to whole pages
// following the end of an object result in delivery of SIGBUS": the fault says so.
TEST_F(FileMapping, BehindTheFileIsAFaultOfItsOwn) {
  const auto memory = make_memory();
  map(*memory, {nullptr, std::make_shared<FilePages>(open()), 0}, 4);
  const auto fault = memory->read<std::uint8_t>(here + 2 * page_size);
  ASSERT_FALSE(fault.ok());
  EXPECT_EQ(fault.error().kind, Fault::Kind::no_object);
  // A file that has grown since has the page.
  write(std::string(3 * page_size, 'z'));
  EXPECT_EQ(byte(*memory, 2 * page_size), 'z');
}

// Where programs have larger pages, "whole pages" are those; what is behind the file in its last
// one is zeros (mmap(2)).
TEST_F(FileMapping, TheFilesLastPageIsOneOfThePrograms) {
  constexpr std::uint64_t large_page = 4 * page_size;
  const auto file = open();
  SharedFiles files;
  const auto shared = files.pages_of(file, budget_, large_page);
  const auto apart = std::make_shared<FilePages>(file, large_page);
  for (const Backing& backing : {Backing{nullptr, apart, 0}, Backing{shared, shared, 0}}) {
    const auto memory = make_memory();
    map(*memory, backing, 6);
    EXPECT_EQ(byte(*memory, page_size + 2), 'd');
    EXPECT_EQ(byte(*memory, 2 * page_size), 0);
    EXPECT_EQ(byte(*memory, large_page - 1), 0);
    const auto fault = memory->read<std::uint8_t>(here + large_page);
    ASSERT_FALSE(fault.ok());
    EXPECT_EQ(fault.error().kind, Fault::Kind::no_object);
  }
}

TEST_F(FileMapping, ASplitOneKeepsItsOffsets) {
  const auto memory = make_memory();
  map(*memory, {nullptr, std::make_shared<FilePages>(open()), 0}, 2);
  ASSERT_TRUE(memory->unmap(here, page_size).ok());
  EXPECT_EQ(byte(*memory, page_size), 'b');
}

TEST_F(FileMapping, ASharedOneReachesTheFile) {
  SharedFiles files;
  const auto file = open();
  const auto first = make_memory();
  {
    const auto pages = files.pages_of(file, budget_);
    pages->allow_writing(file, false);
    map(*first, {pages, pages, 0}, 2);
  }
  // Another open file of the same file: the same pages.
  const auto second = make_memory();
  const auto pages = files.pages_of(open(), budget_);
  map(*second, {pages, pages, 0}, 2);
  ASSERT_TRUE(first->write<std::uint8_t>(here + 1, 'X').ok());
  EXPECT_EQ(byte(*second, 1), 'X');
  EXPECT_EQ(content()[1], 'a');
  ASSERT_TRUE(pages->sync().ok());
  EXPECT_EQ(content()[1], 'X');
  // Behind the end, but in its last page: not part of the file.
  ASSERT_TRUE(second->write<std::uint8_t>(here + page_size + 3, 'Y').ok());
  ASSERT_TRUE(pages->sync().ok());
  EXPECT_EQ(content().size(), page_size + 3);
}

TEST_F(FileMapping, TheLastUnmapWritesAndOnlyWhatChanged) {
  SharedFiles files;
  const auto memory = make_memory();
  {
    const auto file = open();
    const auto pages = files.pages_of(file, budget_);
    pages->allow_writing(file, false);
    map(*memory, {pages, pages, 0}, 1);
  }
  ASSERT_TRUE(memory->write<std::uint8_t>(here + 5, 'X').ok());
  // What somebody else wrote meanwhile, beside it, stays.
  std::fstream(path(), std::ios::binary | std::ios::in | std::ios::out).write("ZZZZZ", 5);
  ASSERT_TRUE(memory->unmap(here, page_size).ok());
  EXPECT_EQ(content().substr(0, 7), "ZZZZZXa");
}

TEST_F(FileMapping, OneThatGrowsMakesTheFileLonger) {
  SharedFiles files;
  const auto file = open();
  const auto pages = files.pages_of(file, budget_);
  pages->allow_writing(file, true);
  const auto memory = make_memory();
  map(*memory, {pages, pages, 0}, 4);
  ASSERT_TRUE(memory->write<std::uint8_t>(here + 2 * page_size + 1, 'X').ok());
  ASSERT_TRUE(pages->sync().ok());
  EXPECT_EQ(content().size(), 2 * page_size + 2);
  EXPECT_EQ(content().back(), 'X');
}

}  // namespace
}  // namespace hardclock::posix
