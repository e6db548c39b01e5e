// fork, vfork, exec, exit, wait, and who one is.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

static pid_t parent;

static int exit_with_7(void) {
  return 7;
}

static int exit_with_more(void) {
  return 0x1ff;
}

static int check_parent(void) {
  return getppid() == parent && getpid() != parent ? 7 : 8;
}

static int kill_itself(void) {
  kill(getpid(), SIGKILL);
  return 0;
}

// wait(2): "the low byte of exit's argument in the high byte of the status"; a signal in the low.
static void test_wait(void) {
  int status = 0;
  check_error(wait(&status), ECHILD, "wait without children");
  check_number(status_of(exit_with_7), 7 << 8, "the status of exit(7)");
  check_number(status_of(exit_with_more), 0xff << 8, "the status of exit(0x1ff)");
  check_number(status_of(check_parent), 7 << 8, "a child knows its parent");
  check_number(status_of(kill_itself) & 0177, SIGKILL, "the status of a killed process");
  check(fork() != 0 || (_exit(3), 0), "fork");
  check(wait(NULL) > 0, "wait that does not want the status");
}

static void test_fork(void) {
  volatile int own = 1;
  int fds[2];
  int status;
  char byte;
  pipe(fds);
  const pid_t pid = fork();
  if (pid == 0) {
    own = 2;
    close(fds[1]);
    read(fds[0], &byte, 1);
    _exit(own);
  }
  check(pid > 0 && pid != parent, "fork returns the child's id");
  check_number(own, 1, "the child has its own memory");
#ifdef _HAVE_WAITPID
  check_number(waitpid(-1, &status, WNOHANG), 0, "waitpid does not wait for a running child");
  check_error(waitpid(parent, &status, 0), ECHILD, "waitpid for a process that is no child");
#endif
  close(fds[1]);
#ifdef _HAVE_WAITPID
  check(waitpid(pid, &status, 0) == pid && status == 2 << 8, "waitpid for the child");
#else
  check(wait(&status) == pid && status == 2 << 8, "wait for the child");
#endif
  close(fds[0]);
}

// The library looks at the second result of fork; the first one is the other process's id
// (os/fork.c cfork() of illumos, kern_fork.c fork1() of 4.2BSD).
static void test_results(void) {
  int status = 0;
  struct outcome made = raw_call(SYS_fork, 0, 0, 0, 0);
  if (made.second != 0) _exit(made.second == 1 && made.first == parent ? 5 : 6);
  check(made.error == 0 && wait(&status) == made.first, "fork's first result is the child's id");
  check_number(status, 5 << 8, "in the child its parent's, and the second is 1");
  made = raw_call(SYS_getpid, 0, 0, 0, 0);
  check(made.first == parent && made.second == getppid(), "getpid's second result");
#ifdef SYS_getuid
  made = raw_call(SYS_getuid, 0, 0, 0, 0);
  check(made.error == 0 && made.first == made.second, "getuid's second is the effective id");
  made = raw_call(SYS_getgid, 0, 0, 0, 0);
  check(made.error == 0 && made.first == made.second, "getgid's second is the effective id");
#endif
#ifdef SYS_wait4
  // kern_exit.c wait1(): unknown options.
  check_error(syscall(SYS_wait4, -1, &status, 0x100, 0), EINVAL, "wait4 with unknown options");
#endif
#ifdef _OS_SVR4
  // waitid(2): at least one event has to be named.
  check_error(syscall(SYS_waitid, 7, 0, &status, 0, 0), EINVAL, "waitid of no event");
  check_error(syscall(SYS_waitid, 5555, 0, &status, 1, 0), EINVAL, "waitid of an unknown kind");
#endif
}

#ifdef _HAVE_VFORK
static volatile int borrowed;

// vfork(2): the child has the parent's memory until it executes or exits, and the parent waits. In
// 4.4BSD the memory is a copy (sys/vm/vm_glue.c, vm_fork()).
#ifdef _OS_BSD44
#define BORROWED(value) 1
#else
#define BORROWED(value) value
#endif

static void test_vfork(char* program) {
  char* const arguments[] = {program, "exit", NULL};
  int status;
  borrowed = 1;
  pid_t pid = vfork();
  if (pid == 0) {
    borrowed = 2;
    _exit(9);
  }
  check_number(borrowed, BORROWED(2), "what a vforked child stores");
  check(wait(&status) == pid && status == 9 << 8, "and exits by itself");
  pid = vfork();
  if (pid == 0) {
    borrowed = 3;
    execve(program, arguments, environ);
    _exit(1);
  }
  check_number(borrowed, BORROWED(3), "the parent goes on after the child's exec");
  check(wait(&status) == pid && status == 44 << 8, "the program ran on its own");
}
#endif

static char* program_name;
static char* arguments[] = {NULL, "arguments", "of a child", NULL};
static char** volatile bad_vector = BAD_POINTER;
static char* environment[] = {"KEY=value", NULL};

static int run_with_environment(void) {
  execve(program_name, arguments, environment);
  return 99;
}

#ifdef SYS_execv
static int run_without_environment(void) {
  syscall(SYS_execv, program_name, arguments);
  return 99;
}
#endif

static void ignore_nothing(int sig) {
  (void)sig;
}

static int run_with_signals(void) {
  char* const names[] = {program_name, "signals", NULL};
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, ignore_nothing);
  execve(program_name, names, environment);
  return 99;
}

static void test_exec_errors(void) {
  // NCARGS and ARG_MAX; Solaris has a megabyte.
#if defined(_OS_V7) || defined(_OS_BSD211)
  enum { MOST = 5120 };
#elif defined(_OS_BSD41) || defined(_OS_BSD42)
  enum { MOST = 10240 };
#elif defined(_OS_SOLARIS)
  enum { MOST = 0x100000 };
#else
  enum { MOST = 24576 };
#endif
  enum { LENGTH = 999 };
  static char text[LENGTH + 1];
  static char* many[MOST / (LENGTH + 1) + 3];
  memset(text, 'a', LENGTH);
  for (size_t i = 0; i < ARRAY_LENGTH(many) - 1; ++i) many[i] = text;
  check_error(execve(program_name, many, environment), E2BIG, "exec with too many arguments");
  check_error(execve("no-such-file", arguments, environment), ENOENT, "exec of a missing file");
  check_error(execve(BAD_POINTER, arguments, environment), EFAULT, "exec of a bad name pointer");
  char** const nowhere = bad_vector;
  check_error(execve(program_name, nowhere, environment), EFAULT, "exec with bad arguments");
#ifdef SYS_creat
  const int fd = creat("text", 0777);
#else
  const int fd = open("text", O_WRONLY | O_CREAT | O_TRUNC, 0777);
#endif
  write(fd, "not a program\n", 14);
  close(fd);
  check_error(execve("./text", arguments, environment), ENOEXEC, "exec of a text file");
  unlink("text");
#ifdef SYS_creat
  close(creat("plain", 0666));
#else
  close(open("plain", O_WRONLY | O_CREAT, 0666));
#endif
  check_error(execve("./plain", arguments, environment), EACCES, "exec without the execute bit");
  unlink("plain");
}

int executed(int argc, char** argv) {
  if (strcmp(argv[1], "exit") == 0) return 44;
  if (strcmp(argv[1], "profile") == 0) return executed_for_profiles();
  if (strcmp(argv[1], "signals") == 0) {
    // exec(2): caught signals are reset, ignored ones stay ignored.
    return signal(SIGINT, SIG_DFL) == SIG_IGN && signal(SIGTERM, SIG_DFL) == SIG_DFL ? 35 : 36;
  }
  if (argc != 3 || strcmp(argv[2], "of a child") != 0 || argv[3] != NULL) return 34;
  if (environ[0] == NULL) return 32;
  return strcmp(environ[0], "KEY=value") == 0 && environ[1] == NULL ? 33 : 34;
}

void test_processes(const char* program) {
  program_name = arguments[0] = (char*)program;
  parent = getpid();
  check(parent > 0, "getpid");
  test_wait();
  test_fork();
  test_results();
#ifdef _HAVE_VFORK
  test_vfork(program_name);
#endif
  check_number(status_of(run_with_environment), 33 << 8, "execve passes both vectors");
#ifdef SYS_execv
  // V7 sys1.c exec(): no environment.
  check_number(status_of(run_without_environment), 32 << 8, "the call execv passes no environment");
#endif
  check_number(status_of(run_with_signals), 35 << 8, "exec resets caught signals only");
  test_exec_errors();
}
