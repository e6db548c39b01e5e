// The grammar and the rules are those of syscalls/master/README.md: every expectation here is a
// sentence of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "syscalls/master/table.h"

namespace hardclock::mastergen {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Diagnostics errors_of(const std::string& text) {
  const Result<Table, Diagnostics> table = parse(text);
  return table ? check(*table) : table.error();
}

auto error_at(int line, const std::string& text) {
  return AllOf(Field(&Diagnostic::line, line), Field(&Diagnostic::message, HasSubstr(text)));
}

TEST(Parser, ReadsEveryPartOfALine) {
  const auto table = parse(
      "# comment\n"
      "system some_os 32\r\n"
      "\n"
      "7 partial {int  read( fd file ,out(count) buffer,\tsize count)} \"no # pipes\" # comment\n"
      "7.12 done { pid next() + pid parent }");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->system, "some_os");
  EXPECT_EQ(table->word_bits, 32u);
  ASSERT_EQ(table->calls.size(), 2u);

  const Call& read = table->calls[0];
  EXPECT_EQ(read.number, 7u);
  EXPECT_EQ(read.subcode, std::nullopt);
  EXPECT_EQ(read.state, CallState::partial);
  EXPECT_EQ(read.result, ValueKind::int32);
  EXPECT_EQ(read.name, "read");
  EXPECT_EQ(read.note, "no # pipes");
  EXPECT_EQ(read.prototype, "int read(fd file, out(count) buffer, size count)");
  EXPECT_EQ(read.line, 4);
  ASSERT_EQ(read.parameters.size(), 3u);
  EXPECT_EQ(read.parameters[1].kind, ValueKind::out);
  EXPECT_EQ(read.parameters[1].name, "buffer");
  EXPECT_EQ(read.parameters[1].size, "count");

  const Call& next = table->calls[1];
  EXPECT_EQ(next.subcode, 12u);
  EXPECT_EQ(next.state, CallState::done);
  ASSERT_TRUE(next.second_result);
  EXPECT_EQ(next.second_result->name, "parent");
  EXPECT_EQ(next.prototype, "pid next() + pid parent");
}

TEST(Parser, EveryKindHasOneSpelling) {
  for (int i = 0; i <= static_cast<int>(ValueKind::none); ++i) {
    const auto kind = static_cast<ValueKind>(i);
    EXPECT_EQ(find_kind(kind_name(kind)), kind);
  }
  EXPECT_EQ(find_kind("integer"), std::nullopt);
}

struct BadLine {
  std::string line;
  std::string error;
};
void PrintTo(const BadLine& bad, std::ostream* out) {
  *out << bad.line;
}

// Each line stands alone in a file of a 32-bit system, as its line 2.
class Errors : public ::testing::TestWithParam<BadLine> {};

TEST_P(Errors, AreReportedWithTheirLine) {
  EXPECT_THAT(errors_of("system os 32\n" + GetParam().line + "\n"),
              Contains(error_at(2, GetParam().error)));
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, Errors,
    ::testing::Values(
        BadLine{"system os 32", "second system line"}, BadLine{"read", "NUMBER"},
        BadLine{"-1 done { int a() }", "NUMBER"}, BadLine{"1x done { int a() }", "NUMBER"},
        BadLine{"1. done { int a() }", "NUMBER"}, BadLine{".1 done { int a() }", "NUMBER"},
        BadLine{"1.2.3 done { int a() }", "NUMBER"},
        BadLine{"99999999999 done { int a() }", "NUMBER"},
        BadLine{"1", "the state is done, partial or missing, not the end of the line"},
        BadLine{"1 perfect { int a() }", "not 'perfect'"}, BadLine{"1 done int a()", "'{'"},
        BadLine{"1 done { int a }", "'('"}, BadLine{"1 done { int a( }", "a kind"},
        BadLine{"1 done { int a(int) }", "a parameter's name"},
        BadLine{"1 done { int a(int x }", "')'"}, BadLine{"1 done { int a(int x,) }", "a kind"},
        BadLine{"1 done { int a(void) }", "'void' is no kind"},
        BadLine{"1 done { char a() }", "'char' is no kind"},
        BadLine{"1 done { int 9() }", "the call's name"},
        BadLine{"1 done { int a(in buffer) }", "'('"},
        BadLine{"1 done { int a(int x(y) z) }", "')' after the parameters"},
        BadLine{"1 done { int a() + int }", "the second result's name"},
        BadLine{"1 done { int a() as }", "the handler's name"},
        BadLine{"1 done { int a() asb }", "'}'"}, BadLine{"1 done { int a() as b c }", "'}'"},
        BadLine{"1 done { int a()", "'}'"}, BadLine{"1 done { int a() } \"x", "does not end"},
        BadLine{"1 done { int a() } \"\x01\"", "not printable"},
        BadLine{"1 done { int a() } x", "too much"},
        BadLine{"1 done { int a() } \"x\" \"y\"", "too much"}, BadLine{"\xff\x80", "NUMBER"}));

INSTANTIATE_TEST_SUITE_P(
    Rules, Errors,
    ::testing::Values(BadLine{"1 done { int class() }", "C++"},
                      BadLine{"1 done { int all_calls() }", "C++"},
                      BadLine{"1 done { int a() as class }", "C++"},
                      BadLine{"1 done { signal a() }", "a result cannot be 'signal'"},
                      BadLine{"1 done { path a() }", "a result cannot be 'path'"},
                      BadLine{"1 done { ... a() }", "a result cannot be '...'"},
                      BadLine{"1 done { int a() + none x }", "a second result cannot be 'none'"},
                      BadLine{"1 done { int a() + int64 x }", "a second result cannot be 'int64'"},
                      BadLine{"1 done { none a() + int x }", "no second result with 'none'"},
                      BadLine{"1 done { int64 a() + int x }", "no second result with 'int64'"},
                      BadLine{"1 done { int a(none x) }", "a parameter cannot be 'none'"},
                      BadLine{"1 done { int a(..., int x) }", "'...' must be the last"},
                      BadLine{"1 missing { int a(?, int x) }", "'?' must be the last"},
                      BadLine{"1 done { int a(int x, int x) }", "two parameters are named 'x'"},
                      BadLine{"1 done { int a(int64 a, int64 b, int64 c, int64 d, int e) }",
                              "9 argument slots"},
                      BadLine{"1 done { int a(in(n) x) }", "'n', which is no parameter"},
                      BadLine{"1 done { int a(out(n) x, ptr n) }", "no number but 'ptr'"},
                      BadLine{"1 partial { int a() }", "add a \"note\""},
                      BadLine{"1 done { int a(?) }", "unknown parameters"},
                      BadLine{"1 partial { int a(?) } \"x\"", "unknown parameters"},
                      BadLine{"1.2 done { int a() }", "no line before it"},
                      BadLine{"1 done { int a(subcode x) }", "no line 1.SUBCODE follows"},
                      BadLine{"1 done { int a(call x, subcode y) }", "either multiplexed"},
                      BadLine{"1 done { int a(call x, call y) }", "more than one 'call'"}));

TEST(Checker, AcceptsAGoodTable) {
  EXPECT_THAT(errors_of("system os 64\n"
                        "1 missing { int a(?) }\n"
                        "2 partial { int b(subcode x, ...) } \"some\"\n"
                        "2.0 done { long c(long x) }\n"
                        "2.7 missing { int d() }\n"
                        "3 done { int e(call x, ...) }\n"),
              IsEmpty());
}

TEST(Checker, WantsASystemLine) {
  EXPECT_THAT(errors_of(""), ElementsAre(error_at(1, "no system line")));
  EXPECT_THAT(errors_of("1 done { int a() }\n"), ElementsAre(error_at(1, "no system line")));
  EXPECT_THAT(errors_of("system os\n"), ElementsAre(error_at(1, "BITS")));
  EXPECT_THAT(errors_of("system os 16\n"), ElementsAre(error_at(1, "BITS")));
  EXPECT_THAT(errors_of("system union 32\n"), ElementsAre(error_at(1, "keyword")));
}

TEST(Checker, NumbersAscendAndOccurOnce) {
  EXPECT_THAT(errors_of("system os 32\n2 done { int a() }\n1 done { int b() }\n"),
              ElementsAre(error_at(3, "1 comes after 2")));
  EXPECT_THAT(errors_of("system os 32\n1 done { int a() }\n1 done { int b() }\n"),
              ElementsAre(error_at(3, "1 is already in line 2")));
  EXPECT_THAT(
      errors_of("system os 32\n1 done { int a(subcode x) }\n"
                "1.2 done { int b() }\n1.2 done { int c() }\n1.1 done { int d() }\n"),
      ElementsAre(error_at(4, "1.2 is already in line 3"), error_at(5, "1.1 comes after 1.2")));
}

TEST(Checker, NamesOccurOnce) {
  EXPECT_THAT(errors_of("system os 32\n1 done { int a() }\n2 missing { int a() }\n"),
              ElementsAre(error_at(3, "'a' is already the name of 1 in line 2")));
}

// README.md's example: 4.4BSD's two forms of lseek.
TEST(Checker, AHandlerMayHaveAnotherNameThanItsCall) {
  const std::string two =
      "system os 32\n19 done { int lseek() }\n199 done { int lseek() as lseek64 }\n";
  EXPECT_THAT(errors_of(two), IsEmpty());
  const auto table = parse(two);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->calls[0].handler, "lseek");
  EXPECT_EQ(table->calls[1].handler, "lseek64");
  EXPECT_EQ(table->calls[1].name, "lseek");
  EXPECT_EQ(table->calls[1].prototype, "int lseek()");
  EXPECT_THAT(emit_header(*table, "x"),
              AllOf(HasSubstr("X(19, lseek) "), HasSubstr("X(199, lseek64)")));

  EXPECT_THAT(errors_of("system os 32\n1 done { int a() }\n2 missing { int b() as a }\n"),
              ElementsAre(error_at(3, "'a' is already the name of 1 in line 2")));
  EXPECT_THAT(errors_of("system os 32\n1 done { int break() as brk }\n"), IsEmpty());
  const auto with_second = parse("system os 32\n1 done { fd b() + fd c\tas d }\n");
  ASSERT_TRUE(with_second);
  EXPECT_EQ(with_second->calls[0].second_result->name, "c");
  EXPECT_EQ(with_second->calls[0].handler, "d");
}

TEST(Checker, RequestsBelongToAMultiplexedCall) {
  EXPECT_THAT(errors_of("system os 32\n1 done { int a() }\n1.1 done { int b() }\n"),
              ElementsAre(error_at(3, "no 'subcode' parameter")));
  EXPECT_THAT(errors_of("system os 32\n1 done { int a(subcode x) }\n1.1 done { int b() }\n"
                        "2.1 done { int c() }\n"),
              ElementsAre(error_at(4, "2, which has no line before it")));
  EXPECT_THAT(errors_of("system os 32\n1 done { int a(subcode x) }\n1.1 done { int b(subcode x) }"),
              Contains(error_at(3, "a request cannot have a 'subcode'")));
}

TEST(Checker, AMultiplexedCallHasTheStateOfItsRequests) {
  const std::string head = "system os 32\n1 ";
  EXPECT_THAT(errors_of(head + "done { int a(subcode x) }\n1.1 missing { int b() }\n"),
              ElementsAre(error_at(2, "its requests make it missing")));
  EXPECT_THAT(errors_of(head + "missing { int a(subcode x) }\n1.1 done { int b() }\n"),
              ElementsAre(error_at(2, "its requests make it done")));
  EXPECT_THAT(errors_of(head + "done { int a(subcode x) }\n1.1 missing { int b() }\n"
                               "1.2 done { int c() }\n"),
              ElementsAre(error_at(2, "its requests make it partial")));
}

// README.md, "Kinds": int64 is what 64-bit registers hold in one, too.
TEST(Checker, A64BitSystemHasInt64) {
  EXPECT_THAT(errors_of("system os 64\n1 done { int64 a() }\n2 done { int b(int64 x) }\n"),
              IsEmpty());
}

TEST(Checker, ReportsAllMistakesAtOnceByLine) {
  EXPECT_THAT(errors_of("system os 32\n"
                        "1 done { int a(subcode x) }\n"
                        "2 partial { signal b() }\n"),
              ElementsAre(error_at(2, "follows"), error_at(3, "result"), error_at(3, "note")));
}

// Whatever the bytes, there is an answer; the sanitizers' build looks for more.
TEST(Parser, SurvivesEveryPrefixAndEveryChangedByte) {
  const std::string good =
      "system os 32\n1 partial { int a(subcode x, in(n) b, size n, ...) + pid p } \"note\"\n"
      "1.5 done { int64 c(int64 y, pad) }\n1.6 missing { int d(?) }\n";
  ASSERT_THAT(errors_of(good), IsEmpty());
  for (std::size_t i = 0; i < good.size(); ++i) {
    (void)errors_of(good.substr(0, i));
    for (const char c : {'\0', ' ', '"', '{', ')', '.', '?', '9', '\n', '\xff'}) {
      std::string changed = good;
      changed[i] = c;
      const auto table = parse(changed);
      if (table && check(*table).empty()) (void)emit_source(*table, "x", "x.h");
    }
  }
}

TEST(Emitter, NamesItsSourceAndItsHeader) {
  const auto table = parse("system os 32\n1 done { int a() } \"a \\ b\"\n");
  ASSERT_TRUE(table);
  EXPECT_THAT(emit_header(*table, "dir/os.master"), HasSubstr("from dir/os.master"));
  const std::string source = emit_source(*table, "dir/os.master", "dir/os_calls.h");
  EXPECT_THAT(source, HasSubstr("#include \"dir/os_calls.h\""));
  EXPECT_THAT(source, HasSubstr("\"a \\\\ b\""));
}

}  // namespace
}  // namespace hardclock::mastergen
