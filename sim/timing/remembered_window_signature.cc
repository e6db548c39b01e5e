// What a passage through the window depends on besides the window: waits, and memory under way.
#include <algorithm>

#include "sim/timing/remembered_window.h"

namespace hardclock {
namespace {

// A signature's word: what it says, of which instruction, and a number.
enum Kind : unsigned { fetch_waits, memory_waits, data_under_way_until, meets_earlier };
constexpr unsigned number_bits = 24;
constexpr std::uint32_t misses_follow = ~std::uint32_t{0};
constexpr std::uint32_t has_words = 0x8000'0000;

}  // namespace

void RememberedWindow::sign(std::size_t count, bool nullified) {
  can_be_signed_ = true;
  signature_words_.clear();
  for (std::size_t i = 0; i < fetch_count_; ++i) {
    put_sign(fetch_waits, fetches_[i].index, fetches_[i].stall);
    put_sign(fetch_waits, fetches_[i].index, fetches_[i].busy);
  }
  if (fetch_count_ != 0) sign_misses(next_fetch());
  sign_accesses(count);
  signature_ = static_cast<std::uint32_t>(redirection_) | slots_ << 3 | (nullified ? 1U : 0U) << 4 |
               (count == line_->timings.size() ? 1U : 0U) << 5;
  if (signature_words_.empty()) return;
  std::uint64_t hash = 0;
  for (const Word word : signature_words_) hash = scatter((hash ^ word) + (hash >> 29));
  signature_ |= has_words | (static_cast<std::uint32_t>(hash >> 32) & ~has_words & ~0x3fU);
}

void RememberedWindow::put_sign(unsigned kind, std::uint64_t index, std::uint64_t value) {
  if (value >> number_bits != 0) can_be_signed_ = false;
  signature_words_.push_back(
      static_cast<Word>(std::uint64_t{kind} << 30 | index << number_bits | value));
}

// Most accesses clearly meet no other and need no word.
void RememberedWindow::sign_accesses(std::size_t count) {
  const bool is_calm = stalls_ == 0 && last_filled_ <= position_.base;
  const std::uint64_t base = position_.base;
  std::uint64_t stored = 0;  // bit i: places that are i modulo 64
  std::size_t number = 0;
  for (const StraightLine::MemoryAccess& of : line_->memory_accesses) {
    if (of.index >= count) break;
    const Core::Bytes bytes = Core::bytes_of(of.bytes, address_of(of.index));
    // Field by field: a copy of the whole would wait for its parts to be written.
    Access& access = accesses_[number];
    access.bytes.first = bytes.first;
    access.bytes.count = bytes.count;
    access.of = of;
    access.noted.stall = 0;
    access.noted.busy = 0;
    access.noted.line = 0;
    if ((are_noted_ >> of.index & 1) != 0) [[unlikely]]
      access.noted = noted_[of.index];
    const std::uint64_t first = block_of(bytes.first);
    const std::uint64_t last = block_of(bytes.first + bytes.count - 1);
    const std::uint64_t bits = std::uint64_t{1} << first % 64 | std::uint64_t{1} << last % 64;
    const bool is_alone =
        of.stores || ((stored & bits) == 0 && store_place(first).ready <= base + of.earliest &&
                      (first == last || store_place(last).ready <= base + of.earliest));
    if (!is_calm || !is_alone) sign_access(number);
    if (of.stores) stored |= bits;
    ++number;
  }
  access_count_ = number;
}

void RememberedWindow::sign_access(std::size_t number) {
  const Access& access = accesses_[number];
  if (access.noted.misses()) {
    put_sign(memory_waits, access.of.index, access.noted.stall);
    put_sign(memory_waits, access.of.index, access.noted.busy);
    sign_misses(position_.base + 1);
  }
  const std::uint64_t until = data_under_way(access);
  if (until > position_.base + access.of.earliest) {
    put_sign(data_under_way_until, access.of.index, until - position_.base);
  }
  if (number != 0) sign_earlier(number);
}

// Until when the access waits for others that are from before the passage; what is over before it
// can have data need not be told.
std::uint64_t RememberedWindow::data_under_way(const Access& access) const {
  std::uint64_t until = 0;
  if (!access.noted.misses() && last_filled_ > position_.base) {
    for (const Core::Miss& miss : core_.in_flight().misses) {
      if (miss.line == access.noted.line) until = std::max(until, miss.filled);
    }
  }
  return access.of.stores ? until : std::max(until, stores_under_way(access));
}

std::uint64_t RememberedWindow::stores_under_way(const Access& access) const {
  const std::uint64_t first = block_of(access.bytes.first);
  if (first == block_of(access.bytes.first + access.bytes.count - 1)) {
    const StorePlace& place = store_place(first);
    if (place.ready <= position_.base + access.of.earliest || place.bytes.meet(access.bytes)) {
      return place.ready;
    }
  }
  std::uint64_t until = 0;
  for (const Core::Store& store : core_.in_flight().stores) {
    if (store.bytes.meet(access.bytes)) until = std::max(until, store.ready);
  }
  return until;
}

// Which of the passage's earlier accesses it meets: stores to its bytes; misses of its line.
void RememberedWindow::sign_earlier(std::size_t number) {
  const Access& access = accesses_[number];
  const bool loads = !access.of.stores;
  std::uint64_t stores = 0;
  std::uint64_t misses = 0;
  for (std::size_t i = 0; i < number; ++i) {
    const Access& earlier = accesses_[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (loads && earlier.of.stores && earlier.bytes.meet(access.bytes)) stores |= bit;
    if (!earlier.noted.misses()) continue;
    if (earlier.noted.line == access.noted.line) misses |= bit;
  }
  if (access.noted.misses()) misses = 0;
  for (const std::uint64_t mask : {stores, misses}) {
    if (mask == 0) continue;
    put_sign(meets_earlier, access.of.index, mask == stores ? 0 : 1);
    signature_words_.push_back(static_cast<Word>(mask));
    signature_words_.push_back(static_cast<Word>(mask >> 32));
  }
}

// A miss, in the cycle `first` or later, may have to wait until one of those before it is over, or
// memory has done with it.
void RememberedWindow::sign_misses(std::uint64_t first) {
  for (const Core::Miss& miss : core_.in_flight().misses) {
    if (miss.over() <= first) continue;
    signature_words_.push_back(misses_follow);
    for (const std::uint64_t moment : {miss.start, miss.filled, miss.memory_free}) {
      put_sign(0, 0, std::max(moment, first) - first);
    }
  }
}

bool RememberedWindow::has_signature(const Passage& passage) const {
  Details details;
  std::memcpy(&details, &detail_words_[passage.details], sizeof details);
  const auto* const words = &detail_words_[passage.details] + sizeof details / sizeof(Word);
  return std::ranges::equal(std::span(words, details.signature), signature_words_);
}

}  // namespace hardclock
