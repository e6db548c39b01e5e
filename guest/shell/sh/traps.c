// trap, and what signals do to the shell.
#include "shell.h"

enum { most_signals = 32 };

static char* commands[most_signals];  // null: as it was; "" ignored
static char at_start[most_signals];   // of a signal that was looked at: what it did
enum { start_unknown, start_other, start_ignored };
static volatile char pending[most_signals];
volatile bool trap_is_pending;
int status_before_trap = -1;

static void catch (int signal) {
  pending[signal & (most_signals - 1)] = 1;
  trap_is_pending = true;
  sys_signal(signal, catch);  // System V has forgotten it
}

static bool is_name(const char* upper, const char* name) {
  for (; *upper != 0; ++upper, ++name) {
    if (*upper != (*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name)) return false;
  }
  return *name == 0;
}

// In letters of either case.
int signal_number(const char* name) {
  const int number = parse_number(name);
  if (number >= 0) return number < signal_count ? number : -1;
  if (text_begins(name, "SIG")) name += 3;
  for (int signal = 0; signal < signal_count; ++signal) {
    if (is_name(signal_names[signal], name)) return signal;
  }
  return -1;
}

// What was ignored when the shell started stays so.
static bool stays_ignored(int signal) {
  if (signal == 0) return false;
  if (at_start[signal] == start_unknown) {
    at_start[signal] = sys_handler_of(signal) == SIGNAL_IGNORE ? start_ignored : start_other;
  }
  return at_start[signal] == start_ignored;
}

void start_interaction(void) {
  sys_signal(SIGINT, catch);
  sys_signal(SIGQUIT, SIGNAL_IGNORE);
  sys_signal(SIGTERM, SIGNAL_IGNORE);
}

static void set_trap(int signal, const char* command) {
  if (stays_ignored(signal)) return;
  drop(commands[signal]);
  commands[signal] = command == NULL ? NULL : keep_text(command);
  if (signal == 0) return;
  sys_signal(signal, command == NULL ? SIGNAL_DEFAULT : *command == 0 ? SIGNAL_IGNORE : catch);
}

static void list_traps(void) {
  for (int signal = 0; signal < signal_count; ++signal) {
    if (commands[signal] == NULL) continue;
    out("trap -- ");
    out_quoted(commands[signal]);
    out_character(' ');
    out(signal_names[signal]);
    out_character('\n');
  }
}

// trap [COMMAND] [SIGNAL...]: a number first means that there is no command.
int trap_builtin(char** arguments, int count) {
  int at = 1;
  if (count > at && text_is(arguments[at], "--")) ++at;
  if (count == at) {
    list_traps();
    return 0;
  }
  const char* command = NULL;
  const bool has_command = count > at + 1 && parse_number(arguments[at]) < 0;
  if (has_command) {
    command = text_is(arguments[at], "-") ? NULL : arguments[at];
    ++at;
  }
  int status = 0;
  for (; at < count; ++at) {
    const int signal = signal_number(arguments[at]);
    if (signal < 0) {
      complain("trap: ", arguments[at], ": bad trap", NULL);
      status = 1;
    } else {
      set_trap(signal, command);
    }
  }
  return status;
}

void reset_traps(void) {
  for (int signal = 0; signal < signal_count; ++signal) {
    if (commands[signal] != NULL && *commands[signal] != 0) set_trap(signal, NULL);
    pending[signal] = 0;
  }
  trap_is_pending = false;
  if (!option('i')) return;
  for (int at = 0; at < 3; ++at) {
    const int signal = (const int[]){SIGINT, SIGQUIT, SIGTERM}[at];
    if (commands[signal] == NULL) sys_signal(signal, SIGNAL_DEFAULT);
  }
  options['i' - 'a'] = false;
}

static void run_trap(const char* command) {
  const int status = last_status, outer_entry = status_before_trap;
  const enum skip outer = skip;
  skip = skip_nothing;
  status_before_trap = status;
  // It may change its own trap.
  run_text(join(command, NULL), 0);
  if (skip == skip_nothing) skip = outer;
  status_before_trap = outer_entry;
  last_status = status;
}

void run_traps(void) {
  trap_is_pending = false;
  for (int signal = 1; signal < signal_count; ++signal) {
    if (pending[signal] == 0) continue;
    pending[signal] = 0;
    if (commands[signal] != NULL) run_trap(commands[signal]);
  }
}

void run_exit_trap(void) {
  const char* const command = commands[0];
  commands[0] = NULL;
  if (command != NULL) run_trap(command);
}

bool has_traps(void) {
  for (int signal = 0; signal < signal_count; ++signal) {
    if (commands[signal] != NULL && *commands[signal] != 0) return true;
  }
  return false;
}
