// hardclock lab: a run to learn from, on a terminal, as screens, or as a page.
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/lab_machine.h"
#include "cli/output_file.h"
#include "cli/run_options.h"
#include "cli/run_signals.h"
#include "sim/lab/page.h"
#include "sim/lab/screen.h"
#include "sim/lab/terminal.h"
#include "sim/lab/ui.h"
#include "syscalls/host/own_memory.h"

namespace hardclock {
namespace {

int ended(const std::string& message) {
  return ending_signal() != 0 ? status_of_signal(ending_signal()) : complain(message);
}

// A signal ends the lab without an answer.
int deliver(const LabChoice& lab, const std::string& text) {
  if (is_to_end()) return ended("stopped at --max-seconds; raise it");
  if (!lab.output) return answer(text);
  auto file = OutputFile::find(*lab.output);
  if (!file) return complain(file.error());
  const auto written = file->replace(text);
  return written ? exit_ok : complain(written.error());
}

Result<std::string, std::string> keys_of(const LabChoice& lab) {
  if (lab.keys) return *lab.keys;
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  const auto bytes = *lab.script == "-" ? read_standard_input(most) : read_file(*lab.script, most);
  if (!bytes) return Failure{bytes.error().message};
  return std::string(bytes->begin(), bytes->end());
}

// The screen at the start, and each key with the screen after it.
int show_screens(const LabChoice& lab, lab::Ui& ui) {
  const auto keys = keys_of(lab);
  if (!keys) return complain(keys.error());
  const std::string option = lab.keys ? "--keys: " : "--script: ";
  const auto commands = lab::parse_script(*keys);
  if (!commands) return complain(option + commands.error());
  const lab::ScreenSize size{lab.columns, lab.rows};
  std::string text = lab::text_of(lab::screen_of(ui, size));
  for (const lab::Command& command : *commands) {
    if (const auto done = ui.perform(command); !done) return complain(option + done.error());
    if (ui.is_over() || is_to_end()) break;
    text += "> " + lab::text_of(command) + "\n" + lab::text_of(lab::screen_of(ui, size));
  }
  return deliver(lab, text);
}

int work_at_terminal(lab::Ui& ui) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
    return complain(
        "lab needs a terminal; without one, --format=html makes a page, and --keys 's t' prints "
        "screens");
  }
  if (const auto worked = lab::work_at_terminal(ui, is_to_end); !worked)
    return complain(worked.error());
  return is_to_end() ? ended("stopped at --max-seconds; raise it") : exit_ok;
}

}  // namespace

int lab_command(const std::vector<std::string>& args) {
  take_signals();
  const auto options = parse_lab_options(args);
  if (!options) return complain(options.error().message);
  host::limit_own_memory(options->max_memory);
  if (options->max_host_time && !limit_host_time(*options->max_host_time))
    return complain("--max-seconds: the host has no timer left; leave it out");
  auto machine = make_lab_machine(*options);
  if (!machine) return ended(machine.error());
  const LabChoice& lab = *options->lab;
  if (lab.is_page) return deliver(lab, lab::page_of(**machine, lab.frames));
  lab::Ui ui{lab::Session(*std::move(machine))};
  return lab.keys || lab.script ? show_screens(lab, ui) : work_at_terminal(ui);
}

}  // namespace hardclock
