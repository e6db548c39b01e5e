// ECOFF files that must be refused, with what the error says, and damage that must cost no more
// than names. The numbers in the messages are those that the test wrote into the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "sim/load/formats.h"
#include "sim/load/load.h"
#include "tests/unit/load/ecoff_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

using Kind = LoadError::Kind;

struct BadEcoff {
  const char* name;
  Kind kind;
  const char* message;  // a part of it
  std::function<void(EcoffBytes&)> corrupt;
};

std::function<void(EcoffBytes&)> half_at(std::size_t offset, std::uint16_t value) {
  return [=](EcoffBytes& file) { file.put_half(offset, value); };
}

std::function<void(EcoffBytes&)> word_at(std::size_t offset, std::uint32_t value) {
  return [=](EcoffBytes& file) { file.put_word(offset, value); };
}

std::function<void(EcoffBytes&)> shortened_to(std::size_t size) {
  return [=](EcoffBytes& file) { file.bytes.resize(size); };
}

const BadEcoff bad_files[] = {
    {"CutInHeader", Kind::truncated,
     "it has 19 bytes and should have at least 20, where its ECOFF header ends", shortened_to(19)},
    {"OnlyMagic", Kind::truncated, "it has 4 bytes and should have at least 20", shortened_to(4)},
    {"CutInOptionalHeader", Kind::truncated,
     "it has 59 bytes and should have at least 60, where its optional header ends",
     shortened_to(59)},
    {"CutInText", Kind::truncated,
     "it has 4095 bytes and should have at least 4096, where its text ends", shortened_to(4095)},
    {"CutInData", Kind::truncated,
     "it has 4351 bytes and should have at least 4352, where its data ends", shortened_to(4351)},
    {"ObjectFile", Kind::not_executable, "an object file", half_at(ecoff::flags, 5)},
    {"NoOptionalHeader", Kind::not_executable, "an object file", half_at(ecoff::optional_size, 0)},
    {"OtherMagic", Kind::not_executable, "magic 0414 is no program's",
     half_at(ecoff::program_magic, 0414)},
    {"Library", Kind::not_executable, "static shared library (LIBMAGIC)",
     half_at(ecoff::program_magic, 0443)},
    {"TextBeyondTheFile", Kind::truncated, "at least 4294967280, where its text ends",
     word_at(ecoff::text_size, 0xfffffff0)},
    {"DataWraps", Kind::malformed, "address 0xffffff80 + size 0x100 of the data wraps around",
     word_at(ecoff::data_address, 0xffffff80)},
    {"BssWraps", Kind::malformed, "size 0xffffffff of the bss wraps around",
     word_at(ecoff::bss_size, 0xffffffff)},
    {"DataOverText", Kind::malformed, "data 0x400800..0x400900 overlaps text 0x400000..0x401000",
     word_at(ecoff::data_address, 0x400800)},
    {"BssOverData", Kind::malformed, "bss 0x10000080..0x10001080 overlaps data",
     word_at(ecoff::bss_address, 0x10000080)},
    {"EntryBelow", Kind::malformed, "entry address 0x3ffffc lies at no instruction",
     word_at(ecoff::entry, 0x3ffffc)},
    {"EntryBehind", Kind::malformed, "entry address 0x401000 lies at no instruction",
     word_at(ecoff::entry, 0x401000)},
    {"EntryOdd", Kind::malformed, "entry address 0x400202", word_at(ecoff::entry, 0x400202)},
};

class EcoffDamage : public ::testing::TestWithParam<BadEcoff> {};

TEST_P(EcoffDamage, IsRefused) {
  for (const Endian order : {Endian::big, Endian::little}) {
    EcoffBytes file = tiny_ecoff(order);
    GetParam().corrupt(file);
    const auto image = load_image(file.bytes);
    ASSERT_FALSE(image.ok());
    EXPECT_EQ(image.error().kind, GetParam().kind) << image.error().message;
    EXPECT_THAT(image.error().message, ::testing::HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, EcoffDamage, ::testing::ValuesIn(bad_files),
                         [](const auto& file) { return std::string(file.param.name); });

TEST(EcoffTables, CorruptOnesCostTheNamesOnly) {
  const std::size_t tables[] = {
      ecoff::symbols_at,       ecoff::symbol_count,          ecoff::symbol_count + 4,
      ecoff::string_bytes + 4, ecoff::external_string_bytes, ecoff::file_count,
      ecoff::file_count + 4,   ecoff::external_count,        ecoff::external_count + 4};
  for (const std::size_t field : tables) {
    for (const std::uint32_t value : {0x7fffffffu, 0xffffffffu, 0x1600u, 0x15ffu}) {
      const EcoffBytes file = tiny_ecoff(Endian::big).put_word(field, value);
      EXPECT_EQ(broken_promise(load_image(file.bytes), file.bytes.size()), "") << field;
      EXPECT_TRUE(load_image(file.bytes).ok()) << field;
    }
  }
}

TEST(EcoffTables, ALibrarySectionThatLiesIsRefusedAllTheSame) {
  const std::size_t section = ecoff::sections + ecoff::last_section * ecoff::section_bytes;
  for (const std::size_t field : {section + ecoff::section_size, section + ecoff::section_offset,
                                  ecoff::library, ecoff::library + 4}) {
    EcoffBytes file = tiny_ecoff(Endian::big);
    file.add_libraries({"/lib/libc_s"}).put_word(field, 0xffffffff);
    const auto image = load_image(file.bytes);
    ASSERT_FALSE(image.ok()) << field;
    EXPECT_EQ(broken_promise(image, file.bytes.size()), "");
  }
}

TEST(EcoffMemory, IsLimited) {
  EcoffBytes bytes = tiny_ecoff(Endian::little);
  FileWindow file(bytes.bytes);
  EXPECT_TRUE(load_ecoff(file, {.memory = 0x2100}).ok());
  const auto image = load_ecoff(file, {.memory = 0x20ff});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().kind, Kind::memory);
}

TEST(EcoffMutations, KeepThePromises) {
  std::minstd_rand random(1);
  for (int round = 0; round < 20000; ++round) {
    EcoffBytes file = tiny_ecoff(round % 2 == 0 ? Endian::big : Endian::little);
    for (auto left = 1 + random() % 4; left > 0; --left) {
      const bool in_headers = random() % 2 == 0;
      const std::size_t at = in_headers ? random() % 236 : ecoff::symbolic + random() % 0x300;
      file.bytes[at] = static_cast<std::uint8_t>(random());
    }
    ASSERT_EQ(broken_promise(load_image(file.bytes), file.bytes.size()), "") << round;
  }
}

}  // namespace
}  // namespace hardclock::testing
