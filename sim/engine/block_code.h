// What a block of predecoded instructions is made of, whoever runs it. Processors of one kind share
// it in a simulation. A part of engine.h.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/decoded.h"
#include "sim/memory/address_space.h"
#include "sim/memory/cache_budget.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

template <class Isa>
struct BlockCode {
  using Instruction = typename Decoded<Isa>::Instruction;

  std::uint64_t start = 0;
  std::vector<const InstructionTiming*> timings;  // of the block's instructions
  // One more than timings, if the instruction behind the block decided how it ends.
  std::vector<const Instruction*> instructions;
  std::vector<typename Isa::Text> texts;  // of these
  typename Isa::Sequencing::BlockEnd end;
  // It ends where no instruction could be fetched.
  bool is_cut_off = false;
  std::shared_ptr<const Decoded<Isa>> decoded;  // what the pointers show

  // Of host memory, about.
  std::uint64_t bytes() const {
    constexpr std::uint64_t allocations = 4 * 16;
    return sizeof *this + allocations + (timings.size() + instructions.size()) * sizeof(void*) +
           texts.size() * sizeof(typename Isa::Text);
  }
};

// Reads the text of instructions one after another, as long as it can be remembered.
template <class Isa>
class TextReader {
 public:
  explicit TextReader(AddressSpace& memory) : memory_(memory) {}

  // The text at `pc`; null: it cannot be fetched, or it may change without notice. A store to a
  // shared mapping from another address space reaches no watcher here; one from another processor
  // in this address space does.
  std::optional<typename Isa::Text> read(std::uint64_t pc) {
    const auto text = Isa::fetch(memory_, GuestAddr(pc));
    if (!text || is_shared(pc)) return std::nullopt;
    return *text;
  }

 private:
  bool is_shared(std::uint64_t pc) {
    if (pc >> page_shift != page_) {
      page_ = pc >> page_shift;
      page_is_shared_ = memory_.region_at(GuestAddr(pc))->backing.shared != nullptr;
    }
    return page_is_shared_;
  }

  AddressSpace& memory_;
  std::uint64_t page_ = ~std::uint64_t{0};
  bool page_is_shared_ = false;
};

// Starts of blocks are multiples of something.
struct ScatteredStarts {
  std::size_t operator()(std::uint64_t start) const {
    return static_cast<std::size_t>(start * 0x9e3779b97f4a7c15 >> 32);
  }
};

// The blocks' code of processors of one kind, by what is in memory.
template <class Isa>
class CodeStore final : public CacheBudget::Keeper {
 public:
  using Code = BlockCode<Isa>;

  CodeStore(CacheBudget& budget, Isa isa) : Keeper(budget), isa_(std::move(isa)) {}

  const Isa& isa() const { return isa_; }

  // Somebody is about to run or to make blocks; nobody refers to an instruction that is in none.
  void note_use() {
    use();
    if (decoded_->is_full()) decoded_ = std::make_shared<Decoded<Isa>>();
    account();
  }
  // The instructions that note_use() left; another one may be there after its next call.
  const std::shared_ptr<Decoded<Isa>>& decoded() const { return decoded_; }

  // The code at `start`, if it is what `memory` has there and the processor would run; null: not
  // known. Touches the pages that making it anew would.
  std::shared_ptr<const Code> find(std::uint64_t start, AddressSpace& memory) const {
    const auto known = codes_.find(start);
    if (known == codes_.end() || !is_in(*known->second, memory)) return nullptr;
    return known->second;
  }

  // Whether it is what `memory` has there.
  static bool is_in(const Code& code, AddressSpace& memory) {
    if (code.is_cut_off) return false;  // what follows may be there
    TextReader<Isa> texts(memory);
    std::uint64_t pc = code.start;
    for (const auto& known : code.texts) {
      const auto text = texts.read(pc);
      if (!text || *text != known) return false;
      pc = Isa::Layout::after(pc, 1);
    }
    return true;
  }

  void add(const std::shared_ptr<const Code>& code) {
    if (code->is_cut_off) return;
    std::shared_ptr<const Code>& place = codes_[code->start];
    if (place != nullptr) code_bytes_ -= cost(*place);
    place = code;
    code_bytes_ += cost(*code);
    account();
  }

 private:
  static std::uint64_t cost(const Code& code) {
    constexpr std::uint64_t place = 64;  // in codes_
    return code.bytes() + place;
  }

  void account() { keep(code_bytes_ + decoded_->bytes()); }

  void forget() override {
    for (auto at = codes_.begin(); at != codes_.end();) {
      if (at->second.use_count() != 1) {
        ++at;
        continue;
      }
      code_bytes_ -= cost(*at->second);
      at = codes_.erase(at);
    }
    decoded_ = std::make_shared<Decoded<Isa>>();
    account();
  }

  Isa isa_;
  tsl::robin_map<std::uint64_t, std::shared_ptr<const Code>, ScatteredStarts> codes_;  // by start
  std::uint64_t code_bytes_ = 0;
  std::shared_ptr<Decoded<Isa>> decoded_ = std::make_shared<Decoded<Isa>>();
};

}  // namespace hardclock
