#include "cli/option_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cli/lab_option_table.h"
#include "cli/run_option_table.h"
#include "cli/sweep_option_table.h"

namespace hardclock {
namespace {

constexpr OptionSpec output_option = {
    .name = "output",
    .value = ValueOf::required,
    .argument = "FILE",
    .help = "write the answer to FILE",
    .manual =
        "Write the answer to FILE instead of standard output. Without --format the end of "
        "FILE's name decides the format.",
};

constexpr OptionSpec table_format_option = {
    .name = "format",
    .value = ValueOf::required,
    .argument = "text|json|csv",
    .help = "form of the answer (default: text)",
    .manual =
        "text: for people. json and csv: for programs, with the same names; "
        "docs/profiles.md lists them. FILE.txt, FILE.json and FILE.csv ask for these as well.",
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
                  "Jenkins and others read it. json: everything, for programs. FILE.txt, FILE.tap, "
                  "FILE.xml and FILE.json ask for these as well.",
    },
    output_option,
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
    output_option,
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

constexpr std::array diff_options = {objects_option, table_format_option, output_option,
                                     help_option};

constexpr std::array report_options = {
    objects_option,
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "form of the report (default: text)",
        .manual =
            "Write the report in the format NAME. text: the table. csv and json: the table for "
            "programs; docs/profiles.md lists their names. html: a page for browsers. svg: a flame "
            "graph. callgrind: for KCachegrind and callgrind_annotate. pprof: for 'go tool pprof'. "
            "speedscope and firefox: for the viewers of these names. folded and folded-ticks: "
            "stacks for FlameGraph, with cycles and with ticks. perf: what perf script prints. Or "
            "PROFILE itself in a format of --input-format: then PROGRAM may be left out; it tells "
            "the byte order and the size of addresses where PROFILE's format does not record "
            "them. To gnu, bsd44 and irix53, the ticks a second must be known: see --hz.",
    },
    OptionSpec{
        .name = "output",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "write the report to FILE",
        .manual = "Write the report to FILE instead of standard output. Without --format the name "
                  "of FILE decides the format, as for 'hardclock run --profile'.",
    },
    OptionSpec{
        .name = "input-format",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "PROFILE's format (default: by its bytes)",
        .manual =
            "Read PROFILE in the format NAME, whatever its bytes look like: hardclock, its own "
            "JSON; gnu, glibc's gmon.out; bsd44, the gmon.out of 4.4BSD and its "
            "descendants; bsd43, that of 4.2BSD and 4.3BSD; irix53, the mon.out of IRIX 5.3's "
            "libprof, shared objects included, and irix53-16, the same with counters of 16 "
            "bits; irix51, that of IRIX 5.1; sysv, the mon.out of System V, "
            "IRIX, HP-UX and Solaris, and of BSD on the VAX; v7, the PDP-11's mon.out.",
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
            "at the instruction in which it begins; where none begins is a \". If PROFILE has "
            "reasons, the two most frequent ones stand beside, in percent of the instruction's "
            "cycles, and what the kernel worked for it, in cycles; --format=csv and json have all. "
            "FUNCTION is as in the table, of a shared object also without its file. "
            "Where the program has line numbers (cc -g), each source line stands above its "
            "instructions, with its text if the file is found.",
    },
    OptionSpec{
        .name = "source",
        .value = ValueOf::required,
        .argument = "DIR[:DIR]",
        .repeatable = true,
        .help = "where --annotate finds sources",
        .manual =
            "Look for the sources that --annotate shows also below these directories, by the "
            "longest part of their path's end that is there: for /usr/src/a/b.c, "
            "DIR/usr/src/a/b.c, "
            "then DIR/src/a/b.c, DIR/a/b.c and DIR/b.c. The place that the compiler noted comes "
            "first.",
    },
    OptionSpec{
        .name = "lines",
        .help = "a table of source lines",
        .manual = "Instead of functions, the table has source lines, file.c:12, by the line "
                  "numbers that cc -g leaves in PROGRAM and its shared objects. Functions without "
                  "them have one row each.",
    },
    OptionSpec{
        .name = "reasons",
        .help = "why cycles passed",
        .manual =
            "Instead of the ticks, the table shows why the exact cycles of each function, or with "
            "--lines of each line, passed: what share of them the instructions issued, and how "
            "much waiting each reason made. Above it stands what they come to in all. The kernel's "
            "cycles come on top. PROFILE, or FILE of --exact, must be of 'hardclock run "
            "--reasons'. "
            "In text, csv or json.",
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
    OptionSpec{
        .name = "truth",
        .help = "what counters and what chance and beat add",
        .manual =
            "Instead of the table, tell two errors of PROFILE apart; FILE of --exact must be of "
            "the same run and have its ticks by pc. binning: what the counters show beyond the "
            "ticks, since functions share them. chance, beat: what the ticks show beyond the exact "
            "share, with the standard error of as many ticks at random and how many of these it "
            "is; a dash where fewer than 5 ticks are expected. All in percent. Below stands how "
            "often ticks at random are as far off.",
    },
    help_option,
};

constexpr std::array systems_options = {
    table_format_option,
    output_option,
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

constexpr std::array doctor_options = {
    OptionSpec{
        .name = "root",
        .letter = 'L',
        .value = ValueOf::required,
        .argument = "DIR[:DIR]",
        .repeatable = true,
        .help = "guest root, as for run",
        .manual = "Look for the program's files below these directories, as 'hardclock run' does.",
    },
    OptionSpec{
        .name = "env",
        .value = ValueOf::required,
        .argument = "K=V",
        .repeatable = true,
        .help = "a variable, as for run: LD_LIBRARY_PATH",
        .manual = "Put the variable K with the value V into the guest's environment, as 'hardclock "
                  "run' does: LD_LIBRARY_PATH says where libraries are. May be given again.",
    },
    OptionSpec{
        .name = "os",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "operating system (default: by the file)",
        .manual = "Ask for this operating system; without it the file decides.",
    },
    OptionSpec{
        .name = "cpu",
        .value = ValueOf::required,
        .argument = "NAME[@MHZ]",
        .help = "processor (default: by the files)",
        .manual = "Ask for this processor; without it the program's files decide.",
    },
    OptionSpec{
        .name = "machine",
        .value = ValueOf::required,
        .argument = "NAME",
        .help = "a workstation instead of a processor",
        .manual = "Ask for the processor of this machine.",
    },
    OptionSpec{
        .name = "isa",
        .value = ValueOf::required,
        .argument = "cpu|any",
        .help = "any: with later processors' instructions",
        .manual = "Ask for a processor with later ones' instructions, as 'hardclock run' does.",
    },
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "text|json",
        .help = "form of the answer (default: text)",
        .manual = "text: for people. json: for programs. FILE.txt and FILE.json ask for these as "
                  "well.",
    },
    output_option,
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
    table_format_option,
    output_option,
    help_option,
};

constexpr std::array cpus_options = {
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "text|json|csv|file",
        .help = "form of the answer (default: text)",
        .manual =
            "text: for people. json and csv: for programs, with the same names; "
            "docs/profiles.md lists them. file, with NAME only: the description itself, to be "
            "edited and given to --machine or --cpu. FILE.txt, FILE.json, FILE.csv, "
            "FILE.machine and FILE.timing ask for these as well.",
    },
    output_option, help_option};

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
        .name = "sweep",
        .operands = "PROGRAM [ARG...]",
        .min_operands = 0,
        .max_operands = ~0U,
        .guest_arguments = true,
        .help = "what many clocks see of a run; many machines",
        .manual =
            "Run PROGRAM as 'hardclock run' does, and say what clocks of many rates and phases "
            "would have seen of it. They interrupt nobody: the run is the same without them. A "
            "tick sees the pc that a clock interrupt then would be charged to. One that is due "
            "while the kernel works for the program, or while nobody runs, is counted as such. "
            "Where a machine's clock counts in a timer's steps, the clocks of phase 0 do, too, so "
            "that the one of the system's own rate has the ticks of the run. With --jobs-dir, a "
            "sweep over processors, machines and caches, of one run each.",
        .options = sweep_options,
        .base = "run",
    },
    CommandSpec{
        .name = "lab",
        .operands = "PROGRAM [ARG...]",
        .min_operands = 1,
        .max_operands = ~0U,
        .guest_arguments = true,
        .help = "a run to learn from, instruction by instruction",
        .manual =
            "Run PROGRAM one instruction at a time, forward and back, and show what happens: its "
            "registers, the pipeline with the reason of each wait, the caches, the clock on its "
            "way to the next tick, the pc that the tick finds, profil(2)'s arithmetic step by "
            "step, and the counter. Guess what the next tick will count, break a rule of the "
            "kernel, look at other systems. On a terminal keys do that; --keys does without one, "
            "and --format=html makes a page of it. The program reads nothing and, unless "
            "--cwd=rw, writes no file; its output is on the screen. Going far back runs it anew.",
        .options = lab_options,
        .base = "run",
        .without = not_in_lab,
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
        .help = "show a profile, or write it for a viewer",
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
        .name = "doctor",
        .operands = "PROGRAM",
        .min_operands = 1,
        .max_operands = 1,
        .help = "say whether a program would run",
        .manual =
            "Say of PROGRAM, which may be a shared library, without running it: its format and "
            "instruction set, the processor and "
            "the system that it would get, which of its dynamic linker and libraries, and of "
            "theirs, are there, and which system calls its code shows that hardclock lacks. These "
            "are an estimate: code need not run, and a number may come from "
            "elsewhere. The status is 0 if it runs as far as known, 1 if something is missing, 2 "
            "if it is neither.",
        .options = doctor_options,
    },
    CommandSpec{
        .name = "cpus",
        .operands = "[NAME]",
        .max_operands = 1,
        .help = "list processors and machines, how exact they are",
        .manual = "List the processors, for --cpu, and the machines, for --machine; with NAME, "
                  "describe one: a processor's clock, pipeline and caches, or a machine's "
                  "processor, caches, memory, timer and kernel, and how far each figure can be "
                  "trusted. A NAME with a slash in it is a file of yours, as for --cpu and "
                  "--machine.",
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
  const std::vector<const OptionSpec*> all = all_options();
  const auto found = std::ranges::find(all, option_name, &OptionSpec::name);
  return found == all.end() ? nullptr : *found;
}

const OptionSpec* CommandSpec::find(char option_letter) const {
  if (option_letter == 0) return nullptr;
  const std::vector<const OptionSpec*> all = all_options();
  const auto found = std::ranges::find(all, option_letter, &OptionSpec::letter);
  return found == all.end() ? nullptr : *found;
}

std::vector<const OptionSpec*> CommandSpec::all_options() const {
  std::vector<const OptionSpec*> all;
  for (const OptionSpec& option : options) all.push_back(&option);
  if (base.empty()) return all;
  for (const OptionSpec& option : find_command(base)->options) {
    const bool is_own = std::ranges::find(options, option.name, &OptionSpec::name) != options.end();
    const bool is_missing = std::ranges::find(without, option.name) != without.end();
    if (!is_own && !is_missing) all.push_back(&option);
  }
  return all;
}

std::span<const CommandSpec> command_table() {
  return commands;
}

const CommandSpec* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands, name, &CommandSpec::name);
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace hardclock
