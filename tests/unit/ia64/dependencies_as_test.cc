// Which pairs of instructions a group may have, against GNU as 2.40, which has the manual's tables:
// in explicit mode it warns of each dependency that is not allowed. Skipped where it is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ia64/bundle.h"
#include "isa/ia64/dependencies.h"
#include "isa/ia64/disassembly.h"
#include "isa/ia64/ia64_decode.h"
#include "tests/unit/ia64/instances.h"

namespace hardclock::ia64 {
namespace {

constexpr GuestAddr base{0x4000'0000'0000'0000};

// Two instructions in one group, each in a bundle of its own.
struct Pair {
  Word first = 0, second = 0;
};

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Unpredicated, with few registers, so that instructions meet. Where a field is not all the
// pattern's, it may come out as another one.
Word likely_to_meet(Opcode opcode, std::mt19937_64& random) {
  constexpr unsigned common[] = {6, 7, 8};
  constexpr unsigned special[] = {16, 17, 18, 19, 25, 32, 36, 40, 48, 63, 64, 65, 66};
  const OpcodeInfo& pattern = info(opcode);
  Word word = (random() & word_mask & ~pattern.mask) | pattern.match;
  for (const unsigned low : {6u, 13u, 20u, 27u}) {
    const std::uint64_t number =
        random() % 4 != 0 ? common[random() % 3] : special[random() % std::size(special)];
    const Word free = (Word{127} << low) & ~pattern.mask;
    word = (word & ~free) | (number << low & free);
  }
  return word & ~(Word{63} & ~pattern.mask);
}

// ---- The assembler.
std::string bundle_source(Word word, bool stops) {
  const Placed placed = place(word);
  std::string source = "\t{ ";
  constexpr std::string_view names[] = {".mii", ".mlx", ".mfi", ".bbb"};
  const std::size_t kind = placed.bundle.template_number == 0x00   ? 0
                           : placed.bundle.template_number == 0x04 ? 1
                           : placed.bundle.template_number == 0x0c ? 2
                                                                   : 3;
  source += std::string(names[kind]) + "\n";
  const std::size_t count = kind == 1 ? 2 : 3;
  for (std::size_t slot = 0; slot < count; ++slot) {
    source += "\t" + disassemble(placed.bundle, slot, base) + "\n";
  }
  return source + (stops ? "\t;; }\n" : "\t}\n");
}

constexpr unsigned lines_of(Word word) {
  return word >> slot_bits == 4 ? 4 : 5;
}

struct Verdicts {
  std::set<std::size_t> refused, violating;  // pairs
};

// What as says of each pair.
Verdicts verdicts_of_as(const std::vector<Pair>& pairs) {
  const char* const folder = std::getenv("TEST_TMPDIR");
  const std::string stem = std::string(folder != nullptr ? folder : "/tmp") + "/pairs";
  std::vector<std::size_t> pair_of_line = {0, 0};
  {
    std::ofstream source(stem + ".s");
    source << ".explicit\n";
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      source << bundle_source(pairs[i].first, false) << bundle_source(pairs[i].second, true);
      pair_of_line.insert(pair_of_line.end(), lines_of(pairs[i].first) + lines_of(pairs[i].second),
                          i);
    }
  }
  const std::string command = "ia64-linux-gnu-as -xexplicit -o /dev/null '" + stem + ".s' 2>&1";
  Verdicts verdicts;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return verdicts;
  const std::regex message(R"(\.s:([0-9]+): (Error|Warning: Use of .* violat))");
  char line[1024];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    std::cmatch match;
    if (!std::regex_search(line, match, message)) continue;
    const std::size_t pair = pair_of_line.at(std::stoul(match[1]));
    (match[2] == "Error" ? verdicts.refused : verdicts.violating).insert(pair);
  }
  pclose(pipe);
  return verdicts;
}

// ---- The checker.
InstructionText text_of(const Bundle& bundle, std::size_t slot, GuestAddr address) {
  return {.address = address,
          .length = bundle_bytes,
          .slot = static_cast<std::uint8_t>(slot),
          .bytes = packed_bytes(bundle)};
}

bool has_dependency(const Pair& pair) {
  DependencyChecker checker;
  const Registers registers;
  bool found = false;
  GuestAddr address = base;
  for (const Word word : {pair.first, pair.second}) {
    const Bundle bundle = place(word).bundle;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      found |= checker.next(text_of(bundle, slot, address), registers).has_value();
    }
    address = address + bundle_bytes;
  }
  return found;
}

// ---- Instructions on which as is not asked.
SlotText slot_of(Word word) {
  const Placed placed = place(word);
  return slot_text(placed.bundle, static_cast<unsigned>(placed.slot));
}
// A fault, whatever its operands are: of two equal targets, of reserved values.
bool always_faults(Word word) {
  return record(slot_of(word)).has(Operation::trap);
}

// Control does not get from these to the next instruction, or as begins a group behind them.
bool leaves_group(std::string_view name) {
  return is_any_of(name, {"br", "chk", "fchkf", "cover", "clrrrb", "epc"});
}
// What as does not know: the status field behind the .s of an operation in single precision, the
// registers of fpcmp, the predicates of fcmp.unord, the address of a lfetch, the second target of a
// pair, and what the Itanium 9500 added. (SDM 1, section 3.4, excepts none of these; so does
// dependencies_test.cc.) flushrs and loadrs begin a group in any case.
bool is_unknown_to_as(std::string_view name) {
  return is_any_of(name, {"fma_s", "fms_s", "fnma_s", "fpcmp", "fcmp_unord", "lfetch", "ldfp",
                          "mpy4", "mpyshl4", "clz", "flushrs", "loadrs"}) ||
         name.find("dahr") != std::string_view::npos;
}
// What as takes for a target of one type, while its targets are of two (SDM 3, chapter 2, cmp).
bool is_of_two_types(std::string_view name) {
  return name.find("or_andcm") != std::string_view::npos;
}
// The base that a check load updates, too, may be read according to as's tables; not according to
// SDM 1, section 3.4.1.
bool updates_base_of_check(std::string_view name) {
  return name.find("_c_") != std::string_view::npos &&
         (name.ends_with("_imm") || name.ends_with("_reg"));
}
// There are many that only name general and floating-point registers.
bool is_ordinary(Opcode opcode) {
  return !is_any_of(info(opcode).name,
                    {"mov_", "br", "alloc", "sum", "rum", "fsetc", "fclrf", "fchkf", "fma",
                     "cmp_eq", "fcmp_eq", "frcpa", "cmpxchg8", "st8_spill", "ld8_fill"});
}
bool may_be_second(Opcode opcode) {
  const std::string_view name = info(opcode).name;
  return !needs(opcode, Feature::privileged) && !is_unknown_to_as(name) && !is_of_two_types(name);
}
bool may_be_first(Opcode opcode) {
  const std::string_view name = info(opcode).name;
  return may_be_second(opcode) && !leaves_group(name) && !updates_base_of_check(name);
}

std::string text_of(Word word) {
  const Placed placed = place(word);
  return disassemble(placed.bundle, placed.slot, base);
}

Word random_instruction(const std::vector<Opcode>& opcodes, std::mt19937_64& random) {
  for (;;) {
    const Word word = likely_to_meet(opcodes[random() % opcodes.size()], random);
    // As data8 as has what objdump cannot name.
    if (!always_faults(word) && !text_of(word).starts_with("data8")) return word;
  }
}

TEST(Ia64DependenciesAs, PairsOfInstructions) {
  if (std::system("command -v ia64-linux-gnu-as >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "ia64-linux-gnu-as is missing; run tools/install-deps";
  }
  std::mt19937_64 random(7);
  std::vector<Opcode> firsts, seconds;
  std::ranges::copy_if(all_opcodes(), std::back_inserter(firsts), may_be_first);
  std::ranges::copy_if(all_opcodes(), std::back_inserter(seconds), may_be_second);
  std::vector<Pair> pairs;
  for (int i = 0; i < 20'000; ++i) {
    pairs.push_back({random_instruction(firsts, random), random_instruction(seconds, random)});
  }
  std::erase_if(firsts, is_ordinary);
  std::erase_if(seconds, is_ordinary);
  for (int i = 0; i < 20'000; ++i) {
    pairs.push_back({random_instruction(firsts, random), random_instruction(seconds, random)});
  }
  const Verdicts verdicts = verdicts_of_as(pairs);
  std::size_t compared = 0, violating = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (verdicts.refused.contains(i)) continue;
    ++compared;
    const bool expected = verdicts.violating.contains(i);
    violating += expected ? 1 : 0;
    EXPECT_EQ(has_dependency(pairs[i]), expected)
        << text_of(pairs[i].first) << " | " << text_of(pairs[i].second);
  }
  EXPECT_GT(compared, pairs.size() * 3 / 4) << "as refuses too many";
  EXPECT_GT(violating, pairs.size() / 10) << "too few instructions meet";
}

}  // namespace
}  // namespace hardclock::ia64
