// A second out-of-order processor, to compare the first with: it steps one cycle at a time, looks
// at every instruction in every cycle, and knows nothing but the rules (those of out_of_order.h,
// worded as conditions on one cycle). Slow on purpose; shares no code with the model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/timing/out_of_order.h"
#include "tests/unit/timing/naive_machine.h"

namespace hardclock {

struct NaiveInstruction {
  InstructionTiming timing;
  OutOfOrderCore::Dynamic dynamic;
  bool transfers = false;
  OutOfOrderCore::Resolution outcome;
};

class NaiveProcessor {
 public:
  NaiveProcessor(const NaiveMachine& machine, const std::vector<NaiveInstruction>& program)
      : machine_(machine), program_(program), flights_(program.size()) {
    find_producers();
    find_late_producers();
    count_repeats();
    predict();
  }

  // When each instruction went through the machine. No younger miss takes memory's time from an
  // older one, even if it begins first. So what the older ones will take has to be foreseen: each
  // trial learns it from the one before.
  std::vector<OutOfOrderCore::Times> run() {
    while (true) {
      NaiveProcessor trial = *this;
      std::vector<OutOfOrderCore::Times> times = trial.pass();
      if (trial.starts() == foreseen_) return times;
      foreseen_ = trial.starts();
    }
  }

  std::uint64_t wrong_predictions() const { return wrong_; }

 private:
  std::vector<long> starts() const {
    std::vector<long> starts;
    for (const Flight& flight : flights_) starts.push_back(flight.miss_start);
    return starts;
  }

  std::vector<OutOfOrderCore::Times> pass() {
    for (long cycle = 0; graduated_ < program_.size(); ++cycle) {
      now_ = cycle;
      while (first_ < graduated_ && flights_[first_].graduate + settled < now_) ++first_;
      graduate();
      issue();
      decode();
      fetch();
    }
    std::vector<OutOfOrderCore::Times> times;
    for (const Flight& f : flights_) {
      const auto moment = [](long value) { return static_cast<std::uint64_t>(value); };
      times.push_back({moment(f.fetch), moment(f.decode), moment(f.issue), moment(f.complete),
                       moment(f.graduate)});
    }
    return times;
  }

  static constexpr long never = -1;
  // No operation holds anything for so many cycles after it has graduated.
  static constexpr long settled = 3000;

  enum class Fate { none, taken, known_target, wrong };
  struct Flight {
    long arrives = never;     // its line, when that was missing
    long line_start = never;  // when memory began with that
    long fetch = never, decode = never, issue = never, complete = never, graduate = never;
    long begin = never, miss_start = never, data = never;
    long has_both = never;  // a store: address and data
    int unit = -1;
    std::vector<std::ptrdiff_t> producers;  // by read; -1: none in the program
    std::ptrdiff_t late_producer = -1;      // until whose graduation it waits
    int repeat = 1;
    std::ptrdiff_t redirected_by = -1;
    Fate fate = Fate::none;
    int wrong_cycles = 0;
  };

  const NaiveClass& class_of(std::size_t i) const {
    return machine_.classes[program_[i].timing.timing_class];
  }
  bool is_nop(std::size_t i) const { return class_of(i).nop && program_[i].timing.writes.empty(); }
  bool is_nullified(std::size_t i) const { return program_[i].dynamic.is_nullified; }
  // Whether it has an entry in the queue.
  bool is_in(std::size_t i, int queue) const {
    const NaiveClass& c = class_of(i);
    if (is_nop(i)) return false;
    return c.second_queue == queue ||
           (!c.units.empty() && machine_.units[c.units[0]].queue == queue);
  }
  // It left in an earlier cycle than this.
  bool gone(long moment) const { return moment != never && moment < now_; }

  void find_producers() {
    std::map<Resource, std::ptrdiff_t> writers;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      for (const Resource read : program_[i].timing.reads) {
        flights_[i].producers.push_back(writers.contains(read) ? writers[read] : -1);
      }
      if (is_nullified(i)) continue;
      for (const Resource write : program_[i].timing.writes) {
        writers[write] = static_cast<std::ptrdiff_t>(i);
      }
    }
  }

  // The queue that it issues from; -1: from none.
  int queue_of(std::size_t i) const {
    const NaiveClass& c = class_of(i);
    return is_nop(i) || c.units.empty() ? -1 : machine_.units[c.units[0]].queue;
  }
  bool writes_late(std::size_t i) const {
    const std::vector<Resource>& writes = program_[i].timing.writes;
    return !is_nullified(i) && std::count(writes.begin(), writes.end(), machine_.late) != 0;
  }

  void find_late_producers() {
    if (machine_.late_queue < 0) return;
    std::ptrdiff_t writer = -1;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      const std::vector<Resource>& reads = program_[i].timing.reads;
      const bool reads_late = std::count(reads.begin(), reads.end(), machine_.late) != 0;
      std::size_t before = i;
      while (before > 0 && queue_of(before - 1) != machine_.late_queue) --before;
      const bool is_there = before == 0 || writes_late(before - 1);
      if (queue_of(i) != machine_.late_queue) continue;
      if (reads_late && !is_there) flights_[i].late_producer = writer;
      if (writes_late(i)) writer = static_cast<std::ptrdiff_t>(i);
    }
  }

  void count_repeats() {
    std::map<int, int> counts;  // by class
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (is_nop(i) || is_nullified(i)) continue;
      const NaiveClass& c = class_of(i);
      const int count = ++counts[program_[i].timing.timing_class];
      if (count % c.every == 0) flights_[i].repeat = c.repeat;
    }
  }

  void predict() {
    std::map<std::uint64_t, int> counters;  // -2 strongly not taken ... 1 strongly taken
    std::map<std::uint64_t, std::vector<bool>> outcomes;
    std::vector<std::uint64_t> ring(static_cast<std::size_t>(machine_.returns));
    std::size_t newest = 0;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> targets;
    associative_.resize(static_cast<std::size_t>(machine_.targets));
    using Transfer = OutOfOrderCore::Transfer;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (!program_[i].transfers) continue;
      const OutOfOrderCore::Resolution& outcome = program_[i].outcome;
      const std::uint64_t pc = program_[i].dynamic.pc;
      bool guess = outcome.transfer != Transfer::indirect;
      int wrong = machine_.wrong_taken;
      if (outcome.transfer == Transfer::conditional) {
        const std::uint64_t index = (pc >> machine_.bht_shift) % machine_.bht;
        int& counter = counters.try_emplace(index, -2).first->second;
        guess = counter >= 0;
        counter = std::clamp(counter + (outcome.taken ? 1 : -1), -2, 1);
        if (machine_.history != 0) {
          std::vector<bool>& all = outcomes[index];
          const auto last = all.size() < static_cast<std::size_t>(machine_.history)
                                ? all.begin()
                                : all.end() - machine_.history;
          guess = 2 * std::count(last, all.end(), true) > machine_.history;
          all.push_back(outcome.taken);
        }
        if (!guess) wrong = machine_.wrong_not_taken;
      } else if (outcome.transfer == Transfer::returns) {
        guess = !ring.empty() && ring[newest] == outcome.target;
        if (!ring.empty()) newest = (newest + ring.size() - 1) % ring.size();
      }
      const bool fixed =
          outcome.transfer != Transfer::indirect && outcome.transfer != Transfer::returns;
      if (!fixed) wrong = machine_.wrong_indirect;
      Flight& flight = flights_[i];
      if (guess != outcome.taken) {
        flight.fate = Fate::wrong;
        flight.wrong_cycles = wrong;
        ++wrong_;
      } else if (guess) {
        flight.fate = Fate::taken;
      }
      if (machine_.associative) {
        if (guess && outcome.taken && fixed && is_known(pc, outcome.target)) {
          flight.fate = Fate::known_target;
        }
        if (!guess && outcome.transfer == Transfer::conditional) forget(pc);
      } else if (machine_.targets != 0 && fixed && outcome.taken) {
        auto& entry = targets[(pc >> 2) % machine_.targets];
        if (flight.fate == Fate::taken && entry == std::pair{pc, outcome.target}) {
          flight.fate = Fate::known_target;
        }
        entry = {pc, outcome.target};
      }
      if (outcome.links && outcome.taken && !ring.empty()) {
        newest = (newest + 1) % ring.size();
        ring[newest] = outcome.return_address;
      }
      const std::size_t next = i + 1 + outcome.slots;
      if (flight.fate != Fate::none && next < flights_.size()) {
        flights_[next].redirected_by = static_cast<std::ptrdiff_t>(i);
      }
    }
  }

  using Target = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

  // Whether the target is among the associative ones, where it is from now on.
  bool is_known(std::uint64_t pc, std::uint64_t target) {
    for (Target& entry : associative_) {
      if (!entry || entry->first != pc) continue;
      return std::exchange(entry->second, target) == target;
    }
    if (associative_.empty()) return false;
    associative_[turn_++ % associative_.size()] = {pc, target};
    return false;
  }
  void forget(std::uint64_t pc) {
    for (Target& entry : associative_) {
      if (entry && entry->first == pc) entry.reset();
    }
  }

  void graduate() {
    int used = 0;
    std::vector<int> groups(machine_.graduate_groups.size());
    for (; graduated_ < program_.size(); ++graduated_) {
      Flight& flight = flights_[graduated_];
      const NaiveClass& c = class_of(graduated_);
      if (flight.complete == never || flight.complete + machine_.graduate_after > now_) return;
      if (used + c.each > machine_.graduate_width) return;
      for (const int group : c.graduate_in) {
        if (groups[group] + c.each > machine_.graduate_groups[group]) return;
      }
      used += c.each;
      for (const int group : c.graduate_in) groups[group] += c.each;
      flight.graduate = now_;
    }
  }

  // The instruction that may nullify this one has come so far.
  bool is_untied(std::size_t i) const {
    if (i == 0 || is_nullified(i - 1) || class_of(i - 1).tie == 0) return true;
    return flights_[i - 1].issue != never && flights_[i - 1].issue + class_of(i - 1).tie <= now_;
  }

  bool goes_ahead_of(std::size_t i, Resource read) const {
    const std::vector<Resource>& stored = program_[i].timing.stored;
    return machine_.addresses >= 0 && std::count(stored.begin(), stored.end(), read) != 0;
  }

  // All operands, or only those with which it issues.
  bool operands_are_ready(std::size_t i, bool all) const {
    for (std::size_t read = 0; read < flights_[i].producers.size(); ++read) {
      if (!all && goes_ahead_of(i, program_[i].timing.reads[read])) continue;
      const std::ptrdiff_t p = flights_[i].producers[read];
      if (p < 0) continue;
      const Flight& producer = flights_[p];
      if (program_[p].timing.modified_base == program_[i].timing.reads[read]) {
        if (producer.issue == never || producer.issue + 1 > now_) return false;
        continue;
      }
      if (const auto at = machine_.results.find(program_[i].timing.reads[read]);
          at != machine_.results.end()) {
        if (producer.issue == never || producer.issue + at->second > now_) return false;
        continue;
      }
      if (producer.data == never) return false;
      const int from = program_[p].timing.timing_class;
      const auto at = machine_.bypass.find({from, program_[i].timing.timing_class});
      const int latency = at == machine_.bypass.end() ? machine_.classes[from].latency : at->second;
      if (producer.data - machine_.classes[from].latency + latency > now_) return false;
    }
    return true;
  }

  // Whether it holds its unit, and could hold this one.
  bool may_ever_hold(std::size_t i, int unit) const {
    const NaiveClass& c = class_of(i);
    if (is_nop(i) || is_nullified(i)) return false;
    bool holds = c.repeat > 1;
    for (const int choice : c.units) holds = holds || machine_.units[choice].port != choice;
    return holds && std::count(c.units.begin(), c.units.end(), unit) != 0;
  }

  bool port_is_free(std::size_t i, int port) const {
    for (std::size_t j = first_; j < i; ++j) {
      const Flight& older = flights_[j];
      if (older.issue == never || is_nop(j) || is_nullified(j)) continue;
      const NaiveClass& c = class_of(j);
      for (const int unit : c.units) {
        if (machine_.units[unit].port != port || !(c.all || older.unit == unit)) continue;
        const bool keeps = unit == port && may_ever_hold(j, port);
        if (now_ >= older.issue && now_ < older.issue + (keeps ? older.repeat : 1)) return false;
      }
      if (c.second == port && older.issue + c.second_after == now_) return false;
    }
    return true;
  }

  // All older ones that could hold the unit have issued, and none holds it.
  bool may_hold(std::size_t i, int unit) const {
    for (std::size_t j = first_; j < i; ++j) {
      if (!may_ever_hold(j, unit)) continue;
      if (flights_[j].issue == never) return false;
      if (flights_[j].unit == unit && flights_[j].issue + flights_[j].repeat > now_) return false;
    }
    return true;
  }

  void try_issue(std::size_t i) {
    Flight& flight = flights_[i];
    const NaiveClass& c = class_of(i);
    if (!is_untied(i) || !operands_are_ready(i, false)) return;
    const std::ptrdiff_t late = flight.late_producer;
    if (late >= 0 && !gone(flights_[late].graduate)) return;
    if (c.units.empty()) {
      flight.issue = now_;
      return;
    }
    std::size_t free = 0;
    for (const int unit : c.units) {
      if (may_ever_hold(i, unit) && !may_hold(i, unit)) continue;
      if (!port_is_free(i, machine_.units[unit].port)) continue;
      if (++free < (c.all ? c.units.size() : 1)) continue;
      flight.issue = now_;
      flight.unit = unit;
      return;
    }
  }

  // A nullified instruction is done with the one that nullifies it.
  void try_nullified(std::size_t i) {
    Flight& flight = flights_[i];
    if (is_untied(i)) flight.issue = flight.data = flight.complete = now_;
  }

  // No older access can still turn out to be to the same place.
  bool older_addresses_are_known(std::size_t i) const {
    if (machine_.addresses < 0) return true;
    for (std::size_t j = 0; j < i; ++j) {
      if (!program_[j].dynamic.is_memory) continue;
      if (flights_[j].issue == never || flights_[j].issue + machine_.addresses > now_) return false;
    }
    return true;
  }

  bool share_a_byte(std::size_t i, std::size_t j) const {
    std::vector<std::uint64_t> bytes[2];
    for (const auto& [of, instruction] : {std::pair{0, i}, std::pair{1, j}}) {
      const std::uint64_t address = program_[instruction].dynamic.memory_address;
      const unsigned count = program_[instruction].timing.bytes_accessed;
      const std::uint64_t first = count == 0 ? address - address % 8 : address;
      for (unsigned k = 0; k < (count == 0 ? 8 : count); ++k) bytes[of].push_back(first + k);
    }
    return std::find_first_of(bytes[0].begin(), bytes[0].end(), bytes[1].begin(), bytes[1].end()) !=
           bytes[0].end();
  }

  // From now on for so many cycles; the line of `i` itself may have been fetched already.
  bool memory_is_free_for(std::size_t i, long busy) const {
    const auto meets = [&](long start, long cycles) {
      return start != never && start < now_ + busy && start + cycles > now_;
    };
    for (std::size_t j = 0; busy != 0 && j <= i; ++j) {
      const OutOfOrderCore::Dynamic& dynamic = program_[j].dynamic;
      if (meets(flights_[j].line_start, dynamic.fetch_busy)) return false;
      const long begun = flights_[j].miss_start;
      const long start = begun != never || foreseen_.empty() ? begun : foreseen_[j];
      if (j < i && meets(start, dynamic.memory.busy)) return false;
    }
    return true;
  }

  // What of it is known in this cycle: a miss that begins, data whose arrival is fixed.
  void try_complete(std::size_t i) {
    Flight& flight = flights_[i];
    const NaiveClass& c = class_of(i);
    const OutOfOrderCore::Dynamic& dynamic = program_[i].dynamic;
    if (!dynamic.is_memory) {
      flight.data = flight.complete = flight.issue + c.latency;
      return;
    }
    if (flight.begin == never) {
      if (!older_addresses_are_known(i)) return;
      flight.begin = now_;
    }
    if (flight.has_both == never && operands_are_ready(i, true)) flight.has_both = now_;
    if (dynamic.memory.misses() && flight.miss_start == never) {
      if (!memory_is_free_for(i, dynamic.memory.busy)) return;
      int under_way = 0;
      for (std::size_t j = 0; j < i; ++j) {
        const Flight& older = flights_[j];
        if (older.miss_start != never && older.miss_start <= now_ &&
            older.miss_start + class_of(j).latency + program_[j].dynamic.memory.stall > now_) {
          ++under_way;
        }
      }
      if (under_way >= machine_.outstanding) return;
      flight.miss_start = now_;
    }
    if (flight.has_both == never) return;
    const long start = dynamic.memory.misses() ? flight.miss_start : flight.begin;
    if (!c.waits) flight.complete = start + c.latency;
    long data = start + c.latency + dynamic.memory.stall;
    if (dynamic.is_store) data = std::max(data, flight.has_both + c.latency);
    for (std::size_t j = 0; j < i; ++j) {
      const OutOfOrderCore::Dynamic& older = program_[j].dynamic;
      if (!older.is_memory) continue;
      if (!dynamic.memory.misses() && older.memory.misses() &&
          older.memory.line == dynamic.memory.line) {
        if (flights_[j].miss_start == never) return;
        data = std::max(data, flights_[j].miss_start + class_of(j).latency + older.memory.stall);
      }
      if (!dynamic.is_store && older.is_store && share_a_byte(i, j)) {
        if (flights_[j].has_both == never) return;
        data = std::max(data, flights_[j].has_both + machine_.forward);
      }
    }
    flight.data = data;
    if (c.waits) flight.complete = data;
  }

  void issue() {
    for (std::size_t i = first_; i < decoded_; ++i) {
      if (flights_[i].issue == never && gone(flights_[i].decode)) {
        is_nullified(i) ? try_nullified(i) : try_issue(i);
      }
      if (flights_[i].issue != never && flights_[i].data == never) try_complete(i);
    }
  }

  int writes_to(std::size_t i, const NaiveFile& file) const {
    int count = 0;
    for (const Resource write : program_[i].timing.writes) {
      if (write >= file.first && write <= file.last) ++count;
    }
    return std::min(count, file.most);
  }

  bool fits(std::size_t i) const {
    const NaiveClass& c = class_of(i);
    int active = c.each;
    std::vector<int> queued(machine_.queues.size(), 1);
    int stacked = 1;
    std::vector<int> registers;
    for (const NaiveFile& file : machine_.files) registers.push_back(writes_to(i, file));
    for (std::size_t j = first_; j < i; ++j) {
      const Flight& older = flights_[j];
      const bool in_flight = !gone(older.graduate);
      if (in_flight && (c.alone || class_of(j).alone)) return false;
      if (in_flight) active += class_of(j).each;
      for (std::size_t q = 0; q < queued.size(); ++q) {
        const bool until_graduation = machine_.queues[q].until_graduation;
        const bool is_there = until_graduation ? in_flight : !gone(older.issue);
        if (is_there && is_in(j, static_cast<int>(q))) ++queued[q];
      }
      if (class_of(j).stacked && !gone(older.complete)) ++stacked;
      for (std::size_t f = 0; f < registers.size() && in_flight; ++f) {
        registers[f] += writes_to(j, machine_.files[f]);
      }
    }
    if (active > machine_.active) return false;
    for (std::size_t q = 0; q < queued.size(); ++q) {
      if (is_in(i, static_cast<int>(q)) && queued[q] > machine_.queues[q].entries) return false;
    }
    if (c.stacked && stacked > machine_.branches) return false;
    for (std::size_t f = 0; f < registers.size(); ++f) {
      if (writes_to(i, machine_.files[f]) != 0 && registers[f] > machine_.files[f].free) {
        return false;
      }
    }
    return true;
  }

  void decode() {
    int used = 0;
    std::vector<int> groups(machine_.decode_groups.size());
    for (; decoded_ < fetched_; ++decoded_) {
      const std::vector<int>& in = class_of(decoded_).decode_in;
      if (used == machine_.decode_width || !gone(flights_[decoded_].fetch)) return;
      for (const int group : in) {
        if (groups[group] == machine_.decode_groups[group]) return;
      }
      if (!fits(decoded_)) return;
      ++used;
      for (const int group : in) ++groups[group];
      Flight& flight = flights_[decoded_];
      flight.decode = now_;
      if (is_nullified(decoded_))
        try_nullified(decoded_);
      else if (is_nop(decoded_))
        flight.issue = flight.data = flight.complete = now_;
    }
  }

  // Whether what led here lets the instruction be fetched in this cycle, after another or not.
  bool may_fetch(std::size_t i, int used) const {
    if (const std::ptrdiff_t b = flights_[i].redirected_by; b >= 0) {
      const Flight& branch = flights_[b];
      if (used != 0) return false;
      switch (branch.fate) {
        case Fate::wrong:
          return branch.complete != never && branch.complete + branch.wrong_cycles <= now_;
        case Fate::taken:
          return branch.decode != never && branch.decode + machine_.target <= now_;
        case Fate::known_target:
        case Fate::none:
          return true;
      }
    }
    return used == 0 ||
           program_[i].dynamic.pc / machine_.line == program_[i - 1].dynamic.pc / machine_.line;
  }

  void fetch() {
    for (int used = 0; fetched_ < program_.size(); ++used) {
      Flight& flight = flights_[fetched_];
      const OutOfOrderCore::Dynamic& dynamic = program_[fetched_].dynamic;
      if (flight.arrives == never) {
        if (used == machine_.fetch_width || !may_fetch(fetched_, used)) return;
        if (fetched_ - decoded_ == static_cast<std::size_t>(machine_.buffer)) return;
        if (!memory_is_free_for(fetched_, dynamic.fetch_busy)) return;
        if (dynamic.fetch_stall != 0) flight.line_start = now_;
        flight.arrives = now_ + dynamic.fetch_stall;
      }
      if (flight.arrives > now_) return;
      flight.fetch = now_;
      ++fetched_;
    }
  }

  const NaiveMachine& machine_;
  const std::vector<NaiveInstruction>& program_;
  std::vector<Flight> flights_;
  std::vector<long> foreseen_;  // by instruction: when its miss begins
  long now_ = 0;
  std::size_t first_ = 0;  // before it nothing matters any more
  std::size_t fetched_ = 0, decoded_ = 0, graduated_ = 0;
  std::uint64_t wrong_ = 0;
  std::vector<Target> associative_;  // by entry
  std::size_t turn_ = 0;             // of the entry that is replaced next
};

}  // namespace hardclock
