// ptrace(2) of threads: each is a tracee of its own. Prints one line a step. The expected lines are what a
// Linux kernel for x86-64 let it print.
#define _GNU_SOURCE
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP 128
#endif

// Where PTRACE_PEEKUSER has the first argument of a call.
#if defined __x86_64__
enum { argument_number = 112 };
#elif defined __hppa__
enum { argument_number = 104 };
#else
enum { argument_number = 4 };
#endif

// What the tracer and the traced share.
static struct Shared {
  volatile int tid[4];  // of the threads that a child makes
  volatile long counts[4];
  volatile int go;
} *shared;

static const char *self;

static pid_t gettid_(void) {
  return (pid_t)syscall(__NR_gettid);
}

static int send_to(pid_t process, pid_t thread, int signal) {
  return (int)syscall(__NR_tgkill, process, thread, signal);
}

static void nap(void) {
  usleep(20000);
}

// ---- What the tracer prints.

static const char *text(int status) {
  static char line[100];
  if (WIFEXITED(status)) {
    snprintf(line, sizeof line, "exit %d", WEXITSTATUS(status));
  } else if (WIFSIGNALED(status)) {
    snprintf(line, sizeof line, "killed by %d", WTERMSIG(status));
  } else if (WIFCONTINUED(status)) {
    snprintf(line, sizeof line, "continued");
  } else if (status >> 16 != 0) {
    snprintf(line, sizeof line, "%s, event %d", strsignal(WSTOPSIG(status)), status >> 16);
  } else {
    snprintf(line, sizeof line, "%s%s", WSTOPSIG(status) & 0x80 ? "call " : "", strsignal(WSTOPSIG(status) & 0x7f));
  }
  return line;
}

static void answer(const char *what, long result) {
  printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
}

static int next(pid_t thread) {
  int status = -1;
  const pid_t found = waitpid(thread, &status, __WALL);
  if (found != thread) printf("waitpid: %s\n", found < 0 ? strerror(errno) : "another one");
  return status;
}

static void say_next(const char *who, pid_t thread) {
  printf("%s: %s\n", who, text(next(thread)));
}

static void say_nothing_of(const char *who, pid_t thread) {
  int status = 0;
  const pid_t found = waitpid(thread, &status, __WALL | WNOHANG);
  printf("%s: %s\n", who, found == 0 ? "nothing" : found < 0 ? strerror(errno) : text(status));
}

static void go(int request, pid_t thread, long signal) {
  if (ptrace(request, thread, (void *)0, (void *)signal) != 0) printf("go: %s\n", strerror(errno));
}

static unsigned long message_of(pid_t thread) {
  unsigned long message = 0;
  if (ptrace(PTRACE_GETEVENTMSG, thread, 0, &message) != 0) puts("no message");
  return message;
}

static void say_info(const char *who, pid_t thread) {
  siginfo_t info;
  if (ptrace(PTRACE_GETSIGINFO, thread, 0, &info) != 0) {
    printf("%s: %s\n", who, strerror(errno));
  } else {
    printf("%s: signal %s, code %d, of a stop %d\n", who, strsignal(info.si_signo), info.si_code >> 8,
           (info.si_code & 0xff) == info.si_signo);
  }
}

// The state's letter in /proc if it stands still, and whether this thread is the tracer there.
static void say_state(const char *who, pid_t process, pid_t thread) {
  char path[80], line[200], letter = '?';
  int tracer = -1;
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", process, thread);
  FILE *const file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "State: %c", &letter);
    sscanf(line, "TracerPid: %d", &tracer);
  }
  if (file != NULL) fclose(file);
  if (letter == 'R' || letter == 'S') letter = '-';
  printf("%s: state %c, tracer %d\n", who, letter, tracer == gettid_());
}

// ---- What is traced.

static void *waits(void *number) {
  const long own = (long)number;
  shared->tid[own] = gettid_();
  while (shared->go != 1) {
    ++shared->counts[own];
    usleep(1000);
  }
  return NULL;
}

static pthread_t started(void *(*body)(void *), long number) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, (void *)number) != 0) _exit(90);
  return thread;
}

// Its code is also that of its threads if nobody has asked for theirs by then.
static void ends_later(int code) {
  usleep(100000);
  _exit(code);
}

// Two threads that count until they are let go, and the leader that waits for them.
static void crowd(void) {
  pthread_t threads[3];
  for (long i = 1; i <= 2; ++i) threads[i] = started(waits, i);
  for (int i = 1; i <= 2; ++i) pthread_join(threads[i], NULL);
  ends_later(7);
}

static pid_t child_of(void (*body)(void), int is_traced) {
  memset(shared, 0, sizeof *shared);
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) return child;
  if (is_traced) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(99);
    raise(SIGSTOP);
  }
  body();
  _exit(0);
}

// Waits until the child's threads are there.
static void await_threads(int count) {
  for (int i = 1; i <= count; ++i) {
    while (shared->counts[i] == 0) nap();
  }
}

// A traced child whose first stop is over.
static pid_t traced(void (*body)(void), long options) {
  const pid_t child = child_of(body, 1);
  next(child);
  if (ptrace(PTRACE_SETOPTIONS, child, 0, (void *)options) != 0) puts("no options");
  return child;
}

// The thread that the tracee is about to have made, let go from its first stop.
static pid_t take_new_thread(pid_t maker) {
  const int status = next(maker);
  const pid_t thread = (pid_t)message_of(maker);
  printf("maker: %s\n", text(status));
  say_next("new thread", thread);
  go(PTRACE_CONT, maker, 0);
  go(PTRACE_CONT, thread, 0);
  return thread;
}

static void end(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(-1, NULL, __WALL) > 0) {
  }
}

// ---- Births, ends.

static void births(void) {
  puts("- births");
  const pid_t child = traced(crowd, PTRACE_O_TRACECLONE);
  go(PTRACE_CONT, child, 0);
  const pid_t first = take_new_thread(child), second = take_new_thread(child);
  await_threads(2);
  printf("named: %d %d\n", shared->tid[1] == first, shared->tid[2] == second);
  printf("poked: %ld\n", ptrace(PTRACE_PEEKDATA, first, &self, 0) == -1 ? -1L : 0L);  // it runs
  shared->go = 1;
  say_next("first", first);
  say_next("second", second);
  say_next("leader", child);
  say_nothing_of("nobody", -1);
}

static void *makes_thread(void *number) {
  if ((long)number < 3) pthread_join(started(makes_thread, (long)number + 1), NULL);
  return NULL;
}

static void chain(void) {
  makes_thread((void *)1);
}

static void generations(void) {
  puts("- generations");
  const pid_t child = traced(chain, PTRACE_O_TRACECLONE);
  go(PTRACE_CONT, child, 0);
  const pid_t first = take_new_thread(child);
  const pid_t second = take_new_thread(first);
  say_next("second", second);
  say_next("first", first);
  say_next("leader", child);
}

static void *ends_early(void *unused) {
  while (!shared->go) nap();
  syscall(__NR_exit, 5);
  return unused;
}

static void leaves(void) {
  started(ends_early, 1);
  syscall(__NR_exit, 3);
}

// The leader's end is told when the others have been told.
static void leader_first(void) {
  puts("- leader first");
  const pid_t child = traced(leaves, PTRACE_O_TRACECLONE);
  go(PTRACE_CONT, child, 0);
  const pid_t thread = take_new_thread(child);
  nap();
  say_nothing_of("leader", child);
  shared->go = 1;
  nap();
  say_nothing_of("leader", child);
  say_next("thread", thread);
  say_next("leader", child);
}

static void *exits_group(void *unused) {
  while (!shared->go) nap();
  _exit(9);
  return unused;
}

static void exits(void) {
  started(waits, 1);
  started(exits_group, 2);
  for (;;) pause();
}

static void group_ends(void) {
  puts("- ends of all");
  for (int by_signal = 0; by_signal < 2; ++by_signal) {
    const pid_t child = traced(exits, PTRACE_O_TRACECLONE);
    go(PTRACE_CONT, child, 0);
    const pid_t first = take_new_thread(child), second = take_new_thread(child);
    await_threads(1);
    if (by_signal) kill(child, SIGKILL);
    if (!by_signal) shared->go = 2;
    say_next("first", first);
    say_next("second", second);
    say_next("leader", child);
  }
}

static void told_ends(void) {
  puts("- told ends");
  for (int by_signal = 0; by_signal < 3; ++by_signal) {
    const pid_t child = traced(exits, PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT);
    go(PTRACE_CONT, child, 0);
    const pid_t first = take_new_thread(child), second = take_new_thread(child);
    await_threads(1);
    if (by_signal == 1) kill(child, SIGKILL);
    if (by_signal == 2) {
      send_to(child, second, SIGTERM);
      say_next("second", second);
      go(PTRACE_CONT, second, SIGTERM);
    }
    if (by_signal == 0) shared->go = 2;
    const pid_t all[] = {child, second, first};
    for (int i = 0; i < 3; ++i) {
      const int status = next(all[i]);
      printf("%d: %s, status %#lx\n", i, text(status), message_of(all[i]));
    }
    for (int i = 2; i >= 0; --i) {
      go(PTRACE_CONT, all[i], 0);
      if (i > 0) printf("%d: %s\n", i, text(next(all[i])));
    }
    say_next("0", child);
  }
}

static void *ends_alone(void *unused) {
  syscall(__NR_exit, 6);
  return unused;
}

static void one_ends(void) {
  pthread_join(started(ends_alone, 1), NULL);
  ends_later(0);
}

static void told_end_of_thread(void) {
  puts("- told end of a thread");
  const pid_t child = traced(one_ends, PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT);
  go(PTRACE_CONT, child, 0);
  const pid_t thread = take_new_thread(child);
  const int status = next(thread);
  printf("thread: %s, status %#lx\n", text(status), message_of(thread));
  say_nothing_of("leader", child);
  go(PTRACE_CONT, thread, 0);
  say_next("thread", thread);
  say_next("leader", child);
  go(PTRACE_CONT, child, 0);
  say_next("leader", child);
}

// ---- Stops of one thread.

static int stands(int number) {
  const long before = shared->counts[number];
  nap();
  nap();
  return shared->counts[number] == before;
}

static void one_stops(void) {
  puts("- one stops");
  const pid_t child = traced(crowd, PTRACE_O_TRACECLONE);
  go(PTRACE_CONT, child, 0);
  const pid_t first = take_new_thread(child), second = take_new_thread(child);
  await_threads(2);
  send_to(child, first, SIGSTOP);
  say_next("first", first);
  say_info("first", first);
  say_state("first", child, first);
  printf("first stands %d, second stands %d\n", stands(1), stands(2));
  answer("peek second", ptrace(PTRACE_PEEKDATA, second, shared, 0));
  errno = 0;
  printf("peek first: %d\n", (int)ptrace(PTRACE_PEEKDATA, first, &shared, 0) == (int)(long)shared && errno == 0);
  siginfo_t info;
  memset(&info, 0, sizeof info);
  go(PTRACE_CONT, first, 0);
  send_to(child, second, SIGUSR1);
  answer("waitid", waitid(P_PID, (id_t)second, &info, WSTOPPED | WNOWAIT));
  printf("told: %s, code %d, status %d, of it %d\n", strsignal(info.si_signo), info.si_code,
         info.si_status == SIGUSR1, info.si_pid == second);
  say_next("second", second);
  say_nothing_of("first", first);
  end(child);
}

static void *asks(void *number) {
  shared->tid[(long)number] = gettid_();
  while (!shared->go) nap();
  syscall(__NR_umask, 010 * (long)number);
  return NULL;
}

static void two_ask(void) {
  pthread_t threads[3];
  for (long i = 1; i <= 2; ++i) threads[i] = started(asks, i);
  for (int i = 1; i <= 2; ++i) pthread_join(threads[i], NULL);
}

// Each thread has registers of its own.
static void registers(void) {
  puts("- registers");
  const pid_t child = traced(two_ask, PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD);
  go(PTRACE_CONT, child, 0);
  const pid_t threads[] = {take_new_thread(child), take_new_thread(child)};
  while (shared->tid[1] == 0 || shared->tid[2] == 0) nap();
  for (int i = 0; i < 2; ++i) {
    send_to(child, threads[i], SIGUSR2);
    say_next("asked", threads[i]);
  }
  shared->go = 1;
  for (int i = 0; i < 2; ++i) {
    long argument = 0;
    while (argument != 010 * (i + 1)) {
      go(PTRACE_SYSCALL, threads[i], 0);
      const int status = next(threads[i]);
      if (WSTOPSIG(status) != (SIGTRAP | 0x80)) printf("odd: %s\n", text(status));
      argument = ptrace(PTRACE_PEEKUSER, threads[i], (void *)argument_number, 0);
    }
    printf("argument %lo\n", argument);
  }
  printf("other's %lo\n", ptrace(PTRACE_PEEKUSER, threads[0], (void *)argument_number, 0));
  go(PTRACE_CONT, threads[1], 0);
  say_next("second", threads[1]);
  go(PTRACE_CONT, threads[0], 0);
  say_next("first", threads[0]);
  say_next("leader", child);
}

// ---- Attaching.

static void attaching(void) {
  puts("- attaching");
  const pid_t child = child_of(crowd, 0);
  await_threads(2);
  const pid_t first = shared->tid[1];
  answer("attach", ptrace(PTRACE_ATTACH, first, 0, 0));
  answer("again", ptrace(PTRACE_ATTACH, first, 0, 0));
  say_next("first", first);
  printf("first stands %d, second stands %d\n", stands(1), stands(2));
  say_state("second", child, shared->tid[2]);
  answer("interrupt", ptrace(PTRACE_INTERRUPT, first, 0, 0));
  answer("listen", ptrace(PTRACE_LISTEN, first, 0, 0));
  answer("detach", ptrace(PTRACE_DETACH, first, 0, 0));
  printf("first stands %d\n", stands(1));
  answer("detached", ptrace(PTRACE_CONT, first, 0, 0));
  errno = 0;
  say_nothing_of("first", first);
  answer("attach self", ptrace(PTRACE_ATTACH, getpid(), 0, 0));
  shared->go = 1;
  say_next("child", child);
  answer("too late", ptrace(PTRACE_ATTACH, first, 0, 0));
}

static void seizing(void) {
  puts("- seizing");
  const pid_t child = child_of(crowd, 0);
  await_threads(2);
  const pid_t first = shared->tid[1];
  answer("address", ptrace(PTRACE_SEIZE, first, (void *)4, 0));
  answer("options", ptrace(PTRACE_SEIZE, first, 0, (void *)0x40000000));
  answer("seize", ptrace(PTRACE_SEIZE, first, 0, 0));
  nap();
  say_nothing_of("first", first);
  answer("interrupt", ptrace(PTRACE_INTERRUPT, first, 0, 0));
  say_next("first", first);
  say_info("first", first);
  printf("first stands %d, second stands %d\n", stands(1), stands(2));
  answer("interrupt", ptrace(PTRACE_INTERRUPT, first, 0, 0));
  answer("interrupt", ptrace(PTRACE_INTERRUPT, first, 0, 0));
  go(PTRACE_CONT, first, 0);
  say_next("first", first);
  go(PTRACE_CONT, first, 0);
  printf("first stands %d\n", stands(1));
  say_nothing_of("first", first);
  send_to(child, first, SIGUSR1);
  say_next("first", first);
  answer("listen", ptrace(PTRACE_LISTEN, first, 0, 0));
  answer("detach", ptrace(PTRACE_DETACH, first, 0, 0));
  shared->go = 1;
  say_next("child", child);
}

static void makes_later(void) {
  shared->counts[1] = 1;
  while (!shared->go) nap();
  pthread_join(started(waits, 2), NULL);
  ends_later(8);
}

// A seized maker's thread is seized, too.
static void seized_births(void) {
  puts("- seized births");
  const pid_t child = child_of(makes_later, 0);
  await_threads(1);
  answer("seize", ptrace(PTRACE_SEIZE, child, 0, (void *)PTRACE_O_TRACECLONE));
  shared->go = 1;
  const pid_t thread = take_new_thread(child);
  say_next("thread", thread);
  say_next("leader", child);
}

// ---- Stops of the whole process.

static void group_stops(void) {
  puts("- group stops");
  const pid_t child = traced(crowd, PTRACE_O_TRACECLONE);
  go(PTRACE_CONT, child, 0);
  const pid_t first = take_new_thread(child), second = take_new_thread(child);
  await_threads(2);
  send_to(child, first, SIGTSTP);
  say_next("first", first);
  say_nothing_of("second", second);
  go(PTRACE_CONT, first, SIGSTOP);
  say_next("first", first);
  say_next("second", second);
  say_next("leader", child);
  say_info("first", first);
  say_info("second", second);
  printf("stand %d %d\n", stands(1), stands(2));
  go(PTRACE_CONT, second, 0);
  printf("stand %d %d\n", stands(1), stands(2));
  send_to(child, second, SIGCONT);
  say_next("second", second);
  printf("first stands %d\n", stands(1));
  end(child);
}

static void listening(void) {
  puts("- listening");
  const pid_t child = child_of(crowd, 0);
  await_threads(2);
  const pid_t first = shared->tid[1];
  answer("seize", ptrace(PTRACE_SEIZE, first, 0, 0));
  send_to(child, child, SIGSTOP);
  say_next("first", first);
  say_info("first", first);
  int status = 0;
  printf("parent: %d, ", waitpid(child, &status, WUNTRACED) == child);
  puts(text(status));
  answer("listen", ptrace(PTRACE_LISTEN, first, 0, 0));
  answer("peek", ptrace(PTRACE_PEEKDATA, first, &self, 0));
  printf("stand %d %d\n", stands(1), stands(2));
  say_state("first", child, first);
  say_state("second", child, shared->tid[2]);
  send_to(child, child, SIGCONT);
  say_next("first", first);
  say_info("first", first);
  printf("parent: %d, ", waitpid(child, &status, WCONTINUED) == child);
  puts(text(status));
  printf("stand %d %d\n", stands(1), stands(2));
  go(PTRACE_CONT, first, 0);
  printf("stand %d %d\n", stands(1), stands(2));
  answer("detach running", ptrace(PTRACE_DETACH, first, 0, 0));
  end(child);
}

static void attach_stopped(void) {
  puts("- attaching to a stopped one");
  const pid_t child = child_of(crowd, 0);
  await_threads(2);
  kill(child, SIGSTOP);
  int status = 0;
  printf("parent: %d, ", waitpid(child, &status, WUNTRACED) == child);
  puts(text(status));
  const pid_t first = shared->tid[1], second = shared->tid[2];
  answer("attach", ptrace(PTRACE_ATTACH, first, 0, 0));
  say_next("first", first);
  say_info("first", first);
  go(PTRACE_CONT, first, 0);
  say_next("first", first);
  say_info("first", first);
  answer("seize", ptrace(PTRACE_SEIZE, second, 0, 0));
  say_next("second", second);
  go(PTRACE_CONT, second, 0);
  printf("stand %d %d\n", stands(1), stands(2));
  answer("interrupt", ptrace(PTRACE_INTERRUPT, second, 0, 0));
  say_next("second", second);
  answer("detach", ptrace(PTRACE_DETACH, second, 0, 0));
  go(PTRACE_DETACH, first, 0);
  printf("stand %d %d\n", stands(1), stands(2));
  kill(child, SIGCONT);
  shared->go = 1;
  say_next("child", child);
}

// ---- Calls.

static volatile sig_atomic_t caught;

static void count(int signal) {
  caught += signal == SIGUSR1 ? 1 : 100;
}

static void *sleeps(void *unused) {
  shared->tid[1] = gettid_();
  shared->counts[1] = 1;
  pause();
  shared->go = 1;
  return unused;
}

static void sleeper(void) {
  signal(SIGUSR1, count);
  pthread_join(started(sleeps, 1), NULL);
  ends_later(caught);
}

// A thread that waits in a call goes on waiting when it was only interrupted.
static void interrupted_calls(void) {
  puts("- interrupted calls");
  const pid_t child = child_of(sleeper, 0);
  await_threads(1);
  nap();
  const pid_t thread = shared->tid[1];
  answer("seize", ptrace(PTRACE_SEIZE, thread, 0, (void *)PTRACE_O_TRACESYSGOOD));
  for (int i = 0; i < 2; ++i) {
    ptrace(PTRACE_INTERRUPT, thread, 0, 0);
    say_next("thread", thread);
    go(PTRACE_CONT, thread, 0);
    nap();
  }
  printf("still waits: %d\n", !shared->go);
  send_to(child, thread, SIGUSR2);
  say_next("thread", thread);
  go(PTRACE_CONT, thread, 0);
  nap();
  printf("still waits: %d\n", !shared->go);
  send_to(child, thread, SIGUSR1);
  say_next("thread", thread);
  go(PTRACE_CONT, thread, SIGUSR1);
  say_next("thread", thread);
  say_next("child", child);
}

// ---- Exec.

static void *execs(void *number) {
  if ((long)number == 2) {
    while (!shared->go) nap();
    execl(self, self, "11", (char *)NULL);
  }
  return waits(number);
}

static void exec_of_crowd(void) {
  started(waits, 1);
  started(execs, 2);
  for (;;) pause();
}

static void exec_by_thread(void) {
  puts("- exec by a thread");
  const pid_t child = traced(exec_of_crowd, PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC);
  go(PTRACE_CONT, child, 0);
  const pid_t first = take_new_thread(child), second = take_new_thread(child);
  await_threads(1);
  shared->go = 1;
  say_next("first", first);
  const int status = next(child);
  printf("leader: %s, was second %d\n", text(status), (pid_t)message_of(child) == second);
  say_nothing_of("second", second);
  go(PTRACE_CONT, child, 0);
  say_next("leader", child);
}

// ---- Children.

static int clone_body(void *code) {
  _exit((int)(long)code);
}

static void vforks(void) {
  static char stack[64 * 1024] __attribute__((aligned(64)));
#ifdef __hppa__
  char *const top = stack;
#else
  char *const top = stack + sizeof stack;
#endif
  if (clone(clone_body, top, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)1) < 0) _exit(91);
  if (clone(clone_body, top, SIGUSR2, (void *)2) < 0) _exit(91);
  int status;
  if (waitpid(-1, &status, __WCLONE) < 0) _exit(92);
  const int is_other = waitpid(-1, NULL, 0) > 0 && waitpid(-1, NULL, __WALL) < 0;
  _exit(WEXITSTATUS(status) + 10 * is_other);
}

static void child_events(void) {
  puts("- children");
  const pid_t parent =
      traced(vforks, PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK);
  go(PTRACE_CONT, parent, 0);
  for (int i = 0; i < 2; ++i) {
    printf("parent: %s\n", text(next(parent)));
    const pid_t child = (pid_t)message_of(parent);
    go(PTRACE_CONT, parent, 0);
    say_next("child", child);
    say_nothing_of("parent", parent);
    go(PTRACE_CONT, child, 0);
    say_next("child", child);
    if (i == 0) {
      const int status = next(parent);
      printf("parent: %s, of it %d\n", text(status), (pid_t)message_of(parent) == child);
      go(PTRACE_CONT, parent, 0);
    }
    say_next("parent", parent);  // of its child's end
    go(PTRACE_CONT, parent, 0);
  }
  say_next("parent", parent);
}

// ---- Which thread traces.

static pid_t others_tracee;

static void *tries(void *unused) {
  answer("another's request", ptrace(PTRACE_PEEKDATA, others_tracee, &self, 0));
  answer("own children", waitpid(others_tracee, NULL, __WNOTHREAD | WNOHANG));
  answer("all children", waitpid(others_tracee, NULL, WNOHANG));
  answer("any kind", waitpid(others_tracee, NULL, __WALL | WNOHANG));
  answer("clones", waitpid(others_tracee, NULL, __WCLONE | WNOHANG));
  return unused;
}

static void *attaches(void *unused) {
  answer("attach", ptrace(PTRACE_ATTACH, others_tracee, 0, 0));
  say_next("first", others_tracee);
  return unused;
}

static void tracing_threads(void) {
  puts("- tracing threads");
  others_tracee = traced(crowd, PTRACE_O_TRACECLONE);
  pthread_join(started(tries, 0), NULL);
  end(others_tracee);

  const pid_t child = child_of(crowd, 0);
  await_threads(2);
  others_tracee = shared->tid[1];
  pthread_join(started(attaches, 0), NULL);
  nap();
  printf("stands %d\n", stands(1));  // its tracer has ended
  say_state("first", child, shared->tid[1]);
  shared->go = 1;
  say_next("child", child);
}

// ---- Odd requests.

static void refusals(void) {
  puts("- refusals");
  answer("wait for nobody", waitpid(31999, NULL, __WALL));
  answer("wait with an option", waitpid(-1, NULL, 0x100));
  answer("waitid for nothing", waitid(P_ALL, 0, NULL, WNOHANG));
  answer("waitid of a type", waitid((idtype_t)9, 0, NULL, WEXITED));
  answer("waitid for 0", waitid(P_PID, 0, NULL, WEXITED));
  answer("waitid without children", waitid(P_ALL, 0, NULL, WEXITED));
  answer("seize nobody", ptrace(PTRACE_SEIZE, 31999, 0, 0));
  answer("interrupt another's", ptrace(PTRACE_INTERRUPT, 31999, 0, 0));
}

static void waitid_forms(void) {
  puts("- waitid");
  const pid_t child = child_of(crowd, 0);
  await_threads(2);
  siginfo_t info;
  memset(&info, 0x55, sizeof info);
  answer("running", waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG));
  printf("signal %d, pid %d\n", info.si_signo, info.si_pid);
  kill(child, SIGSTOP);
  answer("stopped", waitid(P_PGID, (id_t)getpgrp(), &info, WSTOPPED));
  printf("code %d, status %d, of it %d\n", info.si_code, info.si_status == SIGSTOP, info.si_pid == child);
  kill(child, SIGCONT);
  answer("continued", waitid(P_ALL, 0, &info, WCONTINUED));
  printf("code %d, status %d\n", info.si_code, info.si_status == SIGCONT);
  shared->go = 1;
  answer("ended", waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
  printf("code %d, status %d\n", info.si_code, info.si_status);
  answer("again", waitid(P_PID, (id_t)child, NULL, WEXITED));
  answer("gone", waitid(P_PID, (id_t)child, NULL, WEXITED));
}

int main(int argc, char **argv) {
  if (argc > 1) return atoi(argv[1]);
  self = argv[0];
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  births();
  generations();
  leader_first();
  group_ends();
  told_ends();
  told_end_of_thread();
  one_stops();
  registers();
  attaching();
  seizing();
  seized_births();
  group_stops();
  listening();
  attach_stopped();
  interrupted_calls();
  exec_by_thread();
  child_events();
  tracing_threads();
  refusals();
  waitid_forms();
  return 0;
}
