#include "syscalls/profil/hpux.h"

#include <array>
#include <optional>

#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

// "The flags parameter must be set to one of these values": sprofil(2).
std::optional<unsigned> element_bytes(std::uint32_t flags) {
  switch (flags) {
    case hpux_prof_ushort:
      return 2;
    case hpux_prof_uint:
      return 4;
    case hpux_prof_uint64:
      return 8;
    default:
      return std::nullopt;
  }
}

bool is_ignored(const Region& region) {
  return region.scale <= hpux_highest_ignored_scale;
}

// "If its pr_offset field is set to 0 and its pr_scale field is set to 2": sprofil(2).
bool is_overflow_descriptor(const Region& region) {
  return region.offset == GuestAddr(0) && region.scale == hpux_overflow_scale;
}

// ERRORS of sprofil(2): "zero or greater than (2^46 * pr_scale) / 65536 or is not a multiple of the
// element size".
bool has_valid_size(const Region& region, unsigned width) {
  const Wide limit = (Wide{region.scale} << hpux_longest_text_bits) >> 16;
  return region.size != 0 && region.size <= limit && region.size % width == 0;
}

// The first pc after a region: the least with (pc - pr_offset) * pr_scale / 65536 >= pr_size.
Wide text_end(const Region& region) {
  return region.offset.value() + ((Wide{region.size} << 16) + region.scale - 1) / region.scale;
}

// ERRORS of sprofil(2), entry by entry (A-H18). Ignored entries are not examined (A-H17). Nothing
// follows the overflow descriptor (A-H16); its place and length are its only limits (A-H5). A
// region that begins before the end of its predecessor overlaps it or is unsorted.
bool are_valid(std::span<const Region> regions, unsigned width) {
  bool seen_overflow_descriptor = false;
  Wide end = 0;
  for (const Region& region : regions) {
    if (is_ignored(region)) continue;
    if (seen_overflow_descriptor || !has_valid_size(region, width)) return false;
    if (is_overflow_descriptor(region)) {
      if (region.size != width) return false;
      seen_overflow_descriptor = true;
      continue;
    }
    if (region.offset.value() < end) return false;
    end = text_end(region);
  }
  return true;
}

// sprofil(2): profcnt of 0 disables, whatever the flags (A-H1); then profcnt before flags (A-H18).
Result<std::size_t, CallError> region_count(std::int32_t profcnt, std::uint32_t flags) {
  if (profcnt == 0) return std::size_t{0};
  if (profcnt < 0 || static_cast<std::size_t>(profcnt) > hpux_profil_max) {
    return Failure{CallError::too_big};
  }
  if (!element_bytes(flags)) return Failure{CallError::invalid};
  return static_cast<std::size_t>(profcnt);
}

Result<State, CallError> start(const State&, std::span<const Region> regions, std::uint32_t flags,
                               unsigned address_bits) {
  if (regions.empty()) return stopped(State::Stop::by_call);
  if (regions.size() > hpux_profil_max) return Failure{CallError::too_big};
  const auto width = element_bytes(flags);
  if (!width || !are_valid(regions, *width)) return Failure{CallError::invalid};
  State state;
  state.kind = State::Kind::sprofil;
  state.counter_bytes = *width;
  state.address_bits = address_bits;
  state.regions.assign(regions.begin(), regions.end());
  return state;
}

// profil(2) returns nothing and validates nothing: one PROF_USHORT region as it is (A-H11).
Result<State, CallError> start_profil(const State&, const ProfilArguments& arguments,
                                      unsigned address_bits) {
  const auto scale = static_cast<std::uint32_t>(arguments.scale);
  if (scale <= hpux_highest_ignored_scale) return stopped(State::Stop::by_call);
  State state;
  state.kind = State::Kind::profil;
  state.counter_bytes = 2;
  state.address_bits = address_bits;
  state.regions = {Region{GuestAddr(bit_field(arguments.buff, 0, address_bits)),
                          bit_field(arguments.bufsiz, 0, address_bits),
                          GuestAddr(bit_field(arguments.offset, 0, address_bits)), scale}};
  return state;
}

// (pc - offset) * scale >> 16 without the loss of any bit. `pc` is not below the region's offset.
Steps exact_steps(const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = pc - region.offset;
  steps.product = Wide{steps.delta} * region.scale;
  steps.quotient = steps.product >> steps.product_shift;
  return steps;
}

// In the region of this index, as if it were alone. sprofil(2): "The value falls within a region if
// (offset=((pc - pr_offset) * pr_scale) / 65536) < pr_size" (A-H2, A-H3), then "rounded down to a
// 2, 4 or 8-byte boundary" (A-H4).
Lookup find_counter(const State& state, std::size_t index, GuestAddr pc) {
  const Region& region = state.regions[index];
  if (is_ignored(region)) return Miss{Miss::Reason::scale_off, index, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, index, {}};
  if (is_overflow_descriptor(region)) {
    Steps steps;
    steps.rule = Steps::Rule::overflow_bin;
    return Access{index, region.base, state.counter_bytes, 0, steps};
  }
  if (pc < region.offset) return Miss{Miss::Reason::below_offset, index, {}};
  const Steps steps = exact_steps(region, pc);
  if (steps.quotient >= region.size) return Miss{Miss::Reason::beyond_buffer, index, steps};
  const auto quotient = static_cast<std::uint64_t>(steps.quotient);
  const std::uint64_t byte_offset = quotient - quotient % state.counter_bytes;
  return Access{index, counter_address(state, region, byte_offset), state.counter_bytes,
                byte_offset, steps};
}

// Among the regions that have a counter for pc, the one with the largest offset counts; of equal
// offsets, the first: sprofil(2), "If overlapping text regions are specified". A region whose
// buffer ends before this pc leaves it to the others.
//
// The overflow descriptor needs no rule of its own: it takes every pc, but its offset is 0 and it
// is the last, so any other region precedes it (A-H6, A-H7).
Lookup lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  if (state.regions.size() == 1) return find_counter(state, 0, pc);
  Lookup best = Miss{Miss::Reason::no_region, 0, {}};
  for (std::size_t i = 0; i < state.regions.size(); ++i) {
    const Lookup found = find_counter(state, i, pc);
    if (!std::holds_alternative<Access>(found)) continue;
    const Access* const before = std::get_if<Access>(&best);
    if (before == nullptr || state.regions[i].offset > state.regions[before->region].offset) {
      best = found;
    }
  }
  return best;
}

// sprofil(2): "incremented by 1, unless that would result in overflow".
Increment increment(std::uint64_t before, unsigned width, Ticks ticks) {
  CHECK(width == 2 || width == 4 || width == 8);
  const std::uint64_t limit = ~std::uint64_t{0} >> (64 - 8 * width);
  CHECK(before <= limit);
  if (ticks.value() > limit - before) return {before, limit, Increment::Effect::saturated};
  return {before, before + ticks.value(), Increment::Effect::counted};
}

constexpr std::array<Flag, 3> flag_table = {{
    {"PROF_USHORT", hpux_prof_ushort},
    {"PROF_UINT", hpux_prof_uint},
    {"PROF_UINT64", hpux_prof_uint64},
}};
constexpr Sprofil sprofil_call = {region_count, start, flag_table};

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "sprofil(profp, profcnt, tvp, flags) replaces everything or, with E2BIG, EINVAL or EFAULT, "
     "changes nothing; profcnt 0 turns profiling off; profil(buff, bufsiz, offset, scale) is one "
     "PROF_USHORT region that is not validated",
     "HP-UX sprofil(2), profil(2); A-H1, A-H8, A-H11, A-H18"},
    {"counter", "2, 4 or 8 bytes, unsigned: PROF_USHORT, PROF_UINT or PROF_UINT64, exactly one",
     "HP-UX sprofil(2)"},
    {"arithmetic",
     "byte offset = (pc - pr_offset) * pr_scale / 65536, exact, then rounded down to an element; a "
     "last entry with pr_offset 0 and pr_scale 2 is the overflow descriptor, whose one element "
     "takes the pcs of no other region",
     "HP-UX sprofil(2), formula and both scale tables; A-H2"},
    {"below offset", "a pc below pr_offset is not in the region", "HP-UX sprofil(2); A-H3"},
    {"range",
     "the byte offset must be below pr_size; the regions are sorted and do not overlap, or else "
     "sprofil is EINVAL; pr_size is 2^46 * pr_scale / 65536 at most",
     "HP-UX sprofil(2), formula and ERRORS"},
    {"overflow", "a counter stays at its maximum; profiling goes on", "HP-UX sprofil(2)"},
    {"off", "profil: scale 0 or 1; sprofil: profcnt 0, while an entry of scale 0 or 1 is ignored",
     "HP-UX profil(2), sprofil(2)"},
    {"fault",
     "an invalid counter address silently turns all profiling of the process off; there is no "
     "memory that may only be written (mmap(2))",
     "HP-UX sprofil(2)"},
    {"alignment", "a misaligned pr_base is accepted, and its first update is a fault",
     "inferred (A-H9): PA-RISC and Itanium trap unaligned accesses"},
    {"tick", "CLK_TCK a second, taken to be 100; tvp gets the length of one",
     "inferred: HP-UX profil(2) and sprofil(2) name the rate and give no number"},
    {"system time", "ticks in the kernel are not counted", "inferred: the pages do not say"},
    {"signals", "of no influence: a user tick counts at the pc that it interrupted, others nowhere",
     "inferred: the pages do not say"},
    {"threads", "one state a process; the ticks of all of its threads count", "HP-UX sprofil(2)"},
    {"fork", "on in both; the child has its own copy of the state", "HP-UX sprofil(2) Notes"},
    {"vfork",
     "the child has its parent's memory, and counts there, until it calls exec or exits; the "
     "parent waits for that",
     "HP-UX vfork(2)"},
    {"exec", "a successful exec turns profiling off", "HP-UX sprofil(2) Notes"},
}};

constexpr std::array<Contradiction, 20> known_contradictions = {{
    {"A-H1", "profcnt 0 disables profiling, but ERRORS has E2BIG for profcnt 0 and below",
     "0 disables and succeeds, whatever profp and flags are; tvp is set then, too, or EFAULT; "
     "below 0 is E2BIG"},
    {"A-H2", "the range formula is printed as ((pr_offset) * pr_scale) / 65536, without any pc",
     "((pc - pr_offset) * pr_scale) / 65536, which gives every cell of both scale tables"},
    {"A-H3", "the formula has no lower bound", "a pc below pr_offset is not in the region"},
    {"A-H4", "the formula compares bytes, the text speaks of elements",
     "a byte offset is compared with pr_size, then rounded down to an element"},
    {"A-H5", "pr_offset must ascend, but the overflow descriptor is last with pr_offset 0",
     "the overflow descriptor is exempt from the tests for order and overlap"},
    {"A-H6", "overlapping regions are EINVAL, but a paragraph says which of them is incremented",
     "EINVAL; the paragraph stays the rule by which regions are searched"},
    {"A-H7", "the largest offset \"less than\" the pc counts, but the formula takes the pc itself",
     "not above the pc: the first instruction belongs to its region"},
    {"A-H8", "\"Each call disables profiling if it was enabled\": a failing one, too?",
     "a reading, and not the literal one: a failing call changes nothing"},
    {"A-H9", "a misaligned pr_base is not among the errors",
     "accepted; the first update is an invalid address and disables profiling"},
    {"A-H10",
     "the pc's two lowest bits hold a privilege level on PA-RISC; \"pc points to a 16-byte "
     "bundle\" on Itanium, whose slot is in another register (IPSR.ri)",
     "the bits below an instruction or a bundle are cleared before the search"},
    {"A-H11",
     "profil has \"the same effect\" as sprofil with one entry, but takes scale 0, 1 and 2 and any "
     "bufsiz",
     "a reading, and not the literal one, by which those would be EINVAL: profil validates "
     "nothing; scale 0 or 1 is off, bufsiz 0 counts nothing, scale 2 is the "
     "overflow descriptor with offset 0 and plain arithmetic with any other"},
    {"A-H12", "the tables have rows of 0.5 and 0.25 instructions an element, which is undefined",
     "plain arithmetic"},
    {"A-H13", "the Itanium table counts instructions, but a pc is that of a bundle",
     "the numbers are bundles of three instructions"},
    {"A-H14", "2^46 * pr_scale / 65536 limits a 32-bit pr_size only for scales 2 and 3",
     "tested as written"},
    {"A-H15", "sprofil names the rate CLK_TICK, profil CLK_TCK", "one rate of 100 a second"},
    {"A-H16", "the overflow bin \"should\" be last, or is EINVAL if it is not", "EINVAL"},
    {"A-H17", "an entry of scale 0 or 1 is ignored; are its other fields validated?",
     "no; it may also follow the overflow descriptor"},
    {"A-H18", "the order of the errors is not given",
     "profcnt, flags, profp, the entries in order, tvp"},
    {"A-H19", "profcnt is limited by sysconf(_SC_PROFIL_MAX), of which no page has the number",
     "1024, a number of our own"},
    {"A-X1", "no page says how profil and sprofil share a process",
     "one state, made by the last successful call of either"},
}};

}  // namespace

constinit const SystemRules hpux_system = {
    .name = "hpux",
    .title = "HP-UX 11i",
    .description =
        "profil and sprofil with counters of three widths that saturate; known from the "
        "manual pages of 11i v2 and v3.",
    .tick_rate = hpux_tick_rate,
    .pc_mask = pa_risc_pc,
    .system_ticks = SystemTicks::none,  // the pages do not say
    .profil = start_profil,
    .sprofil = &sprofil_call,
    .lookup = lookup,
    .increment = increment,
    // sprofil(2): "If the calculation above results in an invalid address, profiling is silently
    // disabled".
    .after_fault = off_after_fault,
    // sprofil(2): "Profiling is turned off when an exec(2) is executed".
    .after_exec = off_after_exec,
    // sprofil(2): "remains on in both child and parent processes after a fork(2)".
    .after_fork = copied_by_fork,
    .rules = rule_table,
    .contradictions = known_contradictions,
};

}  // namespace hardclock::profil
