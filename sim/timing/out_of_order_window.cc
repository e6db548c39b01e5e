// The canonical form of an out-of-order core's window.
//
// The base of all moments is D, the first cycle in which the next instruction can be decoded: after
// its fetch, when the active list has room, and not before its predecessor. Instruction k behind it
// (k = 0: itself) is decoded no earlier than D_k, the later of D + (k + what the decoders' cycle D
// has taken) / width and the cycle after active entry k is free. From that follows what can be
// left out, because it delays nothing whatever comes:
//   fetch buffer        entry k, free when k instructions can have been fetched at the earliest
//   active list         entry k, if free before the first instruction that may need it is decoded:
//                       k / m, with m entries for one instruction at most
//   queues, branches    entry k (of those until issue: the k-th that becomes free), free before D_k
//   register files      entry k, with m registers for one instruction at most, before D_(k / m)
//   registers           if they are there for each class of consumers at D + 1, when the next
//                       instruction can issue at the earliest
//   ports, units        what is over at D + 1
//   late registers      if their last writer graduates by D
//   graduation          what cannot be the cycle in which the next instruction graduates
// A full group of fetch, decode or graduation is an empty one of the next cycle, and a redirection
// or a line's end that the next instruction meets is a later fetch.
#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "sim/timing/out_of_order.h"

namespace hardclock {
namespace {

using Word = std::uint16_t;

// The result of a register may have been due before D, by a latency at most.
constexpr std::uint64_t register_bias = 4096;

bool is_after(std::uint64_t moment, std::uint64_t other) {
  return static_cast<std::int64_t>(moment - other) > 0;
}

}  // namespace

class OutOfOrderCore::WindowWriter {
 public:
  WindowWriter(std::vector<Word>& words, std::uint64_t base) : words_(words), base_(base) {
    words_.clear();
  }

  bool fits() const { return fits_; }
  void put(std::uint64_t value) {
    if (value > std::numeric_limits<Word>::max()) fits_ = false;
    words_.push_back(static_cast<Word>(value));
  }
  // A moment from `first` on, which is not before the base; others are 0.
  void put_from(std::uint64_t first, std::uint64_t moment) {
    put(moment < first ? 0 : moment - base_ + 1);
  }
  // A list whose length comes first; zeros at its end are left out.
  void begin_list() {
    list_ = words_.size();
    words_.push_back(0);
  }
  void end_list() {
    while (words_.size() > list_ + 1 && words_.back() == 0) words_.pop_back();
    words_[list_] = static_cast<Word>(words_.size() - list_ - 1);
  }

  // A pool of which an instruction takes `most` entries at most. The newest ones come first.
  void put_pool(const InOrderPool& pool, std::uint32_t most,
                const std::vector<std::uint64_t>& needed) {
    begin_list();
    for (std::size_t k = pool.entries(); k-- > 0;) {
      put_from(needed[k / most], pool.full_until(static_cast<std::uint32_t>(k + 1)));
    }
    end_list();
  }
  // The latest ones come first. One that is not needed is as early as the order lets it be.
  void put_moments(const LatestMoments& queue, const std::vector<std::uint64_t>& needed) {
    const std::span<const std::uint64_t> moments = queue.moments();
    begin_list();
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < moments.size(); ++k) {
      if (moments[k] >= needed[k]) last = moments[k] - base_ + 1;
      put(last);
    }
    std::reverse(words_.end() - static_cast<std::ptrdiff_t>(moments.size()), words_.end());
    end_list();
  }
  // The cycles from `first` on in which it is taken.
  void put_calendar(const PortCalendar& calendar, std::uint64_t first) {
    if (!calendar.is_near()) fits_ = false;
    const std::uint64_t end = calendar.end();
    begin_list();
    for (; first < end; first += 16) words_.push_back(calendar.sixteen_from(first));
    end_list();
  }

 private:
  std::vector<Word>& words_;
  std::uint64_t base_;
  std::size_t list_ = 0;
  bool fits_ = true;
};

class OutOfOrderCore::WindowReader {
 public:
  WindowReader(std::span<const Word> words, std::uint64_t base)
      : next_(words.data()), base_(base) {}

  std::uint64_t get() { return *next_++; }
  // The moment that put_from() has put, or 0.
  std::uint64_t get_moment() {
    const std::uint64_t value = get();
    return value == 0 ? 0 : base_ + value - 1;
  }
  template <class Queue>
  void get_moments(Queue& queue, std::size_t entries) {
    queue.clear();
    for (std::size_t left = get(); left != 0; --left) queue.set(--entries, get_moment());
  }
  void get_calendar(PortCalendar& calendar, std::uint64_t first) {
    calendar.restart(base_);
    for (std::size_t left = get(); left != 0; --left, first += 16) {
      for (std::uint64_t bits = get(); bits != 0; bits &= bits - 1) {
        calendar.take(first + static_cast<unsigned>(std::countr_zero(bits)), 1);
      }
    }
  }

 private:
  const Word* next_;
  std::uint64_t base_;
};

// Producers whose results come alike, but for a shift in time, are one.
std::vector<OutOfOrderCore::Producer> OutOfOrderCore::producers_of(
    const OutOfOrderDescription& cpu) {
  const std::size_t count = cpu.classes.size();
  std::vector<Producer> producers;
  const auto row = [&](std::size_t producer) {
    return std::span(cpu.latencies).subspan(producer * count, count);
  };
  const auto are_alike = [&](std::size_t one, std::size_t other) {
    for (std::size_t i = 0; i < count; ++i) {
      const int shift = producers[other].least - producers[one].least;
      if (row(other)[i] - row(one)[i] != shift) return false;
    }
    return true;
  };
  for (std::uint32_t producer = 0; producer <= count; ++producer) {
    const auto [least, most] = std::ranges::minmax(row(producer));
    producers.push_back({least, most, producer});
    std::uint32_t& same_as = producers.back().same_as;
    for (same_as = 0; !are_alike(same_as, producer);) ++same_as;
  }
  return producers;
}

// The fetch of the next instruction as if no line ended before it and nothing redirected it.
OutOfOrderCore::Slots OutOfOrderCore::next_fetch(std::uint64_t next_pc) const {
  const OutOfOrderDescription& cpu = *description_;
  Slots next{fetched_.cycle, fetched_.used, {}};
  if (redirected_) {
    next = {std::max(next.cycle + 1, redirect_cycle_), 0, {}};
  } else if (next.used != 0 && next_pc >> cpu.fetch_line_shift != fetch_line_) {
    next = {next.cycle + 1, 0, {}};
  }
  if (next.used == cpu.fetch_width) next = {next.cycle + 1, 0, {}};
  if (buffer_.full_until(1) > next.cycle) next = {buffer_.full_until(1), 0, {}};
  return next;
}

// The decoders' cycle D, and what is taken of it.
OutOfOrderCore::Slots OutOfOrderCore::next_decode(std::uint64_t fetch) const {
  const std::uint64_t first = std::max({fetch, serial_until_, active_.full_until(1)}) + 1;
  Slots next = decoded_;
  if (next.used == description_->decode_width) next = {next.cycle + 1, 0, {}};
  if (first > next.cycle) next = {first, 0, {}};
  return next;
}

// The cycles in which the next instructions can be decoded at the earliest.
std::vector<std::uint64_t> OutOfOrderCore::earliest_decodes(const Slots& decode) const {
  const OutOfOrderDescription& cpu = *description_;
  std::vector<std::uint64_t> earliest(most_pool_entries_);
  std::uint64_t cycle = decode.cycle;
  std::uint32_t used = decode.used;
  for (std::size_t k = 0; k < earliest.size(); ++k) {
    if (used == cpu.decode_width) {
      ++cycle;
      used = 0;
    }
    ++used;
    earliest[k] = cycle;
    if (k >= active_.entries()) continue;
    earliest[k] = std::max(cycle, active_.full_until(static_cast<std::uint32_t>(k + 1)) + 1);
  }
  return earliest;
}

// When all that the window holds is over.
std::uint64_t OutOfOrderCore::over_at() const {
  std::uint64_t over =
      std::max({times_.graduate + 1, times_.decode, fetched_.cycle, tied_until_, addresses_known_});
  if (redirected_) over = std::max(over, redirect_cycle_);
  const auto add_all = [&](const LatestMoments& queue) {
    over = std::max(over, queue.moments().back());
  };
  add_all(branch_stack_);
  for (const LatestMoments& queue : issue_queues_) add_all(queue);
  for (std::size_t unit = 0; unit < description_->units.size(); ++unit) {
    over = std::max({over, held_until_[unit], passed_[unit], ports_[unit].over_at()});
  }
  for (const Pending& pending : registers_) {
    const std::uint64_t ready = pending.issued + producers_[pending.producer].most;
    if (is_after(ready, over)) over = ready;
  }
  return over;
}

void OutOfOrderCore::save_fetch(WindowWriter& to, const Slots& fetch, std::uint64_t base) const {
  to.put(base - fetch.cycle);
  to.put(fetch.used);
  to.begin_list();
  for (std::uint32_t k = description_->fetch_buffer; k-- > 1;) {
    const std::uint64_t earliest = fetch.cycle + (fetch.used + k) / description_->fetch_width;
    const std::uint64_t moment = buffer_.full_until(k + 1);
    to.put(moment <= earliest ? 0 : moment - fetch.cycle);
  }
  to.end_list();
}

// No instruction graduates before D + after.
void OutOfOrderCore::save_graduation(WindowWriter& to, std::uint64_t base) const {
  const OutOfOrderDescription& cpu = *description_;
  Slots next = graduated_;
  if (next.used == cpu.graduate_width) next = {next.cycle + 1, 0, {}};
  const std::uint64_t first = base + cpu.graduate_after;
  const bool matters = next.cycle > first || (next.cycle == first && next.used != 0);
  to.put_from(first, matters ? next.cycle : 0);
  if (matters) {
    to.put(next.used);
    for (std::size_t i = 0; i < cpu.graduate_limits.size(); ++i) to.put(next.limited[i]);
  }
  to.put_from(base, times_.graduate);
}

// A late register whose last writer has graduated before D + 1 keeps nobody waiting.
void OutOfOrderCore::save_turns(WindowWriter& to, std::uint64_t base) const {
  for (const std::uint8_t passed : turns_) to.put(passed);
  if (description_->late_queue == OutOfOrderDescription::none) return;
  to.put(late_written_ || late_graduated_ <= base ? 1 : 0);
  to.put_from(base + 1, late_graduated_);
}

void OutOfOrderCore::save_registers(WindowWriter& to, std::uint64_t base) const {
  to.begin_list();
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    const Producer& producer = producers_[registers_[i].producer];
    if (!is_after(registers_[i].issued + producer.most, base + 1)) continue;
    to.put(i + 1);
    to.put(producer.same_as + std::uint64_t{1});
    to.put(registers_[i].issued + producer.least - base + register_bias);
  }
  to.end_list();
}

bool OutOfOrderCore::save(std::uint64_t next_pc, WindowState& state, Position& position) const {
  const OutOfOrderDescription& cpu = *description_;
  const Slots fetch = next_fetch(next_pc);
  const Slots decode = next_decode(fetch.cycle);
  const std::vector<std::uint64_t> earliest = earliest_decodes(decode);
  const std::uint64_t base = decode.cycle;
  position = {base, times_.graduate};
  state.latest = std::max(over_at(), base) - base;
  WindowWriter to(state.words, base);
  save_fetch(to, fetch, base);
  to.put(decode.used);
  for (std::size_t i = 0; i < cpu.decode_limits.size(); ++i) to.put(decode.limited[i]);
  save_graduation(to, base);
  to.put_from(base + 2, addresses_known_);
  to.put_from(base + 1, tied_until_);
  save_turns(to, base);
  save_pools(to, decode, earliest);
  for (std::size_t unit = 0; unit < cpu.units.size(); ++unit) {
    to.put_from(base + 2, held_until_[unit]);
    to.put_from(base + 2, passed_[unit]);
    to.put_calendar(ports_[unit], base + 1);
  }
  save_registers(to, base);
  const bool is_before_slot = redirected_ && redirect_after_ != 0;
  return to.fits() && !is_before_slot;
}

// All else is in the window's words, if it can be told, or follows from the description.
void OutOfOrderCore::archive_beside_window(Archive& to, std::uint64_t fetch, std::uint64_t base) {
  auto& [description, predictor, transfers, mispredicted, times, pc, fetched, line, line_start,
         buffer, redirected, redirect_after, redirect_cycle, decoded, graduated, serial, active,
         branches, issue_queues, graduation_queues, files, file_writes, ports, port_time, held,
         passed, turns, tied, late_written, late_graduated, registers, in_flight, addresses,
         producers, most_entries, most_pool_entries] = *this;
  to.state(predictor, transfers, mispredicted);
  for (const Miss& miss : in_flight.misses) {
    if (miss.over() <= fetch) continue;
    to.value(miss.line);
    for (const std::uint64_t moment : {miss.start, miss.filled, miss.memory_free}) {
      to.value(std::max(moment, fetch) - fetch);
    }
  }
  // The next instruction issues at base + 1 at the earliest.
  const std::uint64_t first = base + 1;
  for (const Store& store : in_flight.stores) {
    if (store.ready <= first) continue;
    to.value(store.bytes.first);
    to.value(store.bytes.count);
    to.value(store.ready - base);
  }
  to.derived(times, pc, fetched, line, line_start, buffer, redirected, redirect_after,
             redirect_cycle, decoded, graduated, serial, active, branches, issue_queues,
             graduation_queues, files, file_writes, ports, port_time, held, passed, turns, tied,
             late_written, late_graduated, registers, addresses);
  to.wiring(description, producers, most_entries, most_pool_entries);
}

void OutOfOrderCore::save_pools(WindowWriter& to, const Slots& decode,
                                const std::vector<std::uint64_t>& earliest) const {
  const OutOfOrderDescription& cpu = *description_;
  // The active list itself says when instructions are decoded, so it does not count here.
  std::vector<std::uint64_t> without_list(active_.entries());
  for (std::size_t k = 0; k < without_list.size(); ++k) {
    without_list[k] = decode.cycle + (decode.used + k) / cpu.decode_width;
  }
  to.put_pool(active_, most_entries_, without_list);
  to.put_moments(branch_stack_, earliest);
  for (std::size_t queue = 0; queue < cpu.queues.size(); ++queue) {
    if (cpu.queues[queue].until_graduation) {
      to.put_pool(graduation_queues_[queue], 1, earliest);
    } else {
      to.put_moments(issue_queues_[queue], earliest);
    }
  }
  for (std::size_t file = 0; file < files_.size(); ++file) {
    to.put_pool(files_[file], cpu.files[file].most, earliest);
  }
}

void OutOfOrderCore::restore(std::span<const std::uint16_t> state, std::uint64_t next_pc,
                             const Position& position) {
  const OutOfOrderDescription& cpu = *description_;
  const std::uint64_t base = position.base;
  WindowReader from(state, base);
  times_ = {.graduate = position.graduated};
  restore_fetch(from, next_pc, base);
  decoded_ = {base, static_cast<std::uint32_t>(from.get()), {}};
  for (std::size_t i = 0; i < cpu.decode_limits.size(); ++i) {
    decoded_.limited[i] = static_cast<std::uint32_t>(from.get());
  }
  serial_until_ = 0;
  restore_graduation(from);
  addresses_known_ = from.get_moment();
  tied_until_ = from.get_moment();
  restore_turns(from);
  restore_pools(from);
  port_time_ = base;
  for (std::size_t unit = 0; unit < cpu.units.size(); ++unit) {
    held_until_[unit] = from.get_moment();
    passed_[unit] = from.get_moment();
    from.get_calendar(ports_[unit], base + 1);
  }
  restore_registers(from, base);
}

void OutOfOrderCore::restore_fetch(WindowReader& from, std::uint64_t next_pc, std::uint64_t base) {
  redirected_ = false;
  fetch_line_ = next_pc >> description_->fetch_line_shift;
  const std::uint64_t cycle = base - from.get();
  fetched_ = {cycle, static_cast<std::uint32_t>(from.get()), {}};
  buffer_.clear();
  std::size_t entry = description_->fetch_buffer;
  for (std::size_t left = from.get(); left != 0; --left) {
    const std::uint64_t value = from.get();
    buffer_.set(--entry, value == 0 ? 0 : cycle + value);
  }
}

void OutOfOrderCore::restore_graduation(WindowReader& from) {
  graduated_ = {from.get_moment(), 0, {}};
  if (graduated_.cycle != 0) {
    graduated_.used = static_cast<std::uint32_t>(from.get());
    for (std::size_t i = 0; i < description_->graduate_limits.size(); ++i) {
      graduated_.limited[i] = static_cast<std::uint32_t>(from.get());
    }
  }
  from.get();  // the position says it as well
}

void OutOfOrderCore::restore_turns(WindowReader& from) {
  for (std::uint8_t& passed : turns_) passed = static_cast<std::uint8_t>(from.get());
  if (description_->late_queue == OutOfOrderDescription::none) return;
  late_written_ = from.get() != 0;
  late_graduated_ = from.get_moment();
}

void OutOfOrderCore::restore_pools(WindowReader& from) {
  const OutOfOrderDescription& cpu = *description_;
  from.get_moments(active_, active_.entries());
  from.get_moments(branch_stack_, branch_stack_.moments().size());
  for (std::size_t queue = 0; queue < cpu.queues.size(); ++queue) {
    if (cpu.queues[queue].until_graduation) {
      from.get_moments(graduation_queues_[queue], cpu.queues[queue].entries);
    } else {
      from.get_moments(issue_queues_[queue], cpu.queues[queue].entries);
    }
  }
  for (InOrderPool& file : files_) from.get_moments(file, file.entries());
}

void OutOfOrderCore::restore_registers(WindowReader& from, std::uint64_t base) {
  std::fill(registers_.begin(), registers_.end(), Pending{});
  for (std::size_t left = from.get() / 3; left != 0; --left) {
    const std::size_t at = from.get() - 1;
    const auto producer = static_cast<std::uint32_t>(from.get() - 1);
    const std::uint64_t issued = base + from.get() - register_bias - producers_[producer].least;
    if (at >= registers_.size()) registers_.resize(at + 1);
    registers_[at] = {issued, producer};
  }
}

// Everything before it is over in some cycle X. It is fetched by X + 1, after a line's end or a
// full group, decoded by X + 3, ready to issue by X + 4 and, all units being free, issued then.
std::uint32_t OutOfOrderCore::longest(const InstructionTiming& timing) const {
  const OutOfOrderDescription& cpu = *description_;
  const Class& timing_class = cpu.classes[timing.timing_class];
  std::uint32_t after_issue = std::max<std::uint32_t>(
      {timing_class.latency, timing_class.repeat, timing_class.second_after + std::uint32_t{1},
       timing_class.tie, cpu.forward_after, cpu.addresses_after.value_or(0),
       producers_[timing.timing_class + std::size_t{1}].most});
  for (const std::uint16_t latency : cpu.result_latencies) {
    if (latency != OutOfOrderDescription::by_class) {
      after_issue = std::max<std::uint32_t>(after_issue, latency);
    }
  }
  const std::uint32_t redirection = std::max({cpu.mispredicted_taken, cpu.mispredicted_not_taken,
                                              cpu.mispredicted_indirect, cpu.target_delay});
  return 5 + after_issue + std::max(cpu.graduate_after + 2, redirection);
}

}  // namespace hardclock
