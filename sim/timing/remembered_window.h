// An out-of-order core that remembers how straight lines of instructions went through its window:
//
//   (line, state of the window, signature) -> (cycles, state of the window)
//
// The signature is what the line's execution adds: how its transfer of control was predicted, which
// of its instructions waited for a fetch or for memory and how long, and which loads met a store or
// a miss that was under way. So the answer is OutOfOrderCore's, always: what is not known yet goes
// through such a core, from the remembered state on, and is remembered then. Predictions are made
// by the core's own predictor.
//
// What is remembered is bounded: when a limit below is reached everything is forgotten but the
// window as it stands, and a new generation begins.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/memory/access_log.h"
#include "sim/state/archive.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/window_state.h"

namespace hardclock {

// Up to 64 instructions, one behind the other, of which the last but one, or the last, may be a
// transfer of control.
struct StraightLine {
  static constexpr std::size_t most = AccessLog::most;
  static constexpr std::size_t no_transfer = ~std::size_t{0};

  std::uint64_t pc = 0;     // of the first instruction
  std::uint64_t bytes = 4;  // of each
  std::span<const InstructionTiming* const> timings;
  std::uint64_t accesses = 0;  // bit i: instruction i loads or stores
  std::uint64_t stores = 0;
  std::size_t transfer = no_transfer;  // index of the transfer of control
  OutOfOrderCore::Transfer kind = OutOfOrderCore::Transfer::conditional;
  bool links = false;
  // By RememberedWindow::add().
  struct MemoryAccess {
    std::uint8_t index;  // of the instruction
    std::uint8_t bytes;  // 0: the aligned eight around its address
    bool stores;
    // Cycles from the first in which the line can be decoded until it can have data.
    std::uint16_t earliest;
  };
  std::uint32_t number = 0;
  std::vector<MemoryAccess> memory_accesses;
  std::uint64_t longest = 0;

  std::uint64_t pc_of(std::size_t index) const { return pc + index * bytes; }
  bool accesses_memory(std::size_t index) const { return (accesses >> index & 1) != 0; }
};

class RememberedWindow {
 public:
  // Of what is remembered; about 40 megabytes in all.
  struct Limits {
    std::size_t passages = std::size_t{1} << 18;
    std::size_t state_words = std::size_t{1} << 23;
    std::size_t detail_words = std::size_t{1} << 21;
  };
  // Cycles until instruction `index` of a line graduated, since the one before it did. With reasons
  // there may be several for an instruction; else they all say `issue`.
  struct Charge {
    std::uint32_t index;
    std::uint32_t cycles;
    CycleReason reason = CycleReason::issue;
  };

  explicit RememberedWindow(std::shared_ptr<const OutOfOrderDescription> description)
      : RememberedWindow(std::move(description), Limits()) {}
  RememberedWindow(std::shared_ptr<const OutOfOrderDescription> description, Limits limits);

  // From now on charges() has those of all passages; before, of some.
  void keep_charges() { keeps_charges_ = true; }
  // And their reasons.
  void keep_reasons() { keeps_charges_ = keeps_reasons_ = true; }
  // From now on everything goes through a core as well, and a difference is a failed CHECK. For
  // tests: slow.
  void compare() { reference_.emplace(core_); }

  // ---- Single instructions, as OutOfOrderCore has them.
  std::uint32_t retire(const InstructionTiming& timing, const OutOfOrderCore::Dynamic& dynamic);
  void resolve_last(const OutOfOrderCore::Resolution& outcome);
  const OutOfOrderCore::Times& last() const { return core_.last(); }
  LastCycles last_cycles() const { return core_.last_cycles(); }
  void drain();

  // ---- A passage, from begin() to end().
  // Gives the line its number and what else it needs.
  void add(StraightLine& line);
  // The line's first instruction is the next one, and no transfer's slot. The line lives until the
  // passage ends.
  void begin(const StraightLine& line) {
    if (!is_known_) [[unlikely]]
      know(line.pc);
    line_ = &line;
    log_.accessed = 0;
    are_noted_ = 0;
    fetch_count_ = 0;
    stalls_ = 0;
    retired_ = 0;
    cycles_ = 0;
    redirection_ = OutOfOrderCore::Redirection::none;
    slots_ = 0;
    is_resolved_ = false;
    charges_.clear();
    const std::uint64_t over = std::max(position_.base + latest_, memory_over_);
    longest_ = over - position_.graduated + line.longest;
    __builtin_prefetch(&passages_[passages_[last_].follower]);
    __builtin_prefetch(&heads_[place_of(line.number, state_)]);
  }
  bool is_passing() const { return line_ != nullptr; }
  // The line is not passed after all; nothing has been noted.
  void cancel() { line_ = nullptr; }
  // Instruction `index` waits for its line of the instruction cache, which takes memory's time.
  void note_fetch(std::size_t index, std::uint32_t stall, std::uint32_t busy) {
    stalls_ += stall + std::uint64_t{busy};
    fetches_[fetch_count_++] = {stall, busy, static_cast<std::uint32_t>(index)};
  }
  // Instruction `index` makes its access. Each makes but one.
  void note_access(std::size_t index, std::uint64_t address,
                   const OutOfOrderCore::MemoryCost& cost) {
    log_.note(index, address);
    if (!cost.misses() && cost.line == 0) return;
    stalls_ += cost.stall + std::uint64_t{cost.busy};
    are_noted_ |= std::uint64_t{1} << index;
    noted_[index] = cost;
  }
  bool has_accessed(std::size_t index) const { return log_.has(index); }
  // While no miss may be under way, accesses that do not stall can be noted there as well.
  AccessLog& log() { return log_; }
  // Whether a miss may be under way, so that it matters which line an access meets.
  bool may_have_misses() const { return stalls_ != 0 || last_filled_ > position_.base; }
  // Cycles from the last graduation before the passage until its end, at the latest, if nothing
  // else waits.
  std::uint64_t longest() const { return longest_ + stalls_; }
  // The line's transfer has run.
  void resolve(const OutOfOrderCore::Resolution& outcome);
  bool is_resolved() const { return is_resolved_; }
  // Lets the first `count` instructions retire one by one; a transfer among them has been resolved.
  // Returns the cycles since the last graduation before the passage.
  std::uint64_t catch_up(std::size_t count);
  // The line has been left behind its first `count` instructions; if `nullified`, behind one more
  // that went through the window and did nothing. Control goes to `next_pc`. Returns the cycles
  // until the last one has graduated.
  std::uint64_t end(std::size_t count, bool nullified, std::uint64_t next_pc);
  // Ends the passage in an interrupt, which comes before the last instruction that has been caught
  // up with graduates; that one took some cycles. The window is drained.
  void interrupt();
  // Of the passage that ended; the other instructions' are 0. Valid until the next one begins.
  std::span<const Charge> charges() const { return charges_; }

  // Of host memory, about.
  std::uint64_t bytes() const;
  // Begins a new generation. Not in a passage.
  void forget();

  // Before the instruction at `next_pc`. Not in a passage. In a transfer's slot, or when something
  // takes very long, the window cannot be told, and is left out.
  void archive(Archive& to, std::uint64_t next_pc);

  struct Counts {
    std::uint64_t passages = 0;
    std::uint64_t new_ones = 0;  // of these
    std::uint64_t generations = 1;
  };
  const Counts& counts() const { return counts_; }

 private:
  using Word = std::uint32_t;
  static std::uint64_t block_of(std::uint64_t address) { return address / 8; }
  static constexpr std::uint32_t none = 0;  // of what has a number

  struct Wait {
    std::uint32_t stall, busy, index;
  };
  // As signatures have them.
  struct Access {
    OutOfOrderCore::Bytes bytes{};
    OutOfOrderCore::MemoryCost noted;
    StraightLine::MemoryAccess of{};
  };
  // Some of the stores that have been made to a place, all of whose data is there by `ready`; those
  // to `bytes` have theirs then.
  struct StorePlace {
    std::uint64_t ready = 0;
    OutOfOrderCore::Bytes bytes{};
  };
  struct State {
    std::uint32_t first, size;  // in state_words_
    std::uint32_t hash;
    std::uint32_t next;  // of the same hash, as far as it is used
  };
  struct Passage {
    std::uint32_t line = 0;
    std::uint32_t state = none;
    std::uint32_t signature = 0;
    std::uint32_t next = none;      // of the same hash
    std::uint32_t follower = none;  // that came next, the last time
    std::uint32_t exit = none;
    std::uint32_t base = 0;      // from the first base to the next one
    std::int32_t graduated = 0;  // the last one, after the next base
    std::uint32_t latest = 0;    // of the exit
    std::uint32_t details = none;
  };
  // What some passages have: the signature's words, then stores and misses that are still under way
  // at the end, by their number among the accesses, then charges, then what the first instruction
  // did before it graduated.
  struct Details {
    Word signature, stores, misses, charges, first;  // how many words each
  };
  // An access that is under way.
  struct LateStore {
    std::uint32_t access;
    std::uint64_t ready;
  };
  struct LateMiss {
    static constexpr std::uint32_t of_instructions = ~std::uint32_t{0};

    std::uint32_t access;  // or that
    OutOfOrderCore::Miss of;
  };

  void know(std::uint64_t next_pc);
  void stand_in_core(std::uint64_t next_pc);
  void restore_state(OutOfOrderCore& core, std::uint64_t next_pc) const;
  std::uint64_t pass_in_core(std::size_t count, bool nullified);
  void retire_in_line(std::size_t index, bool nullified);
  OutOfOrderCore::Dynamic dynamic_of(std::size_t index, bool nullified) const;
  OutOfOrderCore::MemoryCost noted_of(std::size_t index) const {
    return (are_noted_ >> index & 1) != 0 ? noted_[index] : OutOfOrderCore::MemoryCost();
  }
  // Some come to no access, as a conditional store that fails: for the core they are at address 0.
  std::uint64_t address_of(std::size_t index) const {
    return log_.has(index) ? log_.addresses[index] : 0;
  }
  bool leaves_slot(std::size_t passed) const;

  void sign(std::size_t count, bool nullified);
  void sign_accesses(std::size_t count);
  void sign_access(std::size_t number);
  std::uint64_t data_under_way(const Access& access) const;
  std::uint64_t stores_under_way(const Access& access) const;
  const StorePlace& store_place(std::uint64_t block) const {
    return store_places_[block % store_places_.size()];
  }
  void sign_earlier(std::size_t number);
  void sign_misses(std::uint64_t first);
  void put_sign(unsigned kind, std::uint64_t index, std::uint64_t value);

  static std::uint64_t scatter(std::uint64_t value) { return value * 0x9e3779b97f4a7c15; }
  std::size_t place_of(std::uint32_t line, std::uint32_t state) const {
    const std::uint64_t key = std::uint64_t{line} << 32 | state;
    return static_cast<std::size_t>(scatter(key) >> 32) & (heads_.size() - 1);
  }
  bool is_meant(const Passage& passage) const {
    return passage.line == line_->number && passage.state == state_ &&
           passage.signature == signature_ && (signature_words_.empty() || has_signature(passage));
  }
  bool has_signature(const Passage& passage) const;
  std::uint32_t find();
  std::uint64_t apply(const Passage& passage);
  void apply_details(const Passage& passage);
  void charge(std::size_t index, std::uint32_t cycles);
  void charge_first(std::uint64_t cycles);
  std::uint64_t learn(std::size_t count, bool nullified, std::uint64_t next_pc);
  void remember(std::uint32_t state, const OutOfOrderCore::Position& before);
  std::uint32_t put_details();
  std::uint32_t intern(const WindowState& state);
  // When the next instruction is fetched, if the window can be told.
  std::uint64_t next_fetch() const {
    return position_.base - state_words_[states_[state_].first + WindowState::fetch_before_base];
  }
  void note_late(std::uint32_t number);
  void note_late_lines(std::size_t index);
  void note_store(const OutOfOrderCore::Store& store);
  void note_miss(const OutOfOrderCore::Miss& miss);
  bool is_full() const;
  template <class Entries, class Place>
  static void grow(std::vector<std::uint32_t>& heads, Entries& entries, Place place);
  void check(std::size_t count, bool nullified, std::uint64_t cycles);

  OutOfOrderCore core_;
  Limits limits_;
  bool keeps_charges_ = false;
  bool keeps_reasons_ = false;
  std::optional<OutOfOrderCore> reference_;
  std::uint32_t lines_ = 0;
  Counts counts_;

  // The window: core_ if it stands there; and if it is known, states_[state_] at position_, or a
  // state that cannot be told. What memory has under way is always in core_.
  bool stands_in_core_ = true;
  bool is_known_ = false;
  std::uint32_t state_ = none;  // none: it cannot be told
  OutOfOrderCore::Position position_;
  std::uint64_t latest_ = 0;
  std::uint64_t next_pc_ = 0;
  std::uint64_t memory_over_ = 0;  // when all accesses so far are over
  std::uint64_t last_filled_ = 0;  // of the misses so far
  // By the address's block of eight bytes.
  std::array<StorePlace, 256> store_places_{};

  // The passage.
  const StraightLine* line_ = nullptr;
  AccessLog log_;
  std::uint64_t are_noted_ = 0;  // bit i: the access of instruction i is in noted_
  std::array<OutOfOrderCore::MemoryCost, StraightLine::most> noted_;
  std::array<Access, StraightLine::most> accesses_;  // made by sign()
  std::size_t access_count_ = 0;
  std::array<Wait, StraightLine::most> fetches_;
  std::size_t fetch_count_ = 0;
  std::uint64_t stalls_ = 0;
  std::uint64_t longest_ = 0;
  std::size_t retired_ = 0;   // of the line's instructions, by the core
  std::uint64_t cycles_ = 0;  // that they took
  OutOfOrderCore::Redirection redirection_ = OutOfOrderCore::Redirection::none;
  std::uint32_t slots_ = 0;
  bool is_resolved_ = false;
  std::vector<Charge> charges_;
  LastCycles first_;  // of the first instruction, with reasons
  std::uint32_t signature_ = 0;
  bool can_be_signed_ = true;
  std::vector<Word> signature_words_;
  std::vector<LateStore> late_stores_;
  std::vector<LateMiss> late_misses_;

  // What is remembered. Number 0 of each is nothing.
  std::vector<Passage> passages_;
  std::vector<Word> detail_words_;
  std::vector<std::uint32_t> heads_;  // by line and state: the first passage
  std::uint32_t last_ = none;         // the last passage
  std::vector<State> states_;
  std::vector<std::uint16_t> state_words_;
  std::vector<std::uint32_t> state_heads_;
  WindowState scratch_;
};

}  // namespace hardclock
