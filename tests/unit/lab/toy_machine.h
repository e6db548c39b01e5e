// A machine for the lab's tests, so simple that what it does can be worked out in the head: a loop
// of ten instructions at 0x1000 to 0x1024, a cycle each, 10,000 in all, and a tick each 3,000
// cycles, which finds the next instruction. Counter n is that of the n-th instruction of the loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/lab/machine.h"

namespace hardclock::lab {

class ToyProfile final : public Profile {
 public:
  bool is_on() const override { return true; }
  std::string summary() const override { return "buffer 0x2000"; }
  Verdict verdict(GuestAddr pc) const override {
    const std::uint64_t counter = (pc.value() - 0x1000) / 4;
    return {"toy", "line", {"pc - offset = 1", "a < b"}, counter, {}, {}, ""};
  }
  std::vector<Verdict> systems(GuestAddr pc) const override { return {verdict(pc), verdict(pc)}; }
  std::vector<Verdict> broken(GuestAddr pc) const override {
    Verdict late = verdict(pc);
    late.kernel = "late";
    ++*late.counter;
    return {late};
  }
};

class ToyMachine final : public Machine {
 public:
  static constexpr std::uint64_t length = 10'000, period = 3'000;

  // `made` counts the machines that begin anew, `looked_at` the frames.
  explicit ToyMachine(unsigned* made = nullptr, std::string name = "loop",
                      unsigned* looked_at = nullptr)
      : made_(made), looked_at_(looked_at) {
    facts_.program = std::move(name);
    facts_.processor = "toy";
    facts_.system = "toy";
    facts_.clock = Hertz(3'000'000);
    facts_.tick_rate = Hertz(1'000);
    facts_.longest_instruction = Cycles(1);
    facts_.registers = {{"r0", 8}, {"r1", 8}};
    facts_.caches = {"l1"};
    if (made_ != nullptr) ++*made_;
  }

  const MachineFacts& facts() const override { return facts_; }
  const std::vector<Rule>& rules() const override { return rules_; }

  std::optional<Frame> step() override {
    if (done_ == length) return std::nullopt;
    if (looked_at_ != nullptr) ++*looked_at_;
    Frame frame;
    frame.pc = pc();
    frame.place = place(frame.pc);
    frame.text = "add r1,r1,1";
    frame.record.pc = frame.pc;
    frame.record.stages = {{"IF", done_, done_ + 1}, {"EX", done_ + 1, done_ + 2}};
    if (done_ % 10 == 9) frame.record.notes = {"waits 3", "memory waits 5"};
    ++done_;
    frame.number = done_;
    frame.now = now();
    frame.next_pc = pc();
    frame.next_place = place(frame.next_pc);
    frame.registers = {0, done_};
    frame.caches = {{done_, 1, 1, 0}};
    frame.profile = profile_;
    frame.ticks = Ticks(done_ / period);
    frame.next_tick = next_tick();
    if (done_ % period == 0) {
      const Verdict verdict = profile_->verdict(pc());
      frame.clock =
          ClockEvent{Ticks(1),
                     {"tick"},
                     {{pc(), place(pc()), Ticks(1), profile_, verdict, profile_->broken(pc())}},
                     false};
    }
    frame.counters = std::make_shared<std::vector<CounterRow>>(
        std::vector<CounterRow>{{GuestAddr(0x2000), 0, "loop", done_ / period, {0}}});
    return frame;
  }
  bool run_to_cycle(Cycles time) override { return run_to_instruction(time.value()); }
  bool run_to_instruction(std::uint64_t number) override {
    done_ = std::min(std::max(done_, number), length);
    return done_ == number;
  }
  // Asks whether to stop each thousand instructions.
  bool run_to_place(std::uint64_t times) override {
    while (done_ < length) {
      if (done_ % 1000 == 0 && is_stop_wanted_ && is_stop_wanted_()) return false;
      const bool is_met = pc() == wanted_;
      ++done_;
      if (is_met && --times == 0) return true;
    }
    return false;
  }
  bool run_past_events(std::uint64_t events) override {
    return run_to_instruction((done_ / period + events) * period);
  }
  void stop_if(std::function<bool()> wanted) override { is_stop_wanted_ = std::move(wanted); }
  std::uint64_t instructions() const override { return done_; }
  Cycles now() const override { return Cycles(done_); }
  Cycles next_tick() const override { return Cycles((done_ / period + 1) * period); }
  StateDigest state() const override { return {.whole = done_}; }
  Result<Snapshot, std::string> save() override {
    Saver saver;
    saver.state(done_);
    return saver.take();
  }
  void load(const Snapshot& snapshot) override { Loader(snapshot).state(done_); }
  std::string ending() const override { return done_ == length ? "exit status 0" : ""; }
  std::optional<Place> place_of(std::string_view where) const override {
    if (where == "loop") return Place{GuestAddr(0x1000), false, ""};
    if (where == "last") return Place{GuestAddr(0x1024), false, ""};
    return std::nullopt;
  }
  Result<std::unique_ptr<Machine>, std::string> anew() const override {
    return std::unique_ptr<Machine>(
        std::make_unique<ToyMachine>(made_, facts_.program, looked_at_));
  }
  Result<std::unique_ptr<Machine>, std::string> waiting_for(const Place& place) const override {
    auto machine = std::make_unique<ToyMachine>(made_, facts_.program, looked_at_);
    machine->wanted_ = place.pc;
    return std::unique_ptr<Machine>(std::move(machine));
  }

 private:
  GuestAddr pc() const { return GuestAddr(0x1000 + done_ % 10 * 4); }
  static std::string place(GuestAddr pc) { return "loop+" + std::to_string(pc.value() - 0x1000); }

  unsigned* made_;
  unsigned* looked_at_;
  MachineFacts facts_;
  std::vector<Rule> rules_ = {{"late", "counts the next one"}};
  std::shared_ptr<const Profile> profile_ = std::make_shared<ToyProfile>();
  std::uint64_t done_ = 0;
  GuestAddr wanted_;
  std::function<bool()> is_stop_wanted_;
};

}  // namespace hardclock::lab
