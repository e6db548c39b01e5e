// A process's memory: regions with permissions, filled page by page on first touch, copied on write
// after fork. Several processors may use one address space: the threads of a process, and processes
// that share memory. Every access can fail with a Fault; no guest word reaches the host as a
// pointer or a size.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/endian.h"
#include "sim/base/owner.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/memory/access_table.h"
#include "sim/memory/fault.h"
#include "sim/memory/file_ranges.h"
#include "sim/memory/flat_table.h"
#include "sim/memory/page.h"
#include "sim/state/archive.h"

namespace hardclock {

// What a processor remembers of an address space, and must be notified about.
class MemoryWatcher {
 public:
  virtual ~MemoryWatcher() = default;
  // A page that holds predecoded code changes or disappears.
  virtual void code_changed(std::uint64_t page_number) = 0;
  // A translation of this page may be wrong, or allow too much.
  virtual void translation_changed(std::uint64_t /*page_number*/) {}
  // The translations of any page may be wrong.
  virtual void all_translations_changed() {}
};

// What a region shows. The default: zeros, private to the address space.
struct Backing {
  Owner<SharedPages> shared;           // nullptr: private, copied on write after fork
  std::shared_ptr<PageSource> source;  // nullptr: pages begin as zeros
  std::uint64_t offset = 0;            // of the region's start in the object; whole pages

  void archive(Archive& to);
};

// A run of pages with one set of permissions. `end` is exclusive; both ends are page-aligned.
struct Region {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  Permissions permissions;
  std::string name;  // "text", "stack", "[anon]": for messages only
  Backing backing = {};
  // Nonzero: the region grows on touch, down to this address at most, or up to it if it is above
  // `start`.
  std::uint64_t grow_limit = 0;

  static constexpr std::size_t state_members = 6;
};

enum class MapError : std::uint8_t {
  invalid,  // empty, unaligned, or outside the user's part of the address space
  overlap,  // something is mapped there already
  memory,   // the range exceeds what the memory limit leaves, or there are too many regions
};

// The most regions of an address space, Linux's limit on mappings (Documentation/admin-guide/
// sysctl/vm.rst, max_map_count).
inline constexpr std::size_t most_regions = 65530;

class WriteLog;

class AddressSpace : public Owned {
 public:
  // User addresses are [0, user_end). Pages and the tables of pages and regions count against
  // `budget`.
  AddressSpace(std::shared_ptr<MemoryBudget> budget, Endian endian, GuestAddr user_end);
  static std::shared_ptr<AddressSpace> blank(Archive& from);
  // Nothing is mapped any more.
  void end();

  // A copy for a child process. Private pages are shared until one side writes. Returns nullptr if
  // the budget has no room for the tables, see may_fork().
  std::unique_ptr<AddressSpace> fork();
  bool may_fork() const { return budget_->has_table_room(tables_.bytes()); }

  Endian endian() const { return endian_; }
  GuestAddr user_end() const { return GuestAddr(user_end_); }
  const std::shared_ptr<MemoryBudget>& budget() const { return budget_; }

  // ---- Regions. Addresses and sizes are in bytes; sizes are rounded up to pages.
  // Maps zero-filled memory. Nothing may be mapped in the range yet.
  Result<Ok, MapError> map(GuestAddr start, std::uint64_t size, Permissions permissions,
                           std::string name, bool shared = false);
  // As map(), with a backing object.
  Result<Ok, MapError> map_object(GuestAddr start, std::uint64_t size, Permissions permissions,
                                  std::string name, Backing backing);
  // As map(), for a stack. Touching an address outside the region extends it: down to `limit`, or
  // up to it (exclusive) if it is above `start`.
  Result<Ok, MapError> map_stack(GuestAddr start, std::uint64_t size, GuestAddr limit);
  // Stacks grow to so many bytes from now on. One that is larger stays as it is.
  void limit_stacks(std::uint64_t bytes);
  // Removes whatever is mapped in the range; a range with nothing mapped is no error. Error
  // `memory` if that leaves too many regions.
  Result<Ok, MapError> unmap(GuestAddr start, std::uint64_t size);
  // Changes permissions; error `invalid` when part of the range is not mapped, `memory` as unmap().
  Result<Ok, MapError> protect(GuestAddr start, std::uint64_t size, Permissions permissions);
  // Replaces the frame of a private page and returns the old one. A null frame is a page that
  // nothing has touched. For pages that processes with a common address space do not share.
  Owner<Frame> exchange_frame(GuestAddr page, Owner<Frame> frame);
  bool is_free(GuestAddr start, std::uint64_t size) const;
  // The lowest free range of `size` bytes within [low, high), page-aligned.
  std::optional<GuestAddr> find_free(GuestAddr low, GuestAddr high, std::uint64_t size) const;
  const Region* region_at(GuestAddr address) const;

  // The files that code was mapped from, to name a pc. Whoever maps a file's code adds it here;
  // unmapping it changes nothing.
  FileRanges& code_files() { return code_files_; }
  const FileRanges& code_files() const { return code_files_; }

  // ---- Typed access in guest byte order, as a user-mode instruction would do it.
  template <std::unsigned_integral T>
  Result<T, Fault> read(GuestAddr address);
  template <std::unsigned_integral T>
  Result<Ok, Fault> write(GuestAddr address, T value);
  // The N bytes of an instruction's text, in memory order; the address must be a multiple of N.
  // `needed` is Access::read on processors without an execute permission.
  template <std::size_t N>
  Result<std::array<std::uint8_t, N>, Fault> fetch(GuestAddr address, Access needed);

  // ---- Bytes, of any alignment, across pages. A write that faults may have stored a prefix.
  Result<Ok, Fault> read_bytes(GuestAddr address, std::span<std::uint8_t> bytes);
  Result<Ok, Fault> write_bytes(GuestAddr address, std::span<const std::uint8_t> bytes);
  // Whether every byte of the range allows this access; touches the pages.
  Result<Ok, Fault> probe(GuestAddr address, std::uint64_t size, Access access);
  // A NUL-terminated string of at most `max` bytes; without a NUL there, the string has max bytes.
  Result<std::string, Fault> read_string(GuestAddr address, std::size_t max);
  // Both regardless of permissions, never for a guest's own access: fills memory, for loading a
  // program, and reads it, for those who look into a process.
  Result<Ok, Fault> initialize(GuestAddr address, std::span<const std::uint8_t> bytes);
  Result<Ok, Fault> examine(GuestAddr address, std::span<std::uint8_t> bytes);

  // ---- Events that would have called a kernel.
  struct PageFaults {
    std::uint64_t first_touches = 0;  // pages that got their first frame here
    std::uint64_t copies = 0;         // copies on write of pages common after a fork

    static constexpr std::size_t state_members = 2;
  };
  // The page faults since the last call.
  PageFaults take_page_faults() { return std::exchange(page_faults_, PageFaults{}); }
  // Pages that have been touched.
  std::uint64_t resident_pages() const { return pages_.size(); }

  // ---- The engine's side.
  // The translations that need no check, one per page.
  const AccessTable& translations() const { return tlb_; }
  // The same for translated code, from the first call on, if addresses have 32 bits. Null: it has
  // to do without. Accesses must be aligned.
  const FlatTable* flat_translations();
  // Translates one page for an access and enters it in both tables. Size 1, 2, 4 or 8 bytes.
  Result<std::uint8_t*, Fault> translate(GuestAddr address, unsigned size, Access access);
  // The next write to this page is reported to every watcher, in the order in which they were
  // added; later ones only after a watcher marks the page again. So a watcher must then drop all
  // that it holds of the page.
  void watch_code(std::uint64_t page_number);
  // Whether watch_code() was called for the page since the last write to it.
  bool is_watched(GuestAddr address) const {
    const auto page = pages_.find(address.value() >> page_shift);
    return page != pages_.end() && page->second.holds_code;
  }
  // The watcher must be removed before it or the address space is destroyed.
  void add_watcher(MemoryWatcher& watcher) { watchers_.push_back(&watcher); }
  void remove_watcher(MemoryWatcher& watcher) { std::erase(watchers_, &watcher); }
  // Hears of each page before it is written; nullptr: nobody does.
  WriteLog* write_log() const { return write_log_; }
  void set_write_log(WriteLog* log) { write_log_ = log; }
  // Identifies this address space within the simulation.
  std::uint32_t number() const { return number_; }
  // Identifies the frame that holds a page within the simulation; the page must have been touched.
  std::uint64_t frame_number(GuestAddr address) const;
  void archive(Archive& to);

 private:
  using RegionMap = std::map<std::uint64_t, Region>;  // by start
  struct Page {
    Owner<Frame> frame;
    bool holds_code = false;

    void archive(Archive& to);
  };

  bool is_user_range(std::uint64_t start, std::uint64_t size) const;
  RegionMap::iterator find_region(std::uint64_t address);
  bool grow_stack(std::uint64_t address);
  bool add_region(Region region);
  bool may_split(std::uint64_t start, std::uint64_t end);
  void split_at(std::uint64_t address);
  // Calls visit(number, page) for the touched pages of the range.
  template <class Visit>
  void for_each_touched(std::uint64_t start, std::uint64_t end, Visit visit);
  void drop_pages(std::uint64_t start, std::uint64_t end);
  bool enter_page(std::uint64_t number);
  void remove_page(std::uint64_t number);
  void flush_tlb();
  void forget_translation(std::uint64_t address);
  void code_written(std::uint64_t page_number, Page& page);
  Result<Page*, Fault> touch(std::uint64_t address, Access access, bool check_permission);
  // Gives the page its first frame; an error says why it cannot.
  std::optional<Fault::Kind> fill(const Region& region, std::uint64_t address, Page& page);
  bool make_private(Page& page, std::uint64_t address);
  // Where the text is, which is `size` bytes, a power of 2.
  Result<const std::uint8_t*, Fault> find_text(GuestAddr address, std::size_t size, Access needed);
  Result<Ok, Fault> read_checked(GuestAddr address, std::span<std::uint8_t> bytes,
                                 bool check_permission);
  template <class Copy>
  Result<Ok, Fault> for_each_page(GuestAddr address, std::uint64_t size, Access access,
                                  bool check_permission, Copy copy);

  std::shared_ptr<MemoryBudget> budget_;
  Endian endian_;
  std::uint64_t user_end_;
  MemoryCharge tables_;  // regions_ and pages_
  RegionMap regions_;
  FileRanges code_files_;
  std::unordered_map<std::uint64_t, Page> pages_;  // by page number; never iterated for output
  AccessTable tlb_{page_shift, 512};
  std::unique_ptr<FlatTable> flat_;
  std::vector<MemoryWatcher*> watchers_;
  WriteLog* write_log_ = nullptr;
  std::uint32_t number_;
  PageFaults page_faults_;
};

template <std::unsigned_integral T>
Result<T, Fault> AddressSpace::read(GuestAddr address) {
  auto host = translate(address, sizeof(T), Access::read);
  if (!host) return Failure{host.error()};
  return load_bytes<T>(*host, endian_);
}

template <std::size_t N>
Result<std::array<std::uint8_t, N>, Fault> AddressSpace::fetch(GuestAddr address, Access needed) {
  static_assert(std::has_single_bit(N) && N <= page_size);
  const auto host = find_text(address, N, needed);
  if (!host) return Failure{host.error()};
  std::array<std::uint8_t, N> text;
  std::memcpy(text.data(), *host, N);
  return text;
}

template <std::unsigned_integral T>
Result<Ok, Fault> AddressSpace::write(GuestAddr address, T value) {
  auto host = translate(address, sizeof(T), Access::write);
  if (!host) return Failure{host.error()};
  store_bytes<T>(*host, value, endian_);
  return Ok{};
}

}  // namespace hardclock
