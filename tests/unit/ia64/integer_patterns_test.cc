// Every function of integer_functions.h and multimedia_functions.h does what the manual's
// pseudo-code says (integer_oracle.h).
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "isa/ia64/integer_functions.h"
#include "isa/ia64/multimedia_functions.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/integer_oracle.h"
#include "tests/unit/ia64/integer_values.h"

namespace hardclock::ia64 {
namespace {

using Number = std::uint64_t;
using Function = std::variant<Number (*)(Number), Number (*)(Number, Number),
                              Number (*)(Number, Number, Number)>;

Number call(const Function& function, const Arguments& a) {
  switch (function.index()) {
    case 0:
      return std::get<0>(function)(a[0]);
    case 1:
      return std::get<1>(function)(a[0], a[1]);
    default:
      return std::get<2>(function)(a[0], a[1], a[2]);
  }
}

// What a parameter may be: any register, a count in a register, or an immediate.
enum class Kind { reg, count, uimm5, uimm6, len6, pshladd, pmpyshr, mbt4, mht8 };

std::vector<Number> range(std::int64_t first, std::int64_t last) {
  std::vector<Number> values;
  for (std::int64_t value = first; value <= last; ++value)
    values.push_back(static_cast<Number>(value));
  return values;
}

// Corners of registers, counts and long immediates, all values of the others.
std::vector<Number> values(Kind kind) {
  switch (kind) {
    case Kind::reg:
      return {std::begin(corner_registers), std::end(corner_registers)};
    case Kind::count:
      return {std::begin(corner_counts), std::end(corner_counts)};
    case Kind::uimm5:
      return range(0, 31);
    case Kind::uimm6:
      return range(0, 63);
    case Kind::len6:
      return range(1, 64);
    case Kind::pshladd:
      return range(1, 3);
    case Kind::pmpyshr:
      return {0, 7, 15, 16};
    case Kind::mbt4:
      return {0, 8, 9, 10, 11};
    case Kind::mht8:
      return range(0, 255);
  }
  return {};
}

struct Row {
  std::string pattern;
  Function function;
  std::vector<Kind> kinds;
};

constexpr Kind reg = Kind::reg;

// The name by which the oracle knows the pattern: "pshr2_imm" is a pshr2.
std::string name_of(const Row& row) {
  return row.pattern.substr(0, row.pattern.find("_imm"));
}

// The patterns that have a function.
const std::vector<Row>& rows() {
  static const std::vector<Kind> one = {reg}, two = {reg, reg}, by_count = {reg, Kind::count},
                                 by_5 = {reg, Kind::uimm5};
  static const std::vector<Row> all = {
      {"padd1", alu::padd1, two},
      {"padd1_sss", alu::padd1_sss, two},
      {"padd1_uuu", alu::padd1_uuu, two},
      {"padd1_uus", alu::padd1_uus, two},
      {"padd2", alu::padd2, two},
      {"padd2_sss", alu::padd2_sss, two},
      {"padd2_uuu", alu::padd2_uuu, two},
      {"padd2_uus", alu::padd2_uus, two},
      {"padd4", alu::padd4, two},
      {"psub1", alu::psub1, two},
      {"psub1_sss", alu::psub1_sss, two},
      {"psub1_uuu", alu::psub1_uuu, two},
      {"psub1_uus", alu::psub1_uus, two},
      {"psub2", alu::psub2, two},
      {"psub2_sss", alu::psub2_sss, two},
      {"psub2_uuu", alu::psub2_uuu, two},
      {"psub2_uus", alu::psub2_uus, two},
      {"psub4", alu::psub4, two},
      {"pavg1", alu::pavg1, two},
      {"pavg1_raz", alu::pavg1_raz, two},
      {"pavg2", alu::pavg2, two},
      {"pavg2_raz", alu::pavg2_raz, two},
      {"pavgsub1", alu::pavgsub1, two},
      {"pavgsub2", alu::pavgsub2, two},
      {"pcmp1_eq", alu::pcmp1_eq, two},
      {"pcmp1_gt", alu::pcmp1_gt, two},
      {"pcmp2_eq", alu::pcmp2_eq, two},
      {"pcmp2_gt", alu::pcmp2_gt, two},
      {"pcmp4_eq", alu::pcmp4_eq, two},
      {"pcmp4_gt", alu::pcmp4_gt, two},
      {"pshladd2", alu::pshladd2, {reg, Kind::pshladd, reg}},
      {"pshradd2", alu::pshradd2, {reg, Kind::pshladd, reg}},
      {"pmpyshr2", alu::pmpyshr2, {reg, reg, Kind::pmpyshr}},
      {"pmpyshr2_u", alu::pmpyshr2_u, {reg, reg, Kind::pmpyshr}},
      {"pmpy2_r", alu::pmpy2_r, two},
      {"pmpy2_l", alu::pmpy2_l, two},
      {"mix1_r", alu::mix1_r, two},
      {"mix1_l", alu::mix1_l, two},
      {"mix2_r", alu::mix2_r, two},
      {"mix2_l", alu::mix2_l, two},
      {"mix4_r", alu::mix4_r, two},
      {"mix4_l", alu::mix4_l, two},
      {"pack2_uss", alu::pack2_uss, two},
      {"pack2_sss", alu::pack2_sss, two},
      {"pack4_sss", alu::pack4_sss, two},
      {"unpack1_h", alu::unpack1_h, two},
      {"unpack1_l", alu::unpack1_l, two},
      {"unpack2_h", alu::unpack2_h, two},
      {"unpack2_l", alu::unpack2_l, two},
      {"unpack4_h", alu::unpack4_h, two},
      {"unpack4_l", alu::unpack4_l, two},
      {"pmin1_u", alu::pmin1_u, two},
      {"pmax1_u", alu::pmax1_u, two},
      {"pmin2", alu::pmin2, two},
      {"pmax2", alu::pmax2, two},
      {"psad1", alu::psad1, two},
      {"mux1", alu::mux1, {reg, Kind::mbt4}},
      {"mux2", alu::mux2, {reg, Kind::mht8}},
      {"pshr2", alu::pshr2, by_count},
      {"pshr2_u", alu::pshr2_u, by_count},
      {"pshr4", alu::pshr4, by_count},
      {"pshr4_u", alu::pshr4_u, by_count},
      {"pshr2_imm", alu::pshr2, by_5},
      {"pshr2_u_imm", alu::pshr2_u, by_5},
      {"pshr4_imm", alu::pshr4, by_5},
      {"pshr4_u_imm", alu::pshr4_u, by_5},
      {"pshl2", alu::pshl2, by_count},
      {"pshl4", alu::pshl4, by_count},
      {"pshl2_imm", alu::pshl2, by_5},
      {"pshl4_imm", alu::pshl4, by_5},
      {"popcnt", alu::popcnt, one},
      {"clz", alu::clz, one},
      {"extr_u", alu::extr_u, {reg, Kind::uimm6, Kind::len6}},
      {"czx1_l", alu::czx1_l, one},
      {"czx2_l", alu::czx2_l, one},
      {"czx1_r", alu::czx1_r, one},
      {"czx2_r", alu::czx2_r, one},
  };
  return all;
}

void compare(const Row& row, const Arguments& arguments) {
  ASSERT_EQ(call(row.function, arguments), expected(name_of(row), arguments))
      << row.pattern << std::hex << " " << arguments[0] << " " << arguments[1] << " "
      << arguments[2] << " " << arguments[3];
}

// The values of all parameters, crossed; of the registers of more than two parameters, a fifth.
void compare_corners(const Row& row, Arguments& arguments, std::size_t position) {
  if (position == row.kinds.size()) return compare(row, arguments);
  const bool is_few = row.kinds.size() < 3 || row.kinds[position] != Kind::reg;
  const std::vector<Number> all = values(row.kinds[position]);
  for (std::size_t i = 0; i < all.size(); i += is_few ? 1 : 5) {
    arguments[position] = all[i];
    ASSERT_NO_FATAL_FAILURE(compare_corners(row, arguments, position + 1));
  }
}

void compare_random(const Row& row, std::mt19937_64& random) {
  Arguments arguments{};
  for (std::size_t i = 0; i < row.kinds.size(); ++i) {
    const std::vector<Number> all = values(row.kinds[i]);
    arguments[i] = row.kinds[i] == Kind::reg ? random_register(random) : all[random() % all.size()];
  }
  compare(row, arguments);
}

TEST(Ia64IntegerPatterns, FunctionsDoWhatTheManualSays) {
  std::mt19937_64 random(1);
  for (const Row& row : rows()) {
    ASSERT_TRUE(is_known(name_of(row))) << row.pattern;
    Arguments arguments{};
    ASSERT_NO_FATAL_FAILURE(compare_corners(row, arguments, 0));
    for (unsigned n = 0; n < 2000 / support::part_of_cases; ++n)
      ASSERT_NO_FATAL_FAILURE(compare_random(row, random));
  }
}

// All pairs of bytes, eight of them at a time.
TEST(Ia64IntegerPatterns, AllPairsOfBytes) {
  unsigned compared = 0;
  for (const Row& row : rows()) {
    if (row.kinds.size() != 2 || row.kinds[1] != Kind::reg || row.pattern[0] != 'p') continue;
    if (row.pattern.find('1') == std::string::npos) continue;
    ++compared;
    for (Number a = 0; a < 256; a += support::part_of_cases) {
      for (Number b = 0; b < 256; b += 8) {
        const Arguments arguments = {a * 0x0101'0101'0101'0101,
                                     b * 0x0101'0101'0101'0101 + 0x0706'0504'0302'0100};
        ASSERT_NO_FATAL_FAILURE(compare(row, arguments));
      }
    }
  }
  EXPECT_EQ(compared, 16u);  // padd 4, psub 4, pavg 2, pavgsub, pcmp 2, pmin, pmax, psad
}

}  // namespace
}  // namespace hardclock::ia64
