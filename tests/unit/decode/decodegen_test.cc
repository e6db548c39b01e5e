// The parser's and the checker's judgement of .decode files. The rules are sim/decode/README.md's.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/decode/checker.h"
#include "sim/decode/decision_tree.h"
#include "sim/decode/emitter.h"

namespace hardclock::decodegen {
namespace {

// Everything wrong with the text, "line: message" each.
std::vector<std::string> errors(const std::string& text) {
  const auto listed = [](const Diagnostics& diagnostics) {
    std::vector<std::string> lines;
    for (const auto& [line, message] : diagnostics) {
      lines.push_back(std::to_string(line) + ": " + message);
    }
    return lines;
  };
  const Result<Description, Diagnostics> description = parse(text);
  if (!description) return listed(description.error());
  const Result<Isa, Diagnostics> isa = check(*description);
  if (!isa) return listed(isa.error());
  return {};
}

struct Case {
  std::string text;
  std::vector<std::string> expected;
};

using Lines = std::vector<std::string>;

TEST(Parser, AcceptsCommentsBlankLinesAndAnyBlanks) {
  EXPECT_EQ(errors("# c\n\r\n isa\ttoy 4 # c\r\n%a 0:2 k\n&A a\np 00a &A t l \"p # %a\"#c"),
            Lines{"6: '00a' is neither bits (0 1 . -) nor a field's name"});
  EXPECT_EQ(
      errors("# c\n\r\n isa\ttoy 4 # c\r\n%a 0:2 k\n&A a\np 00 a &A t l \"p # %a\"#c\nlevel l"),
      Lines{});
}

TEST(Parser, SaysWhatBreaksTheGrammar) {
  const std::string isa = "isa toy 4\n";
  const std::vector<Case> cases = {
      {"", {"1: no isa line; begin the file with: isa NAME BITS"}},
      {"isa Toy 4", {"1: expected: isa NAME BITS, a lower-case name and 1 to 64 bits"}},
      {"isa toy 65", {"1: expected: isa NAME BITS, a lower-case name and 1 to 64 bits"}},
      {"isa toy 0", {"1: expected: isa NAME BITS, a lower-case name and 1 to 64 bits"}},
      {"isa toy", {"1: expected: isa NAME BITS, a lower-case name and 1 to 64 bits"}},
      {isa + isa, {"2: second isa line; a file describes one ISA"}},
      {isa + "\"x\"",
       {"2: a line begins with isa, %field, &Operands, level, feature, timing, a pattern's name, "
        "alias or overlap"}},
      {isa + "p \"x", {"2: the string does not end; add a \""}},
      {isa + "%A 0:1 k", {"2: '%A' is not a field's name; write %name in lower case"}},
      {isa + "%a 0:1", {"2: expected: %name low:length [signed] [<<shift] kind"}},
      {isa + "%a 0-1 k", {"2: '0-1' is not a segment; write low:length, as in 16:5"}},
      {isa + "%a 0:1, k", {"2: '' is not a segment; write low:length, as in 16:5"}},
      {isa + "%a 0:0 k", {"2: '0:0' is not a segment; write low:length, as in 16:5"}},
      {isa + "%a 0:1 <<64 k",
       {"2: '<<64' is not an option of a field; use signed or <<shift, each once"}},
      {isa + "%a 0:1 signed signed k",
       {"2: 'signed' is not an option of a field; use signed or <<shift, each once"}},
      {isa + "%a 0:1 K", {"2: 'K' is not a kind; end the line with a lower-case name"}},
      {isa + "&a", {"2: '&a' is not an operand set's name; write &Name in CamelCase"}},
      {isa + "&A B", {"2: bad field name 'B'; use lower-case letters, digits and _"}},
      {isa + "P 0", {"2: bad pattern name 'P'; use lower-case letters, digits and _"}},
      {isa + "p 02 &A t l \"\"", {"2: '02' is neither bits (0 1 . -) nor a field's name"}},
      {isa + "p 00 &A t \"p\"",
       {"2: expected: name bits &Operands timing-class level [feature...] \"syntax\" [=body]"}},
      {isa + "p 00 &A t l =b",
       {"2: expected: name bits &Operands timing-class level [feature...] \"syntax\" [=body]"}},
      {isa + "p 00 &A t l \"p\" =B",
       {"2: bad body name 'B'; use lower-case letters, digits and _"}},
      {isa + "p 00 &A T l \"p\"",
       {"2: bad timing class name 'T'; use lower-case letters, digits and _"}},
      {isa + "p 00 &A t L \"p\"", {"2: bad level name 'L'; use lower-case letters, digits and _"}},
      {isa + "p 00 &A t l \"\"", {"2: a syntax string is one or more printable ASCII characters"}},
      {isa + "p 00 &A t l \"a\x01\"",
       {"2: a syntax string is one or more printable ASCII characters"}},
      {isa + "p 00 &A t l,L \"p\"",
       {"2: bad level name 'L'; use lower-case letters, digits and _"}},
      {isa + "p 00 &A t l, \"p\"", {"2: bad level name ''; use lower-case letters, digits and _"}},
      {isa + "p 00 &A t l F \"p\"",
       {"2: bad feature name 'F'; use lower-case letters, digits and _"}},
      {isa + "level", {"2: expected: level NAME, or level NAME: PARENT..."}},
      {isa + "level L", {"2: expected: level NAME, or level NAME: PARENT..."}},
      {isa + "level a:", {"2: expected: level NAME, or level NAME: PARENT..."}},
      {isa + "level a b", {"2: expected: level NAME, or level NAME: PARENT..."}},
      {isa + "level a: B", {"2: bad level name 'B'; use lower-case letters, digits and _"}},
      {isa + "feature", {"2: expected: feature NAME"}},
      {isa + "timing", {"2: expected: timing NAME"}},
      {isa + "timing slow fast", {"2: expected: timing NAME"}},
      {isa + "feature a b", {"2: expected: feature NAME"}},
      {isa + "alias a p", {"2: expected: alias name pattern condition... \"syntax\""}},
      {isa + "alias A p \"a\"", {"2: bad alias name 'A'; use lower-case letters, digits and _"}},
      {isa + "alias a p f \"a\"", {"2: 'f' is not a condition; write field=value or field=field"}},
      {isa + "alias a p f=0x \"a\"",
       {"2: 'f=0x' is not a condition; write field=value or field=field"}},
      {isa + "alias a p f=--1 \"a\"",
       {"2: 'f=--1' is not a condition; write field=value or field=field"}},
      {isa + "alias a p f=~ \"a\"",
       {"2: 'f=~' is not a condition; write field=value or field=field"}},
      {isa + "alias a p f=~1 \"a\"",
       {"2: 'f=~1' is not a condition; write field=value or field=field"}},
      {isa + "alias a p 1=f \"a\"",
       {"2: '1=f' is not a condition; write field=value or field=field"}},
      {isa + "overlap a", {"2: expected: overlap first... second, two or more patterns' names"}},
      {isa + "\x80\n%",
       {"2: bad pattern name '?'; use lower-case letters, digits and _",
        "3: '%' is not a field's name; write %name in lower case"}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(errors(text), expected) << text;
}

// Lines 1 to 7; cases go on with line 8.
const std::string prelude =
    "isa toy 8\n"
    "%a 0:2 reg\n"
    "%b 4:2 reg\n"
    "%pieces 0:1,6:2 signed <<1 number\n"
    "&None\n"
    "&A a\n"
    "&Ab a b\n";

// With the prelude before it, and the level of every pattern after it.
std::vector<std::string> errors_in(const std::string& text) {
  return errors(prelude + text + "\nlevel l\n");
}

TEST(Checker, AcceptsThePrelude) {
  EXPECT_EQ(errors_in("p 00 b 00 a &Ab t l \"p %a,%b\"\nq 01----a &A t l \"q\""),
            Lines{"9: '01----a' is neither bits (0 1 . -) nor a field's name"});
  EXPECT_EQ(errors_in("p 00 b 00 a &Ab t l \"p %a,%b\"\nq 01-- -- a &A t l \"q %a %%\""), Lines{});
}

TEST(Checker, SaysWhichFieldOrOperandSetIsWrong) {
  const std::string p = "p 00000000 &None t l \"p\"\n";
  const std::vector<Case> cases = {
      {"", {"1: no pattern; a file describes at least one instruction"}},
      {p + "%a 0:1 k", {"9: duplicate field 'a', first on line 2"}},
      {p + "%c 4:5 k", {"9: field 'c': segment 4:5 ends beyond bit 7"}},
      {p + "%c 0:2,1:2 k", {"9: field 'c': segment 1:2 repeats bits of an earlier one"}},
      {p + "%c 0:2 <<63 k", {"9: field 'c' has 65 bits after its shift; 64 is the most"}},
      {p + "%int 0:2 k", {"9: field 'int' is a C++ keyword; write int_"}},
      {p + "&A b", {"9: duplicate operand set 'a', first on line 6"}},
      {p + "&C c", {"9: operand set '&C': unknown field 'c'; define %c"}},
      {p + "&C a a", {"9: operand set '&C': duplicate field 'a'"}},
      {p + "&Opcode a",
       {"9: operand set '&Opcode' has a name that the generated header uses; rename it"}},
      {p + "%w 0:8 <<33 k\n&C w a",
       {"10: operand set '&C' takes 16 bytes, 8 are the most; put wide fields first"}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(errors_in(text), expected) << text;
}

TEST(Checker, SaysWhatIsWrongWithAPattern) {
  const std::vector<Case> cases = {
      {"p 0000000 &None t l \"p\"", {"8: pattern 'p' has 7 bits, an instruction has 8"}},
      {"p 000000000 &None t l \"p\"", {"8: pattern 'p' has 9 bits, an instruction has 8"}},
      {"p 000 a 000 &A t l \"p\"",
       {"8: pattern 'p': field 'a' stands at bit 3, its bits are at 0"}},
      {"p 000000 c &A t l \"p\"", {"8: pattern 'p': unknown field 'c'"}},
      {"p 00000 pieces &A t l \"p\"",
       {"8: pattern 'p': field 'pieces' has several segments; write . for its bits"}},
      {"p 0000000. &None t l \"p\"", {"8: pattern 'p': no field of '&None' covers bit 0"}},
      {"p 0000000- &A t l \"p\"", {"8: pattern 'p': field 'a' of '&A' is not in it, bit 0 is '-'"}},
      {"p 00000000 &A t l \"p\"", {"8: pattern 'p': field 'a' of '&A' is not in it, bit 0 is '0'"}},
      {"p 00 b 00 a &A t l \"p\"",
       {"8: pattern 'p': field 'b' is not in operand set '&A'",
        "8: pattern 'p': no field of '&A' covers bit 4",
        "8: pattern 'p': no field of '&A' covers bit 5"}},
      {"&Both a pieces\np ..0000.. &Both t l \"p\"",
       {"9: pattern 'p': two fields of '&Both' share bit 0"}},
      {"p 00000000 &C t l \"p\"", {"8: pattern 'p': unknown operand set '&C'"}},
      {"p 00000000 &None t l \"p %a\"",
       {"8: syntax: '%a' is not a field of '&None'; write %% for a percent sign"}},
      {"p 00000000 &None t l \"p %x%\"",
       {"8: syntax: '%x' is not a field of '&None'; write %% for a percent sign",
        "8: syntax: '%' is not a field of '&None'; write %% for a percent sign"}},
      {"or 00000000 &None t l \"p\"", {"8: pattern 'or' is a C++ keyword; write or_"}},
      {"p 00000000 &None for l \"p\"", {"8: timing class 'for' is a C++ keyword; write for_"}},
      {"p 00000000 &None t l \"p\" =for", {"8: body 'for' is a C++ keyword; write for_"}},
      {"invalid 00000000 &None t l \"p\"",
       {"8: pattern 'invalid': the name stands for undefined words; rename it"}},
      {"p 00000000 &None t l \"p\"\np 00000001 &None t l \"p\"",
       {"9: duplicate pattern 'p', first on line 8"}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(errors_in(text), expected) << text;
}

TEST(Checker, SaysWhatIsWrongWithALevelOrAFeature) {
  std::string many;
  for (int i = 0; i < 32; ++i) many += "level m" + std::to_string(i) + "\n";
  const std::string p = "p 00000000 &None t ";
  const std::vector<Case> cases = {
      {p + "l \"p\"\nlevel l", {"10: duplicate level 'l', first on line 9"}},
      {p + "l \"p\"\nlevel int", {"9: level 'int' is a C++ keyword; write int_"}},
      {p + "l \"p\"\nlevel m: k", {"9: level 'm': unknown parent 'k'; add: level k"}},
      {p + "l \"p\"\nlevel m: m", {"9: level 'm' is its own ancestor; break the circle"}},
      {p + "l \"p\"\nlevel m: k\nlevel k: j l\nlevel j: m",
       {"9: level 'm' is its own ancestor; break the circle",
        "10: level 'k' is its own ancestor; break the circle",
        "11: level 'j' is its own ancestor; break the circle"}},
      {p + "l \"p\"\n" + many, {"42: 33 levels, 32 are the most"}},
      {p + "m \"p\"", {"8: pattern 'p': unknown level 'm'; add: level m"}},
      {p + "l,l \"p\"", {"8: pattern 'p': level 'l' twice; remove one"}},
      {p + "k,l \"p\"\nlevel m: l\nlevel k: m",
       {"8: pattern 'p': level 'k' inherits it already; remove it from the list"}},
      {p + "l wide \"p\"\nfeature wide", {}},
      {p + "l wide \"p\"", {"8: pattern 'p': unknown feature 'wide'; add: feature wide"}},
      {p + "l \"p\"\nfeature f\nfeature f", {"10: duplicate feature 'f', first on line 9"}},
      {p + "l \"p\"\ntiming c\ntiming d", {}},
      {p + "l \"p\"\ntiming int", {"9: timing class 'int' is a C++ keyword; write int_"}},
      {p + "l \"p\"\ntiming t",
       {"9: timing class 't' is declared or a pattern's already; remove this line"}},
      {p + "l \"p\"\ntiming d\ntiming d",
       {"10: timing class 'd' is declared or a pattern's already; remove this line"}},
      {p + "l \"p\"\nfeature int", {"9: feature 'int' is a C++ keyword; write int_"}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(errors_in(text), expected) << text;
}

TEST(Checker, DeclaredTimingClassesFollowThePatternsOwn) {
  const Result<Description, Diagnostics> description =
      parse("timing predecoded\n" + prelude + "p 00000000 &None own l \"p\"\nlevel l\n");
  ASSERT_TRUE(description.ok());
  const Result<Isa, Diagnostics> isa = check(*description);
  ASSERT_TRUE(isa.ok()) << isa.error()[0].message;
  EXPECT_EQ(isa->timing_classes, (std::vector<std::string>{"own", "predecoded"}));
}

// A level has what its ancestors introduce, whichever of several ways leads to it.
TEST(Checker, LevelsInherit) {
  const Result<Description, Diagnostics> description =
      parse(prelude +
            "p 00000000 &None t one \"p\"\nq 00000001 &None t left,right f \"q\"\n"
            "r 00000010 &None t both \"r\"\nlevel both: left right\nlevel left: one\n"
            "level right: one\nlevel one\nfeature e\nfeature f\n");
  ASSERT_TRUE(description.ok());
  const Result<Isa, Diagnostics> isa = check(*description);
  ASSERT_TRUE(isa.ok()) << isa.error()[0].message;
  EXPECT_EQ(isa->levels, (std::vector<std::string>{"both", "left", "right", "one"}));
  EXPECT_EQ(isa->patterns[0].levels, 0b1111u);
  EXPECT_EQ(isa->patterns[1].levels, 0b0111u);
  EXPECT_EQ(isa->patterns[2].levels, 0b0001u);
  EXPECT_EQ(isa->patterns[0].features, 0u);
  EXPECT_EQ(isa->patterns[1].features, 0b10u);
}

TEST(Checker, SaysWhichPatternsOverlap) {
  const std::string p = "p 000000 a &A t l \"p\"\n";
  const std::string q = "q 00 b 0000 &B t l \"q\"\n";
  const std::string b = "&B b\n";
  const std::vector<Case> cases = {
      {p + b + q, {"10: pattern 'q' overlaps 'p' of line 8; if that is meant, add: overlap p q"}},
      {p + b + q + "overlap p q", {}},
      {p + b + q + "overlap q p",
       {"11: overlap: 'q' must come before 'p', because the first one wins"}},
      {p + "overlap p q", {"9: overlap: unknown pattern 'q'"}},
      {p + b + "r 00110000 &None t l \"r\"\n" + q + "overlap p r q", {}},
      {p + b + "r 11000000 &None t l \"r\"\n" + q + "overlap p r q",
       {"12: overlap: 'r' and 'q' do not overlap; remove the line"}},
      {p + "r 00000100 &None t l \"r\"\noverlap p r",
       {"10: overlap: 'p' and 'r' do not overlap; remove the line"}},
      {p + "r 00000010 &None t l \"r\"\noverlap p r",
       {"10: overlap: 'p' covers every word of 'r', which is never decoded"}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(errors_in(text), expected) << text;
}

TEST(Checker, SaysWhatIsWrongWithAnAlias) {
  const std::string p =
      "&P pieces\np ..00000. &P t l \"p\"\nq 01 b 10 a &Ab t l \"q\"\n";  // lines 8 to 10
  const std::vector<Case> cases = {
      {"alias x p pieces=-8 \"x %pieces\"", {}},
      {"alias x p pieces=0x6 \"x\"", {}},
      {"alias x p pieces=8 \"x\"", {"11: alias 'x': field 'pieces' is never 8"}},
      {"alias x p pieces=1 \"x\"", {"11: alias 'x': field 'pieces' is never 1"}},
      {"alias x q a=4 \"x\"", {"11: alias 'x': field 'a' is never 4"}},
      {"alias x q a=-1 \"x\"", {"11: alias 'x': field 'a' is never -1"}},
      {"alias x q a=1 a=2 \"x\"", {"11: alias 'x': two conditions on 'a'"}},
      {"alias x q pieces=0 \"x\"", {"11: alias 'x': 'pieces' is not a field of '&Ab'"}},
      {"alias x r a=0 \"x\"", {"11: alias 'x': unknown pattern 'r'"}},
      {"alias x q a=b \"x\"", {}},
      {"alias x q a=b \"x\"\nalias y q a=~b \"y\"", {}},
      {"alias x q a=~b \"x\"\nalias y q a=~b \"y\"",
       {"12: alias 'y' is never printed: an earlier alias of 'q' holds whenever it does"}},
      {"alias x q a=b a=1 \"x\"", {"11: alias 'x': two conditions on 'a'"}},
      {"alias x q a=pieces \"x\"", {"11: alias 'x': 'pieces' is not a field of '&Ab'"}},
      {"alias x q a=a \"x\"",
       {"11: alias 'x': 'a' and 'a' are not two unsigned fields of one length without a shift"}},
      {"%c 0:1 k\n%d 1:1 signed k\n&Cd c d\nr 111111 d c &Cd t l \"r\"\nalias x r c=d \"x\"",
       {"15: alias 'x': 'c' and 'd' are not two unsigned fields of one length without a shift"}},
      {"%c 0:1 k\n%e 1:2 k\n&Ce c e\nr 11111 e c &Ce t l \"r\"\nalias x r c=e \"x\"",
       {"15: alias 'x': 'c' and 'e' are not two unsigned fields of one length without a shift"}},
      {"alias x q a=0 \"x %pieces\"",
       {"11: syntax: '%pieces' is not a field of '&Ab'; write %% for a percent sign"}},
      {"alias x q a=0 \"x\"\nalias y q b=1 a=0 \"y\"",
       {"12: alias 'y' is never printed: an earlier alias of 'q' holds whenever it does"}},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(errors_in(p + text), expected) << text;
  }
}

TEST(Checker, MemberNames) {
  EXPECT_EQ(member_name("FpMem"), "fp_mem");
  EXPECT_EQ(member_name("BranchRR"), "branch_rr");
  EXPECT_EQ(member_name("FPMove2"), "fp_move2");
  EXPECT_EQ(member_name("Break"), "break_");
}

// Whatever the tree's shape, it must find the first pattern that matches.
const CheckedPattern* find(const DecisionNode& node, const Isa& isa, std::uint64_t word) {
  if (node.length == 0) {
    for (const std::size_t i : node.patterns) {
      if ((word & isa.patterns[i].mask) == isa.patterns[i].match) return &isa.patterns[i];
    }
    return nullptr;
  }
  const std::uint64_t bits = (word >> node.low) & ((std::uint64_t{1} << node.length) - 1);
  for (const DecisionNode& child : node.cases) {
    if (child.value == bits) return find(child, isa, word);
  }
  return nullptr;
}

TEST(DecisionTree, FindsTheFirstMatchOfEveryWord) {
  const Result<Description, Diagnostics> description =
      parse(prelude +
            "p 00 b 00 a &Ab t l \"p\"\nq 0000-1 a &A t l \"q\"\nr 10000- a &A t l \"r\"\n"
            "s 11111111 &None t l \"s\"\nu 000101 a &A t l \"u\"\nv ------ a &A t l \"v\"\n"
            "level l\noverlap p q r s u v\n");
  ASSERT_TRUE(description.ok());
  const Result<Isa, Diagnostics> isa = check(*description);
  ASSERT_TRUE(isa.ok()) << isa.error()[0].message;
  const DecisionNode tree = build_decision_tree(isa->patterns);
  for (std::uint64_t word = 0; word < 256; ++word) {
    const CheckedPattern* expected = nullptr;
    for (const CheckedPattern& pattern : isa->patterns) {
      if (expected == nullptr && (word & pattern.mask) == pattern.match) expected = &pattern;
    }
    EXPECT_EQ(find(tree, *isa, word), expected) << word;
  }
}

TEST(Emitter, NamesItsSourceAndHeader) {
  const Result<Description, Diagnostics> description =
      parse(prelude + "p 00000000 &None t l \"p\"\nlevel l\n");
  const Result<Isa, Diagnostics> isa = check(*description);
  EXPECT_TRUE(
      emit_header(*isa, "x/toy.decode").starts_with("// Generated by decodegen from x/toy"));
  EXPECT_NE(emit_source(*isa, "x/toy.decode", "y/toy_decode.h").find("\"y/toy_decode.h\""),
            std::string::npos);
}

TEST(Emitter, NamesAPatternsBody) {
  const Result<Description, Diagnostics> description =
      parse(prelude + "p 00000000 &None t l \"p\"\nq 000001 a &A t l \"q\" =p\nlevel l\n");
  const std::string header = emit_header(*check(*description), "x/toy.decode");
  EXPECT_NE(header.find("X(p, p, None, none)"), std::string::npos);
  EXPECT_NE(header.find("X(q, p, A, a)"), std::string::npos);
}

}  // namespace
}  // namespace hardclock::decodegen
