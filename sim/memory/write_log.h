// What pages held before they were written, for who runs a piece of a program twice.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"

namespace hardclock {

class AddressSpace;

using PageContent = std::array<std::uint8_t, page_size>;
using PageContents = std::map<std::uint64_t, PageContent>;  // by page number

class WriteLog {
 public:
  // The one of this address space, as long as somebody has it. No processor may have written there
  // before.
  static std::shared_ptr<WriteLog> of(AddressSpace& memory);
  ~WriteLog();
  WriteLog(const WriteLog&) = delete;
  WriteLog& operator=(const WriteLog&) = delete;

  // Begins anew. From now on the log keeps what pages hold when they are first written.
  void begin();
  // What those pages hold now.
  PageContents written() const;
  // They hold again what they held, and the log begins anew. Nothing may have been unmapped.
  void undo();
  // Keeps no contents until it begins anew: the kernel may write a lot.
  void end();

  struct Difference {
    GuestAddr address;
    std::uint8_t there = 0, here = 0;  // the byte
  };
  // The lowest address where memory is not what other writes, which left `there`, have made of the
  // memory that was there when the log began; nullopt: there is none.
  std::optional<Difference> difference_from(const PageContents& there) const;

  // The address space says that the page is about to be written.
  void note(std::uint64_t page_number, std::span<const std::uint8_t, page_size> content) {
    const auto [entry, is_new] = before_.try_emplace(page_number);
    if (!is_new) return;
    numbers_.push_back(page_number);
    if (!keeps_contents_) return;
    entry->second = std::make_unique<PageContent>();
    std::ranges::copy(content, entry->second->begin());
  }

 private:
  explicit WriteLog(AddressSpace& memory);

  AddressSpace& memory_;
  std::weak_ptr<WriteLog> self_;
  bool keeps_contents_ = false;
  std::map<std::uint64_t, std::unique_ptr<PageContent>> before_;  // null: not kept
  std::vector<std::uint64_t> numbers_;  // of these pages, in the order in which they were written
};

}  // namespace hardclock
