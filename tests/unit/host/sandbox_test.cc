// The second wall from the inside: what a process that has confined itself cannot do, whatever code
// runs in it, and what a run still needs. Expected errors: EACCES of landlock(7), EPERM of our
// seccomp filter.
#include "syscalls/host/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "syscalls/host/scratch_directory.h"
#include "tests/unit/host/temp_tree.h"

namespace hardclock::host {
namespace {

constexpr int unavailable = 77;

// 0, or errno.
int error_of(long result) {
  return result < 0 ? errno : 0;
}
int open_error(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  const int error = error_of(file);
  if (file >= 0) ::close(file);
  return error;
}
template <class... Arguments>
int call_error(long number, Arguments... arguments) {
  return error_of(::syscall(number, arguments...));
}

class SandboxTest : public ::testing::Test {
 protected:
  SandboxTest() {
    tree_.file("secret", "secret");
    tree_.file("r/etc/passwd", "root's");
    tree_.file("w/mine", "mine");
    tree_.directory("w/sub");
    tree_.file("ro/kept", "kept");
    tree_.file("out/old", "old");
    space_ = {.roots = {tree_.at("r")},
              .binds = {{tree_.at("ro"), "/ro", false}},
              .working_directory = tree_.at("w")};
  }
  std::string work(const std::string& below) const { return tree_.at("w/" + below); }

  // Runs `part` in a child process that has confined itself. Its failed expectations are this
  // test's, and what it prints says which; returns its status as waitpid(2) has it.
  int confined(const std::function<void(const Sandbox&)>& part) {
    const pid_t child = ::fork();
    if (child == 0) {
      status_ = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
      part(confine(space_, {tree_.at("out")}, temporary_, allows_internet_));
      std::fflush(stdout);
      std::_Exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }
  // The same for what needs one of the kernel's two means; false: it is not available here.
  bool confined_by(bool (*available)(const Sandbox&), const std::function<void()>& part) {
    const int status = confined([&](const Sandbox& sandbox) {
      if (!available(sandbox)) std::_Exit(unavailable);
      part();
    });
    if (WIFEXITED(status) && WEXITSTATUS(status) == unavailable) return false;
    EXPECT_EQ(status, 0) << "see above";
    return true;
  }
  bool by_landlock(const std::function<void()>& part) {
    return confined_by([](const Sandbox& sandbox) { return sandbox.landlock != 0; }, part);
  }
  bool by_seccomp(const std::function<void()>& part) {
    return confined_by([](const Sandbox& sandbox) { return sandbox.seccomp; }, part);
  }

  // The permitted and effective sets of this process, by proc(5), /proc/PID/status.
  std::vector<std::uint64_t> capabilities() {
    std::vector<std::uint64_t> sets;
    std::vector<char> text(16384);
    const ssize_t size = ::pread(status_, text.data(), text.size() - 1, 0);
    std::istringstream lines(std::string(text.data(), size < 0 ? 0 : size));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("CapPrm:") && !line.starts_with("CapEff:")) continue;
      sets.push_back(std::stoull(line.substr(line.find('\t') + 1), nullptr, 16));
    }
    return sets;
  }

  TempTree tree_;
  FileSpace space_;
  int status_ = -1;  // of a confined process
  std::optional<std::string> temporary_;
  bool allows_internet_ = false;
};

constexpr const char* no_landlock = "no Landlock here, or a sanitizer";
constexpr const char* no_seccomp = "no seccomp here, or a sanitizer";

TEST_F(SandboxTest, FilesOutsideDoNotOpen) {
  const bool done = by_landlock([&] {
    for (const std::string& path :
         {std::string("/etc/passwd"), std::string("/proc/self/mem"), tree_.at("secret"),
          tree_.at("out/old"), std::string("/dev/zero"), std::string("/")}) {
      EXPECT_EQ(open_error(path, O_RDONLY), EACCES) << path;
    }
    EXPECT_EQ(open_error(tree_.at("new"), O_WRONLY | O_CREAT), EACCES);
    EXPECT_EQ(error_of(::unlink(tree_.at("secret").c_str())), EACCES);
    EXPECT_EQ(error_of(::rename(work("mine").c_str(), tree_.at("mine").c_str())), EACCES);
  });
  if (!done) GTEST_SKIP() << no_landlock;
}

TEST_F(SandboxTest, ReadOnlyTreesAreRead) {
  const bool done = by_landlock([&] {
    for (const char* file : {"r/etc/passwd", "ro/kept"}) {
      EXPECT_EQ(open_error(tree_.at(file), O_RDONLY), 0) << file;
      EXPECT_EQ(open_error(tree_.at(file), O_WRONLY), EACCES) << file;
      EXPECT_EQ(error_of(::unlink(tree_.at(file).c_str())), EACCES) << file;
    }
    EXPECT_EQ(open_error(tree_.at("r/new"), O_WRONLY | O_CREAT), EACCES);
    EXPECT_EQ(error_of(::mkdir(tree_.at("r/d").c_str(), 0777)), EACCES);
  });
  if (!done) GTEST_SKIP() << no_landlock;
}

TEST_F(SandboxTest, AReadOnlyWorkingDirectoryIsRead) {
  space_.working_directory_writable = false;
  const bool done = by_landlock([&] {
    EXPECT_EQ(open_error(work("mine"), O_RDONLY), 0);
    EXPECT_EQ(open_error(work("mine"), O_WRONLY), EACCES);
  });
  if (!done) GTEST_SKIP() << no_landlock;
}

TEST_F(SandboxTest, CallsThatARunDoesNotMakeAreRefused) {
  const bool done = by_seccomp([&] {
    char* const no_arguments[] = {nullptr};
    EXPECT_EQ(error_of(::execve("/bin/true", no_arguments, no_arguments)), EPERM);
    EXPECT_EQ(error_of(::fork()), EPERM);
    EXPECT_EQ(error_of(::socket(AF_UNIX, SOCK_STREAM, 0)), EPERM);
    EXPECT_EQ(error_of(::socket(AF_INET, SOCK_STREAM, 0)), EPERM);
    EXPECT_EQ(error_of(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)), EPERM);
    EXPECT_EQ(call_error(SYS_process_vm_readv, ::getppid(), nullptr, 0, nullptr, 0, 0), EPERM);
    for (const long number : {SYS_mount, SYS_keyctl, SYS_bpf, SYS_io_uring_setup, SYS_unshare,
                              SYS_setns, SYS_perf_event_open, SYS_userfaultfd, SYS_setuid,
                              SYS_chroot, SYS_prctl, SYS_memfd_create, SYS_mknodat}) {
      EXPECT_EQ(call_error(number, 0, 0, 0, 0, 0), EPERM) << number;
    }
    EXPECT_EQ(error_of(::mknod("device", S_IFCHR | 0600, 0)), EPERM);
    EXPECT_EQ(error_of(::kill(::getppid(), 0)), EPERM);
    EXPECT_EQ(call_error(SYS_tgkill, ::getppid(), ::getppid(), 0), EPERM);
    const char typed = '\n';
    EXPECT_EQ(error_of(::ioctl(STDIN_FILENO, TIOCSTI, &typed)), EPERM);
    const ::rlimit limit{.rlim_cur = 1, .rlim_max = 1};
    EXPECT_EQ(error_of(::setrlimit(RLIMIT_NOFILE, &limit)), EPERM);
  });
  if (!done) GTEST_SKIP() << no_seccomp;
}

TEST_F(SandboxTest, NoMemoryBecomesCode) {
  const bool done = by_seccomp([&] {
    constexpr std::size_t size = 4096;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    EXPECT_EQ(::mmap(nullptr, size, PROT_READ | PROT_EXEC, flags, -1, 0), MAP_FAILED);
    EXPECT_EQ(errno, EPERM);
    void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    ASSERT_NE(data, MAP_FAILED);
    EXPECT_EQ(error_of(::mprotect(data, size, PROT_READ | PROT_WRITE | PROT_EXEC)), EPERM);
    EXPECT_EQ(error_of(::mprotect(data, size, PROT_READ)), 0);
  });
  if (!done) GTEST_SKIP() << no_seccomp;
}

TEST_F(SandboxTest, GuestsWorkAsBefore) {
  tree_.link("w/link", "sub");
  const int status = confined([&](const Sandbox&) {
    GuestFiles files = open_space(space_);
    const auto at = [&](const char* below) { return guest_path(work(below)); };
    EXPECT_EQ(read_all(files, "/etc/passwd"), "root's");
    EXPECT_EQ(read_all(files, "/ro/kept"), "kept");
    auto file = open_host_file(files, at("sub/new"), {.write = true, .create = true});
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(outcome(file->write(bytes_of("text"))), "ok");
    EXPECT_EQ(outcome(file->truncate(2)), "ok");
    EXPECT_EQ(outcome(file->change_mode(0600)), "ok");
    EXPECT_EQ(outcome(file->sync()), "ok");
    EXPECT_EQ(outcome(files.open(at("mine"), {.write = true, .truncate = true})), "ok");
    EXPECT_EQ(outcome(files.change_mode(at("mine"), 0600)), "ok");
    EXPECT_EQ(outcome(files.set_times(at("mine"), FileTime{1, 2}, FileTime{3, 4}, Follow::yes)),
              "ok");
    EXPECT_EQ(outcome(files.link(at("sub/new"), at("linked"))), "ok");
    EXPECT_EQ(outcome(files.rename(at("linked"), at("sub/moved"))), "ok");
    EXPECT_EQ(outcome(files.make_symlink("mine", at("l"))), "ok");
    EXPECT_EQ(outcome(files.make_directory(at("d"), 0777)), "ok");
    EXPECT_EQ(outcome(files.make_node(at("fifo"), FileType::fifo, 0600)), "ok");
    EXPECT_EQ(outcome(files.make_node(at("socket"), FileType::socket, 0600)), "ok");
    EXPECT_EQ(outcome(files.remove_file(at("fifo"))), "ok");
    EXPECT_EQ(outcome(files.remove_file(at("socket"))), "ok");
    EXPECT_EQ(outcome(files.rename(at("d"), at("sub/d"))), "ok");
    EXPECT_EQ(outcome(files.remove_directory(at("sub/d"))), "ok");
    EXPECT_EQ(outcome(files.remove_file(at("sub/moved"))), "ok");
    EXPECT_EQ(files.find_directory(at("link"))->text(), work("sub"));
    EXPECT_EQ(files.list(guest_path(work("sub")))->size(), 3u);
  });
  EXPECT_EQ(status, 0) << "see above";
}

TEST_F(SandboxTest, OutputsAreMadeRenamedAndRemoved) {
  const int status = confined([&](const Sandbox&) {
    EXPECT_EQ(open_error(tree_.at("out/made"), O_WRONLY | O_CREAT | O_EXCL), 0);
    EXPECT_EQ(error_of(::rename(tree_.at("out/old").c_str(), tree_.at("out/new").c_str())), 0);
    EXPECT_EQ(error_of(::unlink(tree_.at("out/new").c_str())), 0);
  });
  EXPECT_EQ(status, 0) << "see above";
}

// capabilities(7): the rest of a superuser's is gone. The others have none.
TEST_F(SandboxTest, ASuperuserIsNone) {
  constexpr std::uint64_t of_files = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 3;
  const bool done = confined_by([](const Sandbox& sandbox) { return sandbox.seccomp; },
                                [&] {
                                  const std::vector<std::uint64_t> sets = capabilities();
                                  ASSERT_EQ(sets.size(), 2u);
                                  for (const std::uint64_t set : sets)
                                    EXPECT_EQ(set & ~of_files, 0u);
                                });
  if (!done) GTEST_SKIP() << no_seccomp;
}

TEST_F(SandboxTest, TheScratchDirectoryGoes) {
  ::setenv("TMPDIR", tree_.path().c_str(), 1);
  auto scratch = ScratchDirectory::create();
  ::unsetenv("TMPDIR");
  ASSERT_NE(scratch, nullptr);
  constexpr BuiltInFile file{.path = "etc/services", .text = "echo 7/tcp\n"};
  space_.scratch = scratch->own("tmp", OwnDirectory::Kind::for_all);
  space_.built_in = scratch->own("root", OwnDirectory::Kind::built_in);
  space_.built_in->add({&file, 1});
  GuestFiles files = open_space(space_);
  temporary_ = scratch->path();
  const int status = confined([&](const Sandbox&) {
    EXPECT_EQ(outcome(files.open(guest_path("/tmp/f"), {.write = true, .create = true})), "ok");
    EXPECT_EQ(outcome(files.make_directory(guest_path("/tmp/d"), 0777)), "ok");
    EXPECT_EQ(read_all(files, "/etc/services"), "echo 7/tcp\n");
    scratch.reset();
    EXPECT_EQ(error_of(::access(temporary_->c_str(), F_OK)), ENOENT);
  });
  EXPECT_EQ(status, 0) << "see above";
}

TEST_F(SandboxTest, WhatARunCallsElseIsThere) {
  const int status = confined([&](const Sandbox&) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ::pollfd wanted{.fd = ends[0], .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&wanted, 1, 1), 0);
    EXPECT_EQ(::isatty(ends[0]), 0);
    EXPECT_EQ(errno, ENOTTY);
    EXPECT_GT(std::vector<char>(std::size_t{16} << 20, 'x').size(), 0u);
    EXPECT_GT(std::clock(), -1);
    struct sigaction action = {};
    action.sa_handler = SIG_IGN;
    EXPECT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
    EXPECT_EQ(std::raise(SIGUSR1), 0);
    ::rlimit core{};
    EXPECT_EQ(::getrlimit(RLIMIT_CORE, &core), 0);
  });
  EXPECT_EQ(status, 0) << "see above";
}

// A failed CHECK ends as ever, but without a core file.
TEST_F(SandboxTest, AbortStillAborts) {
  const int status = confined([](const Sandbox&) { std::abort(); });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGABRT);
  EXPECT_FALSE(WCOREDUMP(status));
}

TEST_F(SandboxTest, LeavesSocketsOfTheInternetWhereTheyAreAllowed) {
  allows_internet_ = true;
  const bool ran = by_seccomp([] {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
      const int file = ::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      EXPECT_GE(file, 0);
      ::sockaddr_in nowhere{};
      nowhere.sin_family = AF_INET;
      nowhere.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      EXPECT_EQ(
          error_of(::bind(file, reinterpret_cast<const ::sockaddr*>(&nowhere), sizeof nowhere)), 0);
      int value = 1;
      ::socklen_t size = sizeof value;
      EXPECT_EQ(error_of(::getsockopt(file, SOL_SOCKET, SO_ERROR, &value, &size)), 0);
      EXPECT_EQ(error_of(::setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &value, size)), 0);
      EXPECT_EQ(error_of(::setsockopt(file, SOL_SOCKET, SO_MARK, &value, size)), EPERM);
    }
    EXPECT_EQ(error_of(::socket(AF_UNIX, SOCK_STREAM, 0)), EPERM);
    EXPECT_EQ(error_of(::socket(AF_INET6, SOCK_STREAM, 0)), EPERM);
    EXPECT_EQ(error_of(::socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)), EPERM);
    EXPECT_EQ(error_of(::socket(AF_NETLINK, SOCK_DGRAM, 0)), EPERM);
  });
  if (!ran) GTEST_SKIP() << no_seccomp;
}

}  // namespace
}  // namespace hardclock::host
