// A predecoded block of a program: a straight line of instructions, which ends where the Isa's
// Sequencing says. A part of engine.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/block_arena.h"
#include "sim/engine/block_code.h"
#include "sim/engine/transfer_way.h"
#include "sim/timing/pipeline_clock.h"
#include "sim/timing/remembered_window.h"

namespace hardclock {

// Instructions of a block that run in one go.
struct BlockPart {
  TimedBlock timed;
  std::uint32_t first = 0;  // in the block
  std::uint32_t size = 0;
  std::uint32_t data_accesses = 0;  // of all its instructions
};

// What every execution looks at comes first and, behind the block, its predecoded instructions, in
// as few of the host's lines as can be.
template <class Isa>
class Block {
 public:
  using Op = typename Isa::Interpreter::Op;
  using Sequencing = typename Isa::Sequencing;
  struct Delete {
    void operator()(Block* block) const {
      const BlockArena::Piece place = block->rest->place;
      block->~Block();
      BlockArena::release(place);
    }
  };
  using Owner = std::unique_ptr<Block, Delete>;

  static Owner make(BlockArena& arena, const Isa& isa, std::shared_ptr<const BlockCode<Isa>> code) {
    const std::size_t size = code->timings.size();
    const BlockArena::Piece place = arena.allocate(sizeof(Block) + size * (sizeof(Op) + 1));
    try {
      Owner block(new (place.memory) Block(isa, std::move(code)));
      block->rest->place = place;
      return block;
    } catch (...) {
      BlockArena::release(place);
      throw;
    }
  }

  std::size_t size() const { return whole.size; }
  std::span<const Op> ops() const { return {reinterpret_cast<const Op*>(this + 1), size()}; }
  // Cycles from the whole block's start, in its first entry, until instruction i has issued: as far
  // as somebody has asked and they are below 256; 0: look it up.
  std::uint8_t* issued() { return reinterpret_cast<std::uint8_t*>(this + 1) + size() * sizeof(Op); }
  std::uint64_t pc_of(std::size_t i) const { return Isa::Layout::after(pc, i); }
  // Where control goes when it is not transferred.
  std::uint64_t fall_through() const { return pc_of(size()); }
  // The same, for a run of the block.
  std::uint64_t continues_at() const { return Sequencing::continues_at(*this); }
  // The pc that a tick at instruction i is charged to.
  std::uint64_t charged_pc(std::size_t i) const { return Sequencing::charged_pc(*this, i); }
  // The pc that a tick is charged to when the last instruction is nullified in that cycle.
  std::uint64_t nullified_pc() const { return Sequencing::nullified_pc(*this); }
  bool touches_memory(std::size_t i) const { return rest->code->instructions[i]->touches_memory; }

  bool is_last(const BlockPart& part) const { return part.first + part.size == size(); }
  // The part from `first` on, up to `last` (exclusive); valid until the next call.
  BlockPart& part(std::size_t first, std::size_t last) {
    if (first == 0 && last == size()) return whole;
    for (BlockPart& known : rest->parts) {
      if (known.first == first && first + known.size == last) return known;
    }
    return make_part(first, last);
  }

  // Asks the host for the blocks that may come next while this one runs: the others would wait for
  // its memory, one after another.
  void fetch_ahead() const {
    for (const Block* const next : follows) {
      if (next == nullptr) continue;
      __builtin_prefetch(next);
      __builtin_prefetch(next + 1);
    }
  }

  // The same, for this block.
  void fetch_start_ahead() const {
    __builtin_prefetch(this);
    __builtin_prefetch(&rest);
  }

  // The same, for what few executions look at, and for what is behind that.
  void fetch_rest_ahead() const {
    __builtin_prefetch(rest.get());
    __builtin_prefetch(&rest->parts);
    __builtin_prefetch(whole.timed.rest.get());
    __builtin_prefetch(&whole.timed.rest->details);
  }
  void fetch_costs_ahead() const { __builtin_prefetch(whole.timed.rest->details.issued.data()); }

  // What few executions look at.
  struct Rest {
    explicit Rest(std::shared_ptr<const BlockCode<Isa>> made_of) : code(std::move(made_of)) {}

    std::shared_ptr<const BlockCode<Isa>> code;
    BlockArena::Piece place;  // the block's own
    // What CycleLedger keeps of cycles that instructions waited for memory, where the pipeline did
    // nothing else in that time; out of order, of all cycles. Empty: none has, or nobody wants to
    // know.
    std::vector<std::uint64_t> stalled;
    // As an out-of-order core sees it; null: it has not yet.
    std::unique_ptr<StraightLine> line;
    // Parts that have run because a line in the middle of the block had to be fetched.
    std::vector<BlockPart> parts;
  };

  static constexpr std::uint64_t no_start = ~std::uint64_t{0};
  std::uint64_t start;     // of the first instruction; no_start, if the block is retired
  const std::uint64_t pc;  // of the first instruction
  BlockPart whole;
  // What was run next after this block, when it ended without a transfer of control and with one.
  std::array<Block*, 2> follows{};
  std::uint64_t fetches_hit_at = 0;  // see CachedMemory::all_fetches_hit()
  std::unique_ptr<Rest> rest;
  typename Sequencing::BlockEnd end;
  CallTree::Way way_out = CallTree::Way::straight;  // of its transfer of control

 private:
  Block(const Isa& isa, std::shared_ptr<const BlockCode<Isa>> code)
      : start(code->start), pc(code->start), rest(new Rest(code)), end(code->end) {
    static_assert(alignof(Block) <= BlockArena::alignment);
    auto* const ops = reinterpret_cast<Op*>(this + 1);
    whole.size = static_cast<std::uint32_t>(code->timings.size());
    for (std::size_t i = 0; i < size(); ++i) {
      new (ops + i) Op(op_of(isa, *code->instructions[i], code->texts[i]));
      whole.data_accesses += touches_memory(i) ? 1 : 0;
    }
    std::fill_n(issued(), size(), std::uint8_t{0});
    whole.timed.rest->instructions = code->timings;
    Sequencing::describe_end(end, *whole.timed.rest);
    if (const auto transfer = Sequencing::transfer_in(*this))
      way_out = way_of(*code->instructions[*transfer]);
  }
  ~Block() = default;

  [[gnu::noinline]] BlockPart& make_part(std::size_t first, std::size_t last) {
    BlockPart& made = rest->parts.emplace_back();
    made.first = static_cast<std::uint32_t>(first);
    made.size = static_cast<std::uint32_t>(last - first);
    for (std::size_t i = first; i < last; ++i) made.data_accesses += touches_memory(i) ? 1 : 0;
    TimedBlock::Rest& timed = *made.timed.rest;
    timed.instructions = whole.timed.rest->instructions.subspan(first, last - first);
    if (last != size()) return made;
    timed.followed = whole.timed.rest->followed;
    timed.last_may_be_nullified = whole.timed.rest->last_may_be_nullified && made.size > 1;
    return made;
  }
};

}  // namespace hardclock
