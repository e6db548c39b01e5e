// profil(2) of 2.11BSD, the Berkeley system for the PDP-11: V7's call and arithmetic (words.h).
//
// Sources: RetroBSD/2.11BSD usr/sys: pdp/mch_xxx.s addupc, pdp/trap.c trap(), syscall(),
// sys/kern_clock.c softclock(), profil(), sys/kern_exec.c getxfile(); usr/man/man2/profil.2, which
// is 4.3BSD's with the PDP-11's scales and rate. Its kernel #115 was observed under SIMH
// (docs/observed.md, section 2). Where page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B8   60 ticks a second; the same page has 100 for the VAX.
//   A-B9   0xffff is "1-1" because the place is rounded up, and only up to offset + 0x8000.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#include <array>

#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr std::string_view source = "2.11BSD sys/pdp/mch_xxx.s addupc";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(buff, bufsiz, offset, scale), number 44, stores four 16-bit words unexamined and "
     "always succeeds; a later call replaces all four",
     "2.11BSD sys/sys/kern_clock.c profil()"},
    {"counter", "a 16-bit word, low byte first", source},
    {"arithmetic",
     "byte offset = ((((pc-offset)>>1) * (scale>>1) >> 14) + 1) & ~1: 16-bit logical operands, "
     "rounded up to a word, as in V7; 0xffff is one word of text per counter",
     source},
    {"below offset",
     "pc-offset wraps to a large unsigned 16-bit number, which is scaled like any other", source},
    {"range",
     "counted when the rounded byte offset is below bufsiz, unsigned; the last word may stick out "
     "of an odd bufsiz; the address wraps at 64 KiB",
     source},
    {"overflow", "the counter wraps at 65536, profiling goes on", source},
    {"off", "scale 0 only; scale 1 counts everything in the first word",
     "2.11BSD sys/sys/kern_clock.c softclock(), sys/pdp/trap.c: if (u.u_prof.pr_scale)"},
    {"fault",
     "a word that cannot be read and written clears the scale: no signal, off until the next call",
     "2.11BSD sys/pdp/mch_xxx.s addupc (nofault, clr of the scale)"},
    {"alignment", "a word at an odd address traps, which is a fault", source},
    {"tick",
     "60 a second; one that interrupts user code is counted by the software clock that the "
     "interrupt runs",
     "2.11BSD sys/sys/kern_clock.c softclock(); sys/GENERIC/param.c hz"},
    {"system time",
     "at the end of each trap and system call its ticks go in one step to the pc at which the "
     "program goes on; also when there are none: a bad buffer then stops profiling",
     "2.11BSD sys/pdp/trap.c trap(), syscall(): addupc(pc, &u.u_prof, ru_stime-syst)"},
    {"signals",
     "a caught one is delivered first: the ticks of the trap or call go to where it begins, the C "
     "library's trampoline; a user tick has gone to the pc that it interrupted",
     "2.11BSD sys/pdp/trap.c trap(), syscall(): postsig() before addupc()"},
    {"threads", "there are none; the state is the process's", "2.11BSD sys/h/user.h u_prof"},
    {"fork", "parent and child both go on, each in its own copy of the buffer",
     "profil(2), 2.11BSD; the user area is copied"},
    {"vfork",
     "the child has its parent's memory, and counts there, until it calls exec or exits; the "
     "parent waits for that",
     "vfork(2), 2.11BSD"},
    {"exec",
     "the scale is cleared once the new image is certain; an exec that fails changes nothing",
     "2.11BSD sys/sys/kern_exec.c getxfile()"},
}};

constexpr std::array<Contradiction, 5> known_contradictions = {{
    {"A-B2", "the page turns profiling off with a scale of 0 or 1; the kernel tests for 0",
     "the kernel's: scale 1 counts every pc in the first word (observed)"},
    {"A-B8", "the page gives 100 ticks a second (VAX, Tahoe) and 60",
     "60, which is the PDP-11's line clock (observed)"},
    {"A-B9", "the page calls 0xffff a 1-1 mapping, where 4.3BSD has 0x10000",
     "this kernel rounds up, 4.3BSD's down: 0xffff is 1-1 here up to offset + 0x8000"},
    {"A-B10", "the page declares char *buff and int sizes",
     "unsigned 16-bit counters, size, offset and scale, as the kernel treats them"},
    {"A-B12",
     "the page increments a word \"inside buff\"; the kernel compares where the word begins",
     "the kernel's: with an odd bufsiz the last word is counted and ends a byte behind buff"},
}};

}  // namespace

constinit const SystemRules bsd211_system = pdp11_system({
    .name = "2.11bsd",
    .title = "2.11BSD (PDP-11)",
    .description = "Berkeley's last system for the PDP-11, of 1991, known from its source and "
                   "observed running.",
    .tick_rate = Hertz(60),  // A-B8; GENERIC/param.c hz
    .rules = rule_table,
    .contradictions = known_contradictions,
});

}  // namespace hardclock::profil
