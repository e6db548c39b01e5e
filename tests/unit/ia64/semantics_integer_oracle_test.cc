// Each body of semantics_integer.h against the manual: what its assembly text says by the
// arithmetic of integer_oracle.h, with NaT bits, predicates and faults, on the Interpreter and as a
// recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ia64/bundle.h"
#include "isa/ia64/disassembly.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/registers.h"
#include "sim/base/units.h"
#include "sim/recording/trap.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/instances.h"
#include "tests/unit/ia64/integer_machine.h"
#include "tests/unit/ia64/integer_oracle.h"
#include "tests/unit/ia64/integer_values.h"

namespace hardclock::ia64 {
namespace {

using Outcome = IntegerMachine::Outcome;

// ---- The assembly text.
struct Text {
  unsigned qp = 0;
  std::string mnemonic;
  std::vector<std::string> targets, sources;
};

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0, end = 0;
  while ((end = list.find(separator, start)) != std::string::npos) {
    parts.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  parts.push_back(list.substr(start));
  return parts;
}

Text text_of(Word word) {
  const Placed placed = place(word);
  const std::string text = disassemble(placed.bundle, placed.slot, GuestAddr(0));
  static const std::regex syntax("(?:\\(p([0-9]+)\\) )?(\\S+) ([^=]+)=(\\S+)\\s*");
  std::smatch parts;
  if (!std::regex_match(text, parts, syntax)) {
    ADD_FAILURE() << text;
    return {};
  }
  const unsigned qp = parts[1].matched ? static_cast<unsigned>(std::stoul(parts[1])) : 0;
  return {qp, parts[2], split(parts[3], ','), split(parts[4], ',')};
}

// Of "r32" or "p6".
unsigned number_of(const std::string& name) {
  return static_cast<unsigned>(std::stoul(name.substr(1)));
}

// ---- What the manual wants.
// A reserved permutation has no name, but a number.
std::optional<std::uint64_t> operand(const std::string& source, const Registers& before) {
  static const std::map<std::string, std::uint64_t, std::less<>> permutations = {
      {"@brcst", 0}, {"@mix", 8}, {"@shuf", 9}, {"@alt", 10}, {"@rev", 11}};
  if (source[0] == 'r') return before.stack.value(number_of(source));
  if (source[0] != '@') return static_cast<std::uint64_t>(std::stoll(source, nullptr, 0));
  const auto permutation = permutations.find(source);
  if (permutation == permutations.end()) return std::nullopt;
  return permutation->second;
}

bool any_nat(const Text& text, const Registers& before) {
  return std::any_of(text.sources.begin(), text.sources.end(), [&](const std::string& source) {
    return source[0] == 'r' && before.stack.nat(number_of(source));
  });
}

Arguments arguments_of(const Text& text, const Registers& before) {
  Arguments arguments{};
  for (std::size_t i = 0; i < text.sources.size(); ++i)
    arguments[i] = operand(text.sources[i], before).value_or(0);
  return arguments;
}

bool is_reserved(const Text& text) {
  if (text.mnemonic == "pshladd2" || text.mnemonic == "pshradd2") return text.sources[1] == "4";
  return text.mnemonic == "mux1" && text.sources[1][0] != '@';
}

// Arithmetic for which the oracle has no function. add and sub have 1 for a third operand.
std::optional<std::uint64_t> simple_result(const std::string& mnemonic, const Arguments& a) {
  if (mnemonic == "mov") return a[0];
  if (mnemonic == "add" || mnemonic == "adds" || mnemonic == "addl") return a[0] + a[1] + a[2];
  if (mnemonic == "sub") return a[0] - a[1] - a[2];
  if (mnemonic == "shladd") return (a[0] << a[1]) + a[2];
  if (mnemonic == "and") return a[0] & a[1];
  if (mnemonic == "andcm") return a[0] & ~a[1];
  if (mnemonic == "or") return a[0] | a[1];
  if (mnemonic == "xor") return a[0] ^ a[1];
  return std::nullopt;
}

std::uint64_t result_of(const Text& text, const Arguments& arguments) {
  if (const auto simple = simple_result(text.mnemonic, arguments)) return *simple;
  std::string name = text.mnemonic;
  std::replace(name.begin(), name.end(), '.', '_');
  return expected(name, arguments);
}

// "cmp4.eq.or.andcm" in parts: what is asked, and the type.
struct Compare {
  std::string relation;  // "cmp4_eq"
  std::string type;      // "or.andcm", or empty
};
std::optional<Compare> compare_of(const Text& text) {
  static const std::regex syntax("(cmp4?|tbit|tnat|tf)\\.([a-z]+)\\.?(.*)");
  std::smatch parts;
  if (!std::regex_match(text.mnemonic, parts, syntax)) return std::nullopt;
  return Compare{parts[1].str() + "_" + parts[2].str(), parts[3]};
}

// The processor is an Itanium 9500: it has clz, which is bit 32 of CPUID register 4, and mpy4,
// bit 33.
bool holds(const Compare& compare, const Text& text, const Registers& before) {
  const bool wants_one = compare.relation.ends_with("_nz");
  if (compare.relation.starts_with("tnat"))
    return before.stack.nat(number_of(text.sources[0])) == wants_one;
  if (compare.relation.starts_with("tf")) {
    const bool is_feature = text.sources[0] == "32" || text.sources[0] == "33";
    return is_feature == wants_one;
  }
  return expected(compare.relation, arguments_of(text, before)) != 0;
}

// Both predicates afterwards, or nothing if they stay as they are.
// Source: SDM 3, cmp, "Comparison Types".
struct Pair {
  bool p1, p2;
};
std::optional<Pair> written(const std::string& type, bool qp, bool relation, bool nat) {
  if (!qp) return type == "unc" ? std::optional(Pair{false, false}) : std::nullopt;
  if (type.empty() || type == "unc") return nat ? Pair{false, false} : Pair{relation, !relation};
  const bool is_true = relation && !nat;
  if (type == "and") return is_true ? std::nullopt : std::optional(Pair{false, false});
  if (!is_true) return std::nullopt;
  return Pair{true, type == "or"};
}

void set_predicate(Registers& registers, unsigned n, bool value) {
  if (n == 0) return;
  const std::uint64_t bit = std::uint64_t{1} << n;
  registers.predicates = value ? registers.predicates | bit : registers.predicates & ~bit;
}

Outcome faulted(const Registers& before) {
  constexpr auto code = static_cast<std::uint32_t>(IllegalUse::operation);
  return {before, Trap{TrapKind::illegal_instruction, code, Fault{}}};
}

Outcome expected_of_compare(const Text& text, const Compare& compare, const Registers& before) {
  const bool qp = (before.predicates >> text.qp & 1) != 0;
  const unsigned p1 = number_of(text.targets[0]), p2 = number_of(text.targets[1]);
  if (p1 == p2 && (qp || compare.type == "unc")) return faulted(before);
  const bool nat = !compare.relation.starts_with("tnat") && any_nat(text, before);
  Outcome outcome{before, {}};
  if (const auto pair = written(compare.type, qp, holds(compare, text, before), nat)) {
    set_predicate(outcome.registers, p1, pair->p1);
    set_predicate(outcome.registers, p2, pair->p2);
  }
  return outcome;
}

Outcome expected_outcome(Word word, const Registers& before) {
  const Text text = text_of(word);
  if (const auto compare = compare_of(text)) return expected_of_compare(text, *compare, before);
  if ((before.predicates >> text.qp & 1) == 0) return {before, {}};
  const unsigned r1 = number_of(text.targets[0]);
  if (r1 == 0 || !before.stack.is_writable(r1) || is_reserved(text)) return faulted(before);
  Outcome outcome{before, {}};
  outcome.registers.stack.write(r1, result_of(text, arguments_of(text, before)),
                                any_nat(text, before));
  return outcome;
}

// ---- Registers.
constexpr FrameMarker frame = {.sof = 64, .sol = 40, .sor = 16, .rrb_gr = 5, .rrb_pr = 3};
constexpr unsigned first_outside = 32 + 64;

Registers random_registers(std::mt19937_64& random) {
  Registers registers;
  registers.stack.start(0x1000, frame);
  for (unsigned r = 1; r < first_outside; ++r) {
    const bool is_count = random() % 4 == 0;
    const std::uint64_t count = corner_counts[random() % std::size(corner_counts)];
    registers.stack.write(r, is_count ? count : random_register(random), random() % 4 == 0);
  }
  registers.predicates = random() | 1;
  return registers;
}

void expect_equal(const Outcome& outcome, const Outcome& expected) {
  EXPECT_EQ(outcome.trap.has_value(), expected.trap.has_value());
  if (outcome.trap && expected.trap) {
    EXPECT_EQ(outcome.trap->kind, expected.trap->kind);
    EXPECT_EQ(outcome.trap->code, expected.trap->code);
  }
  EXPECT_EQ(outcome.registers.predicates, expected.registers.predicates);
  for (unsigned r = 0; r < first_outside; ++r) {
    EXPECT_EQ(outcome.registers.stack.value(r), expected.registers.stack.value(r)) << "r" << r;
    EXPECT_EQ(outcome.registers.stack.nat(r), expected.registers.stack.nat(r)) << "r" << r;
  }
  EXPECT_TRUE(outcome.registers == expected.registers);
}

std::vector<Opcode> opcodes_with_bodies() {
  std::vector<Opcode> opcodes = all_opcodes();
  std::erase_if(opcodes, [](Opcode opcode) { return !has_integer_body(opcode); });
  return opcodes;
}

// An A pattern leaves the lowest bit of the unit open: M or I.
bool is_a_or_i(Opcode opcode) {
  const OpcodeInfo& pattern = info(opcode);
  return pattern.mask >> slot_bits == 6 || pattern.match >> slot_bits == Word(Unit::i);
}

// What of type I moves between registers of different kinds, checks, or does nothing.
const std::set<std::string, std::less<>> others = {
    "break_i",          "nop_i",         "hint_i",      "chk_s_i",      "mov_to_br",
    "mov_ret_to_br",    "mov_from_br",   "mov_from_ip", "mov_from_pr",  "mov_to_ar_i",
    "mov_to_ar_imm8_i", "mov_from_ar_i", "mov_to_pr",   "mov_to_pr_rot"};

TEST(Ia64IntegerSemantics, LeavesNoPatternOut) {
  for (const Opcode opcode : all_opcodes()) {
    const std::string_view name = info(opcode).name;
    EXPECT_EQ(has_integer_body(opcode), is_a_or_i(opcode) && !others.contains(name)) << name;
  }
}

struct Kinds {
  unsigned results = 0, nats = 0, predicates = 0, faults = 0, nothing = 0;
};
void count(Kinds& kinds, const Outcome& outcome, const Registers& before) {
  const bool is_same = outcome.registers == before;
  kinds.faults += outcome.trap ? 1 : 0;
  kinds.nothing += !outcome.trap && is_same ? 1 : 0;
  if (is_same) return;
  if (outcome.registers.predicates != before.predicates) return void(++kinds.predicates);
  ++kinds.results;
  for (unsigned r = 1; r < first_outside; ++r)
    kinds.nats += outcome.registers.stack.nat(r) && !before.stack.nat(r) ? 1 : 0;
}

TEST(Ia64IntegerOracle, IsTheManuals) {
  std::mt19937_64 random(1);
  IntegerMachine machine(Level::itanium_9500);
  Kinds kinds;
  for (const Opcode opcode : opcodes_with_bodies()) {
    for (const Word word : instances(opcode, 240 / support::part_of_cases, 2)) {
      const Registers before = random_registers(random);
      const Outcome expected = expected_outcome(word, before);
      SCOPED_TRACE(testing::Message() << info(opcode).name << " 0x" << std::hex << word);
      expect_equal(machine.interpret(word, before), expected);
      expect_equal(machine.evaluate(word, before), expected);
      ASSERT_FALSE(testing::Test::HasFailure());
      count(kinds, expected, before);
    }
  }
  EXPECT_GT(kinds.results, 100u);
  EXPECT_GT(kinds.nats, 100u);
  EXPECT_GT(kinds.predicates, 100u);
  EXPECT_GT(kinds.faults, 100u);
  EXPECT_GT(kinds.nothing, 100u);
}

}  // namespace
}  // namespace hardclock::ia64
