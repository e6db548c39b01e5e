// Follows the calls of one thread: which function runs, by whom it was called, and what it takes.
// Exact, since every transfer of control can be told of: calls, returns, jumps from function to
// function, and what the kernel does to the pc.
//
// A return is a jump to where a call said that it would come back, with the stack no deeper than at
// that call. A jump to another function within a call is a call of its own that returns with it (a
// tail call). In code without symbols, settled() of the record says which jumps were such. A jump
// that leaves calls behind ends them (longjmp): the stack is not as deep any more as they found it.
// A handler of signals is called by what the signal interrupted.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/call_record.h"
#include "sim/engine/function_finder.h"
#include "sim/memory/address_space.h"

namespace hardclock {

class CallTree {
 public:
  // How control came to a pc.
  enum class Way : std::uint8_t {
    straight,  // by a branch whose target the code says, or by none
    jump,      // by one that always goes there
    call,      // by an instruction that keeps where to come back
    indirect,  // by a jump to what a register says: a return, perhaps
    kernel,    // the thread was elsewhere when the kernel took over
  };
  struct Arrival {
    Way way = Way::straight;
    // The instruction that transferred control; kernel: the one that was to be next.
    std::uint64_t site = 0;
    std::uint64_t pc = 0;
    std::uint64_t comes_back_to = 0;  // call: the pc behind it
    std::uint64_t depth = 0;          // of the stack: more, the more there is on it
    std::uint64_t depth_before = 0;   // kernel: when it took over
    std::uint64_t cycles = 0;         // of the thread in user mode until now
  };

  // `memory` must live as long as this. What is kept is charged to its budget.
  CallTree(std::shared_ptr<FunctionFinder> functions, const AddressSpace& memory);
  // For a thread, in the memory, that goes on where this one stands; nothing is counted of it.
  CallTree fork(const AddressSpace& memory) const;

  // Whether nothing needs to be told of an arrival there which is no call, no indirect jump and
  // not the kernel's.
  bool stays_at(std::uint64_t pc) const { return pc - low_ < size_; }
  // Whether control would come to an entry of a function from elsewhere, or by a call: what is not
  // told of does not.
  bool enters(const Arrival& arrival) const {
    return arrival.way == Way::call ? arrival.pc != arrival.comes_back_to : !stays_at(arrival.pc);
  }
  // Whether arrivals by this way have to be told of even where control stays. Jumps do in code
  // without symbols: they may lead to another function.
  bool heeds(Way way) const { return heeds(way, in_symbol_); }
  static bool heeds(Way way, bool in_symbol) {
    return way == Way::jump ? !in_symbol : way != Way::straight;
  }
  void arrive(const Arrival& arrival);
  // Where the last call at some site led, if there is a way there without a search. No longer so
  // after forget_functions().
  struct KnownCall;
  // The same, of arrivals from one site, each time with the same `known`.
  void arrive(const Arrival& arrival, KnownCall& known);
  // Other files are mapped than before: functions are looked for anew.
  void forget_functions(std::uint64_t pc);
  // A clock tick in user mode, where the thread stands.
  void tick();

  // Of all calls, those that have not returned included.
  CallRecord record(std::uint64_t cycles) const;
  // The function, or the gap between functions, that the pc is in.
  FunctionRange function_at(std::uint64_t pc) const {
    return functions_->find(*memory_, GuestAddr(pc));
  }

 private:
  using Number = CallRecord::Number;
  static constexpr Number none = CallRecord::none;
  static constexpr std::size_t frames_at_once = 4096;  // that are charged
  // A guest may call without end. Deeper calls count as their caller's.
  static constexpr std::size_t most_frames = std::size_t{1} << 18;
  static constexpr std::size_t steps_at_once = std::size_t{1} << 12;  // that are charged
  static constexpr std::size_t most_steps = std::size_t{1} << 16;
  // Most threads make few different steps.
  static constexpr std::size_t fewest_recent = 64, most_recent = 4096;
  static constexpr std::size_t most_handlers = 64;  // of signals, within one another
  // For a function that was jumped back to; the second, out of a handler on another stack, where
  // depths do not tell which calls have ended.
  static constexpr std::size_t usual_search = 64, longest_search = std::size_t{1} << 16;
  static constexpr std::uint64_t place_bytes = 128;  // with its place in the map
  static constexpr std::uint64_t step_bytes = 160;   // the map is at most half full

  // A part of a function, or of what is none that is known, in which a thread may stand.
  struct Place {
    FunctionRange range;
    std::uint64_t function = 0;  // where it begins or, if nobody knows, where it was entered

    // Whether it is a place in the function of `other`, or in the same unknown code.
    bool is_of(const FunctionRange& other) const {
      return other.function ? function == other.function : range.low == other.low;
    }
  };
  // Where a call leads.
  struct Entry {
    Number node = none;
    Number arc = none;
    std::uint32_t place = 0;  // in places_
    bool is_call = true;
  };
  struct Frame {
    // Within: by a jump in code without symbols, perhaps to another function.
    enum class Kind : std::uint8_t { root, call, tail, within, handler };
    Entry entry{};
    Kind kind = Kind::root;
    bool is_outermost = false;  // of the arc's
    std::uint64_t comes_back_to = 0;
    std::uint64_t depth = 0;    // of the stack at the call; 0: handler, on another stack
    std::uint64_t entered = 0;  // cycles

    bool is_jump() const { return kind == Kind::tail || kind == Kind::within; }
  };
  struct Handler {
    std::size_t frame = 0;    // in frames_
    std::uint64_t depth = 0;  // of the stack when the signal came
    bool on_other_stack = false;
  };
  // By this, an entry is found again.
  struct Step {
    Number node = none;
    std::uint64_t site = 0;
    std::uint64_t pc = 0;

    bool operator==(const Step&) const = default;
  };
  struct ScatteredSteps {
    std::size_t operator()(const Step& step) const {
      const std::uint64_t mixed =
          (step.site * 0x9e3779b97f4a7c15 ^ step.pc) * 0xff51afd7ed558ccd + step.node;
      return static_cast<std::size_t>(mixed * 0x9e3779b97f4a7c15 >> 40);
    }
  };
  struct Recent {
    Step step;
    Entry entry;
  };

  void pass(std::uint64_t cycles);
  void begin(const Arrival& arrival);
  bool leads_from_here(const KnownCall& known, const Arrival& arrival) const;
  bool is_usual_return(const Arrival& arrival) const;
  void call_and_learn(const Arrival& arrival, KnownCall& known);
  void call(const Arrival& arrival);
  void go_indirect(const Arrival& arrival);
  void go_by_kernel(const Arrival& arrival);
  void go_straight(const Arrival& arrival);
  void go_within(const Arrival& arrival);
  void jump(const Arrival& arrival);
  bool jump_back(const Arrival& arrival);
  void leave_dead(std::uint64_t depth, std::uint64_t cycles);
  bool is_return(const Arrival& arrival) const;
  bool has_room();
  void enter(const Entry& entry, Frame::Kind kind, std::uint64_t comes_back_to, std::uint64_t depth,
             std::uint64_t cycles);
  void push(Frame::Kind kind, std::uint64_t comes_back_to, std::uint64_t depth,
            const Arrival& arrival);
  void pop(std::uint64_t cycles);
  void pop_call(std::uint64_t cycles);
  void pop_to(std::size_t frames, std::uint64_t cycles);
  const Entry& entry_for(const Arrival& arrival);
  const Entry& find_entry(const Step& step);
  // A power of two of them.
  Recent& recent_for(const Step& step) {
    return recent_[ScatteredSteps()(step) & (recent_.size() - 1)];
  }
  void make_room_for_step();
  Entry make_entry(const Step& step);
  std::uint32_t place_for(const FunctionRange& range, std::uint64_t function);
  const Place& place_of(const Frame& frame) const { return places_[frame.entry.place]; }
  void stand_in(const FunctionRange& range);
  void stand();
  void stand_at(const FunctionRange& range);

  std::shared_ptr<FunctionFinder> functions_;
  const AddressSpace* memory_;
  CallRecord record_;
  std::vector<std::uint32_t> active_;  // by arc: frames that came by it
  std::vector<Frame> frames_;          // empty: the thread has not begun
  std::size_t room_ = 0;               // for so many
  ProfileCharge charge_;               // for frames, places and steps
  std::vector<Handler> handlers_;      // among them, the innermost last
  std::uint64_t since_ = 0;            // the cycle up to which all is counted
  std::uint64_t low_ = 0, size_ = 0;   // of the function that runs
  bool in_symbol_ = true;              // which has a symbol
  std::vector<Place> places_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t>
      place_numbers_;  // by low, function
  tsl::robin_map<Step, Entry, ScatteredSteps> steps_;
  std::size_t step_room_ = steps_at_once;
  std::vector<Recent> recent_ = std::vector<Recent>(fewest_recent);  // by hash
};

struct CallTree::KnownCall {
  Number caller = none;  // none: nothing is known
  std::uint64_t pc = 0;  // where the call led
  Entry entry;
};

// Nearly all arrivals are calls of what was called there before, and returns from them. What these
// take decides what it costs to follow calls, so it is here.
inline void CallTree::arrive(const Arrival& arrival, KnownCall& known) {
  if (arrival.way == Way::call) {
    if (!leads_from_here(known, arrival)) return call_and_learn(arrival, known);
    pass(arrival.cycles);
    return enter(known.entry, Frame::Kind::call, arrival.comes_back_to, arrival.depth,
                 arrival.cycles);
  }
  if (!is_usual_return(arrival)) return arrive(arrival);
  pass(arrival.cycles);
  pop(arrival.cycles);
  go_straight(arrival);
}

// Whether no call has ended unseen, and there is room for this one.
inline bool CallTree::leads_from_here(const KnownCall& known, const Arrival& arrival) const {
  if (frames_.empty() || frames_.size() >= room_) return false;
  const Frame& top = frames_.back();
  return known.caller == top.entry.node && known.pc == arrival.pc && top.depth <= arrival.depth;
}

inline bool CallTree::is_usual_return(const Arrival& arrival) const {
  if (arrival.way != Way::indirect || frames_.empty()) return false;
  const Frame& top = frames_.back();
  return top.kind == Frame::Kind::call && top.comes_back_to == arrival.pc &&
         top.depth == arrival.depth;
}

// Time until now is that of the function that has run.
inline void CallTree::pass(std::uint64_t cycles) {
  if (!frames_.empty()) record_.nodes()[frames_.back().entry.node].cycles += cycles - since_;
  since_ = cycles;
}

// There is room for a frame.
inline void CallTree::enter(const Entry& entry, Frame::Kind kind, std::uint64_t comes_back_to,
                            std::uint64_t depth, std::uint64_t cycles) {
  const Number caller = frames_.back().entry.node;
  // In place: a copy of fields just written makes the host wait.
  Frame& frame = frames_.emplace_back();
  frame.kind = kind;
  frame.comes_back_to = comes_back_to;
  frame.depth = depth;
  frame.entered = cycles;
  frame.entry.place = entry.place;
  frame.entry.arc = entry.arc;
  frame.entry.node = entry.node;
  if (entry.arc != none) {
    ++record_.arcs()[entry.arc].second.calls;
    frame.is_outermost = active_[entry.arc]++ == 0;
  }
  if (entry.node != none) {
    if (entry.is_call) ++record_.nodes()[entry.node].calls;
  } else {
    frame.entry.node = caller;
    record_.count_not_kept(1);
  }
  stand();
}

inline void CallTree::pop(std::uint64_t cycles) {
  const Frame& frame = frames_.back();
  if (frame.entry.arc != none) {
    --active_[frame.entry.arc];
    if (frame.is_outermost) record_.arcs()[frame.entry.arc].second.cycles += cycles - frame.entered;
  }
  if (frame.kind == Frame::Kind::handler) handlers_.pop_back();
  frames_.pop_back();
  stand();
}

inline void CallTree::go_straight(const Arrival& arrival) {
  if (!stays_at(arrival.pc)) return jump(arrival);
  if (arrival.way == Way::jump) go_within(arrival);
}

inline void CallTree::stand() {
  stand_at(place_of(frames_.back()).range);
}

inline void CallTree::stand_at(const FunctionRange& range) {
  low_ = range.low;
  size_ = range.high - range.low;
  in_symbol_ = range.function.has_value();
}

}  // namespace hardclock
