// What of a file is read, and what a program costs before it is known to fit.
#include "sim/load/file_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/som_builder.h"

namespace hardclock::testing {
namespace {

// A file that is `front` and then zeros, and how much of it was read.
class SparseFile {
 public:
  SparseFile(std::vector<std::uint8_t> front, std::uint64_t size)
      : front_(std::move(front)), size_(size) {}

  FileWindow window() {
    return FileWindow(size_, [this](std::uint64_t offset, std::span<std::uint8_t> bytes) {
      read_ += bytes.size();
      std::ranges::fill(bytes, 0);
      if (offset >= front_.size()) return true;
      const std::size_t count = std::min<std::size_t>(bytes.size(), front_.size() - offset);
      std::copy_n(front_.begin() + static_cast<std::ptrdiff_t>(offset), count, bytes.begin());
      return true;
    });
  }
  std::uint64_t bytes_read() const { return read_; }

 private:
  std::vector<std::uint8_t> front_;
  std::uint64_t size_;
  std::uint64_t read_ = 0;
};

TEST(FileWindow, ReadsAPartOnce) {
  SparseFile file({1, 2, 3, 4}, 1 << 20);
  FileWindow window = file.window();
  const auto part = window.part(1, 2);
  ASSERT_TRUE(part.has_value());
  EXPECT_THAT(*part, ::testing::ElementsAre(2, 3));
  const std::uint64_t read = file.bytes_read();
  EXPECT_LE(read, 4096U);
  ASSERT_TRUE(window.part(0, 4).has_value());
  EXPECT_EQ(file.bytes_read(), read);
  // Two parts with a gap that one over both of them fills.
  ASSERT_TRUE(window.part(9000, 1).has_value());
  ASSERT_TRUE(window.part(3, 10'000).has_value());
  EXPECT_LE(file.bytes_read(), 4U * 4096);
  EXPECT_EQ(part->data(), window.part(1, 2)->data());
}

TEST(FileWindow, HasNoPartBeyondTheFile) {
  const std::uint8_t bytes[] = {1, 2, 3};
  FileWindow window(bytes);
  EXPECT_TRUE(window.part(3, 0).has_value());
  EXPECT_FALSE(window.part(3, 1).has_value());
  EXPECT_FALSE(window.part(4, 0).has_value());
  EXPECT_FALSE(window.part(1, ~std::uint64_t{0}).has_value());
  EXPECT_FALSE(window.part(~std::uint64_t{0}, 2).has_value());
  std::uint8_t copy[4] = {};
  EXPECT_TRUE(window.copy(0, std::span(copy).first(3)));
  EXPECT_EQ(copy[2], 3);
  EXPECT_FALSE(window.copy(0, copy));
}

TEST(FileWindow, HasNoPartThatCannotBeReadOrIsTooLarge) {
  FileWindow broken(1 << 30, [](std::uint64_t, std::span<std::uint8_t>) { return false; });
  EXPECT_FALSE(broken.part(0, 1).has_value());
  EXPECT_EQ(load_image(broken).ok(), false);
  SparseFile file({}, 1 << 30);
  FileWindow window = file.window();
  EXPECT_FALSE(window.part(0, FileWindow::largest_part + 1).has_value());
  EXPECT_EQ(file.bytes_read(), 0U);
}

constexpr std::uint64_t huge = std::uint64_t{1} << 30;

TEST(FileWindow, AnElfProgramIsReadWithoutTheRestOfItsFile) {
  SparseFile file(tiny_program().build().bytes, huge);
  FileWindow window = file.window();
  const auto image = load_image(window);
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(image->segments.front().bytes.size(), 0x200U);
  EXPECT_LT(file.bytes_read(), 64U << 10);
}

TEST(FileWindow, ASomProgramIsReadWithoutTheRestOfItsFile) {
  SparseFile file(tiny_som().bytes, huge);
  FileWindow window = file.window();
  const auto image = load_image(window);
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_LT(file.bytes_read(), 64U << 10);
}

// Memory is asked for before the segments are read: here most of a file of 1 GiB.
TEST(FileWindow, SegmentsThatDoNotFitAreNotRead) {
  ElfBuilder builder = tiny_program();
  builder.program_headers[1].p_filesz = builder.program_headers[1].p_memsz = 0x3f000000;
  SparseFile elf(builder.build().bytes, huge);
  SomBytes som = tiny_som();
  som.put_word(som::data_size, 0x3f000000).seal();
  SparseFile other(som.bytes, huge);
  for (SparseFile* const file : {&elf, &other}) {
    FileWindow window = file->window();
    const auto image = load_image(window, {.memory = 16 << 20});
    ASSERT_FALSE(image.ok());
    EXPECT_EQ(image.error().kind, LoadError::Kind::memory);
    EXPECT_THAT(image.error().message, ::testing::HasSubstr("raise --max-memory"));
    EXPECT_LT(file->bytes_read(), 64U << 10);
  }
}

TEST(FileWindow, ZerosBehindTheBytesCountAsMemory) {
  const std::vector<std::uint8_t> bytes = tiny_program().build().bytes;
  const std::uint64_t needed = 0x200 + 0x1000;
  FileWindow window(bytes);
  EXPECT_TRUE(load_image(window, {.memory = needed}).ok());
  EXPECT_FALSE(load_image(window, {.memory = needed - 1}).ok());
}

TEST(FileWindow, SymbolsMayBeLeftOut) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_SYMTAB, tiny_symbols());
  const std::vector<std::uint8_t> bytes = builder.build().bytes;
  FileWindow window(bytes);
  EXPECT_EQ(load_image(window)->symbols.all().size(), 2U);
  EXPECT_TRUE(load_image(window, {.symbols = false})->symbols.all().empty());
}

}  // namespace
}  // namespace hardclock::testing
