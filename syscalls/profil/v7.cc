#include "syscalls/profil/v7.h"

#include <array>
#include <cstdint>

#include "sim/base/bits.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr unsigned kOperandShift = 1;
constexpr unsigned kProductShift = 14;

// addupc: a 16-bit difference, which wraps below offset; both operands halved by a rotation with
// the carry cleared, so that the signed multiplication sees no sign; 14 places to the right.
Steps steps_to(const Region& region, GuestAddr pc) {
  Steps steps;
  steps.delta = bit_field(pc - region.offset, 0, kV7WordBits);
  steps.operand_shift = kOperandShift;
  steps.product = Wide{steps.delta >> kOperandShift} * (region.scale >> kOperandShift);
  steps.product_shift = kProductShift;
  steps.quotient = steps.product >> kProductShift;
  return steps;
}

}  // namespace

Result<State, CallError> v7_profil(const State&, const ProfilArguments& arguments, unsigned) {
  const auto word = [](std::uint64_t value) { return bit_field(value, 0, kV7WordBits); };
  return profile_words(Region{GuestAddr(word(arguments.buff)), word(arguments.bufsiz),
                              GuestAddr(word(arguments.offset)), word(arguments.scale)},
                       kV7WordBits, kV7HighestOffScale);
}

Lookup v7_lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const Region& region = state.regions.front();
  const Steps steps = steps_to(region, pc);
  const std::uint64_t byte_offset =
      (static_cast<std::uint64_t>(steps.quotient) + kV7RoundUp) & ~std::uint64_t{1};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, 0, {}};
  if (byte_offset >= region.size) return Miss{Miss::Reason::beyond_buffer, 0, steps, byte_offset};
  return Access{0, counter_address(state, region, byte_offset), kShortBytes, byte_offset, steps};
}

namespace {

constexpr std::string_view kSource = "V7 conf/mch.s addupc";

constexpr std::array<Rule, 14> kRules = {{
    {"call",
     "profil(buff, bufsiz, offset, scale), number 44, stores four 16-bit words unexamined and "
     "always succeeds; a later call replaces all four",
     "V7 sys/sys4.c profil()"},
    {"counter", "a 16-bit word, low byte first", kSource},
    {"arithmetic",
     "byte offset = ((((pc-offset)>>1) * (scale>>1) >> 14) + 1) & ~1: 16-bit logical operands, "
     "rounded up to a word; 0177777 is one word of text per counter",
     kSource},
    {"below offset",
     "pc-offset wraps to a large unsigned 16-bit number, which is scaled like any other", kSource},
    {"range",
     "counted when the rounded byte offset is below bufsiz, unsigned; the last word may stick out "
     "of an odd bufsiz; the address wraps at 64 KiB",
     kSource},
    {"overflow", "the counter wraps at 65536, profiling goes on", kSource},
    {"off", "scale 0 only; scale 1 counts everything in the first word",
     "V7 sys/clock.c clock(), sys/trap.c trap(): if(u.u_prof.pr_scale)"},
    {"fault",
     "a word that cannot be read and written clears the scale: no signal, off until the next call",
     "V7 conf/mch.s addupc (nofault, clr of the scale)"},
    {"alignment", "a word at an odd address traps, which is a fault", kSource},
    {"tick", "60 a second; one that interrupts user code is counted at once, in the interrupt",
     "V7 sys/clock.c clock(); h/param.h HZ"},
    {"system time",
     "at the end of each trap and system call its ticks go in one step to the pc at which the "
     "program goes on; also when there are none: a bad buffer then stops profiling",
     "V7 sys/trap.c trap(): addupc(pc, &u.u_prof, u_stime-syst)"},
    {"threads", "there are none; the state is the process's", "V7 h/user.h u_prof"},
    {"fork", "parent and child both go on, each in its own copy of the buffer",
     "profil(2), V7; the user area is copied"},
    {"exec",
     "the scale is cleared once the new image is certain; an exec that fails changes nothing",
     "V7 sys/sys1.c getxfile()"},
}};

constexpr std::array<Contradiction, 6> kContradictions = {{
    {"A-B2", "the page turns profiling off with a scale of 0 or 1; the kernel tests for 0",
     "the kernel's: scale 1 counts every pc in the first word (observed)"},
    {"A-B5",
     "the page puts all instructions onto the beginning of buff with scale 02; the kernel rounds "
     "those from offset + 32 KiB up into the second word",
     "the kernel's"},
    {"A-B7", "the page says that a memory fault may turn profiling off",
     "it does, always (observed)"},
    {"A-B8", "the pages of the systems give 1/60 s, 10 ms or every clock tick",
     "each has its own: here 1/60 s"},
    {"A-B9", "the page calls 0177777 a 1-1 mapping, a little less than 1 in arithmetic",
     "rounding up makes it 1-1 up to offset + 0100000, which shares a word with offset + 0100002"},
    {"A-B10", "the page declares char *buff and int sizes",
     "unsigned 16-bit counters, size, offset and scale, as the kernel treats them"},
}};

constexpr System kSystem = {
    .name = "v7",
    .title = "Seventh Edition (PDP-11)",
    .description = "Bell Laboratories' UNIX of 1979, known from its source and observed running.",
    .tick_rate = kV7TickRate,
    .fast_tick_rate = Hertz(0),
    .word_bits = kV7WordBits,
    .system_ticks = kV7SystemTicks,
    .owes_until_exit = true,
    .probes_on_kernel_exit = true,
    .owner = Owner::process,
    .updates_unaligned = false,
    .profil = v7_profil,
    .lookup = v7_lookup,
    .increment = wrapping_increment,
    .after_fault = off_after_fault,
    .after_exec = off_after_exec,
    .after_fork = copied_by_fork,
    .rules = kRules,
    .contradictions = kContradictions,
};

}  // namespace

const System& v7_system() {
  return kSystem;
}

}  // namespace hardclock::profil
