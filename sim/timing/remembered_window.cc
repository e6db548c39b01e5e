#include "sim/timing/remembered_window.h"

#include <cstring>

#include "sim/base/check.h"

namespace hardclock {
namespace {

using Core = OutOfOrderCore;

constexpr std::size_t first_heads = 1024;
// Memory that is over is looked for when so many stores and misses have gathered.
constexpr std::size_t many_in_flight = 32;

// A charge's first word: the instruction, and above it the reason.
constexpr unsigned index_bits = 8;
constexpr std::uint32_t index_mask = (1u << index_bits) - 1;

}  // namespace

RememberedWindow::RememberedWindow(std::shared_ptr<const OutOfOrderDescription> description,
                                   Limits limits)
    : core_(std::move(description)), limits_(limits) {
  forget();
  counts_ = {};
}

// ---- Single instructions.

std::uint32_t RememberedWindow::retire(const InstructionTiming& timing,
                                       const Core::Dynamic& dynamic) {
  stand_in_core(dynamic.pc);
  is_known_ = false;
  const std::uint32_t cycles = core_.retire(timing, dynamic);
  if (reference_) CHECK(reference_->retire(timing, dynamic) == cycles);
  return cycles;
}

void RememberedWindow::resolve_last(const Core::Resolution& outcome) {
  core_.resolve(outcome);
  if (reference_) reference_->resolve(outcome);
}

void RememberedWindow::drain() {
  core_.drain();
  if (reference_) reference_->drain();
  stands_in_core_ = true;
  is_known_ = false;
  memory_over_ = 0;
  last_filled_ = 0;
  store_places_.fill({});
}

// ---- A passage.

void RememberedWindow::add(StraightLine& line) {
  CHECK(line.timings.size() <= StraightLine::most);
  line.number = ++lines_;
  const OutOfOrderDescription& cpu = core_.description();
  for (std::size_t i = 0; i < line.timings.size(); ++i) {
    const InstructionTiming& timing = *line.timings[i];
    line.longest += core_.longest(timing);
    if (!line.accesses_memory(i)) continue;
    // It is made in the cycle after its decode at the earliest.
    const std::size_t earliest =
        1 + i / cpu.decode_width + cpu.classes[timing.timing_class].latency;
    line.memory_accesses.push_back({.index = static_cast<std::uint8_t>(i),
                                    .bytes = timing.bytes_accessed,
                                    .stores = (line.stores >> i & 1) != 0,
                                    .earliest = static_cast<std::uint16_t>(earliest)});
  }
}

// The core's window becomes known.
void RememberedWindow::know(std::uint64_t next_pc) {
  if (is_full()) forget();
  state_ = core_.save(next_pc, scratch_, position_) ? intern(scratch_) : none;
  latest_ = scratch_.latest;
  is_known_ = true;
  last_ = none;
  for (const Core::Store& store : core_.in_flight().stores) note_store(store);
  for (const Core::Miss& miss : core_.in_flight().misses) note_miss(miss);
}

// All that lasts from passage to passage: core_, or the state that stands in its place.
void RememberedWindow::archive(Archive& to, std::uint64_t next_pc) {
  to.wiring(limits_, keeps_charges_, keeps_reasons_, reference_);
  to.counted(counts_);
  to.derived(lines_, is_known_, latest_, next_pc_, memory_over_, last_filled_, store_places_);
  // Of a passage.
  to.derived(line_, log_, are_noted_, noted_, accesses_, access_count_, fetches_, fetch_count_,
             stalls_, longest_, retired_, cycles_, redirection_, slots_, is_resolved_, charges_,
             first_, signature_, can_be_signed_, signature_words_, late_stores_, late_misses_);
  to.derived(passages_, detail_words_, heads_, last_, state_heads_, scratch_);
  if (to.loads()) {
    drain();
    return to.kept(core_);
  }
  if (!to.is_digest()) {
    OutOfOrderCore core = core_;
    if (!stands_in_core_) restore_state(core, next_pc);
    return to.kept(core);
  }
  OutOfOrderCore::Position position = position_;
  std::span<const std::uint16_t> words;
  WindowState told;
  if (stands_in_core_) {
    if (core_.save(next_pc, told, position)) words = told.words;
  } else {
    const State& state = states_[state_];
    words = std::span(state_words_).subspan(state.first, state.size);
  }
  for (const std::uint16_t word : words) (void)to.value(word);
  (void)to.value(words.size());
  (void)to.value(position.base - position.graduated);
  const std::uint64_t ahead = words.empty() ? 0 : words[WindowState::fetch_before_base];
  core_.archive_beside_window(to, position.base - ahead, position.base);
}

void RememberedWindow::stand_in_core(std::uint64_t next_pc) {
  if (stands_in_core_) return;
  restore_state(core_, next_pc);
  stands_in_core_ = true;
}

void RememberedWindow::restore_state(Core& core, std::uint64_t next_pc) const {
  const State& state = states_[state_];
  core.restore(std::span(state_words_).subspan(state.first, state.size), next_pc, position_);
}

void RememberedWindow::resolve(const Core::Resolution& outcome) {
  const std::uint64_t pc = line_->pc_of(line_->transfer);
  redirection_ = core_.predict(pc, outcome);
  slots_ = outcome.slots;
  is_resolved_ = true;
  if (reference_) CHECK(reference_->predict(pc, outcome) == redirection_);
}

std::uint64_t RememberedWindow::catch_up(std::size_t count) {
  if (retired_ < count) stand_in_core(line_->pc);
  for (; retired_ < count; ++retired_) retire_in_line(retired_, false);
  return cycles_;
}

void RememberedWindow::retire_in_line(std::size_t index, bool nullified) {
  const std::uint32_t cycles = core_.retire(*line_->timings[index], dynamic_of(index, nullified));
  cycles_ += cycles;
  charge(index, cycles);
  if (index == line_->transfer && !nullified) core_.redirect(redirection_, slots_);
}

// The instruction is the core's last one.
void RememberedWindow::charge(std::size_t index, std::uint32_t cycles) {
  const auto at = static_cast<std::uint32_t>(index);
  if (!keeps_reasons_) {
    if (cycles != 0) charges_.push_back({at, cycles});
    return;
  }
  const LastCycles last = core_.last_cycles();
  if (index == 0) first_ = last;
  last.visit(0, cycles, [&](CycleReason reason, std::uint32_t part) {
    charges_.push_back({at, part, reason});
  });
}

Core::Dynamic RememberedWindow::dynamic_of(std::size_t index, bool nullified) const {
  Core::Dynamic dynamic;
  dynamic.pc = line_->pc_of(index);
  dynamic.is_nullified = nullified;
  if (nullified) return dynamic;
  for (std::size_t i = 0; i < fetch_count_; ++i) {
    if (fetches_[i].index != index) continue;
    dynamic.fetch_stall = fetches_[i].stall;
    dynamic.fetch_busy = fetches_[i].busy;
  }
  if ((line_->accesses >> index & 1) == 0) return dynamic;
  dynamic.is_memory = true;
  dynamic.is_store = (line_->stores >> index & 1) != 0;
  dynamic.memory = noted_of(index);
  dynamic.memory_address = address_of(index);
  return dynamic;
}

// Whether a transfer's slot is still to come when so many instructions have passed.
bool RememberedWindow::leaves_slot(std::size_t passed) const {
  return redirection_ != Core::Redirection::none && line_->transfer + slots_ >= passed;
}

std::uint64_t RememberedWindow::pass_in_core(std::size_t count, bool nullified) {
  catch_up(count);
  if (nullified) {
    stand_in_core(line_->pc);
    retire_in_line(count, true);
  }
  return cycles_;
}

std::uint64_t RememberedWindow::end(std::size_t count, bool nullified, std::uint64_t next_pc) {
  ++counts_.passages;
  std::uint64_t cycles = 0;
  const std::size_t passed = count + (nullified ? 1 : 0);
  const bool is_whole = passed + 1 >= line_->timings.size() && passed != 0;
  if (retired_ != 0 || state_ == none || !is_whole || leaves_slot(passed)) [[unlikely]] {
    cycles = pass_in_core(count, nullified);
    is_known_ = is_known_ && passed == 0;
  } else {
    sign(count, nullified);
    const std::uint32_t known = can_be_signed_ ? find() : none;
    cycles = known != none ? apply(passages_[known]) : learn(count, nullified, next_pc);
  }
  if (reference_) check(count, nullified, cycles);
  next_pc_ = next_pc;
  line_ = nullptr;
  return cycles;
}

// The last instruction that has been caught up with, which does not graduate, is all that has come
// of the line.
void RememberedWindow::interrupt() {
  if (reference_) check(retired_, false, cycles_);
  while (!charges_.empty() && charges_.back().index + 1 == retired_) charges_.pop_back();
  line_ = nullptr;
  drain();
}

// ---- What is known.

std::uint32_t RememberedWindow::find() {
  std::uint32_t& follower = passages_[last_].follower;
  std::uint32_t at = follower;
  if (!is_meant(passages_[at])) {
    at = heads_[place_of(line_->number, state_)];
    while (at != none && !is_meant(passages_[at])) at = passages_[at].next;
  }
  if (at == none) return none;
  if (last_ != none) follower = at;
  last_ = at;
  return at;
}

std::uint64_t RememberedWindow::apply(const Passage& passage) {
  position_.base += passage.base;
  const std::uint64_t graduated =
      position_.base + static_cast<std::uint64_t>(std::int64_t{passage.graduated});
  const std::uint64_t cycles = graduated - position_.graduated;
  position_.graduated = graduated;
  state_ = passage.exit;
  latest_ = passage.latest;
  stands_in_core_ = false;
  if (passage.details != none) apply_details(passage);
  if (keeps_charges_) charge_first(cycles);
  return cycles;
}

// What the first instruction costs depends on when the one before the passage graduated, which is
// not always a part of the state.
// The charges stay in the order of the instructions.
void RememberedWindow::charge_first(std::uint64_t cycles) {
  for (const Charge& charge : charges_) cycles -= charge.cycles;
  if (!keeps_reasons_) {
    if (cycles != 0) charges_.insert(charges_.begin(), {0, static_cast<std::uint32_t>(cycles)});
    return;
  }
  auto at = charges_.begin();
  first_.visit(0, cycles, [&](CycleReason reason, std::uint32_t part) {
    at = charges_.insert(at, {0, part, reason}) + 1;
  });
}

void RememberedWindow::apply_details(const Passage& passage) {
  Details details;
  std::memcpy(&details, &detail_words_[passage.details], sizeof details);
  const Word* word =
      &detail_words_[passage.details] + sizeof details / sizeof(Word) + details.signature;
  Core::InFlight& in_flight = core_.in_flight();
  if (in_flight.stores.size() + in_flight.misses.size() > many_in_flight) {
    in_flight.forget_until(next_fetch(), position_.base);
  }
  for (const Word* const end = word + details.stores; word != end; word += 2) {
    in_flight.stores.push_back({accesses_[word[0]].bytes, position_.base + word[1]});
    note_store(in_flight.stores.back());
  }
  const std::uint64_t fetch = next_fetch();
  for (const Word* const end = word + details.misses; word != end; word += 4) {
    const bool is_data = word[0] != LateMiss::of_instructions;
    // It may have begun before the fetch.
    in_flight.misses.push_back({is_data ? accesses_[word[0]].noted.line : Core::Miss::no_line,
                                fetch + word[1], fetch + word[2], fetch + word[3]});
    note_miss(in_flight.misses.back());
  }
  if (!keeps_charges_) return;
  for (const Word* const end = word + details.charges; word != end; word += 2) {
    charges_.push_back(
        {word[0] & index_mask, word[1], static_cast<CycleReason>(word[0] >> index_bits)});
  }
  first_ = LastCycles();
  for (const Word* const end = word + details.first; word != end; word += 2) {
    first_.add(static_cast<CycleReason>(word[0]), word[1]);
  }
}

void RememberedWindow::note_store(const Core::Store& store) {
  const std::uint64_t first = block_of(store.bytes.first);
  const std::uint64_t last = block_of(store.bytes.first + store.bytes.count - 1);
  for (const std::uint64_t block : {first, last}) {
    StorePlace& place = store_places_[block % store_places_.size()];
    if (store.ready >= place.ready) place = {store.ready, store.bytes};
    if (first == last) break;
  }
  memory_over_ = std::max(memory_over_, store.ready);
}

// ---- What is new.

// The passage goes through the core, and is remembered.
std::uint64_t RememberedWindow::learn(std::size_t count, bool nullified, std::uint64_t next_pc) {
  ++counts_.new_ones;
  const std::uint32_t before = state_;
  const Core::Position first = position_;
  stand_in_core(line_->pc);
  late_stores_.clear();
  late_misses_.clear();
  for (std::size_t access = 0; retired_ < count; ++retired_) {
    retire_in_line(retired_, false);
    note_late_lines(retired_);
    if (access == access_count_ || accesses_[access].of.index != retired_) continue;
    note_late(static_cast<std::uint32_t>(access++));
  }
  if (nullified) retire_in_line(count, true);
  const bool can_be_told = core_.save(next_pc, scratch_, position_);
  latest_ = scratch_.latest;
  if (is_full()) forget();
  is_known_ = can_be_told && is_known_;
  if (!is_known_) return cycles_;
  state_ = intern(scratch_);
  if (can_be_signed_)
    remember(before, first);
  else
    last_ = none;
  return cycles_;
}

// The last retired instruction, of that index, may have waited for its line.
void RememberedWindow::note_late_lines(std::size_t index) {
  for (std::size_t i = 0; i < fetch_count_; ++i) {
    if (fetches_[i].index != index || fetches_[i].busy == 0) continue;
    const Core::Miss miss = Core::Miss::of_instructions(core_.line_start(), fetches_[i].busy);
    late_misses_.push_back({LateMiss::of_instructions, miss});
    note_miss(miss);
  }
}

// The last retired instruction has made that access.
void RememberedWindow::note_late(std::uint32_t number) {
  const Access& access = accesses_[number];
  if (core_.is_nop(*line_->timings[access.of.index])) return;
  if (access.of.stores) {
    const Core::Store& store = core_.in_flight().stores.back();
    late_stores_.push_back({number, store.ready});
    note_store(store);
  }
  if (!access.noted.misses()) return;
  const Core::Miss& miss = core_.in_flight().misses.back();
  late_misses_.push_back({number, miss});
  note_miss(miss);
}

void RememberedWindow::note_miss(const Core::Miss& miss) {
  last_filled_ = std::max(last_filled_, miss.filled);
  memory_over_ = std::max(memory_over_, miss.over());
}

void RememberedWindow::remember(std::uint32_t state, const Core::Position& before) {
  Passage passage;
  passage.line = line_->number;
  passage.state = state;
  passage.signature = signature_;
  passage.exit = state_;
  passage.base = static_cast<std::uint32_t>(position_.base - before.base);
  passage.graduated = static_cast<std::int32_t>(position_.graduated - position_.base);
  passage.latest = static_cast<std::uint32_t>(latest_);
  passage.details = put_details();
  const auto number = static_cast<std::uint32_t>(passages_.size());
  std::uint32_t& head = heads_[place_of(passage.line, passage.state)];
  passage.next = head;
  head = number;
  passages_.push_back(passage);
  if (last_ != none) passages_[last_].follower = number;
  last_ = number;
  grow(heads_, passages_, [this](const Passage& one) { return place_of(one.line, one.state); });
}

// The number of what the passage has besides; none: nothing.
std::uint32_t RememberedWindow::put_details() {
  const auto at = static_cast<std::uint32_t>(detail_words_.size());
  Details details{};
  detail_words_.resize(at + sizeof details / sizeof(Word));
  details.signature = static_cast<Word>(signature_words_.size());
  detail_words_.insert(detail_words_.end(), signature_words_.begin(), signature_words_.end());
  for (const LateStore& store : late_stores_) {
    if (store.ready <= position_.base + 1) continue;
    const auto ready = static_cast<Word>(store.ready - position_.base);
    detail_words_.insert(detail_words_.end(), {store.access, ready});
    details.stores += 2;
  }
  const std::uint64_t fetch = next_fetch();
  const auto relative = [fetch](std::uint64_t moment) {
    return static_cast<Word>(moment - std::min(moment, fetch));
  };
  for (const LateMiss& miss : late_misses_) {
    if (miss.of.over() <= fetch) continue;
    detail_words_.insert(detail_words_.end(),
                         {miss.access, relative(miss.of.start), relative(miss.of.filled),
                          relative(miss.of.memory_free)});
    details.misses += 4;
  }
  if (keeps_charges_) {
    for (const Charge& charge : charges_) {
      if (charge.index == 0) continue;
      const Word reason = static_cast<Word>(charge.reason) << index_bits;
      detail_words_.insert(detail_words_.end(), {charge.index | reason, charge.cycles});
      details.charges += 2;
    }
  }
  if (keeps_reasons_) {
    for (const LastCycles::Part& part : first_) {
      detail_words_.insert(detail_words_.end(), {static_cast<Word>(part.reason), part.cycles});
      details.first += 2;
    }
  }
  std::memcpy(&detail_words_[at], &details, sizeof details);
  if (detail_words_.size() != at + sizeof details / sizeof(Word)) return at;
  detail_words_.resize(at);
  return none;
}

bool RememberedWindow::is_full() const {
  return passages_.size() >= limits_.passages || state_words_.size() >= limits_.state_words ||
         detail_words_.size() >= limits_.detail_words;
}

std::uint32_t RememberedWindow::intern(const WindowState& state) {
  std::uint64_t hash = state.words.size();
  for (const std::uint16_t word : state.words) hash = scatter((hash ^ word) + (hash >> 29));
  const auto key = static_cast<std::uint32_t>(hash >> 32);
  for (std::uint32_t at = state_heads_[key & (state_heads_.size() - 1)]; at != none;
       at = states_[at].next) {
    const State& known = states_[at];
    const auto words = std::span(state_words_).subspan(known.first, known.size);
    if (known.hash == key && std::ranges::equal(words, state.words)) return at;
  }
  const auto number = static_cast<std::uint32_t>(states_.size());
  std::uint32_t& head = state_heads_[key & (state_heads_.size() - 1)];
  states_.push_back({static_cast<std::uint32_t>(state_words_.size()),
                     static_cast<std::uint32_t>(state.words.size()), key, head});
  head = number;
  state_words_.insert(state_words_.end(), state.words.begin(), state.words.end());
  grow(state_heads_, states_,
       [this](const State& one) { return one.hash & (state_heads_.size() - 1); });
  return number;
}

template <class Entries, class Place>
void RememberedWindow::grow(std::vector<std::uint32_t>& heads, Entries& entries, Place place) {
  if (entries.size() <= heads.size()) return;
  heads.assign(2 * heads.size(), none);
  for (std::uint32_t number = 1; number < entries.size(); ++number) {
    std::uint32_t& head = heads[place(entries[number])];
    entries[number].next = head;
    head = number;
  }
}

void RememberedWindow::forget() {
  if (!stands_in_core_) stand_in_core(next_pc_);
  is_known_ = false;
  ++counts_.generations;
  passages_.assign(1, Passage());
  passages_.shrink_to_fit();
  detail_words_.assign(1, 0);
  detail_words_.shrink_to_fit();
  heads_.assign(first_heads, none);
  heads_.shrink_to_fit();
  states_.assign(1, State());
  states_.shrink_to_fit();
  state_words_.clear();
  state_words_.shrink_to_fit();
  state_heads_.assign(first_heads, none);
  state_heads_.shrink_to_fit();
  last_ = none;
}

std::uint64_t RememberedWindow::bytes() const {
  return passages_.capacity() * sizeof(Passage) + states_.capacity() * sizeof(State) +
         state_words_.capacity() * sizeof(std::uint16_t) +
         (detail_words_.capacity() + heads_.capacity() + state_heads_.capacity()) * sizeof(Word);
}

void RememberedWindow::check(std::size_t count, bool nullified, std::uint64_t cycles) {
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < count + (nullified ? 1 : 0); ++i) {
    expected += reference_->retire(*line_->timings[i], dynamic_of(i, i == count));
    if (i == line_->transfer && i != count) reference_->redirect(redirection_, slots_);
  }
  CHECK(cycles == expected);
}

}  // namespace hardclock
