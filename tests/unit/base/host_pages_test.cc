#include "sim/base/host_pages.h"

#include <gtest/gtest.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace hardclock {
namespace {

std::vector<std::uint64_t> new_chunks(HostChunks& chunks, std::uint64_t start, std::size_t bytes) {
  std::vector<std::uint64_t> visited;
  chunks.visit_new(start, bytes, [&](std::uint64_t number) { visited.push_back(number); });
  return visited;
}

using Numbers = std::vector<std::uint64_t>;

TEST(HostChunks, VisitsEachChunkThatHasAByteOnce) {
  HostChunks chunks;
  EXPECT_EQ(new_chunks(chunks, 0, 1), Numbers{0});
  EXPECT_EQ(new_chunks(chunks, host_chunk - 1, 1), Numbers{});
  EXPECT_EQ(new_chunks(chunks, host_chunk - 1, 2), Numbers{1});
  EXPECT_EQ(new_chunks(chunks, 2 * host_chunk, 2 * host_chunk), (Numbers{2, 3}));
  EXPECT_EQ(new_chunks(chunks, 0, 4 * host_chunk), Numbers{});
}

TEST(HostChunks, NothingLiesInNoChunk) {
  HostChunks chunks;
  EXPECT_EQ(new_chunks(chunks, 5 * host_chunk, 0), Numbers{});
}

TEST(HostChunks, ForgetsAChunkForOneThatLiesFarAway) {
  HostChunks chunks;
  const std::uint64_t far = std::uint64_t{1} << 40;
  EXPECT_EQ(new_chunks(chunks, 0, 1), Numbers{0});
  EXPECT_EQ(new_chunks(chunks, far, 1), Numbers{far / host_chunk});
  EXPECT_EQ(new_chunks(chunks, 0, 1), Numbers{0});
}

// Memory that nobody has touched yet.
class Mapped {
 public:
  explicit Mapped(int protection)
      : start_(::mmap(nullptr, host_chunk, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    ::madvise(start_, host_chunk, MADV_NOHUGEPAGE);
  }
  ~Mapped() { ::munmap(start_, host_chunk); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  bool is_mapped() const { return start_ != MAP_FAILED; }
  void* start() const { return start_; }
  std::size_t present_pages() const {
    std::vector<unsigned char> pages(host_chunk / page());
    EXPECT_EQ(::mincore(start_, host_chunk, pages.data()), 0);
    std::size_t present = 0;
    for (const unsigned char each : pages) present += each & 1;
    return present;
  }
  static std::size_t page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

 private:
  void* start_;
};

bool host_can_populate() {
  const Mapped probe(PROT_READ | PROT_WRITE);
  return ::madvise(probe.start(), host_chunk, MADV_POPULATE_WRITE) == 0;
}

TEST(HostPages, ArePresentBeforeTheyAreUsed) {
  if (!host_can_populate()) GTEST_SKIP() << "needs Linux 5.14";
  const Mapped memory(PROT_READ | PROT_WRITE);
  ASSERT_TRUE(memory.is_mapped());
  EXPECT_EQ(memory.present_pages(), 0u);
  populate(memory.start(), host_chunk / 2);
  EXPECT_EQ(memory.present_pages(), host_chunk / 2 / Mapped::page());
}

// What the host cannot do is no error: these pages cannot be written.
TEST(HostPages, StayAbsentWhereTheyCannotBeHad) {
  const Mapped memory(PROT_NONE);
  ASSERT_TRUE(memory.is_mapped());
  errno = 0;
  populate(memory.start(), host_chunk);
  populate_for_reading(memory.start(), host_chunk);
  EXPECT_EQ(errno, 0);
  EXPECT_EQ(memory.present_pages(), 0u);
}

}  // namespace
}  // namespace hardclock
