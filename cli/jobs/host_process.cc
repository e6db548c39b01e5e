#include "cli/jobs/host_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "cli/usage_error.h"

namespace hardclock::jobs {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

// What a child that did not become the program could not use.
struct ChildFailure {
  enum class Of : int { executable, directory, in, out, err };
  int error = 0;  // errno; 0: it did become the program
  Of of = Of::executable;
};

bool put(int number, const std::string& path, int flags) {
  const int opened = ::open(path.c_str(), flags, 0666);
  if (opened < 0) return false;
  if (opened == number) return true;
  const bool done = ::dup2(opened, number) == number;
  ::close(opened);
  return done;
}

// In the child: only what may be called after fork(2). Reports what failed.
[[noreturn]] void become(const ProcessStart& start, char** arguments, ::pid_t parent, int report) {
  using enum ChildFailure::Of;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(125);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGPIPE, SIGXFSZ}) {
    ::signal(signal, SIG_DFL);
  }
  constexpr int output = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  ChildFailure failure;
  if (!start.directory.empty() && ::chdir(start.directory.c_str()) != 0) {
    failure.of = directory;
  } else if (!put(STDIN_FILENO, start.in, O_RDONLY)) {
    failure.of = in;
  } else if (!put(STDOUT_FILENO, start.out, output)) {
    failure.of = out;
  } else if (!put(STDERR_FILENO, start.err, output)) {
    failure.of = err;
  } else {
    ::execvp(start.executable.c_str(), arguments);
  }
  failure.error = errno;
  [[maybe_unused]] const ::ssize_t told = ::write(report, &failure, sizeof failure);
  ::_exit(125);
}

ChildFailure failure_of(int report) {
  ChildFailure failure;
  ::ssize_t size = 0;
  do {
    size = ::read(report, &failure, sizeof failure);
  } while (size < 0 && errno == EINTR);
  return size == sizeof failure ? failure : ChildFailure();
}

const std::string& path_of(ChildFailure::Of of, const ProcessStart& start) {
  switch (of) {
    case ChildFailure::Of::directory:
      return start.directory;
    case ChildFailure::Of::in:
      return start.in;
    case ChildFailure::Of::out:
      return start.out;
    case ChildFailure::Of::err:
      return start.err;
    case ChildFailure::Of::executable:
      break;
  }
  return start.executable;
}

}  // namespace

Result<HostProcess, std::string> HostProcess::start(const ProcessStart& start) {
  const std::vector<char*> arguments = pointers(start.words);
  const auto failed = [&](int error, ChildFailure::Of of = ChildFailure::Of::executable) {
    return Failure{printable_path(path_of(of, start)) + ": " + std::strerror(error)};
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed(errno);
  const host::Descriptor report(ends[0]);
  host::Descriptor told(ends[1]);
  const ::pid_t parent = ::getpid();
  const ::pid_t child = ::fork();
  if (child < 0) return failed(errno);
  if (child == 0) become(start, const_cast<char**>(arguments.data()), parent, told.get());
  told = host::Descriptor();
  host::Descriptor alive(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  const ChildFailure failure =
      alive.get() < 0 ? ChildFailure{.error = errno} : failure_of(report.get());
  HostProcess process(child, std::move(alive));
  if (failure.error != 0) return failed(failure.error, failure.of);
  return process;
}

HostProcess::HostProcess(HostProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), alive_(std::move(other.alive_)) {}

HostProcess& HostProcess::operator=(HostProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(alive_, other.alive_);
  return *this;
}

HostProcess::~HostProcess() {
  if (pid_ < 0) return;
  send(SIGKILL);
  wait();
}

bool HostProcess::has_ended() const {
  ::pollfd end = {.fd = alive_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&end, 1, 0) > 0;
}

void HostProcess::send(int signal) const {
  ::kill(pid_, signal);
}

int HostProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

void wait_for_any(const std::vector<const HostProcess*>& processes,
                  std::chrono::milliseconds most) {
  std::vector<::pollfd> ends;
  for (const HostProcess* const process : processes) {
    ends.push_back({.fd = process->descriptor(), .events = POLLIN, .revents = 0});
  }
  ::poll(ends.data(), ends.size(), static_cast<int>(most.count()));
}

}  // namespace hardclock::jobs
