// What a block of predecoded instructions is made of, whoever runs it. Processors that are forks of
// each other share it. A part of engine.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "sim/memory/cache_budget.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

template <class Isa>
struct BlockCode {
  std::vector<typename Isa::Interpreter::Op> ops;
  std::vector<InstructionTiming> timings;
  std::vector<std::uint8_t> touches_memory;  // by instruction, 0 or 1
  std::uint32_t data_accesses = 0;           // their sum
  std::uint64_t start = 0;
  typename Isa::Sequencing::BlockEnd end;
  // Of the instructions, and of the one that stands behind them where that decided how they end.
  std::vector<typename Isa::Text> texts;
  // It ends where no instruction could be fetched.
  bool is_cut_off = false;

  // Of host memory, about.
  std::uint64_t bytes() const {
    constexpr std::uint64_t allocation = 32;  // the smallest
    std::uint64_t sum = sizeof *this + 4 * allocation + touches_memory.size() +
                        texts.size() * sizeof texts[0] + ops.size() * sizeof ops[0];
    for (const InstructionTiming& timing : timings) {
      sum += sizeof timing;
      if (!timing.reads.empty()) sum += allocation;
      if (!timing.writes.empty()) sum += allocation;
    }
    return sum;
  }
};

// The blocks' code of a family of processors, by what is in memory.
template <class Isa>
class CodeStore final : public CacheBudget::Keeper {
 public:
  using Code = BlockCode<Isa>;

  explicit CodeStore(CacheBudget& budget) : Keeper(budget) {}

  void note_use() { use(); }

  // The code at `start`, if it is what `memory` has there and the processor would run; null: not
  // known. Touches the pages that making it anew would.
  std::shared_ptr<const Code> find(std::uint64_t start, AddressSpace& memory) const {
    const auto known = codes_.find(start);
    if (known == codes_.end() || !is_in(*known->second, memory)) return nullptr;
    return known->second;
  }

  void add(const std::shared_ptr<const Code>& code) {
    if (code->is_cut_off) return;  // somebody else may be able to fetch what follows
    std::shared_ptr<const Code>& place = codes_[code->start];
    if (place != nullptr) bytes_ -= cost(*place);
    place = code;
    bytes_ += cost(*code);
    keep(bytes_);
  }

 private:
  static std::uint64_t cost(const Code& code) {
    constexpr std::uint64_t node = 64;
    return code.bytes() + node;
  }

  static bool is_in(const Code& code, AddressSpace& memory) {
    std::uint64_t pc = code.start;
    for (const typename Isa::Text& known : code.texts) {
      const auto text = Isa::fetch(memory, GuestAddr(pc));
      if (!text || *text != known) return false;
      if (memory.region_at(GuestAddr(pc))->backing.shared != nullptr) return false;
      pc += Isa::instruction_bytes;
    }
    return true;
  }

  void forget() override {
    std::erase_if(codes_, [this](const auto& entry) {
      if (entry.second.use_count() != 1) return false;
      bytes_ -= cost(*entry.second);
      return true;
    });
    keep(bytes_);
  }

  std::unordered_map<std::uint64_t, std::shared_ptr<const Code>> codes_;  // by start
  std::uint64_t bytes_ = 0;
};

}  // namespace hardclock
