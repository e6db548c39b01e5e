// What the program of --emit-c contains: every case of a file, each either performed, skipped with
// a reason or failing with its defect; and that no text of a case file can break the C. Whether the
// program does the right thing is tests/cli/emit_c_test.cc. The cases' only source is this test.
#include "syscalls/conform/emit_c/emit_c.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "syscalls/conform/case_parser.h"
#include "syscalls/conform/emit_c/targets.h"
#include "tests/unit/conform/sample.h"

namespace hardclock::conform {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string emitted(std::string_view json) {
  const auto cases = parse_cases(json, "cases.json");
  if (!cases) {
    ADD_FAILURE() << cases.error();
    return {};
  }
  std::vector<const Case*> pointers;
  for (const Case& each : *cases) pointers.push_back(&each);
  return emit_c(pointers);
}

struct Given {
  std::string system = "irix";
  std::string title = "a case";
  std::string events = R"({"tick": {"pc": "0x1000", "n": 1}})";
  std::string mem = R"({"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2})";
  std::string buff = "BUF";
  int bufsiz = 64;
};

std::string program(const Given& given) {
  return emitted(R"({"format": "hardclock profil conformance cases, v1", "cases": [
  {"id": "T-1", "title": ")" +
                 given.title + R"(", "system": ")" + given.system +
                 R"(", "call": "profil", "args": {"buff": ")" + given.buff + R"(", "bufsiz": )" +
                 std::to_string(given.bufsiz) +
                 R"(, "offset": "0x1000", "scale": 32768},
   "initial": {"mem": [)" +
                 given.mem + R"(]}, "events": [)" + given.events +
                 R"(], "expect": {"ret": 0, "errno": null, "counters": {}},
   "source": ["none"], "certainty": "inferred"}]})");
}

TEST(EmitC, PerformsWhatAProgramCan) {
  const std::string text = program({});
  EXPECT_THAT(text, HasSubstr(R"({"T-1 a case", case_1_T_1, 0, 0, 0})"));
  EXPECT_THAT(text, HasSubstr("#define TESTS 1\n"));
  EXPECT_THAT(text, HasSubstr("#if CASES_OF == IRIX\n"));
  EXPECT_THAT(text, HasSubstr("ticks(0x1000UL, 1L, 1);"));
  EXPECT_THAT(text, Not(HasSubstr("#if CASES_OF == HP_UX\n/*")));
}

// A system with the rules of another one has cases of its own, and is that other one in all else.
TEST(EmitC, ASystemCanHaveTheRulesOfAnother) {
  const Target targets[] = {
      {.system = "4.2bsd", .constant = "BSD_4_2", .condition = "defined(A)", .like = ""},
      {.system = "4.3bsd", .constant = "BSD_4_3", .condition = "defined(B)", .like = "4.2bsd"}};
  const std::string text = choice_of_target(targets);
  EXPECT_THAT(text, HasSubstr("#elif defined(B)\n#define CONFORM_SYSTEM BSD_4_3\n"));
  EXPECT_THAT(text, HasSubstr("#if CONFORM_SYSTEM == BSD_4_3\n#define CASES_OF BSD_4_3\n"
                              "#undef CONFORM_SYSTEM\n#define CONFORM_SYSTEM BSD_4_2\n"
                              "#else\n#define CASES_OF CONFORM_SYSTEM\n#endif\n"));
  EXPECT_THAT(text, HasSubstr("#define HAS_MMAP (CONFORM_SYSTEM != BSD_4_2)\n"));
  EXPECT_THAT(text, HasSubstr("#define HAS_SPROC (0)\n"));
}

// Each reason is one that is decided here, not on the machine.
TEST(EmitC, SkipsWhatAProgramCannot) {
  const auto skipped = [](const Given& given, const std::string& reason) {
    EXPECT_THAT(program(given), HasSubstr("{\"T-1 a case\", 0, \"" + reason)) << reason;
  };
  skipped({.events = R"({"evict": {"addr": "BUF", "size": 64}})"}, "no program can have a page");
  skipped({.events = R"({"poke": {"addr": "BUF", "width": 2, "value": 1}})"}, "a number stored");
  skipped({.system = "v7",
           .events = R"({"tick": {"pc": "0x1000", "n": 3, "mode": "system"}})",
           .mem = R"({"name": "BUF", "addr": "0x4000", "size": 64, "width": 2})"},
          "no program can spend kernel time");
  skipped({.events = R"({"thread_create": {"tid": 2}})"}, "threads need");
  skipped({.events = R"({"tick": {"pc": "0x1000", "n": 201}})"}, "it would take too many ticks");
  skipped({.events = R"({"munmap": {"addr": "BUF", "size": 32}})"}, "memory can be mapped");
  skipped({.system = "hpux_pa", .events = R"({"tick": {"pc": "0x1003", "n": 1}})"},
          "the lowest bits of a pc");
  skipped({.system = "hpux_pa_lp64"}, "its addresses have 64 bits");
  skipped({.system = "4.3bsd", .events = R"({"sproc": {"child": 2}})"}, "the system has no sproc");
  skipped({.mem = R"({"name": "BUF", "addr": "0x10010000", "size": 16384, "width": 2})"},
          "its memory is too large");
  skipped({.system = "irix", .events = R"({"vfork": {"child": 2}})"},
          "the system's vfork() is another name of fork()");
  skipped({.system = "v7",
           .events = R"({"vfork": {"child": 2}})",
           .mem = R"({"name": "BUF", "addr": "0x4000", "size": 64, "width": 2})"},
          "the system has no vfork()");
  skipped({.bufsiz = 0x40000}, "counters of all other text");
}

// A case that nobody can perform is in the program of every system of the file, and fails.
TEST(EmitC, DefectsFail) {
  const std::string text =
      emitted(R"({"format": "hardclock profil conformance cases, v1", "cases": [
  {"id": "T-1", "title": "whose?", "system": "multics", "call": "profil",
   "args": {"buff": "0x0", "bufsiz": 64, "offset": "0x1000", "scale": 32768},
   "initial": {"mem": []}, "events": [], "expect": {"ret": 0, "errno": null, "counters": {}},
   "source": ["none"], "certainty": "inferred"},
  {"id": "T-2", "title": "ours", "system": "irix", "call": "profil",
   "args": {"buff": "0x0", "bufsiz": 64, "offset": "0x1000", "scale": 32768},
   "initial": {"mem": []}, "events": [], "expect": {"ret": 0, "errno": null, "counters": {}},
   "source": ["none"], "certainty": "inferred"}]})");
  EXPECT_THAT(text, HasSubstr("{\"T-1 whose\\077\", 0, 0, \"cases.json:2: cases[0].system"));
  EXPECT_THAT(text, HasSubstr("{\"T-2 ours\", case_2_T_2, 0, 0, 0}"));
  EXPECT_THAT(text, HasSubstr("#define TESTS 2\n"));
}

TEST(EmitC, TitlesAreText) {
  const std::string text = program({.title = R"(\"; */ ??) # SKIP\u0001 \u00e9 \\ %s)"});
  // A '#' and a backslash are escaped for TAP, then for C.
  EXPECT_THAT(text, HasSubstr(R"({"T-1 \042; */ \077\077) \134# SKIP\134\134u0001 \303\251 )"
                              R"(\134\134 %s", case_1_T_1, 0, 0, 0})"));
  const std::string long_one = program({.title = std::string(1000, 'x')});
  EXPECT_THAT(long_one, HasSubstr(std::string(290, 'x')));
  EXPECT_THAT(long_one, Not(HasSubstr(std::string(301, 'x'))));
}

// What follows an exec is another function, which the program's new image calls.
TEST(EmitC, ExecGoesOnInTheNewImage) {
  const std::string text = program({.events = R"({"exec": {"ok": true}},
    {"tick": {"pc": "0x1000", "n": 2}})"});
  EXPECT_THAT(text, HasSubstr("exec_self(0);"));
  EXPECT_THAT(text, HasSubstr("ticks(0x1000UL, 2L, 0);"));
  EXPECT_THAT(text, HasSubstr("void (*resumed[])(void) = {case_1_T_1_0, 0};"));
}

TEST(EmitC, TheSampleIsListed) {
  EXPECT_THAT(emitted(sample_file), HasSubstr("T-1 two ticks"));
}

}  // namespace
}  // namespace hardclock::conform
