// Writes the seccomp filter of a run, as rows of struct sock_filter for sandbox.cc: made at build
// time, it costs a run no time and needs no library there.
//
// make_sandbox_filter internet: for a run whose guests may reach the host's network.
//
// Every call that is not listed gives EPERM. The list holds the calls that hardclock, the C and the
// C++ library make between a guest's first instruction and the end of the process. Landlock decides
// what a call reaches on the file system.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "syscalls/host/sandbox_filter.h"

namespace hardclock::host {
namespace {

[[noreturn]] void fail(const char* what, const char* name) {
  std::fprintf(stderr, "make_sandbox_filter: %s: %s\n", what, name);
  std::exit(1);
}

// Some processors lack some calls: open(2) is only an openat(2) on newer ones.
class Filter {
 public:
  Filter() : filter_(::seccomp_init(SCMP_ACT_ERRNO(EPERM))) {
    if (filter_ == nullptr) fail("seccomp_init", "failed");
    // A search instead of a list: the kernel walks the filter at its start and for some calls.
    ::seccomp_attr_set(filter_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }
  Filter(const Filter&) = delete;
  ~Filter() { ::seccomp_release(filter_); }

  void allow(std::initializer_list<const char*> names) {
    for (const char* name : names) allow_if(name, {});
  }
  void allow_when(const char* name, ::scmp_arg_cmp condition) { allow_if(name, {condition}); }
  void allow_when(const char* name, ::scmp_arg_cmp one, ::scmp_arg_cmp other) {
    allow_if(name, {one, other});
  }
  void write_to(int file) {
    if (::seccomp_export_bpf(filter_, file) != 0) fail("seccomp_export_bpf", "failed");
  }

 private:
  // When all conditions hold.
  void allow_if(const char* name, const std::vector<::scmp_arg_cmp>& conditions) {
    const int number = ::seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) fail("no such call", name);
    if (number < 0) return;
    if (::seccomp_rule_add_array(filter_, SCMP_ACT_ALLOW, number,
                                 static_cast<unsigned>(conditions.size()),
                                 conditions.data()) != 0) {
      fail("seccomp_rule_add", name);
    }
  }

  ::scmp_filter_ctx filter_;
};

void allow_files(Filter& filter) {
  filter.allow({"read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev",
                "lseek", "close", "ftruncate", "truncate", "fsync", "fdatasync", "fallocate",
                "flock", "dup", "dup2", "dup3"});
  filter.allow({"openat", "openat2", "stat", "lstat", "fstat", "newfstatat", "statx", "statfs",
                "fstatfs", "access", "faccessat", "faccessat2", "readlink", "readlinkat",
                "getdents64", "getcwd"});
  filter.allow({"mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat",
                "renameat2", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmod",
                "fchmodat", "fchmodat2", "fchown", "utimensat", "umask"});
  // FIFOs and sockets as names, and no devices.
  for (const unsigned kind : {S_IFIFO, S_IFSOCK}) {
    filter.allow_when("mknodat", SCMP_A2_32(SCMP_CMP_MASKED_EQ, S_IFMT, kind));
  }
  filter.allow({"poll", "ppoll", "select", "pselect6", "pipe", "pipe2"});
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL}) {
    filter.allow_when("fcntl", SCMP_A1_32(SCMP_CMP_EQ, static_cast<unsigned>(command)));
  }
  // A terminal's settings, and questions about it; TIOCSTI, which types on it, is neither.
  for (const unsigned long request : {TCGETS, TCSETS, TCSETSW, TCSETSF, TCSBRK, TCXONC, TCFLSH,
                                      TIOCGWINSZ, TIOCGPGRP, TIOCOUTQ, FIONREAD}) {
    filter.allow_when("ioctl", SCMP_A1_32(SCMP_CMP_EQ, static_cast<unsigned>(request)));
  }
}

void allow_memory(Filter& filter) {
  filter.allow({"brk", "munmap", "mremap", "madvise", "msync"});
  for (const char* name : {"mmap", "mprotect"}) {
    filter.allow_when(name, SCMP_A2_32(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  }
}

void allow_process(Filter& filter) {
  filter.allow({"exit", "exit_group", "futex", "getrandom", "sched_yield", "sysinfo", "uname",
                "getpid", "getpgrp", "gettid", "getuid", "geteuid", "getgid", "getegid",
                "getrusage"});
  filter.allow({"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending",
                "rt_sigtimedwait", "sigaltstack", "restart_syscall", "pause"});
  filter.allow({"clock_gettime", "clock_getres", "gettimeofday", "time", "times", "nanosleep",
                "clock_nanosleep", "setitimer", "getitimer", "alarm", "timer_settime",
                "timer_gettime", "timer_delete"});
  // abort(3) and raise(3).
  filter.allow_when("tgkill", SCMP_A0_32(SCMP_CMP_EQ, own_process));
  filter.allow_when("kill", SCMP_A0_32(SCMP_CMP_EQ, own_process));
  // To ask for a limit, not to set it.
  filter.allow({"getrlimit"});
  filter.allow_when("prlimit64", SCMP_A2_64(SCMP_CMP_EQ, 0));
}

// TCP and UDP of IPv4 (internet.cc).
void allow_internet(Filter& filter) {
  constexpr unsigned kinds = 0xf;  // of socket(2)'s type, without its flags
  for (const unsigned kind : {SOCK_STREAM, SOCK_DGRAM}) {
    filter.allow_when("socket", SCMP_A0_32(SCMP_CMP_EQ, AF_INET),
                      SCMP_A1_32(SCMP_CMP_MASKED_EQ, kinds, kind));
  }
  filter.allow(
      {"bind", "listen", "accept4", "connect", "sendto", "recvfrom", "shutdown", "getsockname"});
  for (const int option : {SO_REUSEADDR, SO_BROADCAST}) {
    filter.allow_when("setsockopt", SCMP_A1_32(SCMP_CMP_EQ, SOL_SOCKET),
                      SCMP_A2_32(SCMP_CMP_EQ, static_cast<unsigned>(option)));
  }
  filter.allow_when("getsockopt", SCMP_A1_32(SCMP_CMP_EQ, SOL_SOCKET),
                    SCMP_A2_32(SCMP_CMP_EQ, SO_ERROR));
}

void print(std::FILE* filter) {
  ::sock_filter row;
  while (std::fread(&row, sizeof row, 1, filter) == 1) {
    std::printf("{%#x, %u, %u, %#x},\n", row.code, row.jt, row.jf, row.k);
  }
}

}  // namespace
}  // namespace hardclock::host

int main(int argc, char** argv) {
  using namespace hardclock::host;
  Filter filter;
  allow_files(filter);
  allow_memory(filter);
  allow_process(filter);
  if (argc > 1 && std::string_view(argv[1]) == "internet") allow_internet(filter);
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) fail("no temporary file", "tmpfile");
  filter.write_to(::fileno(file));
  std::rewind(file);
  print(file);
  std::fclose(file);
  return 0;
}
