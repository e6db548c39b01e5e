// What the engine has to know of an instruction set: its template parameter Isa. What an Isa may
// lack has a concept of its own, by which the engine asks for it.
//
// What a pipeline needs beyond register numbers that are known when a block is made, as a rotation
// of registers, belongs in its PipelineState: with it, it is a part of the key (block, entry state)
// by which a block's cycles are remembered.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/base/instruction_text.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/block_interpreter.h"
#include "sim/engine/cpu.h"
#include "sim/engine/data_port.h"
#include "sim/memory/address_space.h"
#include "sim/memory/fault.h"
#include "sim/recording/recording.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/two_level_predictor.h"
#include "sim/translator/block_source.h"

namespace hardclock {

template <class Registers>
concept EngineRegisters = std::copyable<Registers> &&
    requires(Registers& registers, std::uint64_t pc) {
  { registers.pc } -> std::same_as<std::uint64_t&>;
  { registers.interrupted_pc() } -> std::same_as<std::uint64_t>;
  registers.set_pc(pc);
  registers.complete_system_call();
  registers.interrupted();
};

// How instructions lie in memory: instruction_layout.h.
template <class Layout>
concept InstructionLayout = requires(std::uint64_t pc, std::size_t count) {
  { Layout::after(pc, count) } -> std::same_as<std::uint64_t>;
  { Layout::between(pc, pc) } -> std::same_as<std::size_t>;
  { Layout::stretch(count) } -> std::same_as<std::uint64_t>;
};

// How control moves from instruction to instruction and where blocks end: delay_slots.h, or
// straight_on.h where there are no delay slots.
template <class Sequencing>
concept EngineSequencing = requires {
  typename Sequencing::BlockEnd;
  typename Sequencing::Transfer;
  typename Sequencing::Sequencer;
  { Sequencing::issues_nullified } -> std::convertible_to<bool>;
};
// A predictor may overrule what branches say of themselves.
template <class Sequencing>
concept PredictedSequencing = EngineSequencing<Sequencing> &&
    requires(typename Sequencing::Sequencer& sequencer,
             std::unique_ptr<TwoLevelPredictor> predictor, const typename Sequencing::BlockEnd& end,
             const typename Sequencing::Transfer& transfer) {
  sequencer.predict_with(std::move(predictor));
  { sequencer.predictor() } -> std::same_as<TwoLevelPredictor*>;
  { end.may_be_overruled } -> std::convertible_to<bool>;
  { transfer.overruled } -> std::convertible_to<bool>;
};

// What predecode() finds, but the timing; with what Sequencing asks for.
template <class Facts, class Isa>
concept InstructionFacts = requires(const Facts& facts) {
  { facts.op } -> std::same_as<const typename Isa::Interpreter::Op&>;
  { facts.transfer } -> std::same_as<const OutOfOrderCore::Transfer&>;
  requires std::convertible_to<decltype(facts.is_branch && facts.links && facts.always_traps &&
                                        facts.reads_clock && facts.touches_memory && facts.stores),
                               bool>;
};

template <class Isa>
concept EngineIsa = EngineRegisters<typename Isa::Registers> &&
    InstructionLayout<typename Isa::Layout> && EngineSequencing<typename Isa::Sequencing> &&
    InstructionFacts<typename Isa::Facts, Isa> &&
    // What the ABI sees of a processor.
    std::derived_from<typename Isa::CpuBase, Cpu> &&
    std::derived_from<typename Isa::Interpreter,
                      BlockInterpreter<typename Isa::Interpreter, typename Isa::Registers,
                                       decltype(Isa::Interpreter::Op::operands)>> &&
    // An instruction as predecode() takes it.
    std::equality_comparable<typename Isa::Text> &&
    std::derived_from<typename Isa::Predecoded, typename Isa::Facts> &&
    // True of two that predecode alike.
    std::equality_comparable<Isa> &&
    requires(const Isa& isa, typename Isa::CpuBase& cpu, AddressSpace& memory,
             const typename Isa::Text& text, std::uint64_t pc,
             const typename Isa::Registers& registers, const typename Isa::Predecoded& predecoded) {
  { cpu.registers() } -> std::same_as<typename Isa::Registers&>;
  { isa.interpreter(memory) } -> std::same_as<typename Isa::Interpreter>;
  { Isa::fetch(memory, GuestAddr(pc)) } -> std::same_as<Result<typename Isa::Text, Fault>>;
  { isa.predecode(text, pc) } -> std::same_as<typename Isa::Predecoded>;
  { predecoded.timing } -> std::same_as<const InstructionTiming&>;
  // What predecode() goes by, as an array of 64-bit words: the text and what it looks at of the pc;
  // but see DecodesByShape.
  { isa.decode_key(text, pc) } -> std::same_as<typename Isa::DecodeKey>;
  // For observers.
  { Isa::instruction_text(memory, text, GuestAddr(pc)) } -> std::same_as<InstructionText>;
  // For calls: the more, the more there is on the stack.
  { Isa::stack_pointer(registers) } -> std::same_as<std::uint64_t>;
  { isa.stack_depth(Isa::stack_pointer(registers)) } -> std::same_as<std::uint64_t>;
};

// ---- What an Isa may have besides.

// decode_key() leaves out what only the operands have, such as a number: whoever runs the
// instruction takes the operands of its own text.
template <class Isa>
concept DecodesByShape = requires(const Isa& isa, const typename Isa::Text& text) {
  { isa.operands(text) } -> std::same_as<decltype(Isa::Interpreter::Op::operands)>;
};

// What the translator needs: sim/translator/block_source.h.
template <class Isa>
concept TranslatedIsa = requires(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc,
                                 typename Isa::Registers& registers) {
  { isa.guest_mode() } -> std::same_as<GuestMode>;
  { isa.recording(text, pc) } -> std::same_as<Recording>;
  // Whether the registers are as the guest_mode() says.
  { isa.holds_words(registers) } -> std::same_as<bool>;
};
// What the interpreter runs may leave registers otherwise.
template <class Isa>
concept MayLoseWords = TranslatedIsa<Isa> &&
    requires(const Isa& isa, const typename Isa::Registers& registers) {
  { isa.still_holds_words(registers) } -> std::same_as<bool>;
};

// Whether a kernel may make the instruction's access byte by byte: see Cpu::split_access(). An Isa
// whose processors do that themselves has none, and Cpu::next_instruction() tells no accesses of
// it.
template <class Isa>
concept SplitsAccesses = TranslatedIsa<Isa> && requires(const typename Isa::Text& text) {
  { Isa::may_split(text) } -> std::same_as<bool>;
};

// That an instruction takes more which marks itself as slow: BlockInterpreter::mark_slow_if().
template <class Isa>
concept HasSlowInstructions = requires(const Isa& isa) {
  { isa.slow_instruction_cycles() } -> std::same_as<std::uint32_t>;
};

// That instructions may be off, as their predicates say, and mark themselves then in the same way.
template <class Isa>
concept HasPredicates = requires(const typename Isa::Registers& registers,
                                 const typename Isa::Text& text, const Isa& isa, std::uint64_t pc) {
  { Isa::is_set(registers, Resource{}) } -> std::same_as<bool>;
  { isa.marked_recording(text, pc) } -> std::same_as<Recording>;
};

// Whether instructions make accesses by DataPort::implicit_access(), whose port the interpreter
// gets; and one of Rare::implicit_accesses.
template <class Isa>
concept MakesImplicitAccesses = requires(const Isa& isa, typename Isa::Interpreter& interpreter,
                                         DataPort& port) {
  { isa.implicit_accesses() } -> std::same_as<bool>;
  interpreter.connect_stack(port);
  interpreter.implicit_access_at_once(0u, 0u);
};

}  // namespace hardclock
