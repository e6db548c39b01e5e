// That an allocation beyond the bound fails, in a child, whose limits end with it.
#include "syscalls/host/own_memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <new>

namespace hardclock::host {
namespace {

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;

bool can_allocate(std::uint64_t bytes) {
  try {
    ::operator delete(::operator new(bytes));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// Whether so many bytes can be allocated with the bound for a guest of 64 MiB.
bool can_allocate_bounded(std::uint64_t bytes) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    limit_own_memory(64 * megabyte);
    ::_exit(can_allocate(bytes) ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(OwnMemory, IsBoundedByTheGuests) {
  EXPECT_EQ(own_memory_for(64 * megabyte), 96 * megabyte + 512 * megabyte);
  EXPECT_TRUE(can_allocate_bounded(own_memory_for(64 * megabyte) / 2));
  EXPECT_FALSE(can_allocate_bounded(own_memory_for(64 * megabyte) + megabyte));
}

}  // namespace
}  // namespace hardclock::host
