#include "tests/unit/ia64/register_stack_model.h"

#include <algorithm>

namespace hardclock::ia64::test {
namespace {

bool is_collection(std::uint64_t address) {
  return address / 8 % 64 == 63;
}

// The next address of a register, from `address` on.
std::uint64_t place_from(std::uint64_t address) {
  return is_collection(address) ? address + 8 : address;
}

}  // namespace

bool Memory::fails(std::uint64_t address) {
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  const bool is_mapped = std::any_of(areas_.begin(), areas_.end(), [address](const auto& area) {
    return area.first <= address && address < area.second;
  });
  if (is_mapped && address % 8 == 0 && (random_ >> 33) % 100 >= failures_) return false;
  ++failed;
  return true;
}

std::optional<std::uint64_t> Memory::load(std::uint64_t address, Endian order) {
  if (fails(address)) return std::nullopt;
  ++loads;
  const auto word = words_.find(address);
  if (word == words_.end()) return at(address);
  return word->second.order == order ? word->second.value : byte_swap(word->second.value);
}

bool Memory::store(std::uint64_t address, std::uint64_t value, Endian order) {
  if (fails(address)) return false;
  ++stores;
  words_[address] = {value, order};
  return true;
}

std::uint64_t Memory::at(std::uint64_t address) const {
  const auto word = words_.find(address);
  return word == words_.end() ? 0x5555'0000'0000'0000 + address : word->second.value;
}

std::uint64_t ModelStore::address_of(std::size_t index) {
  while (addresses_.size() <= index) {
    addresses_.push_back(place_from(addresses_.empty() ? start_ : addresses_.back() + 8));
  }
  return addresses_[index];
}

std::size_t ModelStore::index_at(std::uint64_t address) {
  while (address_of(addresses_.size()) < address) continue;
  const auto at = std::lower_bound(addresses_.begin(), addresses_.end(), address);
  return static_cast<std::size_t>(at - addresses_.begin());
}

ModelRegister& ModelStore::at(std::size_t index) {
  if (index >= registers_.size()) registers_.resize(index + 1);
  return registers_[index];
}

std::pair<std::uint64_t, std::uint64_t> ModelStore::collection(std::uint64_t address,
                                                               std::size_t end) {
  std::uint64_t bits = 0, mask = 0;
  std::uint64_t at_slot = address - 63 * 8;
  for (unsigned i = 0; i < 63; ++i, at_slot += 8) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (at_slot < start_) {
      bits |= rnat_ & bit;
      mask |= bit;
      continue;
    }
    const std::size_t index = index_at(at_slot);
    if (index >= end || !at(index).is_known) continue;
    bits |= at(index).nat ? bit : 0;
    mask |= bit;
  }
  return {bits, mask};
}

ModelRegister& Model::at(unsigned r) {
  unsigned place = r - 32;
  if (place < marker.sor) place = (place + marker.rrb_gr) % marker.sor;
  return store->at(bottom + place);
}

void Model::forget(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) store->at(i).is_known = false;
}

void Model::call() {
  bottom += marker.sol;
  marker = {.sof = static_cast<std::uint8_t>(marker.sof - marker.sol)};
}

void Model::ret(const FrameMarker& frame) {
  const std::size_t before = top();
  bottom -= frame.sol;
  marker = frame;
  forget(before, top());
}

void Model::alloc(unsigned sof, unsigned sol, unsigned sor) {
  const std::size_t before = top();
  marker.sof = static_cast<std::uint8_t>(sof);
  marker.sol = static_cast<std::uint8_t>(sol);
  marker.sor = static_cast<std::uint8_t>(sor);
  forget(before, top());
}

void Model::cover() {
  bottom = top();
  marker = {};
}

void Model::rotate() {
  if (marker.sor != 0)
    marker.rrb_gr = static_cast<std::uint8_t>((marker.rrb_gr + marker.sor - 1) % marker.sor);
  marker.rrb_fr = static_cast<std::uint8_t>((marker.rrb_fr + 95) % 96);
  marker.rrb_pr = static_cast<std::uint8_t>((marker.rrb_pr + 47) % 48);
}

void Model::move_to(ModelStore& to, std::size_t new_bottom) {
  for (unsigned i = 0; i < marker.sof; ++i) {
    const ModelRegister moved = store->at(bottom + i);
    to.at(new_bottom + i) = moved;
  }
  store = &to;
  bottom = new_bottom;
}

}  // namespace hardclock::ia64::test
