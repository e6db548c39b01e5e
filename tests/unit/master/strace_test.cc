// Text as strace(1) writes it. Where a comment says "strace 6.1", that program printed exactly this
// for the same bytes on Linux; -s and the abbreviation of strings are described in its manual page.
#include "syscalls/master/strace.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/master/sample_calls.h"

namespace hardclock {
namespace {

constexpr GuestAddr text{0x10000};  // two pages that can be read and written
constexpr std::uint64_t text_size = 2 * page_size;
constexpr GuestAddr hidden{0x20000};  // a page that cannot be read
constexpr GuestAddr stack{0x40000};   // a stack's lowest page, which may grow down
constexpr GuestAddr stack_limit{0x30000};
constexpr GuestAddr unmapped{0x10};

const CallInfo& call(unsigned number, std::optional<unsigned> subcode = std::nullopt) {
  return *sample::find_call(number, subcode);
}
const CallInfo& read_call = call(2);
const CallInfo& write_call = call(3);
const CallInfo& open_call = call(4);

class Strace : public ::testing::Test {
 protected:
  Strace() {
    const Permissions read_write{true, true, false};
    EXPECT_TRUE(memory_.map(text, text_size, read_write, "text"));
    EXPECT_TRUE(memory_.map(hidden, page_size, Permissions{}, "hidden"));
    EXPECT_TRUE(memory_.map_stack(stack, page_size, stack_limit));
  }

  GuestAddr put(std::string_view bytes, GuestAddr at = text) {
    std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
    EXPECT_TRUE(memory_.write_bytes(at, copy));
    return at;
  }

  std::string format(const CallInfo& info, std::vector<std::uint64_t> slots) {
    return CallText(info, slots, memory_).at_entry();
  }
  std::string written(std::string_view bytes) {
    return format(write_call, {2, put(bytes).value(), bytes.size()});
  }
  std::string opened(GuestAddr path) { return format(open_call, {path.value(), 0, 0}); }

  std::shared_ptr<MemoryBudget> budget_ = std::make_shared<MemoryBudget>(1 << 20);
  AddressSpace memory_{budget_, Endian::big, GuestAddr(0x80000000)};
};

TEST_F(Strace, ShowsPathsFlagsAndModes) {
  EXPECT_EQ(opened(put({"/etc/passwd\0", 12})), "open(\"/etc/passwd\", 0x0, 0)");
  EXPECT_EQ(format(open_call, {text.value(), 0x301, 0644}), "open(\"/etc/passwd\", 0x301, 0644)");
}

TEST_F(Strace, EscapesLikeC) {
  // strace 6.1
  EXPECT_EQ(written({"a\tb\n\"q\\\0z\1\0019\177\377\33x\0\0", 18}),
            R"(write(2, "a\tb\n\"q\\\0z\1\19\177\377\33x\0\0", 18))");
  EXPECT_EQ(written("\v\f\r"), R"(write(2, "\v\f\r", 3))");
  // strace 6.1: an octal digit behind an escape makes it three digits long; 8 is none
  EXPECT_EQ(written({"\0017\0018\0000", 6}), R"(write(2, "\0017\18\0000", 6))");
  EXPECT_EQ(opened(put({"/nonex/\xc3\xa9\0", 10})), R"(open("/nonex/\303\251", 0x0, 0))");
}

TEST_F(Strace, CutsBuffersAfter32Bytes) {
  // strace 6.1
  EXPECT_EQ(written("01234567890123456789012345678901"),
            "write(2, \"01234567890123456789012345678901\", 32)");
  EXPECT_EQ(written("012345678901234567890123456789012"),
            "write(2, \"01234567890123456789012345678901\"..., 33)");
  EXPECT_EQ(written(""), "write(2, \"\", 0)");
  // strace 6.1, there with the 64-bit size 18446744073709551615
  EXPECT_EQ(format(write_call, {2, text.value(), 0xffffffff}),
            "write(2, \"01234567890123456789012345678901\"..., 4294967295)");
}

TEST_F(Strace, CutsStringsButNotPaths) {
  const std::string name = "012345678901234567890123456789012";
  put(std::string_view(name.c_str(), name.size() + 1));
  // strace(1), -s: "filenames are not considered strings and are always printed in full"
  EXPECT_EQ(opened(text), "open(\"" + name + "\", 0x0, 0)");
  EXPECT_EQ(format(call(13), {text.value(), 0, 0}),
            "attribute(\"01234567890123456789012345678901\"..., 0, 0)");
  EXPECT_EQ(format(call(13), {text.value() + 1, 0, 0}),
            "attribute(\"12345678901234567890123456789012\", 0, 0)");
}

TEST_F(Strace, ShowsUnreadablePointersAsAddresses) {
  // strace 6.1: write(2, 0x10, 5), write(2, NULL, 5), openat(AT_FDCWD, 0x10, O_RDONLY) and
  // openat(AT_FDCWD, NULL, O_RDONLY)
  EXPECT_EQ(format(write_call, {2, 0x10, 5}), "write(2, 0x10, 5)");
  EXPECT_EQ(format(write_call, {2, 0, 5}), "write(2, NULL, 5)");
  EXPECT_EQ(opened(unmapped), "open(0x10, 0x0, 0)");
  EXPECT_EQ(opened(GuestAddr(0)), "open(NULL, 0x0, 0)");
  EXPECT_EQ(opened(hidden), "open(0x20000, 0x0, 0)");
  EXPECT_EQ(opened(GuestAddr(0xfffffff0)), "open(0xfffffff0, 0x0, 0)");
}

TEST_F(Strace, AStringMustEndBeforeTheMemoryDoes) {
  const GuestAddr end = text + text_size;
  put("abc", end - 3);
  EXPECT_EQ(opened(end - 3), "open(0x11ffd, 0x0, 0)");
  EXPECT_EQ(format(write_call, {2, (end - 3).value(), 4}), "write(2, 0x11ffd, 4)");
  EXPECT_EQ(format(write_call, {2, (end - 3).value(), 3}), "write(2, \"abc\", 3)");
  put(std::string_view("ab\0", 3), end - 3);
  EXPECT_EQ(opened(end - 3), "open(\"ab\", 0x0, 0)");
}

TEST_F(Strace, APathCrossesPagesAndHasAnEnd) {
  const GuestAddr across = text + (page_size - 4);
  put({"/usr/lib\0", 9}, across);
  EXPECT_EQ(opened(across), "open(\"/usr/lib\", 0x0, 0)");
  // IRIX limits a path to PATH_MAX = 1024 bytes; more than that need not be shown.
  put(std::string(text_size, 'x'));
  EXPECT_EQ(opened(text), "open(\"" + std::string(1024, 'x') + "\"..., 0x0, 0)");
}

TEST_F(Strace, LeavesTheStackAsItIs) {
  const GuestAddr below = stack - 16;
  EXPECT_EQ(opened(below), "open(0x3fff0, 0x0, 0)");
  EXPECT_EQ(format(write_call, {2, below.value(), 40}), "write(2, 0x3fff0, 40)");
  EXPECT_TRUE(memory_.is_free(stack - page_size, page_size));
}

TEST_F(Strace, ReadsNothingWhenTheMemoryLimitIsReached) {
  AddressSpace poor(std::make_shared<MemoryBudget>(page_size), Endian::big, GuestAddr(0x80000000));
  const Permissions read_write{true, true, false};
  ASSERT_TRUE(poor.map(text, page_size, read_write, "text"));
  ASSERT_TRUE(poor.map(hidden, page_size, read_write, "takes the only page"));
  ASSERT_TRUE(poor.write<std::uint8_t>(hidden, 1));
  const std::vector<std::uint64_t> slots = {text.value(), 0, 0};
  EXPECT_EQ(CallText(open_call, slots, poor).at_entry(), "open(0x10000, 0x0, 0)");
}

TEST_F(Strace, ShowsWhatTheCallFilledOnceItReturned) {
  const std::vector<std::uint64_t> slots = {3, text.value(), 40};
  const CallText read(read_call, slots, memory_);
  EXPECT_EQ(read.at_entry(), "read(3, 0x10000, 40)");
  put(":root:/root:/bin/bash\ndaemon:x:1:1:daemo");
  // strace 6.1
  EXPECT_EQ(read.at_return(40, memory_), "read(3, \":root:/root:/bin/bash\\ndaemon:x:1\"..., 40)");
  EXPECT_EQ(read.at_return(5, memory_), "read(3, \":root\", 40)");
  EXPECT_EQ(read.at_return(0, memory_), "read(3, \"\", 40)");
  // A result beyond the buffer would be hardclock's mistake; no more than the buffer is shown.
  EXPECT_EQ(CallText(read_call, std::vector<std::uint64_t>{3, text.value(), 2}, memory_)
                .at_return(40, memory_),
            "read(3, \":r\", 2)");
}

TEST_F(Strace, KeepsWhatTheCallReadThoughItIsOverwritten) {
  put({"before\0", 7});
  const CallText open(open_call, std::vector<std::uint64_t>{text.value(), 0, 0}, memory_);
  put({"after\0", 6});
  EXPECT_EQ(open.at_return(3, memory_), "open(\"before\", 0x0, 0)");
}

TEST_F(Strace, ShowsStringsThatTheCallFilledIn) {
  const CallText name(call(10), std::vector<std::uint64_t>{text.value(), 64}, memory_);
  EXPECT_EQ(name.at_entry(), "gethostname(0x10000, 64)");
  put({"iris\0", 5});
  EXPECT_EQ(name.at_return(0, memory_), "gethostname(\"iris\", 64)");
}

TEST_F(Strace, NumbersHaveTheirKindsSigns) {
  EXPECT_EQ(format(call(13), {0, 0xffffffff, 0xfffffffd}), "attribute(NULL, 4294967295, -3)");
  // The same whether the caller extends a 32-bit word with zeros or with its sign.
  const std::uint64_t minus_three = ~std::uint64_t{2};
  EXPECT_EQ(format(call(13), {0, minus_three, minus_three}), "attribute(NULL, 4294967293, -3)");
  EXPECT_EQ(format(call(11), {0xffffffff80001000}), "brk(0x80001000)");
  EXPECT_EQ(format(call(9), {022}), "umask(022)");  // strace 6.1
  EXPECT_EQ(format(call(1), {0xffffffff}), "leave(-1)");
}

TEST_F(Strace, A64BitNumberIsTwoSlotsAndPadsAreSilent) {
  EXPECT_EQ(format(call(8), {3, 99, 1, 2, 0}), "lseek64(3, 4294967298, 0)");
  EXPECT_EQ(format(call(8), {3, 99, 0xffffffff, 0xfffffffd, 1}), "lseek64(3, -3, 1)");
}

TEST_F(Strace, A64BitSystemHasWideWords) {
  CallInfo wide = call(13);
  wide.word_bits = 64;
  EXPECT_EQ(format(wide, {0x8000000000, 7, 0x80000000}), "attribute(0x8000000000, 7, 2147483648)");
}

TEST_F(Strace, NamesSignals) {
  const std::vector<std::uint64_t> slots = {8388607, 16};
  const auto name = [](unsigned signal) -> std::string_view {
    return signal == 16 ? "SIGUSR1" : "";
  };
  EXPECT_EQ(CallText(call(5), slots, memory_, {.signal_name = name}).at_entry(),
            "kill(8388607, SIGUSR1)");                             // strace 6.1
  EXPECT_EQ(format(call(5), {8388607, 77}), "kill(8388607, 77)");  // strace 6.1
  const std::vector<std::uint64_t> to_all = {0xffffffff, 0};
  EXPECT_EQ(CallText(call(5), to_all, memory_, {.signal_name = name}).at_entry(), "kill(-1, 0)");
}

// strace 6.1 shows open("/etc/passwd", O_RDONLY): the third argument is whatever was there.
TEST_F(Strace, AnOpenThatCreatesNothingHasNoMode) {
  put({"/etc/passwd\0", 12});
  const auto shown = [&](std::uint64_t flags) {
    const std::vector<std::uint64_t> slots = {text.value(), flags, 017737600034};
    return CallText(open_call, slots, memory_, {.create_flag = 0x100}).at_entry();
  };
  EXPECT_EQ(shown(0), "open(\"/etc/passwd\", 0x0)");
  EXPECT_EQ(shown(0x301), "open(\"/etc/passwd\", 0x301, 017737600034)");
}

// 32-bit programs of HP-UX for IA-64: the two highest bits of a pointer choose the region.
TEST_F(Strace, APointerMayStandForAnotherAddress) {
  put({"/usr/lib\0", 9});
  const std::vector<std::uint64_t> slots = {0x40000000 | text.value(), 0, 0};
  const CallTextRules rules{.create_flag = 0x100, .address_of = [](std::uint64_t pointer) {
                              return GuestAddr(pointer & 0x3fffffff);
                            }};
  EXPECT_EQ(CallText(open_call, slots, memory_, rules).at_entry(), "open(\"/usr/lib\", 0x0)");
  const std::vector<std::uint64_t> nowhere = {0x7fffe000, 0, 0};
  EXPECT_EQ(CallText(open_call, nowhere, memory_, rules).at_entry(), "open(0x7fffe000, 0x0)");
}

TEST_F(Strace, RequestsShowTheirOwnArguments) {
  EXPECT_EQ(format(call(20, 1), {1, text.value(), 0x10, 0xbad}), "first(0x10000, 0x10)");
  EXPECT_EQ(format(call(21, 2), {text.value(), 0x1234, 2}), "status(0x10000, 0x1234)");
  EXPECT_EQ(format(call(20), {77, 1, 2, 3, 4, 0xbad}), "multiplexed(77, 0x1, 0x2, 0x3, 0x4)");
}

TEST_F(Strace, UnknownArgumentsAreWords) {
  EXPECT_EQ(format(call(7), {1, 2, 0xffffffffffffffff, 4, 5}),
            "nobody_knows(0x1, 0x2, 0xffffffff, 0x4)");
}

TEST_F(Strace, ArgumentsThatAreNotThereAreQuestions) {
  EXPECT_EQ(format(read_call, {3}), "read(3, ?, ?)");
  EXPECT_EQ(format(call(8), {3, 0, 1}), "lseek64(3, ?, ?)");
  EXPECT_EQ(format(write_call, {}), "write(?, ?, ?)");
}

TEST(StraceResult, IsWhatTheTableSays) {
  EXPECT_EQ(format_result(open_call, 3, std::nullopt, std::nullopt), " = 3");
  EXPECT_EQ(format_result(call(9), 022, std::nullopt, std::nullopt), " = 022");  // strace 6.1
  EXPECT_EQ(format_result(call(11), 0x80001000, std::nullopt, std::nullopt), " = 0x80001000");
  EXPECT_EQ(format_result(call(20, 1), 0, std::nullopt, std::nullopt), " = 0x0");
  EXPECT_EQ(format_result(read_call, 0xffffffff, std::nullopt, std::nullopt), " = -1");
  EXPECT_EQ(format_result(call(1), 0, std::nullopt, std::nullopt), " = ?");  // strace 6.1
}

// strace(1): what is added to a result stands behind it in parentheses, as in " = 1 (in [3])".
TEST(StraceResult, ShowsASecondResult) {
  EXPECT_EQ(format_result(call(6), 12, 1, std::nullopt), " = 12 (ppid 1)");
  EXPECT_EQ(format_result(call(6), 12, std::nullopt, std::nullopt), " = 12");
  EXPECT_EQ(format_result(open_call, 3, 1, std::nullopt), " = 3");
  EXPECT_EQ(format_result(call(8), 4294967298, std::nullopt, std::nullopt), " = 4294967298");
  EXPECT_EQ(format_result(call(8), ~std::uint64_t{2}, std::nullopt, std::nullopt), " = -3");
}

// The number of the error is hardclock's own addition: it differs from system to system.
TEST(StraceResult, NamesErrors) {
  EXPECT_EQ(format_result(open_call, 2, std::nullopt, ErrnoName{"ENOENT", 2}), " = -1 ENOENT (2)");
  EXPECT_EQ(format_result(open_call, 0, 0, ErrnoName{"", 1200}), " = -1 (1200)");
  EXPECT_EQ(format_result(call(1), 0, 0, ErrnoName{"ENOSYS", 89}), " = -1 ENOSYS (89)");
}

}  // namespace
}  // namespace hardclock
