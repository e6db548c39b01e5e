// Which symbols of an ELF file become functions, and that damaged symbols never cost the program.
// The rules are those of sim/load/elf_symbols.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sim/load/load.h"
#include "tests/unit/load/elf_builder.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "name@address" of every function that load_elf finds.
std::vector<std::string> functions_of(const FileBytes& file) {
  const auto outcome = load_image(file.bytes);
  EXPECT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(broken_promise(outcome, file.bytes.size()), "");
  std::vector<std::string> names;
  if (!outcome) return names;
  for (const Symbol& s : outcome->symbols.all()) {
    names.push_back(s.name + "@" + describe({}, s.address).substr(4));
  }
  return names;
}

std::vector<std::string> functions_of(const std::vector<SymbolSpec>& symbols) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_SYMTAB, symbols);
  return functions_of(builder.build());
}

TEST(ElfSymbols, FunctionsOfBothByteOrders) {
  for (Endian order : {Endian::big, Endian::little}) {
    ElfBuilder builder = tiny_program(order);
    builder.add_symbols(SHT_SYMTAB, tiny_symbols());
    const FileBytes file = builder.build();
    const auto outcome = load_image(file.bytes);
    ASSERT_TRUE(outcome.ok());
    ASSERT_EQ(outcome->symbols.all().size(), 2u);
    const Symbol* work = outcome->symbols.find("work");
    ASSERT_NE(work, nullptr);
    EXPECT_EQ(work->address, GuestAddr(0x400120));
    EXPECT_EQ(work->size, 0x40u);
    EXPECT_EQ(describe(outcome->symbols, GuestAddr(0x400124)), "work+0x4");
  }
}

TEST(ElfSymbols, LeavesOutWhatIsNotCode) {
  EXPECT_THAT(functions_of({{"object", 0x400100, 4, STT_OBJECT},
                            {"section", 0x400104, 4, STT_SECTION},
                            {"file", 0x400108, 4, STT_FILE},
                            {"undefined", 0x40010c, 4, STT_FUNC, STB_GLOBAL, SHN_UNDEF},
                            {"in_data", 0x10000000, 4, STT_FUNC, STB_GLOBAL, 2},
                            {"nowhere", 0x500000, 4},
                            {"", 0x400110, 4}}),
              IsEmpty());
}

TEST(ElfSymbols, OneNameAnAddressGlobalFunctionsFirst) {
  EXPECT_THAT(functions_of({{"local", 0x400100, 4, STT_FUNC, STB_LOCAL},
                            {"weak", 0x400100, 4, STT_FUNC, STB_WEAK},
                            {"global", 0x400100, 4, STT_FUNC, STB_GLOBAL},
                            {"alias", 0x400100, 4, STT_FUNC, STB_GLOBAL},
                            {"local2", 0x400110, 4, STT_FUNC, STB_LOCAL},
                            {"weak2", 0x400110, 4, STT_FUNC, STB_WEAK}}),
              ElementsAre("global@400100", "weak2@400110"));
}

TEST(ElfSymbols, LabelsOnlyWhereNoFunctionCovers) {
  EXPECT_THAT(functions_of({{"inside", 0x400108, 0, STT_NOTYPE},
                            {"same", 0x400100, 0, STT_NOTYPE},
                            {"start", 0x400100, 0x20},
                            {"behind", 0x400120, 0, STT_NOTYPE, STB_LOCAL},
                            {"unsized", 0x400140, 0},
                            {"loop", 0x400148, 0, STT_NOTYPE}}),
              ElementsAre("start@400100", "behind@400120", "unsized@400140", "loop@400148"));
}

TEST(ElfSymbols, LabelsOnlyInExecutableSections) {
  EXPECT_THAT(functions_of({{"_gp", 0x10008000, 0, STT_NOTYPE, STB_LOCAL, 2},
                            {"absolute", 0x400100, 0, STT_NOTYPE, STB_GLOBAL, SHN_ABS},
                            {"no_section", 0x400100, 0, STT_NOTYPE, STB_GLOBAL, 77},
                            {"end_of_section", 0x400200, 0, STT_NOTYPE},
                            {"before_section", 0x4000f0, 0, STT_NOTYPE},
                            {"label", 0x4001fc, 0, STT_NOTYPE}}),
              ElementsAre("label@4001fc"));
}

// A label at the end of .text names what follows in the segment, which is not code.
TEST(ElfSymbols, LabelsEndWithTheirSection) {
  ElfBuilder builder = tiny_program();
  builder.sections[1].sh_size = 0x80;
  builder.add_symbols(SHT_SYMTAB,
                      {{"last", 0x40017c, 0, STT_NOTYPE}, {"end", 0x400180, 0, STT_NOTYPE}});
  EXPECT_THAT(functions_of(builder.build()), ElementsAre("last@40017c"));
}

TEST(ElfSymbols, LabelsBehindAnInnerFunctionAreStillCovered) {
  EXPECT_THAT(functions_of({{"outer", 0x400100, 0x80},
                            {"inner", 0x400110, 0x10},
                            {"label", 0x400140, 0, STT_NOTYPE}}),
              ElementsAre("outer@400100", "inner@400110"));
}

TEST(ElfSymbols, LocalLabelsAndSectionNamesMeanNothing) {
  EXPECT_THAT(functions_of({{"$L12", 0x400100, 0, STT_NOTYPE},
                            {".L12", 0x400104, 0, STT_NOTYPE},
                            {"$d.1", 0x400108, 0, STT_NOTYPE},
                            {".text", 0x40010c, 0, STT_NOTYPE},
                            {"$function", 0x400110, 4}}),
              ElementsAre("$function@400110"));
}

TEST(ElfSymbols, MarksOfTheLinkerComeLast) {
  EXPECT_THAT(functions_of({{"_ftext", 0x400100, 0, STT_FUNC},
                            {"main", 0x400100, 0x10, STT_FUNC, STB_LOCAL},
                            {"_etext", 0x400120, 0, STT_NOTYPE},
                            {"label", 0x400120, 0, STT_NOTYPE},
                            {"etext", 0x400130, 0, STT_FUNC}}),
              ElementsAre("main@400100", "label@400120", "etext@400130"));
}

// The .dynsym of SGI cc's hello (readelf -s): functions without sizes in "section" 0xff01
// (SHN_MIPS_TEXT), section names as labels, stubs of undefined functions with addresses.
TEST(ElfSymbols, DynsymOfAnIrixProgram) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_DYNSYM,
                      {{".text", 0x400100, 0, STT_NOTYPE, STB_LOCAL, SHN_MIPS_TEXT},
                       {"__start", 0x400110, 0, STT_FUNC, STB_GLOBAL, SHN_MIPS_TEXT},
                       {"_DYNAMIC_LINK", 1, 0, STT_SECTION, STB_GLOBAL, SHN_ABS},
                       {"printf", 0x400100, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF},
                       {"main", 0x400180, 0, STT_FUNC, STB_GLOBAL, SHN_MIPS_TEXT},
                       {"asm_label", 0x4001c0, 0, STT_NOTYPE, STB_GLOBAL, SHN_MIPS_TEXT}});
  const FileBytes file = builder.build();
  EXPECT_THAT(functions_of(file), ElementsAre("__start@400110", "main@400180", "asm_label@4001c0"));
  const auto image = load_image(file.bytes);
  EXPECT_EQ(describe(image->symbols, GuestAddr(0x40017c)), "__start+0x6c");
  EXPECT_EQ(describe(image->symbols, GuestAddr(0x4001ff)), "asm_label+0x3f");
  EXPECT_EQ(describe(image->symbols, GuestAddr(0x400200)), "0x00400200");
}

// The .mdebug of a program of SGI's cc: p.c with the static functions hot and warm and the global
// main, of which .symtab has only main (fields: binutils include/coff/sym.h).
FileBytes with_mdebug(Endian order = Endian::big) {
  constexpr std::string_view string_table("\0p.c\0hot\0warm\0main\0", 19);
  constexpr std::size_t header_size = 96, symbol = 12, symbol_count = 7, file_size = 72;
  ElfBuilder builder = tiny_program(order);
  builder.add_symbols(SHT_SYMTAB, {{"main", 0x400180, 0}});
  const unsigned section = builder.add_section(
      SHT_MIPS_DEBUG, 0,
      std::string(header_size + symbol_count * symbol + file_size + string_table.size(), '\0'));
  FileBytes file = builder.build();
  const auto table = load_bytes<std::uint32_t>(file.bytes.data() + EHDR_FIELD(e_shoff), order);
  const std::size_t field = table + section * sizeof(Elf32_Shdr) + offsetof(Elf32_Shdr, sh_offset);
  const auto at = load_bytes<std::uint32_t>(file.bytes.data() + field, order);
  const auto put = [&](std::size_t offset, std::size_t value) {
    file.put<std::uint32_t>(offset, static_cast<std::uint32_t>(value));
  };
  const std::size_t symbols = at + header_size;
  const std::size_t descriptor = symbols + symbol_count * symbol;
  const std::size_t strings = descriptor + file_size;
  file.put<std::uint16_t>(at, 0x7009);
  put(at + 32, symbol_count);
  put(at + 36, symbols);
  put(at + 56, string_table.size());
  put(at + 60, strings);
  put(at + 72, 1);
  put(at + 76, descriptor);
  put(descriptor + 8, 1);  // issBase
  put(descriptor + 12, string_table.size() - 1);
  put(descriptor + 20, symbol_count);
  constexpr unsigned proc = 6, end_symbol = 8, file_symbol = 11, static_proc = 14;
  const std::size_t all[][4] = {{0, 0, file_symbol, 7},   {4, 0x400100, static_proc, 15},
                                {4, 0x40, end_symbol, 1}, {8, 0x400140, static_proc, 17},
                                {8, 0x20, end_symbol, 3}, {13, 0x400180, proc, 19},
                                {13, 0x10, end_symbol, 5}};
  for (std::size_t i = 0; i < symbol_count; ++i) {
    put(symbols + i * symbol, all[i][0]);
    put(symbols + i * symbol + 4, all[i][1]);
    put(symbols + i * symbol + 8, all[i][2] << 26 | 1 << 21 | all[i][3]);
  }
  file.put_bytes(strings, string_table);
  return file;
}

TEST(ElfSymbols, StaticProceduresOfMdebug) {
  const FileBytes file = with_mdebug();
  EXPECT_THAT(functions_of(file), ElementsAre("hot@400100", "warm@400140", "main@400180"));
  const auto image = load_image(file.bytes);
  EXPECT_EQ(image->symbols.find("hot")->size, 0x40u);
  EXPECT_EQ(describe(image->symbols, GuestAddr(0x40015c)), "warm+0x1c");
  EXPECT_EQ(describe(image->symbols, GuestAddr(0x400160)), "0x00400160");
}

// Whatever byte of it is wrong, the program loads, and what is named lies in the code.
TEST(ElfSymbols, DamagedMdebugCostsTheSymbolsOnly) {
  const FileBytes good = with_mdebug();
  const std::size_t begin = good.bytes.size() - (96 + 7 * 12 + 72 + 19);
  for (std::size_t at = begin - 64; at < good.bytes.size(); ++at) {
    for (const std::uint8_t value : {0x00, 0x7f, 0xff}) {
      FileBytes file = good;
      file.bytes[at] = value;
      const auto outcome = load_image(file.bytes);
      EXPECT_EQ(broken_promise(outcome, file.bytes.size()), "") << at;
    }
  }
}

TEST(ElfSymbols, SymtabBeforeDynsym) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_DYNSYM, {{"dynamic", 0x400100, 4}});
  EXPECT_THAT(functions_of(builder.build()), ElementsAre("dynamic@400100"));
  builder.add_symbols(SHT_SYMTAB, {{"full", 0x400100, 4}});
  EXPECT_THAT(functions_of(builder.build()), ElementsAre("full@400100"));
}

TEST(ElfSymbols, NamesKeepOnlyPrintableAscii) {
  EXPECT_THAT(functions_of({{"a\x1b[2Jb\n\x7f\xc3\xa9", 0x400100, 4}}),
              ElementsAre("a?[2Jb????@400100"));
}

TEST(ElfSymbols, NamesEndWithTheStringTable) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_SYMTAB, {{"first", 0x400100, 4}, {"second", 0x400110, 4}});
  builder.sections[3].sh_size = 1 + 6 + 3;  // "\0first\0sec"
  EXPECT_THAT(functions_of(builder.build()), ElementsAre("first@400100", "sec@400110"));
}

TEST(ElfSymbols, SizesEndWithTheSegment) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_SYMTAB, {{"endless", 0x400100, 0xffffffff}});
  const FileBytes file = builder.build();
  const auto image = load_image(file.bytes);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->symbols.find("endless")->size, 0x100u);
}

// 100000 symbols that all name one string of a megabyte: 100 GB if taken at their word.
TEST(ElfSymbols, LongNamesAreCut) {
  std::vector<SymbolSpec> symbols(100000, SymbolSpec{"", 0, 4});
  for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i].value = 0x400100 + i % 0x100;
  symbols[0].name = std::string(1 << 20, 'x');
  ElfBuilder builder = tiny_program();
  const unsigned symtab = builder.add_symbols(SHT_SYMTAB, symbols);
  FileBytes file = builder.build();
  const std::size_t header =
      load_bytes<std::uint32_t>(&file.bytes[EHDR_FIELD(e_shoff)], file.order) +
      symtab * sizeof(Elf32_Shdr);
  const std::size_t table =
      load_bytes<std::uint32_t>(&file.bytes[header + offsetof(Elf32_Shdr, sh_offset)], file.order);
  for (std::size_t i = 1; i <= symbols.size(); ++i) {
    file.put(table + i * sizeof(Elf32_Sym) + offsetof(Elf32_Sym, st_name), std::uint32_t{1});
  }
  const auto image = load_image(file.bytes);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(broken_promise(image, file.bytes.size()), "");
  ASSERT_EQ(image->symbols.all().size(), 0x100u);
  EXPECT_EQ(image->symbols.all()[0].name, std::string(4096, 'x'));
}

// Damage to the section table: the program still loads, without its symbols. Sections 3 and 4 are
// .strtab and .symtab.
struct DamagedSections {
  const char* name;
  std::function<void(ElfBuilder&)> damage_headers;
  std::function<void(FileBytes&)> damage_bytes = [](FileBytes&) {};
};
const DamagedSections damaged_sections[] = {
    {"TableBeyondEndOfFile", [](auto&) {},
     [](auto& f) { f.put(EHDR_FIELD(e_shoff), std::uint32_t{0xfffffff0}); }},
    {"TableCut", [](auto&) {}, [](auto& f) { f.bytes.resize(f.bytes.size() - 1); }},
    {"NoTable", [](auto&) {}, [](auto& f) { f.put(EHDR_FIELD(e_shoff), std::uint32_t{0}); }},
    {"HugeCount", [](auto&) {}, [](auto& f) { f.put(EHDR_FIELD(e_shnum), std::uint16_t{0xfeff}); }},
    {"ExtendedCount", [](auto& b) { b.sections[0].sh_size = 0xffffffff; },
     [](auto& f) { f.put(EHDR_FIELD(e_shnum), std::uint16_t{0}); }},
    {"EntrySize", [](auto&) {}, [](auto& f) { f.put(EHDR_FIELD(e_shentsize), std::uint16_t{39}); }},
    {"SymbolsTooBig", [](auto& b) { b.sections[4].sh_size = 0x7fffffff; }},
    {"SymbolSizeWraps", [](auto& b) { b.sections[4].sh_size = 0xfffffff0; }},
    {"StringsTooBig", [](auto& b) { b.sections[3].sh_size = 0xffffffff; }},
    {"LinkOutOfRange", [](auto& b) { b.sections[4].sh_link = 5; }},
    {"LinkHuge", [](auto& b) { b.sections[4].sh_link = 0xffffffff; }},
    {"LinkToItself", [](auto& b) { b.sections[4].sh_link = 4; }},
    {"LinkToText", [](auto& b) { b.sections[4].sh_link = 1; }},
    {"NoStrings", [](auto& b) { b.sections[3].sh_type = SHT_NOBITS; }},
    {"CompressedStrings", [](auto& b) { b.sections[3].sh_flags = SHF_COMPRESSED; }},
    {"NoSymbols", [](auto& b) { b.sections[4].sh_size = 0; }},
};

class DamagedSymbols : public ::testing::TestWithParam<DamagedSections> {};
INSTANTIATE_TEST_SUITE_P(Sections, DamagedSymbols, ::testing::ValuesIn(damaged_sections),
                         [](const auto& info) { return info.param.name; });

TEST_P(DamagedSymbols, CostTheSymbolsNotTheProgram) {
  ElfBuilder builder = tiny_program();
  builder.add_symbols(SHT_SYMTAB, tiny_symbols());
  GetParam().damage_headers(builder);
  FileBytes file = builder.build();
  GetParam().damage_bytes(file);
  EXPECT_THAT(functions_of(file), IsEmpty());
}

}  // namespace
}  // namespace hardclock::testing
