// prctl(2), personality(2), and what programs ask of the system as a whole.
#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "sim/state/archive.h"
#include "syscalls/linux/calls.h"
#include "syscalls/linux/common.h"
#include "syscalls/linux/process_files.h"
#include "syscalls/linux/robust_locks.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using posix::Call;
using posix::CallResult;
using posix::Errno;

// What prctl(2) and personality(2) set and nothing else asks for. The names of threads are by their
// ids.
struct ProcessSettings final : posix::SystemState {
  // A child's first thread has id 1, and no name before it is asked for.
  std::unique_ptr<posix::SystemState> fork() const override {
    auto child = std::make_unique<ProcessSettings>(*this);
    child->names.clear();
    child->parent_death_signal = 0;
    child->is_subreaper = 0;
    return child;
  }
  Blank<SystemState> blank() const override { return blank_of<ProcessSettings>(); }
  void archive(Archive& to) override {
    auto& [of_threads, of_program, death_signal, dumps, keeps, reaps, gains_none, personality] =
        *this;
    to.state(of_threads, of_program, death_signal, dumps, keeps, reaps, gains_none, personality);
  }

  std::map<int, std::string> names;
  std::string program_name;  // by which exec found the program; empty: that of its file
  std::uint32_t parent_death_signal = 0;
  std::uint32_t dumpable = 1;
  std::uint32_t keeps_capabilities = 0;
  std::uint32_t is_subreaper = 0;
  std::uint32_t has_no_new_privileges = 0;
  std::uint32_t persona = 0;  // PER_LINUX
};

ProcessSettings& settings_of(Call& call) {
  if (call.state.own == nullptr) call.state.own = std::make_unique<ProcessSettings>();
  return static_cast<ProcessSettings&>(*call.state.own);
}

constexpr std::size_t name_bytes = 16;  // TASK_COMM_LEN, with the NUL

CallResult set_name(Call& call) {
  const auto name = call.memory.read_string(call.address(1), name_bytes - 1);
  if (!name) return CallResult::failure(Errno::efault);
  settings_of(call).names[call.thread.id] = *name;
  return CallResult::value(0);
}

CallResult get_name(Call& call) {
  return posix::GuestStruct(call)
      .text(thread_name(call.process, call.thread.id), name_bytes)
      .store(call, call.address(1));
}

CallResult set_flag(const Call& call, std::uint32_t& flag, std::uint32_t highest) {
  if (call.argument(1) > highest) return CallResult::failure(Errno::einval);
  flag = call.argument(1);
  return CallResult::value(0);
}

CallResult write_word(Call& call, std::uint32_t value) {
  return posix::GuestStruct(call).word(value).store(call, call.address(1));
}

// prctl(PR_GET_FP_MODE), prctl(PR_SET_FP_MODE, mode): the mode of a MIPS program's floating-point
// registers (prctl(2)). A program keeps the one that its file asks for, as in a kernel built
// without CONFIG_MIPS_O32_FP64_SUPPORT: setting that one succeeds, another is EOPNOTSUPP
// (arch/mips/kernel/process.c, mips_set_process_fp_mode()).
CallResult get_fp_mode(const Call& call) {
  constexpr std::uint32_t pr_fp_mode_fr = 1, ef_mips_fp64 = 0x200;
  const bool has_wide_registers =
      call.abi().register_bits == 64 || (call.process.image->flags & ef_mips_fp64) != 0;
  return CallResult::value(has_wide_registers ? pr_fp_mode_fr : 0);
}

CallResult set_fp_mode(const Call& call) {
  if (call.argument(1) == get_fp_mode(call).first) return CallResult::value(0);
  return CallResult::failure(Errno::eopnotsupp);
}

// prctl(PR_SET_UNALIGN, bits) and prctl(PR_GET_UNALIGN, pointer), of the calling thread
// (arch/parisc/include/asm/processor.h). Other bits are dropped.
constexpr std::uint32_t pr_unalign_noprint = 1, pr_unalign_sigbus = 2;

CallResult set_unaligned(Call& call) {
  const std::uint32_t bits = call.argument(1);
  posix::thread_state_of(call.thread).unaligned = {.are_refused = (bits & pr_unalign_sigbus) != 0,
                                                   .are_silent = (bits & pr_unalign_noprint) != 0};
  return CallResult::value(0);
}

CallResult get_unaligned(Call& call) {
  const auto asked =
      posix::thread_state_of(call.thread).unaligned.value_or(posix::UnalignedAccesses{});
  return write_word(call, (asked.are_refused ? pr_unalign_sigbus : 0) |
                              (asked.are_silent ? pr_unalign_noprint : 0));
}

// include/uapi/linux/prctl.h
enum Option : std::uint32_t {
  pr_set_pdeathsig = 1,
  pr_get_pdeathsig = 2,
  pr_get_dumpable = 3,
  pr_set_dumpable = 4,
  pr_get_unalign = 5,
  pr_set_unalign = 6,
  pr_get_keepcaps = 7,
  pr_set_keepcaps = 8,
  pr_set_name = 15,
  pr_get_name = 16,
  pr_capbset_read = 23,
  pr_set_timerslack = 29,
  pr_get_timerslack = 30,
  pr_set_child_subreaper = 36,
  pr_get_child_subreaper = 37,
  pr_set_no_new_privs = 38,
  pr_get_no_new_privs = 39,
  pr_set_fp_mode = 45,
  pr_get_fp_mode = 46,
};

CallResult change_setting(Call& call, ProcessSettings& settings) {
  switch (call.argument(0)) {
    case pr_set_pdeathsig:
      return set_flag(call, settings.parent_death_signal, call.system.signals.last);
    case pr_set_dumpable:
      return set_flag(call, settings.dumpable, 1);
    case pr_set_keepcaps:
      return set_flag(call, settings.keeps_capabilities, 1);
    case pr_set_child_subreaper:
      settings.is_subreaper = call.arguments[1] != 0 ? 1 : 0;
      return CallResult::value(0);
    case pr_set_no_new_privs:
      if (call.argument(1) != 1) return CallResult::failure(Errno::einval);
      settings.has_no_new_privileges = 1;
      return CallResult::value(0);
    case pr_set_timerslack:
      call.state.timer_slack = call.arguments[1] == 0 ? 50'000 : call.arguments[1];
      return CallResult::value(0);
    default:
      return CallResult::failure(Errno::einval);
  }
}

CallResult tell_setting(Call& call, const ProcessSettings& settings) {
  switch (call.argument(0)) {
    case pr_get_pdeathsig:
      return write_word(call, settings.parent_death_signal);
    case pr_get_dumpable:
      return CallResult::value(settings.dumpable);
    case pr_get_keepcaps:
      return CallResult::value(settings.keeps_capabilities);
    case pr_get_child_subreaper:
      return write_word(call, settings.is_subreaper);
    case pr_get_no_new_privs:
      return CallResult::value(settings.has_no_new_privileges);
    case pr_get_timerslack:
      return CallResult::offset(call.state.timer_slack);
    case pr_capbset_read: {
      constexpr std::uint64_t last_capability = 40;
      if (call.arguments[1] > last_capability) return CallResult::failure(Errno::einval);
      return CallResult::value(1);
    }
    default:
      return CallResult::failure(Errno::einval);
  }
}

}  // namespace

std::string thread_name(const Process& process, int thread) {
  const auto* const settings =
      static_cast<const ProcessSettings*>(posix::state_of(process).own.get());
  std::string name = process.program.substr(process.program.rfind('/') + 1);
  if (settings != nullptr) {
    if (!settings->program_name.empty()) name = settings->program_name;
    const auto found = settings->names.find(thread);
    if (found != settings->names.end()) name = found->second;
  }
  return name.substr(0, name_bytes - 1);
}

void name_program(Process& process, const std::string& path) {
  auto& own = posix::state_of(process).own;
  if (own == nullptr) own = std::make_unique<ProcessSettings>();
  static_cast<ProcessSettings&>(*own).program_name = path.substr(path.rfind('/') + 1);
}

void before_exec(Process& process) {
  release_all_words(process);
  auto* const settings = static_cast<ProcessSettings*>(posix::state_of(process).own.get());
  if (settings == nullptr) return;
  settings->names.clear();
  settings->dumpable = 1;
  settings->keeps_capabilities = 0;
}

// Of the process, where a kernel of Linux looks at the thread that has made the child.
void before_exit(Process& process) {
  release_all_words(process);
  for (Process* const child : process.os->simulation().children_of(process)) {
    if (child->os != process.os) continue;  // of another system
    const auto* const settings =
        static_cast<const ProcessSettings*>(posix::state_of(*child).own.get());
    if (settings == nullptr || settings->parent_death_signal == 0) continue;
    static_cast<posix::Kernel&>(*child->os).signals().post(*child, settings->parent_death_signal);
  }
}

namespace calls {

// EINVAL for the options that are not here, as from a kernel without them.
CallResult prctl(Call& call) {
  const bool is_mips = call.process.image->architecture == Architecture::mips;
  const bool is_pa_risc = call.process.image->architecture == Architecture::pa_risc;
  switch (call.argument(0)) {
    case pr_set_name:
      return set_name(call);
    case pr_get_name:
      return get_name(call);
    case pr_set_fp_mode:
      return is_mips ? set_fp_mode(call) : CallResult::failure(Errno::einval);
    case pr_get_fp_mode:
      return is_mips ? get_fp_mode(call) : CallResult::failure(Errno::einval);
    case pr_set_unalign:
      return is_pa_risc ? set_unaligned(call) : CallResult::failure(Errno::einval);
    case pr_get_unalign:
      return is_pa_risc ? get_unaligned(call) : CallResult::failure(Errno::einval);
    case pr_get_pdeathsig:
    case pr_get_dumpable:
    case pr_get_keepcaps:
    case pr_get_child_subreaper:
    case pr_get_no_new_privs:
    case pr_get_timerslack:
    case pr_capbset_read:
      return tell_setting(call, settings_of(call));
    default:
      return change_setting(call, settings_of(call));
  }
}

// personality(persona): the old one. ADDR_NO_RANDOMIZE asks for what is always so.
CallResult personality(Call& call) {
  constexpr std::uint32_t only_asks = 0xffffffff;
  std::uint32_t& persona = settings_of(call).persona;
  const std::uint32_t old = persona;
  if (call.argument(0) != only_asks) persona = call.argument(0);
  return CallResult::value(old);
}

// The machine's memory is what --max-memory allows.
CallResult sysinfo(Call& call) {
  constexpr std::uint64_t largest_narrow = 0xffffffff;
  const MemoryBudget& budget = *call.simulation().budget();
  const std::uint64_t total = budget.limit_bytes(), free = std::min(total, budget.free_bytes());
  const bool fits = call.abi().long_bytes() == 8 || total <= largest_narrow;
  const std::uint64_t unit = fits ? 1 : page_size;
  constexpr std::uint64_t microseconds_per_second = 1'000'000;
  posix::GuestStruct members(call);
  members.word_long(call.simulation().clock().microseconds() / microseconds_per_second);
  members.skip_longs(3);  // loads
  members.word_long(total / unit).word_long(free / unit);
  members.skip_longs(4);  // shared, buffers, swap
  members.half(call.simulation().processes().size()).half(0).align_long();
  members.skip_longs(2).word(unit);  // memory above what the kernel maps
  if (call.abi().long_bytes() == 4) members.skip(8);
  return members.align_long().store(call, call.address(0));
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
