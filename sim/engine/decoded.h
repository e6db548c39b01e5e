// Instructions as an Isa predecodes them, each made once and then found by what it is made of:
// making one runs its body on the Recorder, which takes many times as long as finding it. A part of
// engine.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace hardclock {

// All that the processors of one kind have predecoded. The instructions stay where they are as long
// as this lives.
template <class Isa>
class Decoded {
 public:
  using Predecoded = typename Isa::Predecoded;
  using Key = typename Isa::DecodeKey;  // an array of 64-bit words

  // As isa.predecode(text, pc). Valid until the next call if there is no room for more.
  const Predecoded& find(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc) {
    const Key key = isa.decode_key(text, pc);
    const Slot& slot = slots_[place_of(key)];
    if (slot.instruction != nullptr) return *slot.instruction;
    return make(isa, key, text, pc);
  }

  // Asks the host for what find() will look at, if the instruction is known.
  void prefetch(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc) const {
    const Predecoded* const known = slots_[place_of(isa.decode_key(text, pc))].instruction;
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
    constexpr std::uint64_t registers = 64;
    return all_.size() * (sizeof(Predecoded) + registers) + slots_.size() * sizeof(Slot);
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 17;
  static constexpr std::size_t largest_block = 128;
  static constexpr std::size_t fewest_slots = std::size_t{1} << 12;

  struct Slot {
    Key key{};
    const Predecoded* instruction = nullptr;
  };

  // The slot that has the key, or the free one in which it would be. At most half are taken.
  std::size_t place_of(const Key& key) const {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : key) mixed = (mixed ^ word) * 0x9e3779b97f4a7c15;
    std::size_t place = (mixed >> 32) % slots_.size();
    while (slots_[place].instruction != nullptr && slots_[place].key != key) {
      place = (place + 1) % slots_.size();
    }
    return place;
  }

  [[gnu::noinline]] const Predecoded& make(const Isa& isa, const Key& key,
                                           const typename Isa::Text& text, std::uint64_t pc) {
    if (all_.size() >= most) return not_kept_ = isa.predecode(text, pc);
    if (2 * (all_.size() + 1) > slots_.size()) grow();
    all_.push_back(isa.predecode(text, pc));
    slots_[place_of(key)] = {key, &all_.back()};
    return all_.back();
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.instruction != nullptr) slots_[place_of(slot.key)] = slot;
    }
  }

  std::deque<Predecoded> all_;
  std::vector<Slot> slots_ = std::vector<Slot>(fewest_slots);  // a power of two
  Predecoded not_kept_;
};

}  // namespace hardclock
