// Programs made by the cross compilers, seen by GNU addr2line and by read_source_lines: each
// address of the text must have the same line. Skipped where the cross tools are missing.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/load/load.h"
#include "sim/load/source_lines.h"
#include "tests/support/mips_tools.h"
#include "tests/unit/load/debug_builder.h"
#include "tests/unit/load/ecoff_builder.h"

namespace hardclock::testing {
namespace {

constexpr const char* lined_header = R"(
static inline __attribute__((always_inline)) int square(int x) {
  return x *
         x;
}
)";
constexpr const char* lined_source = R"(
#include "sub/square.h"
int sum(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += square(i);
  return s;
}
#line 700 "generated.y"
int generated(int n) {
  return sum(n) > 3 ? n

    : sum(2 * n);
}
)";
constexpr const char* lined_main = R"(
extern int generated(int);
volatile int x;
void _start(void) {
  for (;;) {
    x = generated(x);

    if (x & 1) x++;
  }
}
)";

constexpr const char* lined_ia64 = R"(
	.text
	.global _start#
	.proc _start#
_start:
	mov r8 = r32
	;;
	add r9 = r8, r8
	nop.i 0
	ld8 r10 = [r9]

	;;
	add r8 = r8, r10
	br.ret.sptk.many b0
	.endp _start#
)";

std::string answer_of(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  return pclose(pipe) == 0 ? output : "";
}

std::vector<std::uint8_t> bytes_at(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

SourceLines lines_in(const std::vector<std::uint8_t>& bytes) {
  FileWindow window(bytes);
  return read_source_lines(window);
}

// A folder with a program of `tools`, "mips-linux-gnu-".
class LinedProgram {
 public:
  explicit LinedProgram(std::string tools) : tools_(std::move(tools)) {
    std::filesystem::create_directory(folder() + "/sub");
    write("sub/square.h", lined_header);
    write("a.c", lined_source);
    write("main.c", lined_main);
    write("ia64.s", lined_ia64);
  }

  const std::string& folder() const { return folder_.path(); }
  std::string program() const { return folder() + "/program"; }
  std::vector<std::uint8_t> bytes() const { return bytes_at(program()); }

  // Whether the tools are there.
  bool compile(const std::string& options) const {
    return in_folder(tools_ + "gcc -static -nostdlib -ffreestanding -Wl,-e,_start " + options +
                     " a.c main.c -o program");
  }
  bool in_folder(const std::string& command) const {
    const std::string whole = "cd " + folder() + " && " + command + " 2>/dev/null";
    return std::system(whole.c_str()) == 0;
  }

  // addr2line's "path:line" of each of these; "" for none.
  std::vector<std::string> expected(const std::vector<GuestAddr>& addresses) const {
    std::ofstream list(folder() + "/addresses");
    for (const GuestAddr each : addresses) list << std::hex << each.value() << "\n";
    list.close();
    const std::string output =
        answer_of(tools_ + "addr2line -e " + program() + " < " + folder() + "/addresses");
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < output.size();) {
      const std::size_t end = output.find('\n', at);
      std::string line = output.substr(at, end - at);
      line = line.substr(0, line.find(" (discriminator"));
      const bool is_none = line.starts_with("??") || line.ends_with(":?") || line.ends_with(":0");
      lines.push_back(is_none ? "" : line);
      at = end + 1;
    }
    return lines;
  }

 private:
  void write(const std::string& name, const char* text) const {
    std::ofstream(folder() + "/" + name) << text;
  }

  std::string tools_;
  support::TemporaryFolder folder_;
};

std::vector<GuestAddr> addresses_of_code(const std::vector<std::uint8_t>& bytes,
                                         std::uint64_t step) {
  std::vector<GuestAddr> addresses;
  const auto image = load_image(bytes);
  EXPECT_TRUE(image.ok());
  if (!image) return addresses;
  for (const CodeRange& range : image->code) {
    for (std::uint64_t at = 0; at < range.size; at += step) addresses.push_back(range.start + at);
  }
  return addresses;
}

std::string line_at(const LineTable& table, GuestAddr pc) {
  const LineRange* const range = table.find(pc);
  if (range == nullptr) return "";
  return table.file_of(*range).path + ":" + std::to_string(range->line);
}

// Compares all addresses of the code; there are at least `least` with a line.
void expect_same_lines(const LinedProgram& program, std::uint64_t step, std::size_t least) {
  const std::vector<std::uint8_t> bytes = program.bytes();
  const SourceLines lines = lines_in(bytes);
  EXPECT_EQ(lines.objection, "");
  const std::vector<GuestAddr> addresses = addresses_of_code(bytes, step);
  const std::vector<std::string> expected = program.expected(addresses);
  ASSERT_EQ(expected.size(), addresses.size());
  std::size_t with_line = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    EXPECT_EQ(line_at(lines.table, addresses[i]), expected[i]) << std::hex << addresses[i].value();
    if (!expected[i].empty()) ++with_line;
  }
  EXPECT_GE(with_line, least);
}

TEST(SourceLines, EachAddressHasTheLineOfAddr2line) {
  unsigned compiled = 0;
  for (const char* tools : {"mips-linux-gnu-", "mipsel-linux-gnu-", "mips64-linux-gnuabi64-",
                            "mips64el-linux-gnuabi64-", "hppa-linux-gnu-"}) {
    const LinedProgram program(tools);
    if (!program.compile("-g")) continue;
    ++compiled;
    // The assembler makes the table of lines, of version 3 unless it is told otherwise.
    for (const char* options :
         {"-gdwarf-2 -gstrict-dwarf -Wa,-gdwarf-2 -O2", "-gdwarf-3 -O2", "-gdwarf-4 -O0",
          "-gdwarf-4 -O2 -ffile-prefix-map=$PWD=.", "-gdwarf-5 -O0", "-gdwarf-5 -O2 -gz=zlib",
          "-gdwarf-5 -Wa,-gdwarf-5 -O0",
          "-gdwarf-5 -Wa,-gdwarf-5 -O2 -ffunction-sections -Wl,--gc-sections",
          "-gdwarf-5 -Wa,-gdwarf-5 -O2 -ffile-prefix-map=$PWD=."}) {
      SCOPED_TRACE(std::string(tools) + " " + options);
      ASSERT_TRUE(program.compile(options));
      expect_same_lines(program, 4, 20);
    }
  }
  if (compiled == 0) GTEST_SKIP() << "no cross compiler; install gcc-mips-linux-gnu";
}

TEST(SourceLines, Ia64HasTheLineOfAddr2line) {
  const LinedProgram program("ia64-linux-gnu-");
  for (const char* version : {"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"}) {
    SCOPED_TRACE(version);
    if (!program.in_folder(std::string("ia64-linux-gnu-as ") + version + " -o ia64.o ia64.s")) {
      GTEST_SKIP() << "no ia64-linux-gnu-as; install binutils-ia64-linux-gnu";
    }
    ASSERT_TRUE(program.in_folder("ia64-linux-gnu-ld -o program ia64.o"));
    // The pcs of a bundle's slots are its address and the two behind it.
    expect_same_lines(program, 1, 6);
  }
}

// "a.c:10" and, after it, "  400100:	...": each instruction with the line above it.
std::map<std::uint64_t, std::string> lines_of_objdump(const std::string& listing) {
  std::map<std::uint64_t, std::string> lines;
  std::istringstream text(listing);
  std::string line, current;
  while (std::getline(text, line)) {
    unsigned long address = 0;
    if (std::sscanf(line.c_str(), " %lx:\t", &address) == 1 && line.starts_with("  ")) {
      lines[address] = current;
    } else if (line.find(".c:") != line.npos) {
      current = line;
    }
  }
  return lines;
}

TEST(SourceLines, EcoffHasTheLinesOfItsSymbolTable) {
  for (const Endian order : {Endian::big, Endian::little}) {
    const SourceLines lines = lines_in(tiny_ecoff(order).bytes);
    EXPECT_EQ(lines.objection, "");
    EXPECT_EQ(line_at(lines.table, GuestAddr(0x400240)), "a.c:10");
    EXPECT_EQ(line_at(lines.table, GuestAddr(0x400250)), "a.c:11");
    EXPECT_EQ(line_at(lines.table, GuestAddr(0x400258)), "a.c:267");
    EXPECT_EQ(line_at(lines.table, GuestAddr(0x400260)), "");
    EXPECT_TRUE(lines_in(tiny_ecoff(order).put_word(ecoff::symbols_at, 0).bytes).table.empty());
  }
}

TEST(SourceLines, MdebugHasTheLinesOfObjdump) {
  const FileBytes file = program_with_mdebug();
  const support::TemporaryFolder folder;
  const std::string path = folder.path() + "/program";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.bytes.data()),
             static_cast<std::streamsize>(file.bytes.size()));
  const std::string listing = answer_of("mips-linux-gnu-objdump -dl " + path + " 2>/dev/null");
  if (listing.empty()) GTEST_SKIP() << "no mips-linux-gnu-objdump; install binutils-mips-linux-gnu";
  const auto expected = lines_of_objdump(listing);
  const SourceLines lines = lines_in(file.bytes);
  EXPECT_EQ(lines.objection, "");
  unsigned compared = 0;
  for (std::uint64_t pc = 0x400100; pc < 0x400160; pc += 4, ++compared) {
    ASSERT_EQ(expected.count(pc), 1U) << listing;
    EXPECT_EQ(line_at(lines.table, GuestAddr(pc)), expected.at(pc)) << std::hex << pc;
  }
  EXPECT_EQ(compared, 24U);
  // As the packed bytes in debug_builder.h have it.
  EXPECT_EQ(line_at(lines.table, GuestAddr(0x400118)), "a.c:267");
  EXPECT_EQ(line_at(lines.table, GuestAddr(0x400140)), "a.c:299");
  EXPECT_EQ(line_at(lines.table, GuestAddr(0x400160)), "");
}

}  // namespace
}  // namespace hardclock::testing
