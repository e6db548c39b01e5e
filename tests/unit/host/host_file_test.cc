#include "syscalls/host/host_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

class HostFileTest : public ::testing::Test {
 protected:
  HostFile open(const std::string& name, const OpenOptions& options) {
    auto file = open_host_file(files_, guest_path(name, tree_.path()), options);
    EXPECT_TRUE(file.ok()) << outcome(file);
    return std::move(file).value();
  }

  TempTree tree_;
  GuestFiles files_ = open_space({.working_directory = tree_.path()});
};

TEST_F(HostFileTest, MovesBytesAndItsPosition) {
  HostFile file = open("f", {.read = true, .write = true, .create = true});
  EXPECT_EQ(file.write(bytes_of("hello world")).value(), 11u);
  EXPECT_EQ(file.seek(-5, Whence::current).value(), 6u);
  std::uint8_t buffer[16];
  EXPECT_EQ(file.read(buffer).value(), 5u);
  EXPECT_EQ(std::string(buffer, buffer + 5), "world");
  EXPECT_EQ(file.read(buffer).value(), 0u);
  EXPECT_EQ(file.pwrite(bytes_of("J"), 0).value(), 1u);
  EXPECT_EQ(file.pread(std::span(buffer).first(5), 0).value(), 5u);
  EXPECT_EQ(std::string(buffer, buffer + 5), "Jello");
  EXPECT_EQ(file.seek(0, Whence::current).value(), 11u);
  EXPECT_TRUE(file.truncate(4).ok());
  EXPECT_EQ(file.seek(0, Whence::end).value(), 4u);
  EXPECT_TRUE(file.sync().ok());
  EXPECT_EQ(tree_.content("f"), "Jell");
}

TEST_F(HostFileTest, LoopsOverTransfersLongerThanOneHostCall) {
  std::string content(3 * HostFile::max_transfer + 5, 'x');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 131 >> 7);
  HostFile file = open("big", {.read = true, .write = true, .create = true});
  EXPECT_EQ(file.write(bytes_of(content)).value(), content.size());
  EXPECT_EQ(tree_.content("big"), content);
  std::vector<std::uint8_t> back(content.size() + 10);
  EXPECT_EQ(file.pread(back, 0).value(), content.size());
  EXPECT_TRUE(std::equal(content.begin(), content.end(), back.begin(),
                         [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }));
}

TEST_F(HostFileTest, RefusesHostileSizesAndOffsets) {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t top = huge / 2;
  HostFile file = open("f", {.read = true, .write = true, .create = true});
  std::uint8_t buffer[16] = {};
  EXPECT_EQ(file.pread(buffer, huge).error(), Error::invalid);
  EXPECT_EQ(file.pwrite(buffer, huge).error(), Error::invalid);
  EXPECT_EQ(file.pwrite(buffer, top).error(), Error::too_large);
  EXPECT_EQ(file.pread(buffer, top - 1).value(), 0u);
  EXPECT_EQ(file.truncate(huge).error(), Error::invalid);
  EXPECT_FALSE(file.truncate(top).ok());
  EXPECT_EQ(file.seek(-1, Whence::set).error(), Error::invalid);
  EXPECT_EQ(file.seek(std::numeric_limits<std::int64_t>::min(), Whence::end).error(),
            Error::invalid);
  EXPECT_EQ(file.read({}).value(), 0u);
  EXPECT_EQ(file.write({}).value(), 0u);
  EXPECT_EQ(file.status()->size, 0u);
}

TEST_F(HostFileTest, KeepsToItsDirection) {
  tree_.file("f", "abc");
  std::uint8_t buffer[4];
  HostFile reader = open("f", {.read = true});
  EXPECT_EQ(reader.write(bytes_of("x")).error(), Error::bad_descriptor);
  EXPECT_EQ(reader.truncate(0).error(), Error::invalid);
  HostFile writer = open("f", {.write = true});
  EXPECT_EQ(writer.read(buffer).error(), Error::bad_descriptor);
  EXPECT_EQ(writer.pread(buffer, 0).error(), Error::bad_descriptor);
  EXPECT_EQ(tree_.content("f"), "abc");
}

TEST_F(HostFileTest, AppendsWhenAsked) {
  tree_.file("f", "abc");
  HostFile file = open("f", {.write = true, .append = true});
  EXPECT_EQ(file.write(bytes_of("d")).value(), 1u);
  EXPECT_TRUE(file.set_append(false).ok());
  EXPECT_EQ(file.seek(0, Whence::set).value(), 0u);
  EXPECT_EQ(file.write(bytes_of("A")).value(), 1u);
  EXPECT_TRUE(file.set_append(true).ok());
  EXPECT_EQ(file.write(bytes_of("e")).value(), 1u);
  EXPECT_EQ(tree_.content("f"), "Abcde");
}

TEST_F(HostFileTest, ChangesModeAndTimesOfAWritableFile) {
  HostFile file = open("f", {.write = true, .create = true});
  EXPECT_TRUE(file.change_mode(07751).ok());
  EXPECT_EQ(file.status()->permissions, 07751u);
  struct ::stat status;
  ASSERT_EQ(::stat(tree_.at("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0751u);
  EXPECT_TRUE(file.set_times(FileTime{10, 20}, FileTime{30, 999'999'999}).ok());
  EXPECT_EQ(file.status()->times.access, (FileTime{10, 20}));
  EXPECT_EQ(file.status()->times.modification, (FileTime{30, 999'999'999}));
  EXPECT_EQ(file.set_times(FileTime{0, 1'000'000'000}, FileTime{}).error(), Error::invalid);
}

// The user's umask is for who else uses the host: it holds there, and shows nowhere in the guest.
TEST_F(HostFileTest, TheUsersUmaskDoesNotShow) {
  const ::mode_t umask = ::umask(077);
  HostFile file = open("f", {.write = true, .create = true, .mode = 0664});
  EXPECT_TRUE(files_.make_directory(guest_path("d", tree_.path()), 0751).ok());
  ::umask(umask);
  const auto on_host = [&](const char* name) {
    struct ::stat status {};
    EXPECT_EQ(::stat(tree_.at(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  };
  EXPECT_EQ(file.status()->permissions, 0664u);
  EXPECT_EQ(files_.status(guest_path("d", tree_.path()), Follow::no)->permissions, 0751u);
  EXPECT_EQ(on_host("f"), 0600u);
  EXPECT_EQ(on_host("d"), 0700u);
  EXPECT_TRUE(file.change_mode(0604).ok());
  EXPECT_EQ(file.status()->permissions, 0604u);
  EXPECT_EQ(on_host("f"), 0604u);
}

TEST_F(HostFileTest, DirectoriesHaveOneLink) {
  tree_.directory("d/a");
  tree_.directory("d/b");
  EXPECT_EQ(files_.status(guest_path("d", tree_.path()), Follow::no)->links, 1u);
}

TEST_F(HostFileTest, DirectoriesHaveAStatusOnly) {
  tree_.directory("d");
  HostFile file = open("d", {.read = true, .directory = true});
  std::uint8_t buffer[4];
  EXPECT_EQ(file.read(buffer).error(), Error::is_directory);
  EXPECT_EQ(file.write(buffer).error(), Error::bad_descriptor);
  EXPECT_EQ(file.status()->type, FileType::directory);
  EXPECT_EQ(file.status()->size, directory_size);
}

TEST(HostFilePipe, WaitsOnANonBlockingDescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  auto numbers = std::make_shared<FileRecords>();
  HostFile reader = HostFile::of_host(Descriptor(ends[0]), {.read = true}, numbers);
  HostFile writer = HostFile::of_host(Descriptor(ends[1]), {.write = true}, numbers);
  const std::string content(300'000, 'p');  // more than a pipe holds (pipe(7): 65536)
  std::thread thread([&] { EXPECT_EQ(writer.write(bytes_of(content)).value(), content.size()); });
  std::vector<std::uint8_t> buffer(content.size());
  std::size_t total = 0;
  while (total < content.size()) total += reader.read(std::span(buffer).subspan(total)).value();
  thread.join();
  EXPECT_EQ(reader.seek(0, Whence::set).error(), Error::not_seekable);
  EXPECT_EQ(reader.status()->type, FileType::fifo);
  EXPECT_EQ(reader.status()->times.modification, FileTime{});
  EXPECT_EQ(reader.set_times(FileTime{}, FileTime{}).error(), Error::read_only);
}

TEST(HostErrors, UnknownHostErrnoIsIo) {
  EXPECT_EQ(from_host_errno(ENOENT), Error::not_found);
  EXPECT_EQ(from_host_errno(ENXIO), Error::no_device);
  EXPECT_EQ(from_host_errno(99999), Error::io);
  for (int number = 0; number <= static_cast<int>(Error::too_many_open); ++number) {
    EXPECT_STRNE(describe(static_cast<Error>(number)), "unknown error");
  }
}

TEST(FileRecordsTest, CountFromOneInOrderOfFirstSight) {
  FileRecords numbers;
  EXPECT_EQ(numbers.number(HostIdentity{8, 77}), 1u);
  EXPECT_EQ(numbers.number("/dev"), 2u);
  EXPECT_EQ(numbers.number(HostIdentity{9, 77}), 3u);
  EXPECT_EQ(numbers.number(HostIdentity{8, 77}), 1u);
  struct ::stat created {};
  created.st_dev = 8;
  created.st_ino = 77;
  numbers.created(created, 0);
  EXPECT_EQ(numbers.number(HostIdentity{8, 77}), 4u);
  EXPECT_EQ(numbers.number("/dev"), 2u);
}

}  // namespace
}  // namespace hardclock::host
