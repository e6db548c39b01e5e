// Runs a program of the host, one of whose host calls that write fails: SQLite tests so what
// happens when the n-th write fails, for every n (sqlite.org/testing.html, 3.2, "I/O Error
// Testing"). The program is the one that users have, and its children count, too.
//
//   failing_writes REPORT N FAILURE COMMAND...
//
// Of the calls that write, counted from 1, the N-th fails; 0: none does. FAILURE is
//   ENOSPC, EIO, EINTR   the error that the call gives; close(2) gives it and closes
//   short                the call writes half of its bytes, where it has two or more
//   full                 ENOSPC, and each later call that could want room fails so, too
// The file REPORT has a line for each call: its number, "failed" or "-", its name, the descriptor
// or
// "-", and what is written to. Pipes, sockets and memory files are no files, but standard output
// and standard error always are. Under "full", standard error works: it is a terminal.
//
// The exit status is the program's, as a shell shows it; 126 when the host does not let one process
// trace another.
//
// It is done by ptrace(2) at the calls that a filter of seccomp(2) selects, as strace(1) injects
// faults. strace counts each kind of call for itself, and makes no short writes.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int cannot_trace = 126;

enum class Kind {
  bytes,   // writes to a descriptor; its third argument is how many, of bytes or pieces
  size,    // of the file of a descriptor, or how it is kept
  close,   // of a descriptor
  open,    // makes or empties a file: the argument `flags` says whether
  open_2,  // the same, with the flags in memory
  path,    // makes or removes a name
};

struct WritingCall {
  long number;
  const char* name;
  Kind kind;
  int file;  // the argument that is the descriptor, or the path
  int flags = 0;
};

constexpr WritingCall writing_calls[] = {
    {SYS_write, "write", Kind::bytes, 0},
    {SYS_pwrite64, "pwrite64", Kind::bytes, 0},
    {SYS_writev, "writev", Kind::bytes, 0},
    {SYS_pwritev, "pwritev", Kind::bytes, 0},
    {SYS_pwritev2, "pwritev2", Kind::bytes, 0},
    {SYS_sendfile, "sendfile", Kind::size, 0},
    {SYS_copy_file_range, "copy_file_range", Kind::size, 2},
    {SYS_splice, "splice", Kind::size, 2},
    {SYS_ftruncate, "ftruncate", Kind::size, 0},
    {SYS_fallocate, "fallocate", Kind::size, 0},
    {SYS_fsync, "fsync", Kind::size, 0},
    {SYS_fdatasync, "fdatasync", Kind::size, 0},
    {SYS_sync_file_range, "sync_file_range", Kind::size, 0},
    {SYS_close, "close", Kind::close, 0},
    {SYS_open, "open", Kind::open, 0, 1},
    {SYS_openat, "openat", Kind::open, 1, 2},
    {SYS_openat2, "openat2", Kind::open_2, 1, 2},
    {SYS_creat, "creat", Kind::path, 0},
    {SYS_truncate, "truncate", Kind::path, 0},
    {SYS_rename, "rename", Kind::path, 1},
    {SYS_renameat, "renameat", Kind::path, 3},
    {SYS_renameat2, "renameat2", Kind::path, 3},
    {SYS_link, "link", Kind::path, 1},
    {SYS_linkat, "linkat", Kind::path, 3},
    {SYS_symlink, "symlink", Kind::path, 1},
    {SYS_symlinkat, "symlinkat", Kind::path, 2},
    {SYS_mkdir, "mkdir", Kind::path, 0},
    {SYS_mkdirat, "mkdirat", Kind::path, 1},
    {SYS_mknod, "mknod", Kind::path, 0},
    {SYS_mknodat, "mknodat", Kind::path, 1},
    {SYS_unlink, "unlink", Kind::path, 0},
    {SYS_unlinkat, "unlinkat", Kind::path, 1},
    {SYS_rmdir, "rmdir", Kind::path, 0},
};

struct Plan {
  unsigned long failing = 0;
  int error = 0;  // 0: a short write
  bool goes_on = false;
};

std::optional<Plan> read_plan(const char* number, const std::string& failure) {
  Plan plan{.failing = std::strtoul(number, nullptr, 10)};
  if (failure == "short") return plan;
  const std::map<std::string, int> errors = {
      {"ENOSPC", ENOSPC}, {"full", ENOSPC}, {"EIO", EIO}, {"EINTR", EINTR}};
  const auto found = errors.find(failure);
  if (found == errors.end()) return std::nullopt;
  plan.error = found->second;
  plan.goes_on = failure == "full";
  return plan;
}

// ---- The program

void stop_at_writing_calls() {
  std::vector<::sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(::seccomp_data, nr))};
  for (const WritingCall& call : writing_calls) {
    filter.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call.number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const ::sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
    std::perror("failing_writes: seccomp");
    ::_exit(cannot_trace);
  }
}

[[noreturn]] void become(char** command) {
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) {
    std::perror("failing_writes: ptrace");
    ::_exit(cannot_trace);
  }
  ::raise(SIGSTOP);
  stop_at_writing_calls();
  ::execvp(command[0], command);
  std::perror(command[0]);
  ::_exit(127);
}

// ---- What it does

class Registers {
 public:
  explicit Registers(::pid_t thread) : thread_(thread) {
    ::ptrace(PTRACE_GETREGS, thread, nullptr, &values_);
  }
  long call() const { return static_cast<long>(values_.orig_rax); }
  std::uint64_t argument(int n) const {
    const std::array all = {values_.rdi, values_.rsi, values_.rdx,
                            values_.r10, values_.r8,  values_.r9};
    return all.at(static_cast<std::size_t>(n));
  }
  // The call is not made.
  void answer(int error) {
    values_.orig_rax = static_cast<unsigned long long>(-1);
    set_result(error);
  }
  void set_result(int error) {
    values_.rax = static_cast<unsigned long long>(-error);
    store();
  }
  void set_count(std::uint64_t count) {
    values_.rdx = count;
    store();
  }

 private:
  void store() { ::ptrace(PTRACE_SETREGS, thread_, nullptr, &values_); }

  ::pid_t thread_;
  ::user_regs_struct values_ = {};
};

std::uint64_t word_at(::pid_t thread, std::uint64_t address) {
  errno = 0;
  return static_cast<std::uint64_t>(::ptrace(PTRACE_PEEKDATA, thread, address, nullptr));
}

std::string text_at(::pid_t thread, std::uint64_t address) {
  std::string text;
  for (; text.size() < PATH_MAX; ++address) {
    const char letter = static_cast<char>(word_at(thread, address & ~7ULL) >> (address & 7) * 8);
    if (errno != 0 || letter == '\0') return text;
    text += letter;
  }
  return text;
}

std::string file_of(::pid_t thread, std::uint64_t descriptor) {
  std::error_code error;
  return std::filesystem::read_symlink(
             "/proc/" + std::to_string(thread) + "/fd/" + std::to_string(descriptor), error)
      .string();
}

bool is_open_for_writing(::pid_t thread, std::uint64_t descriptor) {
  std::ifstream lines("/proc/" + std::to_string(thread) + "/fdinfo/" + std::to_string(descriptor));
  for (std::string name, value; lines >> name >> value;) {
    if (name != "flags:") continue;
    const unsigned long flags = std::stoul(value, nullptr, 8);
    return (flags & O_ACCMODE) != O_RDONLY && (flags & O_PATH) == 0;
  }
  return false;
}

bool is_no_file(const std::string& file) {
  const auto begins = [&](const char* start) { return file.starts_with(start); };
  return !file.starts_with('/') || begins("/memfd:") || file == "/dev/null";
}

bool has_descriptor(const WritingCall& call) {
  return call.kind == Kind::bytes || call.kind == Kind::size || call.kind == Kind::close;
}

bool removes_name(const WritingCall& call) {
  return call.number == SYS_unlink || call.number == SYS_unlinkat || call.number == SYS_rmdir;
}

bool makes_file(std::uint64_t flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

// One of these calls of a thread that it is about to make.
struct Made {
  const WritingCall* call;
  std::optional<int> descriptor;
  std::string file;
};

std::optional<Made> made_by(::pid_t thread, const Registers& registers) {
  const auto* const call = std::ranges::find(writing_calls, registers.call(), &WritingCall::number);
  if (call == std::end(writing_calls)) return std::nullopt;
  const std::uint64_t file = registers.argument(call->file);
  if (has_descriptor(*call)) {
    Made made{call, static_cast<int>(file), file_of(thread, static_cast<std::uint32_t>(file))};
    const bool is_stream = made.descriptor == STDOUT_FILENO || made.descriptor == STDERR_FILENO;
    if (is_no_file(made.file) && !(is_stream && call->kind == Kind::bytes)) return std::nullopt;
    if (call->kind == Kind::close && !is_open_for_writing(thread, file)) return std::nullopt;
    return made;
  }
  if (call->kind == Kind::open || call->kind == Kind::open_2) {
    std::uint64_t flags = registers.argument(call->flags);
    if (call->kind == Kind::open_2) flags = word_at(thread, flags);
    if (!makes_file(flags)) return std::nullopt;
  }
  return Made{call, std::nullopt, text_at(thread, file)};
}

class Tracer {
 public:
  Tracer(const char* report, const Plan& plan) : report_(report), plan_(plan) {}

  // Until the program and its children have ended; the program's status.
  int run(::pid_t program) {
    constexpr long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE |
                             PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
                             PTRACE_O_TRACESYSGOOD;
    int status = 0, of_program = 0;
    ::waitpid(program, &status, 0);
    if (!WIFSTOPPED(status)) return WEXITSTATUS(status);
    if (::ptrace(PTRACE_SETOPTIONS, program, nullptr, options) != 0) {
      std::perror("failing_writes: ptrace");
      ::kill(program, SIGKILL);
      return cannot_trace;
    }
    known_[program] = {};
    go_on(program, 0);
    for (::pid_t thread; (thread = ::waitpid(-1, &status, __WALL)) > 0;) {
      if (WIFSTOPPED(status)) {
        stopped(thread, status);
      } else {
        known_.erase(thread);
        if (thread == program) of_program = status;
      }
    }
    return WIFSIGNALED(of_program) ? 128 + WTERMSIG(of_program) : WEXITSTATUS(of_program);
  }

 private:
  struct Thread {
    int error_of_close = 0;  // that the call which it makes is to give
  };

  static void go_on(::pid_t thread, int signal) { ::ptrace(PTRACE_CONT, thread, nullptr, signal); }

  void stopped(::pid_t thread, int status) {
    const int signal = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) return about_to_call(thread);
    if (signal == (SIGTRAP | 0x80)) {
      Registers(thread).set_result(std::exchange(known_[thread].error_of_close, 0));
      return go_on(thread, 0);
    }
    const bool is_new = known_.emplace(thread, Thread{}).second;
    const bool is_event = status >> 16 != 0;
    go_on(thread, is_event || (is_new && signal == SIGSTOP) ? 0 : signal);
  }

  void about_to_call(::pid_t thread) {
    Registers registers(thread);
    const auto made = made_by(thread, registers);
    const bool fails = made && ++count_ >= plan_.failing && plan_.failing != 0 &&
                       (count_ == plan_.failing || (plan_.goes_on && wants_room(*made)));
    if (made) {
      report_ << count_ << (fails ? " failed " : " - ") << made->call->name << " "
              << (made->descriptor ? std::to_string(*made->descriptor) : "-") << " " << made->file
              << std::endl;
    }
    if (!fails) return go_on(thread, 0);
    if (made->call->kind == Kind::close) {
      known_[thread].error_of_close = plan_.error;
      ::ptrace(plan_.error != 0 ? PTRACE_SYSCALL : PTRACE_CONT, thread, nullptr, nullptr);
      return;
    }
    if (plan_.error != 0) registers.answer(plan_.error);
    if (plan_.error == 0 && made->call->kind == Kind::bytes && registers.argument(2) > 1) {
      registers.set_count(registers.argument(2) / 2);
    }
    go_on(thread, 0);
  }

  static bool wants_room(const Made& made) {
    const bool renames = std::string(made.call->name).starts_with("rename");
    return made.call->kind != Kind::close && made.descriptor != STDERR_FILENO && !renames &&
           !removes_name(*made.call);
  }

  std::ofstream report_;
  Plan plan_;
  unsigned long count_ = 0;
  std::map<::pid_t, Thread> known_;
};

}  // namespace

int main(int count, char** words) {
  const auto plan = count > 4 ? read_plan(words[2], words[3]) : std::nullopt;
  if (!plan) {
    std::fprintf(stderr, "usage: failing_writes REPORT N FAILURE COMMAND...\n");
    return 2;
  }
  const ::pid_t program = ::fork();
  if (program == 0) become(words + 4);
  return Tracer(words[1], *plan).run(program);
}
