// Programs, and the children of the shell.
#include "shell.h"

bool is_subshell;

// ---- Children.

struct child {
  struct child* next;
  long process;
  int status;  // -1: it runs
};
static struct child* children;

long fork_shell(void) {
  flush();
  const long process = sys_fork();
  if (process < 0) fail("cannot fork: ", error_text(process), NULL);
  if (process == 0) {
    is_subshell = true;
    children = NULL;
    reset_traps();
    return 0;
  }
  struct child* const made = keep(sizeof *made);
  *made = (struct child){.next = children, .process = process, .status = -1};
  children = made;
  return process;
}

static struct child* find_child(long process) {
  struct child* each = children;
  while (each != NULL && each->process != process) each = each->next;
  return each;
}

static void forget(struct child* child) {
  struct child** link = &children;
  while (*link != child) link = &(*link)->next;
  *link = child->next;
  drop(child);
}

// Until one ends; false: there is none, or a trap is to be run.
static bool wait_for_any(bool traps_interrupt) {
  for (;;) {
    int status;
    const long process = sys_wait(-1, &status);
    if (process == -EINTR) {
      if (traps_interrupt && trap_is_pending) return false;
      continue;
    }
    if (process < 0) return false;
    struct child* const child = find_child(process);
    if (child != NULL) child->status = status;
    return true;
  }
}

static int wait_until_done(struct child* child, bool traps_interrupt) {
  while (child->status < 0) {
    if (wait_for_any(traps_interrupt)) continue;
    if (traps_interrupt && trap_is_pending) return -1;
    child->status = 127;
  }
  const int status = child->status;
  forget(child);
  return status;
}

int wait_for(long process) {
  return wait_until_done(find_child(process), false);
}

// Of the built-in command: -1 where a trap came first.
int wait_for_background(long process) {
  struct child* const child = find_child(process);
  return child == NULL ? 127 : wait_until_done(child, true);
}

int wait_for_all(void) {
  while (children != NULL) {
    if (wait_until_done(children, true) < 0) return -1;
  }
  return 0;
}

// ---- Programs.

static const char default_path[] = "/usr/bin:/bin";

const char* next_directory(const char** path) {
  const char* const from = *path;
  if (from == NULL) return NULL;
  const char* const colon = text_find(from, ':');
  const size_t length = colon == NULL ? text_length(from) : (size_t)(colon - from);
  *path = colon == NULL ? NULL : colon + 1;
  return length == 0 ? "" : join(take_text(from, length), "/", NULL);
}

static const char* search_path(void) {
  const char* const path = get("PATH");
  return path == NULL ? default_path : path;
}

static bool is_program(const char* path) {
  struct file_status status;
  enum { may_execute = 1 };
  return sys_status(path, true, &status) >= 0 && (status.mode & mode_format) == mode_regular &&
         sys_access(path, may_execute) >= 0;
}

char* program_path(const char* name) {
  if (text_find(name, '/') != NULL) return is_program(name) ? join(name, NULL) : NULL;
  const char* path = search_path();
  for (const char* directory; (directory = next_directory(&path)) != NULL;) {
    char* const tried = join(directory, name, NULL);
    if (is_program(tried)) return tried;
  }
  return NULL;
}

// A zero among the first characters is no script's.
static bool may_be_script(const char* path) {
  char front[64];
  const long file = sys_open(path, open_read, false);
  if (file < 0) return false;
  const long count = sys_read((int)file, front, sizeof front);
  sys_close((int)file);
  for (long at = 0; at < count && front[at] != '\n'; ++at) {
    if (front[at] == 0) return false;
  }
  return count >= 0;
}

// A file that is no program is a script of the shell.
static long try_program(const char* path, char** arguments, char** environment) {
  const long error = sys_execve(path, arguments, environment);
  if (error != -ENOEXEC || !may_be_script(path)) return error;
  struct fields script = {0};
  add_field(&script, "sh");
  add_field(&script, join(path, NULL));
  for (char** each = arguments + 1; *each != NULL; ++each) add_field(&script, *each);
  return sys_execve("/bin/sh", script.values, environment);
}

void exec_program(char** arguments, char** environment) {
  const char* const name = arguments[0];
  long error = -ENOENT;
  if (text_find(name, '/') != NULL) {
    error = try_program(name, arguments, environment);
  } else if (*name != 0) {
    const char* path = search_path();
    for (const char* directory; (directory = next_directory(&path)) != NULL;) {
      const long result = try_program(join(directory, name, NULL), arguments, environment);
      // Not: a directory that is none.
      if (result != -ENOENT && result != -20) error = result;
    }
  }
  const bool is_missing = error == -ENOENT;
  complain(name, ": ", is_missing ? "not found" : error_text(error), NULL);
  leave(is_missing ? 127 : 126);
}
