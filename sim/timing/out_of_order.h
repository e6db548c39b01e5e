// Processors that rename registers and issue out of order, as the MIPS R10000 and the HP PA-8000
// do. A cycle-level model driven by the instructions that retire, in program order. Each
// instruction goes through fetch, decode (with renaming), issue from its queue, completion and
// graduation.
//
// Approximate by design: nothing is executed down a wrong path (it costs time, but touches no cache
// and takes no unit); no younger instruction ever delays an older one (if two want a unit in the
// same cycle, the older gets it, and an operation that holds a unit for several cycles keeps out
// only younger ones); operations that hold a unit, or may, start in program order; loads wait for
// the data of older stores to the same bytes (of which the ISA does not say how many: to the same
// aligned eight), and for no other stores but as `addresses` says; predictors learn at once.
//
// Memory works for one line at a time, of data or of instructions. A line waits until those of
// older instructions have left it room.
//
// The rows of a .timing file that describe one (cpu_description.h has the grammar). Resources
// returned in one cycle can be taken in the next:
//   fetch all width W [line BYTES] [buffer N] [target T]
//       W instructions a cycle, not across a line's end; N of them wait for the decoder; a target
//       predicted taken is fetched T cycles after the decode of the branch
//   decode all width W             and of CLASSES:
//   decode CLASSES [width W] [nop yes] [alone yes]
//       width    W of these classes in a cycle
//       nop      one of these that writes no register is complete when decoded
//       alone    decoded when nothing is in flight; nothing follows before it has graduated
//   graduate all width W [after N] | graduate CLASSES width W     N cycles after completion
//   active all entries N           instructions between decode and graduation
//   active CLASSES each N          entries of those that take several, and slots to graduate in
//                                  each width that applies
//   queue NAME entries N until issue|graduation [forward N] [addresses N]
//       forward  a load has the data of an older store N cycles after that had address and data (0
//                if absent; no less than a bypass from a load saves)
//       addresses  a store issues when it has its address, and completes when it has its data;
//                an access begins no earlier than N cycles after the last of the older loads and
//                stores has issued. If absent, a store issues with both, and no access waits for
//                another's address
//   registers NAME first A last B free N [most M]     or more for one: ... last B with NAME
//       renamed registers A to B (the ISA's numbers) and their spare physical ones; an instruction
//       takes one for each register that it writes, M of them at most
//   branches CLASSES entries N     in the branch stack, from decode until they complete
//   unit NAME queue NAME [port UNIT]    issues one a cycle; with `port`, through that unit
//   class CLASSES latency L [repeat R [every N]] unit NAMES|none [takes one|all]
//         [also UNIT after N] [entry QUEUE]
//       latency  a dependent instruction may issue L cycles later; 1: the next cycle
//       unit     the first free one of these; none: needs no queue, begins with its operands
//       takes    all: every one of these units in the same cycle, instead of the first free one
//       repeat   cycles for which it holds its unit
//       every    only each Nth of these, in program order, holds it so long, the others for a cycle
//       also     it passes through that unit as well, N cycles after its issue
//       entry    it has an entry in that queue as well as in its units' queue
//   bypass CLASSES to CLASSES latency L    between these, instead of the producer's
//   result NAME first A last B latency L    results written to registers A to B, in any class;
//                                  0: for an instruction that issues together with the producer
//   late NAME first A last B queue QUEUE
//       an instruction of that queue which reads one of the registers A to B, and before which the
//       last one of the queue has written none of them, issues after the last of the queue that did
//       has graduated
//   tie CLASSES latency L          the next instruction, which one of these may nullify, issues at
//                                  least L cycles after it
//   misses all outstanding N       primary cache misses at a time
//   misses CLASSES wait no         memory operations that complete without waiting for their miss
//   predictor bht entries N [shift S] [history H] | predictor returns entries N
//   predictor targets entries N [shift S | associative yes]
//       shift    the index is the address without its lowest S bits
//       history  the most frequent of a branch's last H (odd) outcomes, not a two-bit counter
//       associative    fully associative, replaced in turn, and only branches predicted taken have
//                      an entry
//   mispredict taken|not_taken|indirect cycles N    from the completion of the branch to the fetch
//   of
//       its successor: predicted taken, predicted not taken, target not predicted
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/state/archive.h"
#include "sim/timing/branch_predictor.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/graduation.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/window_state.h"

namespace hardclock {

struct OutOfOrderDescription {
  static constexpr std::uint8_t none = 0xff;
  static constexpr std::size_t most_units = 16;   // of a processor
  static constexpr std::size_t most_choices = 4;  // of a class
  static constexpr std::size_t most_limits = 4;   // of decode and of graduation

  struct Queue {
    std::uint32_t entries;
    bool until_graduation;
  };
  struct RegisterFile {
    std::uint32_t free;
    std::uint32_t most;  // for one instruction
  };
  struct Unit {
    std::uint8_t queue;
    std::uint8_t port;  // the unit's own number if it is a port itself
  };
  struct Class {
    std::uint16_t latency = 1;
    std::uint16_t repeat = 1;
    std::uint8_t every = 1;  // of how many one holds its unit for `repeat`
    std::uint8_t turn = 0;   // where these are counted
    std::array<std::uint8_t, most_choices> units{};
    std::uint8_t unit_count = 0;  // 0: needs no unit
    bool takes_all = false;       // all units, not one of them
    bool holds = false;           // holds its unit, in program order, for `repeat` cycles
    std::uint8_t queue = none;
    std::uint8_t second_queue = none;
    std::uint8_t second = none;  // the port that it passes through later
    std::uint16_t second_after = 0;
    // The limited groups that it belongs to, one bit each.
    std::uint8_t decode_groups = 0;
    std::uint8_t graduate_groups = 0;
    std::uint8_t entries = 1;
    std::uint16_t tie = 0;  // cycles from its issue to the next instruction's; 0: not tied
    bool branch_stack = false;
    bool nop_at_decode = false;
    bool serializes = false;
    bool posted = false;
  };

  std::uint32_t fetch_width = 1;
  std::uint32_t fetch_line_shift = 63;  // its size is this power of two; 63: no boundaries
  std::uint32_t fetch_buffer = 1;
  std::uint32_t target_delay = 1;
  std::uint32_t decode_width = 1;
  std::uint32_t graduate_width = 1;
  std::uint32_t graduate_after = 1;
  std::uint32_t active = 1;
  std::uint32_t branch_stack = 0;  // 0: no limit
  std::uint32_t outstanding = 0;   // 0: no limit
  std::uint32_t forward_after = 0;
  std::optional<std::uint32_t> addresses_after;  // absent: no access waits for older addresses
  std::uint8_t late_queue = none;                // of those that have late registers
  Resource first_late = 0;
  Resource last_late = 0;
  std::size_t turns = 0;
  std::uint32_t mispredicted_taken = 0;
  std::uint32_t mispredicted_not_taken = 0;
  std::uint32_t mispredicted_indirect = 0;
  std::vector<std::uint32_t> decode_limits;
  std::vector<std::uint32_t> graduate_limits;
  std::vector<Queue> queues;
  std::vector<RegisterFile> files;
  std::vector<std::uint8_t> file_of;  // by Resource; none also beyond the end
  std::vector<Unit> units;
  static constexpr std::uint16_t by_class = 0xffff;
  std::vector<std::uint16_t> result_latencies;  // by Resource; by_class also beyond the end
  std::vector<Class> classes;                   // by timing class
  // Cycles from issue to issue, [producer + 1][consumer]; producer 0 is none and takes none.
  std::vector<std::uint16_t> latencies;
  BranchPredictor::Shape predictor;
};

// Cycles in which an issue port is taken. Time only advances; past cycles are forgotten.
class PortCalendar {
 public:
  // The first cycle from `cycle` on in which the port is free; `cycle` is not in the past.
  std::uint64_t first_free(std::uint64_t cycle) const;
  void take(std::uint64_t first, std::uint32_t cycles);
  // Cycles before `now` will not be asked for again.
  void advance(std::uint64_t now);

  // Whether all that is taken is near enough for what follows.
  bool is_near() const { return far_.empty(); }
  // One more than the last cycle that is taken, 0 if none is: of those below the horizon, of all.
  std::uint64_t end() const;
  std::uint64_t over_at() const;
  // Bit i: the cycle `first` + i, which is not in the past, is taken.
  std::uint16_t sixteen_from(std::uint64_t first) const;
  // Forgets everything; time begins at `now`.
  void restart(std::uint64_t now);

 private:
  static constexpr std::uint64_t words = 16;
  struct Interval {
    std::uint64_t first, end;
  };

  std::uint64_t horizon() const { return (word_ + words) * 64; }
  void mark(std::uint64_t first, std::uint64_t end);

  std::uint64_t word_ = 0;  // cycle / 64 of the oldest word
  std::array<std::uint64_t, words> taken_{};
  std::vector<Interval> far_;  // beyond the horizon
};

// The moments at which the entries of a queue become free, in any order of release. Only the latest
// ones matter, as many as the queue has entries. Ascending.
class LatestMoments {
 public:
  explicit LatestMoments(std::uint32_t entries) : moments_(entries) {}
  // Until then a new instruction finds no free entry.
  std::uint64_t full_until() const { return moments_.front(); }
  void add(std::uint64_t moment);
  void clear();
  std::span<const std::uint64_t> moments() const { return moments_; }
  // They must stay ascending.
  void set(std::size_t entry, std::uint64_t moment) { moments_[entry] = moment; }

 private:
  std::vector<std::uint64_t> moments_;
};

// The same for entries that are taken and released in program order.
class InOrderPool {
 public:
  explicit InOrderPool(std::uint32_t entries) : moments_(entries) {}
  // Until then fewer than `count` entries (at most all) are free.
  std::uint64_t full_until(std::uint32_t count) const;
  // Takes the oldest `count` entries now; they are free again at `moment`.
  void take(std::uint32_t count, std::uint64_t moment);
  void clear();
  std::size_t entries() const { return moments_.size(); }
  // Entry 0 is the oldest.
  void set(std::size_t entry, std::uint64_t moment) {
    moments_[(oldest_ + entry) % moments_.size()] = moment;
  }

 private:
  std::vector<std::uint64_t> moments_;
  std::size_t oldest_ = 0;
};

class OutOfOrderCore {
 public:
  // What caches and memory say of an access. Fewer than 2^24 cycles each.
  struct MemoryCost {
    std::uint32_t stall = 0;  // cycles beyond a hit in the primary cache
    std::uint32_t busy = 0;   // cycles of memory that it takes, from its start on
    std::uint64_t line = 0;   // number of the primary cache line
    bool misses() const { return (stall | busy) != 0; }
  };
  // The part of an instruction that differs between executions. Stalls are below 2^24 cycles.
  struct Dynamic {
    std::uint64_t pc = 0;
    std::uint32_t fetch_stall = 0;  // cycles for which its line is not in the instruction cache
    std::uint32_t fetch_busy = 0;   // cycles of memory that the line takes, from its start on
    bool is_memory = false;
    bool is_store = false;
    MemoryCost memory{};
    std::uint64_t memory_address = 0;
    // It goes through the window, but does not issue, read, write or access anything.
    bool is_nullified = false;
  };

  enum class Transfer : std::uint8_t {
    conditional,
    likely,    // conditional, always predicted taken, unknown to the predictor
    direct,    // the target is in the instruction
    indirect,  // its target is not predicted
    returns,   // predicted by the last calls
  };
  struct Resolution {
    Transfer transfer = Transfer::conditional;
    bool taken = false;
    bool links = false;  // it is a call
    std::uint64_t target = 0;
    std::uint64_t return_address = 0;  // of a call
    std::uint32_t slots = 0;           // instructions that retire between it and its successor
  };

  // What a transfer of control does to the fetch of its successor.
  enum class Redirection : std::uint8_t {
    none,
    after_fetch,   // predicted, and so was the target
    after_decode,  // predicted
    mispredicted_taken,
    mispredicted_not_taken,
    mispredicted_indirect,
  };

  // Loads and stores whose data is under way, in cycles since drain(). Memory works for it from
  // `start` until `memory_free`, if that is later. That is all that matters of a missing line of
  // instructions, of_instructions().
  struct Miss {
    static constexpr std::uint64_t no_line = ~std::uint64_t{0};

    std::uint64_t line, start, filled, memory_free;
    static Miss of_instructions(std::uint64_t start, std::uint32_t busy) {
      return {no_line, start, start, start + busy};
    }
    std::uint64_t over() const { return std::max(filled, memory_free); }
  };
  struct Bytes {
    std::uint64_t first, count;
    bool meet(const Bytes& other) const {
      return first < other.first + other.count && other.first < first + count;
    }
  };
  struct Store {
    Bytes bytes;
    std::uint64_t ready;
  };
  struct InFlight {
    std::vector<Miss> misses;
    std::vector<Store> stores;
    // Drops what is over when the next instruction is fetched, stores when it is decoded.
    void forget_until(std::uint64_t fetch, std::uint64_t decode);
  };

  // Of the last retired instruction, in cycles since drain().
  using Times = PassageTimes;

  explicit OutOfOrderCore(std::shared_ptr<const OutOfOrderDescription> description);

  // Retires the next instruction in program order. Returns the cycles from its predecessor's
  // graduation (or from drain()) to its own; 0: both in the same cycle.
  std::uint32_t retire(const InstructionTiming& timing, const Dynamic& dynamic);

  // The outcome of the last retired instruction, a transfer of control.
  void resolve(const Resolution& outcome) { redirect(predict(pc_, outcome), outcome.slots); }
  // The same in two steps: what the predictor, which learns the outcome, says of the transfer at
  // `pc`; and what comes of it. `slots` as in Resolution.
  Redirection predict(std::uint64_t pc, const Resolution& outcome);
  void redirect(Redirection redirection, std::uint32_t slots);

  // Empties the window; the next instruction's fetch begins at once. Predictions stay.
  void drain();

  // ---- For those who remember windows (remembered_window.h).
  // Where a window stands in time, in cycles since drain().
  struct Position {
    std::uint64_t base = 0;       // the first in which the next instruction can be decoded
    std::uint64_t graduated = 0;  // when the last instruction did
  };
  // Tells the window, without what is in flight between processor and memory, as it is before the
  // instruction at `next_pc`. False: it cannot be told, but state.latest is right. That is so in
  // a transfer's slot, and when something takes very long.
  bool save(std::uint64_t next_pc, WindowState& state, Position& position) const;
  // By the words that save() told, at any position. What is in flight stays.
  void restore(std::span<const std::uint16_t> state, std::uint64_t next_pc,
               const Position& position);
  InFlight& in_flight() { return in_flight_; }
  const InFlight& in_flight() const { return in_flight_; }
  // Whether it is complete when it is decoded.
  bool is_nop(const InstructionTiming& timing) const {
    return description_->classes[timing.timing_class].nop_at_decode && timing.writes.empty();
  }
  // The bytes that meet those of others; `size` as InstructionTiming::bytes_accessed.
  static Bytes bytes_of(std::uint8_t size, std::uint64_t address) {
    // Accesses of unknown width meet in an aligned block.
    constexpr std::uint64_t block_bytes = 8;
    if (size != 0) return {address, size};
    return {address / block_bytes * block_bytes, block_bytes};
  }
  // No more cycles pass for the instruction, but for its waits for memory, from when everything
  // before it is over until everything of it is.
  std::uint32_t longest(const InstructionTiming& timing) const;
  const OutOfOrderDescription& description() const { return *description_; }

  // The predictor, and what memory has under way when the next instruction is fetched, or stores
  // after Position::base.
  void archive_beside_window(Archive& to, std::uint64_t fetch, std::uint64_t base);

  const Times& last() const { return times_; }
  // When memory began with the last missing line of instructions.
  std::uint64_t line_start() const { return line_start_; }
  LastCycles last_cycles() const { return {times_, description_->graduate_after}; }
  std::uint64_t transfers() const { return transfers_; }
  std::uint64_t mispredicted() const { return mispredicted_; }

 private:
  using Class = OutOfOrderDescription::Class;

  struct Pending {
    std::uint64_t issued = 0;    // its latency before the moment of the result
    std::uint32_t producer = 0;  // timing class + 1; 0: none
  };
  // How much of a cycle has been used: instructions, and those of each limited group.
  struct Slots {
    std::uint64_t cycle = 0;
    std::uint32_t used = 0;
    std::array<std::uint32_t, OutOfOrderDescription::most_limits> limited{};
  };

  // How soon the consumers of its results have them, among all classes, and the first producer for
  // which that is the same but for a constant.
  struct Producer {
    std::uint16_t least, most;
    std::uint32_t same_as;
  };
  class WindowWriter;
  class WindowReader;

  std::uint64_t fetch(const Dynamic& dynamic);
  std::uint64_t bring_line(std::uint64_t cycle, const Dynamic& dynamic);
  std::uint64_t decode(const InstructionTiming& timing, const Class& timing_class);
  std::uint64_t entry_free(std::uint8_t queue) const;
  std::uint64_t free_in(const Class& timing_class, std::uint8_t unit, std::uint64_t ready) const;
  std::uint64_t issue_in_all(const Class& timing_class, std::uint64_t ready);
  std::uint32_t repeat_of(const Class& timing_class);
  std::uint64_t first_issue(const Class& timing_class, std::uint64_t ready);
  std::uint64_t ready_for(const InstructionTiming& timing, Resource read) const;
  std::uint64_t operands_ready(const InstructionTiming& timing) const;
  std::uint64_t data_ready(const InstructionTiming& timing) const;
  bool has_late(const std::vector<Resource>& registers) const;
  std::uint64_t late_ready(const InstructionTiming& timing) const;
  void note_late(const InstructionTiming& timing, const Dynamic& dynamic);
  std::uint64_t access_start();
  std::uint64_t access(const InstructionTiming& timing, const Class& timing_class,
                       const Dynamic& dynamic);
  std::uint64_t miss_place(std::uint64_t cycle) const;
  std::uint64_t memory_place(std::uint64_t cycle, std::uint32_t busy) const;
  std::uint64_t miss_start(std::uint64_t cycle, std::uint32_t memory_busy) const;
  void execute(const InstructionTiming& timing, const Class& timing_class, const Dynamic& dynamic);
  void release(const Class& timing_class, bool queued);
  void leave_queue(std::uint8_t queue);
  void count_registers(const InstructionTiming& timing);
  Pending written(const InstructionTiming& timing, Resource write, std::uint64_t result) const;
  static std::uint64_t place(Slots& slots, std::uint64_t cycle, std::uint32_t count,
                             std::uint32_t width, std::uint8_t groups,
                             const std::vector<std::uint32_t>& limits);
  bool predicts_taken(std::uint64_t pc, const Resolution& outcome);
  Redirection taken_as_predicted(std::uint64_t pc, const Resolution& outcome);
  Redirection mispredicted(std::uint64_t pc, const Resolution& outcome, Redirection how);
  void learn_target(std::uint64_t pc, const Resolution& outcome, bool predicted_taken);
  std::uint64_t redirected_to(Redirection redirection) const;

  // ---- The canonical form: out_of_order_window.cc.
  static std::vector<Producer> producers_of(const OutOfOrderDescription& cpu);
  Slots next_fetch(std::uint64_t next_pc) const;
  Slots next_decode(std::uint64_t fetch) const;
  std::vector<std::uint64_t> earliest_decodes(const Slots& decode) const;
  std::uint64_t over_at() const;
  void save_fetch(WindowWriter& to, const Slots& fetch, std::uint64_t base) const;
  void save_graduation(WindowWriter& to, std::uint64_t base) const;
  void save_pools(WindowWriter& to, const Slots& decode,
                  const std::vector<std::uint64_t>& earliest) const;
  void save_turns(WindowWriter& to, std::uint64_t base) const;
  void save_registers(WindowWriter& to, std::uint64_t base) const;
  void restore_fetch(WindowReader& from, std::uint64_t next_pc, std::uint64_t base);
  void restore_graduation(WindowReader& from);
  void restore_turns(WindowReader& from);
  void restore_pools(WindowReader& from);
  void restore_registers(WindowReader& from, std::uint64_t base);

  std::shared_ptr<const OutOfOrderDescription> description_;
  BranchPredictor predictor_;
  std::uint64_t transfers_ = 0;
  std::uint64_t mispredicted_ = 0;

  Times times_;
  std::uint64_t pc_ = 0;  // of the last retired instruction
  Slots fetched_;
  std::uint64_t fetch_line_ = 0;
  std::uint64_t line_start_ = 0;
  InOrderPool buffer_;
  bool redirected_ = false;
  std::uint32_t redirect_after_ = 0;  // instructions
  std::uint64_t redirect_cycle_ = 0;
  Slots decoded_;
  Slots graduated_;
  std::uint64_t serial_until_ = 0;
  InOrderPool active_;
  LatestMoments branch_stack_;
  std::vector<LatestMoments> issue_queues_;     // by queue; those until issue
  std::vector<InOrderPool> graduation_queues_;  // by queue; those until graduation
  std::vector<InOrderPool> files_;
  std::vector<std::uint32_t> file_writes_;  // of the current instruction, by file
  std::array<PortCalendar, OutOfOrderDescription::most_units> ports_;
  std::uint64_t port_time_ = 0;
  std::array<std::uint64_t, OutOfOrderDescription::most_units> held_until_{};
  // When all instructions that might have held the unit have issued, here or elsewhere.
  std::array<std::uint64_t, OutOfOrderDescription::most_units> passed_{};
  std::vector<std::uint8_t> turns_;  // instructions since the last one that held its unit
  std::uint64_t tied_until_ = 0;     // the next instruction
  // Late registers: whether the last instruction of their queue wrote one, and when the last that
  // did has graduated.
  bool late_written_ = true;
  std::uint64_t late_graduated_ = 0;
  std::vector<Pending> registers_;  // by Resource
  InFlight in_flight_;
  std::uint64_t addresses_known_ = 0;  // those of all memory operations so far
  std::vector<Producer> producers_;    // by Pending::producer
  std::uint32_t most_entries_ = 1;     // of the active list, for one instruction
  std::size_t most_pool_entries_ = 1;  // of anything that is taken at decode
};

// `class_names` and `absent` are as for make_in_order(). Error: "NAME: line N: what is wrong", or
// what is missing.
Result<std::shared_ptr<const OutOfOrderDescription>, std::string> make_out_of_order(
    const CpuDescription& description, std::span<const char* const> class_names,
    std::span<const char* const> absent = {});

}  // namespace hardclock
