// SOM files that must be refused, with what the error says, and damage that must cost no more than
// names. The numbers in the messages are those that the test wrote into the file. The rules come
// from the format's description: Linux 2.6 fs/binfmt_som.c check_som_header(), binutils
// include/som/aout.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "sim/load/formats.h"
#include "sim/load/load.h"
#include "tests/unit/load/image_invariants.h"
#include "tests/unit/load/som_builder.h"

namespace hardclock::testing {
namespace {

using Kind = LoadError::Kind;

struct HostileFile {
  const char* name;
  Kind kind;
  const char* message;  // a part of it
  std::function<void(SomBytes&)> corrupt;
};

std::function<void(SomBytes&)> with_half(std::size_t offset, std::uint16_t value) {
  return [=](SomBytes& file) { file.put(offset, value).seal(); };
}

std::function<void(SomBytes&)> with_word(std::size_t offset, std::uint32_t value) {
  return [=](SomBytes& file) { file.put(offset, value).seal(); };
}

std::function<void(SomBytes&)> cut_to(std::size_t size) {
  return [=](SomBytes& file) { file.bytes.resize(size); };
}

const HostileFile identification[] = {
    {"CutInHeader", Kind::truncated, "128 bytes, but the file ends after 127", cut_to(127)},
    {"OnlyMagic", Kind::truncated, "128 bytes, but the file ends after 4", cut_to(4)},
    {"OldMotorola", Kind::unsupported, "0x20a at file offset 0 is HP-UX on Motorola",
     with_half(som::system_id, 0x20a)},
    {"Motorola68020", Kind::unsupported, "0x20c at file offset 0 is HP-UX on Motorola",
     with_half(som::system_id, 0x20c)},
    {"Motorola68040", Kind::unsupported, "0x20e at file offset 0 is HP-UX on Motorola",
     with_half(som::system_id, 0x20e)},
    {"OtherSystem", Kind::unsupported, "unknown system id 0x213 at file offset 0",
     with_half(som::system_id, 0x213)},
    {"OtherMagic", Kind::not_executable, "magic 0x123 at file offset 2 is no program's",
     with_half(som::magic, 0x123)},
    {"Objects", Kind::not_executable, "EXECLIB_MAGIC", with_half(som::magic, 0x104)},
    {"ObjectFile", Kind::not_executable, "an object file (RELOC_MAGIC), not a program; link it",
     with_half(som::magic, 0x106)},
    {"Loader", Kind::not_executable, "a dynamic loader", with_half(som::magic, 0x10c)},
    {"LoadLibrary", Kind::not_executable, "DL_MAGIC", with_half(som::magic, 0x10d)},
    {"SharedLibrary", Kind::not_executable, "a shared library (SHL_MAGIC), not a program; name",
     with_half(som::magic, 0x10e)},
    {"Archive", Kind::not_executable, "LIBMAGIC", with_half(som::magic, 0x619)},
    {"Version", Kind::malformed, "version 85082113 at file offset 4 is neither 85082112 nor",
     with_word(som::version, 85082113)},
    {"Checksum", Kind::malformed, "checksum 0x1234 at file offset 124 should be",
     [](SomBytes& f) { f.put_word(som::checksum, 0x1234); }},
};

const HostileFile auxiliary_headers[] = {
    {"AuxBeyondTheFile", Kind::truncated,
     "0x40 bytes of auxiliary headers at file offset 0x8c1 lie beyond",
     with_word(som::aux_location, 0x8c1)},
    {"AuxAtTheEnd", Kind::truncated, "at file offset 0xffffffff lie beyond",
     with_word(som::aux_location, 0xffffffff)},
    {"AuxTooLong", Kind::truncated, "0xffffffff bytes of auxiliary headers at file offset 0x80",
     with_word(som::aux_size, 0xffffffff)},
    {"NoAux", Kind::malformed, "no exec auxiliary header", with_word(som::aux_size, 0)},
    {"NoExec", Kind::malformed, "no exec auxiliary header (type 4)",
     with_word(som::exec, 0x80000006)},
    {"AuxLength", Kind::malformed, "file offset 0x80: 0xfffffffc bytes reach beyond",
     with_word(som::aux + 4, 0xfffffffc)},
    {"ExecCut", Kind::malformed, "file offset 0x90: 0x28 bytes reach beyond",
     with_word(som::aux_size, 0x3c)},
    {"ExecLength", Kind::malformed, "file offset 0x90: 36 bytes instead of 40",
     with_word(som::exec + 4, 36)},
};

const HostileFile exec_headers[] = {
    {"TextBeyondTheFile", Kind::truncated, "0x400..0x1400 of the text lie beyond the end",
     with_word(som::text_size, 0x1000)},
    {"TextOffset", Kind::truncated, "0xffffff00..0x100000300 of the text lie beyond the end",
     with_word(som::text_offset, 0xffffff00)},
    {"DataBeyondTheFile", Kind::truncated, "0x801..0x901 of the data lie beyond the end",
     with_word(som::data_offset, 0x801)},
    {"TextWraps", Kind::malformed, "0xfffffc00 + size 0x400 of the text wraps around",
     with_word(som::text_address, 0xfffffc00)},
    {"BssWraps", Kind::malformed, "0x40001000 + size 0xc0000000 of the data wraps around",
     with_word(som::bss_size, 0xbfffff00)},
    {"BssOverText", Kind::malformed, "data 0x0..0x1100 overlaps text 0x1000..0x1400",
     with_word(som::data_address, 0)},
    {"DataInText", Kind::malformed, "data 0x13ff..0x24ff overlaps text 0x1000..0x1400",
     with_word(som::data_address, 0x13ff)},
    {"BssFill", Kind::unsupported, "bss filled with 0xdeadbeef",
     with_word(som::bss_fill, 0xdeadbeef)},
    {"NoText", Kind::malformed, "entry address 0x1200 (exec_entry)", with_word(som::text_size, 0)},
    {"EntryInData", Kind::malformed, "entry address 0x40001000 (exec_entry) lies at no instruction",
     with_word(som::entry, 0x40001000)},
    {"EntryBehind", Kind::malformed, "entry address 0x1400 (exec_entry)",
     with_word(som::entry, 0x1400)},
    {"EntryOdd", Kind::malformed, "entry address 0x1202 (exec_entry)",
     with_word(som::entry, 0x1202)},
};

class SomHostile : public ::testing::TestWithParam<HostileFile> {};

TEST_P(SomHostile, IsRefusedWithItsReason) {
  SomBytes file = tiny_som();
  GetParam().corrupt(file);
  const auto outcome = load_image(file.bytes);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, GetParam().kind) << outcome.error().message;
  EXPECT_THAT(outcome.error().message, ::testing::HasSubstr(GetParam().message));
  EXPECT_EQ(broken_promise(outcome, file.bytes.size()), "");
}

std::string name_of(const ::testing::TestParamInfo<HostileFile>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Identification, SomHostile, ::testing::ValuesIn(identification), name_of);
INSTANTIATE_TEST_SUITE_P(Auxiliary, SomHostile, ::testing::ValuesIn(auxiliary_headers), name_of);
INSTANTIATE_TEST_SUITE_P(Exec, SomHostile, ::testing::ValuesIn(exec_headers), name_of);

TEST(SomMagic, OtherFilesAreNotSom) {
  EXPECT_FALSE(is_som(std::vector<std::uint8_t>{0x02, 0x10, 0x01}));
  EXPECT_FALSE(is_som(std::vector<std::uint8_t>{0x02, 0x00, 0x00, 0x00}));
  EXPECT_FALSE(is_som(std::vector<std::uint8_t>{0x7f, 'E', 'L', 'F'}));
  EXPECT_TRUE(is_som(std::vector<std::uint8_t>{0x02, 0x0c, 0x01, 0x08}));
}

// Fields whose corruption costs names alone.
TEST(SomNames, CorruptTablesCostTheNames) {
  for (const std::size_t field : {som::symbol_location, som::symbol_total,
                                  som::symbol_strings_location, som::symbol_strings_size}) {
    SomBytes file = tiny_som();
    file.put_word(field, 0xfffffff0).seal();
    const auto image = load_image(file.bytes);
    ASSERT_TRUE(image.ok()) << field << ": " << image.error().message;
    EXPECT_EQ(image->symbols.find("main"), nullptr) << field;
    EXPECT_NE(image->symbols.find("f_00001200"), nullptr) << field;
  }
  for (const std::size_t field : {som::subspace_location, som::subspace_total,
                                  som::space_strings_location, som::space_strings_size}) {
    SomBytes file = tiny_som();
    file.put_word(field, 0xfffffff0).seal();
    const auto image = load_image(file.bytes);
    ASSERT_TRUE(image.ok()) << field << ": " << image.error().message;
    EXPECT_EQ(image->symbols.find("f_00001240"), nullptr) << field;
    EXPECT_NE(image->symbols.find("main"), nullptr) << field;
  }
}

constexpr std::array<std::uint32_t, 14> edges = {
    0,      1,      2,          0x7f,       0xff,       0xfff,      0x1000,
    0x1200, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffffc, 0xffffffff};

TEST(SomMutation, EveryWordAtEveryEdgeLoadsOrFailsInOrder) {
  int loaded = 0;
  for (std::size_t at = 0; at + 4 <= som::unwind + 0x30; at += 4) {
    for (const std::uint32_t edge : edges) {
      SomBytes file = tiny_som();
      file.put(at, edge).seal();
      const auto outcome = load_image(file.bytes);
      ASSERT_EQ(broken_promise(outcome, file.bytes.size()), "") << at << ": " << edge;
      loaded += outcome.ok();
    }
  }
  EXPECT_GT(loaded, 100);
}

TEST(SomMutation, DamagedFilesLoadOrFailInOrder) {
  std::mt19937 random(1);
  constexpr int mutations = 10000;
  int loaded = 0;
  for (int i = 0; i < mutations; ++i) {
    SomBytes file = tiny_som();
    for (unsigned left = 1 + random() % 4; left > 0; --left) {
      file.bytes[random() % som::data] = static_cast<std::uint8_t>(random());
    }
    file.seal();
    if (random() % 8 == 0) file.bytes.resize(random() % file.bytes.size());
    const auto outcome = load_image(file.bytes);
    ASSERT_EQ(broken_promise(outcome, file.bytes.size()), "") << "mutation " << i;
    loaded += outcome.ok();
  }
  EXPECT_GT(loaded, mutations / 20) << "most damage must not end at the first check";
  EXPECT_LT(loaded, mutations / 20 * 19) << "most damage must not go unnoticed";
}

TEST(SomMutation, EveryTruncationFailsInOrder) {
  const SomBytes whole = tiny_som();
  for (std::size_t size = 0; size < whole.bytes.size(); ++size) {
    const std::vector<std::uint8_t> file(whole.bytes.begin(), whole.bytes.begin() + size);
    const auto outcome = load_image(file);
    EXPECT_EQ(broken_promise(outcome, size), "") << size << " bytes";
    EXPECT_FALSE(outcome.ok()) << size << " bytes";
  }
}

}  // namespace
}  // namespace hardclock::testing
