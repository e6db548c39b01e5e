#include "sim/timing/out_of_order.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace hardclock {
std::uint64_t PortCalendar::first_free(std::uint64_t cycle) const {
  std::uint64_t word = cycle / 64;
  std::uint64_t free_bits = ~std::uint64_t{0} << (cycle % 64);
  for (; word < word_ + words; ++word) {
    const std::uint64_t candidates = ~taken_[word % words] & free_bits;
    if (candidates != 0) return word * 64 + static_cast<unsigned>(std::countr_zero(candidates));
    free_bits = ~std::uint64_t{0};
  }
  std::uint64_t free = std::max(cycle, horizon());
  for (bool moved = true; std::exchange(moved, false);) {
    for (const Interval& interval : far_) {
      if (interval.first > free || interval.end <= free) continue;
      free = interval.end;
      moved = true;
    }
  }
  return free;
}

// Takes the cycles below the horizon, from `first` to before `end`.
void PortCalendar::mark(std::uint64_t first, std::uint64_t end) {
  while (first < end) {
    const std::uint64_t bits = std::min(end - first, 64 - first % 64);
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    taken_[first / 64 % words] |= mask << (first % 64);
    first += bits;
  }
}

void PortCalendar::take(std::uint64_t first, std::uint32_t cycles) {
  const std::uint64_t end = first + cycles;
  mark(first, std::min(end, horizon()));
  if (end > horizon()) far_.push_back({std::max(first, horizon()), end});
}

void PortCalendar::advance(std::uint64_t now) {
  const std::uint64_t before = horizon();
  const std::uint64_t passed = std::min(now / 64 - word_, words);
  for (std::uint64_t i = 0; i < passed; ++i) taken_[(word_ + i) % words] = 0;
  word_ = now / 64;
  if (far_.empty()) return;
  for (Interval& interval : far_) {
    const std::uint64_t first = std::max({interval.first, before, word_ * 64});
    mark(first, std::min(interval.end, horizon()));
    interval.first = std::max(interval.first, horizon());
  }
  std::erase_if(far_, [](const Interval& interval) { return interval.first >= interval.end; });
}

std::uint64_t PortCalendar::end() const {
  for (std::uint64_t word = word_ + words; word-- > word_;) {
    const std::uint64_t taken = taken_[word % words];
    if (taken != 0) return word * 64 + static_cast<unsigned>(std::bit_width(taken));
  }
  return 0;
}

std::uint64_t PortCalendar::over_at() const {
  std::uint64_t over = end();
  for (const Interval& interval : far_) over = std::max(over, interval.end);
  return over;
}

std::uint16_t PortCalendar::sixteen_from(std::uint64_t first) const {
  const std::uint64_t word = first / 64;
  const std::uint64_t shift = first % 64;
  const auto taken = [&](std::uint64_t at) {
    return at < word_ + words ? taken_[at % words] : std::uint64_t{0};
  };
  const std::uint64_t next = shift > 48 ? taken(word + 1) << (64 - shift) : 0;
  return static_cast<std::uint16_t>(taken(word) >> shift | next);
}

void PortCalendar::restart(std::uint64_t now) {
  taken_ = {};
  far_.clear();
  word_ = now / 64;
}

void LatestMoments::add(std::uint64_t moment) {
  if (moment <= moments_.front()) return;
  std::size_t at = 1;
  for (; at < moments_.size() && moments_[at] < moment; ++at) moments_[at - 1] = moments_[at];
  moments_[at - 1] = moment;
}

void LatestMoments::clear() {
  std::fill(moments_.begin(), moments_.end(), 0);
}

std::uint64_t InOrderPool::full_until(std::uint32_t count) const {
  if (count == 0) return 0;
  const std::size_t last = oldest_ + count - 1;
  return moments_[last < moments_.size() ? last : last - moments_.size()];
}

void InOrderPool::take(std::uint32_t count, std::uint64_t moment) {
  for (; count != 0; --count) {
    moments_[oldest_] = moment;
    if (++oldest_ == moments_.size()) oldest_ = 0;
  }
}

void InOrderPool::clear() {
  std::fill(moments_.begin(), moments_.end(), 0);
}

OutOfOrderCore::OutOfOrderCore(std::shared_ptr<const OutOfOrderDescription> description)
    : description_(std::move(description)),
      predictor_(description_->predictor),
      buffer_(description_->fetch_buffer),
      active_(description_->active),
      branch_stack_(std::max(description_->branch_stack, 1U)),
      file_writes_(description_->files.size()),
      turns_(description_->turns),
      producers_(producers_of(*description_)),
      most_pool_entries_(std::max(description_->active, description_->branch_stack)) {
  for (const OutOfOrderDescription::Queue& queue : description_->queues) {
    issue_queues_.emplace_back(queue.entries);
    graduation_queues_.emplace_back(queue.entries);
    most_pool_entries_ = std::max<std::size_t>(most_pool_entries_, queue.entries);
  }
  for (const OutOfOrderDescription::RegisterFile& file : description_->files) {
    files_.emplace_back(file.free);
    most_pool_entries_ = std::max<std::size_t>(most_pool_entries_, file.free);
  }
  for (const Class& timing_class : description_->classes) {
    most_entries_ = std::max<std::uint32_t>(most_entries_, timing_class.entries);
  }
}

void OutOfOrderCore::drain() {
  times_ = {};
  fetched_ = {};
  line_start_ = 0;
  buffer_.clear();
  redirected_ = false;
  decoded_ = {};
  graduated_ = {};
  serial_until_ = 0;
  active_.clear();
  branch_stack_.clear();
  for (LatestMoments& queue : issue_queues_) queue.clear();
  for (InOrderPool& queue : graduation_queues_) queue.clear();
  for (InOrderPool& file : files_) file.clear();
  ports_ = {};
  port_time_ = 0;
  held_until_ = {};
  passed_ = {};
  std::fill(turns_.begin(), turns_.end(), 0);
  tied_until_ = 0;
  late_written_ = true;
  late_graduated_ = 0;
  std::fill(registers_.begin(), registers_.end(), Pending{});
  in_flight_ = {};
  addresses_known_ = 0;
}

// The first cycle from `cycle` on with room for `count`, which is used up.
std::uint64_t OutOfOrderCore::place(Slots& slots, std::uint64_t cycle, std::uint32_t count,
                                    std::uint32_t width, std::uint8_t groups,
                                    const std::vector<std::uint32_t>& limits) {
  bool fits = slots.used + count <= width;
  for (unsigned left = groups; left != 0; left &= left - 1) {
    const int group = std::countr_zero(left);
    fits = fits && slots.limited[group] + count <= limits[group];
  }
  if (cycle > slots.cycle || !fits) {
    slots.cycle = std::max(cycle, slots.cycle + 1);
    slots.used = 0;
    slots.limited = {};
  }
  slots.used += count;
  for (unsigned left = groups; left != 0; left &= left - 1) {
    slots.limited[std::countr_zero(left)] += count;
  }
  return slots.cycle;
}

std::uint64_t OutOfOrderCore::fetch(const Dynamic& dynamic) {
  const OutOfOrderDescription& cpu = *description_;
  const std::uint64_t line = dynamic.pc >> cpu.fetch_line_shift;
  std::uint64_t cycle = fetched_.cycle;
  if (redirected_ && redirect_after_ == 0) {
    cycle = std::max(cycle + 1, redirect_cycle_);
    redirected_ = false;
  } else if (fetched_.used != 0 && line != fetch_line_) {
    ++cycle;
  }
  if (redirected_) --redirect_after_;
  fetch_line_ = line;
  cycle = std::max(cycle, buffer_.full_until(1));
  if (dynamic.fetch_stall != 0) {
    if (cycle == fetched_.cycle && fetched_.used == cpu.fetch_width) ++cycle;
    cycle = bring_line(cycle, dynamic);
  }
  return place(fetched_, cycle, 1, cpu.fetch_width, 0, {});
}

// When the line has come that is missing in the cycle.
std::uint64_t OutOfOrderCore::bring_line(std::uint64_t cycle, const Dynamic& dynamic) {
  line_start_ = memory_place(cycle, dynamic.fetch_busy);
  if (dynamic.fetch_busy != 0) {
    in_flight_.misses.push_back(Miss::of_instructions(line_start_, dynamic.fetch_busy));
  }
  return line_start_ + dynamic.fetch_stall;
}

void OutOfOrderCore::count_registers(const InstructionTiming& timing) {
  const OutOfOrderDescription& cpu = *description_;
  std::fill(file_writes_.begin(), file_writes_.end(), 0);
  for (const Resource write : timing.writes) {
    if (write >= cpu.file_of.size() || cpu.file_of[write] == OutOfOrderDescription::none) continue;
    const std::uint8_t file = cpu.file_of[write];
    file_writes_[file] = std::min(file_writes_[file] + 1, cpu.files[file].most);
  }
}

// Until then no entry is free; 0 for no queue.
std::uint64_t OutOfOrderCore::entry_free(std::uint8_t queue) const {
  if (queue == OutOfOrderDescription::none) return 0;
  return description_->queues[queue].until_graduation ? graduation_queues_[queue].full_until(1)
                                                      : issue_queues_[queue].full_until();
}

std::uint64_t OutOfOrderCore::decode(const InstructionTiming& timing, const Class& timing_class) {
  const OutOfOrderDescription& cpu = *description_;
  std::uint64_t cycle = std::max(times_.fetch, serial_until_) + 1;
  const auto after = [&](std::uint64_t moment) { cycle = std::max(cycle, moment + 1); };
  after(active_.full_until(timing_class.entries));
  if (timing_class.serializes) after(times_.graduate);
  if (!is_nop(timing)) {
    after(entry_free(timing_class.queue));
    after(entry_free(timing_class.second_queue));
  }
  if (timing_class.branch_stack) after(branch_stack_.full_until());
  count_registers(timing);
  for (std::size_t file = 0; file < files_.size(); ++file) {
    after(files_[file].full_until(file_writes_[file]));
  }
  return place(decoded_, cycle, 1, cpu.decode_width, timing_class.decode_groups, cpu.decode_limits);
}

// When the instruction may use the register's value.
std::uint64_t OutOfOrderCore::ready_for(const InstructionTiming& timing, Resource read) const {
  if (read >= registers_.size()) return 0;
  const OutOfOrderDescription& cpu = *description_;
  const Pending& pending = registers_[read];
  const std::size_t row = pending.producer * cpu.classes.size();
  return pending.issued + cpu.latencies[row + timing.timing_class];
}

// When it has what it issues with.
std::uint64_t OutOfOrderCore::operands_ready(const InstructionTiming& timing) const {
  const bool goes_ahead = description_->addresses_after && !timing.stored.empty();
  std::uint64_t ready = std::max(times_.decode + 1, tied_until_);
  for (const Resource read : timing.reads) {
    if (goes_ahead && std::ranges::count(timing.stored, read) != 0) continue;
    ready = std::max(ready, ready_for(timing, read));
  }
  return std::max(ready, late_ready(timing));
}

bool OutOfOrderCore::has_late(const std::vector<Resource>& registers) const {
  return std::ranges::any_of(registers, [&](Resource one) {
    return one >= description_->first_late && one <= description_->last_late;
  });
}

// When it has the late registers that it reads.
std::uint64_t OutOfOrderCore::late_ready(const InstructionTiming& timing) const {
  if (late_written_) return 0;
  const Class& timing_class = description_->classes[timing.timing_class];
  if (timing_class.queue != description_->late_queue || !has_late(timing.reads)) return 0;
  return late_graduated_ + 1;
}

// The instruction has just graduated.
void OutOfOrderCore::note_late(const InstructionTiming& timing, const Dynamic& dynamic) {
  const Class& timing_class = description_->classes[timing.timing_class];
  if (timing_class.queue != description_->late_queue || is_nop(timing)) return;
  late_written_ = !dynamic.is_nullified && has_late(timing.writes);
  if (late_written_) late_graduated_ = times_.graduate;
}

// When a store, just issued, has its data.
std::uint64_t OutOfOrderCore::data_ready(const InstructionTiming& timing) const {
  std::uint64_t ready = times_.issue;
  for (const Resource read : timing.stored) ready = std::max(ready, ready_for(timing, read));
  return ready;
}

// The first cycle from `ready` on in which it can issue in the unit.
std::uint64_t OutOfOrderCore::free_in(const Class& timing_class, std::uint8_t unit,
                                      std::uint64_t ready) const {
  if (timing_class.holds) ready = std::max({ready, held_until_[unit], passed_[unit]});
  return ports_[description_->units[unit].port].first_free(ready);
}

// Takes all of its units in the first cycle from `ready` on in which they are free.
std::uint64_t OutOfOrderCore::issue_in_all(const Class& timing_class, std::uint64_t ready) {
  const std::span units(timing_class.units.data(), timing_class.unit_count);
  for (std::uint64_t before = ~ready; before != ready;) {
    before = ready;
    for (const std::uint8_t unit : units) ready = free_in(timing_class, unit, ready);
  }
  for (const std::uint8_t unit : units) ports_[unit].take(ready, 1);
  return ready;
}

// The cycles for which it holds its unit.
std::uint32_t OutOfOrderCore::repeat_of(const Class& timing_class) {
  if (timing_class.every == 1) return timing_class.repeat;
  std::uint8_t& passed = turns_[timing_class.turn];
  if (++passed < timing_class.every) return 1;
  passed = 0;
  return timing_class.repeat;
}

// Takes the first free unit from `ready` on.
std::uint64_t OutOfOrderCore::first_issue(const Class& timing_class, std::uint64_t ready) {
  if (timing_class.unit_count == 0) return ready;
  if (timing_class.takes_all) return issue_in_all(timing_class, ready);
  std::uint8_t unit = timing_class.units[0];
  std::uint64_t cycle = free_in(timing_class, unit, ready);
  for (std::uint8_t i = 1; i < timing_class.unit_count && cycle != ready; ++i) {
    const std::uint64_t other = free_in(timing_class, timing_class.units[i], ready);
    if (other >= cycle) continue;
    cycle = other;
    unit = timing_class.units[i];
  }
  const std::uint8_t port = description_->units[unit].port;
  const std::uint32_t repeat = timing_class.holds ? repeat_of(timing_class) : 1;
  ports_[port].take(cycle, port == unit ? repeat : 1);
  if (timing_class.holds) {
    held_until_[unit] = cycle + repeat;
    for (std::uint8_t i = 0; i < timing_class.unit_count; ++i) {
      std::uint64_t& passed = passed_[timing_class.units[i]];
      passed = std::max(passed, cycle);
    }
  }
  if (timing_class.second != OutOfOrderDescription::none) {
    ports_[timing_class.second].take(cycle + timing_class.second_after, 1);
  }
  return cycle;
}

// The first cycle from `cycle` on in which fewer older misses than allowed are under way.
std::uint64_t OutOfOrderCore::miss_place(std::uint64_t cycle) const {
  if (description_->outstanding == 0) return cycle;
  while (true) {
    std::uint32_t under_way = 0;
    std::uint64_t first_filled = ~std::uint64_t{0};
    for (const Miss& miss : in_flight_.misses) {
      if (miss.start > cycle || miss.filled <= cycle) continue;
      ++under_way;
      first_filled = std::min(first_filled, miss.filled);
    }
    if (under_way < description_->outstanding) return cycle;
    cycle = first_filled;
  }
}

// The first cycle from `cycle` on from which memory is free for so long.
std::uint64_t OutOfOrderCore::memory_place(std::uint64_t cycle, std::uint32_t busy) const {
  bool is_free = busy == 0;
  while (!is_free) {
    is_free = true;
    for (const Miss& miss : in_flight_.misses) {
      if (miss.start >= cycle + busy || miss.memory_free <= cycle) continue;
      cycle = miss.memory_free;
      is_free = false;
    }
  }
  return cycle;
}

// The first cycle from `cycle` on in which both have a place.
std::uint64_t OutOfOrderCore::miss_start(std::uint64_t cycle, std::uint32_t memory_busy) const {
  while (true) {
    const std::uint64_t place = memory_place(miss_place(cycle), memory_busy);
    if (place == cycle) return cycle;
    cycle = place;
  }
}

// When a memory operation, just issued, begins its access.
std::uint64_t OutOfOrderCore::access_start() {
  if (!description_->addresses_after) return times_.issue;
  const std::uint64_t start = std::max(times_.issue, addresses_known_);
  addresses_known_ = std::max(addresses_known_, times_.issue + *description_->addresses_after);
  return start;
}

// The cycle in which a memory operation, just issued, has its data.
std::uint64_t OutOfOrderCore::access(const InstructionTiming& timing, const Class& timing_class,
                                     const Dynamic& dynamic) {
  in_flight_.forget_until(fetched_.cycle, times_.decode);
  const Bytes bytes = bytes_of(timing.bytes_accessed, dynamic.memory_address);
  std::uint64_t start = access_start();
  const std::uint64_t has_both = dynamic.is_store ? std::max(start, data_ready(timing)) : start;
  const MemoryCost& memory = dynamic.memory;
  if (memory.misses()) start = miss_start(start, memory.busy);
  const std::uint64_t filled = start + timing_class.latency + memory.stall;
  times_.complete = std::max(start, has_both) + timing_class.latency;
  times_.executed = start + timing_class.latency;
  std::uint64_t data = std::max(times_.complete, filled);
  if (memory.misses()) {
    in_flight_.misses.push_back({memory.line, start, filled, start + memory.busy});
  } else {
    for (const Miss& miss : in_flight_.misses) {
      if (miss.line == memory.line) data = std::max(data, miss.filled);
    }
  }
  times_.data_missed = data > times_.complete;
  if (dynamic.is_store) {
    in_flight_.stores.push_back({bytes, has_both + description_->forward_after});
  } else {
    for (const Store& store : in_flight_.stores) {
      if (store.bytes.meet(bytes)) data = std::max(data, store.ready);
    }
  }
  if (!timing_class.posted) times_.complete = data;
  return data;
}

void OutOfOrderCore::InFlight::forget_until(std::uint64_t fetch, std::uint64_t decode) {
  std::erase_if(misses, [&](const Miss& miss) { return miss.over() <= fetch; });
  std::erase_if(stores, [&](const Store& store) { return store.ready <= decode; });
}

void OutOfOrderCore::execute(const InstructionTiming& timing, const Class& timing_class,
                             const Dynamic& dynamic) {
  times_.ready = operands_ready(timing);
  times_.issue = first_issue(timing_class, times_.ready);
  std::uint64_t result = times_.issue + timing_class.latency;
  times_.complete = result;
  times_.executed = result;
  if (dynamic.is_memory) result = access(timing, timing_class, dynamic);
  for (const Resource write : timing.writes) {
    if (write >= registers_.size()) registers_.resize(write + std::size_t{1});
    registers_[write] = written(timing, write, result);
  }
}

// The register's state after an instruction whose result comes in the cycle `result`.
OutOfOrderCore::Pending OutOfOrderCore::written(const InstructionTiming& timing, Resource write,
                                                std::uint64_t result) const {
  const OutOfOrderDescription& cpu = *description_;
  // The base comes out of the address adder, the loaded value out of the cache.
  if (timing.modified_base == write) return {times_.issue + 1, 0};
  const bool is_known = write < cpu.result_latencies.size();
  if (is_known && cpu.result_latencies[write] != OutOfOrderDescription::by_class) {
    return {times_.issue + cpu.result_latencies[write], 0};
  }
  return {result - cpu.classes[timing.timing_class].latency, timing.timing_class + 1U};
}

// Notes when its entry of the queue will be free again.
void OutOfOrderCore::leave_queue(std::uint8_t queue) {
  if (queue == OutOfOrderDescription::none) return;
  if (description_->queues[queue].until_graduation) {
    graduation_queues_[queue].take(1, times_.graduate);
  } else {
    issue_queues_[queue].add(times_.issue);
  }
}

void OutOfOrderCore::release(const Class& timing_class, bool queued) {
  active_.take(timing_class.entries, times_.graduate);
  if (queued) {
    leave_queue(timing_class.queue);
    leave_queue(timing_class.second_queue);
  }
  if (timing_class.branch_stack) branch_stack_.add(times_.complete);
  for (std::size_t file = 0; file < files_.size(); ++file) {
    files_[file].take(file_writes_[file], times_.graduate);
  }
  if (timing_class.serializes) serial_until_ = times_.graduate;
}

std::uint32_t OutOfOrderCore::retire(const InstructionTiming& timing, const Dynamic& dynamic) {
  const OutOfOrderDescription& cpu = *description_;
  const Class& timing_class = cpu.classes[timing.timing_class];
  const std::uint64_t before = times_.graduate;
  pc_ = dynamic.pc;
  times_.fetch = fetch(dynamic);
  times_.fetch_stall = dynamic.fetch_stall;
  times_.data_missed = false;
  times_.decode = decode(timing, timing_class);
  buffer_.take(1, times_.decode);
  if (times_.decode / 64 != port_time_ / 64) {
    for (std::size_t unit = 0; unit < cpu.units.size(); ++unit) ports_[unit].advance(times_.decode);
    port_time_ = times_.decode;
  }
  const bool queued = !is_nop(timing);
  if (queued && !dynamic.is_nullified) {
    execute(timing, timing_class, dynamic);
  } else {
    times_.issue = std::max(times_.decode, dynamic.is_nullified ? tied_until_ : 0);
    times_.complete = times_.executed = times_.ready = times_.issue;
  }
  tied_until_ = timing_class.tie == 0 || dynamic.is_nullified ? 0 : times_.issue + timing_class.tie;
  times_.graduate = place(graduated_, times_.complete + cpu.graduate_after, timing_class.entries,
                          cpu.graduate_width, timing_class.graduate_groups, cpu.graduate_limits);
  if (cpu.late_queue != OutOfOrderDescription::none) note_late(timing, dynamic);
  release(timing_class, queued);
  return static_cast<std::uint32_t>(times_.graduate - before);
}

OutOfOrderCore::Redirection OutOfOrderCore::taken_as_predicted(std::uint64_t pc,
                                                               const Resolution& outcome) {
  const bool known =
      outcome.transfer != Transfer::returns && predictor_.knows_target(pc, outcome.target);
  learn_target(pc, outcome, true);
  return known ? Redirection::after_fetch : Redirection::after_decode;
}

OutOfOrderCore::Redirection OutOfOrderCore::mispredicted(std::uint64_t pc,
                                                         const Resolution& outcome,
                                                         Redirection how) {
  ++mispredicted_;
  // A conditional branch that is taken after all was predicted not taken.
  learn_target(pc, outcome, outcome.transfer != Transfer::conditional);
  return how;
}

void OutOfOrderCore::learn_target(std::uint64_t pc, const Resolution& outcome,
                                  bool predicted_taken) {
  if (outcome.transfer == Transfer::returns || outcome.transfer == Transfer::indirect) return;
  if (outcome.taken) predictor_.learn_target(pc, outcome.target, predicted_taken);
}

// Of a transfer whose target is no secret.
bool OutOfOrderCore::predicts_taken(std::uint64_t pc, const Resolution& outcome) {
  if (outcome.transfer != Transfer::conditional) return true;
  const bool taken = predictor_.predicts_taken(pc);
  predictor_.learn_direction(pc, outcome.taken);
  if (!taken) predictor_.predicted_not_taken(pc);
  return taken;
}

OutOfOrderCore::Redirection OutOfOrderCore::predict(std::uint64_t pc, const Resolution& outcome) {
  ++transfers_;
  bool taken = true;
  if (outcome.transfer == Transfer::indirect) {
    if (outcome.links) predictor_.call(outcome.return_address);
    return mispredicted(pc, outcome, Redirection::mispredicted_indirect);
  }
  if (outcome.transfer == Transfer::returns) {
    if (!predictor_.predicts_return(outcome.target)) {
      return mispredicted(pc, outcome, Redirection::mispredicted_indirect);
    }
  } else {
    taken = predicts_taken(pc, outcome);
  }
  if (outcome.links && outcome.taken) predictor_.call(outcome.return_address);
  if (taken != outcome.taken) {
    return mispredicted(
        pc, outcome, taken ? Redirection::mispredicted_taken : Redirection::mispredicted_not_taken);
  }
  return taken ? taken_as_predicted(pc, outcome) : Redirection::none;
}

// The first cycle in which the successor of the last retired instruction can be fetched.
std::uint64_t OutOfOrderCore::redirected_to(Redirection redirection) const {
  const OutOfOrderDescription& cpu = *description_;
  switch (redirection) {
    case Redirection::after_fetch:
      return times_.fetch + 1;
    case Redirection::after_decode:
      return times_.decode + cpu.target_delay;
    case Redirection::mispredicted_taken:
      return times_.complete + cpu.mispredicted_taken;
    case Redirection::mispredicted_not_taken:
      return times_.complete + cpu.mispredicted_not_taken;
    case Redirection::mispredicted_indirect:
      return times_.complete + cpu.mispredicted_indirect;
    case Redirection::none:
      break;
  }
  return 0;
}

void OutOfOrderCore::redirect(Redirection redirection, std::uint32_t slots) {
  if (redirection == Redirection::none) return;
  redirected_ = true;
  redirect_after_ = slots;
  redirect_cycle_ = redirected_to(redirection);
}

}  // namespace hardclock
