// Damaged files: whatever is in them, load_image answers with an image that keeps its promises or
// with an error. The damage is the same in every run (fixed seed, mt19937 is fully specified).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

constexpr int mutations = 20000;

std::vector<std::vector<std::uint8_t>> originals() {
  std::vector<std::vector<std::uint8_t>> files;
  for (Endian order : {Endian::big, Endian::little}) {
    ElfBuilder builder = tiny_program(order);
    builder.place(0x180, std::string("/usr/lib/libc.so.1\0", 19));
    builder.add_program_header(PT_INTERP, PF_R, 0x180, 0x400180, 19, 19);
    builder.add_program_header(PT_PHDR, PF_R, 52, 0x400034, 4 * 32, 0);
    std::vector<SymbolSpec> symbols = tiny_symbols();
    symbols.push_back({"label", 0x400170, 0, STT_NOTYPE, STB_LOCAL});
    builder.add_symbols(SHT_SYMTAB, symbols);
    builder.add_symbols(SHT_DYNSYM, symbols);
    files.push_back(builder.build().bytes);
  }
  return files;
}

// Numbers at the edges of checks; the rest is left to chance.
constexpr std::array<std::uint32_t, 12> edges = {
    0, 1, 2, 0x7f, 0xff, 0xfff, 0x1000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};

void damage(std::vector<std::uint8_t>& file, std::mt19937& random) {
  if (random() % 8 == 0) file.resize(random() % (file.size() + 1));
  // Most of a file is content that no check reads; the headers and tables get most of the damage.
  const std::size_t tables = file.size() > 0x300 ? file.size() - 0x300 : 0;
  for (unsigned left = 1 + random() % 4; left > 0 && file.size() >= 4; --left) {
    const std::size_t headers = std::min<std::size_t>(file.size(), 0xc0);
    const std::size_t at =
        random() % 2 == 0 || tables == 0 ? random() % headers : 0x300 + random() % tables;
    if (random() % 2 == 0) {
      file[at] = static_cast<std::uint8_t>(random());
      continue;
    }
    const std::size_t word = std::min(at / 4 * 4, file.size() - 4);
    const Endian order = random() % 2 == 0 ? Endian::big : Endian::little;
    store_bytes(file.data() + word, edges[random() % edges.size()], order);
  }
}

TEST(ElfMutation, DamagedFilesLoadOrFailInOrder) {
  std::mt19937 random(1);
  const auto files = originals();
  int loaded = 0;
  for (int i = 0; i < mutations; ++i) {
    std::vector<std::uint8_t> file = files[i % files.size()];
    damage(file, random);
    const auto outcome = load_image(file);
    ASSERT_EQ(broken_promise(outcome, file.size()), "") << "mutation " << i;
    loaded += outcome.ok();
  }
  EXPECT_GT(loaded, mutations / 20) << "most damage must not end at the first check";
  EXPECT_LT(loaded, mutations / 20 * 19) << "most damage must not go unnoticed";
}

TEST(ElfMutation, EveryTruncationLoadsOrFailsInOrder) {
  for (const auto& original : originals()) {
    for (std::size_t size = 0; size < original.size(); ++size) {
      const std::vector<std::uint8_t> file(original.begin(), original.begin() + size);
      const auto outcome = load_image(file);
      ASSERT_EQ(broken_promise(outcome, size), "") << size << " bytes";
      EXPECT_EQ(outcome.ok(), size >= 0x300) << size << " bytes";
    }
  }
}

}  // namespace
}  // namespace hardclock::testing
