/* exit(2), exec(2), system(3S), popen(3S), getenv(3C), sleep(3C) and what else is about processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"

/* ---- The end */

struct ends {
  struct ends* next;
  int count;
  void (*function[32])(void);
};
static struct ends first_ends, *ends = &first_ends;

int atexit(void (*function)(void)) {
  enum { most = sizeof ends->function / sizeof *ends->function };
  if (ends->count == most) {
    struct ends* more = calloc(1, sizeof *more);
    if (more == NULL) return -1;
    more->next = ends;
    ends = more;
  }
  ends->function[ends->count++] = function;
  return 0;
}

void exit(int status) {
  for (; ends != NULL; ends = ends->next) {
    while (ends->count > 0) ends->function[--ends->count]();
    if (ends == &first_ends) break;
  }
  fflush(NULL);
  _exit(status);
}

void abort(void) {
  fflush(NULL);
  signal(SIGABRT, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGABRT);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
  raise(SIGABRT);
  _exit(127);
}

/* ---- The environment */

char* getenv(const char* name) {
  size_t length = strlen(name);
  for (char** each = environ; each != NULL && *each != NULL; ++each) {
    if (strncmp(*each, name, length) == 0 && (*each)[length] == '=') return *each + length + 1;
  }
  return NULL;
}

int putenv(char* entry) {
  static char** own; /* what malloc() gave for the last growth */
  const char* end = strchr(entry, '=');
  size_t length = end == NULL ? strlen(entry) : (size_t)(end - entry), count = 0;
  for (; environ != NULL && environ[count] != NULL; ++count) {
    if (strncmp(environ[count], entry, length) == 0 && environ[count][length] == '=') {
      environ[count] = entry;
      return 0;
    }
  }
  char** grown = malloc((count + 2) * sizeof *grown);
  if (grown == NULL) return -1;
  for (size_t i = 0; i < count; ++i) grown[i] = environ[i];
  grown[count] = entry;
  grown[count + 1] = NULL;
  if (environ == own) free(own);
  environ = own = grown;
  return 0;
}

/* logname(3C) */
char* logname(void) {
  return getenv("LOGNAME");
}

int unsetenv(const char* name) {
  const size_t length = strlen(name);
  if (length == 0 || strchr(name, '=') != NULL) {
    errno = EINVAL;
    return -1;
  }
  char** to = environ;
  for (char** from = environ; from != NULL && *from != NULL; ++from) {
    if (strncmp(*from, name, length) != 0 || (*from)[length] != '=') *to++ = *from;
  }
  if (to != NULL) *to = NULL;
  return 0;
}

int setenv(const char* name, const char* value, int replaces) {
  const size_t length = strlen(name);
  if (length == 0 || strchr(name, '=') != NULL) {
    errno = EINVAL;
    return -1;
  }
  if (!replaces && getenv(name) != NULL) return 0;
  char* entry = malloc(length + strlen(value) + 2); /* as long as the environment */
  if (entry == NULL) return -1;
  memcpy(entry, name, length);
  entry[length] = '=';
  strcpy(entry + length + 1, value);
  return putenv(entry);
}

/* ---- exec */

enum { most_arguments = 1024 };

static int collect(char** to, const char* first, va_list* rest) {
  int count = 0;
  for (const char* each = first; each != NULL; each = va_arg(*rest, const char*)) {
    if (count == most_arguments - 1) {
      errno = E2BIG;
      return -1;
    }
    to[count++] = (char*)each;
  }
  to[count] = NULL;
  return 0;
}

int execv(const char* path, char* const* arguments) {
  return execve(path, arguments, environ);
}

int execl(const char* path, const char* first, ...) {
  char* arguments[most_arguments];
  va_list rest;
  va_start(rest, first);
  int failed = collect(arguments, first, &rest);
  va_end(rest);
  return failed != 0 ? -1 : execv(path, arguments);
}

int execle(const char* path, const char* first, ...) {
  char* arguments[most_arguments];
  va_list rest;
  va_start(rest, first);
  int failed = collect(arguments, first, &rest);
  char** environment = failed != 0 ? NULL : va_arg(rest, char**);
  va_end(rest);
  return failed != 0 ? -1 : execve(path, arguments, environment);
}

int execlp(const char* file, const char* first, ...) {
  char* arguments[most_arguments];
  va_list rest;
  va_start(rest, first);
  int failed = collect(arguments, first, &rest);
  va_end(rest);
  return failed != 0 ? -1 : execvp(file, arguments);
}

static const char* const shells[] = {"/usr/bin/sh", "/bin/sh"};

static void run_shell(char* const* arguments) {
  for (int i = 0; i < 2; ++i) execve(shells[i], arguments, environ);
}

/* A file that is no program is a script. */
static void run_script(const char* path, char* const* arguments) {
  char* with_shell[most_arguments] = {"sh", (char*)path};
  int count = 0;
  while (arguments[count] != NULL && count < most_arguments - 3) ++count;
  for (int i = 1; i <= count; ++i) with_shell[i + 1] = arguments[i];
  run_shell(with_shell);
}

static void try_file(const char* path, char* const* arguments) {
  execve(path, arguments, environ);
  if (errno == ENOEXEC) run_script(path, arguments);
}

int execvp(const char* file, char* const* arguments) {
  const char* path = getenv("PATH");
  if (path == NULL) path = ":/usr/bin:/bin";
  if (strchr(file, '/') != NULL) {
    try_file(file, arguments);
    return -1;
  }
  int denied = 0;
  for (;;) {
    char name[1024];
    size_t length = strcspn(path, ":");
    if (length + strlen(file) + 2 < sizeof name) {
      sprintf(name, "%.*s%s%s", (int)length, path, length == 0 ? "" : "/", file);
      try_file(name, arguments);
      denied |= errno == EACCES;
    }
    if (path[length] == 0) break;
    path += length + 1;
  }
  if (denied) errno = EACCES;
  return -1;
}

/* ---- Commands */

static void run_command(const char* command) {
  char* arguments[] = {"sh", "-c", (char*)command, NULL};
  run_shell(arguments);
  _exit(127);
}

int system(const char* command) {
  if (command == NULL) return access(shells[0], 1) == 0 || access(shells[1], 1) == 0;
  int status;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) run_command(command);
  sighandler_t on_int = signal(SIGINT, SIG_IGN), on_quit = signal(SIGQUIT, SIG_IGN);
  while (waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    status = -1;
    break;
  }
  signal(SIGINT, on_int);
  signal(SIGQUIT, on_quit);
  return status;
}

static pid_t pipe_child[_NFILE]; /* by stream */

FILE* popen(const char* command, const char* mode) {
  int ends_of_pipe[2], ours = *mode == 'r' ? 0 : 1, theirs = 1 - ours;
  if (pipe(ends_of_pipe) < 0) return NULL;
  FILE* stream = fdopen(ends_of_pipe[ours], mode);
  pid_t child = stream == NULL ? -1 : fork();
  if (child == 0) {
    for (int i = 0; i < _NFILE; ++i) {
      if (pipe_child[i] != 0) close(fileno(&__iob[i]));
    }
    close(ends_of_pipe[ours]);
    if (ends_of_pipe[theirs] != theirs) {
      dup2(ends_of_pipe[theirs], theirs);
      close(ends_of_pipe[theirs]);
    }
    run_command(command);
  }
  close(ends_of_pipe[theirs]);
  if (child < 0) {
    if (stream != NULL) {
      fclose(stream);
    } else {
      close(ends_of_pipe[ours]);
    }
    return NULL;
  }
  pipe_child[stream - __iob] = child;
  return stream;
}

int pclose(FILE* stream) {
  pid_t child = pipe_child[stream - __iob];
  int status;
  if (child == 0) return -1;
  pipe_child[stream - __iob] = 0;
  fclose(stream);
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

/* ---- The break */

static char* break_now;

int brk(void* end) {
  if (_hc_brk(end) < 0) return -1;
  break_now = end;
  return 0;
}

void* sbrk(int increment) {
  if (break_now == NULL) break_now = (char*)(((unsigned long)_hc_program_end() + 7) & ~7ul);
  char* old = break_now;
  return increment != 0 && brk(old + increment) < 0 ? (void*)-1 : old;
}

/* ---- Time */

unsigned sleep(unsigned seconds) {
  struct timespec time = {seconds, 0}, left = {0, 0};
  return _hc_nanosleep(&time, &left) == 0 ? 0 : left.tv_sec + (left.tv_nsec >= 500000000);
}

clock_t clock(void) {
  struct {
    clock_t user, system, children_user, children_system;
  } times;
  enum { ticks_per_second = 100 };
  if (_hc_times(&times) < 0) return -1;
  return (times.user + times.system + times.children_user + times.children_system) *
         (CLOCKS_PER_SEC / ticks_per_second);
}

int raise(int number) {
  return kill(getpid(), number);
}

/* utssys(buffer, size, 5) */
int gethostname(char* name, size_t size) {
  return _hc_utssys(name, size, 5);
}
int uname(void* name) {
  return _hc_utssys(name, 0, 0);
}
/* uname(2): the number of the machine, of which hardclock has one. */
long gethostid(void) {
  return 0;
}
int getpagesize(void) {
  return 4096;
}
pid_t wait3(int* status, int options, void* usage) {
  return _hc_wait3(status, options, usage);
}
int nice(int increment) {
  return _hc_nice(increment);
}
