#include "syscalls/profil/irix.h"

#include <array>

#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "syscalls/profil/regions.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

// "the value of offset is subtracted from the current value of the program counter (pc), and the
// remainder is multiplied by scale": profil(2). The product has up to 96 bits (A-I1, A-I11).
Steps steps_to(const Region& region, GuestAddr pc) {
  if (region.scale != kIrixFirstCounterScale) return exact_steps(region, pc);
  Steps steps;
  steps.rule = Steps::Rule::first_counter;
  steps.delta = pc - region.offset;
  return steps;
}

// What one region makes of a pc. profil(2): "turned off by giving a scale of 0 or 1", "rendered
// ineffective by giving a bufsiz of 0" (A-I4), "offset is effectively the start address of the
// region to be profiled". A-I6 compares the byte offset before it is rounded to a counter.
Lookup find_counter(const State& state, std::size_t index, GuestAddr pc) {
  const Region& region = state.regions[index];
  if (region.scale <= kIrixHighestOffScale) return Miss{Miss::Reason::scale_off, index, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, index, {}};
  if (pc < region.offset) return Miss{Miss::Reason::below_offset, index, {}};
  const Steps steps = steps_to(region, pc);
  if (steps.quotient >= region.size) return Miss{Miss::Reason::beyond_buffer, index, steps};
  const auto quotient = static_cast<std::uint64_t>(steps.quotient);
  const std::uint64_t byte_offset = quotient - quotient % state.counter_bytes;
  return Access{index, counter_address(state, region, byte_offset), state.counter_bytes,
                byte_offset, steps};
}

// Any of PROF_USHORT, PROF_UINT and PROF_FAST; PROF_USHORT is 0.
bool are_valid(std::uint32_t flags) {
  return (flags & ~(kIrixProfUint | kIrixProfFast)) == 0;
}

// The prototype's types (A-I11): unsigned int but for the pointer, which has the program's width.
// It cannot fail (A-I12).
Result<State, CallError> profil(const State&, const ProfilArguments& arguments,
                                unsigned address_bits) {
  const auto bufsiz = static_cast<std::uint32_t>(arguments.bufsiz);
  const auto offset = static_cast<std::uint32_t>(arguments.offset);
  const auto scale = static_cast<std::uint32_t>(arguments.scale);
  if (scale <= kIrixHighestOffScale) return stopped(State::Stop::by_call);
  State state;
  state.kind = State::Kind::profil;
  state.counter_bytes = 2;  // "an array of unsigned short int"
  state.address_bits = address_bits;
  state.regions = {Region{GuestAddr(bit_field(arguments.buff, 0, address_bits)), bufsiz,
                          GuestAddr(offset), scale}};
  return state;
}

// A negative profcnt is E2BIG on HP-UX; 0 is not, although its ERRORS say so: the same page has "If
// profcnt is 0, profiling is disabled", and glibc's own test stops with sprofil(NULL, 0, NULL, 0).
Result<std::size_t, CallError> region_count(std::int32_t profcnt, std::uint32_t flags) {
  if (profcnt == 0) return std::size_t{0};
  if (profcnt < 0 || static_cast<std::size_t>(profcnt) > kIrixMaxRegions) {
    return Failure{CallError::too_big};
  }
  if (!are_valid(flags)) return Failure{CallError::invalid};
  return static_cast<std::size_t>(profcnt);
}

// The fields of struct prof "take on the same meaning as the arguments of the profil(2) system
// call" (IRIX sprofil(2)), so an entry has profil's rules, scale 2 included. glibc's tst-sprofil.c
// passes overlapping, unsorted regions.
Result<State, CallError> start(std::span<const Region> regions, std::uint32_t flags,
                               unsigned address_bits) {
  if (regions.empty()) return stopped(State::Stop::by_call);
  if (regions.size() > kIrixMaxRegions) return Failure{CallError::too_big};
  if (!are_valid(flags)) return Failure{CallError::invalid};
  State state;
  state.kind = State::Kind::sprofil;
  state.counter_bytes = (flags & kIrixProfUint) != 0 ? 4 : 2;
  state.address_bits = address_bits;
  state.regions.assign(regions.begin(), regions.end());
  state.fast = (flags & kIrixProfFast) != 0;
  return state;
}

// Of overlapping regions the one with the largest offset not above pc counts, of equal offsets the
// first; a region whose buffer ends before this pc leaves it to the others (HP-UX sprofil(2); glibc
// fills the gaps between regions in the same way). The overflow bin, "pr_offset of 0 and pr_scale
// of 0x0002", needs no rule of its own: it takes every pc, and no other offset is smaller.
Lookup lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  return find_in_regions(state, pc, find_counter);
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

constexpr std::array<Flag, 3> kFlags = {{
    {"PROF_USHORT", kIrixProfUshort},
    {"PROF_UINT", kIrixProfUint},
    {"PROF_FAST", kIrixProfFast},
}};
constexpr Sprofil kSprofil = {region_count, start, kFlags};

constexpr std::array<Rule, 14> kRules = {{
    {"call",
     "profil(buff, bufsiz, offset, scale) replaces everything, validates nothing and returns 0; "
     "sprofil(profp, profcnt, tvp, flags) takes regions in any order, overlapping or not; profcnt "
     "0 turns profiling off",
     "IRIX profil(2), sprofil(2); glibc gmon/tst-sprofil.c; errors as in HP-UX sprofil(2)"},
    {"counter", "2 bytes, unsigned; with sprofil's PROF_UINT 4 bytes",
     "IRIX profil(2), sprofil(2)"},
    {"arithmetic",
     "byte offset = (pc - offset) * scale >> 16, exact, then rounded down to a counter; scale 2 is "
     "the first counter for every pc from offset up; of several regions the largest offset counts, "
     "of equal ones the first",
     "IRIX profil(2); A-I1, A-I3, A-I8; HP-UX sprofil(2) on overlaps"},
    {"below offset", "a pc below offset is not counted", "IRIX profil(2): the start of the region"},
    {"range",
     "the byte offset must be below bufsiz; a counter may end behind it; bufsiz 0 counts nothing",
     "IRIX profil(2); A-I4, A-I6"},
    {"overflow", "a counter wraps to 0, silently", "IRIX profil(2): \"No indication\"; A-I5"},
    {"off", "scale 0 or 1; sprofil: profcnt 0", "IRIX profil(2); HP-UX sprofil(2)"},
    {"fault",
     "a counter that cannot be updated, and that paging does not cure, turns all profiling of the "
     "process off, without a signal",
     "IRIX profil(2); A-I10"},
    {"alignment", "a misaligned counter is a fault", "resolution A-I7: a MIPS address error"},
    {"tick", "100 a second; 1000 with sprofil's PROF_FAST; tvp gets the length of one",
     "IRIX profil(2), sprofil(2); SpeedShop User's Guide, table 4-1"},
    {"system time", "ticks in the kernel are not counted",
     "inferred: the page does not say (A-I9)"},
    {"threads", "one state a process, and each sproc(2) child is a process", "IRIX profil(2)"},
    {"fork", "on in both after fork and sproc; the child has its own copy of the state",
     "IRIX profil(2)"},
    {"exec", "a successful exec turns profiling off", "IRIX profil(2)"},
}};

constexpr std::array<Contradiction, 13> kContradictions = {{
    {"A-I1", "scale is a \"16-bit fraction\", but its maximum 0x10000 has 17 bits",
     "a 32-bit number with 16 fraction bits; anything above 0x10000 is plain arithmetic, too"},
    {"A-I2", "0x10000 maps pcs 1-1 to 4-byte words, but counters have 2 bytes",
     "bytes of buffer per byte of text: every second counter is used, as the page itself says"},
    {"A-I3", "0x0002 is 1/32768, but \"by convention\" the entire region goes to the first counter",
     "the convention: every pc from offset up goes to the first counter"},
    {"A-I4", "bufsiz 0 is ineffective, but the convention for scale 2 needs no size",
     "nothing is counted, with scale 2 either"},
    {"A-I5", "overflow happens without indication: does a counter wrap, stop or stay?",
     "it wraps; anything else could be seen"},
    {"A-I6", "a bufsiz that is no multiple of a counter's size",
     "the byte offset decides, so the last counter may end behind the buffer"},
    {"A-I7", "a buff that is not aligned to a counter",
     "a MIPS address error, which is a memory fault: profiling is turned off"},
    {"A-I8", "the product is called an index into the array, but the examples need a byte offset",
     "a byte offset, rounded down to a counter"},
    {"A-I9", "CPU time is counted when a tick interrupts the process; in the kernel, too?",
     "no: only ticks that interrupt user code"},
    {"A-I10", "a buff update that would cause a memory fault: which update, which fault?",
     "that of the one counter, when paging cannot cure it; there is no signal"},
    {"A-I11", "offset is unsigned int in 64-bit programs, too",
     "it is zero-extended; the difference has the pointer's width"},
    {"A-I12", "0 is always returned, whatever the arguments",
     "profil validates nothing; bad arguments show at ticks"},
    {"A-X1", "no page says how profil and sprofil share a process",
     "one state, made by the last successful call of either"},
}};

constexpr System kSystem = {
    .name = "irix",
    .title = "IRIX 5.3 and 6.5",
    .description =
        "profil, and sprofil for several regions, 32-bit counters and a faster clock; "
        "known from the manual pages.",
    .tick_rate = kIrixTickRate,
    .fast_tick_rate = kIrixFastTickRate,
    .system_ticks = kIrixSystemTicks,
    .owner = Owner::process,
    .profil = profil,
    .sprofil = &kSprofil,
    .lookup = lookup,
    .increment = increment,
    // profil(2): "Profiling is turned off if a buff update would cause a memory fault" (A-I10),
    // which a misaligned counter is (A-I7).
    .after_fault = off_after_fault,
    // profil(2): "Profiling is turned off when an exec(2) is executed".
    .after_exec = off_after_exec,
    // profil(2): "remains on in both child and parent processes after a fork(2) or sproc(2)". From
    // then on each has its own state, also when they share their memory.
    .after_fork = copied_by_fork,
    .rules = kRules,
    .contradictions = kContradictions,
};

}  // namespace

const System& irix_system() {
  return kSystem;
}

}  // namespace hardclock::profil
