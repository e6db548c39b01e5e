#include "sim/cli/option_table.h"

#include <algorithm>
#include <array>

namespace hardclock {
namespace {

constexpr OptionSpec help_option = {
    .name = "help",
    .letter = 'h',
    .help = "print this",
    .manual = "Print a summary of the command.",
};

constexpr std::array run_options = {
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
            "them, 'hardclock cpus NAME' gives the evidence. Takes the place of --cpu.",
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
        .argument = "WHERE[+N][,FILE]",
        .help = "N instructions from WHERE on, cycle by cycle",
        .manual =
            "Draw the way through the pipeline of N instructions (64 without it), from the first "
            "time on that the program comes to WHERE: a function of the program or an address like "
            "0x400100. Text, on standard error or in FILE; a FILE called *.kanata is a trace for "
            "the viewer Konata. The cycles of issue and the waits are exact, the stages between "
            "are drawn by the textbook's rule.",
    },
    OptionSpec{
        .name = "check",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "report what the processor leaves undefined",
        .manual =
            "Look, while the program runs, for what its processor leaves undefined and hardclock "
            "executes. IA-64 has one such check, dependencies: instructions of one group of which "
            "one reads or writes what another wrote before. A line on standard error for each such "
            "instruction, when it first runs, and at the end their number; the exit status stays "
            "the program's. As slow as --trace.",
    },
    OptionSpec{
        .name = "profile",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "profile from outside; format by FILE's name",
        .manual = "Profile a program that does not profile itself, and write the result to FILE. "
                  "Its name decides the format: NAME.json; gmon.out or NAME.gmon, for GNU gprof; "
                  "mon.out, in System V's form; NAME.irix53 and NAME.irix51, as IRIX's libprof "
                  "writes mon.out. 'hardclock report --convert' makes others of these. Only .json "
                  "and .irix53 hold the ticks in shared objects.",
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
        .help = "most memory, in bytes, K, M or G",
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
        .help = "most that guests' files may grow",
        .manual =
            "The most, in bytes, by which the guest's files on the host can grow together: in "
            "the working directory, binds and its /tmp, and standard output where that is a "
            "file. SIZE as with --max-memory, from 0. A file counts by its size, holes "
            "included, and each name of a file, directory or link counts 4K; what is removed "
            "comes back. Beyond it writing fails in the guest as on a full disk (ENOSPC).",
    },
    help_option,
};

constexpr std::array conform_options = {
    OptionSpec{
        .name = "id",
        .value = ValueOf::required,
        .argument = "ID[,ID...]",
        .help = "only these cases; * and ? as in the shell",
        .manual =
            "Take only the cases with one of these ids, in the order of the files. In an ID, * "
            "stands for any letters and ? for one: --id='I-0*,U-009'. An ID that no case "
            "has is an error.",
    },
    OptionSpec{
        .name = "list",
        .help = "list the cases and perform nothing",
        .manual = "Perform nothing, but list the cases: id, system, what they rest on, title. With "
                  "--os and --id those that they choose. Not together with --format and --emit-c.",
    },
    OptionSpec{
        .name = "os",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "only the cases of this system",
        .manual = "Perform only the cases of this system: a name of --os, for all of its variants, "
                  "or a variant as the case files name it (hpux_ia64). Cases of systems that do "
                  "not exist fail with every NAME.",
    },
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "text|tap|junit|json",
        .help = "form of the answer (default: text)",
        .manual = "text: a line a case and backend. tap: TAP version 13. junit: JUnit XML, as "
                  "Jenkins and others read it. json: everything, for programs.",
    },
    OptionSpec{
        .name = "emit-c",
        .help = "write a C program that performs the cases",
        .manual =
            "Perform nothing, but write one C89 program to standard output. Compiled on a real "
            "IRIX, HP-UX, Solaris, AIX, BSD or Linux machine (glibc), or for one of hardclock's, "
            "it performs the cases of that system on its own text and prints TAP. A case that no "
            "program can perform is skipped with the reason. Not together with --format.",
    },
    help_option,
};

constexpr std::array disasm_options = {
    OptionSpec{
        .name = "function",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "only this function",
        .manual = "List only the function NAME. Not together with --start and --stop.",
    },
    OptionSpec{
        .name = "start",
        .value = ValueOf::required,
        .argument = "ADDRESS",
        .help = "from this address (hexadecimal)",
        .manual = "List from this address on. Addresses are hexadecimal, with or without 0x, as in "
                  "the listing itself.",
    },
    OptionSpec{
        .name = "stop",
        .value = ValueOf::required,
        .argument = "ADDRESS",
        .help = "up to, not including, this address",
        .manual = "List up to this address, which is not listed.",
    },
    help_option,
};

constexpr OptionSpec objects_option = {
    .name = "root",
    .letter = 'L',
    .value = ValueOf::required,
    .argument = "DIR[:DIR]",
    .repeatable = true,
    .help = "where the run's shared objects are",
    .manual =
        "Look for the shared objects that a profile names below these directories, as "
        "'hardclock run -L' did, and show their functions. Without it each of them is "
        "one row.",
};

constexpr std::array diff_options = {objects_option, help_option};

constexpr std::array report_options = {
    objects_option,
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "PROFILE's format (default: by its bytes)",
        .manual =
            "Read PROFILE in the format NAME, whatever its bytes look like: json, "
            "hardclock's own; gnu, glibc's gmon.out; bsd44, the gmon.out of 4.4BSD and its "
            "descendants; bsd43, that of 4.2BSD and 4.3BSD; irix53, the mon.out of IRIX 5.3's "
            "libprof, shared objects included, and irix53-16, the same with counters of 16 "
            "bits; irix51, that of IRIX 5.1; sysv, the mon.out of System V, "
            "IRIX, HP-UX and Solaris, and of BSD on the VAX; v7, the PDP-11's mon.out.",
    },
    OptionSpec{
        .name = "convert",
        .value = ValueOf::required,
        .argument = "FORMAT:FILE",
        .help = "write PROFILE to FILE in another format",
        .manual = "Instead of the table, write PROFILE to FILE in one of the formats of --format, "
                  "or as callgrind, for callgrind_annotate and KCachegrind: ticks and exact cycles "
                  "of each instruction by function, without calls; it needs PROGRAM. "
                  "Without FORMAT: the name of FILE decides, as for 'hardclock run --profile'. "
                  "PROGRAM may be left out; it tells the byte order and the size of addresses "
                  "where PROFILE's format does not record them. To gnu, bsd44 and irix53, the "
                  "ticks a second must be known: see --hz.",
    },
    OptionSpec{
        .name = "annotate",
        .value = ValueOf::optional,
        .argument = "FUNCTION",
        .help = "each instruction with its cycles and ticks",
        .manual =
            "Instead of the table, list FUNCTION instruction by instruction, each with its exact "
            "cycles, if there are any, their share of all cycles, and its ticks; without FUNCTION, "
            "each function that has a hundredth of all cycles or ticks. A counter's ticks stand "
            "at the instruction in which it begins; where none begins is a \". "
            "FUNCTION is as in the table, of a shared object also without its file.",
    },
    OptionSpec{
        .name = "hz",
        .value = ValueOf::required,
        .argument = "N",
        .help = "ticks a second, if PROFILE does not tell",
        .manual =
            "Ticks a second, 1 to 1000000, for formats that do not record them: bsd43, irix51, "
            "sysv and v7. Without it their table has no seconds.",
    },
    OptionSpec{
        .name = "exact",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "compare with the exact cycles in FILE",
        .manual = "Compare the ticks with the exact cycles that the profile FILE holds. Without it "
                  "those in PROFILE are used, if it has any.",
    },
    help_option,
};

constexpr std::array systems_options = {
    OptionSpec{
        .name = "compare",
        .help = "the differences between the systems",
        .manual =
            "Ask all systems, or those that are named, the same questions by small "
            "experiments on their profiling functions, and print who answers what. A star: no "
            "page and no kernel says so. By the page: what a manual says otherwise than its "
            "kernel does. An element is the number of a counter; - stands for a pc that is not "
            "counted.",
    },
    OptionSpec{
        .name = "profil",
        .value = ValueOf::required,
        .argument = "BUFF,BUFSIZ,OFFSET,SCALE",
        .help = "work out this call; needs --pc",
        .manual = "Work out what all systems, or those that are named, make of profil() with these "
                  "arguments: a line for each pc of --pc, each for itself. Numbers are written as "
                  "in C, 0x for hexadecimal and 0 for octal, up to 0xffffffff.",
    },
    OptionSpec{
        .name = "pc",
        .value = ValueOf::required,
        .argument = "PC[,PC...]",
        .help = "the pcs that --profil counts",
        .manual = "The interrupted pcs for --profil, numbers as there.",
    },
    help_option,
};

constexpr std::array syscalls_options = {
    OptionSpec{
        .name = "os",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "only this system",
        .manual = "List only the calls of this operating system.",
    },
    help_option,
};

constexpr std::array cpus_options = {help_option};

constexpr std::array help_options = {
    OptionSpec{
        .name = "man",
        .help = "the manual page, as roff",
        .manual = "Print this page as roff: 'hardclock help --man | man -l -' shows it.",
    },
    help_option,
};

constexpr std::array commands = {
    CommandSpec{
        .name = "run",
        .operands = "PROGRAM [ARG...]",
        .min_operands = 1,
        .max_operands = ~0U,
        .guest_arguments = true,
        .help = "run a guest program",
        .manual = "Run PROGRAM with its arguments. hardclock's options stand before PROGRAM; what "
                  "follows it is the guest's. -- ends the options where PROGRAM starts with a "
                  "dash. Output that has no FILE goes to standard error.",
        .options = run_options,
    },
    CommandSpec{
        .name = "conform",
        .operands = "FILE.json...",
        .min_operands = 1,
        .max_operands = ~0U,
        .help = "check profiling rules against conformance cases",
        .manual = "Perform the conformance cases in the files by every backend and say which "
                  "pass: docs/conformance.md has the format. FILE.json may be -, standard input. "
                  "The status is 0 when all cases pass and 1 when one does not.",
        .options = conform_options,
    },
    CommandSpec{
        .name = "report",
        .operands = "PROFILE PROGRAM",
        .min_operands = 1,
        .max_operands = 2,
        .help = "print a profile as a table of functions",
        .manual = "Print the functions of PROGRAM with their share of the ticks in PROFILE, a "
                  "file that the guest's own profiling code or 'hardclock run --profile' wrote. A "
                  "profile of another program is refused, where PROFILE tells: by the hash of the "
                  "code, the program's name, or the addresses of the counters.",
        .options = report_options,
    },
    CommandSpec{
        .name = "diff",
        .operands = "A PROGRAM B [PROGRAM]",
        .min_operands = 3,
        .max_operands = 4,
        .help = "what functions took in two profiles",
        .manual =
            "Print what each function took in the profile A and in the profile B, the "
            "largest change first: cycles, if both files hold exact ones, else ticks with the "
            "standard error that such a change has by chance. The second PROGRAM is for a "
            "profile of another build. Functions are compared by name.",
        .options = diff_options,
    },
    CommandSpec{
        .name = "disasm",
        .operands = "PROGRAM",
        .min_operands = 1,
        .max_operands = 1,
        .help = "list a program's instructions",
        .manual = "List the instructions of PROGRAM, from its first function to the end of its "
                  "last one; of a program without symbols, everything executable.",
        .options = disasm_options,
    },
    CommandSpec{
        .name = "cpus",
        .operands = "[NAME]",
        .max_operands = 1,
        .help = "list processors and machines, how exact they are",
        .manual = "List the processors, for --cpu, and the machines, for --machine; with NAME, "
                  "describe one: a processor's clock, pipeline and caches, or a machine's "
                  "processor, caches, memory, timer and kernel, and how far each figure can be "
                  "trusted. A NAME with a slash in it is a file of yours, as for --cpu.",
        .options = cpus_options,
    },
    CommandSpec{
        .name = "syscalls",
        .operands = "",
        .help = "list the system calls and how complete they are",
        .manual = "List the system calls of every operating system and how complete each is.",
        .options = syscalls_options,
    },
    CommandSpec{
        .name = "systems",
        .operands = "[NAME...]",
        .max_operands = ~0U,
        .help = "list the systems and their profiling rules",
        .manual = "List the operating systems; with NAME, the rules of its profil(2) and their "
                  "sources, and where those contradict each other.",
        .options = systems_options,
    },
    CommandSpec{
        .name = "help",
        .operands = "[COMMAND]",
        .max_operands = 1,
        .help = "explain a command",
        .manual = "Print what 'hardclock COMMAND --help' prints; without COMMAND, an overview.",
        .options = help_options,
    },
};

}  // namespace

const OptionSpec* CommandSpec::find(std::string_view option_name) const {
  const auto found = std::ranges::find(options, option_name, &OptionSpec::name);
  return found == options.end() ? nullptr : &*found;
}

const OptionSpec* CommandSpec::find(char option_letter) const {
  if (option_letter == 0) return nullptr;
  const auto found = std::ranges::find(options, option_letter, &OptionSpec::letter);
  return found == options.end() ? nullptr : &*found;
}

std::span<const CommandSpec> command_table() {
  return commands;
}

const CommandSpec* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands, name, &CommandSpec::name);
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace hardclock
