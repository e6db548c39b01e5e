// Predecoded blocks of a program: straight lines of instructions, which end where the Isa's
// Sequencing says. A part of engine.h, which says what the Isa supplies.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
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

// Instructions of a block that run in one go.
struct BlockPart {
  TimedBlock timed;
  std::size_t first = 0;            // in the block
  std::uint32_t data_accesses = 0;  // of all its instructions

  std::size_t size() const { return timed.instructions.size(); }
};

// Large programs run from the host's memory rather than from its caches: what every execution looks
// at is in the first line and, behind the block, together with its predecoded instructions.
template <class Isa>
class alignas(64) Block {
 public:
  using Op = typename Isa::Interpreter::Op;
  using Sequencing = typename Isa::Sequencing;
  struct Delete {
    void operator()(Block* block) const {
      block->~Block();
      ::operator delete (block, std::align_val_t{alignof(Block)});
    }
  };
  using Owner = std::unique_ptr<Block, Delete>;

  static Owner make(std::shared_ptr<const BlockCode<Isa>> code) {
    void* const place = ::operator new (sizeof(Block) + code->timings.size() * sizeof(Op),
                                        std::align_val_t{alignof(Block)});
    return Owner(new (place) Block(std::move(code)));
  }

  std::size_t size() const { return size_; }
  std::span<const Op> ops() const { return {reinterpret_cast<const Op*>(this + 1), size_}; }
  // Where control goes when it is not transferred.
  std::uint64_t fall_through() const { return ops().back().pc + Isa::instruction_bytes; }
  // The same, for a run of the block.
  std::uint64_t continues_at() const { return Sequencing::continues_at(*this); }
  // The pc that a tick at instruction i is charged to.
  std::uint64_t charged_pc(std::size_t i) const { return Sequencing::charged_pc(*this, i); }
  // The pc that a tick is charged to when the last instruction is nullified in that cycle.
  std::uint64_t nullified_pc() const { return Sequencing::nullified_pc(*this); }
  bool touches_memory(std::size_t i) const { return code->instructions[i]->touches_memory; }

  bool is_last(const BlockPart& part) const { return part.first + part.size() == size_; }
  // The part from `first` on, up to `last` (exclusive); valid until the next call.
  BlockPart& part(std::size_t first, std::size_t last) {
    if (first == 0 && last == size_) return whole;
    for (BlockPart& known : parts) {
      if (known.first == first && first + known.size() == last) return known;
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

  std::uint64_t start;  // no_start, if the block is retired
  static constexpr std::uint64_t no_start = ~std::uint64_t{0};

 private:
  std::uint32_t size_;

 public:
  typename Sequencing::BlockEnd end;
  BlockPart whole;
  // Cycles that instruction i waited for memory, where the pipeline did nothing else in that time.
  std::vector<std::uint64_t> stalled;
  // Parts that have run because a line in the middle of the block had to be fetched.
  std::vector<BlockPart> parts;
  std::shared_ptr<const BlockCode<Isa>> code;
  std::uint64_t fetches_hit_at = 0;  // see CachedMemory::all_fetches_hit()
  // What was run next after this block, when it ended without a transfer of control and with one.
  std::array<Block*, 2> follows{};

 private:
  explicit Block(std::shared_ptr<const BlockCode<Isa>> made_of)
      : start(made_of->start),
        size_(static_cast<std::uint32_t>(made_of->timings.size())),
        end(made_of->end),
        code(std::move(made_of)) {
    auto* const ops = reinterpret_cast<Op*>(this + 1);
    for (std::size_t i = 0; i < size_; ++i) {
      Op* const op = new (ops + i) Op(code->instructions[i]->op);
      op->pc = start + i * Isa::instruction_bytes;
      whole.data_accesses += touches_memory(i) ? 1 : 0;
    }
    whole.timed.instructions = code->timings;
    Sequencing::describe_end(end, whole.timed);
  }
  ~Block() = default;

  [[gnu::noinline]] BlockPart& make_part(std::size_t first, std::size_t last) {
    BlockPart& made = parts.emplace_back();
    made.first = first;
    for (std::size_t i = first; i < last; ++i) made.data_accesses += touches_memory(i) ? 1 : 0;
    made.timed.instructions = whole.timed.instructions.subspan(first, last - first);
    if (last != size_) return made;
    made.timed.followed = whole.timed.followed;
    made.timed.last_may_be_nullified = whole.timed.last_may_be_nullified && made.size() > 1;
    return made;
  }
};

template <class Isa>
class BlockCache {
 public:
  using Block = hardclock::Block<Isa>;

  BlockCache(AddressSpace& memory, std::shared_ptr<CodeStore<Isa>> store)
      : memory_(memory), store_(std::move(store)) {}

  // From now on no block, but for a delay slot, goes beyond a multiple of so many bytes, the same
  // in all that share the store.
  void end_blocks_at(std::uint64_t boundary) { boundary_ = boundary; }

  const std::shared_ptr<CodeStore<Isa>>& store() const { return store_; }

  // The block that begins at `pc`, if it was run lately.
  Block* recent(std::uint64_t pc) {
    Block* const block = recent_[place_of(pc)];
    return block != nullptr && block->start == pc ? block : nullptr;
  }
  // The block that begins at `pc`; null if no block can.
  Block* find(std::uint64_t pc) {
    const auto known = blocks_.find(pc);
    Block* const block = known != blocks_.end() ? known->second.get() : make(pc);
    recent_[place_of(pc)] = block;
    return block;
  }

  // Retires the blocks that have a part in the page. False: there are none.
  bool drop_page(std::uint64_t page) {
    const auto starts = starts_in_page_.extract(page);
    if (starts.empty()) return false;
    for (const std::uint64_t start : starts.mapped()) retire(blocks_.find(start));
    return true;
  }
  // Retires the blocks that have not been run lately.
  void retire_old() {
    for (auto at = blocks_.begin(); at != blocks_.end();) {
      const auto block = at++;
      if (recent(block->first) == nullptr) retire(block);
    }
  }
  void retire_all() {
    for (auto at = blocks_.begin(); at != blocks_.end();) retire(at++);
  }

  // Retired blocks live until they are dropped here, since one of them may have been running, and
  // others say that it follows them. That takes a look at all blocks, so it should pay.
  bool should_drop_retired() const { return retired_.size() > most_retired_; }
  template <class Visit>
  void drop_retired(Visit visit) {
    if (retired_.empty()) return;
    for (const auto& [start, block] : blocks_) block->follows = {};
    for (const auto& block : retired_) {
      visit(*block);
      bytes_ -= cost(*block);
    }
    retired_.clear();
    most_retired_ = 16 + blocks_.size() / 8;
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
  static constexpr unsigned recent_bits = 16;

  // Scatters the starts, of which a large program has few in each of many pages.
  static std::size_t place_of(std::uint64_t pc) {
    return static_cast<std::size_t>(pc * 0x9e3779b97f4a7c15 >> (64 - recent_bits));
  }

  using Blocks = std::unordered_map<std::uint64_t, typename Block::Owner>;  // by start

  static std::uint64_t cost(const Block& block) {
    constexpr std::uint64_t nodes = 192;  // of blocks_ and starts_in_page_
    return sizeof block + nodes +
           block.size() * (sizeof(typename Block::Op) + sizeof block.stalled[0]);
  }

  void retire(typename Blocks::iterator block) {
    Block*& place = recent_[place_of(block->first)];
    if (place == block->second.get()) place = nullptr;
    for_each_page(*block->second, [&](std::uint64_t page) {
      const auto starts = starts_in_page_.find(page);
      if (starts == starts_in_page_.end()) return;
      starts->second.erase(block->first);
      if (starts->second.empty()) starts_in_page_.erase(starts);
    });
    block->second->start = Block::no_start;
    retired_.push_back(std::move(block->second));
    blocks_.erase(block);
  }
  template <class Visit>
  static void for_each_page(const Block& block, Visit visit) {
    const std::uint64_t last = (block.fall_through() - 1) >> page_shift;
    for (std::uint64_t page = block.start >> page_shift; page <= last; ++page) visit(page);
  }

  Block* make(std::uint64_t start) {
    store_->note_use();
    std::shared_ptr<const BlockCode<Isa>> code = store_->find(start, memory_);
    if (code == nullptr) {
      code = build(start);
      if (code->timings.empty()) return nullptr;
      store_->add(code);
    }
    return adopt(Block::make(std::move(code)));
  }

  std::shared_ptr<const BlockCode<Isa>> build(std::uint64_t start) {
    auto code = std::make_shared<BlockCode<Isa>>();
    code->start = start;
    code->decoded = store_->decoded();
    instructions_.clear();
    std::size_t count = 0;  // of the block's; the one behind it may be among the others
    TextReader<Isa> texts(memory_);
    typename Isa::Sequencing::template BlockShape<typename Isa::Predecoded> shape;
    for (std::uint64_t pc = start; count < longest_block || !shape.may_end(); pc += bytes) {
      if (pc != start && pc % boundary_ == 0 && shape.may_end()) break;
      const auto text = texts.read(pc);
      code->is_cut_off = !text;
      if (code->is_cut_off) break;
      const auto& instruction = store_->decoded()->find(store_->isa(), *text, pc);
      instructions_.push_back(&instruction);
      // In a block nobody knows the cycle in which an instruction runs.
      if (instruction.reads_clock || !shape.accepts(instruction)) break;
      ++count;
      if (shape.add(instruction)) break;
    }
    code->end = shape.end();
    code->instructions.assign(instructions_.begin(), instructions_.end());
    code->timings.reserve(count);
    for (std::size_t i = 0; i < count; ++i) code->timings.push_back(&instructions_[i]->timing);
    return code;
  }

  Block* adopt(typename Block::Owner block) {
    Block* const adopted = block.get();
    bytes_ += cost(*adopted);
    for_each_page(*adopted, [&](std::uint64_t page) {
      starts_in_page_[page].insert(adopted->start);
      memory_.watch_code(page);
    });
    blocks_[adopted->start] = std::move(block);
    return adopted;
  }

  AddressSpace& memory_;
  std::shared_ptr<CodeStore<Isa>> store_;
  std::uint64_t boundary_ = longest_block * bytes;
  std::vector<const typename Isa::Predecoded*> instructions_;  // of the block that is made
  Blocks blocks_;
  std::unordered_map<std::uint64_t, std::set<std::uint64_t>> starts_in_page_;
  std::vector<typename Block::Owner> retired_;
  std::size_t most_retired_ = 16;
  std::uint64_t bytes_ = 0;
  std::array<Block*, std::size_t{1} << recent_bits> recent_{};  // by place_of(start)
};

}  // namespace hardclock
