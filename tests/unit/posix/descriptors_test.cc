// The descriptor table, by POSIX.1 open() and dup(): "the lowest numbered file descriptor".
#include "syscalls/posix/files/descriptors.h"

#include <gtest/gtest.h>

namespace hardclock::posix {
namespace {

TEST(Descriptors, GivesTheLowestFreeNumber) {
  Descriptors table(10);
  const auto file = make_pipe().reader;
  EXPECT_EQ(table.add(file), 0);
  EXPECT_EQ(table.add(file), 1);
  EXPECT_EQ(table.add(file), 2);
  EXPECT_TRUE(table.close(1));
  EXPECT_EQ(table.add(file), 1);
  EXPECT_EQ(table.add(file, 5), 5);
  EXPECT_EQ(table.add(file), 3);
}

TEST(Descriptors, IsFullAtItsLimit) {
  Descriptors table(2);
  const auto file = make_pipe().reader;
  EXPECT_EQ(table.add(file), 0);
  EXPECT_EQ(table.add(file), 1);
  EXPECT_EQ(table.add(file), std::nullopt);
  EXPECT_EQ(table.add(file, 2), std::nullopt);
}

TEST(Descriptors, UnknownNumbersAreNotOpen) {
  Descriptors table(4);
  for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{3},
                                    std::int64_t{4}, std::int64_t{1} << 40}) {
    EXPECT_EQ(table.get(number), nullptr) << number;
    EXPECT_FALSE(table.close(number)) << number;
  }
}

// fork: the child's descriptors name the same open files, and closing one leaves the other's.
TEST(Descriptors, ACopySharesTheFiles) {
  Descriptors parent(4);
  auto pipe = make_pipe();
  parent.set(3, pipe.writer);
  pipe.writer.reset();
  Descriptors child = parent;
  EXPECT_TRUE(parent.close(3));
  EXPECT_FALSE(pipe.reader->readable(nullptr)) << "the child still has the write end";
  EXPECT_TRUE(child.close(3));
  EXPECT_TRUE(pipe.reader->readable(nullptr)) << "end of file";
}

// fcntl(), POSIX.1: FD_CLOEXEC belongs to the descriptor, dup() and open() leave it clear.
TEST(Descriptors, ExecClosesWhatIsToBeClosed) {
  Descriptors table(4);
  const auto file = make_pipe().reader;
  EXPECT_EQ(table.add(file), 0);
  EXPECT_EQ(table.add(file), 1);
  table.set_close_on_exec(0, true);
  EXPECT_TRUE(table.closes_on_exec(0));
  EXPECT_FALSE(table.closes_on_exec(1));
  table.close_on_exec();
  EXPECT_EQ(table.get(0), nullptr);
  EXPECT_NE(table.get(1), nullptr);
  EXPECT_EQ(table.add(file), 0);
  EXPECT_FALSE(table.closes_on_exec(0)) << "the number was closed in between";
}

// fcntl(), POSIX.1: "All locks associated with a file for a given process shall be removed when a
// file descriptor for that file is closed by that process or the process holding that file
// descriptor terminates. Locks are not inherited by a child process."
TEST(Descriptors, ClosingRemovesOnlyTheProcessesOwnLocks) {
  const host::HostIdentity pipe_identity{};
  Descriptors parent(4);
  const auto file = make_pipe().reader;
  parent.set(0, file);
  parent.locks()->set(pipe_identity, {.owner = 1, .exclusive = true});
  parent.add_lock_owner(1);
  Descriptors child = parent;
  child.close_all();
  const RecordLock wanted{.owner = 2};
  EXPECT_TRUE(parent.locks()->conflict(pipe_identity, wanted).has_value());
  parent.close(0);
  EXPECT_FALSE(parent.locks()->conflict(pipe_identity, wanted).has_value());
}

// What getdents(2) reads lies in the host's memory until the directory is closed.
TEST(OpenDirectories, TheirNamesCountWhileTheyAreHeld) {
  const auto use = std::make_shared<host::HostUse>(host::HostUse::Limits{.listed_names = 5});
  ASSERT_TRUE(use->may_list(3).ok());
  Listing first(std::vector<host::DirectoryEntry>(3), use);
  EXPECT_EQ(use->may_list(3).error(), host::Error::no_memory);
  {
    const Listing second(std::vector<host::DirectoryEntry>(2), use);
    EXPECT_EQ(second.entries().size(), 2U);
    EXPECT_FALSE(use->may_list(1).ok());
  }
  EXPECT_TRUE(use->may_list(2).ok());
  const Listing moved = std::move(first);
  EXPECT_FALSE(use->may_list(3).ok());
  EXPECT_EQ(moved.entries().size(), 3U);
  Listing replaced(std::vector<host::DirectoryEntry>(2), use);
  replaced = {};
  EXPECT_TRUE(use->may_list(2).ok());
}

}  // namespace
}  // namespace hardclock::posix
