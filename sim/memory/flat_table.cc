#include "sim/memory/flat_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace hardclock {
namespace {

constexpr std::size_t bytes = 2 * FlatTable::write_offset;

// Of pages, which take two of the host's each at most: what is kept of a table that nobody uses.
constexpr std::size_t most_kept = 512;

std::uint64_t* map_words() {
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(place);
}

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
  std::uint64_t* words = nullptr;
  if (alive->unused.empty()) {
    words = map_words();
    if (words == nullptr) return nullptr;
  } else {
    words = alive->unused.back();
    alive->unused.pop_back();
  }
  return std::unique_ptr<FlatTable>(new FlatTable(words, std::move(alive)));
}

FlatTable::Alive::~Alive() {
  for (std::uint64_t* const words : unused) munmap(words, bytes);
}

FlatTable::FlatTable(std::uint64_t* words, std::shared_ptr<Alive> alive)
    : words_(words), alive_(std::move(alive)) {
  ++alive_->tables;
}

FlatTable::~FlatTable() {
  --alive_->tables;
  if (entered_.size() > most_kept) {
    munmap(words_, bytes);
    return;
  }
  clear();
  // There is room: one is mapped only where none is unused, so that there are `most` in all.
  alive_->unused.push_back(words_);
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
