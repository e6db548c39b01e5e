// A real program, made by the cross compiler, seen by GNU readelf and by load_elf: segments and
// symbols must agree. Skipped where the cross tools are missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "sim/load/load.h"
#include "tests/unit/load/image_invariants.h"

namespace hardclock::testing {
namespace {

constexpr const char* source = R"(
static int __attribute__((noinline)) helper(int a) { return a * 3; }
int zero, data = 5;
int twice(int a) { return helper(a) + helper(a + zero); }
void __start(void) { data = twice(4); for (;;) zero += data; }
__asm__(".text\n.globl raw_label\nraw_label:\n nop\n$Llocal:\n bnez $4, $Llocal\n nop\n"
        " jr $31\n nop\n.data\n.globl data_label\ndata_label:\n .word 1\n.text\n");
)";

struct ReadelfSymbol {
  std::uint64_t address;
  std::uint64_t size;
  std::string type;
  std::string binding;
};

// What readelf -lsW prints.
struct Readelf {
  std::vector<std::array<std::uint64_t, 4>> loads;  // offset, address, file size, memory size
  std::vector<std::string> load_flags;              // "RE"
  std::map<std::string, ReadelfSymbol> symbols;     // defined ones
};

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  while (std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  return pclose(pipe) == 0 ? output : "";
}

// "  LOAD  0x0001c0 0x004101c0 0x004101c0 0x00010 0x00020 RW  0x10000", flags like "R E"
void parse_load(const std::vector<std::string>& words, Readelf& result) {
  const auto hex = [&](std::size_t i) { return std::stoull(words[i], nullptr, 16); };
  result.loads.push_back({hex(1), hex(2), hex(4), hex(5)});
  std::string flags;
  for (std::size_t i = 6; i + 1 < words.size(); ++i) flags += words[i];
  result.load_flags.push_back(flags);
}

// "   12: 00400164    12 FUNC    LOCAL  DEFAULT    4 helper"
void parse_symbol(const std::vector<std::string>& words, Readelf& result) {
  if (words[6] == "UND") return;
  result.symbols[words[7]] = {std::stoull(words[1], nullptr, 16), std::stoull(words[2]), words[3],
                              words[4]};
}

Readelf parse(const std::string& output) {
  Readelf result;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
    if (words.size() >= 8 && words[0] == "LOAD") parse_load(words, result);
    const bool numbered = !words.empty() && std::isdigit(words[0].front()) != 0;
    if (words.size() == 8 && numbered && words[0].back() == ':') parse_symbol(words, result);
  }
  return result;
}

class RealProgram : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string tools = GetParam();
    if (std::system(("command -v " + tools + "-gcc " + tools + "-readelf >/dev/null").c_str()) !=
        0) {
      GTEST_SKIP() << tools << "-gcc and -readelf are not installed";
    }
    const std::string stem = ::testing::TempDir() + "/" + tools;
    std::ofstream(stem + ".c") << source;
    const std::string compile =
        tools + "-gcc -O1 -nostdlib -static -fno-pic -mno-abicalls -o " + stem + " " + stem + ".c";
    ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
    readelf_ = parse(output_of(tools + "-readelf -lsW " + stem));
    std::ifstream file(stem, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  Readelf readelf_;
  std::vector<std::uint8_t> bytes_;
};
INSTANTIATE_TEST_SUITE_P(
    Mips, RealProgram, ::testing::Values("mips-linux-gnu", "mipsel-linux-gnu"),
    [](const auto& info) {
      return std::string(info.param).substr(0, std::string(info.param).find('-'));
    });

TEST_P(RealProgram, SegmentsAgreeWithReadelf) {
  const auto image = load_image(bytes_);
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(broken_promise(image, bytes_.size()), "");
  ASSERT_GE(readelf_.loads.size(), 2u);
  ASSERT_EQ(image->segments.size(), readelf_.loads.size());
  for (std::size_t i = 0; i < image->segments.size(); ++i) {
    const auto& [offset, address, file_size, memory_size] = readelf_.loads[i];
    const Segment& segment = image->segments[i];
    EXPECT_EQ(segment.address, GuestAddr(address));
    EXPECT_EQ(segment.memory_size, memory_size);
    const std::vector<std::uint8_t> content(bytes_.begin() + offset,
                                            bytes_.begin() + offset + file_size);
    EXPECT_EQ(segment.bytes, content);
    const std::string& flags = readelf_.load_flags[i];
    EXPECT_EQ(segment.permissions,
              (Permissions{flags.find('R') != flags.npos, flags.find('W') != flags.npos,
                           flags.find('E') != flags.npos}));
  }
}

TEST_P(RealProgram, SymbolsAgreeWithReadelf) {
  const auto image = load_image(bytes_);
  ASSERT_TRUE(image.ok()) << image.error().message;
  for (const char* name : {"helper", "twice", "__start", "raw_label"}) {
    ASSERT_TRUE(readelf_.symbols.contains(name)) << name;
    const ReadelfSymbol& expected = readelf_.symbols[name];
    const Symbol* symbol = image->symbols.find(name);
    ASSERT_NE(symbol, nullptr) << name;
    EXPECT_EQ(symbol->address, GuestAddr(expected.address)) << name;
    EXPECT_EQ(symbol->size, expected.size) << name;
  }
  for (const auto& [name, expected] : readelf_.symbols) {
    if (expected.type != "FUNC") continue;
    EXPECT_EQ(describe(image->symbols, GuestAddr(expected.address)), name);
  }
  for (const Symbol& symbol : image->symbols.all()) {
    ASSERT_TRUE(readelf_.symbols.contains(symbol.name)) << symbol.name;
    EXPECT_EQ(symbol.address, GuestAddr(readelf_.symbols[symbol.name].address));
  }
  EXPECT_EQ(image->entry, image->symbols.find("__start")->address);
  EXPECT_EQ(image->symbols.find("data_label"), nullptr);
  EXPECT_EQ(image->symbols.find("zero"), nullptr);
}

}  // namespace
}  // namespace hardclock::testing
