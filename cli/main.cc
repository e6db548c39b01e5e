// The hardclock command.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/dispatch.h"
#include "cli/heap_pages.h"
#include "cli/last_words.h"
#include "cli/usage_error.h"

namespace hardclock {
namespace {

constexpr std::array commands = {
    CommandEntry{"run", run_command},
    CommandEntry{"report", report_command},
    CommandEntry{"conform", conform_command},
    CommandEntry{"diff", diff_command},
    CommandEntry{"disasm", disasm_command},
    CommandEntry{"cpus", cpus_command},
    CommandEntry{"syscalls", syscalls_command},
    CommandEntry{"systems", systems_command},
    CommandEntry{"help", help_command},
    CommandEntry{"sweep", sweep_command},
    CommandEntry{"lab", lab_command},
    CommandEntry{"doctor", doctor_command},
    CommandEntry{"completion", completion_command},
};

// A file opened later must not become descriptor 0, 1 or 2 because the caller had closed it: the
// answer would go into that file. /dev/null opened the wrong way round fails like a closed one.
bool occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    const int direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", direction) != descriptor) return false;
  }
  return true;
}

int command_line(int argc, char** argv) {
  if (!occupy_standard_descriptors()) {
    return complain("standard input, output or error is closed; open them");
  }
  // A write to a closed pipe then fails with EPIPE, which has an owner: the guest's write(2) or the
  // command's answer.
  std::signal(SIGPIPE, SIG_IGN);
  // And a file that becomes larger than the user's limit with EFBIG.
  std::signal(SIGXFSZ, SIG_IGN);
  end_in_order_after_failures();
  try {
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    return dispatch(args, commands);
  } catch (const std::bad_alloc&) {
    return complain_of_memory();
  } catch (const std::exception& error) {
    return complain("internal error: " + printable(error.what()) + "; please report this");
  }
}

}  // namespace
}  // namespace hardclock

int main(int argc, char** argv) {
  hardclock::populate_heap_ahead();
  return hardclock::command_line(argc, argv);
}
