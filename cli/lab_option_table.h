// The options of `hardclock lab`. A part of option_table.cc.
#pragma once

#include <array>
#include <string_view>

#include "cli/option_table.h"
#include "cli/run_option_table.h"

namespace hardclock {

inline constexpr std::array lab_options = {
    OptionSpec{
        .name = "profil",
        .value = ValueOf::required,
        .argument = "WHERE[,SCALE]",
        .help = "profile a program that does not do it itself",
        .manual = "Profile the program from its first instruction on, as if it had called "
                  "profil(2), with a buffer that the lab puts into its memory. WHERE is text, the "
                  "name of a function, or a range FROM-TO of hexadecimal addresses. SCALE is a "
                  "number as in C, and without it one counter an instruction. A later profil(2) of "
                  "the program takes its place.",
    },
    OptionSpec{
        .name = "keys",
        .value = ValueOf::required,
        .argument = "WORDS",
        .help = "press these keys and print each screen",
        .manual = "Press keys, instead of waiting for them, and print the screen at the start and "
                  "after each key. WORDS are keys with blanks between them: s10 is ten "
                  "times s; what a key asks for is the word behind it: 's10 t r hot@3 g 17'. "
                  "The key ? shows what there is.",
    },
    OptionSpec{
        .name = "script",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "the same from a file",
        .manual = "The same with the words in FILE; what follows # on a line is a comment. A FILE "
                  "of - is standard input.",
    },
    OptionSpec{
        .name = "size",
        .value = ValueOf::required,
        .argument = "COLUMNSxROWS",
        .default_value = "80x24",
        .help = "size of the screens of --keys",
        .manual = "The size of the screens that --keys and --script print, from 40x12 to 400x200. "
                  "On a terminal its own size counts.",
    },
    OptionSpec{
        .name = "format",
        .value = ValueOf::required,
        .argument = "text|html",
        .help = "text (default), or a page for browsers",
        .manual = "text: the lab on the terminal, or the screens of --keys. html: one page with "
                  "the lab for browsers, which needs neither network nor hardclock. "
                  "--output=FILE.html asks for it as well.",
    },
    OptionSpec{
        .name = "frames",
        .value = ValueOf::required,
        .argument = "N",
        .default_value = "2000",
        .help = "instructions in the page",
        .manual = "How many instructions the page has, 10 to 50000: those at the program's start "
                  "and those around its first ticks. The page says what it leaves out.",
    },
    OptionSpec{
        .name = "output",
        .value = ValueOf::required,
        .argument = "FILE",
        .help = "write the page or the screens to FILE",
        .manual = "Write the page, or the screens of --keys, to FILE instead of standard output.",
    },
    help_option,
};

// Options of `run` about what the lab shows in its own way.
inline constexpr std::array<std::string_view, 9> not_in_lab = {
    "stats", "explain", "strace", "trace", "pipeline", "check", "profile", "calls", "reasons"};

}  // namespace hardclock
