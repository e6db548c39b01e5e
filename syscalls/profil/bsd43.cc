// profil(2) of 4.3BSD on the VAX: 4.2BSD's arithmetic and clock (bsd42.cc).
//
// Sources: robohack/ucb-csrg-bsd at 97cd35aec4 (4.3BSD release): sys/vax/vax/locore.s addupc,
// sys/vax/vax/trap.c trap(), syscall(), sys/kern/kern_clock.c hardclock(), softclock(), profil(),
// sys/kern/kern_exec.c getxfile(), sys/kern/kern_fork.c newproc(); the profil(2) page in the SCCS
// file of CSRG, delta 6.2. The GENERIC kernel of June 1986 was observed under SIMH
// (docs/observed.md, section 2). Where page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B8   10 milliseconds; 4.1BSD had 1/60 s.
//   A-B9   this kernel rounds down, so 0x10000 is 1-1 and V7's 0177777 is not.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#include <array>

#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr std::string_view source = "4.3BSD sys/vax/vax/locore.s addupc (CSRG 97cd35aec4)";

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(buff, bufsiz, offset, scale), number 44, stores four 32-bit words unexamined and "
     "always returns 0; a later call replaces all four",
     "4.3BSD sys/kern/kern_clock.c profil() (CSRG 97cd35aec4)"},
    {"counter", "a 16-bit word, low byte first", source},
    {"arithmetic",
     "byte offset = (((pc-offset)>>1) * (scale>>1) >> 14) & ~1: 31-bit operands, a 62-bit product, "
     "rounded down to a word; 0x10000 is one word of text per counter",
     source},
    {"below offset",
     "not counted when pc-offset, a signed 32-bit number, is negative; an offset above 2^31 can "
     "wrap to a positive one (observed)",
     source},
    {"range",
     "counted when the byte offset fits 32 bits and is, rounded, below bufsiz, unsigned; the last "
     "word may stick out of an odd bufsiz",
     source},
    {"overflow", "the counter wraps at 65536, profiling goes on", source},
    {"off", "scale 0 only; scale 1 counts everything in the first word",
     "4.3BSD sys/kern/kern_clock.c hardclock(), sys/vax/vax/trap.c (CSRG 97cd35aec4)"},
    {"fault",
     "a word that the program could not write clears the scale: no signal, off until the next "
     "call; a page that is only not in memory, or was never touched, is brought in",
     "4.3BSD sys/vax/vax/locore.s addupc (probew, clrl of the scale)"},
    {"alignment", "odd addresses are as good as even ones (observed)", "VAX addw2"},
    {"tick",
     "100 a second; one that interrupts user code asks for an AST, which counts it before the "
     "program goes on: one tick, however many were owed",
     "4.3BSD sys/kern/kern_clock.c softclock(), sys/vax/vax/trap.c trap() (CSRG 97cd35aec4)"},
    {"system time",
     "at the end of each trap and system call its ticks, if there are any, go in one step to the "
     "pc at which the program goes on",
     "4.3BSD sys/vax/vax/trap.c trap(), syscall(): if (ticks) addupc(locr0[PC], ...)"},
    {"signals",
     "a caught one is delivered first: the ticks of the trap or call go to where it begins (on the "
     "VAX the code in the user area that calls the handler, here the handler), a user tick to the "
     "pc that it interrupted",
     "4.3BSD sys/vax/vax/trap.c trap(), syscall(): psig() before addupc(locr0[PC], ...); "
     "machdep.c sendsig()"},
    {"threads", "there are none; the state is the process's", "4.3BSD sys/sys/user.h u_prof"},
    {"fork", "parent and child both go on, each in its own copy of the buffer (observed)",
     "profil(2), delta 6.2; 4.3BSD sys/kern/kern_fork.c newproc()"},
    {"vfork",
     "the child has its parent's memory, and counts there, until it calls execve or exits; the "
     "parent waits for that (observed)",
     "vfork(2), 4.3BSD; 4.3BSD sys/kern/kern_fork.c newproc()"},
    {"exec",
     "the scale is cleared at the end of a successful execve; one that fails changes nothing "
     "(observed)",
     "4.3BSD sys/kern/kern_exec.c getxfile() (CSRG 97cd35aec4)"},
}};

constexpr std::array<Contradiction, 5> known_contradictions = {{
    {"A-B2", "the page turns profiling off with a scale of 0 or 1; the kernel tests for 0",
     "the kernel's: scale 1 counts every pc in the first word (observed)"},
    {"A-B8", "the pages of the systems give 1/60 s, 10 ms or every clock tick",
     "each has its own: here 10 ms (observed)"},
    {"A-B9", "programs written for 4.1BSD pass 0177777 for 1-1; this kernel rounds down",
     "the kernel's: 0177777 merges the first two words, 0x10000 is exact"},
    {"A-B10", "the page declares char *buff and int sizes",
     "unsigned 16-bit counters; unsigned 32-bit size, offset and scale"},
    {"A-B12",
     "the page increments a word \"inside buff\"; the kernel compares where the word begins",
     "the kernel's: with an odd bufsiz the last word is counted and ends a byte behind buff"},
}};

}  // namespace

constinit const SystemRules bsd43_system = vax_system({
    .name = "4.3bsd",
    .title = "4.3BSD (VAX)",
    .description = "Berkeley's system of 1986 for the VAX, known from its source and observed "
                   "running.",
    .tick_rate = Hertz(100),             // A-B8; sys/conf/param.c HZ
    .lookup = vax_lookup_rounding_down,  // A-B9
    .rules = rule_table,
    .contradictions = known_contradictions,
});

}  // namespace hardclock::profil
