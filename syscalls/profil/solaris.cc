// profil(2) and pcsample(2) of Solaris, before 2.6 (each LWP separately) and from 2.6 on.
//
// Sources: the Solaris 11.4 profil(2) page with its NOTES on earlier releases, and illumos-gate,
// the openly licensed kernel that OpenSolaris left: usr/src/uts/common/syscall/profil.c profil(),
// pcsample(); common/os/clock.c clock_tick(), profil_tick(); common/os/{fork,exec}.c;
// {intel,sparc}/os/syscall.c post_syscall(). Where the page contradicts itself or its kernel:
//
//   A-S1  "reaches 32767 (the size of a short int), profiling stops" of unsigned shorts: a counter
//         stays at 32767, and the hit that would raise it above stops everything. The sum is taken
//         in 16 bits first, so a counter that the program preset to 65535 wraps to 0 and goes on.
//   A-S2  "maximum value of scale, 0xffff", yet RATIO 1 computes 0200000: there is no maximum.
//   A-S3  0x0002 "maps subdivision 65,536 bytes long to each counter", but the kernel sends
//         every pc to the first one.
//   A-S4  bufsiz 0 is "ineffective", but the kernel does not test the size when scale is 2.
//   A-S5  bytes per counter are "one half the scale": they are 2 * 65536 / scale, as in the list of
//         examples.
//   A-S6  the product is called an index, but the kernel makes it a byte offset.
//   A-S7  the page's void and unsigned int are int, size_t, u_long and u_int in the kernel.
//   A-S8  uintptr_t is the kernel's: 64 bits in later kernels, for every program. Here it is as
//         wide as the program's pointers, as in a kernel of the same width.
//   A-S9  "a buffer of bufsiz bytes": an element that begins there may end behind an odd bufsiz.
//   A-X1  profil and pcsample share one state; the last successful call of either kind makes it.
#include <array>

#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {
namespace {

constexpr std::uint64_t highest_count = 32767;           // SHRT_MAX (A-S1)
constexpr std::uint64_t highest_off_scale = 1;           // "a scale value of 0 or 1"
constexpr std::uint64_t first_counter_scale = 2;         // A-S3, A-S4
constexpr std::int64_t most32_bit_samples = 0x7fffffff;  // INT32_MAX
constexpr Hertz tick_rate{100};  // the kernel's default hz; sysconf(_SC_CLK_TCK)

// syscall/profil.c profil(): nothing is validated, all four values are replaced, and a scale of 1,
// the kernel's own mark of pcsample, becomes 0. Its types are those of A-S7.
Result<State, CallError> start(const State&, const ProfilArguments& arguments,
                               unsigned address_bits) {
  const auto scale = static_cast<std::uint32_t>(arguments.scale);
  if (scale <= highest_off_scale) return stopped(State::Stop::by_call);
  State state;
  state.kind = State::Kind::profil;
  state.counter_bytes = 2;  // "an array of unsigned short int"
  state.address_bits = address_bits;
  state.regions = {Region{GuestAddr(bit_field(arguments.buff, 0, address_bits)),
                          bit_field(arguments.bufsiz, 0, address_bits),
                          GuestAddr(bit_field(arguments.offset, 0, address_bits)), scale}};
  return state;
}

// syscall/profil.c pcsample(): EINVAL for a negative count, and in a 32-bit program for one above
// INT32_MAX. A count of 0 stops (pcsample(2)). The result is the number of pcs stored before, even
// if a fault or the end of the buffer had stopped the sampling.
Result<PcsampleResult, CallError> start_sampling(const State& state, std::uint64_t samples,
                                                 std::int64_t count, unsigned address_bits) {
  if (count < 0) return Failure{CallError::invalid};
  if (address_bits == 32 && count > most32_bit_samples) return Failure{CallError::invalid};
  if (count == 0) return PcsampleResult{stopped(State::Stop::by_call), state.samples};
  State next;
  next.kind = State::Kind::pcsample;
  next.counter_bytes = address_bits / 8;  // "pointer-sized elements"
  next.address_bits = address_bits;
  next.regions = {Region{GuestAddr(bit_field(samples, 0, address_bits)),
                         static_cast<std::uint64_t>(count), GuestAddr(0), 0}};
  return PcsampleResult{next, state.samples};
}

// os/clock.c profil_tick() multiplies the halves of the difference separately, all in uintptr_t:
// exact as long as the sum and the lower product fit in that word; otherwise upper bits are lost.
std::uint64_t byte_offset_in_word(std::uint64_t delta, std::uint64_t scale, unsigned word_bits) {
  const std::uint64_t high = (delta >> 16) * scale;
  const std::uint64_t low = bit_field((delta & 0xffff) * scale, 0, word_bits) >> 16;
  return bit_field(high + low, 0, word_bits);
}

Steps steps_to(const State& state, const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = pc - region.offset;
  if (region.scale == first_counter_scale) {
    steps.rule = Steps::Rule::first_counter;
    return steps;
  }
  steps.product = Wide{steps.delta} * region.scale;
  steps.quotient = byte_offset_in_word(steps.delta, region.scale, state.address_bits);
  return steps;
}

// os/clock.c profil_tick(), "Old-style profiling". The size is compared with the byte offset,
// except with scale 2 (A-S4); the element is the byte offset divided by two.
Lookup find_counter(const State& state, GuestAddr pc) {
  const Region& region = state.regions.front();
  if (pc < region.offset) return Miss{Miss::Reason::below_offset, 0, {}};
  const Steps steps = steps_to(state, region, pc);
  if (steps.rule == Steps::Rule::first_counter) return Access{0, region.base, 2, 0, steps};
  if (steps.quotient >= region.size) return Miss{Miss::Reason::beyond_buffer, 0, steps};
  const auto quotient = static_cast<std::uint64_t>(steps.quotient);
  const std::uint64_t byte_offset = quotient - quotient % 2;
  return Access{0, counter_address(state, region, byte_offset), 2, byte_offset, steps};
}

// os/clock.c profil_tick(), "PC Sampling": the tick that finds the buffer full turns it off.
Lookup find_sample(const State& state) {
  const Region& region = state.regions.front();
  Steps steps;
  steps.rule = Steps::Rule::next_sample;
  if (state.samples >= region.size) return Miss{Miss::Reason::beyond_buffer, 0, steps};
  const std::uint64_t byte_offset = state.samples * state.counter_bytes;
  return Access{0, counter_address(state, region, byte_offset), state.counter_bytes, byte_offset,
                steps};
}

Lookup lookup(const State& state, GuestAddr pc) {
  switch (state.kind) {
    case State::Kind::profil:
      return find_counter(state, pc);
    case State::Kind::pcsample:
      return find_sample(state);
    case State::Kind::off:
    case State::Kind::sprofil:
      break;
  }
  return Miss{Miss::Reason::off, 0, {}};
}

// os/clock.c profil_tick(): all owed ticks at once, a 16-bit sum, which is not stored if it is
// above SHRT_MAX (A-S1).
Increment increment(std::uint64_t before, unsigned width, Ticks ticks) {
  CHECK(width == 2 && before <= 0xffff);
  const std::uint64_t after = (before + ticks.value()) & 0xffff;
  if (after > highest_count) return {before, after, Increment::Effect::stopped};
  const bool wraps = ticks.value() > 0xffff - before;
  return {before, after, wraps ? Increment::Effect::wrapped : Increment::Effect::counted};
}

// os/clock.c profil_tick(): clears only the scale; the next pcsample still learns how many pcs were
// stored.
State after_fault(const State& state, std::size_t) {
  if (!state.on()) return state;
  State next = stopped(State::Stop::by_fault);
  next.samples = state.samples;
  return next;
}

// os/exec.c also clears the number of samples.
State after_exec(const State& state) {
  return stopped(state.on() ? State::Stop::by_exec : state.stop);
}

// os/fork.c: "cp->p_prof = pp->p_prof".
State after_fork(const State& parent) {
  return parent;
}

constexpr std::string_view page_name = "Solaris 11.4 profil(2)";
constexpr std::string_view tick = "illumos-gate uts/common/os/clock.c profil_tick()";
constexpr std::string_view call = "illumos-gate uts/common/syscall/profil.c profil()";

constexpr Rule counter_rule{
    "counter",
    "16-bit unsigned elements of buff; a counter never holds more than 32767 by counting", tick};
constexpr Rule arithmetic_rule{
    "arithmetic",
    "d = pc - offset; byte offset = (d>>16)*scale + ((d&0xffff)*scale>>16) in pointer-sized words, "
    "which is floor(d*scale/65536) for every scale up to 0x10000; divided by 2 it is the element; "
    "scale 2 is element 0 for every d",
    tick};
constexpr Rule below_rule{"below offset", "a pc below offset is not counted", tick};
constexpr Rule range_rule{"range",
                          "the byte offset must be below bufsiz; an element may end behind it; "
                          "with scale 2 bufsiz is not "
                          "looked at, not even when it is 0",
                          tick};
constexpr Rule overflow_rule{
    "overflow",
    "profiling stops when a counter would pass 32767, and nothing is stored; several owed ticks "
    "are added all together or not at all; the sum is 16-bit, so a counter preset to 65535 wraps "
    "to 0 and profiling goes on",
    tick};
constexpr Rule off_rule{"off", "scale 0 or 1; a scale of 1 is stored as 0", call};
constexpr Rule fault_rule{
    "fault",
    "the update is made in the process's own context, so that paging and copying on write come "
    "first; what they cannot cure turns profiling off, without a signal. The counter is read "
    "first, so memory that may only be written is a fault until the program has stored to it",
    "illumos-gate uts/common/os/clock.c profil_tick() (fuword16, then suword16); uts/common/vm/"
    "seg_vn.c segvn_fault()"};
constexpr Rule alignment_rule{
    "alignment", "an odd counter address is a fault on SPARC; x86 would update it",
    "illumos-gate uts/common/os/clock.c profil_tick(): fuword16() of an odd address fails"};
constexpr Rule exec_rule{"exec", "a successful exec turns profiling off",
                         "Solaris 11.4 profil(2); illumos-gate uts/common/os/exec.c exec_common()"};

constexpr Rule vfork_rule{
    "vfork",
    "the child has its parent's memory, and counts there, until it calls exec or exits; the parent "
    "waits for that",
    "illumos-gate uts/common/os/fork.c cfork()"};

constexpr Rule tick_rule{
    "tick", "100 a second; a tick is owed to the LWP and charged at its next return to user mode",
    "illumos-gate uts/common/os/clock.c clock_tick()"};
constexpr Rule system_time_rule{
    "system time",
    "ticks in the kernel are owed too and charged in one step to the pc behind the call, or to "
    "that of the trap",
    "illumos-gate uts/common/os/clock.c clock_tick(), uts/intel/os/syscall.c post_syscall()"};
constexpr Rule signals_rule{
    "signals",
    "all of this is charged before a caught one is delivered, never at a handler; ticks of the "
    "delivery are owed until the next call or trap ends",
    "illumos-gate uts/intel/os/syscall.c, uts/sparc/os/syscall.c post_syscall(), "
    "uts/sun4/os/trap.c trap_cleanup(): profil_tick(rp->r_pc) before psig()"};

// No source of a kernel before 2.6 is public.
constexpr Rule as_in_26(const Rule& rule) {
  return {rule.topic, rule.rule, "inferred: taken to be as in 2.6"};
}

constexpr std::array<Rule, 16> solaris_rules = {{
    {"call",
     "profil(buff, bufsiz, offset, scale) replaces everything and always returns 0; pcsample(buf, "
     "n) stores the pcs themselves until n are stored, returns how many the call before it had "
     "stored, and is EINVAL for a negative n; each of them ends the other",
     "illumos-gate uts/common/syscall/profil.c profil(), pcsample()"},
    counter_rule,
    arithmetic_rule,
    below_rule,
    range_rule,
    overflow_rule,
    off_rule,
    fault_rule,
    alignment_rule,
    tick_rule,
    system_time_rule,
    signals_rule,
    {"threads", "one state a process; the ticks of all of its LWPs count",
     "Solaris 11.4 profil(2) NOTES"},
    {"fork", "on in both; the child has its own copy of the state",
     "Solaris 11.4 profil(2); illumos-gate uts/common/os/fork.c getproc()"},
    vfork_rule,
    exec_rule,
}};

constexpr std::array<Rule, 16> solaris25_rules = {{
    {"call", "profil(buff, bufsiz, offset, scale) replaces everything and always returns 0",
     "inferred: taken to be as in 2.6"},
    as_in_26(counter_rule),
    as_in_26(arithmetic_rule),
    as_in_26(below_rule),
    as_in_26(range_rule),
    as_in_26(overflow_rule),
    {"off", "scale 0 or 1", page_name},
    as_in_26(fault_rule),
    as_in_26(alignment_rule),
    as_in_26(tick_rule),
    as_in_26(system_time_rule),
    as_in_26(signals_rule),
    {"threads", "each LWP has its own state and makes its own call; a new LWP is not profiled",
     "Solaris 11.4 profil(2) NOTES"},
    {"fork", "on in the parent and in the child, which has the calling LWP's state",
     "inferred: Solaris 11.4 profil(2) has it on in both and does not say whose; fork1(2) copies "
     "the calling LWP"},
    as_in_26(vfork_rule),
    {"exec", "a successful exec turns profiling off", page_name},
}};

constexpr std::array<Contradiction, 10> known_contradictions = {{
    {"A-S1",
     "the page stops profiling once a count reaches 32767, \"the size of a short int\", in an "
     "array of unsigned short",
     "the kernel: 32767 is counted and stays; the hit that would pass it stops profiling and is "
     "not stored; other counters count until then"},
    {"A-S2", "the page's maximal scale is 0xffff, but its RATIO of 1 gives 0200000 (0x10000)",
     "the kernel: no maximum; 0x10000 is exact, 0xffff approximate"},
    {"A-S3", "the page maps 65536 bytes to each counter with scale 2; the kernel tests for scale 2",
     "the kernel: every pc from offset up goes to the first counter"},
    {"A-S4", "the page makes bufsiz 0 ineffective; with scale 2 the kernel does not test the size",
     "the kernel: scale 2 counts with a bufsiz of 0, too"},
    {"A-S5",
     "the page's \"ratio of subdivision bytes per counter is one half the scale\" against its "
     "examples (0x4000: 8 bytes)",
     "the examples: 2 * 65536 / scale bytes of text per counter"},
    {"A-S6", "the page uses the product \"as an index into the histogram array\"",
     "the kernel: a byte offset, halved to the element"},
    {"A-S7",
     "the page's prototype is void with unsigned int bufsiz and offset; the kernel's is int "
     "with size_t and u_long",
     "the kernel: 0 is returned, and bufsiz and offset are as wide as a pointer"},
    {"A-S8",
     "the kernel multiplies in its own uintptr_t: a 32-bit kernel's product wraps, that of a "
     "64-bit kernel (sun4u from 7 on, illumos today) does not, for 32-bit programs either",
     "a 32-bit kernel under 32-bit programs: buff 0x2000000, bufsiz 100, offset 0 and scale "
     "0x20000 put pc 0x8000 into element 0, where a 64-bit kernel counts nothing"},
    {"A-S9",
     "the page stores the counts in \"a buffer of bufsiz bytes\"; the kernel compares where an "
     "element begins",
     "the kernel's: with an odd bufsiz the last element is counted and ends a byte behind buff"},
    {"A-X1", "no page says how profil and pcsample share a process",
     "the kernel: one state, made by the last successful call of either"},
}};

}  // namespace

constinit const SystemRules solaris_system = {
    .name = "solaris",
    .title = "Solaris 2.6 and later",
    .description =
        "One profile for all LWPs of a process, and pcsample; known from the 11.4 manual "
        "page and from illumos's kernel.",
    .tick_rate = tick_rate,
    .system_ticks = SystemTicks::resume_pc,
    .user_ticks = UserTicks::as_many,
    .charges_before_signals = true,
    .has_write_only_memory = true,
    .profil = start,
    .pcsample = start_sampling,
    .lookup = lookup,
    .increment = increment,
    .after_fault = after_fault,
    .after_exec = after_exec,
    .after_fork = after_fork,
    .rules = solaris_rules,
    .contradictions = known_contradictions,
};

constinit const SystemRules solaris25_system = {
    .name = "solaris2.5",
    .title = "Solaris before 2.6",
    .description =
        "Each LWP profiles itself; known from the NOTES of the 11.4 manual page, the "
        "arithmetic taken to be that of illumos.",
    .tick_rate = tick_rate,
    .system_ticks = SystemTicks::resume_pc,
    .user_ticks = UserTicks::as_many,
    .charges_before_signals = true,
    .owner = Owner::thread,
    .has_write_only_memory = true,
    .profil = start,
    .lookup = lookup,
    .increment = increment,
    .after_fault = after_fault,
    .after_exec = after_exec,
    .after_fork = after_fork,
    .rules = solaris25_rules,
    .contradictions = std::span(known_contradictions).first<9>(),  // A-X1 is about pcsample
};

}  // namespace hardclock::profil
