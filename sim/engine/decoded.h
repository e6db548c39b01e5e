// Instructions as an Isa predecodes them, each made once and then found by what it is made of:
// making one runs its body on the Recorder, which takes many times as long as finding it. A part of
// engine.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/engine/engine_isa.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

// The timings of instructions, each kept once: many instructions differ in nothing that time
// depends on. They stay where they are as long as this lives.
class KnownTimings {
 public:
  const InstructionTiming& keep(InstructionTiming timing) {
    return *timings_.insert(std::move(timing)).first;
  }
  void clear() { timings_.clear(); }
  // Of host memory, about.
  std::uint64_t bytes() const {
    constexpr std::uint64_t registers = 64;
    constexpr std::uint64_t node = 32;
    return timings_.size() * (sizeof(InstructionTiming) + registers + node);
  }

 private:
  struct Hash {
    std::size_t operator()(const InstructionTiming& timing) const {
      std::uint64_t mixed = timing.timing_class | std::uint64_t{timing.word_accessed} << 8;
      const auto mix = [&mixed](std::uint64_t next) {
        mixed = (mixed ^ next) * 0x9e3779b97f4a7c15;
        mixed ^= mixed >> 32;
      };
      mix(timing.place.slot | std::uint64_t{timing.predicted_taken} << 8);
      for (const Resource read : timing.reads) mix(read);
      for (const Resource write : timing.writes) mix(std::uint64_t{write} << 16);
      return mixed;
    }
  };

  std::unordered_set<InstructionTiming, Hash> timings_;
};

// What runs the instruction of this text, of which the facts are found.
template <class Isa>
typename Isa::Interpreter::Op op_of(const Isa& isa, const typename Isa::Facts& facts,
                                    const typename Isa::Text& text) {
  typename Isa::Interpreter::Op op = facts.op;
  if constexpr (DecodesByShape<Isa>) op.operands = isa.operands(text);
  return op;
}

// All that the processors of one kind have predecoded. The instructions stay where they are as long
// as this lives.
template <class Isa>
class Decoded {
 public:
  struct Instruction : Isa::Facts {
    const InstructionTiming* timing = nullptr;
  };
  using Key = typename Isa::DecodeKey;  // an array of 64-bit words

  // As isa.predecode(text, pc), but for the operands of op: see op_of(). Valid until the next call
  // if there is no room for more.
  const Instruction& find(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc) {
    const Key key = isa.decode_key(text, pc);
    const Slot& slot = slots_[place_of(key)];
    if (slot.instruction != nullptr) return *slot.instruction;
    return make(isa, key, text, pc);
  }

  // Asks the host for what find() will look at: first, and then if the instruction is known.
  void prefetch_slot(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc) const {
    __builtin_prefetch(&slots_[first_place_of(isa.decode_key(text, pc))]);
  }
  void prefetch(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc) const {
    const Instruction* const known = slots_[place_of(isa.decode_key(text, pc))].instruction;
    if (known == nullptr) return;
    constexpr std::size_t line = 64;
    const auto* const bytes = reinterpret_cast<const char*>(known);
    for (std::size_t at = 0; at < sizeof *known; at += line) __builtin_prefetch(bytes + at);
  }

  // Whether a block's instructions may no longer find room: whoever makes blocks goes on with a new
  // one.
  bool is_full() const { return all_.size() >= most - largest_block; }
  std::size_t size() const { return all_.size(); }
  // Of host memory, about.
  std::uint64_t bytes() const {
    return all_.size() * sizeof(Instruction) + slots_.size() * sizeof(Slot) + timings_.bytes();
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 17;
  static constexpr std::size_t largest_block = 128;
  static constexpr std::size_t fewest_slots = std::size_t{1} << 12;

  struct Slot {
    Key key{};
    const Instruction* instruction = nullptr;
  };

  std::size_t first_place_of(const Key& key) const {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : key) mixed = (mixed ^ word) * 0x9e3779b97f4a7c15;
    return (mixed >> 32) % slots_.size();
  }
  // The slot that has the key, or the free one in which it would be. At most half are taken.
  std::size_t place_of(const Key& key) const {
    std::size_t place = first_place_of(key);
    while (slots_[place].instruction != nullptr && slots_[place].key != key) {
      place = (place + 1) % slots_.size();
    }
    return place;
  }

  [[gnu::noinline]] const Instruction& make(const Isa& isa, const Key& key,
                                            const typename Isa::Text& text, std::uint64_t pc) {
    if (all_.size() >= most) {
      timings_not_kept_.clear();
      return not_kept_ = predecode(isa, text, pc, timings_not_kept_);
    }
    if (2 * (all_.size() + 1) > slots_.size()) grow();
    all_.push_back(predecode(isa, text, pc, timings_));
    slots_[place_of(key)] = {key, &all_.back()};
    return all_.back();
  }
  static Instruction predecode(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc,
                               KnownTimings& timings) {
    auto predecoded = isa.predecode(text, pc);
    return {static_cast<const typename Isa::Facts&>(predecoded),
            &timings.keep(std::move(predecoded.timing))};
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.instruction != nullptr) slots_[place_of(slot.key)] = slot;
    }
  }

  KnownTimings timings_;
  std::deque<Instruction> all_;
  std::vector<Slot> slots_ = std::vector<Slot>(fewest_slots);  // a power of two
  KnownTimings timings_not_kept_;
  Instruction not_kept_;
};

}  // namespace hardclock
