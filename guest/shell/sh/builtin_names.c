// type and command: what a name means.
#include "shell.h"

static bool is_keyword(const char* name) {
  static const char* const names[] = {"!",    "{",  "}",   "case", "do", "done", "elif",  "else",
                                      "esac", "fi", "for", "if",   "in", "then", "until", "while"};
  for (size_t at = 0; at < sizeof names / sizeof names[0]; ++at) {
    if (text_is(names[at], name)) return true;
  }
  return false;
}

static int describe(const char* name, bool briefly) {
  const bool is_builtin = find_builtin(name) != NULL;
  const char* const kind = is_keyword(name)    ? " is a shell keyword"
                           : is_function(name) ? " is a shell function"
                           : is_builtin        ? " is a shell builtin"
                                               : NULL;
  const char* const path = kind == NULL ? program_path(name) : NULL;
  if (kind == NULL && path == NULL) {
    if (!briefly) {
      out(name);
      out(": not found\n");
    }
    return 127;
  }
  out(path != NULL && briefly ? path : name);
  if (!briefly) out(kind != NULL ? kind : join(" is ", path, NULL));
  out_character('\n');
  return 0;
}

int type_builtin(char** arguments, int count) {
  int status = 0;
  for (int at = 1; at < count; ++at) {
    const int result = describe(arguments[at], false);
    if (result != 0) status = result;
  }
  return status;
}

int command_builtin(char** arguments, int count) {
  int at = 1;
  for (; at < count && arguments[at][0] == '-'; ++at) {
    const bool briefly = text_is(arguments[at], "-v");
    if ((briefly || text_is(arguments[at], "-V")) && at + 1 < count) {
      return describe(arguments[at + 1], briefly);
    }
    if (text_is(arguments[at], "--")) {
      ++at;
      break;
    }
  }
  if (at == count) return 0;
  const struct builtin* const builtin = find_builtin(arguments[at]);
  if (builtin != NULL) return builtin->function(arguments + at, count - at);
  const long child = fork_shell();
  if (child == 0) exec_program(arguments + at, environment_of());
  return wait_for(child);
}
