// Windows that are remembered against an OutOfOrderCore that does everything anew: random programs
// of straight lines on random machines, with waits, predictions, nullified slots, single
// instructions and interrupts in between. Every instruction must graduate in the same cycle.
#include "sim/timing/remembered_window.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/timing/random_out_of_order.h"

namespace hardclock {
namespace {

using Dynamic = OutOfOrderCore::Dynamic;
using Resolution = OutOfOrderCore::Resolution;

struct Line {
  std::vector<NaiveInstruction> instructions;
  std::vector<const InstructionTiming*> timings;
  StraightLine straight;
  bool may_be_nullified = false;  // the last instruction
};

// One behind the other in memory; each ends in a transfer, or where the next one begins.
std::vector<Line> random_lines(Random& random, std::size_t count) {
  std::vector<Line> lines(count);
  std::uint64_t pc = 0x1000;
  for (Line& line : lines) {
    const auto wanted = static_cast<std::size_t>(random.from(2, 14));
    while (line.instructions.size() < wanted) {
      Stream stream(random);
      for (NaiveInstruction& one : stream.make(wanted)) {
        one.dynamic.is_nullified = false;
        line.instructions.push_back(one);
        if (!one.transfers) continue;
        line.straight.transfer = line.instructions.size() - 1;
        break;
      }
      if (line.straight.transfer != StraightLine::no_transfer) break;
    }
    if (line.straight.transfer != StraightLine::no_transfer) {
      // Its slot.
      line.instructions.push_back(line.instructions.front());
      line.instructions.back().transfers = false;
      if (line.instructions.size() == 2) line.instructions.back() = line.instructions.front();
      line.instructions.back().transfers = false;
    } else {
      line.may_be_nullified = random.one_in(2);
    }
    line.straight.pc = pc;
    for (std::size_t i = 0; i < line.instructions.size(); ++i) {
      NaiveInstruction& one = line.instructions[i];
      one.dynamic.pc = pc;
      pc += 4;
      line.straight.accesses |= std::uint64_t{one.dynamic.is_memory} << i;
      line.straight.stores |= std::uint64_t{one.dynamic.is_store} << i;
    }
    for (const NaiveInstruction& one : line.instructions) line.timings.push_back(&one.timing);
    line.straight.timings = line.timings;
  }
  return lines;
}

// Walks through a program, with both.
class Walk {
 public:
  struct Habits {
    int stalls_one_in = 8;  // accesses and, less often, fetches
    int odd_one_in = 10;    // lines that do not run in one go
    std::uint32_t longest_stall = 40;
    RememberedWindow::Limits limits{};
  };

  Walk(Random& random, const NaiveMachine& machine, const Habits& habits)
      : random_(random),
        habits_(habits),
        lines_(random_lines(random, static_cast<std::size_t>(random.from(2, 12)))),
        core_(described(machine)),
        window_(described(machine), habits.limits) {
    window_.keep_charges();
    for (Line& line : lines_) window_.add(line.straight);
  }

  // Empty: they agree.
  std::string run(int lines) {
    for (; lines > 0 && difference_.empty(); --lines) pass(lines_[at_]);
    return difference_;
  }
  const RememberedWindow::Counts& counts() const { return window_.counts(); }

 private:
  void pass(const Line& line) {
    choose(line);
    if (random_.one_in(habits_.odd_one_in)) {
      switch (random_.from(0, 3)) {
        case 0:
          step_from(line, 0);
          break;
        case 1:
          part(line);
          return;
        case 2:
          interrupt(line);
          return;
        default:
          catch_up(line);
          break;
      }
    } else {
      whole(line, 0);
    }
    go_on(line);
  }

  // What happens in this execution of the line.
  void choose(const Line& line) {
    executed_ = line.instructions;
    for (NaiveInstruction& one : executed_) {
      one.dynamic.fetch_stall = random_.one_in(8 * habits_.stalls_one_in) ? stall() : 0;
      one.dynamic.fetch_busy = one.dynamic.fetch_stall != 0 && random_.one_in(2) ? stall() : 0;
      if (!one.dynamic.is_memory) continue;
      one.dynamic.memory_address = static_cast<std::uint64_t>(random_.from(0, 40));
      one.dynamic.memory.line = one.dynamic.memory_address / 16;
      one.dynamic.memory.stall = random_.one_in(habits_.stalls_one_in) ? stall() : 0;
      one.dynamic.memory.busy = random_.one_in(2 * habits_.stalls_one_in) ? stall() : 0;
    }
    nullified_ = line.may_be_nullified && random_.one_in(2);
    count_ = executed_.size() - (nullified_ ? 1 : 0);
    if (nullified_) {
      executed_.back().dynamic = {.pc = executed_.back().dynamic.pc, .is_nullified = true};
    }
    if (line.straight.transfer == StraightLine::no_transfer) return;
    Resolution& outcome = executed_[line.straight.transfer].outcome;
    using Transfer = OutOfOrderCore::Transfer;
    const bool is_conditional =
        outcome.transfer == Transfer::conditional || outcome.transfer == Transfer::likely;
    outcome.taken = !is_conditional || random_.one_in(2);
    next_ = static_cast<std::size_t>(random_.from(0, static_cast<int>(lines_.size()) - 1));
    outcome.target = lines_[next_].straight.pc;
    // A branch-likely that is not taken leaves its slot out.
    outcome.slots = outcome.transfer == Transfer::likely && !outcome.taken ? 0 : 1;
    if (outcome.slots == 0) --count_;
  }
  std::uint32_t stall() {
    return static_cast<std::uint32_t>(random_.from(1, static_cast<int>(habits_.longest_stall)));
  }

  std::size_t passed() const { return count_ + (nullified_ ? 1 : 0); }

  void go_on(const Line& line) {
    const bool transfers = line.straight.transfer != StraightLine::no_transfer;
    if (transfers && executed_[line.straight.transfer].outcome.taken) {
      at_ = next_;
      return;
    }
    at_ = static_cast<std::size_t>(&line - lines_.data()) + 1;
    if (at_ == lines_.size()) restart();
  }
  void restart() {
    at_ = 0;
    window_.drain();
    core_.drain();
  }
  std::uint64_t next_pc(const Line& line) const {
    const bool transfers = line.straight.transfer != StraightLine::no_transfer;
    if (transfers && executed_[line.straight.transfer].outcome.taken) {
      return lines_[next_].straight.pc;
    }
    return line.straight.pc_of(executed_.size());
  }

  // Single instructions; the last one may be nullified.
  void step_from(const Line& line, std::size_t first) {
    for (std::size_t i = first; i < passed(); ++i) {
      const std::uint32_t cycles = window_.retire(*line.timings[i], executed_[i].dynamic);
      if (core_.retire(*line.timings[i], executed_[i].dynamic) != cycles) differ("a step", i);
      if (!executed_[i].transfers) continue;
      window_.resolve_last(executed_[i].outcome);
      core_.resolve(executed_[i].outcome);
    }
  }

  void note(const Line& line, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Dynamic& dynamic = executed_[i].dynamic;
      if (dynamic.is_nullified) continue;
      if (dynamic.fetch_stall != 0) {
        window_.note_fetch(i, dynamic.fetch_stall, dynamic.fetch_busy);
      }
      if (dynamic.is_memory) note_access(i, dynamic);
      if (i == line.straight.transfer) window_.resolve(executed_[i].outcome);
    }
  }

  // Both ways, where both are allowed.
  void note_access(std::size_t index, const Dynamic& dynamic) {
    const bool is_free = !dynamic.memory.misses() && !window_.may_have_misses();
    if (is_free && random_.one_in(2))
      window_.log().note(index, dynamic.memory_address);
    else
      window_.note_access(index, dynamic.memory_address, dynamic.memory);
  }

  // What the core says of the line's first `count` instructions.
  std::vector<std::uint32_t> expected(const Line& line, std::size_t count) {
    std::vector<std::uint32_t> cycles(line.timings.size());
    for (std::size_t i = 0; i < count; ++i) {
      cycles[i] = core_.retire(*line.timings[i], executed_[i].dynamic);
      if (executed_[i].transfers) core_.resolve(executed_[i].outcome);
    }
    return cycles;
  }
  void compare(std::uint64_t cycles, const std::vector<std::uint32_t>& each) {
    std::vector<std::uint32_t> charged(each.size());
    for (const RememberedWindow::Charge& charge : window_.charges()) {
      charged[charge.index] += charge.cycles;
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < each.size(); ++i) {
      sum += each[i];
      if (charged[i] != each[i]) differ("a passage", i);
    }
    if (sum != cycles) differ("the cycles of a passage", 0);
  }

  void whole(const Line& line, std::size_t caught_up) {
    window_.begin(line.straight);
    note(line, 0, caught_up);
    if (caught_up != 0) window_.catch_up(caught_up);
    note(line, caught_up, count_);
    const std::uint64_t longest = window_.longest();
    const std::uint64_t cycles = window_.end(count_, nullified_, next_pc(line));
    compare(cycles, expected(line, passed()));
    if (cycles > longest) differ("longer than the longest", 0);
  }
  void catch_up(const Line& line) {
    whole(line, static_cast<std::size_t>(random_.from(0, static_cast<int>(count_))));
  }
  // A part of the line, and then single instructions, or an empty window.
  void part(const Line& line) {
    const auto count = static_cast<std::size_t>(random_.from(0, static_cast<int>(count_)));
    window_.begin(line.straight);
    note(line, 0, count);
    const std::uint64_t cycles = window_.end(count, false, line.straight.pc_of(count));
    compare(cycles, expected(line, count));
    if (random_.one_in(2)) {
      restart();
    } else {
      step_from(line, count);
      go_on(line);
    }
  }
  void interrupt(const Line& line) {
    window_.begin(line.straight);
    note(line, 0, count_);
    const std::vector<std::uint32_t> each = expected(line, count_);
    std::uint64_t cycles = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t now = window_.catch_up(i + 1);
      if (now - cycles != each[i]) differ("an instruction caught up with", i);
      cycles = now;
      if (each[i] == 0 || !random_.one_in(3)) continue;
      window_.interrupt();
      core_.drain();
      at_ = 0;
      return;
    }
    window_.end(count_, false, line.straight.pc_of(count_));
    restart();
  }

  void differ(const char* what, std::size_t index) {
    if (difference_.empty()) {
      difference_ = std::string(what) + ", instruction " + std::to_string(index) + " of line " +
                    std::to_string(at_) + ", passage " + std::to_string(counts().passages);
    }
  }

  Random& random_;
  Habits habits_;
  std::vector<Line> lines_;
  OutOfOrderCore core_;
  RememberedWindow window_;
  std::size_t at_ = 0;
  std::vector<NaiveInstruction> executed_;  // of the present line
  bool nullified_ = false;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::string difference_;
};

TEST(RememberedWindow, AgreesWithACoreThatRemembersNothing) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    Walk walk(random, machine, {});
    ASSERT_EQ(walk.run(400), "") << "seed " << seed << "\n" << machine.text();
  }
}

TEST(RememberedWindow, AgreesWithoutWaits) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    Walk walk(random, machine, {.stalls_one_in = 1'000'000, .odd_one_in = 100});
    ASSERT_EQ(walk.run(3000), "") << "seed " << seed << "\n" << machine.text();
  }
}

TEST(RememberedWindow, AgreesWithLongWaits) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    Walk walk(random, machine, {.longest_stall = 100'000});
    ASSERT_EQ(walk.run(400), "") << "seed " << seed << "\n" << machine.text();
  }
}

// With hardly any room everything is forgotten again and again.
TEST(RememberedWindow, ForgetsWithoutADifference) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    const RememberedWindow::Limits limits{.passages = 20, .state_words = 2000, .detail_words = 500};
    Walk walk(random, machine, {.odd_one_in = 50, .limits = limits});
    ASSERT_EQ(walk.run(1000), "") << "seed " << seed << "\n" << machine.text();
    EXPECT_GT(walk.counts().generations, 2u);
  }
}

}  // namespace
}  // namespace hardclock
