// One person's way through a run: forward and back, to the next tick, with guesses about it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/units.h"
#include "sim/lab/frame.h"
#include "sim/lab/machine.h"

namespace hardclock::lab {

// What somebody thinks the next charged tick will count.
struct Guess {
  std::optional<std::uint64_t> counter;  // an element; nullopt: none
};

struct Score {
  unsigned right = 0;
  unsigned guesses = 0;
};

class Session {
 public:
  // Frames that are kept; further back, the program runs anew.
  static constexpr std::size_t most_frames = 4000;

  // The program has run its first instruction, if it can.
  explicit Session(std::unique_ptr<Machine> machine);

  const MachineFacts& facts() const { return machine_->facts(); }
  const std::vector<Rule>& rules() const { return machine_->rules(); }
  // nullptr: the program ended before its first instruction.
  const Frame* frame() const { return frames_.empty() ? nullptr : &frames_[at_]; }
  // The frame `back` instructions before frame(); nullptr: it is not kept.
  const Frame* frame_before(std::size_t back) const;
  // How the program ended, if frame() is its last instruction; else empty.
  std::string ending() const;
  const Score& score() const { return score_; }

  // Each does as much as it can and says what a person should know: one line, or nothing.
  std::string step(std::uint64_t instructions);
  std::string step_back(std::uint64_t instructions);
  // To the instruction behind which the next tick's charge is made.
  std::string next_tick();
  // To the `times`-th time that the instruction at `pc` runs, from the program's start.
  std::string run_to(GuestAddr pc, std::uint64_t times);
  // To the next time from here that it runs.
  std::string run_to(GuestAddr pc);
  std::string guess(const Guess& guess);
  std::optional<GuestAddr> address_of(std::string_view where) const {
    return machine_->address_of(where);
  }

 private:
  // frame() becomes the next one. False: there is none.
  bool advance();
  bool append();
  // Forgets the frames and begins with those before the instruction of that number, the last.
  std::string show_instruction(std::uint64_t number);
  std::string why_no_more() const;
  bool find_next_event();
  // Forgets the frames and goes to where each instruction before a tick is to be looked at.
  bool go_near(Cycles due);

  std::unique_ptr<Machine> machine_;  // is behind the last frame
  std::deque<Frame> frames_;          // one instruction after the other, none left out
  std::size_t at_ = 0;
  Score score_;
};

}  // namespace hardclock::lab
