// The built-in commands that are about the shell itself.
#include "shell.h"

static int usage(const char* name, const char* what) {
  complain(name, ": ", what, NULL);
  return 2;
}

// Of a special one.
static int __attribute__((noreturn)) bad(const char* name, const char* argument) {
  fail(name, ": bad argument: ", argument, NULL);
}

static int true_builtin(char** arguments, int count) {
  (void)arguments;
  (void)count;
  return 0;
}

static int false_builtin(char** arguments, int count) {
  (void)arguments;
  (void)count;
  return 1;
}

static int dot_builtin(char** arguments, int count) {
  if (count < 2) return 0;
  const char* path = arguments[1];
  int file = -ENOENT;
  if (text_find(path, '/') != NULL) {
    file = open_high(path);
  } else {
    const char* directories = get("PATH");
    for (const char* each; (each = next_directory(&directories)) != NULL && file < 0;) {
      file = open_high(join(each, path, NULL));
    }
  }
  if (file < 0) fail(".: cannot open ", path, ": ", error_text(file), NULL);
  struct source made;
  read_from_file(&made, file, false);
  const int status = run_source(0);
  sys_close(file);
  if (skip == skip_return) skip = skip_nothing;
  return status;
}

static int number_argument(char** arguments, int count, int otherwise) {
  if (count < 2) return otherwise;
  const int number = parse_number(arguments[1]);
  if (number < 0) bad(arguments[0], arguments[1]);
  return number;
}

static int leave_loops(char** arguments, int count, enum skip how) {
  const int levels = number_argument(arguments, count, 1);
  if (levels == 0) bad(arguments[0], arguments[1]);
  if (loop_depth == 0) return 0;
  skip = how;
  skip_levels = levels > loop_depth ? loop_depth : levels;
  return 0;
}

static int break_builtin(char** arguments, int count) {
  return leave_loops(arguments, count, skip_break);
}

static int continue_builtin(char** arguments, int count) {
  return leave_loops(arguments, count, skip_continue);
}

static int return_builtin(char** arguments, int count) {
  const int status = number_argument(arguments, count, last_status);
  skip = skip_return;
  return status;
}

static int exit_builtin(char** arguments, int count) {
  leave(number_argument(arguments, count,
                        status_before_trap >= 0 ? status_before_trap : last_status));
}

static int eval_builtin(char** arguments, int count) {
  if (count < 2) return 0;
  struct buffer text = {0};
  for (int at = 1; at < count; ++at) {
    if (at != 1) put(&text, ' ');
    put_text(&text, arguments[at]);
  }
  return run_text(finish(&text), 0);
}

static int exec_builtin(char** arguments, int count) {
  if (count > 1) exec_program(arguments + 1, environment_of());
  return 0;
}

// ---- Variables.

static bool is_exported(const struct variable* variable) {
  return variable->exported;
}

static bool is_read_only(const struct variable* variable) {
  return variable->read_only;
}

static bool is_set(const struct variable* variable) {
  return variable->value != NULL;
}

// NAME or NAME=VALUE: the variable, with the value.
static struct variable* declare_argument(const char* command, const char* argument) {
  const size_t length = name_length(argument);
  if (length == 0 || (argument[length] != 0 && argument[length] != '=')) bad(command, argument);
  if (argument[length] == '=') set_of_length(argument, length, argument + length + 1);
  return declare(take_text(argument, length));
}

static int export_builtin(char** arguments, int count) {
  if (count == 1 || text_is(arguments[1], "-p")) list_variables(is_exported, "export ");
  for (int at = 1; at < count; ++at) {
    if (!text_is(arguments[at], "-p")) declare_argument("export", arguments[at])->exported = true;
  }
  return 0;
}

static int readonly_builtin(char** arguments, int count) {
  if (count == 1 || text_is(arguments[1], "-p")) list_variables(is_read_only, "readonly ");
  for (int at = 1; at < count; ++at) {
    if (text_is(arguments[at], "-p")) continue;
    declare_argument("readonly", arguments[at])->read_only = true;
  }
  return 0;
}

static int local_builtin(char** arguments, int count) {
  if (locals == NULL) fail("local: not in a function", NULL);
  for (int at = 1; at < count; ++at) {
    save_variable(locals, take_text(arguments[at], name_length(arguments[at])));
    declare_argument("local", arguments[at]);
  }
  return 0;
}

static int unset_builtin(char** arguments, int count) {
  const bool is_of_functions = count > 1 && text_is(arguments[1], "-f");
  const int first = is_of_functions || (count > 1 && text_is(arguments[1], "-v")) ? 2 : 1;
  for (int at = first; at < count; ++at) {
    if (is_of_functions) {
      drop_function(arguments[at]);
    } else if (!unset_variable(arguments[at])) {
      fail("unset: ", arguments[at], ": is read only", NULL);
    }
  }
  return 0;
}

static int shift_builtin(char** arguments, int count) {
  const int by = number_argument(arguments, count, 1);
  if (by > parameters.count) fail("shift: can't shift that many", NULL);
  parameters.values += by;
  parameters.count -= by;
  return 0;
}

// ---- set.

struct named_option {
  const char* name;
  char letter;
};
static const struct named_option named_options[] = {
    {"allexport", 'a'}, {"errexit", 'e'}, {"noclobber", 'C'}, {"noexec", 'n'},
    {"noglob", 'f'},    {"nounset", 'u'}, {"verbose", 'v'},   {"xtrace", 'x'},
};
enum { named_option_count = sizeof named_options / sizeof named_options[0] };

bool set_option(char letter, bool value) {
  if (letter == 'C') letter = 'c';
  // -m and -h have nothing to do here: there is no job control, and no table of programs.
  if (text_find("aefinuvxcmhb", letter) == NULL) return false;
  options[letter - 'a'] = value;
  return true;
}

bool set_named_option(const char* name, bool value) {
  for (int at = 0; at < named_option_count; ++at) {
    if (text_is(named_options[at].name, name)) return set_option(named_options[at].letter, value);
  }
  return false;
}

static void list_options(void) {
  for (int at = 0; at < named_option_count; ++at) {
    const char letter = named_options[at].letter == 'C' ? 'c' : named_options[at].letter;
    out(named_options[at].name);
    for (size_t column = text_length(named_options[at].name); column < 16; ++column) {
      out_character(' ');
    }
    out(option(letter) ? "on\n" : "off\n");
  }
}

int set_builtin(char** arguments, int count) {
  if (count == 1) list_variables(is_set, "");
  int at = 1;
  for (; at < count; ++at) {
    const char* const word = arguments[at];
    const bool value = *word == '-';
    if ((!value && *word != '+') || word[1] == 0) break;
    if (text_is(word, "--")) break;
    if (text_is(word + 1, "o")) {
      if (++at == count) {
        list_options();
        return 0;
      }
      if (!set_named_option(arguments[at], value)) bad("set", arguments[at]);
      continue;
    }
    for (const char* letter = word + 1; *letter != 0; ++letter) {
      if (*letter == 'c' || *letter == 'i' || !set_option(*letter, value)) bad("set", word);
    }
  }
  if (at == count) return 0;
  if (text_is(arguments[at], "-")) set_option('x', false), set_option('v', false);
  if (text_is(arguments[at], "--") || text_is(arguments[at], "-")) ++at;
  set_parameters(arguments + at, count - at);
  return 0;
}

// ---- Processes.

static int times_builtin(char** arguments, int count) {
  (void)arguments;
  (void)count;
  struct process_times times;
  sys_times(&times);
  const unsigned long ticks[] = {times.user, times.system, times.child_user, times.child_system};
  for (int at = 0; at < 4; ++at) {
    char digits[number_bytes];
    uint64_t rest, seconds;
    const uint64_t all = divide(ticks[at], (uint64_t)ticks_per_second, &rest);
    const uint64_t hundredths = divide(rest * 100, (uint64_t)ticks_per_second, &rest);
    out(number_text((int64_t)divide(all, 60, &seconds), digits));
    out_character('m');
    out(number_text((int64_t)seconds, digits));
    out(hundredths < 10 ? ".0" : ".");
    out(number_text((int64_t)hundredths, digits));
    out(at % 2 == 0 ? "s " : "s\n");
  }
  return 0;
}

static int interrupted_status(void) {
  run_traps();
  return 128;
}

static int wait_builtin(char** arguments, int count) {
  if (count == 1) return wait_for_all() < 0 ? interrupted_status() : 0;
  int status = 0;
  for (int at = 1; at < count; ++at) {
    const int process = parse_number(arguments[at]);
    if (process < 0) return usage("wait: no process", arguments[at]);
    status = wait_for_background(process);
    if (status < 0) return interrupted_status();
  }
  return status;
}

static int list_signals(void) {
  for (int signal = 1; signal < signal_count; ++signal) {
    out(signal_names[signal]);
    out_character(signal % 8 == 0 || signal + 1 == signal_count ? '\n' : ' ');
  }
  return 0;
}

int kill_builtin(char** arguments, int count) {
  int signal = SIGTERM, at = 1, status = 0;
  if (count > 1 && text_is(arguments[1], "-l")) return list_signals();
  if (count > 2 && text_is(arguments[1], "-s")) {
    signal = signal_number(arguments[2]);
    at = 3;
  } else if (count > 1 && arguments[1][0] == '-' && !text_is(arguments[1], "--")) {
    signal = signal_number(arguments[1] + 1);
    at = 2;
  }
  if (count > at && text_is(arguments[at], "--")) ++at;
  if (signal < 0 || at == count) return usage("kill", "usage: kill [-SIGNAL] PROCESS...");
  for (; at < count; ++at) {
    const bool is_group = arguments[at][0] == '-';
    const int process = parse_number(arguments[at] + is_group);
    const long result = process < 0 ? -EINVAL : sys_kill(is_group ? -process : process, signal);
    if (result >= 0) continue;
    complain("kill: ", arguments[at], ": ", process < 0 ? "no process" : "No such process", NULL);
    status = 1;
  }
  return status;
}

static int umask_builtin(char** arguments, int count) {
  if (count == 1) {
    const int mask = (int)sys_umask(0);
    sys_umask(mask);
    out_character('0');
    for (int shift = 6; shift >= 0; shift -= 3) out_character((char)('0' + (mask >> shift & 7)));
    out_character('\n');
    return 0;
  }
  int mask = 0;
  for (const char* digit = arguments[1]; *digit != 0; ++digit) {
    if (*digit < '0' || *digit > '7' || mask > 0777) {
      return usage("umask: not an octal number", arguments[1]);
    }
    mask = mask * 8 + (*digit - '0');
  }
  sys_umask(mask & 0777);
  return 0;
}

// ---- The table.

static const struct builtin builtins[] = {
    {".", dot_builtin, true},
    {":", true_builtin, true},
    {"[", test_builtin, false},
    {"break", break_builtin, true},
    {"cd", cd_builtin, false},
    {"command", command_builtin, false},
    {"continue", continue_builtin, true},
    {"echo", echo_builtin, false},
    {"eval", eval_builtin, true},
    {"exec", exec_builtin, true},
    {"exit", exit_builtin, true},
    {"export", export_builtin, true},
    {"false", false_builtin, false},
    {"getopts", getopts_builtin, false},
    {"hash", true_builtin, false},
    {"kill", kill_builtin, false},
    {"local", local_builtin, false},
    {"printf", printf_builtin, false},
    {"pwd", pwd_builtin, false},
    {"read", read_builtin, false},
    {"readonly", readonly_builtin, true},
    {"return", return_builtin, true},
    {"set", set_builtin, true},
    {"shift", shift_builtin, true},
    {"test", test_builtin, false},
    {"times", times_builtin, true},
    {"trap", trap_builtin, true},
    {"true", true_builtin, false},
    {"type", type_builtin, false},
    {"umask", umask_builtin, false},
    {"unset", unset_builtin, true},
    {"wait", wait_builtin, false},
};

const struct builtin* find_builtin(const char* name) {
  for (size_t at = 0; at < sizeof builtins / sizeof builtins[0]; ++at) {
    if (text_is(builtins[at].name, name)) return &builtins[at];
  }
  return NULL;
}
