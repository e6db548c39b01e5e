#include "syscalls/profil/irix.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/bits.h"
#include "sim/base/check.h"

namespace hardclock::profil {
namespace {

// ---- Calls.

bool is_off(const Region& region) {
  return region.scale <= irix_highest_off_scale;
}

bool looks_like_bin(const Region& region) {
  return region.offset == GuestAddr(0) && region.scale == irix_first_counter_scale;
}

// The first region alone decides whether profiling is on. The fast clock stays until profiling is
// turned off (A-I18).
State make_state(const State& before, State::Kind kind, std::span<const Region> regions,
                 std::uint32_t flags, unsigned address_bits) {
  if (regions.empty() || is_off(regions.front())) return stopped(State::Stop::by_call);
  State state;
  state.kind = kind;
  state.counter_bytes = (flags & irix_prof_uint) != 0 ? 4 : 2;
  state.address_bits = address_bits;
  state.regions.assign(regions.begin(), regions.end());
  state.fast = before.fast || (flags & irix_prof_fast) != 0;
  return state;
}

// sprofil with one region and PROF_USHORT. The prototype's types: unsigned int, except the pointer.
Result<State, CallError> profil(const State& before, const ProfilArguments& arguments,
                                unsigned address_bits) {
  const Region region{GuestAddr(bit_field(arguments.buff, 0, address_bits)),
                      static_cast<std::uint32_t>(arguments.bufsiz),
                      GuestAddr(static_cast<std::uint32_t>(arguments.offset)),
                      static_cast<std::uint32_t>(arguments.scale)};
  return make_state(before, State::Kind::profil, std::span(&region, 1), irix_prof_ushort,
                    address_bits);
}

// Unsigned and unlimited (A-I15): if there are too many regions, some cannot be read. The kernel
// copies profcnt * 16 bytes modulo 2^32: of -2147483648 nothing, and it switches off as of 0. That
// other multiples of 2^28 are alike is inferred.
Result<std::size_t, CallError> region_count(std::int32_t profcnt, std::uint32_t) {
  constexpr std::uint32_t entry_bytes = 16;
  const auto count = static_cast<std::uint32_t>(profcnt);
  return std::size_t{count * entry_bytes == 0 ? 0 : count};
}

Result<State, CallError> start(const State& before, std::span<const Region> regions,
                               std::uint32_t flags, unsigned address_bits) {
  if (regions.size() > 1 && looks_like_bin(regions.front())) return Failure{CallError::invalid};
  return make_state(before, State::Kind::sprofil, regions, flags, address_bits);
}

// ---- Ticks.

// The last of several regions, if it has offset 0 and scale 2. It stays the bin even after a fault
// has cleared its scale.
std::optional<std::size_t> find_bin(const State& state) {
  if (state.regions.size() < 2) return std::nullopt;
  Region last = state.regions.back();
  if (last.faulted) last.scale = irix_first_counter_scale;
  if (!looks_like_bin(last)) return std::nullopt;
  return state.regions.size() - 1;
}

// Among the regions except the bin, the first with the highest offset below pc; if there is none,
// the first with the lowest offset (A-I14).
std::size_t choose_region(std::span<const Region> regions, GuestAddr pc) {
  std::size_t lowest = 0;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const GuestAddr offset = regions[i].offset;
    if (offset < regions[lowest].offset) lowest = i;
    if (offset < pc && (!best || offset > regions[*best].offset)) best = i;
  }
  return best.value_or(lowest);
}

// pc - offset in the word of the kernel that runs such programs: a 32-bit one wraps. Nullopt if it
// is negative.
std::optional<std::uint64_t> difference(const State& state, const Region& region, GuestAddr pc) {
  const std::uint64_t delta = bit_field(pc - region.offset, 0, state.address_bits);
  const bool is_negative = (delta >> (state.address_bits - 1)) != 0;
  return is_negative ? std::nullopt : std::optional(delta);
}

// A product of 64 bits, a result of 32 (A-I11).
Steps steps_to(const Region& region, std::uint64_t delta) {
  Steps steps;
  steps.delta = bit_field(delta, 0, 32);
  if (region.scale == irix_first_counter_scale) {
    steps.rule = Steps::Rule::first_counter;
    return steps;
  }
  steps.product = Wide{steps.delta} * region.scale;
  steps.quotient = static_cast<std::uint32_t>(steps.product >> steps.product_shift);
  return steps;
}

// The address has 32 bits in every program (A-I11); addresses with bit 31 set are the kernel's.
Access access_to(const State& state, std::size_t index, std::uint64_t byte_offset, Steps steps) {
  const GuestAddr address = state.regions[index].base + byte_offset;
  return {index, GuestAddr(static_cast<std::uint64_t>(sign_extend(address.value(), 32))),
          state.counter_bytes, byte_offset, steps};
}

// The region's counter for pc, if it is within the buffer (A-I4, A-I6).
Lookup find_counter(const State& state, std::size_t index, GuestAddr pc) {
  const Region& region = state.regions[index];
  const auto delta = difference(state, region, pc);
  if (!delta) return Miss{Miss::Reason::below_offset, index, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, index, {}};
  const Steps steps = steps_to(region, *delta);
  const auto quotient = static_cast<std::uint64_t>(steps.quotient);
  const std::uint64_t byte_offset = quotient - quotient % state.counter_bytes;
  if (byte_offset >= region.size) return Miss{Miss::Reason::beyond_buffer, index, steps};
  return access_to(state, index, byte_offset, steps);
}

// A pc for which the chosen region has no counter goes to the first counter of the bin.
Lookup find_in_bin(const State& state, std::size_t index, std::size_t chosen) {
  const Region& bin = state.regions[index];
  if (is_off(bin)) return Miss{Miss::Reason::scale_off, index, {}};
  if (bin.size == 0) return Miss{Miss::Reason::empty_buffer, index, {}};
  Steps steps;
  steps.rule = Steps::Rule::overflow_bin;
  steps.chosen = static_cast<unsigned>(chosen);
  return access_to(state, index, 0, steps);
}

// A tick in a region that is off is lost, even with a bin. A tick for which a region has no counter
// never goes to another region.
Lookup lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const auto bin = find_bin(state);
  const std::size_t count = bin.value_or(state.regions.size());
  const std::size_t chosen = choose_region(std::span(state.regions).first(count), pc);
  if (is_off(state.regions[chosen])) return Miss{Miss::Reason::scale_off, chosen, {}};
  const Lookup found = find_counter(state, chosen, pc);
  if (!bin || std::holds_alternative<Access>(found)) return found;
  return find_in_bin(state, *bin, chosen);
}

// "it is conceivable for it to overflow. No indication that this has occurred is given": profil(2).
Increment increment(std::uint64_t before, unsigned width, Ticks ticks) {
  CHECK(width == 2 || width == 4);
  const std::uint64_t limit = (std::uint64_t{1} << (8 * width)) - 1;
  CHECK(before <= limit);
  const bool wraps = ticks.value() > limit - before;
  return {before, (before + ticks.value()) & limit,
          wraps ? Increment::Effect::wrapped : Increment::Effect::counted};
}

// "Profiling is turned off for the specified region of text space if a pr_base update would cause a
// memory fault": sprofil(2), A-I10. When no region is on, nothing is profiled any more; a later
// call still finds the fast clock (A-I18).
State after_fault(const State& state, std::size_t region) {
  if (!state.on()) return state;
  State next = state;
  next.regions[region].scale = 0;
  next.regions[region].faulted = true;
  if (!std::ranges::all_of(next.regions, is_off)) return next;
  next = stopped(State::Stop::by_fault);
  next.fast = state.fast;
  return next;
}

// The child has its own list of regions, as faults have left it, but owes none of its parent's
// ticks.
State after_fork(const State& parent) {
  State child = parent;
  child.owed_tick.reset();
  child.waiting.clear();
  return child;
}

State after_exec(const State& state) {
  return stopped(state.on() ? State::Stop::by_exec : state.stop);
}

constexpr std::array<Flag, 3> flag_table = {{
    {"PROF_USHORT", irix_prof_ushort},
    {"PROF_UINT", irix_prof_uint},
    {"PROF_FAST", irix_prof_fast},
}};
constexpr Sprofil sprofil_call = {region_count, start, flag_table, irix_prof_fast};

// ---- The rules, in words.

constexpr std::string_view observed = "observed: the IRIX 6.2 kernel";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(buff, bufsiz, offset, scale) is sprofil with one region, no tvp and PROF_USHORT; it "
     "replaces everything, validates nothing and returns 0. sprofil(profp, profcnt, tvp, flags) "
     "takes regions in any order, as many as can be read. Of the flags PROF_USHORT 1, PROF_UINT 2 "
     "and PROF_FAST 4 only the last two are looked at. Errors in this order: EFAULT of profp, "
     "EINVAL for an overflow bin that is the first of several regions, EFAULT of tvp; they leave "
     "the old profile as it was. (EACCES for PROF_FAST where restrict_fastprof is 1: taken to be "
     "0. ENOMEM for more than 65536 regions: hardclock's own)",
     observed},
    {"counter", "2 bytes, unsigned; with PROF_UINT 4 bytes", observed},
    {"arithmetic",
     "byte offset = (pc - offset) * scale >> 16, a product of 64 bits, a result of 32, then "
     "rounded down to a counter; scale 2 is the first counter. Of several regions the one with the "
     "highest offset below pc, of equal ones the first; where none is below, the one with the "
     "lowest",
     observed},
    {"below offset",
     "not counted: the difference is negative, in 32 bits for a 32-bit program, so that one that "
     "wraps below 2^31 counts and one from 2^31 up does not. (A 64-bit kernel takes 64 bits for "
     "those programs, too: not modelled)",
     observed},
    {"range",
     "the rounded byte offset must be below bufsiz, unsigned; a counter may end behind it; bufsiz "
     "0 counts nothing. A pc that the chosen region has no counter for is no other region's, but "
     "the overflow bin's: a last one of several with offset 0 and scale 2, whose first counter it "
     "increments",
     observed},
    {"overflow", "a counter wraps to 0, silently; several ticks are one addition", observed},
    {"off",
     "the first region's scale is 0 or 1, whatever the others'; or profcnt is 0, or -2147483648 "
     "(profcnt * 16 is cut to 32 bits), which looks at tvp but not at profp. Another region's "
     "scale of 0 or 1 loses the ticks of that region",
     observed},
    {"fault",
     "a counter that is not mapped, read-only, or at 2^31 or above turns its region off: no "
     "signal, the tick is lost, the others go on; only a new call brings it back. Memory that may "
     "be written can be read (mmap(2): \"true for all SGI implementations\")",
     observed},
    {"alignment", "a misaligned counter is a fault", observed},
    {"tick",
     "100 a second: one that interrupts user code marks the process, which is charged one tick at "
     "the pc at which it goes on; a new call drops the mark. With PROF_FAST 1000 a second: user "
     "pcs are noted, 11 at most, and charged at the next tick of the 100 or when the process "
     "leaves the kernel; a new call drops them. It stays, whatever later calls say, until "
     "profiling is turned off. tvp gets 10 milliseconds, with PROF_FAST 1, also when the call "
     "turns profiling off",
     observed},
    {"system time",
     "whenever the process leaves the kernel, the ticks of its stay go in one step to the pc at "
     "which it goes on, with PROF_FAST ten for each; also when there are none: a bad buffer is "
     "found then. Those of the call that turns profiling on count (inferred: the charge is made at "
     "its exit)",
     observed},
    {"signals",
     "all of this is charged before a caught one is delivered: at the pc that the signal "
     "interrupts, behind a system call the instruction after it, of sigreturn the restored pc; "
     "never at a handler or its trampoline. Ticks of the delivery itself are nobody's",
     observed},
    {"threads", "one state a process, and each sproc(2) child is a process",
     "IRIX profil(2); observed: the IRIX 6.2 kernel"},
    {"fork",
     "on in both after fork and sproc; the child has its own copy of the list of regions, as "
     "faults have left it, but no mark and no noted pcs",
     observed},
    {"vfork", "another name of fork: a copy of the memory, and the parent goes on",
     "IRIX fork(2): vfork and fork are exactly the same, without the semantics of BSD's vfork"},
    {"exec", "a successful exec turns profiling and the fast clock off", observed},
}};

constexpr std::array<Contradiction, 19> known_contradictions = {{
    {"A-I1", "scale is a \"16-bit fraction\", but its maximum 0x10000 has 17 bits",
     "the kernel: a 32-bit number with 16 fraction bits, all of which count"},
    {"A-I2", "0x10000 maps pcs 1-1 to 4-byte words, but counters have 2 bytes",
     "bytes of buffer per byte of text: every second counter is used, as the page itself says"},
    {"A-I3", "0x0002 is 1/32768, but \"by convention\" the entire region goes to the first counter",
     "the kernel follows the convention: every pc from offset up goes to the first counter"},
    {"A-I4", "bufsiz 0 is ineffective, but the convention for scale 2 needs no size",
     "the kernel counts nothing, with scale 2 either"},
    {"A-I5", "overflow happens without indication: does a counter wrap, stop or stay?",
     "in the kernel it wraps"},
    {"A-I6", "a bufsiz that is no multiple of a counter's size",
     "the kernel rounds the byte offset first, so the last counter may end behind the buffer"},
    {"A-I7", "a buff that is not aligned to a counter", "in the kernel a memory fault"},
    {"A-I8", "the product is called an index into the array, but the examples need a byte offset",
     "a byte offset, rounded down to a counter"},
    {"A-I9", "CPU time is counted when a tick interrupts the process; in the kernel, too?",
     "in the kernel's own count, yes: at the return to user mode, in one step"},
    {"A-I10", "profil(2): a fault turns profiling off; sprofil(2): for the region alone",
     "the kernel: for the region alone; there is no signal"},
    {"A-I11", "offset is unsigned int in 64-bit programs, too, and buffers may lie anywhere",
     "the kernel multiplies the low 32 bits of pc - offset and cuts the counter's address to 32"},
    {"A-I12", "0 is always returned, whatever the arguments",
     "profil validates nothing; bad arguments show at ticks"},
    {"A-I13",
     "scale is \"the reciprocal of the number of instructions in a subdivision\", but 0x8000 is "
     "one instruction to a counter",
     "the examples: bytes of counters per byte of text"},
    {"A-I14",
     "of overlapping regions the largest offset \"less than\" pc counts, which leaves out the "
     "first instruction of a region",
     "so does the kernel: a pc equal to an offset belongs to the region before, if there is one"},
    {"A-I15",
     "the page has E2BIG for a profcnt below 1 or above PROFIL_MAX and EINVAL for flags without "
     "PROF_USHORT and PROF_UINT",
     "the kernel has neither: 0 turns off, what cannot be read is EFAULT, other flags are ignored"},
    {"A-I16", "the page has EINVAL for an overflow bin that is not the last region",
     "the kernel: only for one that is the first of several"},
    {"A-I17", "the page leaves out regions with a scale of 0 or 1",
     "the kernel: the first region's decides over all; another's loses the ticks of its region"},
    {"A-I18", "each call disables the profiling of the calls before it",
     "the kernel keeps the fast clock until profiling is turned off, while tvp says otherwise"},
    {"A-X1", "no page says how profil and sprofil share a process",
     "one state, made by the last successful call of either"},
}};

}  // namespace

constinit const SystemRules irix_system = {
    .name = "irix",
    .title = "IRIX 5.3 and 6.5",
    .description =
        "profil, and sprofil for several regions, 32-bit counters and a faster clock; known from "
        "routines of the IRIX 6.2 kernel observed at work, and from the manual pages of 5.1 to "
        "6.2.",
    .tick_rate = irix_tick_rate,
    .fast_tick_rate = irix_fast_tick_rate,
    .system_ticks = SystemTicks::resume_pc,
    .user_ticks = UserTicks::as_one_at_resume,
    .owes_until_exit = true,
    .probes_on_kernel_exit = true,
    .charges_before_signals = true,
    .fast_ticks_a_tick = irix_fast_tick_rate.value() / irix_tick_rate.value(),
    .fast_buffer = irix_fast_buffer,
    .vfork = Vfork::fork,
    .profil = profil,
    .sprofil = &sprofil_call,
    .lookup = lookup,
    .increment = increment,
    .after_fault = after_fault,
    .after_exec = after_exec,
    .after_fork = after_fork,
    .rules = rule_table,
    .contradictions = known_contradictions,
};

}  // namespace hardclock::profil
