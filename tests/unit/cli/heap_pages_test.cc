#include "cli/heap_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace hardclock {
namespace {

bool host_can_populate() {
  utsname host;
  int major = 0, minor = 0;
  if (::uname(&host) != 0 || std::sscanf(host.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 5 || (major == 5 && minor >= 14);
}

// Of the host's pages that lie in the memory as a whole.
struct Pages {
  std::size_t all = 0;
  std::size_t present = 0;
};

Pages pages_of(const std::uint8_t* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  std::vector<unsigned char> states((end - first) / page);
  EXPECT_EQ(::mincore(reinterpret_cast<void*>(first), end - first, states.data()), 0);
  Pages pages{.all = states.size()};
  for (const unsigned char state : states) pages.present += state & 1;
  return pages;
}

TEST(HeapPages, ArePresentBeforeTheyAreUsed) {
  if (!host_can_populate()) GTEST_SKIP() << "needs Linux 5.14";
  populate_heap_ahead();
  for (const std::size_t bytes : {std::size_t{1} << 14, std::size_t{1} << 20}) {
    // Each allocation is a new one: nothing of what has been is free.
    const std::unique_ptr<std::uint8_t[]> memory(new std::uint8_t[bytes]);
    const Pages pages = pages_of(memory.get(), bytes);
    EXPECT_GT(pages.all, 2u);
    EXPECT_EQ(pages.present, pages.all) << bytes << " bytes";
  }
}

}  // namespace
}  // namespace hardclock
