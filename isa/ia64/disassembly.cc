#include "isa/ia64/disassembly.h"

#include <array>
#include <cstdio>
#include <span>

#include "isa/ia64/ia64_decode.h"

namespace hardclock::ia64 {
namespace {

std::string hex(std::uint64_t value) {
  char digits[20];
  std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(value));
  return digits;
}

std::string data(std::uint64_t slot) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "data8 0x%09llx", static_cast<unsigned long long>(slot));
  return digits;
}

struct RegisterName {
  std::int64_t number;
  const char* name;
};

// SDM volume 1, section 3.1.8; volume 2, chapter 3.
constexpr std::array application_registers = {
    RegisterName{0, "k0"},    RegisterName{1, "k1"},        RegisterName{2, "k2"},
    RegisterName{3, "k3"},    RegisterName{4, "k4"},        RegisterName{5, "k5"},
    RegisterName{6, "k6"},    RegisterName{7, "k7"},        RegisterName{16, "rsc"},
    RegisterName{17, "bsp"},  RegisterName{18, "bspstore"}, RegisterName{19, "rnat"},
    RegisterName{21, "fcr"},  RegisterName{24, "eflag"},    RegisterName{25, "csd"},
    RegisterName{26, "ssd"},  RegisterName{27, "cflg"},     RegisterName{28, "fsr"},
    RegisterName{29, "fir"},  RegisterName{30, "fdr"},      RegisterName{32, "ccv"},
    RegisterName{36, "unat"}, RegisterName{40, "fpsr"},     RegisterName{44, "itc"},
    RegisterName{45, "ruc"},  RegisterName{64, "pfs"},      RegisterName{65, "lc"},
    RegisterName{66, "ec"}};
constexpr std::array control_registers = {
    RegisterName{0, "dcr"},   RegisterName{1, "itm"},   RegisterName{2, "iva"},
    RegisterName{8, "pta"},   RegisterName{16, "ipsr"}, RegisterName{17, "isr"},
    RegisterName{19, "iip"},  RegisterName{20, "ifa"},  RegisterName{21, "itir"},
    RegisterName{22, "iipa"}, RegisterName{23, "ifs"},  RegisterName{24, "iim"},
    RegisterName{25, "iha"},  RegisterName{26, "iib0"}, RegisterName{27, "iib1"},
    RegisterName{64, "lid"},  RegisterName{65, "ivr"},  RegisterName{66, "tpr"},
    RegisterName{67, "eoi"},  RegisterName{68, "irr0"}, RegisterName{69, "irr1"},
    RegisterName{70, "irr2"}, RegisterName{71, "irr3"}, RegisterName{72, "itv"},
    RegisterName{73, "pmv"},  RegisterName{74, "cmcv"}, RegisterName{80, "lrr0"},
    RegisterName{81, "lrr1"}};

// "ar.pfs", or "ar11" for a register without a name.
std::string named(const char* file, std::span<const RegisterName> names, std::int64_t number) {
  for (const auto& [each, name] : names) {
    if (each == number) return file + ("." + std::string(name));
  }
  return file + std::to_string(number);
}

using Names4 = std::array<const char*, 4>;
using Names8 = std::array<const char*, 8>;

class GnuPrinter final : public OperandPrinter {
 public:
  // The slot L of the instruction's bundle; 0 for others than long ones.
  explicit GnuPrinter(std::uint64_t l) : l_(l) {}

  // Whether an operand has no spelling.
  bool is_nameless() const { return is_nameless_; }

  // ---- Registers.
  void print_predicate(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value == 0) return;
    char text[8];
    std::snprintf(text, sizeof text, "(p%02d)", static_cast<int>(value));
    out += text;
  }
  void print_gr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "r" + std::to_string(value);
  }
  void print_fr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "f" + std::to_string(value);
  }
  void print_pr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "p" + std::to_string(value);
  }
  void print_br(std::string& out, std::int64_t value, GuestAddr) const override {
    out += "b" + std::to_string(value);
  }
  void print_ar(std::string& out, std::int64_t value, GuestAddr) const override {
    out += named("ar", application_registers, value);
  }
  void print_cr(std::string& out, std::int64_t value, GuestAddr) const override {
    out += named("cr", control_registers, value);
  }

  // ---- Numbers.
  void print_decimal(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value);
  }
  void print_hex(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(static_cast<std::uint64_t>(value));
  }
  void print_plus_1(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value + 1);
  }
  void print_complement_31(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(31 - value);
  }
  void print_complement_63(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(63 - value);
  }
  void print_pmpyshr2_count(std::string& out, std::int64_t value, GuestAddr) const override {
    out += Names4{"0", "7", "15", "16"}[static_cast<std::size_t>(value)];
  }
  void print_increment(std::string& out, std::int64_t value, GuestAddr) const override {
    out += Names8{"16", "8", "4", "1", "-16", "-8", "-4", "-1"}[static_cast<std::size_t>(value)];
  }
  // Bits of CPUID register 4, of which tf tests the upper half.
  void print_feature(std::string& out, std::int64_t value, GuestAddr) const override {
    out += std::to_string(value + 32);
  }
  void print_rotating_mask(std::string& out, std::int64_t value, GuestAddr pc) const override {
    print_hex(out, value * 0x10000, pc);
  }
  void print_byte_permutation(std::string& out, std::int64_t value, GuestAddr pc) const override {
    switch (value) {
      case 0x0:
        out += "@brcst";
        break;
      case 0x8:
        out += "@mix";
        break;
      case 0x9:
        out += "@shuf";
        break;
      case 0xa:
        out += "@alt";
        break;
      case 0xb:
        out += "@rev";
        break;
      default:
        print_hex(out, value, pc);
    }
  }
  void print_target(std::string& out, std::int64_t value, GuestAddr pc) const override {
    out += hex(pc.value() + static_cast<std::uint64_t>(value));
  }
  void print_long_hex(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(long_number(static_cast<std::uint64_t>(value), l_));
  }
  void print_long_immediate(std::string& out, std::int64_t value, GuestAddr) const override {
    out += hex(movl_immediate(static_cast<std::uint64_t>(value), l_));
  }
  void print_long_target(std::string& out, std::int64_t value, GuestAddr pc) const override {
    out += hex(pc.value() + long_displacement(value, l_));
  }

  // ---- Completers.
  void print_status_field(std::string& out, std::int64_t value, GuestAddr) const override {
    out += ".s" + std::to_string(value);
  }
  void print_load_hint(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{"", ".nt1", nullptr, ".nta"}, value);
  }
  void print_store_hint(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{"", nullptr, nullptr, ".nta"}, value);
  }
  void print_hint_3(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names8{"", ".nt1", ".d2", ".nta", ".d4", ".d5", ".d6", ".d7"}, value);
  }
  void print_data_hint_3(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names8{"", ".d1", ".d2", ".nta", ".d4", ".d5", ".d6", ".d7"}, value);
  }
  void print_line_hint(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names8{"", ".nt1", ".nt2", ".nta", ".d4", ".d5", ".d6", ".d7"}, value);
  }
  void print_whether(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{".sptk", ".spnt", ".dptk", ".dpnt"}, value);
  }
  void print_call_whether(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names8{nullptr, ".sptk", nullptr, ".spnt", nullptr, ".dptk", nullptr, ".dpnt"},
           value);
  }
  void print_mov_whether(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{".sptk", "", ".dptk", nullptr}, value);
  }
  void print_brp_whether(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{".sptk", ".loop", ".dptk", ".exit"}, value);
  }
  void print_brp_b_whether(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{".sptk", nullptr, ".dptk", nullptr}, value);
  }
  void print_prefetch(std::string& out, std::int64_t value, GuestAddr) const override {
    choose(out, Names4{".few", ".many", ".few.clr", ".many.clr"}, value);
  }
  void print_importance(std::string& out, std::int64_t value, GuestAddr) const override {
    if (value != 0) out += ".imp";
  }

 private:
  template <std::size_t size>
  void choose(std::string& out, const std::array<const char*, size>& names,
              std::int64_t value) const {
    const char* const name = names[static_cast<std::size_t>(value)];
    if (name == nullptr) {
      is_nameless_ = true;
    } else {
      out += name;
    }
  }

  std::uint64_t l_;
  mutable bool is_nameless_ = false;
};

// Without a stop; empty if the word has no text.
std::string text_of(Word word, std::uint64_t l, GuestAddr address) {
  const GnuPrinter printer(l);
  std::string text = format(decode(word), address, printer);
  if (printer.is_nameless()) return "";
  // The syntax of an instruction without a predicate begins with the blank behind it.
  if (text.starts_with(' ')) text.erase(0, 1);
  return text;
}

class BundleDisassembler final : public Disassembler {
 public:
  std::size_t text_bytes() const override { return bundle_bytes; }
  unsigned slots(const InstructionText& text) const override {
    const std::optional<Template> layout = template_of(bundle_of(text).template_number);
    return static_cast<unsigned>(layout ? instruction_count(*layout) : slot_count);
  }
  std::string digits(const InstructionText& text) const override {
    const std::size_t first = text.slot * std::size_t{6};
    const std::size_t end = text.slot + 1u == slots(text) ? bundle_bytes : first + 6;
    std::string digits;
    for (std::size_t i = first; i < end; ++i) {
      char two[3];
      std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(text.bytes[i]));
      digits += two;
    }
    return digits;
  }
  std::string disassemble(const InstructionText& text) const override {
    return ia64::disassemble(bundle_of(text), text.slot, text.address);
  }

 private:
  static Bundle bundle_of(const InstructionText& text) {
    static_assert(InstructionText::most_bytes == bundle_bytes);
    return unpack(text.bytes);
  }
};

}  // namespace

std::string disassemble(const Bundle& bundle, std::size_t slot, GuestAddr address) {
  const std::optional<Template> layout = template_of(bundle.template_number);
  if (!layout) return data(bundle.slots[slot]);
  if (slot >= instruction_count(*layout)) return "(second slot of the long instruction)";
  const std::uint64_t l = is_long(*layout) ? bundle.slots[1] : 0;
  const Word word = instruction_word(bundle, *layout, slot);
  const std::string text = text_of(word, l, address);
  if (text.empty()) return data(word & slot_mask);
  return stops_after(*layout, slot) ? text + ";;" : text;
}

std::unique_ptr<const Disassembler> make_disassembler() {
  return std::make_unique<BundleDisassembler>();
}

}  // namespace hardclock::ia64
