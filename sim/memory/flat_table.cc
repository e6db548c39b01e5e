#include "sim/memory/flat_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace hardclock {
namespace {

constexpr std::size_t bytes = 2 * FlatTable::write_offset;

// A page that comes and goes stands there once at least, and not so often that the list grows.
void add(std::vector<std::uint32_t>& entered, std::uint32_t number) {
  if (entered.size() == entered.capacity()) {
    std::sort(entered.begin(), entered.end());
    entered.erase(std::unique(entered.begin(), entered.end()), entered.end());
    entered.reserve(std::max<std::size_t>(16, 2 * entered.size()));
  }
  entered.push_back(number);
}

}  // namespace

std::unique_ptr<FlatTable> FlatTable::make(CacheBudget& caches) {
  auto alive = caches.common<Alive>([](const Alive&) { return true; }, std::make_shared<Alive>);
  if (alive->tables == most) return nullptr;
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  return std::unique_ptr<FlatTable>(
      new FlatTable(static_cast<std::uint64_t*>(place), std::move(alive)));
}

FlatTable::FlatTable(std::uint64_t* words, std::shared_ptr<Alive> alive)
    : words_(words), alive_(std::move(alive)) {
  ++alive_->tables;
}

FlatTable::~FlatTable() {
  --alive_->tables;
  munmap(words_, bytes);
}

void FlatTable::enter(std::uint64_t address, std::uint8_t* page, bool may_read, bool may_write) {
  const auto number = static_cast<std::uint32_t>(address >> page_shift);
  std::uint64_t& for_loads = words_[number];
  std::uint64_t& for_stores = words_[pages + number];
  if (for_loads == 0 && for_stores == 0) add(entered_, number);
  const std::uint64_t start = address & ~page_mask;
  const std::uint64_t difference = start - reinterpret_cast<std::uint64_t>(page);
  // A host page that does not lie above all of the guest's cannot be told from none.
  const bool borrows = (difference >> 32) != 0;
  for_loads = may_read && borrows ? difference : 0;
  for_stores = may_write && borrows ? difference : 0;
}

void FlatTable::forget(std::uint64_t address) {
  words_[address >> page_shift] = 0;
  words_[pages + (address >> page_shift)] = 0;
}

void FlatTable::clear() {
  for (const std::uint32_t number : entered_) {
    words_[number] = 0;
    words_[pages + number] = 0;
  }
  entered_.clear();
}

}  // namespace hardclock
