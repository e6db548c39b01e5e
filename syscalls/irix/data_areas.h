// Process data areas: one page at the same address that every process, and every thread of
// PR_THREADS, has for itself, even if it shares the address space with others. libc looks for the
// pid there. Sources: sproc(2) of IRIX; NetBSD, sys/compat/irix/irix_prctl.[ch].
#pragma once

#include <map>

#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "sim/memory/page.h"
#include "sim/state/archive.h"

namespace hardclock::irix {

inline constexpr GuestAddr prda{0x00200000};
inline constexpr std::uint64_t prda_pid = 0xe00, prda_rpid = 0xe40;

// Writes who runs there into the area that is in memory.
void name_data_area(AddressSpace& memory, int number);

// The areas of those who share one memory, each known by its posix::thread_number(). In the memory
// is that of the one who ran last.
class DataAreas {
 public:
  explicit DataAreas(int mapped = 0) : mapped_(mapped) {}

  // Whose area is made when he runs first.
  void add(int number) { others_[number] = nullptr; }
  void remove(int number);
  // With all its threads.
  void remove_process(int pid);
  // He gets the processor.
  void switch_to(AddressSpace& memory, int number);
  void archive(Archive& to);

 private:
  int mapped_;                          // 0: the one who ran last has ended
  std::map<int, Owner<Frame>> others_;  // nullptr: not made yet
};

}  // namespace hardclock::irix
