// hardclock conform: its exit status, what it says about bad files, and its forms of the answer as
// programs that are not ours read them: perl's TAP::Parser and prove, python's json and XML parser
// with the rules of Jenkins' junit-10.xsd, xmllint.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

// Both always perform every case.
constexpr std::string_view backends[] = {"model", "guest"};

// One case that passes, one that expects too much and one of a system that does not exist. Their
// only source is this test: it is about the command.
constexpr std::string_view cases = R"({
 "format": "hardclock profil conformance cases, v1",
 "cases": [
  {"id": "P-1", "title": "passes # TODO \"<&>' ]]> \\ \u0001 \ufffe é\nnext", "system": "irix",
   "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"tick": {"pc": "0x400004", "n": 3}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"1": 3}}},
              "profiling": {"1": "on"}},
   "source": ["a \"page\" <1> & # SKIP"], "certainty": "doc"},
  {"id": "P-2#1", "title": "fails # SKIP no", "system": "4.3bsd",
   "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [{"tick": {"pc": "0x400004", "n": 3}}],
   "expect": {"ret": 0, "errno": null, "counters": {"1": {"BUF": {"1": 4}}},
              "profiling": {"1": "off"}},
   "source": ["a \"page\" <1> & # SKIP"], "certainty": "doc"},
  {"id": "P-3", "title": "of nobody", "system": "multics",
   "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [{"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2}]},
   "events": [],
   "expect": {"ret": 0, "errno": null, "counters": {}},
   "source": ["none"], "certainty": "inferred"}
 ]
})";

// The rules of the schema that Jenkins publishes for its JUnit plugin (junit-10.xsd): which element
// holds which, the attributes that there may and must be, and their types; and that counts agree.
constexpr std::string_view junit_check = R"(
import re, sys, xml.etree.ElementTree as tree
number = re.compile(r'[0-9]+$')
rules = {
  'testsuites': ({'testsuite'}, set(), {'name', 'time', 'tests', 'failures', 'disabled', 'errors'}),
  'testsuite': ({'properties', 'testcase', 'system-out', 'system-err'}, {'name', 'tests'},
                {'failures', 'errors', 'group', 'time', 'disabled', 'skipped', 'timestamp',
                 'hostname', 'id', 'package', 'file', 'log', 'url', 'version'}),
  'testcase': ({'skipped', 'error', 'failure', 'rerunFailure', 'rerunError', 'flakyFailure',
                'flakyError', 'system-out', 'system-err'}, {'name', 'classname'},
               {'assertions', 'time', 'status', 'class', 'file', 'line', 'log', 'group', 'url'}),
  'failure': (set(), set(), {'type', 'message'}),
  'error': (set(), set(), {'type', 'message'}),
}
def check(element):
  children, required, optional = rules[element.tag]
  names = set(element.attrib)
  assert required <= names <= required | optional, (element.tag, names)
  for name in ('tests', 'failures', 'errors', 'skipped', 'disabled'):
    assert name not in names or number.match(element.attrib[name]), (name, element.attrib)
  for child in element:
    assert child.tag in children, (element.tag, child.tag)
    check(child)
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites'
check(root)
for suite in [root] + list(root):
  assert int(suite.get('tests')) == len(list(suite.iter('testcase')))
  assert int(suite.get('failures')) == len(list(suite.iter('failure')))
  assert int(suite.get('errors')) == len(list(suite.iter('error')))
for suite in root:
  for case in suite:
    outcome = [child.tag for child in case] or ['passed']
    print(suite.get('name'), case.get('classname'), outcome[0], ascii(case.get('name')))
)";

// Everything that a TAP reader can object to, then the tests and what stands in their YAML blocks.
constexpr std::string_view tap_check = R"(
use strict; use warnings; use TAP::Parser;
binmode STDOUT, ':encoding(UTF-8)';
open my $file, '<:raw', $ARGV[0] or die $!;
my $parser = TAP::Parser->new({ tap => join '', <$file> });
while (my $result = $parser->next) {
  die 'unknown: ' . $result->raw if $result->is_unknown;
  if ($result->is_test) {
    print $result->is_actual_ok ? 'ok' : 'not ok', ' ', $result->number, ' [', $result->directive,
          "]\n";
  }
  if ($result->is_yaml) {
    my $data = $result->data;
    print "$data->{status}; $_\n" for split /\n/, $data->{reasons};
    print "$data->{system}, $data->{case}, $data->{certainty}: $data->{source}";
  }
}
die join "\n", $parser->parse_errors if $parser->parse_errors;
die 'plan' unless $parser->is_good_plan;
die 'todo' if $parser->todo || $parser->skipped;
print 'version ', $parser->version, ', ', $parser->tests_run, " run\n";
)";

class Conform : public CommandTest {
 protected:
  void SetUp() override { write("cases.json", cases); }

  // The standard output of a host's program that must succeed.
  std::string output_of(const std::vector<std::string>& command) const {
    const Finished run = other_program(command);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    return run.out;
  }
  // The answer in a format, also as the file FORMAT.out.
  std::string answer(const std::string& format) const {
    const Finished run = hardclock({"conform", "--format=" + format, "cases.json"});
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_EQ(run.err, "");
    write(format + ".out", run.out);
    return run.out;
  }
};

TEST_F(Conform, StatusSaysWhetherAllPassed) {
  const Finished some = hardclock({"conform", "cases.json"});
  EXPECT_EQ(some.status, 1);
  EXPECT_TRUE(some.out.starts_with("pass   model  P-1 ")) << some.out;
  EXPECT_TRUE(contains(some.out, "process 1: BUF[1] is 3, not 4")) << some.out;
  EXPECT_TRUE(contains(some.out, "process 1: profiling is on, not off")) << some.out;
  for (const std::string_view backend : backends) {
    const std::string numbers = std::string(backend) + ": 3 cases, 1 passed, 1 failed, 1 unperf";
    EXPECT_TRUE(contains(some.out, numbers)) << some.out;
  }

  const std::string two = replace(std::string(cases), "multics", "irix");
  write("two.json", replace(replace(two, R"({"1": 4})", R"({"1": 3})"), R"("off")", R"("on")"));
  const Finished all = hardclock({"conform", "two.json"});
  EXPECT_EQ(all.status, 0) << all.out;
  EXPECT_EQ(all.err, "");
  for (const std::string_view backend : backends) {
    const std::string numbers = std::string(backend) + ": 3 cases, 3 passed, 0 failed, 0 unperf";
    EXPECT_TRUE(contains(all.out, numbers)) << all.out;
  }
}

TEST_F(Conform, OneSystemOnly) {
  const std::string known = replace(std::string(cases), "multics", "hpux_ia64");
  write("known.json", known);
  const Finished irix = hardclock({"conform", "--os=irix", "known.json"});
  EXPECT_EQ(irix.status, 0) << irix.out;
  EXPECT_TRUE(contains(irix.out, "model: 1 cases, 1 passed")) << irix.out;
  // By the system's name, its variant's name in case files, and another variant's.
  EXPECT_EQ(hardclock({"conform", "--os=4.3bsd", "known.json"}).status, 1);
  EXPECT_EQ(hardclock({"conform", "--os=hpux", "known.json"}).status, 0);
  EXPECT_EQ(hardclock({"conform", "--os=hpux_ia64", "known.json"}).status, 0);
  expect_complaint(hardclock({"conform", "--os=hpux_pa", "known.json"}), {"no case of hpux_pa"});
  expect_complaint(hardclock({"conform", "--os=vms", "known.json"}), {"unknown os 'vms'"});
  // A case of a system that does not exist is not passed over.
  EXPECT_EQ(hardclock({"conform", "--os=irix", "cases.json"}).status, 1);
}

// 'run --os=linux' knows Linux: the message says what is the matter with it.
TEST_F(Conform, TheSystemsAreThoseWithProfil) {
  expect_complaint(hardclock({"conform", "--os=linux", "cases.json"}),
                   {"linux has no profil(2)", "4.3bsd"});
  expect_complaint(hardclock({"conform", "--os=hpux_pb", "cases.json"}), {"hpux_pa?"});
}

TEST_F(Conform, CasesById) {
  write("two.json", replace(std::string(cases), "multics", "irix"));
  const auto ids = [&](const std::string& pattern) {
    std::string found;
    for (const std::string& line :
         lines_of(hardclock({"conform", "--list", "--id=" + pattern, "two.json"}).out)) {
      found += line.substr(0, line.find(' ')) + " ";
    }
    return found;
  };
  const auto all = lines_of(hardclock({"conform", "--list", "two.json"}).out);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[1], "P-2#1  4.3bsd  doc       fails # SKIP no");
  EXPECT_EQ(all[2], "P-3    irix    inferred  of nobody");
  EXPECT_EQ(ids("P-3"), "P-3 ");
  EXPECT_EQ(ids("P-3,P-2#1"), "P-2#1 P-3 ");
  EXPECT_EQ(ids("P-?"), "P-1 P-3 ");
  EXPECT_EQ(ids("*"), "P-1 P-2#1 P-3 ");
  const Finished one = hardclock({"conform", "--id=P-1", "--os=irix", "two.json"});
  EXPECT_EQ(one.status, 0) << one.out;
  EXPECT_TRUE(contains(one.out, "model: 1 cases, 1 passed")) << one.out;
  const Finished c = hardclock({"conform", "--emit-c", "--id=P-1", "two.json"});
  EXPECT_TRUE(contains(c.out, "case_1_P_1") && !contains(c.out, "P_3")) << c.err;
  expect_complaint(hardclock({"conform", "--id=P-1,P-4", "two.json"}), {"'P-4'", "--list"});
  expect_complaint(hardclock({"conform", "--id=P-2*", "--os=irix", "two.json"}), {"'P-2*'"});
  expect_complaint(hardclock({"conform", "--list", "--format=tap", "two.json"}), {"--list"});
}

TEST_F(Conform, StandardInputIsAFile) {
  Surroundings piped;
  piped.directory = path("");
  piped.input = path("cases.json");
  const Finished read = hardclock({"conform", "-"}, piped);
  const Finished named = hardclock({"conform", "cases.json"});
  EXPECT_EQ(read.status, 1);
  EXPECT_EQ(read.out, replace(named.out, "cases.json:", "-:")) << read.err;
  piped.input = "/dev/null";
  expect_complaint(hardclock({"conform", "-"}, piped), {"-:1: not JSON"});
}

// However long the names are, a column begins at the same place in all lines.
TEST_F(Conform, ColumnsAreAsWideAsTheirWords) {
  const std::string long_id = "an-id-that-is-longer-than-others";
  write("wide.json", replace(std::string(cases), "P-3", long_id));
  const Finished run = hardclock({"conform", "wide.json"});
  std::set<std::size_t> columns;
  for (const std::string& line : lines_of(run.out)) {
    for (const char* const title : {"passes", "fails", "of nobody"}) {
      const std::size_t at = line.find(title);
      if (at != std::string::npos && line[0] != ' ') columns.insert(at);
    }
  }
  EXPECT_EQ(columns.size(), 1U) << run.out;
}

TEST_F(Conform, BadFilesAreComplaints) {
  expect_complaint(hardclock({"conform"}), {"FILE.json"});
  expect_complaint(hardclock({"conform", "none.json"}), {"none.json", "No such file"});
  expect_complaint(hardclock({"conform", "--format=yaml", "cases.json"}),
                   {"--format", "'yaml'", "junit"});
  write("text.json", "one\ntwo\n");
  expect_complaint(hardclock({"conform", "cases.json", "text.json"}), {"text.json:1: not JSON"});
  write("other.json", "{\"rowz\": []}");
  expect_complaint(hardclock({"conform", "other.json"}),
                   {"other.json:1:", "neither 'cases' nor 'rows'"});
  write("bad.json", replace(std::string(cases), R"("pc": "0x400004")", R"("pc": 4194308)"));
  expect_complaint(hardclock({"conform", "bad.json"}),
                   {"bad.json:8: cases[0].events[0].tick.pc: not a string but a number"});
  write("empty.json", R"({"format": "hardclock profil conformance cases, v1", "cases": []})");
  expect_complaint(hardclock({"conform", "empty.json"}), {"no case"});
}

TEST_F(Conform, TapIsWhatTapParserReads) {
  answer("tap");
  std::string expected;
  for (const char* const each : {"1", "2"}) expected += "ok " + std::string(each) + " []\n";
  for (const char* const each : {"3", "4"}) {
    expected += "not ok " + std::string(each) +
                " []\n"
                "failed; process 1: BUF[1] is 3, not 4\n"
                "failed; process 1: profiling is on, not off\n"
                "4.3bsd, cases.json:12, doc: a \"page\" <1> & # SKIP\n";
  }
  for (const char* const each : {"5", "6"}) {
    expected += "not ok " + std::string(each) +
                " []\n"
                "unperformed; cases.json:20: cases[2].system: unknown system 'multics'; "
                "'hardclock systems' lists them\n"
                "multics, cases.json:20, inferred: none\n";
  }
  EXPECT_EQ(output_of({"perl", "-e", std::string(tap_check), path("tap.out")}),
            expected + "version 13, 6 run\n");
}

TEST_F(Conform, TapIsWhatProveRuns) {
  answer("tap");
  const Finished failing = other_program({"prove", "--exec", "cat", path("tap.out")});
  EXPECT_NE(failing.status, 0);
  EXPECT_TRUE(contains(failing.out, "Failed 4/6 subtests")) << failing.out << failing.err;
  write("tap.out", replace(read("tap.out"), "\nnot ok", "\nok"));
  const Finished passing = other_program({"prove", "--exec", "cat", path("tap.out")});
  EXPECT_EQ(passing.status, 0) << passing.out << passing.err;
}

TEST_F(Conform, JunitIsWhatJenkinsReads) {
  answer("junit");
  std::string expected;
  for (const std::string_view backend : backends) {
    const std::string name(backend);
    expected += name +
                " irix passed 'P-1: passes # TODO \"<&>\\' ]]> \\\\ \\\\u0001 \\\\ufffe "
                "\\xe9\\\\u000anext'\n" +
                name + " 4.3bsd failure 'P-2#1: fails # SKIP no'\n" + name +
                " multics error 'P-3: of nobody'\n";
  }
  EXPECT_EQ(output_of({"python3", "-c", std::string(junit_check), path("junit.out")}), expected);
}

TEST_F(Conform, JunitIsWellFormedForLibxml) {
  answer("junit");
  const Finished lint = other_program({"xmllint", "--noout", path("junit.out")});
  if (lint.status == 127) GTEST_SKIP() << "xmllint (libxml2-utils) is missing";
  EXPECT_EQ(lint.status, 0) << lint.err;
}

TEST_F(Conform, JsonIsWhatPythonReads) {
  const std::string json = answer("json");
  EXPECT_EQ(output_of({"python3", "-c",
                       "import json, sys\n"
                       "answer = json.load(open(sys.argv[1], encoding='utf-8'))\n"
                       "print(answer['summary'])\n"
                       "for each in answer['outcomes']: print(each['id'], each['backend'], "
                       "each['status'], each['line'], len(each['reasons']))\n",
                       path("json.out")}),
            "{'model': {'cases': 3, 'passed': 1, 'failed': 1, 'unperformed': 1, 'skipped': 0}, "
            "'guest': {'cases': 3, 'passed': 1, 'failed': 1, 'unperformed': 1, 'skipped': 0}}\n"
            "P-1 model passed 4 0\n"
            "P-1 guest passed 4 0\n"
            "P-2#1 model failed 12 2\n"
            "P-2#1 guest failed 12 2\n"
            "P-3 model unperformed 20 1\n"
            "P-3 guest unperformed 20 1\n");
  // Titles come out as they went in.
  const auto given = nlohmann::json::parse(cases);
  EXPECT_EQ(nlohmann::json::parse(json)["outcomes"][0]["title"], given["cases"][0]["title"]);
}

// C is no form of the answer.
TEST_F(Conform, EmittedCHasNoFormat) {
  const Finished run = hardclock({"conform", "--emit-c", "--format=tap", "cases.json"});
  EXPECT_EQ(run.status, 125);
  EXPECT_EQ(run.err, "hardclock: --emit-c writes C; leave --format out\n");
  EXPECT_EQ(run.out, "");
}

// tests/conformance/README.md says what each file holds.
TEST_F(Conform, TheConformanceFilesPass) {
  const std::pair<std::string, std::string> files[] = {
      {"manuals.json", "144"},       {"observed-pdp11-vax.json", "864"},
      {"observed-irix.json", "496"}, {"observed-bsd44.json", "816"},
      {"cases.json", "45"},          {"irix.json", "55"},
      {"signals.json", "27"}};
  for (const auto& [name, count] : files) {
    const std::string file = std::filesystem::absolute("tests/conformance/" + name);
    const Finished run = hardclock({"conform", file});
    EXPECT_EQ(run.status, 0) << run.out;
    for (const std::string_view backend : backends) {
      const std::string numbers =
          std::string(backend) + ": " + count + " cases, " + count + " passed, 0 failed";
      EXPECT_TRUE(contains(run.out, numbers)) << run.out;
    }
  }
}

// A library's cases: no guest can perform them, which is no failure.
TEST_F(Conform, GlibcsCasesPassInTheModel) {
  const std::string file = std::filesystem::absolute("tests/conformance/glibc.json");
  const Finished run = hardclock({"conform", file});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_TRUE(contains(run.out, "model: 26 cases, 26 passed, 0 failed")) << run.out;
  EXPECT_TRUE(contains(run.out, "guest: 26 cases, 0 passed, 0 failed, 0 unperformed, 26 skipped"));
  EXPECT_TRUE(contains(run.out, "glibc is no kernel")) << run.out;
}

// Two runs give the same bytes.
TEST_F(Conform, AnswersAreDeterministic) {
  for (const char* const format : {"text", "tap", "junit", "json"}) {
    EXPECT_EQ(answer(format), answer(format)) << format;
  }
}

}  // namespace
}  // namespace hardclock::cli_test
