// Every floating-point instruction, from its word to registers and FCSR, against QEMU's user-mode
// emulation: floating_point_guest.s runs under qemu-mips, and the same words run here. The
// processor is a 24Kf with 32-bit registers (FR = 0, which the guest asks for): qemu-mips has no
// R3000 or R4000, and newer processors encode NaNs the other way. Skipped where the tools are
// missing.
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
#include "tests/unit/mips/floating_point_operands.h"

namespace hardclock::mips {
namespace {

constexpr const char* guest_source = "tests/unit/mips/floating_point_guest.s";
constexpr std::uint64_t untouched = 0x5a5a'a5a5'a5a5'5a5a;  // as in the guest's source

bool has_tools() {
  return std::system("command -v mips-linux-gnu-as mips-linux-gnu-ld qemu-mips >/dev/null 2>&1") ==
         0;
}

// What the guest is given.
struct Input {
  std::vector<fp::Pair> singles, doubles, words;
  std::vector<std::uint32_t> statuses;
};

void append(std::string& bytes, auto value) {
  std::array<char, sizeof value> raw;
  store_bytes(raw.data(), value, Endian::big);
  bytes.append(raw.data(), raw.size());
}

std::string bytes_of(const std::vector<fp::Pair>& rows) {
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
std::string run_guest(const Input& input) {
  const Folder folder;
  folder.write("singles", bytes_of(input.singles));
  folder.write("doubles", bytes_of(input.doubles));
  folder.write("words", bytes_of(input.words));
  folder.write("statuses", bytes_of(input.statuses));
  const std::string command = "mips-linux-gnu-as -EB -march=24kf -mfp32 -I '" + folder.file("") +
                              "' -o '" + folder.file("guest.o") + "' " + guest_source +
                              " && mips-linux-gnu-ld -o '" + folder.file("guest") + "' '" +
                              folder.file("guest.o") + "' && qemu-mips -cpu 24Kf '" +
                              folder.file("guest") + "' > '" + folder.file("output") + "'";
  if (std::system(command.c_str()) != 0) return "";
  std::ifstream output(folder.file("output"), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(output), {});
}

// What an instruction leaves: the pair $f6 and $f7, FCSR, and whether it trapped.
struct After {
  std::uint64_t f6 = 0;
  std::uint32_t fcsr = 0;
  bool trapped = false;

  bool operator==(const After&) const = default;
};

std::ostream& operator<<(std::ostream& out, const After& after) {
  return out << std::hex << "$f6 " << after.f6 << " FCSR " << after.fcsr
             << (after.trapped ? " SIGFPE" : "");
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

// Runs one instruction at a time as the guest does: operands in $f2 and $f4, the first also in $t2.
class Here {
 public:
  Here() : memory_(std::make_shared<MemoryBudget>(1 << 20), Endian::big, GuestAddr(1 << 20)) {}

  After run(const Interpreter::Op& op, const fp::Pair& operands, std::uint32_t fcsr) {
    Registers& registers = machine_.registers();
    registers.gpr[10] = static_cast<std::uint64_t>(
        std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(operands.first))});
    set_pair(2, operands.first);
    set_pair(4, operands.second);
    set_pair(6, untouched);
    registers.fcsr = fcsr;
    After after;
    try {
      machine_.run(&op, &op + 1, 0);
    } catch (const InstructionTrap& trap) {
      EXPECT_EQ(trap.trap.kind, TrapKind::floating_point);
      after.trapped = true;
    }
    after.f6 = std::uint64_t{registers.fpr[7]} << 32 | registers.fpr[6];
    after.fcsr = registers.fcsr;
    return after;
  }

 private:
  void set_pair(unsigned even, std::uint64_t value) {
    machine_.registers().fpr[even] = static_cast<std::uint32_t>(value);
    machine_.registers().fpr[even + 1] = static_cast<std::uint32_t>(value >> 32);
  }

  AddressSpace memory_;
  Interpreter machine_{memory_};
};

struct Case {
  Opcode opcode = Opcode::invalid;
  fp::Pair operands;
  std::uint32_t before = 0;  // FCSR

  bool is_one_of(std::initializer_list<Opcode> opcodes) const {
    return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
  }
  bool enables(std::uint32_t exceptions) const { return (before >> 7 & exceptions) != 0; }
};

// Where QEMU does not do what the manuals say. Each turns what QEMU left into what a MIPS leaves,
// and counts.
class Corrections {
 public:
  After apply(const Case& c, After qemu) {
    if (changes_sign(c)) return sign_change(c, qemu);
    if (c.opcode == Opcode::ctc1) return control_write(qemu);
    if (!is_arithmetic(c)) return qemu;
    return tiny_result(c, quiet_nan(c, qemu));
  }

  std::size_t signs = 0, controls = 0, quiet_nans = 0, tiny_results = 0;

 private:
  static constexpr std::uint64_t default_single = 0x7fbf'ffff;
  static constexpr std::uint64_t default_double = 0x7ff7'ffff'ffff'ffff;

  static bool changes_sign(const Case& c) {
    return c.is_one_of({Opcode::abs_s, Opcode::neg_s, Opcode::abs_d, Opcode::neg_d});
  }
  static bool is_arithmetic(const Case& c) {
    return c.is_one_of({Opcode::add_s, Opcode::sub_s, Opcode::mul_s, Opcode::div_s, Opcode::sqrt_s,
                        Opcode::add_d, Opcode::sub_d, Opcode::mul_d, Opcode::div_d, Opcode::sqrt_d,
                        Opcode::cvt_s_d, Opcode::cvt_d_s});
  }
  static const fp::BinaryFormat& source_format(const Case& c) {
    return c.is_one_of({Opcode::add_d, Opcode::sub_d, Opcode::mul_d, Opcode::div_d, Opcode::sqrt_d,
                        Opcode::abs_d, Opcode::neg_d, Opcode::cvt_s_d})
               ? fp::twin
               : fp::single;
  }
  static const fp::BinaryFormat& result_format(const Case& c) {
    if (c.opcode == Opcode::cvt_s_d) return fp::single;
    if (c.opcode == Opcode::cvt_d_s) return fp::twin;
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

  // ABS and NEG are arithmetic ("MIPS R4000 Microprocessor User's Manual", 7.4, Invalid
  // operation): they set the cause bits, a signalling NaN is invalid, and a quiet one is
  // the result (IEEE 754-1985, 6.2). QEMU's change the sign bit and nothing else.
  After sign_change(const Case& c, const After& qemu) {
    const std::uint32_t cleared = c.before & ~(0x3fu << 12);
    const std::uint64_t operand = c.operands.first;
    After after{.f6 = qemu.f6, .fcsr = cleared, .trapped = false};
    if (source_format(c).is_signalling(operand)) {
      after.fcsr = cleared | fp_invalid << 12;
      after.trapped = c.enables(fp_invalid);
      if (!after.trapped) after.fcsr |= fp_invalid << 2;
      after.f6 = after.trapped ? untouched : pair_of(c, default_nan(c));
    } else if (source_format(c).is_nan(operand)) {
      after.f6 = pair_of(c, operand);
    }
    signs += after != qemu;
    return after;
  }

  // The 24Kf's FCSR has more bits than MIPS I and II define: flush to zero, conditions 1 to 7.
  After control_write(After qemu) {
    controls += (qemu.fcsr & ~fcsr_writable) != 0;
    qemu.fcsr &= fcsr_writable;
    return qemu;
  }

  // An operation on quiet NaNs delivers one of them (IEEE 754-1985, 6.2), the first in a MIPS. QEMU
  // replaces every NaN by the default one (its target/mips/fpu_helper.h, restore_snan_bit_mode).
  // Conversions keep the payload's upper bits (Linux, arch/mips/math-emu/sp_fdp.c and dp_fsp.c).
  After quiet_nan(const Case& c, After qemu) {
    const bool invalid = (qemu.fcsr >> 12 & fp_invalid) != 0;
    if (invalid || qemu.trapped || value(c, qemu) != default_nan(c)) return qemu;
    const fp::BinaryFormat& format = source_format(c);
    const auto [a, b] = c.operands;
    const std::uint64_t nan = format.is_nan(a) ? a : b;
    EXPECT_TRUE(format.is_nan(nan));
    std::uint64_t delivered = nan;
    if (c.opcode == Opcode::cvt_d_s) {
      delivered = (nan & fp::single.sign()) << 32 | fp::twin.infinity() |
                  (nan & fp::single.fraction_mask()) << 29;
    } else if (c.opcode == Opcode::cvt_s_d) {
      const std::uint64_t payload = nan >> 29 & fp::single.fraction_mask();
      delivered = (nan >> 32 & fp::single.sign()) | fp::single.infinity() | payload;
      if (payload == 0) delivered = default_single;
    }
    quiet_nans += delivered != value(c, qemu);
    qemu.f6 = pair_of(c, delivered);
    return qemu;
  }

  // With its trap enabled, underflow is signalled for a tiny result even if exact (IEEE 754-1985,
  // 7.4; Linux, arch/mips/math-emu/ieee754sp.c, ieee754sp_format). QEMU wants it inexact always.
  After tiny_result(const Case& c, const After& qemu) {
    const std::uint64_t magnitude = value(c, qemu) & ~result_format(c).sign();
    const bool denormal = magnitude != 0 && magnitude <= result_format(c).fraction_mask();
    if (qemu.trapped || !denormal || !c.enables(fp_underflow)) return qemu;
    ++tiny_results;
    return {
        .f6 = untouched, .fcsr = (c.before & ~(0x3fu << 12)) | fp_underflow << 12, .trapped = true};
  }

  static constexpr std::uint32_t fp_invalid = 16;
  static constexpr std::uint32_t fp_underflow = 2;
};

const std::vector<fp::Pair>& rows_of(const Input& input, std::uint32_t word) {
  const std::uint32_t format = word >> 21 & 31;
  if (format == 16) return input.singles;
  if (format == 17) return input.doubles;
  return input.words;
}

// 4 operations, 9 of one operand and 16 conditions in two formats; 4 conversions; CTC1.
constexpr std::size_t instruction_count = 2 * (4 + 9 + 16) + 4 + 1;

// Runs the guest and, here, what it ran. Returns what had to be corrected.
Corrections compare(const Input& input) {
  Corrections corrections;
  GuestOutput output(run_guest(input));
  Here here;
  const Isa isa(Level::mips2);
  std::size_t instructions = 0, compared = 0, traps = 0;
  for (; !output.at_end(); ++instructions) {
    const std::uint32_t word = output.word();
    const Isa::Predecoded predecoded = isa.predecode(word, 0x1000);
    const Opcode opcode = decode(word).opcode;
    for (const std::uint32_t fcsr : input.statuses) {
      for (const fp::Pair& row : rows_of(input, word)) {
        const After theirs = output.after();
        const After ours = here.run(predecoded.op, row, fcsr);
        ++compared;
        traps += theirs.trapped;
        EXPECT_EQ(ours, corrections.apply({opcode, row, fcsr}, theirs))
            << info(opcode).name << std::hex << " of " << row.first << ", " << row.second
            << "; FCSR before " << fcsr << "; QEMU: " << theirs;
        if (testing::Test::HasFailure()) return corrections;
      }
    }
  }
  EXPECT_EQ(instructions, instruction_count) << "the guest did not assemble or did not finish";
  EXPECT_FALSE(output.was_short());
  std::cout << instructions << " instructions, " << compared << " results compared, " << traps
            << " of them SIGFPE in QEMU; corrected: " << corrections.signs << " ABS and NEG, "
            << corrections.quiet_nans << " quiet NaNs, " << corrections.tiny_results
            << " exact tiny results, " << corrections.controls << " CTC1\n";
  return corrections;
}

// `count` of the pairs.
std::vector<fp::Pair> sample(const std::vector<fp::Pair>& pairs, std::size_t count,
                             std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<fp::Pair> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(pairs[random() % pairs.size()]);
  return some;
}

std::vector<fp::Pair> rows(const fp::BinaryFormat& format, std::size_t count) {
  const std::vector<std::uint64_t> operands = fp::special_operands(format);
  std::vector<fp::Pair> rows = sample(fp::special_pairs(operands), count, 5);
  for (const std::uint64_t operand : operands) rows.emplace_back(operand, operands[0]);
  for (const fp::Pair& pair : fp::random_pairs(format, count, 7)) rows.push_back(pair);
  return rows;
}

// Most are FCSR values too, for CTC1.
std::vector<fp::Pair> word_rows(std::size_t count) {
  std::mt19937 random(9);
  std::vector<fp::Pair> rows;
  for (std::size_t i = 0; i < count; ++i) rows.emplace_back(random() & fcsr_writable, 0);
  for (const std::uint64_t word : fp::special_words()) rows.emplace_back(word, 0);
  return rows;
}

class FloatingPointQemu : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_tools()) {
      GTEST_SKIP() << "mips-linux-gnu-as, mips-linux-gnu-ld or qemu-mips is missing; run "
                      "tools/install-deps";
    }
  }
};

// In each rounding mode with FCSR clear, and with flags, causes and the condition set.
TEST_F(FloatingPointQemu, NothingEnabled) {
  const Corrections corrections =
      compare({.singles = rows(fp::single, 8000),
               .doubles = rows(fp::twin, 8000),
               .words = word_rows(8000),
               .statuses = {0, 1, 2, 3, 0x0081'f07c, 0x0080'a029, 0x0001'5056, 0x0080'0003}});
  EXPECT_GT(corrections.signs, 0u);
  EXPECT_GT(corrections.quiet_nans, 0u);
  EXPECT_GT(corrections.controls, 0u);
  EXPECT_EQ(corrections.tiny_results, 0u);
}

// All exceptions enabled, and each alone: an instruction that traps leaves its destination and the
// flags alone and sets the cause.
TEST_F(FloatingPointQemu, Enabled) {
  const Corrections corrections =
      compare({.singles = rows(fp::single, 2000),
               .doubles = rows(fp::twin, 2000),
               .words = word_rows(2000),
               .statuses = {0xf80, 0x081, 0x102, 0x203, 0x400, 0x801, 0x0080'0542, 0x0000'0a3f}});
  EXPECT_GT(corrections.signs, 0u);
  EXPECT_GT(corrections.quiet_nans, 0u);
  EXPECT_GT(corrections.controls, 0u);
  EXPECT_GT(corrections.tiny_results, 0u);
}

}  // namespace
}  // namespace hardclock::mips
