// profil(2) of 4.4BSD, on 32-bit and 64-bit machines.
//
// Sources: robohack/ucb-csrg-bsd HEAD (4.4BSD-Lite2): sys/kern/subr_prof.c profil(), addupc_intr(),
// addupc_task(); sys/kern/kern_clock.c statclock(), startprofclock(), stopprofclock();
// sys/kern/{kern_fork,kern_exec}.c; for the MIPS port sys/pmax/pmax/clock.c cpu_initclocks() and
// sys/pmax/pmax/trap.c trap(), softintr(); the profil(2) page in the SCCS file of CSRG, delta 8.1.
// Where page and kernel differ, the kernel rules:
//
//   A-B1   the page's [(pc-offset)/2]*scale/65536 differs from the kernel for odd differences.
//   A-B3   an illegal buffer is said to be EFAULT: the call succeeds, the first tick stops it.
//   A-B4   the page knows no EINVAL; the kernel returns it above scale 65536 and changes nothing.
//   A-B8   "every clock tick" of the profiling clock, whose rate is the machine's.
//   A-B10  `char *samples`, "should really be a vector of type unsigned short"; `int` sizes.
//   A-B11  fork, exec and faults are not on the page; the kernel is as the earlier pages say.
//
// The kernel casts the place to int: on a 64-bit machine pcs 4 GiB apart can share a counter.
#include <array>

#include "sim/base/bits.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr std::uint64_t highest_scale = 65536;  // A-B4
constexpr std::uint64_t highest_off_scale = 0;  // "A scale value of 0 disables"
constexpr unsigned fraction_bits = 16;
constexpr unsigned index_bits = 32;  // of the kernel's int, even on 64-bit machines
constexpr unsigned uint_bits = 32;   // u_int, the type of all arguments but the buffer

// PC_TO_INDEX: a product of u_quad_t, of which the upper bits are lost, then a cast to int.
Steps steps_to(const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = pc - region.offset;
  steps.product = Wide{steps.delta} * region.scale;
  steps.product_shift = fraction_bits;
  const auto quad = static_cast<std::uint64_t>(steps.product);
  steps.quotient = bit_field(quad, fraction_bits, index_bits);
  return steps;
}

Result<State, CallError> profil(const State&, const ProfilArguments& arguments,
                                unsigned address_bits) {
  const auto u_int = [](std::uint64_t value) { return bit_field(value, 0, uint_bits); };
  const std::uint64_t scale = u_int(arguments.scale);
  if (scale > highest_scale) return Failure{CallError::invalid};
  const unsigned bits = address_bits == 64 ? 64 : uint_bits;
  return profile_words(Region{GuestAddr(bit_field(arguments.buff, 0, bits)),
                              u_int(arguments.bufsiz), GuestAddr(u_int(arguments.offset)), scale},
                       bits, highest_off_scale);
}

// addupc_intr() does this in the interrupt; what it cannot update there it leaves to the AST, where
// addupc_task() does it again with page faults allowed and byte by byte. Only its failure counts.
Lookup lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const Region& region = state.regions.front();
  const GuestAddr user_pc(bit_field(pc.value(), 0, state.address_bits));
  if (user_pc < region.offset) return Miss{Miss::Reason::below_offset, 0, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, 0, {}};
  const Steps steps = steps_to(region, user_pc);
  const auto byte_offset = static_cast<std::uint64_t>(steps.quotient) & ~std::uint64_t{1};
  if (byte_offset >= region.size) return Miss{Miss::Reason::beyond_buffer, 0, steps};
  return Access{0, counter_address(state, region, byte_offset), short_bytes, byte_offset, steps};
}

constexpr std::string_view source = "4.4BSD sys/kern/subr_prof.c PC_TO_INDEX";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(samples, size, offset, scale), number 44; a scale above 65536 is EINVAL and changes "
     "nothing; else all four are stored unexamined and the call returns 0",
     "4.4BSD sys/kern/subr_prof.c profil()"},
    {"counter", "an unsigned short in the machine's byte order",
     "4.4BSD sys/kern/subr_prof.c addupc_task()"},
    {"arithmetic",
     "byte offset = (int)((pc-offset) * scale >> 16) & ~1, the product of 64 bits, the result of "
     "32, rounded down; 65536 is 2 bytes of text per counter",
     source},
    {"below offset", "not counted when pc is below offset, both unsigned",
     "4.4BSD sys/kern/subr_prof.c addupc_intr()"},
    {"range",
     "counted when the byte offset is below size; the last counter may stick out of an odd size; "
     "on 64-bit machines pcs 4 GiB apart can share a counter",
     "4.4BSD sys/kern/subr_prof.c addupc_intr()"},
    {"overflow", "the counter wraps at 65536, profiling goes on",
     "4.4BSD sys/kern/subr_prof.c: u_short v += ticks"},
    {"off", "scale 0 only, which leaves the other parameters alone; scale 1 counts",
     "4.4BSD sys/kern/subr_prof.c profil(), kern_clock.c stopprofclock()"},
    {"fault",
     "what the interrupt cannot update, an AST tries with page faults allowed; if the program "
     "itself could not do it, profiling stops: no signal, off until the next call. The counter is "
     "read first, so memory that may only be written is a fault until the program has stored to it "
     "(observed on MIPS)",
     "4.4BSD sys/kern/subr_prof.c addupc_intr(), addupc_task() (copyin, then copyout); sys/vm/"
     "vm_map.c vm_map_lookup()"},
    {"alignment", "odd addresses work: the AST copies byte by byte",
     "4.4BSD sys/kern/subr_prof.c addupc_task() (copyin, copyout)"},
    {"tick",
     "the profiling clock, which can be faster than the others while a process is profiled; here "
     "the MIPS port's, 64 a second; hp300 takes five times its statistics clock",
     "4.4BSD sys/pmax/pmax/clock.c cpu_initclocks(); sys/kern/kern_clock.c statclock()"},
    {"system time",
     "at the end of each trap and system call its ticks, if there are any, go in one step to the "
     "trapped pc, which is that of the system call instruction",
     "4.4BSD sys/pmax/pmax/trap.c trap(): addupc_task(p, pc, ...)"},
    {"signals",
     "of no influence: the pc of the trap or call is the one from before the delivery; ticks of "
     "the delivery count there, too",
     "4.4BSD sys/pmax/pmax/trap.c trap(): userret(p, pc, sticks)"},
    {"threads", "there are none; the state is the process's",
     "4.4BSD sys/sys/resourcevar.h p_prof"},
    {"fork", "parent and child both go on, each in its own copy of the buffer",
     "4.4BSD sys/kern/kern_fork.c fork1(); sys/vm/vm_glue.c vm_fork()"},
    {"vfork",
     "the child has a copy of its parent's memory, as after fork (observed); the parent waits "
     "until the child calls execve or exits",
     "4.4BSD sys/vm/vm_glue.c vm_fork(), which forks the map for both; sys/kern/kern_fork.c "
     "fork1()"},
    {"exec", "profiling stops at the end of a successful execve; one that fails changes nothing",
     "4.4BSD sys/kern/kern_exec.c: stopprofclock(p)"},
}};

constexpr std::array<Contradiction, 6> known_contradictions = {{
    {"A-B1",
     "the page has [(pc-offset)/2]*scale/65536 as the counter's number; the kernel multiplies "
     "before it halves",
     "the kernel's; they differ for odd differences and scales that are no power of 2"},
    {"A-B3", "the page has -1 and EFAULT for an illegal buffer; the kernel never looks",
     "the call succeeds, and the first tick that cannot be counted stops profiling"},
    {"A-B4",
     "the page lets scale range from 1 to 65536 but lists EFAULT only; the kernel answers EINVAL "
     "above",
     "EINVAL, and what was in force stays so"},
    {"A-B8", "the page says every clock tick; there are up to three clocks",
     "the profiling clock: 64 Hz, as on the MIPS port"},
    {"A-B10", "the page declares char *samples, and regrets it, and int sizes",
     "unsigned short counters; unsigned 32-bit size, offset and scale"},
    {"A-B11", "the page dropped what earlier ones say about fork, exec and memory faults",
     "the kernel is as they say"},
}};

}  // namespace

constinit const SystemRules bsd44_system = {
    .name = "4.4bsd",
    .title = "4.4BSD (pmax and others)",
    .description =
        "Berkeley's last system, of 1993 and 1995, known from its source; clock and "
        "traps are the MIPS port's.",
    // The pmax, a MIPS machine, has one clock of 15625 microseconds: its cpu_initclocks() leaves
    // stathz 0, so initclocks() sets profhz to hz. Other machines profile at other rates (A-B8).
    .tick_rate = Hertz(64),
    // The pmax's trap() charges "the trapped pc"; the VAX port charges the pc to be resumed.
    .system_ticks = SystemTicks::trap_pc,
    .owes_until_exit = true,
    .updates_unaligned = true,
    .vfork = Vfork::copies,
    .has_write_only_memory = true,
    .profil = profil,
    .lookup = lookup,
    .increment = wrapping_increment,
    .after_fault = off_after_fault,
    .after_exec = off_after_exec,
    .after_fork = copied_by_fork,
    .rules = rule_table,
    .contradictions = known_contradictions,
};

}  // namespace hardclock::profil
