// The options of `hardclock sweep` that run has not. A part of option_table.cc.
#pragma once

#include <array>

#include "cli/option_table.h"

namespace hardclock {

inline constexpr std::array sweep_options = {
    OptionSpec{
        .name = "jobs-dir",
        .value = ValueOf::required,
        .argument = "DIR",
        .help = "a job for each processor, machine, cache",
        .manual =
            "Make a job of each processor of --cpu and machine of --machine, with each combination "
            "of the sizes of --cache, and answer with one table on standard output: instructions, "
            "cycles, seconds and misses of each job and, with --hz, what its clocks saw. A job is "
            "a run of its own, without those clocks if there is no --hz. DIR, which is made, has a "
            "folder for each: its standard output and error, and its result. The same command goes "
            "on where an earlier one was stopped or killed, and tries again what failed; another "
            "command or a changed program is refused. The status is 1 if a job failed.",
    },
    OptionSpec{
        .name = "cpu",
        .value = ValueOf::required,
        .argument = "NAME[@MHZ],...",
        .help = "processors; more than one with --jobs-dir",
        .manual = "The processor, as for 'hardclock run'; with --jobs-dir also several, with "
                  "commas between them. Together with --machine both lists are swept.",
    },
    OptionSpec{
        .name = "machine",
        .value = ValueOf::required,
        .argument = "NAME,...",
        .help = "machines; more than one with --jobs-dir",
        .manual = "The machine, as for 'hardclock run'; with --jobs-dir also several.",
    },
    OptionSpec{
        .name = "cache",
        .value = ValueOf::required,
        .argument = "LEVEL=S,L,W[:S,L,W]",
        .repeatable = true,
        .help = "sizes; more than one with --jobs-dir",
        .manual =
            "The size of a cache, as for 'hardclock run'. With --jobs-dir also several, with "
            "colons between them: l1d=8k,32,1:16k,32,1:16k,32,2. The sizes of different caches "
            "are combined, each with each.",
    },
    OptionSpec{
        .name = "jobs",
        .value = ValueOf::required,
        .argument = "N",
        .help = "so many at a time (default: all cores)",
        .manual = "With --jobs-dir, N jobs at a time, 1 to 1000. Without it as many as this "
                  "process may use processors of the host, or as Slurm likes.",
    },
    OptionSpec{
        .name = "slurm",
        .help = "the jobs run on a cluster, by Slurm",
        .manual =
            "With --jobs-dir, submit the jobs as one array to Slurm (sbatch), wait for its end, "
            "and answer as without it. DIR, PROGRAM and hardclock must be at the same place on all "
            "nodes. Partition, time limit and the like come from the environment, as sbatch(1) "
            "says: SBATCH_PARTITION. SIGINT cancels the array; after SIGHUP it goes on, and the "
            "same command waits for it.",
    },
    OptionSpec{
        .name = "job",
        .value = ValueOf::required,
        .argument = "K",
        .help = "do job K of --jobs-dir, and no other",
        .manual = "Do the job K of the list in --jobs-dir, which an earlier command made, and "
                  "print nothing. What the array of --slurm does; PROGRAM is left out.",
    },
    OptionSpec{
        .name = "cwd",
        .value = ValueOf::required,
        .argument = "rw|ro|none|own",
        .help = "as for run; own: each job has a folder",
        .manual =
            "What the guest may do with the working directory, as for 'hardclock run'. With "
            "--jobs-dir it is ro without this option, and cannot be rw, because jobs would write "
            "over each other's files. own: each job starts in an empty folder of its own, "
            "DIR/job-K/files, where it may write, and what it writes stays there.",
    },
    OptionSpec{
        .name = "hz",
        .value = ValueOf::required,
        .argument = "LIST",
        .help = "rates: 60,100 or 90-110 or 100-1000/50",
        .manual =
            "The rates of the clocks, 1 to 1000000 ticks a second: numbers and ranges with commas "
            "between them. A range is FROM-TO, or FROM-TO/STEP. Without it: the system's own rate, "
            "one less and one more, and 60, 64, 100 and 1000, which other systems have or had.",
    },
    OptionSpec{
        .name = "phase",
        .value = ValueOf::required,
        .argument = "N",
        .default_value = "1",
        .help = "clocks of each rate, shifted",
        .manual =
            "N clocks of each rate, 1 to 1000. Tick k of clock p, which counts from 0, is due "
            "(k + p/N) periods after the start of the machine. Rates and phases together "
            "make at most 1000 clocks.",
    },
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "text|json|csv|svg",
        .help = "form of the answer (default: text)",
        .manual =
            "text: for each function the share that the clocks of each rate saw, the standard "
            "error that chance gives such a share, and how many standard errors away from the "
            "exact share it is, or the farthest of the phases. Functions below a hundredth of the "
            "cycles are summed up. json: all functions and all pcs. csv: a line for each rate, "
            "phase and function. svg: a picture of the four functions with most cycles.",
    },
    OptionSpec{
        .name = "output",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "where the answer goes, if not standard error",
        .manual = "Write the answer to FILE. Without it, it goes to standard error: standard "
                  "output is the guest's.",
    },
    OptionSpec{
        .name = "own-hz",
        .value = ValueOf::required,
        .argument = "N",
        .help = "ticks per second of the machine's own clock",
        .manual = "The rate of the machine's own clock, which interrupts the program: what --hz is "
                  "to 'hardclock run'.",
    },
    help_option,
};

}  // namespace hardclock
