// Predecoded blocks of a program: straight lines of instructions, which end where the Isa's
// Sequencing says. A part of engine.h, which says what the Isa supplies.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/block_code.h"
#include "sim/engine/pipeline_clock.h"
#include "sim/memory/address_space.h"

namespace hardclock {

template <class Isa>
struct Block {
  using Op = typename Isa::Interpreter::Op;
  using Sequencing = typename Isa::Sequencing;

  explicit Block(std::shared_ptr<const BlockCode<Isa>> made_of)
      : start(made_of->start),
        fall_through(start + made_of->ops.size() * Isa::instruction_bytes),
        ops(made_of->ops),
        end(made_of->end),
        data_accesses(made_of->data_accesses),
        touches_memory(made_of->touches_memory),
        code(std::move(made_of)) {
    timed.instructions = code->timings;
    Sequencing::describe_end(end, timed);
  }

  // Where control goes from here when it is not transferred.
  std::uint64_t continues_at() const { return Sequencing::continues_at(*this); }
  // The pc that a tick at instruction i is charged to.
  std::uint64_t charged_pc(std::size_t i) const { return Sequencing::charged_pc(*this, i); }
  // The pc that a tick is charged to when the last instruction is nullified in that cycle.
  std::uint64_t nullified_pc() const { return Sequencing::nullified_pc(*this); }

  // What every execution looks at comes first: together it is in one line of the host's cache.
  std::uint64_t start;
  std::uint64_t fall_through;
  std::span<const Op> ops;
  TimedBlock timed;
  typename Sequencing::BlockEnd end;
  std::uint32_t data_accesses;                   // the sum of touches_memory
  std::span<const std::uint8_t> touches_memory;  // by instruction, 0 or 1
  // Cycles that instruction i waited for memory, where the pipeline did nothing else in that time.
  std::vector<std::uint64_t> stalled;
  std::shared_ptr<const BlockCode<Isa>> code;  // what the spans show
};

template <class Isa>
class BlockCache {
 public:
  using Block = hardclock::Block<Isa>;

  // `store` is that of the processor's family.
  BlockCache(const Isa& isa, AddressSpace& memory, std::shared_ptr<CodeStore<Isa>> store)
      : isa_(isa), memory_(memory), store_(std::move(store)) {}

  // From now on no block, but for a delay slot, goes beyond a multiple of so many bytes, the same
  // in all of a family.
  void end_blocks_at(std::uint64_t boundary) { boundary_ = boundary; }

  const std::shared_ptr<CodeStore<Isa>>& store() const { return store_; }

  // The block that begins at `pc`, if it was run lately.
  Block* recent(std::uint64_t pc) {
    Block* const block = recent_[(pc / bytes) % recent_.size()];
    return block != nullptr && block->start == pc ? block : nullptr;
  }
  // The block that begins at `pc`; null if no block can.
  Block* find(std::uint64_t pc) {
    const auto known = blocks_.find(pc);
    Block* const block = known != blocks_.end() ? known->second.get() : make(pc);
    recent_[(pc / bytes) % recent_.size()] = block;
    return block;
  }

  // Retires the blocks that have a part in the page. False: there are none.
  bool drop_page(std::uint64_t page) {
    const auto starts = blocks_of_page_.find(page);
    if (starts == blocks_of_page_.end()) return false;
    for (const std::uint64_t start : starts->second) {
      const auto block = blocks_.find(start);
      if (block == blocks_.end()) continue;
      recent_[(start / bytes) % recent_.size()] = nullptr;
      retired_.push_back(std::move(block->second));
      blocks_.erase(block);
    }
    blocks_of_page_.erase(starts);
    return true;
  }

  void retire_all() {
    for (auto& [start, block] : blocks_) retired_.push_back(std::move(block));
    blocks_.clear();
    blocks_of_page_.clear();
    recent_.fill(nullptr);
  }

  // Retired blocks live until they are dropped here, since one of them may have been running.
  bool any_retired() const { return !retired_.empty(); }
  template <class Visit>
  void drop_retired(Visit visit) {
    for (const auto& block : retired_) {
      visit(*block);
      bytes_ -= cost(*block);
    }
    retired_.clear();
  }

  // Of all blocks, retired ones too.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [start, block] : blocks_) visit(*block);
    for (const auto& block : retired_) visit(*block);
  }

  // Of host memory, about, without the blocks' code and entries.
  std::uint64_t bytes_kept() const { return bytes_; }

 private:
  static constexpr std::uint64_t bytes = Isa::instruction_bytes;
  static constexpr std::size_t longest_block = 64;

  static std::uint64_t cost(const Block& block) {
    constexpr std::uint64_t nodes = 192;  // of blocks_ and blocks_of_page_
    return sizeof block + nodes + block.ops.size() * sizeof block.stalled[0];
  }

  Block* make(std::uint64_t start) {
    store_->note_use();
    std::shared_ptr<const BlockCode<Isa>> code = store_->find(start, memory_);
    if (code == nullptr) {
      code = build(start);
      if (code->ops.empty()) return nullptr;
      store_->add(code);
    }
    return adopt(std::make_unique<Block>(std::move(code)));
  }

  std::shared_ptr<const BlockCode<Isa>> build(std::uint64_t start) {
    auto code = std::make_shared<BlockCode<Isa>>();
    code->start = start;
    typename Isa::Sequencing::template BlockShape<typename Isa::Predecoded> shape;
    for (std::uint64_t pc = start; code->ops.size() < longest_block || !shape.may_end();
         pc += bytes) {
      if (pc != start && pc % boundary_ == 0 && shape.may_end()) break;
      const auto text = Isa::fetch(memory_, GuestAddr(pc));
      // A store to a shared mapping from another address space reaches no watcher here: such code
      // is stepped. One from another processor in this address space does.
      code->is_cut_off = !text || memory_.region_at(GuestAddr(pc))->backing.shared != nullptr;
      if (code->is_cut_off) break;
      code->texts.push_back(*text);
      const auto instruction = isa_.predecode(*text, pc);
      // In a block nobody knows the cycle in which an instruction runs.
      if (instruction.reads_clock || !shape.accepts(instruction)) break;
      append(*code, instruction);
      if (shape.add(instruction)) break;
    }
    code->end = shape.end();
    return code;
  }

  static void append(BlockCode<Isa>& code, const typename Isa::Predecoded& instruction) {
    code.ops.push_back(instruction.op);
    code.timings.push_back(instruction.timing);
    code.touches_memory.push_back(instruction.touches_memory ? 1 : 0);
    code.data_accesses += code.touches_memory.back();
  }

  Block* adopt(std::unique_ptr<Block> block) {
    Block* const adopted = block.get();
    bytes_ += cost(*adopted);
    const std::uint64_t last_page = (adopted->fall_through - 1) >> page_shift;
    for (std::uint64_t page = adopted->start >> page_shift; page <= last_page; ++page) {
      blocks_of_page_[page].insert(adopted->start);
      memory_.watch_code(page);
    }
    blocks_[adopted->start] = std::move(block);
    return adopted;
  }

  const Isa& isa_;
  AddressSpace& memory_;
  std::shared_ptr<CodeStore<Isa>> store_;
  std::uint64_t boundary_ = longest_block * bytes;
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;           // by start
  std::unordered_map<std::uint64_t, std::set<std::uint64_t>> blocks_of_page_;  // starts
  std::vector<std::unique_ptr<Block>> retired_;
  std::uint64_t bytes_ = 0;
  std::array<Block*, 4096> recent_{};
};

// Single instructions, predecoded.
template <class Isa>
class PredecodedInstructions {
 public:
  using Predecoded = typename Isa::Predecoded;

  // The instruction `text` at `pc`; valid until the next call.
  const Predecoded& find(const Isa& isa, const typename Isa::Text& text, std::uint64_t pc) {
    Predecoded& known = recent_[(pc / Isa::instruction_bytes) % recent_.size()];
    if (known.op.execute == nullptr || known.text != text || known.op.pc != pc) {
      known = isa.predecode(text, pc);
    }
    return known;
  }

 private:
  std::array<Predecoded, 1024> recent_;
};

}  // namespace hardclock
