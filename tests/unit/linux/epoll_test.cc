#include "syscalls/linux/epoll.h"

#include <gtest/gtest.h>

#include <memory>

namespace hardclock::gnu_linux {
namespace {

using posix::Errno;

class EpollMemory : public testing::Test {
 protected:
  Epoll::File some_file() { return std::make_shared<EventFile>(*records_, Endian::big, 0, false); }

  std::shared_ptr<host::FileRecords> records_ = std::make_shared<host::FileRecords>();
  std::shared_ptr<MemoryBudget> budget_ = std::make_shared<MemoryBudget>(std::uint64_t{1} << 20);
};

// "ENOSPC: The limit [...] was encountered while trying to register (EPOLL_CTL_ADD) a new file
// descriptor", epoll_ctl(2)
TEST_F(EpollMemory, IsCharged) {
  Epoll epoll(*records_, budget_);
  const Epoll::File first = some_file(), second = some_file();
  const std::uint64_t before = budget_->table_bytes();
  ASSERT_TRUE(epoll.add(3, first, Epoll::in, 0).ok());
  EXPECT_GT(budget_->table_bytes(), before);

  MemoryCharge others(budget_);
  while (others.add(64)) {
  }
  EXPECT_EQ(epoll.add(3, first, Epoll::in, 0).error(), Errno::eexist);
  EXPECT_EQ(epoll.add(4, second, Epoll::in, 0).error(), Errno::enospc);
  ASSERT_TRUE(epoll.remove(3, first));
  EXPECT_TRUE(epoll.add(4, second, Epoll::in, 0).ok());
}

TEST_F(EpollMemory, IsGivenBack) {
  const std::uint64_t before = budget_->table_bytes();
  {
    Epoll epoll(*records_, budget_);
    Epoll::File file = some_file();
    const Epoll::File kept = some_file();
    ASSERT_TRUE(epoll.add(3, file, Epoll::in, 0).ok());
    ASSERT_TRUE(epoll.add(4, kept, Epoll::in, 0).ok());
    const std::uint64_t both = budget_->table_bytes();
    file.reset();  // closed
    EXPECT_TRUE(epoll.take(1, nullptr).empty());
    EXPECT_EQ(budget_->table_bytes() - before, (both - before) / 2);
  }
  EXPECT_EQ(budget_->table_bytes(), before);
}

}  // namespace
}  // namespace hardclock::gnu_linux
