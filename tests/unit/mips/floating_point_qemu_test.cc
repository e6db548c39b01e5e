// Every floating-point instruction, from its word to registers and FCSR, against QEMU's user-mode
// emulation: floating_point_guest.s runs under qemu-mips and qemu-mipsn32, and the same words run
// here. The processors are a 24Kf with 32-bit registers (FR = 0, which the guest asks for) and
// QEMU's generic MIPS64 release 2: they, unlike newer ones, encode NaNs as the R3000 and the R4000
// do. Skipped where the tools are missing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "isa/mips/floating_point.h"
#include "isa/mips/isa.h"
#include "sim/base/endian.h"
#include "tests/support/floating_point_operands.h"

namespace hardclock::mips {
namespace {

constexpr const char* guest_source = "tests/unit/mips/floating_point_guest.s";
constexpr std::uint64_t untouched = 0x5a5a'a5a5'a5a5'5a5a;  // as in the guest's source

bool has_tools() {
  return std::system(
             "command -v mips-linux-gnu-as mips-linux-gnu-ld qemu-mips qemu-mipsn32 "
             ">/dev/null 2>&1") == 0;
}

// A processor, and how the guest is built and run for it.
struct Platform {
  Level level;
  Mode mode;
  std::string assembler_options, linker_options, emulator;
  std::size_t instructions;  // that the guest runs
};

const Platform o32{.level = Level::mips32r2,
                   .mode = {},
                   .assembler_options = "-EB -march=24kf -mfp32 --defsym FR=0",
                   .linker_options = "",
                   .emulator = "qemu-mips -cpu 24Kf",
                   .instructions = 115};
const Platform n32{.level = Level::mips64r2,
                   .mode = {.operation_bits = 64, .address_bits = 32, .fr = true},
                   .assembler_options = "-EB -march=mips64r2 -mabi=n32 --defsym FR=1",
                   .linker_options = "-m elf32btsmipn32",
                   .emulator = "qemu-mipsn32 -cpu MIPS64R2-generic",
                   .instructions = 134};

// What the guest is given.
struct Input {
  std::vector<support::Pair> singles, doubles, words, longs;
  std::vector<std::uint32_t> statuses;
};

void append(std::string& bytes, auto value) {
  std::array<char, sizeof value> raw;
  store_bytes(raw.data(), value, Endian::big);
  bytes.append(raw.data(), raw.size());
}

std::string bytes_of(const std::vector<support::Pair>& rows) {
  std::string bytes;
  for (const auto& [a, b] : rows) {
    append(bytes, a);
    append(bytes, b);
  }
  return bytes;
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  std::string bytes;
  for (const std::uint32_t word : words) append(bytes, word);
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
std::string run_guest(const Platform& platform, const Input& input) {
  const Folder folder;
  folder.write("singles", bytes_of(input.singles));
  folder.write("doubles", bytes_of(input.doubles));
  folder.write("words", bytes_of(input.words));
  folder.write("longs", bytes_of(input.longs));
  folder.write("statuses", bytes_of(input.statuses));
  const std::string command = "mips-linux-gnu-as " + platform.assembler_options + " -I '" +
                              folder.file("") + "' -o '" + folder.file("guest.o") + "' " +
                              guest_source + " && mips-linux-gnu-ld " + platform.linker_options +
                              " -o '" + folder.file("guest") + "' '" + folder.file("guest.o") +
                              "' && " + platform.emulator + " '" + folder.file("guest") + "' > '" +
                              folder.file("output") + "'";
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream output(folder.file("output"), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(output), {});
}

// What an instruction leaves: $f6 as a double, FCSR, whether it trapped, $11, and the doubleword at
// scratch + 8.
struct After {
  std::uint64_t f6 = 0;
  std::uint32_t fcsr = 0;
  bool trapped = false;
  std::uint64_t r11 = 0;
  std::uint64_t memory = 0;

  bool operator==(const After&) const = default;
};

std::ostream& operator<<(std::ostream& out, const After& after) {
  return out << std::hex << "$f6 " << after.f6 << " FCSR " << after.fcsr
             << (after.trapped ? " SIGFPE" : "") << " $11 " << after.r11 << " memory "
             << after.memory;
}

class GuestOutput {
 public:
  explicit GuestOutput(std::string bytes) : bytes_(std::move(bytes)) {}

  bool at_end() const { return at_ >= bytes_.size(); }
  bool was_short() const { return short_; }
  std::uint32_t word() { return next<std::uint32_t>(); }
  After after() {
    After after;
    after.f6 = next<std::uint64_t>();
    after.fcsr = word();
    after.trapped = word() != 0;
    after.r11 = next<std::uint64_t>();
    after.memory = next<std::uint64_t>();
    return after;
  }

 private:
  template <class T>
  T next() {
    if (bytes_.size() - at_ < sizeof(T)) {
      at_ = bytes_.size();
      short_ = true;
      return 0;
    }
    const T value = load_bytes<T>(bytes_.data() + at_, Endian::big);
    at_ += sizeof(T);
    return value;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool short_ = false;
};

// The operands of one row: the first in $f2 and $10, the second in $f4 and $f5, that of the next
// row in $f8.
using Row = support::Triple;

// Runs one instruction at a time as the guest does.
class Here {
 public:
  explicit Here(const Platform& platform)
      : fr_(platform.mode.fr),
        memory_(std::make_shared<MemoryBudget>(1 << 20), Endian::big, GuestAddr(1 << 20)),
        isa_(platform.level, platform.mode),
        machine_(isa_.interpreter(memory_)) {
    EXPECT_TRUE(memory_.map(GuestAddr(scratch), page_size, {.read = true, .write = true}, "data"));
  }

  After run(std::uint32_t word, const Row& row, std::uint32_t fcsr) {
    if (word != word_) {
      word_ = word;
      op_ = isa_.predecode(word, pc).op;
    }
    prepare(row, fcsr);
    After after;
    machine_.run(&op_, &op_ + 1, pc, fall_through);
    if (machine_.gave_up()) {
      EXPECT_EQ(machine_.take_end()->kind, TrapKind::floating_point);
      after.trapped = true;
    }
    const Registers& registers = machine_.registers();
    after.f6 = fr_ ? registers.fpr[6] : registers.fpr[7] << 32 | registers.fpr[6];
    after.fcsr = registers.fcsr;
    after.r11 = is_branch() ? branch_outcome() : registers.gpr[11];
    std::array<std::uint8_t, 8> bytes;
    EXPECT_TRUE(memory_.read_bytes(GuestAddr(scratch + 8), bytes));
    after.memory = load_bytes<std::uint64_t>(bytes.data(), Endian::big);
    return after;
  }

 private:
  static constexpr std::uint64_t pc = 0x1000, fall_through = pc + 8, scratch = 0x1'0000;

  void prepare(const Row& row, std::uint32_t fcsr) {
    Registers& registers = machine_.registers();
    registers.gpr[3] = 13;
    registers.gpr[10] = fr_ ? row[0]
                            : static_cast<std::uint64_t>(std::int64_t{
                                  static_cast<std::int32_t>(static_cast<std::uint32_t>(row[0]))});
    registers.gpr[11] = 0;
    registers.gpr[24] = 8;
    registers.gpr[25] = scratch;
    set_double(2, row[0]);
    set_double(4, row[1]);
    if (fr_) registers.fpr[5] = row[1];
    set_double(6, untouched);
    set_double(8, row[2]);
    registers.fcsr = fcsr;
    std::array<std::uint8_t, 16> bytes;
    store_bytes(bytes.data(), row[0], Endian::big);
    store_bytes(bytes.data() + 8, row[1], Endian::big);
    EXPECT_TRUE(memory_.write_bytes(GuestAddr(scratch), bytes));
  }
  void set_double(unsigned n, std::uint64_t value) {
    if (fr_) {
      machine_.registers().fpr[n] = value;
    } else {
      machine_.registers().fpr[n] = value & 0xffff'ffff;
      machine_.registers().fpr[n + 1] = value >> 32;
    }
  }
  bool is_branch() const { return (word_ >> 21) == (17u << 5 | 8); }
  // As the guest's macro `branch` counts.
  std::uint64_t branch_outcome() {
    if (machine_.take_nullified()) return 2;
    return machine_.after_slot() == fall_through ? 3 : 1;
  }

  bool fr_;
  AddressSpace memory_;
  Isa isa_;
  Interpreter machine_;
  std::uint32_t word_ = 0;
  Interpreter::Op op_;
};

struct Case {
  std::uint32_t word = 0;
  Opcode opcode = Opcode::invalid;
  Row row;
  std::uint32_t before = 0;  // FCSR

  bool is_one_of(std::initializer_list<Opcode> opcodes) const {
    return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
  }
  bool enables(std::uint32_t exceptions) const { return (before >> 7 & exceptions) != 0; }
  bool multiplies_and_adds() const { return word >> 26 == 19 && (word & 0x20) != 0; }
  bool negates() const { return multiplies_and_adds() && (word & 0x10) != 0; }
};

// Where QEMU does not do what the manuals say. Each turns what QEMU left into what a MIPS leaves,
// and counts.
class Corrections {
 public:
  After apply(const Case& c, After qemu) {
    if (changes_sign(c)) return sign_change(c, qemu);
    if (!is_arithmetic(c)) return qemu;
    return tiny_result(c, quiet_nan(c, negated_nan(c, qemu)));
  }
  // Bits of FCCR, FEXR and FENR that have to be written as zeros; with them QEMU writes nothing.
  static bool is_unpredictable(const Case& c) {
    if (c.opcode == Opcode::ctc1_fccr) return (c.row[0] & 0xffff'ff00) != 0;
    return c.is_one_of({Opcode::ctc1_fexr, Opcode::ctc1_fenr}) && (c.row[0] & 0x007c'0000) != 0;
  }

  std::size_t signs = 0, negated_nans = 0, quiet_nans = 0, tiny_results = 0;

 private:
  static constexpr std::uint64_t default_single = 0x7fbf'ffff;
  static constexpr std::uint64_t default_double = 0x7ff7'ffff'ffff'ffff;

  static bool changes_sign(const Case& c) {
    return c.is_one_of({Opcode::abs_s, Opcode::neg_s, Opcode::abs_d, Opcode::neg_d});
  }
  static bool is_arithmetic(const Case& c) {
    return c.multiplies_and_adds() ||
           c.is_one_of({Opcode::add_s, Opcode::sub_s, Opcode::mul_s, Opcode::div_s, Opcode::sqrt_s,
                        Opcode::recip_s, Opcode::rsqrt_s, Opcode::add_d, Opcode::sub_d,
                        Opcode::mul_d, Opcode::div_d, Opcode::sqrt_d, Opcode::recip_d,
                        Opcode::rsqrt_d, Opcode::cvt_s_d, Opcode::cvt_d_s});
  }
  static const support::BinaryFormat& source_format(const Case& c) {
    const std::uint32_t format = c.multiplies_and_adds() ? 16 + (c.word & 7) : c.word >> 21 & 31;
    return format == 17 ? support::twin : support::single;
  }
  static const support::BinaryFormat& result_format(const Case& c) {
    if (c.opcode == Opcode::cvt_s_d) return support::single;
    if (c.opcode == Opcode::cvt_d_s) return support::twin;
    return source_format(c);
  }
  static bool is_double(const Case& c) { return result_format(c).fraction_bits == 52; }
  static std::uint64_t default_nan(const Case& c) {
    return is_double(c) ? default_double : default_single;
  }
  static std::uint64_t value(const Case& c, const After& after) {
    return is_double(c) ? after.f6 : after.f6 & 0xffff'ffff;
  }
  static std::uint64_t pair_of(const Case& c, std::uint64_t value) {
    return is_double(c) ? value : (untouched & ~std::uint64_t{0xffff'ffff}) | value;
  }
  // The operand in the format of the instruction.
  static std::uint64_t operand(const Case& c, std::size_t which) {
    return c.row[which] & (source_format(c).sign() | (source_format(c).sign() - 1));
  }

  // ABS and NEG are arithmetic ("MIPS R4000 Microprocessor User's Manual", 7.4, Invalid
  // operation): they set the cause bits, a signalling NaN is invalid, and a quiet one is
  // the result (IEEE 754-1985, 6.2). QEMU's change the sign bit and nothing else.
  After sign_change(const Case& c, const After& qemu) {
    const std::uint32_t cleared = c.before & ~(0x3fu << 12);
    After after = qemu;
    after.fcsr = cleared;
    if (source_format(c).is_signalling(operand(c, 0))) {
      after.fcsr = cleared | fp_invalid << 12;
      after.trapped = c.enables(fp_invalid);
      if (!after.trapped) after.fcsr |= fp_invalid << 2;
      after.f6 = after.trapped ? untouched : pair_of(c, default_nan(c));
    } else if (source_format(c).is_nan(operand(c, 0))) {
      after.f6 = pair_of(c, operand(c, 0));
    }
    signs += after != qemu;
    return after;
  }

  // NMADD is a multiplication, an addition and a negation ("MIPS64 Architecture For Programmers",
  // volume II, NMADD.fmt), and the negation of a NaN is the NaN, as above.
  After negated_nan(const Case& c, After qemu) {
    const bool flipped = value(c, qemu) == (default_nan(c) | result_format(c).sign());
    if (!c.negates() || qemu.trapped || !flipped) return qemu;
    ++negated_nans;
    qemu.f6 = pair_of(c, default_nan(c));
    return qemu;
  }

  // An operation on quiet NaNs delivers one of them (IEEE 754-1985, 6.2), the first in a MIPS. QEMU
  // replaces every NaN by the default one (its target/mips/fpu_helper.h, restore_snan_bit_mode).
  // Conversions keep the payload's upper bits (Linux, arch/mips/math-emu/sp_fdp.c and dp_fsp.c).
  After quiet_nan(const Case& c, After qemu) {
    const bool invalid = (qemu.fcsr >> 12 & fp_invalid) != 0;
    if (invalid || qemu.trapped || value(c, qemu) != default_nan(c)) return qemu;
    const support::BinaryFormat& format = source_format(c);
    std::size_t which = 0;
    while (which < 2 && !format.is_nan(operand(c, which))) ++which;
    const std::uint64_t nan = operand(c, which);
    EXPECT_TRUE(format.is_nan(nan));
    std::uint64_t delivered = nan;
    if (c.opcode == Opcode::cvt_d_s) {
      delivered = (nan & support::single.sign()) << 32 | support::twin.infinity() |
                  (nan & support::single.fraction_mask()) << 29;
    } else if (c.opcode == Opcode::cvt_s_d) {
      const std::uint64_t payload = nan >> 29 & support::single.fraction_mask();
      delivered = (nan >> 32 & support::single.sign()) | support::single.infinity() | payload;
      if (payload == 0) delivered = default_single;
    }
    quiet_nans += delivered != value(c, qemu);
    qemu.f6 = pair_of(c, delivered);
    return qemu;
  }

  // With its trap enabled, underflow is signalled for a tiny result even if exact (IEEE 754-1985,
  // 7.4; Linux, arch/mips/math-emu/ieee754sp.c, ieee754sp_format). QEMU wants it inexact always.
  After tiny_result(const Case& c, After qemu) {
    const bool is_tiny = !qemu.trapped && is_denormal(c, value(c, qemu));
    if (!c.enables(fp_underflow) || !(is_tiny || has_tiny_product(c))) return qemu;
    const std::uint32_t causes = (qemu.fcsr >> 12 & 31) | fp_underflow;
    const After before = qemu;
    qemu.f6 = untouched;
    qemu.fcsr = (c.before & ~(0x3fu << 12)) | causes << 12;
    qemu.trapped = true;
    tiny_results += qemu != before;
    return qemu;
  }
  static bool is_denormal(const Case& c, std::uint64_t bits) {
    const std::uint64_t magnitude = bits & ~result_format(c).sign();
    return magnitude != 0 && magnitude <= result_format(c).fraction_mask();
  }
  static bool has_tiny_product(const Case& c) {
    if (!c.multiplies_and_adds()) return false;
    const auto multiply = is_double(c) ? fp::mul_d : fp::mul_s;
    return is_denormal(c, multiply(operand(c, 0), operand(c, 1), 0)[0]);
  }

  static constexpr std::uint32_t fp_invalid = 16;
  static constexpr std::uint32_t fp_underflow = 2;
};

// The guest says with what it runs an instruction in its list of operations.
const std::vector<support::Pair>& rows_of(const Input& input, std::uint32_t word) {
  const Opcode opcode = decode(word).opcode;
  if (opcode == Opcode::cvt_s_l || opcode == Opcode::cvt_d_l || opcode == Opcode::dmtc1) {
    return input.longs;
  }
  const std::uint32_t format = word >> 21 & 31, function = word & 63;
  if (word >> 26 == 19) {
    const bool is_single = function >= 32 && (function & 7) == 0;
    return is_single ? input.singles : input.doubles;
  }
  if (opcode == Opcode::mfc1 || opcode == Opcode::mfhc1 || opcode == Opcode::dmfc1) {
    return input.doubles;
  }
  if (opcode == Opcode::mov_s && (word >> 11 & 31) == 5) return input.doubles;
  if (format == 16) return input.singles;
  if (format == 17) return input.doubles;
  return input.words;
}

// What follows the last row in the guest's memory.
constexpr std::uint64_t sentinel = 0x3ff0'0000'0000'0000;

// Runs the guest and, here, what it ran. Returns what had to be corrected.
Corrections compare(const Platform& platform, const Input& input) {
  Corrections corrections;
  GuestOutput output(run_guest(platform, input));
  Here here(platform);
  std::size_t instructions = 0, compared = 0, traps = 0;
  for (; !output.at_end(); ++instructions) {
    const std::uint32_t word = output.word();
    const Opcode opcode = decode(word).opcode;
    const std::vector<support::Pair>& rows = rows_of(input, word);
    for (const std::uint32_t fcsr : input.statuses) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint64_t next = i + 1 < rows.size() ? rows[i + 1].first : sentinel;
        const Case c{word, opcode, {rows[i].first, rows[i].second, next}, fcsr};
        const After theirs = output.after();
        if (Corrections::is_unpredictable(c)) continue;
        const After ours = here.run(word, c.row, fcsr);
        ++compared;
        traps += theirs.trapped;
        EXPECT_EQ(ours, corrections.apply(c, theirs))
            << info(opcode).name << std::hex << " of " << c.row[0] << ", " << c.row[1] << ", "
            << c.row[2] << "; FCSR before " << fcsr << "; QEMU: " << theirs;
        if (testing::Test::HasFailure()) return corrections;
      }
    }
  }
  EXPECT_EQ(instructions, platform.instructions) << "the guest did not assemble or did not finish";
  EXPECT_FALSE(output.was_short());
  std::cout << instructions << " instructions, " << compared << " results compared, " << traps
            << " of them SIGFPE in QEMU; corrected: " << corrections.signs << " ABS and NEG, "
            << corrections.negated_nans << " negated and " << corrections.quiet_nans
            << " quiet NaNs, " << corrections.tiny_results << " exact tiny results\n";
  return corrections;
}

// `count` of the pairs.
std::vector<support::Pair> sample(const std::vector<support::Pair>& pairs, std::size_t count,
                                  std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<support::Pair> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(pairs[random() % pairs.size()]);
  return some;
}

std::vector<support::Pair> rows(const support::BinaryFormat& format, std::size_t count) {
  const std::vector<std::uint64_t> operands = support::special_operands(format);
  std::vector<support::Pair> rows = sample(support::special_pairs(operands), count, 5);
  for (const std::uint64_t operand : operands) rows.emplace_back(operand, operands[0]);
  for (const support::Pair& pair : support::random_pairs(format, count, 7)) rows.push_back(pair);
  return rows;
}

// Most are FCSR values too, for CTC1; a third fit FCCR.
std::vector<support::Pair> word_rows(std::size_t count) {
  std::mt19937 random(9);
  std::vector<support::Pair> rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.emplace_back(random() & (i % 3 == 0 ? 0xff : fcsr_writable_mips4), random());
  }
  for (const std::uint64_t word : support::special_words()) rows.emplace_back(word, 0);
  return rows;
}

std::vector<support::Pair> long_rows(std::size_t count) {
  std::mt19937_64 random(10);
  std::vector<support::Pair> rows;
  for (std::size_t i = 0; i < count; ++i) rows.emplace_back(random() >> random() % 64, random());
  for (const std::uint64_t value : support::special_longs()) rows.emplace_back(value, 0);
  return rows;
}

Input input_of(std::size_t count, std::vector<std::uint32_t> statuses) {
  return {.singles = rows(support::single, count),
          .doubles = rows(support::twin, count),
          .words = word_rows(count),
          .longs = long_rows(count),
          .statuses = std::move(statuses)};
}

class FloatingPointQemu : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_tools()) {
      GTEST_SKIP() << "mips-linux-gnu-as, mips-linux-gnu-ld, qemu-mips or qemu-mipsn32 is "
                      "missing; run "
                      "tools/install-deps";
    }
  }
};

// In each rounding mode with FCSR clear, and with flags, causes and conditions set.
void compare_with_nothing_enabled(const Platform& platform) {
  const Corrections corrections = compare(
      platform, input_of(2000, {0, 1, 2, 3, 0x0081'f07c, 0x2880'a029, 0xd201'5056, 0xfe80'0003}));
  EXPECT_GT(corrections.signs, 0u);
  EXPECT_GT(corrections.negated_nans, 0u);
  EXPECT_GT(corrections.quiet_nans, 0u);
  EXPECT_EQ(corrections.tiny_results, 0u);
}

// All exceptions enabled, and each alone: an instruction that traps leaves its destination and the
// flags alone and sets the cause.
void compare_with_enabled_exceptions(const Platform& platform) {
  const Corrections corrections =
      compare(platform,
              input_of(800, {0xf80, 0x081, 0x102, 0x203, 0x400, 0x801, 0x5480'0542, 0x0000'0a3f}));
  EXPECT_GT(corrections.signs, 0u);
  EXPECT_GT(corrections.negated_nans, 0u);
  EXPECT_GT(corrections.quiet_nans, 0u);
  EXPECT_GT(corrections.tiny_results, 0u);
}

TEST_F(FloatingPointQemu, NothingEnabledInPairs) {
  compare_with_nothing_enabled(o32);
}
TEST_F(FloatingPointQemu, NothingEnabledIn64BitRegisters) {
  compare_with_nothing_enabled(n32);
}
TEST_F(FloatingPointQemu, EnabledInPairs) {
  compare_with_enabled_exceptions(o32);
}
TEST_F(FloatingPointQemu, EnabledIn64BitRegisters) {
  compare_with_enabled_exceptions(n32);
}

}  // namespace
}  // namespace hardclock::mips
