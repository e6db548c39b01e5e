// What the kernel's work costs: a price list in cycles. hardclock performs that work on the host
// and therefore cannot count its instructions. Every price is zero unless stated: --syscall-cycles,
// or the `kernel` rows of a machine's description.
//
// Exact: how often each price is paid (once for each event named below). Clock interrupts that come
// due in the time paid for find the processor in system mode, so profil(2) counts them only if that
// kernel counts system time.
//
// Approximate: a price is one number, whatever the arguments, the bytes moved and the state of the
// caches. Page faults are counted while instructions and the kernel's own copies touch memory. They
// are paid for at the end of the stretch of instructions in which they happened, or when the thread
// next passes the kernel's exit: the time is complete, but comes up to one clock interrupt later
// than on the machine, and the interrupt's pc is that of the stretch's end. The faults of a call
// that ends in a wait, or of building a signal's frame, are paid for at the thread's next such
// point.
//
// Not modelled: the kernel's effect on the program's cache contents, faults of the pages that exec
// loads (part of `exec`), write faults on a page whose other owners are gone, disk time, and kernel
// work between processes that no program requested.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"

namespace hardclock {

struct TimingRow;

struct KernelCosts {
  Cycles system_call;      // from the instruction to the program's next one; paid once, even if the
                           // call waits and the kernel makes it again
  Cycles trap;             // any other exception that reaches the operating system
  Cycles signal_delivery;  // building a handler's frame
  Cycles signal_return;    // removing the frame, in addition to that call's system_call
  Cycles fork;             // fork, vfork, sproc and clone of a process, in addition to system_call
  Cycles fork_per_page;    // for each page that the parent has touched, where memory is copied
  Cycles exec;             // a successful one, in addition to system_call
  Cycles exit;             // the end of a process, even by a signal
  Cycles context_switch;   // another thread than the last one gets the processor
  Cycles page_fault;       // the first touch of a page: zeros, a file's or a shared object's
  Cycles copy_on_write_fault;  // the first write to a page that a fork made common
  Cycles clock_tick;  // each clock interrupt that finds a thread running; the fast profiling
                      // clock's interrupts take no time

  bool operator==(const KernelCosts&) const = default;
};

// What is wrong with the costs on a machine with this clock and this tick rate, in one line, or
// nullopt: a clock_tick longer than half the time between two ticks would leave no time for
// programs.
std::optional<std::string> error_in(const KernelCosts& costs, Hertz cpu_clock, Hertz tick_rate);

// The costs from those rows of a description that say
//   kernel NAME cycles N    GRADE: SOURCE      (0 to 10^9)
//   kernel NAME ns N        GRADE: SOURCE      (0 to 10^9; to the nearest cycle of `cpu_clock`)
// where NAME is a field of KernelCosts; the last row for a field counts. Error: "line N: what is
// wrong".
Result<KernelCosts, std::string> kernel_costs(const std::vector<TimingRow>& rows, Hertz cpu_clock);

}  // namespace hardclock
