// SOM programs as load_image sees them. What is expected of the hand-made file follows from the
// format's description (Linux 2.6 fs/binfmt_som.c; binutils include/som/aout.h and internal.h;
// Ghidra's SomDynamicLoaderHeader), that of the built ones from GNU objdump, nm and strip
// (tests/guests/hppa/README.md has the commands).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "tests/unit/load/image_invariants.h"
#include "tests/unit/load/som_builder.h"

namespace hardclock::testing {
namespace {

using ::testing::ElementsAre;

Image image_of(const SomBytes& file) {
  const auto image = load_image(file.bytes);
  EXPECT_TRUE(image.ok()) << image.error().message;
  if (!image) return {};
  EXPECT_EQ(broken_promise(image, file.bytes.size()), "");
  return *image;
}

TEST(SomImage, HasWhatTheHeadersSay) {
  const SomBytes file = tiny_som();
  const Image image = image_of(file);
  EXPECT_EQ(image.format, FileFormat::som);
  EXPECT_EQ(image.architecture, Architecture::pa_risc);
  EXPECT_EQ(image.endian, Endian::big);
  EXPECT_EQ(image.address_bits, 32u);
  EXPECT_EQ(image.flags, 0x210u);
  EXPECT_FALSE(image.is_linux);
  EXPECT_FALSE(image.relocatable);
  EXPECT_EQ(image.interpreter, std::nullopt);
  EXPECT_EQ(image.entry, GuestAddr(0x1200));
  EXPECT_EQ(image.data_pointer, GuestAddr(0x40001000));
  EXPECT_EQ(image.initial_break, GuestAddr(0x40002100));
  EXPECT_TRUE(image.page_zero_reads_zero);
  ASSERT_EQ(image.segments.size(), 2u);
  const auto& [text, data] = std::tie(image.segments[0], image.segments[1]);
  EXPECT_EQ(text.address, GuestAddr(0x1000));
  EXPECT_EQ(text.memory_size, 0x400u);
  EXPECT_EQ(text.permissions, (Permissions{true, false, true}));
  EXPECT_THAT(text.bytes, ::testing::ElementsAreArray(file.bytes.data() + 0x400, 0x400));
  EXPECT_EQ(data.address, GuestAddr(0x40001000));
  EXPECT_EQ(data.memory_size, 0x1100u);
  EXPECT_EQ(data.permissions, (Permissions{true, true, true}));
  EXPECT_EQ(data.bytes.size(), 0x100u);
}

TEST(SomImage, EverySystemAndVersion) {
  for (const std::uint16_t id : {0x20b, 0x210, 0x211, 0x214}) {
    EXPECT_EQ(image_of(tiny_som().put(som::system_id, id).seal()).flags, id);
  }
  EXPECT_EQ(image_of(tiny_som().put_word(som::version, 87102412).seal()).entry, GuestAddr(0x1200));
}

TEST(SomImage, TextIsWritableInExecMagicOnly) {
  for (const std::uint16_t magic : {0x107, 0x108, 0x109, 0x10b}) {
    const Image image = image_of(tiny_som().put(som::magic, magic).seal());
    ASSERT_EQ(image.segments.size(), 2u) << magic;
    EXPECT_EQ(image.segments[0].permissions, (Permissions{true, magic == 0x107, true})) << magic;
  }
}

TEST(SomImage, FlagsBitZeroTakesPageZeroAway) {
  EXPECT_FALSE(image_of(tiny_som().put_word(som::flags, 5).seal()).page_zero_reads_zero);
}

// Linkers of OSF/1's time: the entry address stands where the flags belong.
TEST(SomImage, EntryAndFlagsMayBeSwapped) {
  for (const std::uint32_t flags : {0u, 1u, 4u, 5u}) {
    const Image image =
        image_of(tiny_som().put_word(som::entry, flags).put_word(som::flags, 0x1200).seal());
    EXPECT_EQ(image.entry, GuestAddr(0x1200)) << flags;
    EXPECT_EQ(image.page_zero_reads_zero, flags % 2 == 0) << flags;
  }
}

// Inferno's mk: the file from its first byte on is the text.
TEST(SomImage, TextMayBeginWithTheHeader) {
  const Image image =
      image_of(tiny_som().put_word(som::text_offset, 0).put_word(som::text_size, 0x800).seal());
  ASSERT_EQ(image.segments.size(), 2u);
  EXPECT_EQ(image.segments[0].bytes[1], 0x10);
  EXPECT_EQ(image.segments[0].memory_size, 0x800u);
}

TEST(SomImage, ProgramWithoutData) {
  const Image image =
      image_of(tiny_som().put_word(som::data_size, 0).put_word(som::bss_size, 0).seal());
  EXPECT_EQ(image.segments.size(), 1u);
}

// Shared libraries have no entry; only what asks for a library takes one.
TEST(SomImage, OfALibraryBeginsWithItsText) {
  for (const std::uint16_t magic : {0x10d, 0x10e}) {
    SomBytes file = tiny_som();
    file.put(som::magic, magic).put_word(som::entry, 0).seal();
    EXPECT_FALSE(load_image(file.bytes).ok());
    const auto library = load_library(file.bytes);
    ASSERT_TRUE(library.ok()) << library.error().message;
    EXPECT_EQ(library.value().entry, GuestAddr(0x1000));
    EXPECT_EQ(library.value().symbols.all().size(), image_of(tiny_som()).symbols.all().size());
  }
}

TEST(SomSymbols, HaveTheBoundsOfTheUnwindTable) {
  const SymbolTable symbols = image_of(tiny_som()).symbols;
  std::vector<std::string> all;
  for (const Symbol& symbol : symbols.all()) {
    std::ostringstream line;
    line << std::hex << symbol.address.value() << ' ' << symbol.size << ' ' << symbol.name;
    all.push_back(line.str());
  }
  EXPECT_THAT(all, ElementsAre("1200 20 main", "1220 20 helper", "1240 20 f_00001240",
                               "1350 0 $$mulI", "1360 0 outside"));
  EXPECT_EQ(describe(symbols, GuestAddr(0x1228)), "helper+0x8");
  EXPECT_EQ(describe(symbols, GuestAddr(0x1300)), "0x00001300") << "main's export stub";
}

TEST(SomSymbols, StrippedProgramsHaveTheUnwindTablesFunctions) {
  const Image image = image_of(tiny_som().put_word(som::symbol_total, 0).seal());
  std::vector<std::string> names;
  for (const Symbol& symbol : image.symbols.all()) names.push_back(symbol.name);
  EXPECT_THAT(names, ElementsAre("f_00001200", "f_00001220", "f_00001240"));
  EXPECT_EQ(describe(image.symbols, GuestAddr(0x1260)), "0x00001260");
}

TEST(SomLibraries, AreThoseOfTheLoaderHeaderButTheProgram) {
  for (const std::uint32_t version : {93092112u, 89060912u}) {
    const Image image = image_of(tiny_som().put_word(som::loader_header, version));
    EXPECT_TRUE(image.maps_own_linker);
    EXPECT_THAT(image.libraries, ElementsAre("/usr/lib/libc.2", "/usr/lib/libm.2"));
  }
  const Image unlinked = image_of(tiny_som().put_word(som::loader_header, 0));
  EXPECT_FALSE(unlinked.maps_own_linker);
  EXPECT_THAT(unlinked.libraries, ElementsAre());
}

// The subspace dictionary gone: crt0 finds the header at the start of the text.
TEST(SomLibraries, NeedNoSubspaceDictionary) {
  EXPECT_TRUE(image_of(tiny_som().put_word(som::subspace_total, 0).seal()).maps_own_linker);
}

TEST(SomLibraries, CorruptListsAreLeftOut) {
  for (const std::size_t field : {8, 12, 40, 44}) {
    const Image image = image_of(tiny_som().put_word(som::loader_header + field, 0xfffffff0));
    EXPECT_TRUE(image.maps_own_linker) << field;
    EXPECT_THAT(image.libraries, ElementsAre()) << field;
  }
}

std::string text_of(const std::string& name) {
  std::ifstream file("tests/guests/hppa/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

SomBytes bytes_of(const std::string& name) {
  const std::string text = text_of(name);
  return {{text.begin(), text.end()}};
}

// What objdump -x prints: "text size  0x2000", "start address 0x1144", and symbols such as
// "0000105c l     F $CODE$	helper", where F is a function.
struct Objdump {
  std::map<std::string, std::uint64_t> numbers;
  std::map<std::string, std::uint64_t> functions;
  std::map<std::string, std::uint64_t> labels;  // other symbols of $CODE$
};

Objdump parse_objdump(const std::string& text) {
  Objdump result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
    const std::size_t number = line.find("0x");
    if (number != line.npos && line.find(':') == line.npos) {
      const std::size_t end = line.find_last_not_of(' ', number - 1);
      result.numbers[line.substr(line[0] == ' ' ? 2 : 0, end - (line[0] == ' ' ? 1 : -1))] =
          std::stoull(line.substr(number), nullptr, 16);
    } else if (words.size() == 5 && words[2] == "F") {
      result.functions[words[4]] = std::stoull(words[0], nullptr, 16);
    } else if (words.size() == 4 && words[2] == "$CODE$" && words[0].size() == 8) {
      result.labels[words[3]] = std::stoull(words[0], nullptr, 16);
    }
  }
  return result;
}

class BuiltProgram : public ::testing::TestWithParam<const char*> {
 protected:
  SomBytes file_ = bytes_of(GetParam());
  Image image_ = image_of(file_);
  Objdump objdump_ = parse_objdump(text_of("expected/" + std::string(GetParam()) + ".objdump"));
};
INSTANTIATE_TEST_SUITE_P(Elf2som, BuiltProgram,
                         ::testing::Values("sample", "sample_exec", "sample_demand"),
                         [](const auto& info) { return info.param; });

TEST_P(BuiltProgram, MemoryAgreesWithObjdump) {
  auto& number = objdump_.numbers;
  ASSERT_EQ(image_.segments.size(), 2u);
  const auto& [text, data] = std::tie(image_.segments[0], image_.segments[1]);
  EXPECT_EQ(text.address, GuestAddr(number.at("text memory offset")));
  EXPECT_EQ(text.memory_size, number.at("text size"));
  EXPECT_THAT(text.bytes,
              ::testing::ElementsAreArray(file_.bytes.data() + number.at("text file offset"),
                                          number.at("text size")));
  EXPECT_EQ(data.address, GuestAddr(number.at("data memory offset")));
  EXPECT_EQ(data.memory_size, number.at("data size") + number.at("bss size"));
  EXPECT_THAT(data.bytes,
              ::testing::ElementsAreArray(file_.bytes.data() + number.at("data file offset"),
                                          number.at("data size")));
  EXPECT_EQ(image_.entry, GuestAddr(number.at("start address")));
  EXPECT_EQ(image_.entry, GuestAddr(number.at("entry point")));
}

TEST_P(BuiltProgram, SymbolsAgreeWithObjdump) {
  EXPECT_THAT(objdump_.functions, ::testing::SizeIs(6));
  for (const auto& [name, address] : objdump_.functions) {
    const Symbol* symbol = image_.symbols.find(name);
    ASSERT_NE(symbol, nullptr) << name;
    EXPECT_EQ(symbol->address, GuestAddr(address)) << name;
  }
  for (const Symbol& symbol : image_.symbols.all()) {
    const auto& known =
        objdump_.functions.contains(symbol.name) ? objdump_.functions : objdump_.labels;
    ASSERT_TRUE(known.contains(symbol.name)) << symbol.name;
    EXPECT_EQ(symbol.address, GuestAddr(known.at(symbol.name))) << symbol.name;
  }
  EXPECT_NE(image_.symbols.find("raw_label"), nullptr);
}

TEST(BuiltPrograms, SystemIdsAndForms) {
  EXPECT_EQ(image_of(bytes_of("sample")).flags, 0x210u);
  EXPECT_EQ(image_of(bytes_of("sample_10")).flags, 0x20bu);
  EXPECT_EQ(image_of(bytes_of("sample_12")).flags, 0x211u);
  EXPECT_EQ(image_of(bytes_of("sample_20")).flags, 0x214u);
  EXPECT_EQ(image_of(bytes_of("sample_shmem")).entry, image_of(bytes_of("sample")).entry);
  EXPECT_TRUE(image_of(bytes_of("sample")).page_zero_reads_zero);
  EXPECT_FALSE(image_of(bytes_of("sample_trap")).page_zero_reads_zero);
}

TEST(StrippedProgram, HasTheSameMemoryAndTheUnwindTablesFunctions) {
  const Image whole = image_of(bytes_of("sample"));
  const Image stripped = image_of(bytes_of("prebuilt/sample_stripped"));
  EXPECT_EQ(stripped.entry, whole.entry);
  ASSERT_EQ(stripped.segments.size(), 2u);
  EXPECT_EQ(stripped.segments[0].bytes, whole.segments[0].bytes);
  EXPECT_EQ(stripped.segments[1].address, whole.segments[1].address);
  EXPECT_GE(stripped.segments[1].memory_size, whole.segments[1].memory_size);
  for (const char* name : {"helper", "twice", "run", "$START$"}) {
    const Symbol* known = whole.symbols.find(name);
    ASSERT_NE(known, nullptr) << name;
    const Symbol* found = stripped.symbols.find(known->address);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->address, known->address) << name;
    EXPECT_EQ(found->size, known->size) << name;
  }
  EXPECT_EQ(stripped.symbols.all().size(), 4u);
}

struct NmSymbol {
  std::uint64_t address;
  std::uint64_t size;  // 0: nm does not say
  bool global;
};

// The symbols of code that nm -S prints: "0000105c 00000030 t helper", "00001158 T triple".
std::map<std::string, NmSymbol> parse_nm(const std::string& text) {
  std::map<std::string, NmSymbol> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
    if (words.size() < 3) continue;
    const std::string& type = words[words.size() - 2];
    if (type != "t" && type != "T") continue;
    const std::uint64_t size = words.size() == 4 ? std::stoull(words[1], nullptr, 16) : 0;
    result[words.back()] = {std::stoull(words[0], nullptr, 16), size, type == "T"};
  }
  return result;
}

void expect_symbol(const SymbolTable& symbols, const std::string& name, const NmSymbol& expected) {
  const Symbol* symbol = symbols.find(name);
  ASSERT_NE(symbol, nullptr) << name;
  EXPECT_EQ(symbol->address, GuestAddr(expected.address)) << name;
  EXPECT_EQ(symbol->size, expected.size) << name;
}

// The sizes that the compiler gave its functions in the ELF program; the unwind table must say the
// same of those that it has.
TEST(BuiltPrograms, SizesAgreeWithNm) {
  const auto known = parse_nm(text_of("sample.nm"));
  const SymbolTable symbols = image_of(bytes_of("sample")).symbols;
  for (const char* name : {"$START$", "helper", "twice", "run"}) {
    ASSERT_TRUE(known.contains(name)) << name;
    EXPECT_NE(known.at(name).size, 0u) << name;
    expect_symbol(symbols, name, known.at(name));
  }
}

// 32-bit ELF, linked by GNU ld for Linux.
TEST(NarrowElf, SymbolsAgreeWithNm) {
  const Image image = image_of(bytes_of("sample.elf"));
  EXPECT_EQ(image.format, FileFormat::elf);
  EXPECT_EQ(image.architecture, Architecture::pa_risc);
  EXPECT_EQ(image.address_bits, 32u);
  EXPECT_EQ(image.flags, 0x210u);
  EXPECT_TRUE(image.is_linux);
  EXPECT_FALSE(image.page_zero_reads_zero);
  const auto known = parse_nm(text_of("sample.nm"));
  EXPECT_THAT(known, ::testing::SizeIs(7)) << "functions, millicode and raw_label";
  for (const auto& [name, symbol] : known) expect_symbol(image.symbols, name, symbol);
  EXPECT_EQ(image.symbols.all().size(), known.size());
  EXPECT_EQ(image.entry, GuestAddr(known.at("$START$").address));
}

// 64-bit ELF for HP-UX, linked by GNU ld. In the stripped file the names are those of the dynamic
// symbols, which are descriptors; nm gives the code's addresses.
TEST(WideElf, SymbolsAgreeWithNm) {
  const Image image = image_of(bytes_of("prebuilt/wide"));
  const Image stripped = image_of(bytes_of("prebuilt/wide_stripped"));
  EXPECT_EQ(image.format, FileFormat::elf);
  EXPECT_EQ(image.architecture, Architecture::pa_risc);
  EXPECT_EQ(image.address_bits, 64u);
  EXPECT_EQ(image.os_abi, 1u);
  EXPECT_EQ(image.flags, 0x90214u) << "readelf -h: PA-RISC 2.0, trapnil, wide";
  EXPECT_FALSE(image.page_zero_reads_zero) << "trapnil";
  const auto known = parse_nm(text_of("expected/wide.nm"));
  EXPECT_THAT(known, ::testing::SizeIs(3));
  for (const auto& [name, symbol] : known) {
    expect_symbol(image.symbols, name, symbol);
    if (symbol.global) expect_symbol(stripped.symbols, name, symbol);
  }
  EXPECT_EQ(image.entry, GuestAddr(known.at("main").address));
}

// What objdump -x says of a 64-bit program: "start address 0x40000000000010f8"; of each program
// header "LOAD off 0x0 vaddr 0x4000000000001000 ..." and on the next line "filesz 0x2178 memsz
// 0x2178 flags r-x"; of each symbol of the text "4000000000001970 l F .text 0000000000000064 on".
struct WideObjdump {
  std::uint64_t entry = 0;
  std::vector<std::string> segments;  // as segment_text()
  std::map<std::string, NmSymbol> functions;
  std::map<std::string, std::uint64_t> labels;
};

std::string segment_text(std::uint64_t address, std::uint64_t file_size, std::uint64_t memory_size,
                         const std::string& permissions) {
  std::ostringstream text;
  text << std::hex << address << ' ' << file_size << ' ' << memory_size << ' ' << permissions;
  return text.str();
}

std::uint64_t hexadecimal(const std::string& digits) {
  return std::stoull(digits, nullptr, 16);
}

WideObjdump parse_wide_objdump(const std::string& text) {
  WideObjdump result;
  std::istringstream lines(text);
  std::string address;  // of the LOAD line
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
    if (line.starts_with("start address ")) result.entry = hexadecimal(words[2]);
    if (words.size() > 4 && words[0] == "LOAD") address = words[4];
    if (words.size() > 5 && words[0] == "filesz" && !address.empty()) {
      result.segments.push_back(segment_text(hexadecimal(address), hexadecimal(words[1]),
                                             hexadecimal(words[3]), words[5]));
    }
    const auto section = std::ranges::find(words, ".text");
    if (words.size() < 5 || words[1].size() != 1 || section == words.end()) continue;
    const std::uint64_t place = hexadecimal(words[0]), size = hexadecimal(*std::next(section));
    if (words[2] == "F") {
      result.functions[words.back()] = {place, size, words[1] == "g"};
    } else {
      result.labels[words.back()] = place;
    }
  }
  return result;
}

TEST(WideElf, MemoryAgreesWithObjdump) {
  const Image image = image_of(bytes_of("prebuilt/signals_64"));
  const WideObjdump known = parse_wide_objdump(text_of("expected/signals_64.objdump"));
  EXPECT_EQ(image.entry, GuestAddr(known.entry));
  EXPECT_FALSE(image.interpreter);
  std::vector<std::string> segments;
  for (const Segment& segment : image.segments) {
    const Permissions& may = segment.permissions;
    const std::string permissions = {may.read ? 'r' : '-', may.write ? 'w' : '-',
                                     may.execute ? 'x' : '-'};
    segments.push_back(segment_text(segment.address.value(), segment.bytes.size(),
                                    segment.memory_size, permissions));
  }
  EXPECT_EQ(segments, known.segments);
  EXPECT_THAT(known.segments, ::testing::SizeIs(2));
}

// Functions with their sizes. Assembled labels have none, and only they have other types.
TEST(WideElf, SymbolsAgreeWithObjdump) {
  const SymbolTable symbols = image_of(bytes_of("prebuilt/signals_64")).symbols;
  const WideObjdump known = parse_wide_objdump(text_of("expected/signals_64.objdump"));
  EXPECT_GT(known.functions.size(), 30u);
  for (const auto& [name, symbol] : known.functions) expect_symbol(symbols, name, symbol);
  for (const Symbol& symbol : symbols.all()) {
    if (known.functions.contains(symbol.name)) continue;
    ASSERT_TRUE(known.labels.contains(symbol.name)) << symbol.name;
    EXPECT_EQ(symbol.address, GuestAddr(known.labels.at(symbol.name))) << symbol.name;
  }
  for (const char* name : {"main", "handler", "waitpid", "$START$"}) {
    EXPECT_NE(symbols.find(name), nullptr) << name;
  }
}

// EF_PARISC_TRAPNIL of e_flags off: address 0 may be read, by HP-UX programs alone.
TEST(WideElf, PageZeroReadsZeroWithoutTrapnil) {
  SomBytes file = bytes_of("prebuilt/wide");
  file.put_word(0x30, 0x80214);
  EXPECT_TRUE(image_of(file).page_zero_reads_zero);
  file.put(7, std::uint8_t{3});  // EI_OSABI: Linux
  EXPECT_FALSE(image_of(file).page_zero_reads_zero);
}

}  // namespace
}  // namespace hardclock::testing
