// The options of `hardclock run`: most that there are. A part of option_table.cc.
#pragma once

#include <array>

#include "cli/option_table.h"

namespace hardclock {

inline constexpr OptionSpec help_option = {
    .name = "help",
    .letter = 'h',
    .help = "print this",
    .manual = "Print a summary of the command.",
};

inline constexpr std::array run_options = {
    OptionSpec{
        .name = "root",
        .letter = 'L',
        .value = ValueOf::required,
        .argument = "DIR[:DIR]",
        .repeatable = true,
        .help = "guest root: holds its /lib, /etc and so on",
        .manual = "Look for the guest's absolute paths below these directories, in this order. "
                  "May be given again; later ones come after earlier ones.",
    },
    OptionSpec{
        .name = "bind",
        .value = ValueOf::required,
        .argument = "HOST:GUEST[:ro]",
        .repeatable = true,
        .help = "show the host's HOST to the guest as GUEST",
        .manual = "Show the host's file or directory HOST to the guest as the absolute path GUEST; "
                  "with :ro the guest cannot write to it. May be given again. Without it the guest "
                  "sees its roots, the working directory and an empty /tmp of its own, and "
                  "nothing else.",
    },
    OptionSpec{
        .name = "cwd",
        .value = ValueOf::required,
        .argument = "rw|ro|none",
        .help = "working directory: rw (default), ro or none",
        .manual = "What the guest may do with the working directory. rw: read and write all of it, "
                  "however deep. ro: read it. none: it is not there, and the guest starts in /. "
                  "Without the option it is rw, and hardclock warns when the working directory is "
                  "your home directory or one of the system's.",
    },
    OptionSpec{
        .name = "env",
        .value = ValueOf::required,
        .argument = "K=V",
        .repeatable = true,
        .help = "set a variable; the guest sees no others",
        .manual = "Put the variable K with the value V into the guest's environment. May be given "
                  "again; a later value replaces an earlier one. Nothing of the host's environment "
                  "reaches the guest: what it can see would change what it does.",
    },
    OptionSpec{
        .name = "no-terminal",
        .help = "no file is a terminal for the guest",
        .manual = "Show the guest no terminal, whatever standard input and output are, so that the "
                  "run can be repeated. Without the option a terminal that is both is the guest's: "
                  "its settings, its window, its job control. Ctrl-C, Ctrl-Z and Ctrl-\\ then go "
                  "to the guest and, pressed twice within half a second, to hardclock.",
    },
    OptionSpec{
        .name = "net",
        .help = "the guest may reach the host's network",
        .manual =
            "Let the guest's internet sockets reach the host's network: all addresses but "
            "127.0.0.0/8, which stay the guests' own. 10.0.2.2 is the host itself. What comes "
            "from there, and when, is nothing that hardclock knows: such a run cannot be "
            "repeated. Without the option other addresses give ENETUNREACH.",
    },
    OptionSpec{
        .name = "os",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "operating system (default: by the file)",
        .manual = "The operating system that answers the program's system calls. Without it the "
                  "file decides. 'hardclock systems' lists the names.",
    },
    OptionSpec{
        .name = "cpu",
        .value = ValueOf::required,
        .argument = "NAME[@MHZ]",
        .help = "processor and clock (default: by the files)",
        .manual = "The processor to time, and the frequency of its clock in megahertz with up to "
                  "six decimals: r3000@33.33. Without it the instruction sets of the program, its "
                  "dynamic linker and its libraries decide. 'hardclock cpus' lists the names and "
                  "their usual clocks. A name with a slash in it is a file of yours that describes "
                  "a processor, such as ./my.timing. Every access to memory hits: the caches "
                  "belong to a --machine.",
    },
    OptionSpec{
        .name = "machine",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "a workstation instead of a processor",
        .manual =
            "The machine to time: its processor and clock, caches, TLB, memory, the timer that "
            "makes its clock ticks, and what its kernel's work costs. 'hardclock cpus' lists "
            "them, 'hardclock cpus NAME' gives the evidence. Takes the place of --cpu. A name with "
            "a slash in it is a file of yours that describes a machine, such as ./my.machine; "
            "'hardclock cpus NAME --output=my.machine' makes one to begin with.",
    },
    OptionSpec{
        .name = "isa",
        .value = ValueOf::required,
        .argument = "cpu|any",
        .default_value = "cpu",
        .help = "any: later instructions, too",
        .manual =
            "cpu: the processor has the instructions that it had, and a program whose files "
            "contain "
            "later ones is refused. any: it also has those of MIPS32 and MIPS64 release 2, "
            "the latter if its registers have 64 bits, each timed as the nearest class of its "
            "own: a MUL as its MULT, a MOVZ as its ADD. --stats says how many the "
            "files contain. Only MIPS processors know this.",
    },
    OptionSpec{
        .name = "cache",
        .value = ValueOf::required,
        .argument = "LEVEL=SIZE,LINE,WAYS",
        .repeatable = true,
        .help = "another size of a machine's cache",
        .manual =
            "Give the cache LEVEL of the --machine, l1, l1i, l1d, l2 or l3, SIZE bytes in lines of "
            "LINE bytes and WAYS ways: l1d=16k,32,2. SIZE may end in k or m, for 1024 and its "
            "square. All else stays the machine's, the cost of a miss too. A level that the "
            "machine lacks is an error, because no such cost is known: a file for --machine can "
            "have one. May be given again for another level.",
    },
    OptionSpec{
        .name = "placement",
        .value = ValueOf::required,
        .argument = "SEED",
        .help = "pages and stack as after another boot",
        .manual =
            "Place the program in memory as another boot of the --machine might have: in other "
            "physical pages, which decide what shares a place in a cache that physical addresses "
            "index, and with a stack that begins up to 4 KB further in, as after a longer "
            "environment. SEED is 0 to 4294967295; each gives the same placement in every run. "
            "Without the option pages are numbered as they are first touched. The linker's "
            "addresses are the same whatever the seed.",
    },
    OptionSpec{
        .name = "hz",
        .value = ValueOf::required,
        .argument = "N",
        .help = "clock ticks per second (default: by the OS)",
        .manual =
            "Clock interrupts per second of guest time, 1 to 10000. Without it the clock ticks "
            "as the system's did: 100 a second under IRIX, 60 under V7. With --machine the time "
            "between two is rounded down to what the machine's timer can count. IRIX's second "
            "clock, that of sprofil's PROF_FAST, ticks ten times as often.",
    },
    OptionSpec{
        .name = "timing",
        .value = ValueOf::required,
        .argument = "cycle|functional",
        .default_value = "cycle",
        .help = "what an instruction costs",
        .manual = "cycle: the processor's pipeline decides what an instruction costs, and with "
                  "--machine its caches and TLB, too. functional: every instruction takes one "
                  "cycle, whatever the processor.",
    },
    OptionSpec{
        .name = "engine",
        .value = ValueOf::required,
        .argument = "NAME[,N]",
        .help = "translator (default) or interpreter",
        .manual =
            "translator: a straight line of code that has run N times (0 to 1000000; "
            "default: 32) is translated to the host's, where the host and the guest's processor "
            "allow it: MIPS, PA-RISC and IA-64 in order, on x86-64 with BMI2 and MOVBE. "
            "With N = 0 all code is translated before it first runs, which is slower, and "
            "good to look for an error in the translator. interpreter: no code is "
            "translated. Every result is the same, cycles, ticks and profiles included; "
            "only the speed differs.",
    },
    OptionSpec{
        .name = "syscall-cycles",
        .value = ValueOf::required,
        .argument = "N",
        .help = "kernel time of a call (default: machine's)",
        .manual =
            "Cycles that pass in the kernel during each system call, 0 to 1000000000. Without "
            "it the machine's description decides; without --machine it is 0.",
    },
    OptionSpec{
        .name = "time",
        .value = ValueOf::required,
        .argument = "SECONDS|DATE",
        .default_value = "1996-01-01",
        .help = "guest time at start",
        .manual = "The guest's time of day at its start: seconds since 1970, or a date, or a date "
                  "and time of day in UTC: 1996-01-01T12:30:00. Up to 2038-01-19T03:14:07, where a "
                  "32-bit time_t ends. The host's clock is never read.",
    },
    OptionSpec{
        .name = "hostname",
        .value = ValueOf::required,
        .argument = "NAME",
        .default_value = "hardclock",
        .help = "the machine's name",
        .manual = "The name that the guest's machine has on the network: 1 to 64 letters, digits, "
                  "'-', '_' and '.'. The host's name is never read.",
    },
    OptionSpec{
        .name = "pid",
        .value = ValueOf::required,
        .argument = "N",
        .default_value = "100",
        .help = "process id of the program",
        .manual = "The process id of the guest's first process, 2 to 30000; its children have the "
                  "following ones.",
    },
    OptionSpec{
        .name = "stats",
        .value = ValueOf::optional,
        .argument = "FILE.json",
        .help = "at exit: instructions, cycles, ticks, misses",
        .manual = "At exit, print instructions, cycles, cycles per instruction, ticks and the "
                  "figures of caches and branches, per process, and how the host's kernel confined "
                  "hardclock itself; with FILE.json write there as JSON what the simulation alone "
                  "determines.",
    },
    OptionSpec{
        .name = "explain",
        .value = ValueOf::optional,
        .argument = "FILE",
        .help = "a line a tick: what it counted, or why not",
        .manual = "One line a tick: the pc, the profiled region, the arithmetic, the address of "
                  "the counter and its old and new value, or why nothing was counted.",
    },
    OptionSpec{
        .name = "strace",
        .value = ValueOf::optional,
        .argument = "FILE",
        .help = "a line a system call",
        .manual = "One line a system call, with its arguments and its result.",
    },
    OptionSpec{
        .name = "trace",
        .value = ValueOf::optional,
        .argument = "FILE",
        .help = "a line an instruction",
        .manual = "One line an instruction. Large: limit it with --max-instructions.",
    },
    OptionSpec{
        .name = "pipeline",
        .value = ValueOf::required,
        .argument = "AT[@K][+N][,FILE]",
        .help = "N instructions from AT on, cycle by cycle",
        .manual =
            "Draw the way through the pipeline of N instructions (64 without it), from the Kth "
            "time on (the first without it) that control reaches AT: a function of the program "
            "or an address like 0x400100. hot@1000+8 is 8 instructions from the thousandth call of "
            "hot. A line at the end says how often it was reached, if that is too seldom. Text, on "
            "standard error or in FILE; a FILE called *.kanata is a trace for "
            "the viewer Konata. The cycles of issue and the waits are exact, the stages between "
            "are drawn by the textbook's rule.",
    },
    OptionSpec{
        .name = "digest",
        .value = ValueOf::required,
        .argument = "FILE[@EVERY]",
        .help = "the state as a number, again and again",
        .manual =
            "Write the state of the simulation to FILE as a number: a line at the start, at each "
            "clock tick or after each EVERY cycles, and at the end. Two runs that are the same so "
            "far have the same lines, whatever engine runs them; so diff or cmp finds where two "
            "part, and a smaller EVERY finds it to the cycle. EVERY as N of --max-instructions. "
            "The columns: cycles, instructions, the state, and its parts kernel (clock, "
            "processes, signals, waits, open files, locks, pipes, sockets, messages, semaphores), "
            "processors (registers and pipelines), memory and caches. What is in the files of the "
            "host, and what comes by --net, is not in it. Numbers of different builds of hardclock "
            "cannot be compared in general.",
    },
    OptionSpec{
        .name = "check",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "engines, snapshots or dependencies",
        .manual =
            "engines: run each stretch of the program twice, as --engine says and then one "
            "instruction at a time, and compare registers, memory, cycles and caches. The program "
            "sees one run, and its output and results are those of any other. A difference is an "
            "error in hardclock: one line names the instruction, and the exit status is 125. "
            "snapshots: save the state of the whole simulation and load it again and again, "
            "at first each 50,000 cycles or so. The program sees a run like any other; a line at "
            "the end tells how often that was done, and what cannot be saved yet. Not with "
            "--digest. "
            "dependencies, for IA-64: look for what the processor leaves undefined and hardclock "
            "executes, instructions of one group of which one reads or writes what another wrote "
            "before. A line on standard error for each such instruction, when it first runs, and "
            "at the end their number; the exit status stays the program's. engines and "
            "dependencies are as slow as --trace.",
    },
    OptionSpec{
        .name = "profile",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "profile from outside; format by FILE's name",
        .manual =
            "Profile a program that does not profile itself, and write the result to FILE. "
            "Its name decides the format. Profiles: NAME.json, which has everything and is what "
            "'hardclock report' makes others of; gmon.out or NAME.gmon, for GNU gprof; mon.out, in "
            "System V's form; NAME.irix53 and NAME.irix51, as IRIX's libprof writes mon.out. For "
            "viewers: NAME.html, NAME.svg, callgrind.out, NAME.callgrind, NAME.pb.gz, "
            "NAME.speedscope.json, NAME.firefox.json, NAME.folded, NAME.ticks.folded, NAME.perf. "
            "Tables: NAME.txt, NAME.csv, NAME.table.json. gmon.out and mon.out do not hold the "
            "ticks in shared objects.",
    },
    OptionSpec{
        .name = "calls",
        .help = "who called whom, in the profile of --profile",
        .manual = "Follow every call, return and jump from function to function, and keep in the "
                  "profile who called whom, how often and for how many cycles. Exact. It takes "
                  "time with each call. Formats of --profile that show calls do so without this "
                  "option; .json keeps them only with it, and .gmon has arcs only with it.",
    },
    OptionSpec{
        .name = "reasons",
        .help = "what cycles were spent with, in the profile",
        .manual = "Keep in the profile, for each instruction, what its cycles were spent with: its "
                  "issue, waits for operands, for units, for branches, for the caches of "
                  "instructions and of data, for lines that the second-level cache does not have, "
                  "the TLB and the write buffer, and beside them the kernel's work. The reasons "
                  "add up to the cycles.",
    },
    OptionSpec{
        .name = "max-instructions",
        .value = ValueOf::required,
        .argument = "N",
        .help = "stop after N instructions",
        .manual = "Stop, with a message, after N instructions of all processes together. N may "
                  "end in k, M or G, for a thousand, a million and a thousand millions, or in an "
                  "exponent like e6.",
    },
    OptionSpec{
        .name = "max-cycles",
        .value = ValueOf::required,
        .argument = "N",
        .help = "stop after N cycles",
        .manual = "Stop, with a message, after N cycles of the clock; N as with "
                  "--max-instructions.",
    },
    OptionSpec{
        .name = "max-seconds",
        .value = ValueOf::required,
        .argument = "N",
        .help = "stop after N seconds of the host's time",
        .manual = "Stop, with a message, once hardclock has run for N seconds of the host's time, "
                  "even while the guest waits for input or sleeps. N may have up to six decimals. "
                  "This limit alone depends on how fast the host is.",
    },
    OptionSpec{
        .name = "max-memory",
        .value = ValueOf::required,
        .argument = "SIZE",
        .default_value = "1G",
        .help = "most memory: bytes, K, M or G",
        .manual =
            "The most memory, in bytes, that all processes of the guest together can have; K, "
            "M and G stand for 1024, 1024 squared and 1024 cubed. 64K to 1024G. A request "
            "beyond it fails in the guest as on a machine without memory, and hardclock says so "
            "once; a program that needs more does not start. For what a kernel keeps of its "
            "processes beside that, such as page tables and pipes, there are a quarter of it and "
            "8M more; hardclock itself takes half as much again at most, and 512M. A program file "
            "has at most 256 MiB.",
    },
    OptionSpec{
        .name = "max-disk",
        .value = ValueOf::required,
        .argument = "SIZE",
        .default_value = "1G",
        .help = "most growth of guests' files",
        .manual =
            "The most, in bytes, by which the guest's files on the host can grow together: in "
            "the working directory, binds and its /tmp, and standard output where that is a "
            "file. SIZE as with --max-memory, from 0. A file counts by its size, holes "
            "included, and each name of a file, directory or link counts 4K; what is removed "
            "comes back. Beyond it writing fails in the guest as on a full disk (ENOSPC).",
    },
    help_option,
};

}  // namespace hardclock
