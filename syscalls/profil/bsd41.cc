// profil(2) of 4.1BSD on the VAX.
//
// Sources: robohack/ucb-csrg-bsd at b4cbfd0490 (June 1981): sys/vax/vax/locore.s addupc,
// sys/vax/vax/trap.c trap(), syscall(), sys/kern/kern_clock.c softclock(), sys/kern/kern_proc.c
// getxfile(); the profil(2) page in the SCCS file of CSRG, delta 4.1. Where page and kernel differ,
// the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B5   02 "maps all instructions onto the beginning of buff": only those below offset + 32 KiB.
//   A-B7   "may be turned off" by a memory fault: it is.
//   A-B8   every 60th second; 4.2BSD has 10 milliseconds.
//   A-B9   0177777 is "1-1" because the place is rounded up, and only up to offset + 32 KiB.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#include <array>

#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr std::string_view source = "4.1BSD sys/vax/vax/locore.s addupc (CSRG b4cbfd0490)";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(buff, bufsiz, offset, scale), number 44, stores four 32-bit words unexamined and "
     "always succeeds; a later call replaces all four",
     "4.1BSD sys/sys/user.h u_prof; 4.2BSD sys/kern/kern_clock.c profil()"},
    {"counter", "a 16-bit word, low byte first", source},
    {"arithmetic",
     "byte offset = ((((pc-offset)>>1) * (scale>>1) >> 14) + 1) & ~1: 31-bit operands, a 62-bit "
     "product, rounded up to a word; 0177777 is one word of text per counter",
     source},
    {"below offset",
     "not counted when pc-offset, a signed 32-bit number, is negative; an offset above 2^31 can "
     "wrap to a positive one",
     source},
    {"range",
     "counted when the byte offset fits 32 bits and is, rounded, below bufsiz, unsigned; the last "
     "word may stick out of an odd bufsiz",
     source},
    {"overflow", "the counter wraps at 65536, profiling goes on", source},
    {"off", "scale 0 only; scale 1 counts everything in the first word",
     "4.1BSD sys/kern/kern_clock.c softclock(), sys/vax/vax/trap.c (CSRG b4cbfd0490)"},
    {"fault",
     "a word that the program could not write clears the scale: no signal, off until the next "
     "call; a page that is only not in memory is brought in",
     "4.1BSD sys/vax/vax/locore.s addupc (probew, clrl of the scale)"},
    {"alignment", "odd addresses are as good as even ones", "VAX addw2"},
    {"tick",
     "60 a second; one that interrupts user code asks for an AST, which counts it before the "
     "program goes on: one tick, however many were owed",
     "4.1BSD sys/kern/kern_clock.c softclock(), sys/vax/vax/trap.c trap() (CSRG b4cbfd0490)"},
    {"system time",
     "at the end of each trap and system call its ticks, if there are any, go in one step to the "
     "pc at which the program goes on",
     "4.1BSD sys/vax/vax/trap.c trap(), syscall(): addupc(locr0[PC], ...)"},
    {"signals",
     "a caught one is delivered first: the ticks of the trap or call go to where it begins (on the "
     "VAX the code in the user area that calls the handler, here the handler), a user tick to the "
     "pc that it interrupted",
     "4.1BSD sys/vax/vax/trap.c trap(), syscall(): psig() before addupc(locr0[PC], ...); "
     "machdep.c sendsig()"},
    {"threads", "there are none; the state is the process's", "4.1BSD sys/sys/user.h u_prof"},
    {"fork", "parent and child both go on, each in its own copy of the buffer",
     "profil(2), delta 4.1; the user area is copied"},
    {"vfork",
     "the child has its parent's memory, and counts there, until it calls exec or exits; the "
     "parent waits for that",
     "vfork(2), 4.1BSD"},
    {"exec",
     "the scale is cleared once the new image is certain; an exec that fails changes nothing",
     "4.1BSD sys/kern/kern_proc.c getxfile() (CSRG b4cbfd0490)"},
}};

constexpr std::array<Contradiction, 7> known_contradictions = {{
    {"A-B2", "the page turns profiling off with a scale of 0 or 1; the kernel tests for 0",
     "the kernel's: scale 1 counts every pc in the first word"},
    {"A-B5",
     "the page puts all instructions onto the beginning of buff with scale 02; the kernel rounds "
     "those from offset + 32 KiB up into the second word",
     "the kernel's"},
    {"A-B7", "the page says that a memory fault may turn profiling off", "it does, always"},
    {"A-B8", "the pages of the systems give 1/60 s, 10 ms or every clock tick",
     "each has its own: here 1/60 s"},
    {"A-B9", "the page calls 0177777 a 1-1 mapping, a little less than 1 in arithmetic",
     "rounding up makes it 1-1 up to offset + 32 KiB"},
    {"A-B10", "the page declares char *buff and int sizes",
     "unsigned 16-bit counters; unsigned 32-bit size, offset and scale"},
    {"A-B12",
     "the page increments a word \"inside buff\"; the kernel compares where the word begins",
     "the kernel's: with an odd bufsiz the last word is counted and ends a byte behind buff"},
}};

}  // namespace

constinit const SystemRules bsd41_system = vax_system({
    .name = "4.1bsd",
    .title = "4.1BSD (VAX)",
    .description = "Berkeley's system of 1981 for the VAX, known from its source.",
    .tick_rate = Hertz(60),            // A-B8; sys/vax/include/clock.h "60 HZ"
    .lookup = vax_lookup_rounding_up,  // A-B9; incl before bicl2
    .rules = rule_table,
    .contradictions = known_contradictions,
});

}  // namespace hardclock::profil
