// Every floating-point operation against QEMU's user-mode emulation, NaNs, flags and the compare
// queue included: floating_point_guest.s runs under qemu-hppa (7.2), and the same operations run
// here. No exception is enabled: QEMU's traps are not a PA-RISC's. Skipped where the tools are
// missing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/floating_point_status.h"
#include "sim/base/endian.h"
#include "tests/support/floating_point_operands.h"

namespace hardclock::pa_risc::fp {
namespace {

using namespace support;

constexpr const char* guest_source = "tests/unit/pa_risc/floating_point_guest.s";
constexpr std::uint64_t untouched = 0x5a5a'a5a5'5a5a'a5a5;  // as in the guest's source
constexpr std::size_t row_count = 400, status_count = 8;

bool has_tools() {
  return std::system("command -v hppa-linux-gnu-as hppa-linux-gnu-ld qemu-hppa >/dev/null 2>&1") ==
         0;
}

// What the guest is given: operands for each instruction, a single or a word in the left half,
// values of fr0, and those for FTEST.
using Rows = std::vector<Triple>;
struct Input {
  Rows singles, doubles, words, longs;
  std::vector<std::uint64_t> statuses, queues;
};

template <class Container>
void append(std::string& bytes, const Container& values) {
  for (const std::uint64_t value : values) {
    std::array<char, sizeof value> raw;
    store_bytes(raw.data(), value, Endian::big);
    bytes.append(raw.data(), raw.size());
  }
}

std::string bytes_of(const Rows& rows) {
  std::string bytes;
  for (const Triple& row : rows) append(bytes, row);
  return bytes;
}

// A folder that goes away with everything in it.
class Folder {
 public:
  Folder() {
    const char* const parent = std::getenv("TEST_TMPDIR");
    path_ = std::string(parent != nullptr ? parent : "/tmp") + "/qemu-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~Folder() {
    if (!path_.empty()) std::filesystem::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
  }

 private:
  std::string path_;
};

// What the guest writes; empty when a tool failed.
std::string run_guest(const Input& input) {
  const Folder folder;
  folder.write("singles", bytes_of(input.singles));
  folder.write("doubles", bytes_of(input.doubles));
  folder.write("words", bytes_of(input.words));
  folder.write("longs", bytes_of(input.longs));
  std::string statuses;
  append(statuses, input.statuses);
  folder.write("statuses", statuses);
  std::string queues;
  append(queues, input.queues);
  folder.write("queues", queues);
  const std::string command = "hppa-linux-gnu-as -I '" + folder.file("") + "' -o '" +
                              folder.file("guest.o") + "' " + guest_source +
                              " && hppa-linux-gnu-ld -o '" + folder.file("guest") + "' '" +
                              folder.file("guest.o") + "' && qemu-hppa '" + folder.file("guest") +
                              "' > '" + folder.file("output") + "'";
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream output(folder.file("output"), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(output), {});
}

// What an instruction leaves: fr7 and fr0.
using After = Outcome;

// An instruction of the guest, in its order.
enum class Table { singles, doubles, words, longs, none };
struct Instruction {
  std::string name;
  Table table;
  bool single_result;  // in the left half of fr7, whose right half stays
  enum class Kind { other, fused, to_integer, narrowing } kind = Kind::other;
  std::function<Outcome(const Triple& row, std::uint64_t fr0)> run;
};

using Unary = Outcome (*)(std::uint64_t, std::uint64_t);
using Binary = Outcome (*)(std::uint64_t, std::uint64_t, std::uint64_t);
using Ternary = Outcome (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
using Move = std::uint64_t (*)(std::uint64_t);

bool has_left_operands(Table table) {
  return table == Table::singles || table == Table::words;
}

class Instructions {
 public:
  std::vector<Instruction> take() {
    arithmetic();
    conversions();
    comparisons();
    return std::move(all_);
  }

 private:
  void add(const std::string& name, Table table, bool single_result,
           std::function<Outcome(const Triple&, std::uint64_t)> run) {
    all_.push_back({.name = name, .table = table, .single_result = single_result, .run = run});
  }
  void binary(const std::string& name, Binary s, Binary d) {
    add(name + ",sgl", Table::singles, true,
        [s](const Triple& row, std::uint64_t fr0) { return s(row[0], row[1], fr0); });
    add(name + ",dbl", Table::doubles, false,
        [d](const Triple& row, std::uint64_t fr0) { return d(row[0], row[1], fr0); });
  }
  void unary(const std::string& name, Table table, bool single_result, Unary function) {
    add(name, table, single_result,
        [function](const Triple& row, std::uint64_t fr0) { return function(row[0], fr0); });
  }
  void unary(const std::string& name, Unary s, Unary d) {
    unary(name + ",sgl", Table::singles, true, s);
    unary(name + ",dbl", Table::doubles, false, d);
  }
  void move(const std::string& name, Move s, Move d) {
    add(name + ",sgl", Table::singles, true, [s](const Triple& row, std::uint64_t fr0) {
      return Outcome{s(row[0]), fr0};
    });
    add(name + ",dbl", Table::doubles, false, [d](const Triple& row, std::uint64_t fr0) {
      return Outcome{d(row[0]), fr0};
    });
  }
  void fused(const std::string& name, Ternary s, Ternary d) {
    add(name + ",sgl", Table::singles, true,
        [s](const Triple& row, std::uint64_t fr0) { return s(row[0], row[1], row[2], fr0); });
    add(name + ",dbl", Table::doubles, false,
        [d](const Triple& row, std::uint64_t fr0) { return d(row[0], row[1], row[2], fr0); });
    for (std::size_t i = all_.size() - 2; i < all_.size(); ++i) {
      all_[i].kind = Instruction::Kind::fused;
    }
  }

  void arithmetic() {
    binary("fadd", add_s, add_d);
    binary("fsub", sub_s, sub_d);
    binary("fmpy", mul_s, mul_d);
    binary("fdiv", div_s, div_d);
    unary("fsqrt", sqrt_s, sqrt_d);
    unary("frnd", rnd_s, rnd_d);
    move("fabs", abs_s, abs_d);
    move("fneg", neg_s, neg_d);
    move("fnegabs", negabs_s, negabs_d);
    fused("fmpyfadd", multiply_add_s, multiply_add_d);
    fused("fmpynfadd", negate_multiply_add_s, negate_multiply_add_d);
    add("xmpyu", Table::words, false, [](const Triple& row, std::uint64_t fr0) {
      return Outcome{xmpyu(row[0], row[1]), fr0};
    });
  }

  void conversions() {
    unary("fcnv,sgl,dbl", Table::singles, false, sgl_to_dbl);
    unary("fcnv,dbl,sgl", Table::doubles, true, dbl_to_sgl);
    all_.back().kind = Instruction::Kind::narrowing;
    from_integers("sgl", true, {w_to_sgl, dw_to_sgl, uw_to_sgl, udw_to_sgl});
    from_integers("dbl", false, {w_to_dbl, dw_to_dbl, uw_to_dbl, udw_to_dbl});
    to_integers("w", true, {sgl_to_w, dbl_to_w, truncate_sgl_to_w, truncate_dbl_to_w});
    to_integers("dw", false, {sgl_to_dw, dbl_to_dw, truncate_sgl_to_dw, truncate_dbl_to_dw});
    to_integers("uw", true, {sgl_to_uw, dbl_to_uw, truncate_sgl_to_uw, truncate_dbl_to_uw});
    to_integers("udw", false, {sgl_to_udw, dbl_to_udw, truncate_sgl_to_udw, truncate_dbl_to_udw});
  }
  void from_integers(const std::string& format, bool single_result,
                     const std::array<Unary, 4>& functions) {
    unary("fcnv,w," + format, Table::words, single_result, functions[0]);
    unary("fcnv,dw," + format, Table::longs, single_result, functions[1]);
    unary("fcnv,uw," + format, Table::words, single_result, functions[2]);
    unary("fcnv,udw," + format, Table::longs, single_result, functions[3]);
  }
  void to_integers(const std::string& format, bool single_result,
                   const std::array<Unary, 4>& functions) {
    unary("fcnv,sgl," + format, Table::singles, single_result, functions[0]);
    unary("fcnv,dbl," + format, Table::doubles, single_result, functions[1]);
    unary("fcnv,t,sgl," + format, Table::singles, single_result, functions[2]);
    unary("fcnv,t,dbl," + format, Table::doubles, single_result, functions[3]);
    for (std::size_t i = all_.size() - 4; i < all_.size(); ++i) {
      all_[i].kind = Instruction::Kind::to_integer;
    }
  }

  void comparison_of(const std::string& name, Table table, std::uint64_t what) {
    const auto function = table == Table::singles ? compare_s : compare_d;
    add(name, table, false, [=](const Triple& row, std::uint64_t fr0) {
      return Outcome{untouched, function(row[0], row[1], what, fr0)};
    });
  }
  void test(const std::string& name, std::uint64_t (*function)(std::uint64_t, std::uint64_t),
            std::uint64_t which) {
    add(name, Table::none, true, [=](const Triple&, std::uint64_t fr0) {
      return Outcome{function(fr0, which), fr0};
    });
  }
  void comparisons() {
    for (std::uint64_t condition = 0; condition < 32; ++condition) {
      const std::string name = "fcmp " + std::to_string(condition);
      comparison_of(name + ",sgl", Table::singles, comparison(condition, 0));
      comparison_of(name + ",dbl", Table::doubles, comparison(condition, 0));
    }
    for (std::uint64_t target = 1; target <= array_bits; ++target) {
      comparison_of("fcmp target " + std::to_string(target), Table::doubles,
                    comparison(28, target));
    }
    // Not REJ: QEMU takes it for a test that no other bits of the status register are set.
    for (const std::uint64_t condition : {1, 5, 9, 13, 17, 0}) {
      test("ftest " + std::to_string(condition), test_queue, condition);
    }
    for (std::uint64_t bit = 1; bit <= array_bits; ++bit) {
      test("ftest bit " + std::to_string(bit), test_array, bit);
    }
  }

  std::vector<Instruction> all_;
};

class GuestOutput {
 public:
  explicit GuestOutput(std::string bytes) : bytes_(std::move(bytes)) {}

  bool at_end() const { return at_ >= bytes_.size(); }
  bool was_short() const { return short_; }
  After after() {
    const std::uint64_t fr7 = next();
    return {fr7, next()};
  }

 private:
  std::uint64_t next() {
    if (bytes_.size() - at_ < sizeof(std::uint64_t)) {
      at_ = bytes_.size();
      short_ = true;
      return 0;
    }
    const auto value = load_bytes<std::uint64_t>(bytes_.data() + at_, Endian::big);
    at_ += sizeof value;
    return value;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool short_ = false;
};

// The operands as the functions take them.
Triple operands_of(const Instruction& instruction, Triple row) {
  if (has_left_operands(instruction.table)) {
    for (std::uint64_t& operand : row) operand >>= 32;
  }
  return row;
}

// fr7 as the guest stores it.
std::uint64_t stored(const Instruction& instruction, std::uint64_t value) {
  return instruction.single_result ? value << 32 | (untouched & 0xffff'ffff) : value;
}

// Where QEMU does not do what HP's own emulation does, as Linux has it in arch/parisc/math-emu.
// Each turns what QEMU left into that, and counts.
class Corrections {
 public:
  After apply(const Instruction& instruction, const Triple& operands, const After& qemu) {
    switch (instruction.kind) {
      case Instruction::Kind::fused:
        return fused_nan(instruction, operands, qemu);
      case Instruction::Kind::to_integer:
        return saturated(instruction, operands[0], qemu);
      case Instruction::Kind::narrowing:
        return narrowed(instruction, operands[0], qemu);
      default:
        return qemu;
    }
  }

  std::size_t fused_nans = 0, saturations = 0, narrowings = 0;

 private:
  static const BinaryFormat& source_format(const Instruction& instruction) {
    return instruction.table == Table::singles ? single : twin;
  }

  // fmpyfadd.c: of three operands the first signalling NaN goes through, made quiet. QEMU takes a
  // quiet one that comes before it.
  After fused_nan(const Instruction& instruction, const Triple& operands, const After& qemu) {
    const BinaryFormat& format = source_format(instruction);
    const auto* const signalling =
        std::find_if(operands.begin(), operands.end(),
                     [&](std::uint64_t bits) { return format.is_signalling(bits); });
    if (signalling == operands.end()) return qemu;
    const std::uint64_t quiet_bit = format.signalling() >> 1;
    const std::uint64_t quiet = (*signalling & ~format.signalling()) | quiet_bit;
    const After after{stored(instruction, quiet), qemu[1]};
    fused_nans += after != qemu;
    return after;
  }

  // fcnvfx.c, fcnvfxt.c, fcnvfu.c, fcnvfut.c: a negative NaN gives the smallest integer, in QEMU
  // the largest.
  After saturated(const Instruction& instruction, std::uint64_t operand, After qemu) {
    const BinaryFormat& format = source_format(instruction);
    if (!format.is_nan(operand) || (operand & format.sign()) == 0) return qemu;
    const bool is_signed = instruction.name.find('u') == std::string::npos;
    const std::uint64_t smallest = is_signed ? instruction.single_result ? 0x8000'0000 : sign_d : 0;
    qemu[0] = stored(instruction, smallest);
    ++saturations;
    return qemu;
  }

  // fcnvff.c: a quiet NaN without a bit in the upper part of its fraction gets one. QEMU makes it
  // an infinity.
  After narrowed(const Instruction& instruction, std::uint64_t operand, After qemu) {
    const bool vanishes = (operand & twin.fraction_mask()) >> 29 == 0;
    if (!twin.is_nan(operand) || !vanishes) return qemu;
    qemu[0] = stored(instruction, (operand >> 32 & sign_s) | 0x7fa0'0000);
    ++narrowings;
    return qemu;
  }
};

const Rows& rows_of(const Input& input, Table table) {
  static const Rows one_row(1);
  switch (table) {
    case Table::singles:
      return input.singles;
    case Table::doubles:
      return input.doubles;
    case Table::words:
      return input.words;
    case Table::longs:
      return input.longs;
    default:
      return one_row;
  }
}

Rows numbers(const BinaryFormat& format) {
  std::mt19937_64 random(5);
  const std::vector<std::uint64_t> special = special_operands(format);
  const auto any = [&] { return special[random() % special.size()]; };
  Rows rows = random_triples(format, row_count / 2, 7);
  while (rows.size() < row_count) rows.push_back({any(), any(), any()});
  // Everything that decides which NaN comes out, and where infinities meet zeros.
  const std::uint64_t quiet = format.infinity() | 1, signalling = quiet | format.signalling();
  const std::uint64_t values[] = {0,
                                  format.infinity(),
                                  format.infinity() >> 1,
                                  quiet,
                                  quiet + 1 + format.sign(),
                                  signalling,
                                  signalling + 1 + format.sign()};
  for (const std::uint64_t a : values) {
    for (const std::uint64_t b : values) {
      for (const std::uint64_t c : values) rows.push_back({a, b, c});
    }
  }
  return rows;
}

Rows integers(std::vector<std::uint64_t> special) {
  std::mt19937_64 random(9);
  std::shuffle(special.begin(), special.end(), random);
  special.resize(std::min(special.size(), row_count / 2));
  Rows rows;
  for (const std::uint64_t value : special) rows.push_back({value, random(), 0});
  while (rows.size() < row_count) rows.push_back({random() >> random() % 64, random(), 0});
  return rows;
}

Rows left(Rows rows) {
  for (Triple& row : rows) {
    for (std::uint64_t& value : row) value <<= 32;
  }
  return rows;
}

Input sample_input() {
  Input input{.singles = left(numbers(single)),
              .doubles = numbers(twin),
              .words = left(integers(special_words())),
              .longs = integers(special_longs()),
              .statuses = {},
              .queues = {0, condition_bit | queue}};
  // Every rounding mode with D clear and set; flags and conditions are random.
  std::mt19937_64 random(3);
  for (std::uint64_t mode = 0; mode < status_count; ++mode) {
    const std::uint64_t random_fields = random() & 0xfc3f'f800'0000'0000;
    input.statuses.push_back(random_fields | (mode & 3) << 41 | (mode >> 2) << 37);
  }
  // One bit that differs from all others, which decides.
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = (condition_bit | queue) & std::uint64_t{1} << bit;
    if (one == 0) continue;
    input.queues.push_back(one);
    input.queues.push_back((condition_bit | queue) ^ one);
  }
  return input;
}

const std::vector<std::uint64_t>& statuses_of(const Input& input, const Instruction& instruction) {
  return instruction.table == Table::none ? input.queues : input.statuses;
}

// Compares all runs of an instruction with QEMU's.
void check(const Instruction& instruction, const Input& input, GuestOutput& output,
           Corrections& corrections) {
  for (const Triple& row : rows_of(input, instruction.table)) {
    const Triple operands = operands_of(instruction, row);
    for (const std::uint64_t fr0 : statuses_of(input, instruction)) {
      const After qemu = corrections.apply(instruction, operands, output.after());
      After here = instruction.run(operands, fr0);
      here[0] = stored(instruction, here[0]);
      ASSERT_EQ(here, qemu) << instruction.name << " of " << std::hex << operands[0] << ", "
                            << operands[1] << ", " << operands[2] << ", fr0 " << fr0;
    }
  }
}

TEST(PaRiscFloatingPointQemu, EveryOperation) {
  if (!has_tools()) GTEST_SKIP() << "needs hppa-linux-gnu-as, hppa-linux-gnu-ld and qemu-hppa";
  const Input input = sample_input();
  GuestOutput output(run_guest(input));
  Corrections corrections;
  std::size_t compared = 0;
  for (const Instruction& instruction : Instructions().take()) {
    ASSERT_NO_FATAL_FAILURE(check(instruction, input, output, corrections));
    compared += rows_of(input, instruction.table).size() * statuses_of(input, instruction).size();
  }
  EXPECT_FALSE(output.was_short());
  EXPECT_TRUE(output.at_end());
  EXPECT_GT(corrections.fused_nans, 0u);
  EXPECT_GT(corrections.saturations, 0u);
  EXPECT_GT(corrections.narrowings, 0u);
  std::cout << compared << " compared; corrected: NaNs of fused operations "
            << corrections.fused_nans << ", saturated NaNs " << corrections.saturations
            << ", narrowed NaNs " << corrections.narrowings << "\n";
}

}  // namespace
}  // namespace hardclock::pa_risc::fp
