// The predecoded blocks of a program, by where they begin. A part of engine.h.
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/block.h"
#include "sim/engine/block_arena.h"
#include "sim/engine/block_code.h"
#include "sim/memory/address_space.h"

namespace hardclock {

template <class Isa>
class BlockCache {
 public:
  using Block = hardclock::Block<Isa>;

  BlockCache(AddressSpace& memory, std::shared_ptr<CodeStore<Isa>> store)
      : memory_(&memory), store_(std::move(store)) {}

  // From now on no block, but for a delay slot, goes beyond a multiple of so many bytes, the same
  // in all that share the store.
  void end_blocks_at(std::uint64_t boundary) { boundary_ = boundary; }

  // From now on none, but for a delay slot, goes beyond the function in which it begins, either:
  // `end(pc)` is where that ends. Before any block is made.
  void end_blocks_with_functions(std::function<std::uint64_t(std::uint64_t)> end) {
    end_of_function_ = std::move(end);
  }

  // From now on none goes on from before one of these places to it; of a delay slot, only a block
  // that begins with its transfer of control. Before any block is made.
  void end_blocks_before(std::uint64_t first, std::uint64_t last) { places_ = {first, last}; }
  void go_anywhere() { places_ = {}; }

  // Of each block, and of each of its instructions, so many bytes more are kept.
  void count_side_tables(std::uint64_t of_block, std::uint64_t of_instruction) {
    block_bytes_ = of_block;
    instruction_bytes_ = of_instruction;
    bytes_ = 0;
    for_each([this](const Block& block) { bytes_ += cost(block); });
  }

  const std::shared_ptr<CodeStore<Isa>>& store() const { return store_; }

  // The process whose blocks these are has ended. Nothing but settle_in() comes next.
  void pack() {
    recent_ = decltype(recent_)();
    recent_bits_ = fewest_recent_bits;
  }
  // In another process's memory. The blocks sleep until find() asks for them and `memory` has what
  // they were made of.
  void settle_in(AddressSpace& memory) {
    memory_ = &memory;
    recent_.assign(std::size_t{1} << recent_bits_, nullptr);
    for (auto at = blocks_.begin(); at != blocks_.end(); ++at) {
      at->second->start = Block::no_start;
      sleeping_[at->first] = std::move(at.value());
    }
    blocks_.clear();
    starts_in_page_.clear();
  }
  void retire_sleeping() {
    for (auto at = sleeping_.begin(); at != sleeping_.end();) at = forget_sleeping(at);
  }

  // The block that begins at `pc`, if it was run lately.
  Block* recent(std::uint64_t pc) {
    Block* const block = recent_[place_of(pc)];
    return block != nullptr && block->start == pc ? block : nullptr;
  }
  // The block that begins at `pc`; null if no block can. Calls woken(block) if it has slept.
  template <class Woken>
  Block* find(std::uint64_t pc, Woken woken) {
    const auto known = blocks_.find(pc);
    Block* block = known != blocks_.end() ? known->second.get() : nullptr;
    if (block == nullptr) {
      block = wake(pc);
      if (block != nullptr)
        woken(*block);
      else
        block = make(pc);
    }
    recent_[place_of(pc)] = block;
    return block;
  }

  // Retires the blocks that have a part in the page, each after a visit. False: there are none.
  template <class Visit>
  bool drop_page(std::uint64_t page, Visit visit) {
    const auto starts = starts_in_page_.extract(page);
    if (starts.empty()) return false;
    for (const std::uint64_t start : starts.mapped()) {
      const auto block = blocks_.find(start);
      visit(*block->second);
      retire(block);
    }
    return true;
  }
  // Retires the blocks that nobody has looked for lately and that `may_go`, a predicate.
  template <class MayGo>
  void retire_old(MayGo may_go) {
    for (auto at = blocks_.begin(); at != blocks_.end();) {
      if (recent(at->first) == nullptr && may_go(*at->second))
        at = retire(at);
      else
        ++at;
    }
  }
  void retire_all() {
    retire_sleeping();
    for (auto at = blocks_.begin(); at != blocks_.end();) at = retire(at);
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
    for (const auto& [start, block] : sleeping_) visit(*block);
    for (const auto& block : retired_) visit(*block);
  }

  // Of host memory, about, without the blocks' code and entries.
  std::uint64_t bytes_kept() const { return arena_->bytes() + bytes_; }

 private:
  static constexpr std::size_t longest_block = Isa::Interpreter::most_marked;
  static constexpr unsigned fewest_recent_bits = 10;
  static constexpr unsigned most_recent_bits = 16;

  // Scatters the starts, of which a large program has few in each of many pages.
  std::size_t place_of(std::uint64_t pc) const {
    return static_cast<std::size_t>(pc * 0x9e3779b97f4a7c15 >> (64 - recent_bits_));
  }
  // Twice as many places. Most processes have few blocks.
  void grow_recent() {
    ++recent_bits_;
    std::vector<Block*> before(std::size_t{1} << recent_bits_);
    before.swap(recent_);
    for (Block* const block : before) {
      if (block != nullptr) recent_[place_of(block->start)] = block;
    }
  }

  using Blocks = tsl::robin_map<std::uint64_t, typename Block::Owner, ScatteredStarts>;  // by start

  // Outside the arena.
  std::uint64_t cost(const Block& block) const {
    constexpr std::uint64_t nodes = 64;  // of blocks_ and starts_in_page_
    return nodes + sizeof *block.rest + sizeof *block.whole.timed.rest + block_bytes_ +
           block.size() * instruction_bytes_;
  }

  // Returns the next block.
  auto retire(typename Blocks::iterator block) {
    Block*& place = recent_[place_of(block->first)];
    if (place == block->second.get()) place = nullptr;
    for_each_page(*block->second, [&](std::uint64_t page) {
      const auto starts = starts_in_page_.find(page);
      if (starts == starts_in_page_.end()) return;
      std::erase(starts->second, block->first);
      if (starts->second.empty()) starts_in_page_.erase(starts);
    });
    block->second->start = Block::no_start;
    retired_.push_back(std::move(block.value()));
    return blocks_.erase(block);
  }
  auto forget_sleeping(typename Blocks::iterator block) {
    retired_.push_back(std::move(block.value()));
    return sleeping_.erase(block);
  }
  template <class Visit>
  static void for_each_page(const Block& block, Visit visit) {
    const std::uint64_t last = (block.fall_through() - 1) >> page_shift;
    for (std::uint64_t page = block.pc >> page_shift; page <= last; ++page) visit(page);
  }

  // The sleeping block that begins at `pc`, as one of the others from now on; null: there is none.
  Block* wake(std::uint64_t pc) {
    const auto known = sleeping_.find(pc);
    if (known == sleeping_.end()) return nullptr;
    if (!CodeStore<Isa>::is_in(*known->second->rest->code, *memory_)) {
      forget_sleeping(known);
      return nullptr;
    }
    typename Block::Owner block = std::move(known.value());
    sleeping_.erase(known);
    block->start = pc;
    block->follows = {};
    block->fetches_hit_at = 0;
    return enter(std::move(block));
  }

  Block* make(std::uint64_t start) {
    store_->note_use();
    const std::uint64_t place = place_behind(start);
    const std::uint64_t end = std::min(place, end_of_function_ ? end_of_function_(start) : no_end);
    std::shared_ptr<const BlockCode<Isa>> code = store_->find(start, *memory_);
    if (code == nullptr || last_to_be_entered(*code) >= end ||
        Isa::Layout::after(start, code->timings.size()) > place) {
      code = build(start, end, place);
      if (code->timings.empty()) return nullptr;
      store_->add(code);
    }
    return adopt(Block::make(*arena_, store_->isa(), std::move(code)));
  }

  // The first of the places before which blocks end.
  std::uint64_t place_behind(std::uint64_t start) const {
    for (const std::uint64_t place : places_) {
      if (start < place) return place;
    }
    return no_end;
  }

  // The pc of its last instruction that is no delay slot of the block's own.
  static std::uint64_t last_to_be_entered(const BlockCode<Isa>& code) {
    const std::size_t slots = Isa::Sequencing::slots_of(code.end);
    return Isa::Layout::after(code.start, code.timings.size() - 1 - slots);
  }

  using Instruction = typename BlockCode<Isa>::Instruction;
  using Shape = typename Isa::Sequencing::template BlockShape<Instruction>;
  // Whether the block cannot end behind the instruction.
  static bool needs_next(Shape shape, const Instruction& instruction) {
    return !shape.add(instruction) && !shape.may_end();
  }

  // Ends before the address `end`, but for a slot, and before `place`: see end_blocks_before().
  std::shared_ptr<const BlockCode<Isa>> build(std::uint64_t start, std::uint64_t end,
                                              std::uint64_t place) {
    auto code = std::make_shared<BlockCode<Isa>>();
    code->start = start;
    code->decoded = store_->decoded();
    instructions_.clear();
    texts_.clear();
    std::size_t count = 0;  // of the block's; the one behind it may be among the others
    TextReader<Isa> texts(*memory_);
    prefetch(texts, start);
    Shape shape;
    for (std::uint64_t pc = start; count < longest_block || !shape.may_end();
         pc = Isa::Layout::after(pc, 1)) {
      if (pc != start && pc % boundary_ == 0 && shape.may_end()) break;
      if (pc >= end && shape.may_be_cut()) break;
      const auto text = texts.read(pc);
      code->is_cut_off = !text;
      if (code->is_cut_off) break;
      const auto& instruction = store_->decoded()->find(store_->isa(), *text, pc);
      instructions_.push_back(&instruction);
      texts_.push_back(*text);
      // In a block nobody knows the cycle in which an instruction runs.
      if (instruction.reads_clock || !shape.accepts(instruction)) break;
      if (pc != start && instruction.is_branch && pc + Isa::Sequencing::slot_distance == place)
        break;
      if (count + 1 == longest_block && needs_next(shape, instruction)) break;
      ++count;
      if (shape.add(instruction)) break;
    }
    code->end = shape.end();
    code->instructions.assign(instructions_.begin(), instructions_.end());
    code->texts.assign(texts_.begin(), texts_.end());
    code->timings.reserve(count);
    for (std::size_t i = 0; i < count; ++i) code->timings.push_back(instructions_[i]->timing);
    return code;
  }

  // Asks the host for the instructions that probably come, all at once: they lie where they were
  // first met, far from one another, and so do the slots that say where.
  void prefetch(TextReader<Isa>& texts, std::uint64_t start) {
    std::array<typename Isa::Text, 8> next;  // a usual size
    const Decoded<Isa>& decoded = *store_->decoded();
    const auto pc_of = [start](std::size_t i) { return Isa::Layout::after(start, i); };
    std::size_t count = 0;
    for (; count < next.size(); ++count) {
      const std::uint64_t pc = pc_of(count);
      if (pc >> page_shift != start >> page_shift) break;  // nobody has asked for that page yet
      const auto text = texts.read(pc);
      if (!text) break;
      next[count] = *text;
      decoded.prefetch_slot(store_->isa(), *text, pc);
    }
    for (std::size_t i = 0; i < count; ++i) decoded.prefetch(store_->isa(), next[i], pc_of(i));
  }

  Block* adopt(typename Block::Owner block) {
    bytes_ += cost(*block);
    return enter(std::move(block));
  }

  Block* enter(typename Block::Owner block) {
    Block* const adopted = block.get();
    // First: where memory ends in between, drop_page() finds what the pages' lists name.
    blocks_[adopted->start] = std::move(block);
    for_each_page(*adopted, [&](std::uint64_t page) {
      starts_in_page_[page].push_back(adopted->pc);
      memory_->watch_code(page);
    });
    if (recent_bits_ < most_recent_bits && 2 * blocks_.size() > recent_.size()) grow_recent();
    return adopted;
  }

  AddressSpace* memory_;
  std::shared_ptr<CodeStore<Isa>> store_;
  static constexpr std::uint64_t no_end = ~std::uint64_t{0};

  std::uint64_t boundary_ = Isa::Layout::stretch(longest_block);
  std::function<std::uint64_t(std::uint64_t)> end_of_function_;         // null: it does not matter
  std::array<std::uint64_t, 2> places_{};                               // ascending; 0: none
  std::vector<const Instruction*> instructions_;                        // of the block that is made
  std::vector<typename Isa::Text> texts_;                               // of these
  std::unique_ptr<BlockArena> arena_ = std::make_unique<BlockArena>();  // of all blocks below
  Blocks blocks_;
  Blocks sleeping_;  // of a process that has ended
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> starts_in_page_;
  std::vector<typename Block::Owner> retired_;
  std::size_t most_retired_ = 16;
  std::uint64_t bytes_ = 0;
  std::uint64_t block_bytes_ = 0;        // see count_side_tables()
  std::uint64_t instruction_bytes_ = 0;  // the same
  unsigned recent_bits_ = fewest_recent_bits;
  std::vector<Block*> recent_ =  // by place_of(start)
      std::vector<Block*>(std::size_t{1} << fewest_recent_bits);
};

}  // namespace hardclock
