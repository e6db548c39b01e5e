// The two machines on which IA-64 semantics run: the Interpreter, whose values are numbers, and the
// Recorder, which notes what a body does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/processor_id.h"
#include "isa/ia64/registers.h"
#include "isa/ia64/vocabulary.h"
#include "sim/base/endian.h"
#include "sim/engine/data_port.h"
#include "sim/engine/host_primitives.h"
#include "sim/engine/instruction_layout.h"
#include "sim/memory/address_space.h"
#include "sim/recording/recording_primitives.h"

namespace hardclock::ia64 {

// The 41 bits that the slot L adds to the instruction in X.
struct LongSlot {
  std::uint64_t bits = 0;
};
struct SlotOperands {
  Operands fields{};
  LongSlot long_slot;
};

// What Transform does to registers; `memory` is where the register stack has its backing store.
// Faults leave the registers as they were, but for what flushrs, loadrs and alloc have moved by
// then, and for Registers::faulted_return.
struct Transformed {
  enum class End : std::uint8_t {
    done,
    illegal_operation,
    reserved_field,
    memory,      // an access of the backing store was refused; its maker knows why
    misaligned,  // need_aligned
  };
  End end = End::done;
  std::uint64_t value = 0;
};
Transformed transform(Transform which, std::uint64_t a, std::uint64_t b, Registers& registers,
                      BackingStore& memory);

// What Rare::implicit_accesses asks for: stores that make room for a frame of so many registers, or
// loads that a return needs.
inline constexpr std::uint32_t fill_to_return = 0x80;

// Host primitives of an IA-64 program: its loads and stores need not be aligned, and data have the
// order that the user mask says.
template <class Derived>
class InterpreterPrimitives : public HostPrimitives<Derived, Registers, SlotOperands>,
                              private BackingStore {
  using Base = HostPrimitives<Derived, Registers, SlotOperands>;

 public:
  using Base::constant;
  using Base::eq;
  using Base::ltu;
  using Base::ne;
  using typename Base::Flag;
  using typename Base::Value;

  static constexpr Endian byte_order = Endian::little;

  // `stack_words`: that the register stack moves in a cycle, once connect_stack() was called.
  InterpreterPrimitives(AddressSpace& memory, unsigned stack_words)
      : Base(memory, all_bits),
        stack_words_(stack_words),
        part_of_words_(0x10000 / std::max(stack_words, 1u) + 1) {}

  // From now on the register stack's accesses take time, and go through the caches.
  void connect_stack(DataPort& port) { stack_port_ = &port; }

  // Rare::implicit_accesses. The cycles that they take, at most `most`; nothing: not at once, and
  // nothing has been done.
  std::optional<std::uint32_t> implicit_access_at_once(std::uint32_t which, std::uint32_t most) {
    const bool takes_time = stack_port_ != nullptr;
    const unsigned most_words = takes_time ? most * stack_words_ : all_words;
    RegisterStack& stack = this->registers_.stack;
    const unsigned words =
        which == fill_to_return
            ? stack.fill_at_once(this->registers_.pfs, this->unchecked(), most_words)
            : stack.spill_at_once(which, this->unchecked(), most_words);
    if (words == RegisterStack::not_at_once) return std::nullopt;
    return takes_time ? (words + stack_words_ - 1) * part_of_words_ >> 16 : 0;
  }

  template <class T>
  Value load(Value address) {
    if (is_misaligned<T>(address)) [[unlikely]]
      return load_misaligned<T>(address);
    return in_order<T>(static_cast<T>(Base::template load<T>(address)));
  }
  template <class T>
  Value load_if(Flag condition, Value address) {
    return condition ? load<T>(address) : 0;
  }
  template <class T>
  void store(Value address, Value v) {
    if (is_misaligned<T>(address)) [[unlikely]]
      return store_misaligned<T>(address, v);
    Base::template store<T>(address, in_order<T>(static_cast<T>(v)));
  }

  template <class T>
  void store_if(Flag condition, Value address, Value v) {
    if (condition)
      store<T>(address, v);
    else
      this->host_of_store(address, sizeof(T));
  }

  Value transform(std::uint8_t which, Value a, Value b) {
    const auto kind = static_cast<Transform>(which);
    if (kind == Transform::alat_store) [[likely]] {
      this->registers_.alat.store(b, a);
      return 0;
    }
    if (kind == Transform::need_aligned && (b & (a - 1)) == 0) [[likely]]
      return 0;
    return transform_otherwise(kind, a, b);
  }

 private:
  bool data_are_big() const { return (this->registers_.user_mask & um_be) != 0; }
  template <class T>
  T in_order(T v) const {
    return data_are_big() ? byte_swapped(v) : v;
  }
  template <class T>
  static T byte_swapped(T v) {
    std::uint8_t bytes[sizeof(T)];
    store_bytes(bytes, v, Endian::little);
    return load_bytes<T>(bytes, Endian::big);
  }
  // The processor splits an access, or the kernel makes it for the program, unless the program
  // wants to know: then the memory system refuses it.
  template <class T>
  bool is_misaligned(Value address) const {
    return (address & (sizeof(T) - 1)) != 0 && (this->registers_.user_mask & um_ac) == 0;
  }
  template <class T>
  [[gnu::noinline]] Value load_misaligned(Value address) {
    Value v = 0;
    for (unsigned i = 0; i < sizeof(T); ++i) {
      const unsigned place = data_are_big() ? sizeof(T) - 1 - i : i;
      v |= Base::template load<std::uint8_t>(address + i) << 8 * place;
    }
    return v;
  }
  // From the last byte down: if the page behind is not there, nothing is stored.
  template <class T>
  [[gnu::noinline]] void store_misaligned(Value address, Value v) {
    for (unsigned i = sizeof(T); i-- > 0;) {
      const unsigned place = data_are_big() ? sizeof(T) - 1 - i : i;
      Base::template store<std::uint8_t>(address + i, v >> 8 * place & 0xff);
    }
  }

  [[gnu::noinline]] Value transform_otherwise(Transform which, Value a, Value b) {
    if (this->gave_up()) return 0;
    if (which == Transform::need_access) return need_access(a, b);
    words_moved_ = 0;
    const Transformed result = ia64::transform(which, a, b, this->registers_, *this);
    switch (result.end) {
      case Transformed::End::done:
        return result.value;
      case Transformed::End::illegal_operation:
        illegal(IllegalUse::operation);
        break;
      case Transformed::End::reserved_field:
        illegal(IllegalUse::reserved_field);
        break;
      case Transformed::End::memory:
        this->fault(why_not_);
        break;
      default:
        this->fault({Fault::Kind::misaligned, Access::read, GuestAddr(b)});
        break;
    }
    return 0;
  }
  void illegal(IllegalUse use) {
    this->trap(TrapKind::illegal_instruction, static_cast<std::uint32_t>(use));
  }
  Value need_access(Value how, Value address) {
    const auto bytes = static_cast<unsigned>(how & 0xff);
    const auto host =
        this->memory().translate(GuestAddr(address), bytes, static_cast<Access>(how >> 8));
    if (!host) this->fault(host.error());
    return 0;
  }

  // ---- The register stack's memory.
  std::optional<std::uint64_t> load(std::uint64_t address, Endian order) override {
    const std::uint8_t* const host = stack_access(address, Access::read);
    if (host == nullptr) return std::nullopt;
    return load_bytes<std::uint64_t>(host, order);
  }
  bool store(std::uint64_t address, std::uint64_t value, Endian order) override {
    std::uint8_t* const host = stack_access(address, Access::write);
    if (host != nullptr) store_bytes(host, value, order);
    return host != nullptr;
  }
  // Of a word. The first of those that go together has their cycle.
  std::uint8_t* stack_access(std::uint64_t address, Access access) {
    constexpr unsigned bytes = 8;
    if (stack_port_ == nullptr) {
      const auto host = this->memory().translate(GuestAddr(address), bytes, access);
      if (!host) why_not_ = host.error();
      return host ? *host : nullptr;
    }
    const std::uint32_t cycles = words_moved_++ % stack_words_ == 0 ? 1 : 0;
    std::uint8_t* const host =
        stack_port_->implicit_access(GuestAddr(address), bytes, access, cycles);
    if (host == nullptr) why_not_ = *stack_port_->why_not();
    return host;
  }

  static constexpr unsigned all_words = ~0u;

  unsigned stack_words_;
  unsigned part_of_words_;  // times a number below 0x10000 / stack_words_, in the upper half: that
                            // number divided by stack_words_, faster than the host divides
  DataPort* stack_port_ = nullptr;  // null: no time passes
  unsigned words_moved_ = 0;        // by the present instruction
  Fault why_not_;                   // of the last of these accesses
};

class Interpreter final : public Vocabulary<InterpreterPrimitives<Interpreter>> {
 public:
  using Layout = BundleLayout;

  Interpreter(AddressSpace& memory, const Settings& settings, unsigned stack_words = 1)
      : Vocabulary(settings, memory, stack_words) {
    registers_.alat = Alat(settings.alat_entries);
    registers_.processor_version = cpuid_version(settings.level);
    registers_.processor_features = cpuid_features(settings.level);
  }
};

class Recorder : public Vocabulary<RecordingPrimitives> {
 public:
  explicit Recorder(const Settings& settings) : Vocabulary(settings, 0, all_bits, pipeline_names) {}
};

}  // namespace hardclock::ia64
