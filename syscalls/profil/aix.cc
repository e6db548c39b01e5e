// profil of AIX 4.3 to 7.2, for comparison. The only source is IBM's "profil Subroutine" page
// (Technical Reference: Base Operating System, volume 1). Where the page is silent, the rule is
// marked and follows the other systems of its family.
//
//   A-A1  the scaled number is compared with BufferSize / sizeof(short) as if it counted counters,
//         yet 0xFFFF maps each pair of bytes to one: it is a byte offset, compared with BufferSize.
//   A-A2  only the low 16 bits of the scale count: 0x10000 is 0, hence off.
//   A-A3  02 "maps all instructions to the same location", but from offset + 32 KiB up the product
//         rounds up to the second counter: plain arithmetic, as in V7.
//   A-A4  1 is off; AIX 2.2.1 for the RT counted everything in the first counter.
//   A-A5  "always returns a value of 0", yet errors are listed: nothing is examined.
//   A-A6  the second form, an array of struct prof with BufferSize -1, is not offered: EINVAL.
//
// Open: pcs below offset, memory faults, odd addresses, the length of "each clock tick" (AIX 2.2.1
// says 60 a second), system time, threads.
#include <array>

#include "sim/base/bits.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr unsigned uint_bits = 32;
constexpr unsigned scale_bits = 16;               // A-A2
constexpr std::uint64_t highest_off_scale = 1;    // A-A4
constexpr std::uint64_t round_up = 1;             // to "the next half-word"
constexpr unsigned fraction_bits = 16;            // "shifted right 16 bits"
constexpr std::uint64_t array_form = 0xffffffff;  // BufferSize -1 (A-A6)

// "The result is multiplied by the value of the Scale parameter, shifted right 16 bits".
Steps steps_to(const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = pc - region.offset;
  steps.product = Wide{steps.delta} * region.scale;
  steps.product_shift = fraction_bits;
  steps.quotient = steps.product >> fraction_bits;
  return steps;
}

// `unsigned int` BufferSize and Scale, `unsigned long` Offset.
Result<State, CallError> profil(const State&, const ProfilArguments& arguments,
                                unsigned address_bits) {
  const unsigned bits = address_bits == 64 ? 64 : uint_bits;
  const std::uint64_t size = bit_field(arguments.bufsiz, 0, uint_bits);
  if (size == array_form) return Failure{CallError::invalid};
  return profile_words(Region{GuestAddr(bit_field(arguments.buff, 0, bits)), size,
                              GuestAddr(bit_field(arguments.offset, 0, bits)),
                              bit_field(arguments.scale, 0, scale_bits)},
                       bits, highest_off_scale);
}

// "... and rounded up to the next half-word aligned value" (A-A1, A-A3).
Lookup lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const Region& region = state.regions.front();
  const GuestAddr user_pc(bit_field(pc.value(), 0, state.address_bits));
  if (user_pc < region.offset) return Miss{Miss::Reason::below_offset, 0, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, 0, {}};
  const Steps steps = steps_to(region, user_pc);
  const Wide rounded = (steps.quotient + round_up) & ~Wide{1};
  if (rounded >= region.size)
    return Miss{Miss::Reason::beyond_buffer, 0, steps, static_cast<std::uint64_t>(rounded)};
  const auto byte_offset = static_cast<std::uint64_t>(rounded);
  return Access{0, counter_address(state, region, byte_offset), short_bytes, byte_offset, steps};
}

// "If the result of this increment would overflow an unsigned short, it remains USHRT_MAX."
Increment increment(std::uint64_t before, unsigned width, Ticks ticks) {
  const Increment sum = wrapping_increment(before, width, ticks);
  if (sum.effect != Increment::Effect::wrapped) return sum;
  return {before, short_max, Increment::Effect::saturated};
}

constexpr std::string_view source = "profil Subroutine, AIX 4.3 and 7.2";
constexpr std::string_view open = "inferred: IBM's page does not say";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(ShortBuffer, BufferSize, Offset, Scale) always returns 0; a later call replaces all "
     "four; the form with an array of struct prof (BufferSize -1) is not offered: EINVAL",
     source},
    {"counter", "an unsigned short, high byte first", source},
    {"arithmetic",
     "byte offset = ((pc-Offset) * Scale >> 16) rounded up to a halfword, with the low 16 bits of "
     "Scale; 0xFFFF is about two bytes of text per counter",
     source},
    {"below offset", "not counted when pc is below Offset", open},
    {"range",
     "counted when the rounded byte offset is below BufferSize; the last counter may stick out of "
     "an odd BufferSize",
     "profil Subroutine, AIX 4.3 and 7.2, read by A-A1"},
    {"overflow", "the counter stays at 65535, profiling goes on", source},
    {"off", "a Scale whose low 16 bits are 0 or 1", source},
    {"fault",
     "a counter that the program could not update stops profiling: no signal, off until the next "
     "call",
     open},
    {"alignment", "odd addresses are as good as even ones, as for POWER programs", open},
    {"tick", "each clock tick that finds the process active: 100 a second",
     "profil Subroutine, AIX 4.3 and 7.2; the rate is inferred, AIX 2.2.1 has 60"},
    {"system time", "not counted", open},
    {"signals", "of no influence: a user tick counts at the pc that it interrupted, others nowhere",
     open},
    {"threads", "the state is the process's; all of its threads are sampled", open},
    {"fork", "parent and child both go on, each in its own copy of the buffer",
     "inferred from the page's references to fork and exec"},
    {"vfork", "as fork: a copy of the memory, and the parent goes on",
     "AIX 4.3 fork, f_fork, or vfork Subroutine: the child shares no address space"},
    {"exec", "a successful exec stops profiling; one that fails changes nothing",
     "inferred from the page's references to fork and exec"},
}};

constexpr std::array<Contradiction, 6> known_contradictions = {{
    {"A-A1",
     "the scaled number is compared with BufferSize / sizeof(short), yet 0xFFFF maps each pair of "
     "bytes to one counter",
     "a byte offset, compared with BufferSize"},
    {"A-A2", "0x10000 would be a scale of 1.0, but the upper 16 bits are ignored",
     "0x10000 is 0, hence off"},
    {"A-A3",
     "02 maps all instructions to the same location; rounded up, those from Offset + 32 KiB go to "
     "the second counter",
     "plain arithmetic, as in V7"},
    {"A-A4", "01 turns profiling off; in AIX 2.2.1 it maps everything to the first short",
     "off, as in AIX 4.3 and 7.2"},
    {"A-A5", "the call always returns 0, and there is a list of errors",
     "nothing is examined; a bad buffer shows at the first tick"},
    {"A-A6", "there is a second form of the call, for several regions",
     "it is not offered: EINVAL rather than taking the array for a buffer"},
}};

}  // namespace

constinit const SystemRules aix_system = {
    .name = "aix",
    .title = "AIX 4.3 to 7.2",
    .description = "IBM's system, for comparison, known from its manual page alone.",
    .tick_rate = Hertz(100),            // inferred
    .system_ticks = SystemTicks::none,  // not stated
    .updates_unaligned = true,
    .vfork = Vfork::fork,
    .profil = profil,
    .lookup = lookup,
    .increment = increment,
    .after_fault = off_after_fault,
    .after_exec = off_after_exec,
    .after_fork = copied_by_fork,
    .rules = rule_table,
    .contradictions = known_contradictions,
};

}  // namespace hardclock::profil
