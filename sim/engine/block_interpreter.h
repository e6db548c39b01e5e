// The part of an interpreting machine that every ISA with delay slots shares: running predecoded
// instructions, accesses to memory, transfers of control and traps. HostPrimitives adds registers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "sim/engine/data_port.h"
#include "sim/memory/access_log.h"
#include "sim/memory/address_space.h"
#include "sim/recording/concrete.h"
#include "sim/recording/trap.h"

namespace hardclock {

// Derived is the ISA's Interpreter, on which its bodies run; Operands what decodegen made of its
// description.
template <class Derived, class Registers, class Operands>
class BlockInterpreter : public ConcreteArithmetic {
 public:
  // A predecoded instruction, wherever it is.
  struct Op;
  using Handler = void (*)(Derived&, const Op&);
  struct Op {
    Handler execute = nullptr;
    Operands operands{};
  };

  Registers& registers() { return registers_; }
  const Registers& registers() const { return registers_; }

  // ---- Primitives (primitives.h).
  // Cycles since the clock began: only in an instruction that the engine steps (see set_clock).
  Value clock() const { return clock_; }
  Value pc() const {
    return Derived::Layout::after(first_pc_, static_cast<std::size_t>(op_ - first_));
  }
  // Where control goes when it is not transferred: in a branch, past its delay slot.
  Value after_slot() const { return after_slot_; }

  // An instruction that cannot complete, or that a clock event finds waiting in its access, ends
  // where it says so: what it wrote before stays, the rest of its body runs into nothing (see
  // give_up()).

  // Continues there after the delay slot.
  void jump(Value target) {
    after_slot_ = target & address_mask_;
    taken_ = true;
  }
  void branch_if(Flag condition, Value target) {
    if (condition) jump(target);
  }
  // The next instruction does not take place.
  void nullify_if(Flag condition) {
    if (!condition) return;
    nullified_ = true;
    end_ = op_ + 1;
  }
  void nullify() { nullify_if(true); }
  void trap_if(Flag condition, TrapKind kind, std::uint32_t code = 0) {
    if (condition) [[unlikely]]
      trap(kind, code);
  }
  // By its operands the instruction is slow: take_slow() tells the engine.
  void mark_slow_if(Flag condition) {
    slow_ |= std::uint64_t{condition} << (op_ - first_) % most_marked;
  }
  // Instructions of a block were slow that another one than this has run.
  void note_slow(std::uint64_t slow) { slow_ |= slow; }
  void trap(TrapKind kind, std::uint32_t code) { give_up(Trap{kind, code, Fault{}}); }

  // ---- The engine's side.
  // Runs predecoded instructions in order. Returns one past the last that ran: less than `end` when
  // the next one was nullified or code was overwritten. The last one may have given up: the caller
  // must ask gave_up(), and then take_end(). `first_pc` is the pc of the first; `fall_through` is
  // where control goes when no branch is taken.
  const Op* run(const Op* first, const Op* end, std::uint64_t first_pc,
                std::uint64_t fall_through) {
    first_ = first;
    first_pc_ = first_pc;
    after_slot_ = fall_through;
    taken_ = false;
    return go_on(first, end);
  }
  // As run(), where another run() has ended: in the middle of a block.
  const Op* go_on(const Op* first, const Op* end) {
    end_ = end;
    was_told_to_stop_ = false;
    const Op* op = first;
    for (; op != end_; ++op) {
      op_ = op;
      op->execute(static_cast<Derived&>(*this), *op);
    }
    return op;
  }
  const Op* current() const { return op_; }
  // Of the current instruction: how many came before it since run().
  std::size_t place() const { return static_cast<std::size_t>(op_ - first_); }
  // Whether the run had a transfer of control that was taken.
  bool taken() const { return taken_; }
  // Whether the last instruction of run() did not complete.
  bool gave_up() const { return has_given_up_; }
  // Why the instruction did not complete: its trap, or nullopt if a clock event interrupted its
  // wait for memory. The registers are those that it leaves.
  std::optional<Trap> take_end() {
    CHECK(has_given_up_);
    has_given_up_ = false;
    registers_ = at_end_.registers;
    after_slot_ = at_end_.after_slot;
    taken_ = at_end_.taken;
    nullified_ = false;
    unchecked_ = at_end_.unchecked;
    nowhere_.fill(0);
    return at_end_.trap;
  }
  // Whether the last instruction nullified the next; forgets it.
  bool take_nullified() { return std::exchange(nullified_, false); }
  // Ends run() after the instruction that is executing: what follows may no longer be so.
  void stop_after_current() {
    was_told_to_stop_ = true;
    if (op_ != nullptr) end_ = op_ + 1;
  }
  // Whether that happened in the last run().
  bool was_told_to_stop() const { return was_told_to_stop_; }
  // Whether the instruction behind those that ran is the next one.
  bool may_go_on() const { return !was_told_to_stop_ && !nullified_ && !has_given_up_; }
  void set_clock(Cycles now) { clock_ = now.value(); }
  const AccessTable& unchecked() const { return *unchecked_; }
  // From now on only the accesses in `unchecked` pass unseen; all others go through `port`. Before,
  // these are the address space's own.
  void connect(const AccessTable& unchecked, DataPort& port) {
    unchecked_ = &unchecked;
    port_ = &port;
  }
  // From now on those in `unchecked` are noted there, by place(), which is below AccessLog::most.
  void note_unchecked(AccessLog& log) { log_ = &log; }
  // Bit i: instruction i since run() was slow; of one that did not complete, nobody knows. Forgets
  // it. Runs in which instructions may be slow have at most most_marked of them.
  std::uint64_t take_slow() { return std::exchange(slow_, 0); }
  bool has_slow() const { return slow_ != 0; }
  static constexpr std::size_t most_marked = 64;

 protected:
  // The instruction does not complete: memory that it needs is not there.
  void fault(const Fault& why) { give_up(Trap{TrapKind::memory, 0, why}); }

  // Addresses have the bits of `address_mask`.
  BlockInterpreter(AddressSpace& memory, std::uint64_t address_mask)
      : memory_(&memory), unchecked_(&memory.translations()), address_mask_(address_mask) {}

  std::uint64_t address_mask() const { return address_mask_; }
  // Derived::byte_order, where the processor has but one.
  Endian endian() const {
    if constexpr (requires { Derived::byte_order; }) return Derived::byte_order;
    return memory_->endian();
  }
  AddressSpace& memory() { return *memory_; }
  const AddressSpace& memory() const { return *memory_; }

  template <class T>
  Value load(Value address) {
    const std::uint64_t at = address & address_mask_;
    const AccessTable::Entry& entry = unchecked_->at(at);
    if (entry.read_tag == unchecked_->tag(at, sizeof(T))) [[likely]] {
      if (log_ != nullptr) log_->note(place(), at);
      return load_bytes<T>(entry.host(at), endian());
    }
    return load_bytes<T>(translate(at, sizeof(T), Access::read), endian());
  }
  template <class T>
  void store(Value address, T value) {
    const std::uint64_t at = address & address_mask_;
    const AccessTable::Entry& entry = unchecked_->at(at);
    if (entry.write_tag == unchecked_->tag(at, sizeof(T))) [[likely]] {
      if (log_ != nullptr) log_->note(place(), at);
      store_bytes<T>(entry.host(at), value, endian());
      return;
    }
    store_bytes<T>(translate(at, sizeof(T), Access::write), value, endian());
  }
  // Takes the address exceptions of a store without making one.
  std::uint8_t* host_of_store(std::uint64_t address, unsigned size) {
    const AccessTable::Entry& entry = unchecked_->at(address);
    if (entry.write_tag == unchecked_->tag(address, size)) return entry.host(address);
    if (has_given_up_) return nowhere_.data();
    const auto host = memory_->translate(GuestAddr(address), size, Access::write);
    if (host) return *host;
    give_up(Trap{TrapKind::memory, 0, host.error()});
    return nowhere_.data();
  }

  Registers registers_;

 private:
  // What an instruction leaves that did not complete.
  struct End {
    std::optional<Trap> trap;
    Registers registers;
    std::uint64_t after_slot = 0;
    bool taken = false;
    const AccessTable* unchecked = nullptr;
  };

  // The rest of the body changes nothing that lasts: take_end() puts the registers back that are
  // kept here, and no access finds memory. So a body needs no way out of its middle, and an access
  // or a register that is written pays nothing for that.
  [[gnu::cold, gnu::noinline]] void give_up(std::optional<Trap> trap) {
    if (has_given_up_) return;
    has_given_up_ = true;
    at_end_ = End{trap, registers_, after_slot_, taken_, unchecked_};
    unchecked_ = &no_access_;
    end_ = op_ + 1;
  }

  [[gnu::noinline]] std::uint8_t* translate(std::uint64_t address, unsigned size, Access access) {
    if (has_given_up_) return nowhere_.data();
    if (port_ == nullptr) {
      const auto host = memory_->translate(GuestAddr(address), size, access);
      if (host) return *host;
      give_up(Trap{TrapKind::memory, 0, host.error()});
      return nowhere_.data();
    }
    if (std::uint8_t* const host = port_->access(GuestAddr(address), size, access)) return host;
    if (const auto fault = port_->why_not())
      give_up(Trap{TrapKind::memory, 0, *fault});
    else
      give_up(std::nullopt);
    return nowhere_.data();
  }

  AddressSpace* memory_;
  const AccessTable* unchecked_;
  DataPort* port_ = nullptr;
  AccessLog* log_ = nullptr;
  std::uint64_t slow_ = 0;
  std::uint64_t address_mask_;
  const Op* first_ = nullptr;  // of the run
  std::uint64_t first_pc_ = 0;
  const Op* op_ = nullptr;
  const Op* end_ = nullptr;
  std::uint64_t after_slot_ = 0;
  std::uint64_t clock_ = 0;
  bool taken_ = false;
  bool nullified_ = false;
  bool has_given_up_ = false;
  bool was_told_to_stop_ = false;
  End at_end_;
  AccessTable no_access_{page_shift, 1};   // no piece is ever entered
  std::array<std::uint8_t, 8> nowhere_{};  // stands in for the memory of an access that is not made
};

}  // namespace hardclock
