#include "cli/help_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cli/command_table.h"
#include "cli/version.h"

namespace hardclock {

std::string notation(const OptionSpec& option) {
  std::string text = "--" + std::string(option.name);
  const std::string value = "=" + std::string(option.argument);
  switch (option.value) {
    case ValueOf::none:
      return text;
    case ValueOf::required:
      return text + value;
    case ValueOf::optional:
      return text + "[" + value + "]";
  }
  return text;
}

std::string synopsis(const CommandSpec& command) {
  std::string text = "hardclock " + std::string(command.name) + " [OPTION...]";
  if (command.guest_arguments) text += " [--]";
  if (!command.operands.empty()) text += " " + std::string(command.operands);
  return text;
}

std::string options_of_base(const CommandSpec& command) {
  std::string text =
      "All other options of 'hardclock " + std::string(command.base) + "' are options of this one";
  for (std::size_t i = 0; i < command.without.size(); ++i) {
    const bool is_last = i + 1 == command.without.size();
    text += i == 0 ? ", but for " : is_last ? " and " : ", ";
    text += "--" + std::string(command.without[i]);
  }
  return text + ".";
}

namespace {

std::string left_column(const OptionSpec& option) {
  const std::string letter = option.letter == 0 ? "    " : std::string("-") + option.letter + ", ";
  return "  " + letter + notation(option);
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

// Text as roff, escaped so that nothing in it is a request, an escape or a typographic hyphen.
std::string roff(std::string_view text) {
  const bool like_request = text.starts_with('.') || text.starts_with('\'');
  std::string escaped = like_request ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

// Starts a new line for each sentence and none above 80 bytes, as man page conventions require.
std::string roff_sentences(std::string_view text) {
  constexpr std::size_t page_width = 80;
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::string escaped = roff(word);
    const bool fits = column + 1 + escaped.size() <= page_width;
    if (column != 0) lines += fits ? ' ' : '\n';
    column = fits && column != 0 ? column + 1 + escaped.size() : escaped.size();
    lines += escaped;
    if (!word.ends_with('.')) continue;
    lines += '\n';
    column = 0;
  }
  return column == 0 ? lines : lines + "\n";
}

std::string sentence(std::string_view phrase) {
  std::string text(phrase);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
  return text + ".";
}

// In lines of a terminal.
std::string wrapped_help(std::string_view text) {
  constexpr std::size_t width = 78;
  std::string lines;
  while (text.size() > width) {
    const std::size_t cut = text.rfind(' ', width);
    lines += std::string(text.substr(0, cut)) + "\n";
    text.remove_prefix(cut + 1);
  }
  return lines + std::string(text) + "\n";
}

std::string man_option(const OptionSpec& option) {
  std::string text = ".TP\n.B ";
  if (option.letter != 0) text += std::string("\\-") + option.letter + ", ";
  text += roff(notation(option)) + "\n" + roff_sentences(option.manual);
  if (!option.default_value.empty()) {
    text += "The default is " + roff(option.default_value) + ".\n";
  }
  return text;
}

std::string man_command(const CommandSpec& command) {
  std::string text = ".SS " + roff(synopsis(command)) + "\n" + roff_sentences(command.manual);
  for (const OptionSpec& option : command.options) text += man_option(option);
  if (!command.base.empty()) {
    text += ".PP\n" + roff_sentences(options_of_base(command));
  }
  return text;
}

constexpr std::string_view man_introduction = R"(.SH DESCRIPTION
.B hardclock
runs programs of IRIX and Linux for MIPS, and of HP\-UX and Linux for PA\-RISC, one
cycle at a time.
Its virtual clock interrupt does what
.BR hardclock ()
did in the kernel: it finds the interrupted pc and increments
a counter in the program\(aqs own memory, by the rules of
.BR profil (2).
The same input gives the same cycles and the same bytes in every run.
.PP
Options are written whole.
.BI \-\-name= value
and
.BI "\-\-name " value
mean the same, except where the value may be left out: there only
.BI \-\-name= value
gives one.
)";

constexpr std::string_view man_conclusion = R"(.SH GUEST ROOTS
A guest sees the guest roots
.RB ( \-L ,
read\-only), the working directory at its own path
.RB ( \-\-cwd ),
and what
.B \-\-bind
adds; these two cover the folders of the roots at the same paths.
.IR /tmp ,
.I /var/tmp
and
.I /usr/tmp
are one folder, empty at the start of the run and gone at its end.
What is written to
.I /dev/tty
or
.I /dev/console
goes to standard error; they cannot be read.
What is mounted on the host below one of them is not there for the guest.
A guest root stays read\-only where it lies in the working directory.
.PP
PROGRAM may lie outside of all that.
But where a guest root has its folder, an absolute path is the guest\(aqs:
.I /usr/bin/nm
then never means the host\(aqs file.
.PP
A dynamic program needs the dynamic linker and the libraries of its system
below a guest root, at the paths that it asks for.
.PP
What the guest creates, changes or reads carries the time of the guest\(aqs
clock.
What was there before seems as old as the host says, but not newer than the
start of the run (see
.BR \-\-time ).
On the host, files keep the host\(aqs times, but for those that the guest sets
with
.BR utime (2).
.SH OUTPUT FILES
What hardclock writes for its user goes to a new file beside the name,
.IR hardclock\-output\-PID\-N ,
which then takes over the name and the permissions of the old file: statistics
and profiles when they are complete, logs at once.
A failure leaves the old file.
A symbolic link of that name is replaced, not followed, and a linked folder
below the working directory may not lead out of it: a guest may have made it.
Devices, FIFOs and
.I /dev/fd/N
are written to as they are.
No two outputs may be the same file, and none may be the program, one of its
libraries, a bound file, or where a standard stream goes.
A log that cannot be written ends the run.
.SH SIGNALS
.BR SIGINT ,
.BR SIGTERM ,
.BR SIGHUP ,
unless it is ignored, and
.B SIGQUIT
end the run in good order, at any moment: what was asked for is written, and
the guest\(aqs temporary files are removed.
A second one ends hardclock at once, and still removes them.
.B SIGUSR1
prints a line of status.
.SH EXIT STATUS
That of the guest program, when one was run.
.TP
.B 128+N
The guest was killed by signal N, in the numbers of its own system; or
hardclock was ended by signal N of the host.
.TP
.B 125
hardclock itself failed: a mistake in the command, a missing file, a limit that
was reached, a bug that it found in itself.
One line on standard error says what and what to do next.
.SH ENVIRONMENT
.TP
.B COLUMNS
How wide the terminal is, if not as wide as it says.
.TP
.B NO_COLOR
Not empty: what is printed on a terminal has no colours.
.PP
Neither the environment, nor the clock, nor anything else of the host that its
user did not name changes what the guest does.
.SH EXAMPLES
.TP
.B hardclock run \-L /opt/irix/root \-\-stats /usr/bin/ls \-l
Run the
.B ls
of IRIX and print what it cost.
.TP
.B hardclock run \-\-hz=1000 \-\-explain=ticks.log ./prog
Interrupt the program a thousand times per second and write down what each
tick did.
.SH SEE ALSO
.BR profil (2),
.BR gprof (1),
.BR objdump (1)
)";

}  // namespace

std::string overview_text() {
  std::size_t width = 0;
  for (const CommandSpec& command : command_table()) {
    width = std::max(width, command.name.size() + 1 + command.operands.size());
  }
  std::string text =
      "usage: hardclock COMMAND [OPTION...] ...\n"
      "Run IRIX, HP-UX and Linux programs cycle by cycle, with profil(2) as it was.\n\n";
  for (const CommandSpec& command : command_table()) {
    const std::string words = std::string(command.name) + " " + std::string(command.operands);
    text += "  " + padded(words, width + 2) + std::string(command.help) + "\n";
  }
  text +=
      "\n'hardclock COMMAND --help' lists a command's options, 'hardclock --version'\n"
      "prints the version, 'hardclock help --man' the manual page.\n"
      "Exit status: the guest's; 128+N for its signal N; 125 for errors of hardclock.\n";
  return text;
}

std::string command_help(const CommandSpec& command) {
  std::size_t width = 0;
  for (const OptionSpec& option : command.options) {
    width = std::max(width, left_column(option).size());
  }
  std::string text = "usage: " + synopsis(command) + "\n" + sentence(command.help) + "\n\n";
  for (const OptionSpec& option : command.options) {
    text += padded(left_column(option), width + 2) + std::string(option.help);
    if (!option.default_value.empty()) {
      text += " (default " + std::string(option.default_value) + ")";
    }
    text += "\n";
  }
  if (!command.base.empty()) {
    text += "\n" + wrapped_help(options_of_base(command));
  }
  return text;
}

std::string man_page() {
  std::string text =
      ".TH HARDCLOCK 1 " + std::string(version_date) + " \"hardclock " +
      std::string(hardclock_version) + "\" \"User Commands\"\n" +
      ".SH NAME\n"
      "hardclock \\- run old UNIX programs cycle by cycle, with their own profil(2)\n"
      ".SH SYNOPSIS\n";
  for (const CommandSpec& command : command_table()) {
    text += ".B " + roff(synopsis(command)) + "\n.br\n";
  }
  text += ".B hardclock \\-\\-version\n";
  text += man_introduction;
  text += ".SH COMMANDS\n";
  for (const CommandSpec& command : command_table()) text += man_command(command);
  text += man_conclusion;
  return text;
}

}  // namespace hardclock
