// profil(2) of the Seventh Edition on the PDP-11, whose words have 16 bits.
//
// Sources: v7unix/v7unix v7/usr/sys: conf/mch.s addupc, sys/clock.c clock(), sys/trap.c trap(),
// sys/sys4.c profil(), sys/sys1.c getxfile(); its page v7/usr/man/man2/profil.2, whose text 4.1BSD
// kept. The original kernel of 1979 was observed under SIMH (docs/observed.md, section 2). Where
// page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B5   02 "maps all instructions onto the beginning of buff": only those below offset + 32 KiB;
//          the others round up into the second word.
//   A-B7   "may be turned off" by a memory fault: it is.
//   A-B8   every 60th second; later systems have other rates.
//   A-B9   0177777 is "1-1" because the place is rounded up, and only up to offset + 0100000, which
//          shares a word with offset + 0100002.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#include <array>

#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr std::string_view source = "V7 conf/mch.s addupc";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(buff, bufsiz, offset, scale), number 44, stores four 16-bit words unexamined and "
     "always succeeds; a later call replaces all four",
     "V7 sys/sys4.c profil()"},
    {"counter", "a 16-bit word, low byte first", source},
    {"arithmetic",
     "byte offset = ((((pc-offset)>>1) * (scale>>1) >> 14) + 1) & ~1: 16-bit logical operands, "
     "rounded up to a word; 0177777 is one word of text per counter",
     source},
    {"below offset",
     "pc-offset wraps to a large unsigned 16-bit number, which is scaled like any other", source},
    {"range",
     "counted when the rounded byte offset is below bufsiz, unsigned; the last word may stick out "
     "of an odd bufsiz; the address wraps at 64 KiB",
     source},
    {"overflow", "the counter wraps at 65536, profiling goes on", source},
    {"off", "scale 0 only; scale 1 counts everything in the first word",
     "V7 sys/clock.c clock(), sys/trap.c trap(): if(u.u_prof.pr_scale)"},
    {"fault",
     "a word that cannot be read and written clears the scale: no signal, off until the next call",
     "V7 conf/mch.s addupc (nofault, clr of the scale)"},
    {"alignment", "a word at an odd address traps, which is a fault", source},
    {"tick", "60 a second; one that interrupts user code is counted at once, in the interrupt",
     "V7 sys/clock.c clock(); h/param.h HZ"},
    {"system time",
     "at the end of each trap and system call its ticks go in one step to the pc at which the "
     "program goes on; also when there are none: a bad buffer then stops profiling",
     "V7 sys/trap.c trap(): addupc(pc, &u.u_prof, u_stime-syst)"},
    {"signals",
     "a caught one is delivered first: the ticks of the trap or call go to the handler's first "
     "instruction, a user tick has gone to the pc that it interrupted",
     "V7 sys/trap.c trap(): psig() before addupc(); sys/clock.c clock()"},
    {"threads", "there are none; the state is the process's", "V7 h/user.h u_prof"},
    {"fork", "parent and child both go on, each in its own copy of the buffer",
     "profil(2), V7; the user area is copied"},
    {"vfork", "there is no such call", "V7 sys/sysent.c"},
    {"exec",
     "the scale is cleared once the new image is certain; an exec that fails changes nothing",
     "V7 sys/sys1.c getxfile()"},
}};

constexpr std::array<Contradiction, 7> known_contradictions = {{
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
    {"A-B12",
     "the page increments a word \"inside buff\"; the kernel compares where the word begins",
     "the kernel's: with an odd bufsiz the last word is counted and ends a byte behind buff"},
}};

}  // namespace

constinit const SystemRules v7_system = pdp11_system({
    .name = "v7",
    .title = "Seventh Edition (PDP-11)",
    .description = "Bell Laboratories' UNIX of 1979, known from its source and observed running.",
    .tick_rate = Hertz(60),  // A-B8; h/param.h HZ
    .vfork = Vfork::missing,
    .rules = rule_table,
    .contradictions = known_contradictions,
});

}  // namespace hardclock::profil
