// sh [-aefinuvx] [-o OPTION] [-c COMMAND [NAME [ARGUMENT...]] | FILE [ARGUMENT...] | -s
// [ARGUMENT...]]
#include "shell.h"

void shell(int count, char** arguments, char** environment) __attribute__((noreturn));

void leave(int status) {
  static bool leaves;
  if (!leaves) {
    leaves = true;
    last_status = status;
    run_exit_trap();
  }
  flush();
  sys_exit(status & 0xff);
}

static void set_default_variables(void) {
  char digits[number_bytes];
  set("IFS", " \t\n");
  set("OPTIND", "1");
  set("PPID", number_text(sys_getppid(), digits));
  set("PS4", "+ ");
}

// The options; where the first other argument is. *command: -c is among them.
static int read_options(char** arguments, int count, bool* command, bool* from_input) {
  int at = 1;
  for (; at < count; ++at) {
    const char* const word = arguments[at];
    if ((*word != '-' && *word != '+') || word[1] == 0) break;
    if (text_is(word, "--")) return at + 1;
    if (text_is(word + 1, "o") && at + 1 < count) {
      if (!set_named_option(arguments[++at], *word == '-'))
        fail("bad option ", arguments[at], NULL);
      continue;
    }
    for (const char* letter = word + 1; *letter != 0; ++letter) {
      if (*letter == 'c') *command = true;
      if (*letter == 's') *from_input = true;
      if (*letter == 'c' || *letter == 's' || *letter == 'l') continue;
      if (!set_option(*letter, *word == '-')) fail("bad option ", word, NULL);
    }
  }
  if (at < count && text_is(arguments[at], "-")) ++at;
  return at;
}

static void run_profile(void) {
  const int file = open_high("/etc/profile");
  if (file < 0) return;
  struct source made;
  read_from_file(&made, file, false);
  run_source(0);
  sys_close(file);
}

static int run_script(const char* path) {
  const int file = open_high(path);
  if (file < 0) {
    complain("cannot open ", path, ": ", error_text(file), NULL);
    return file == -ENOENT ? 127 : 126;
  }
  struct source made;
  read_from_file(&made, file, false);
  return run_source(0);
}

static int run_input(void) {
  const bool is_interactive = option('i');
  if (is_interactive) {
    if (get("PS1") == NULL) set("PS1", "$ ");
    if (get("PS2") == NULL) set("PS2", "> ");
  }
  struct source made;
  read_from_file(&made, 0, !is_interactive);
  made.prompts = is_interactive;
  return run_source(0);
}

void shell(int count, char** arguments, char** environment) {
  bool command = false, from_input = false;
  if (count > 0) shell_name = arguments[0];
  const bool is_login = *shell_name == '-';
  shell_process = sys_getpid();
  import_environment(environment);
  set_default_variables();
  int at = read_options(arguments, count, &command, &from_input);
  const char* text = NULL;
  if (command) {
    if (at >= count) fail("-c: no command", NULL);
    text = arguments[at++];
    if (at < count) shell_name = arguments[at++];
  }
  const char* const script = !command && !from_input && at < count ? arguments[at++] : NULL;
  if (text == NULL && script == NULL && sys_is_terminal(0) && sys_is_terminal(2)) {
    options['i' - 'a'] = true;
  }
  if (script != NULL) shell_name = script;
  set_parameters(arguments + at, count - at);
  if (option('i')) start_interaction();
  if (is_login) run_profile();
  leave(text != NULL     ? run_text(text, run_last)
        : script != NULL ? run_script(script)
                         : run_input());
}
