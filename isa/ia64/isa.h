// What the engine needs to know about IA-64.
//
// The engine counts slots: a bundle has three, and the long instruction of a bundle MLX fills two,
// of which the second does nothing more.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/ia64/bundle.h"
#include "isa/ia64/cpu.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/machine.h"
#include "isa/ia64/registers.h"
#include "isa/ia64/resources.h"
#include "sim/base/instruction_text.h"
#include "sim/engine/instruction_layout.h"
#include "sim/engine/straight_on.h"
#include "sim/memory/fault.h"
#include "sim/recording/recording.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/translator/block_source.h"

namespace hardclock::ia64 {

// A slot, with all that its instruction depends on of the bundle around it.
struct SlotText {
  Word word = 0;                     // as ia64.decode has it; of L that of X, of X 0
  std::uint64_t long_slot = 0;       // what L has for the instruction in X, else 0
  std::uint8_t template_number = 0;  // 5 bits
  std::uint8_t slot = 0;             // 0 to 2

  bool operator==(const SlotText&) const = default;
};

SlotText slot_text(const Bundle& bundle, unsigned slot);

class Isa {
 public:
  using CpuBase = ia64::CpuBase;
  using Interpreter = ia64::Interpreter;
  using Registers = ia64::Registers;
  using Text = SlotText;
  using Layout = BundleLayout;
  static Result<Text, Fault> fetch(AddressSpace& memory, GuestAddr pc);
  static InstructionText instruction_text(AddressSpace& memory, const Text& text, GuestAddr pc);
  // A tick is charged to the bundle (sprofil(2) of HP-UX; Linux has no slot in its ip).
  struct ChargesBundles {
    static constexpr std::uint64_t charged(std::uint64_t pc) { return pc & ~std::uint64_t{15}; }
    static constexpr std::uint64_t comes_back_to(std::uint64_t pc) {
      return charged(pc) + BundleLayout::bytes;
    }
  };
  using Sequencing = StraightOn<Layout, ChargesBundles>;

  // What is known of an instruction, but its timing.
  struct Facts {
    Interpreter::Op op;
    bool is_branch = false;  // or a check, which may branch
    static constexpr bool may_nullify = false;
    bool always_traps = false;
    bool reads_clock = false;  // ar.itc
    bool touches_memory = false;
    bool stores = false;
    // For a branch: how the target becomes known, and whether it is a call.
    OutOfOrderCore::Transfer transfer = OutOfOrderCore::Transfer::conditional;
    bool links = false;
  };
  struct Predecoded : Facts {
    InstructionTiming timing;
  };

  // `stack_words`: that the register stack moves in a cycle; 0: it takes no time.
  explicit Isa(const Settings& settings, unsigned stack_words = 0)
      : settings_(settings), stack_words_(stack_words) {}

  Interpreter interpreter(AddressSpace& memory) const {
    return Interpreter(memory, settings_, stack_words_);
  }
  bool implicit_accesses() const { return stack_words_ != 0; }
  // What the level does not have, and what no pattern matches, does as undefined.h says.
  Predecoded predecode(const Text& text, std::uint64_t pc) const;
  // The slot, and whether its bundle is the kernel's gateway.
  using DecodeKey = std::array<std::uint64_t, 2>;
  DecodeKey decode_key(const Text& text, std::uint64_t pc) const;
  bool operator==(const Isa&) const = default;
  // Of the stack: more, the more there is on it.
  static std::uint64_t stack_depth(std::uint64_t stack_pointer) { return ~stack_pointer; }
  static std::uint64_t stack_pointer(const Registers& registers) {
    return registers.stack.value(Registers::stack_pointer);
  }
  // For the translator. Recordings are those of the usual case, see translation.cc.
  GuestMode guest_mode() const;
  Recording recording(const Text& text, std::uint64_t pc) const;
  // The same of an instruction with a predicate, which marks itself (mark_slow_if) if that is 0.
  Recording marked_recording(const Text& text, std::uint64_t pc) const;
  static bool is_set(const Registers& registers, Resource predicate) {
    return (registers.predicates >> (predicate - predicate_resource(0)) & 1) != 0;
  }
  // Whether it is the usual case: looks at all registers, or at what is known of them.
  bool holds_words(Registers& registers) const;
  bool still_holds_words(const Registers& registers) const;

 private:
  struct Effect {
    Interpreter::Handler execute = nullptr;
    bool always_traps = false;
  };
  std::optional<Effect> without_body(const Text& text, std::uint64_t pc) const;
  // In every case; of a slot that only traps, a trap.
  Recording recording_of(const Text& text, std::uint64_t pc) const;
  Recording marked_recording_of(const Text& text, std::uint64_t pc) const;
  bool is_gateway(std::uint64_t pc) const {
    return ChargesBundles::charged(pc) == settings_.gateway;
  }

  Settings settings_;
  unsigned stack_words_;
};

// What the instruction of a slot does, as its body tells the Recorder.
Recording record(const SlotText& text, const Settings& settings = {});

// What pipelines see of an instruction; and of a slot that does nothing or cannot be executed.
InstructionTiming timing_without_effect(const SlotText& text);
InstructionTiming timing_of(const SlotText& text, const Instruction& instruction,
                            const Recording& recording);

}  // namespace hardclock::ia64
