// Where each page of a 32-bit address space lies in the host: one word for loads and one for stores
// of every page, for code that looks there before each access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/memory/cache_budget.h"
#include "sim/memory/page.h"

namespace hardclock {

class FlatTable {
 public:
  static constexpr std::size_t pages = std::size_t{1} << (32 - page_shift);
  // Of the words for stores, from those for loads.
  static constexpr std::size_t write_offset = pages * sizeof(std::uint64_t);

  // 16 MiB of the host's addresses; memory comes only to what is used, 8 KiB for 2 MiB of the
  // guest's addresses. A guest that uses a page here and there can so fill it: therefore no more
  // than `most` of a simulation live at a time. Null: they do, or the host has none to give.
  static std::unique_ptr<FlatTable> make(CacheBudget& caches);
  static constexpr unsigned most = 8;
  ~FlatTable();
  FlatTable(const FlatTable&) = delete;
  FlatTable& operator=(const FlatTable&) = delete;

  // For each page the number to subtract from an address in it, as 64-bit numbers, to get the
  // host's address. That borrows. 0, which does not: the page has to be asked for.
  const std::uint64_t* words() const { return words_; }

  // Addresses are below 2^32. `page` is the host's page that holds the address.
  void enter(std::uint64_t address, std::uint8_t* page, bool may_read, bool may_write);
  void forget(std::uint64_t address);
  void clear();

 private:
  // Mapping the addresses and giving them back takes the host a fifth of a small process's time, so
  // who comes next gets those of who has ended.
  struct Alive {
    Alive() { unused.reserve(most); }
    ~Alive();
    Alive(const Alive&) = delete;
    Alive& operator=(const Alive&) = delete;

    unsigned tables = 0;
    std::vector<std::uint64_t*> unused;  // empty
  };
  FlatTable(std::uint64_t* words, std::shared_ptr<Alive> alive);

  std::uint64_t* words_;
  std::vector<std::uint32_t> entered_;  // pages, some of them perhaps forgotten since
  std::shared_ptr<Alive> alive_;        // of the simulation
};

}  // namespace hardclock
