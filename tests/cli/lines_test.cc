// Source lines in reports, end to end: GNU addr2line, objdump and callgrind_annotate say what they
// must be. Programs are made by Debian's cross compiler, and by IRIX's cc where that is beside the
// source tree.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "tests/cli/command_test.h"
#include "tests/cli/profile_files.h"

namespace hardclock::cli_test {
namespace {

constexpr char twist_header[] = R"(
static inline __attribute__((always_inline)) int twist(int i) {
  return i * 3 +
         (i >> 2);
}
)";
constexpr char hot_source[] = R"(
#include "twist.h"
volatile unsigned x;
__attribute__((noinline)) void hot(int n) {
  for (int i = 0; i < n; i++)
    x += twist(i);
}
int main(void) {
  for (int i = 0; i < 20; i++) hot(300);

  return 0;
}
)";

using ByAddress = std::map<std::uint64_t, std::string>;

// "  4000cc:	addiu ..." with or without figures before it.
std::optional<std::uint64_t> address_in(const std::string& line) {
  const std::size_t end = line.find(":\t");
  if (end == std::string::npos) return std::nullopt;
  const std::size_t start = line.find_last_of(" \t", end) + 1;
  const std::string digits = line.substr(start, end - start);
  if (digits.empty() || digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return std::nullopt;
  }
  return std::stoull(digits, nullptr, 16);
}

// The "file:line" above each instruction of a listing by objdump -dl or report --annotate.
ByAddress lines_above(const std::string& listing) {
  ByAddress lines;
  std::string current;
  for (const std::string& line : lines_of(listing)) {
    if (const auto address = address_in(line)) {
      lines[*address] = current;
      continue;
    }
    const std::size_t colon = line.find(':');
    const std::size_t end = line.find_first_not_of("0123456789", colon + 1);
    if (line.starts_with(' ') || colon == std::string::npos || end == colon + 1) continue;
    current = line.substr(0, end);
  }
  return lines;
}

class Lines : public CommandTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/bin/mips-linux-gnu-gcc")) {
      GTEST_SKIP() << "no mips-linux-gnu-gcc; install gcc-mips-linux-gnu";
    }
    std::filesystem::create_directory(path("src"));
    write("src/twist.h", twist_header);
    write("src/hot.c", hot_source);
    make("hot", "-O1 -g -static src/hot.c");
  }

  void shell(const std::string& command) const {
    const Finished finished = other_program({"sh", "-c", "cd " + folder() + " && " + command});
    ASSERT_EQ(finished.status, 0) << command << "\n" << finished.err;
  }
  // Compiles and profiles: program and program.json.
  void make(const std::string& program, const std::string& options) const {
    shell("mips-linux-gnu-gcc " + options + " -o " + program);
    const Finished finished = hardclock({"run", "--profile=" + program + ".json", program});
    ASSERT_EQ(finished.status, 0) << finished.err;
  }

  std::string report(const std::string& program, std::vector<std::string> options) const {
    options.insert(options.begin(), {"report", program + ".json", program});
    const Finished finished = hardclock(options);
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    return finished.out;
  }

  // addr2line's line of an address, its folder left out.
  std::string addr2line(const std::string& program, std::uint64_t address) const {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    const Finished finished =
        other_program({"mips-linux-gnu-addr2line", "-e", path(program), text});
    const std::string line = lines_of(finished.out).at(0);
    return replace(line.substr(0, line.find(" (disc")), folder() + "/", "");
  }

  // The cycles of each line of hot() and main(), by the profile, GNU nm and addr2line.
  std::map<std::string, std::uint64_t> cycles_by_line(const std::string& program) const {
    std::map<std::string, std::uint64_t> cycles;
    const auto process = nlohmann::json::parse(read(program + ".json")).at("processes").at(0);
    const Counts counts = counts_of(process, "cycles");
    const Finished nm = other_program({"mips-linux-gnu-nm", "-S", path(program)});
    for (const std::string& line : lines_of(nm.out)) {
      unsigned start = 0, size = 0;
      if (!line.ends_with(" T hot") && !line.ends_with(" T main")) continue;
      EXPECT_EQ(std::sscanf(line.c_str(), "%x %x", &start, &size), 2) << line;
      for (auto each = counts.lower_bound(start);
           each != counts.end() && each->first < start + size; ++each) {
        cycles[addr2line(program, each->first)] += each->second;
      }
    }
    return cycles;
  }
};

TEST_F(Lines, AnnotateHasTheLinesOfObjdump) {
  const std::string listing = report("hot", {"--annotate=hot"});
  const ByAddress ours = lines_above(listing);
  const ByAddress theirs =
      lines_above(other_program({"mips-linux-gnu-objdump", "-dl", path("hot")}).out);
  ASSERT_GT(ours.size(), 10U) << listing;
  std::set<std::string> seen;
  for (const auto& [address, line] : ours) {
    EXPECT_EQ(folder() + "/" + line, theirs.at(address)) << std::hex << address;
    seen.insert(line);
  }
  EXPECT_TRUE(seen.contains("src/twist.h:4") && seen.contains("src/hot.c:6")) << listing;
  // With the text of the files above.
  EXPECT_TRUE(contains(listing, "\nsrc/twist.h:4:          (i >> 2);\n")) << listing;
  EXPECT_TRUE(contains(listing, "\nsrc/hot.c:6:     x += twist(i);\n")) << listing;
}

TEST_F(Lines, TheTableSumsUpTheInstructionsOfALine) {
  const std::string table = report("hot", {"--lines"});
  const auto expected = cycles_by_line("hot");
  ASSERT_GE(expected.size(), 6U);
  for (const auto& [line, cycles] : expected) {
    bool is_there = false;
    for (const std::string& row : lines_of(table)) {
      if (!row.ends_with("  " + line)) continue;
      is_there = contains(row, "  " + std::to_string(cycles) + "  ");
    }
    EXPECT_TRUE(is_there) << line << " " << cycles << "\n" << table;
  }
  EXPECT_TRUE(contains(lines_of(table).at(0), "  line")) << table;
  EXPECT_TRUE(contains(table, ", no line\n")) << "libc has no lines\n" << table;
}

TEST_F(Lines, SourcesAreLookedForBelowDirectories) {
  shell("mkdir -p a/src b && mv src/hot.c a/src && echo decoy > b/hot.c");
  const std::string none = report("hot", {"--annotate=hot"});
  EXPECT_TRUE(contains(none, "src/hot.c:4 (no such file; --source=DIR says where it is)\n"));
  EXPECT_TRUE(contains(none, "\nsrc/hot.c:6\n")) << "that is said once";
  EXPECT_TRUE(contains(none, "src/twist.h:4:  ")) << "that one is still there";
  for (const char* option : {"--source=a", "--source=b:a", "--source=nowhere:a/src"}) {
    EXPECT_TRUE(
        contains(report("hot", {"--annotate=hot", option}), "\nsrc/hot.c:6:     x += twist(i);\n"))
        << option;
  }
  expect_complaint(hardclock({"report", "hot.json", "hot", "--annotate", "--source=a::b"}),
                   {"--source", "DIR:DIR", "a::b"});
  expect_complaint(hardclock({"report", "hot.json", "hot", "--source=a"}),
                   {"--source", "--annotate"});
}

TEST_F(Lines, AChangedSourceIsSaidToBeSo) {
  shell("touch -d '2020-01-01' src/hot.c src/twist.h && touch -d '2021-01-01' hot");
  EXPECT_FALSE(contains(report("hot", {"--annotate=hot"}), "newer"));
  shell("touch -d '2022-01-01' src/hot.c");
  const std::string newer = report("hot", {"--annotate=hot"});
  EXPECT_TRUE(contains(newer, "(src/hot.c is newer than the program: its lines may be others)\n"));
  EXPECT_FALSE(contains(newer, "twist.h is newer"));
  write("src/hot.c", "one\ntwo\nthree\nfour\nfive");
  const std::string shorter = report("hot", {"--annotate=hot"});
  EXPECT_TRUE(contains(shorter, "src/hot.c:4: four\n")) << shorter;
  EXPECT_TRUE(contains(shorter, "src/hot.c:5: five\n")) << shorter;
  EXPECT_TRUE(contains(shorter, "src/hot.c:6 (the file has only 5 lines)\n")) << shorter;
}

// Reading a device or a pipe may never end; control characters would reach the terminal.
TEST_F(Lines, SourcesThatAreNoTexts) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  write("odd", "\tint x; \x1b[31m\r\n");
  for (const char* file : {"/dev/zero", "/proc/kmsg", "pipe", "src", "odd"}) {
    write("odd.c", std::string("volatile int x;\nint main(void) {\n#line 1 \"") + file +
                       "\"\n  for (int i = 0; i < 9; i++) x++;\n  return 0;\n}\n");
    make("odd_program", "-g -static odd.c");
    const std::string listing = report("odd_program", {"--annotate=main"});
    const std::string line = file == std::string("odd") ? "odd:1:         int x; \\x1b[31m\n"
                                                        : std::string(file) + ":1 (no such file";
    EXPECT_TRUE(contains(listing, line)) << file << "\n" << listing;
  }
}

TEST_F(Lines, WithoutDebugInformationNothingChanges) {
  shell("mips-linux-gnu-strip -g -o bare hot && cp hot.json bare.json");
  std::string without_lines;
  for (const std::string& line : lines_of(report("hot", {"--annotate=hot"}))) {
    if (!line.starts_with("src/")) without_lines += line + "\n";
  }
  EXPECT_EQ(report("bare", {"--annotate=hot"}), without_lines);
  expect_complaint(hardclock({"report", "bare.json", "bare", "--lines"}),
                   {"bare", "no line numbers", "-g"});
  report("bare", {"--format=callgrind", "--output=bare.out"});
  EXPECT_TRUE(contains(read("bare.out"), "fl=???\nfn=hot\n0x"));
}

TEST_F(Lines, DamagedDebugInformationIsSaidToBeSo) {
  shell(
      "printf 'no table of lines' > junk && "
      "mips-linux-gnu-objcopy --update-section .debug_line=junk hot bad && cp hot.json bad.json");
  const Finished annotated = hardclock({"report", "bad.json", "bad", "--annotate=hot"});
  EXPECT_EQ(annotated.status, 0);
  EXPECT_TRUE(contains(annotated.err, "hardclock: bad: DWARF unit at ")) << annotated.err;
  EXPECT_EQ(lines_of(annotated.err).size(), 1U) << annotated.err;
  EXPECT_TRUE(contains(annotated.out, "hot: "));
  expect_complaint(hardclock({"report", "bad.json", "bad", "--lines"}),
                   {"bad: DWARF unit at ", "compile it again"});
}

TEST_F(Lines, OptionsThatDoNotFit) {
  for (const char* other : {"--annotate", "--truth"}) {
    expect_complaint(hardclock({"report", "hot.json", "hot", "--lines", other}),
                     {"--lines", "exclude"});
  }
  expect_complaint(hardclock({"report", "hot.json", "hot", "--lines", "--format=callgrind"}),
                   {"--lines answers in text", "--format=callgrind"});
}

TEST_F(Lines, CallgrindAnnotateShowsTheSource) {
  if (!std::filesystem::exists("/usr/bin/callgrind_annotate")) {
    GTEST_SKIP() << "no callgrind_annotate; install valgrind";
  }
  report("hot", {"--output=callgrind.out"});
  const Finished shown = other_program({"callgrind_annotate", "--auto=yes", "--threshold=100",
                                        "--show=Cycles", path("callgrind.out")});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const auto expected = cycles_by_line("hot");
  // "1,234 ( 9.99%)      x += twist(i);"
  for (const auto& [line, text] : std::map<std::string, std::string>{
           {"src/hot.c:6", "x += twist(i);"}, {"src/twist.h:4", "(i >> 2);"}}) {
    std::string cycles = std::to_string(expected.at(line));
    ASSERT_GT(cycles.size(), 3U);
    cycles.insert(cycles.size() - 3, ",");
    bool is_there = false;
    for (const std::string& row : lines_of(shown.out)) {
      is_there = is_there || (contains(row, cycles + " (") && row.ends_with(text));
    }
    EXPECT_TRUE(is_there) << cycles << " " << text << "\n" << shown.out;
  }
}

// The library's addresses are those of the run; it is found in the working directory.
TEST_F(Lines, SharedObjectsHaveLines) {
  constexpr const char* root = "/usr/mips-linux-gnu";
  if (!std::filesystem::exists(std::string(root) + "/lib/libc.so.6")) {
    GTEST_SKIP() << "no libc for MIPS; install libc6-dev-mips-cross";
  }
  write("main.c", "void hot(int);\nint main(void) {\n  hot(5000);\n  return 0;\n}\n");
  shell(
      "sed -i 's/int main/int unused/' src/hot.c && "
      "mips-linux-gnu-gcc -O1 -g -fPIC -shared -o libhot.so src/hot.c && "
      "mips-linux-gnu-gcc -O1 -g main.c -L. -lhot -Wl,-rpath=. -o dynamic");
  const Finished run = hardclock({"run", "-L", root, "--profile=dynamic.json", "dynamic"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string table = report("dynamic", {"--lines", "-L", root});
  EXPECT_TRUE(contains(table, "  src/hot.c:6 (libhot.so)\n")) << table;
  EXPECT_TRUE(contains(table, "  main.c:3\n")) << table;
  const std::string listing = report("dynamic", {"--annotate=hot", "-L", root});
  const ByAddress ours = lines_above(listing);
  ASSERT_GT(ours.size(), 10U) << listing;
  for (const auto& [address, line] : ours) {
    EXPECT_EQ(line, addr2line("libhot.so", address)) << listing;
  }
}

// BFD takes a linked file's procedures for absolute, which IRIX's ld leaves relative: it is right
// for object files alone. So each instruction of hot() has, from its first one on, the lines of the
// object file.
TEST_F(Lines, IrixProgramsHaveTheLinesOfTheirObjects) {
  std::error_code error;
  const auto own = std::filesystem::canonical("syscalls/irix/syscalls.master", error);
  const std::string irix = (own.parent_path() / "../../../shared/irix").lexically_normal();
  if (!std::filesystem::exists(irix + "/ido5.3")) {
    GTEST_SKIP() << "no ../shared/irix/ido5.3 beside the source tree";
  }
  write("p.c",
        "volatile int x;\n\nvoid hot(int n)\n{\n  int i;\n  for (i = 0; i < n; i++)\n"
        "    x +=\n      i;\n}\n\nint main(void)\n{\n  hot(1000);\n  return 0;\n}\n");
  const std::string root = irix + "/ido5.3";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"-g", "-c", "-o", "object.o", "p.c"}, {"-g", "-o", "p", "p.c"}}) {
    std::vector<std::string> command = {"run", "-L", root, "--env", "PATH=/usr/bin", "/usr/bin/cc"};
    command.insert(command.end(), words.begin(), words.end());
    const Finished finished = hardclock(command);
    ASSERT_EQ(finished.status, 0) << finished.err;
  }
  ASSERT_EQ(hardclock({"run", "-L", root, "--profile=p.json", "p"}).status, 0);
  const ByAddress ours = lines_above(report("p", {"--annotate=hot"}));
  const ByAddress theirs =
      lines_above(other_program({"mips-linux-gnu-objdump", "-dl", path("object.o")}).out);
  ASSERT_GT(ours.size(), 10U);
  for (const auto& [address, line] : ours) {
    EXPECT_EQ(line, theirs.at(address - ours.begin()->first)) << std::hex << address;
  }
  EXPECT_TRUE(contains(report("p", {"--annotate=hot"}), "p.c:6:   for (i = 0; i < n; i++)\n"));
  EXPECT_TRUE(contains(report("p", {"--lines"}), "  p.c:7\n"));
}

}  // namespace
}  // namespace hardclock::cli_test
