// One interface to each system's profiling, for the clock interrupt, the conformance harness and
// `hardclock systems`. Each system's file (irix.cc, ...) defines one SystemRules.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"

namespace hardclock::profil {

// The arguments of profil() as the program passed them: whole registers. Each kernel truncates them
// to the types of its own prototype.
struct ProfilArguments {
  std::uint64_t buff = 0;
  std::uint64_t bufsiz = 0;
  std::uint64_t offset = 0;
  std::uint64_t scale = 0;
};

enum class CallError : std::uint8_t {
  too_big,  // E2BIG
  invalid,  // EINVAL
};

// A flag of sprofil() by its name in <sys/profil.h>.
struct Flag {
  std::string_view name;
  std::uint32_t value = 0;
};

// The call sprofil(2), on systems that have it. A caller performs these steps in order:
// region_count; copying that many struct prof in (EFAULT); start; storing the tick's length through
// tvp (EFAULT); and only then replacing the state. A failing call leaves the old state alone.
struct Sprofil {
  // The number of struct prof to copy in; 0 stops profiling.
  Result<std::size_t, CallError> (*region_count)(std::int32_t profcnt, std::uint32_t flags);
  // The state that follows `before` with these regions. No regions: profiling is off.
  Result<State, CallError> (*start)(const State& before, std::span<const Region> regions,
                                    std::uint32_t flags, unsigned address_bits);
  std::span<const Flag> flags;
  // The one of `flags` that asks for the fast clock, whose tick then goes to *tvp; 0: none.
  std::uint32_t fast_flag = 0;
};

// A profil() of a library (glibc), not of a kernel: an interval timer, and a handler of its signal
// that counts. Where a kernel would return EFAULT or turn profiling off, the program itself faults,
// and a signal ends it.
struct Library {
  // The state after sprofil(), or the signal that ends the process in the call ("SIGABRT").
  // `regions` has the number of profcnt, if the program can read as many.
  Result<State, std::string_view> (*sprofil)(const State& state, std::int32_t profcnt,
                                             std::span<const Region> regions, bool is_readable,
                                             std::uint32_t flags, unsigned address_bits);
  // The signal by which a tick at `pc` ends the process before it counts; empty if none does.
  std::string_view (*fatal_signal)(const State& state, GuestAddr pc);
  // Replaces SystemRules::increment, which cannot tell whose counter it is.
  Increment (*increment)(const State& state, const Access& access, std::uint64_t before);
  // The state after the tick.
  State (*after_tick)(const State& state, GuestAddr pc);
};

// The call pcsample(2) of Solaris.
struct PcsampleResult {
  State state;
  std::uint64_t previous = 0;  // number of samples that the interrupted sampling had stored
};
using Pcsample = Result<PcsampleResult, CallError> (*)(const State& state, std::uint64_t samples,
                                                       std::int64_t count, unsigned address_bits);

// How a clock tick in user mode is charged.
enum class UserTicks : std::uint8_t {
  at_once,  // in the interrupt
  as_one,   // the interrupt marks the process; on its way out it is charged one tick at the
            // interrupted pc, however many there were
  as_one_at_resume,  // the same, at the pc at which the process continues
  as_many,           // all of them on the way out, in one step
};

// The owner of a profiling state.
enum class Owner : std::uint8_t {
  process,  // all of its threads are sampled
  thread,   // each thread (LWP) makes its own call; a new one is not profiled
};

// What vfork(2) makes, and whether its caller waits for the child's exec or exit.
enum class Vfork : std::uint8_t {
  missing,  // there is no such call
  fork,     // another name of fork(2): a copy, and nobody waits
  copies,   // the child has a copy of the memory; the caller waits
  shares,   // the child has the caller's memory until then; the caller waits
};

// One rule in force, in our words, and its source.
struct Rule {
  std::string_view topic;  // "arithmetic", "overflow", "fault", ...
  std::string_view rule;
  std::string_view source;  // "profil(2), IRIX 6.5" or a kernel's file and function
};

// A page that contradicts itself, another page or its kernel, and what is done here.
struct Contradiction {
  std::string_view id;  // "A-I3", as in the notes of the conformance cases
  std::string_view conflict;
  std::string_view resolution;
};

// The address bits of a pc, as each machine reports it: PA-RISC keeps the privilege level in the
// lowest two (A-H10), Itanium the slot in the lowest four.
inline constexpr std::uint64_t whole_pc = ~std::uint64_t{0};
inline constexpr std::uint64_t pa_risc_pc = ~std::uint64_t{3};
inline constexpr std::uint64_t itanium_pc = ~std::uint64_t{15};

// Everything here is constant. The functions are pure; `address_bits` (16, 32 or 64) is the width
// of the calling program's pointers.
struct SystemRules {
  std::string_view name;         // as --os spells it: "irix", "4.3bsd"
  std::string_view title;        // "IRIX 5.3 and 6.5"
  std::string_view description;  // one sentence: which kernels, and how they are known
  Hertz tick_rate;               // of the clock that samples
  Hertz fast_tick_rate{0};       // of states with State::fast; 0: there are none
  // The pointer width of a program that does not state its own (State::address_bits): 16 on the
  // PDP-11, 32 elsewhere, even where later releases also run 64-bit programs.
  unsigned word_bits = 32;
  std::uint64_t pc_mask = whole_pc;  // on the machine that the system began on
  SystemTicks system_ticks = SystemTicks::none;
  UserTicks user_ticks = UserTicks::at_once;
  // A tick inside the kernel counts if the process is profiled when it leaves the kernel, so the
  // ticks of the call that turns profiling on count. If false, it counts if the process is profiled
  // when the tick comes.
  bool owes_until_exit = false;
  // The counter is probed whenever the process leaves the kernel, even when no tick is owed: a bad
  // buffer then stops profiling without any tick (V7, 2.11BSD, IRIX).
  bool probes_on_kernel_exit = false;
  // What a process owes when it leaves the kernel is charged before the kernel delivers signals, at
  // the pc from which a caught one takes it away. The ticks of the delivery itself are nobody's if
  // `owes_until_exit`, else of the next exit. If false, signals come first, and the process
  // continues at a handler's start.
  bool charges_before_signals = false;
  // A tick inside the kernel counts as this many while the state is fast.
  std::uint64_t fast_ticks_a_tick = 1;
  // The number of fast ticks' pcs that can wait until the next clock tick or kernel exit; further
  // ones are lost. 0: fast ticks are charged like others.
  std::size_t fast_buffer = 0;
  Owner owner = Owner::process;
  // A counter at an odd address can be updated; if false, that is a fault.
  bool updates_unaligned = false;
  Vfork vfork = Vfork::shares;
  // Memory that may only be written (PROT_WRITE alone) cannot be read before the program has stored
  // to it. If false, the system lets it be read.
  bool has_write_only_memory = false;

  // The state after the call; EINVAL leaves the old one.
  Result<State, CallError> (*profil)(const State& state, const ProfilArguments& arguments,
                                     unsigned address_bits) = nullptr;
  const Sprofil* sprofil = nullptr;  // nullptr: the system has no such call
  Pcsample pcsample = nullptr;       // nullptr: the system has no such call
  const Library* library = nullptr;  // nullptr: the calls are those of a kernel

  // The counter for a tick at `pc`, from which privilege and slot bits have been cleared.
  Lookup (*lookup)(const State& state, GuestAddr pc) = nullptr;
  // `before` is the counter's value, `width` its size in bytes.
  Increment (*increment)(std::uint64_t before, unsigned width, Ticks ticks) = nullptr;
  // The state after a counter of this region could not be updated.
  State (*after_fault)(const State& state, std::size_t region) = nullptr;
  // The state after a successful exec.
  State (*after_exec)(const State& state) = nullptr;
  // The child's state after fork, vfork or sproc.
  State (*after_fork)(const State& parent) = nullptr;

  std::span<const Rule> rules;
  std::span<const Contradiction> contradictions;
};

// NAME_system of each NAME that syscalls/systems.bzl lists with rules.
#define HARDCLOCK_RULES(name) extern const SystemRules name##_system;
#include "syscalls/profil/systems.def"
#undef HARDCLOCK_RULES

// All kernels, oldest first.
std::span<const SystemRules* const> systems();
// The same, and the libraries that have a profil() of their own, under which no program runs.
std::span<const SystemRules* const> systems_and_libraries();
// A system or a library by its name; nullptr if there is none.
const SystemRules* find_system(std::string_view name);

// The time between ticks, which sprofil() with these flags stores in *tvp. The rates are those of
// the running machine's two clocks.
std::chrono::microseconds tick_period(const Sprofil& sprofil, std::uint32_t flags, Hertz tick_rate,
                                      Hertz fast_tick_rate);

}  // namespace hardclock::profil
