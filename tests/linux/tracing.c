// ptrace(2): breakpoints, registers, signals, calls, children, exec. What each step should see is
// Linux's, by ptrace(2). Prints one line a step.
#define _GNU_SOURCE
#include <asm/unistd.h>
#include <errno.h>
#include <signal.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Where the registers are, by PTRACE_PEEKUSER: of a call its number, its result and the first
// argument, and the pc; and in the structure of PTRACE_GETREGS.
#ifdef __hppa__
#include <asm/ptrace.h>
typedef struct user_regs_struct Registers;
enum { pc_number = 424, call_number = 80, result_number = 112, argument_number = 104 };
enum { breakpoint_word = 0x00010004 };
#define PC(registers) ((registers).iaoq[0] & ~3ul)
#define ARGUMENT(registers) ((registers).gr[26])
#else
typedef struct {
  unsigned long long general[32], lo, hi, epc, others[3];
} Registers;
enum { pc_number = 64, call_number = 2, result_number = 2, argument_number = 4, error_number = 7 };
enum { breakpoint_word = 0x0000000d };
#define PC(registers) ((unsigned long)(registers).epc)
#define ARGUMENT(registers) ((registers).general[4])
#endif

static volatile long sum;
static volatile sig_atomic_t caught;

__attribute__((noinline)) static long twice(long n) {
  sum += n;
  return 2 * n;
}

// A pointer to a function may be to its descriptor.
static unsigned *code_of(long (*function)(long)) {
  const unsigned long place = (unsigned long)function;
#ifdef __hppa__
  if ((place & 2) != 0) return *(unsigned **)(place & ~3ul);
#endif
  return (unsigned *)place;
}

static void count(int signal) {
  caught += signal == SIGUSR1 ? 1 : 100;
}

static const char *text(int status) {
  static char line[80];
  if (WIFEXITED(status)) {
    snprintf(line, sizeof line, "exit %d", WEXITSTATUS(status));
  } else if (WIFSIGNALED(status)) {
    snprintf(line, sizeof line, "killed by %d", WTERMSIG(status));
  } else {
    snprintf(line, sizeof line, "stop %s%s%s", WSTOPSIG(status) & 0x80 ? "call " : "",
             strsignal(WSTOPSIG(status) & 0x7f), status >> 16 ? " event" : "");
  }
  return line;
}

static void answer(const char *what, long result) {
  printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
}

static int next(pid_t child) {
  int status = -1;
  if (waitpid(child, &status, 0) != child) printf("waitpid: %s\n", strerror(errno));
  return status;
}

static long user(pid_t child, long number) {
  errno = 0;
  const long value = ptrace(PTRACE_PEEKUSER, child, (void *)number, 0);
  if (errno != 0) printf("peek %ld: %s\n", number, strerror(errno));
  return value;
}

// ERESTARTSYS and its like, which no program sees.
static int is_to_be_restarted(pid_t child) {
#ifdef __hppa__
  return user(child, result_number) <= -512;
#else
  return user(child, result_number) >= 512 && user(child, error_number) == 1;
#endif
}

static Registers registers_of(pid_t child) {
  Registers registers;
  memset(&registers, 0x55, sizeof registers);
  if (ptrace(PTRACE_GETREGS, child, 0, &registers) != 0) puts("no registers");
  return registers;
}

static void go(int request, pid_t child, long signal) {
  if (ptrace(request, child, (void *)1, (void *)signal) != 0) printf("go: %s\n", strerror(errno));
}

static void poke_word(pid_t child, unsigned *at, unsigned word) {
  const unsigned long place = (unsigned long)at & ~(sizeof(long) - 1);
  errno = 0;
  long whole = ptrace(PTRACE_PEEKTEXT, child, (void *)place, 0);
  if (errno != 0) printf("peek text: %s\n", strerror(errno));
  memcpy((char *)&whole + ((unsigned long)at - place), &word, sizeof word);
  if (ptrace(PTRACE_POKETEXT, child, (void *)place, (void *)whole) != 0) puts("no poke");
}

static pid_t traced(void (*body)(void)) {
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) return child;
  if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(99);
  body();
  _exit(0);
}

static void loops(void) {
  for (int i = 0; i < 20000; ++i) twice(i);  // hot, before there is a breakpoint
  raise(SIGSTOP);
  _exit((int)twice(7));
}

static void breakpoint(void) {
  const pid_t child = traced(loops);
  const int status = next(child);
  printf("breakpoint: %s\n", text(status));
  unsigned *const place = code_of(twice);
  const unsigned original = *place;
  poke_word(child, place, breakpoint_word);
  printf("own text is untouched: %d\n", *place == original && twice(3) == 6);
  go(PTRACE_CONT, child, 0);
  printf("at it: %s\n", text(next(child)));
  Registers registers = registers_of(child);
  printf("pc %d, peeked %d, argument %llu, there %ld\n", PC(registers) == (unsigned long)place,
         (user(child, pc_number) & ~3ul) == (unsigned long)place,
         (unsigned long long)ARGUMENT(registers), user(child, argument_number));
  siginfo_t info;
  ptrace(PTRACE_GETSIGINFO, child, 0, &info);
  printf("signal %d, code %d\n", info.si_signo, info.si_code);
  ARGUMENT(registers) = 21;
  ptrace(PTRACE_SETREGS, child, 0, &registers);
  poke_word(child, place, original);
  go(PTRACE_CONT, child, 0);
  printf("changed argument: %s\n", text(next(child)));
}

static void signals_body(void) {
  signal(SIGUSR1, count);
  signal(SIGUSR2, SIG_IGN);
  raise(SIGUSR1);  // swallowed
  raise(SIGUSR1);  // let through
  raise(SIGUSR2);  // ignored, but reported
  raise(SIGURG);   // turned into SIGUSR1
  _exit(caught);
}

static void signals(void) {
  const pid_t child = traced(signals_body);
  static const int answers[] = {0, SIGUSR1, SIGUSR2, SIGUSR1};
  for (int i = 0; i < 4; ++i) {
    printf("signals: %s\n", text(next(child)));
    go(PTRACE_CONT, child, answers[i]);
  }
  printf("caught: %s\n", text(next(child)));
}

static void calls_body(void) {
  raise(SIGSTOP);
  syscall(__NR_getppid);
  _exit(syscall(__NR_umask, 077) == 022 ? 5 : 6);
}

static void calls(void) {
  const pid_t child = traced(calls_body);
  next(child);
  ptrace(PTRACE_SETOPTIONS, child, 0, (void *)PTRACE_O_TRACESYSGOOD);
  for (;;) {  // the rest of raise()
    go(PTRACE_SYSCALL, child, 0);
    next(child);
    if (user(child, call_number) == __NR_getppid) break;
  }
  const long before = user(child, pc_number);
  go(PTRACE_SYSCALL, child, 0);
  printf("calls: %s, result %d, same pc %d\n", text(next(child)), user(child, result_number) == getpid(),
         user(child, pc_number) == before);
  go(PTRACE_SYSCALL, child, 0);
  printf("umask: %s, %d, argument %ld\n", text(next(child)), user(child, call_number) == __NR_umask,
         user(child, argument_number));
  ptrace(PTRACE_POKEUSER, child, (void *)call_number, (void *)__NR_getppid);
  go(PTRACE_SYSCALL, child, 0);
  printf("became getppid: %s, %d\n", text(next(child)), user(child, result_number) == getpid());
  ptrace(PTRACE_POKEUSER, child, (void *)result_number, (void *)022);
  go(PTRACE_CONT, child, 0);
  printf("changed result: %s\n", text(next(child)));
}

static void sleeps(void) {
  raise(SIGSTOP);
  signal(SIGALRM, count);
  alarm(1);
  pause();
  _exit(caught);
}

static void broken_off(void) {
  const pid_t child = traced(sleeps);
  printf("sleeper: %s\n", text(next(child)));
  for (long number = 0; number != __NR_pause;) {
    go(PTRACE_SYSCALL, child, 0);
    next(child);
    number = user(child, call_number);
  }
  go(PTRACE_SYSCALL, child, 0);
  printf("broken off: %s, ERESTART* %d\n", text(next(child)), is_to_be_restarted(child));
  go(PTRACE_SYSCALL, child, 0);
  printf("then: %s\n", text(next(child)));
  go(PTRACE_CONT, child, SIGALRM);
  printf("at last: %s\n", text(next(child)));
}

static void forks(void) {
  raise(SIGSTOP);
  const pid_t child = fork();
  if (child == 0) _exit(3);
  int status;
  waitpid(child, &status, 0);
  _exit(WEXITSTATUS(status) + 1);
}

static void children(void) {
  const pid_t parent = traced(forks);
  next(parent);
  ptrace(PTRACE_SETOPTIONS, parent, 0, (void *)(PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL));
  go(PTRACE_CONT, parent, 0);
  const int status = next(parent);
  unsigned long child = 0;
  ptrace(PTRACE_GETEVENTMSG, parent, 0, &child);
  printf("fork: %s %d, child %d\n", text(status), status >> 16, child > (unsigned long)parent);
  go(PTRACE_CONT, parent, 0);
  printf("child: %s\n", text(next((pid_t)child)));
  go(PTRACE_CONT, (pid_t)child, 0);
  printf("child: %s\n", text(next((pid_t)child)));
  printf("parent: %s\n", text(next(parent)));  // of its child's end
  go(PTRACE_CONT, parent, 0);
  printf("parent: %s\n", text(next(parent)));
}

static const char *self;

static void execs(void) {
  raise(SIGSTOP);
  execl(self, self, "7", (char *)NULL);
  _exit(98);
}

static void exec_stops(void) {
  for (int with_event = 0; with_event < 2; ++with_event) {
    const pid_t child = traced(execs);
    next(child);
    if (with_event) ptrace(PTRACE_SETOPTIONS, child, 0, (void *)PTRACE_O_TRACEEXEC);
    go(PTRACE_CONT, child, 0);
    const int status = next(child);
    printf("exec: %s %d\n", text(status), status >> 16);
    go(PTRACE_CONT, child, 0);
    printf("exec: %s\n", text(next(child)));
  }
}

static void end(void) {
  const pid_t child = traced(calls_body);
  next(child);
  ptrace(PTRACE_SETOPTIONS, child, 0, (void *)PTRACE_O_TRACEEXIT);
  go(PTRACE_CONT, child, 0);
  const int status = next(child);
  unsigned long code = 0;
  ptrace(PTRACE_GETEVENTMSG, child, 0, &code);
  printf("end: %s %d, status %#lx, memory there %d\n", text(status), status >> 16, code,
         ptrace(PTRACE_PEEKTEXT, child, &self, 0) == (long)self);
  go(PTRACE_CONT, child, 0);
  printf("end: %s\n", text(next(child)));
}

static void attaching(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    for (;;) twice(1);
  }
  answer("attach", ptrace(PTRACE_ATTACH, child, 0, 0));
  answer("attach again", ptrace(PTRACE_ATTACH, child, 0, 0));
  printf("attached: %s\n", text(next(child)));
  answer("detach", ptrace(PTRACE_DETACH, child, 0, 0));
  answer("detached", ptrace(PTRACE_CONT, child, 0, 0));
  ptrace(PTRACE_ATTACH, child, 0, 0);
  next(child);
  answer("kill", ptrace(PTRACE_KILL, child, 0, 0));
  printf("killed: %s\n", text(next(child)));
}

// A page that the program itself may not read.
static void closed_page(void) {
  long *const page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  page[1] = 42;
  mprotect(page, 65536, PROT_NONE);
  const pid_t child = traced(calls_body);
  next(child);
  char path[40];
  long word = 0;
  snprintf(path, sizeof path, "/proc/%d/mem", (int)child);
  const int memory = open(path, O_RDONLY);
  const long bytes = pread64(memory, &word, sizeof word, (off64_t)(unsigned long)&page[1]);
  printf("read closed page: %d\n", bytes == sizeof word);
  printf("peek closed page: %ld, read: %ld\n", ptrace(PTRACE_PEEKDATA, child, &page[1], 0), word);
  close(memory);
  answer("poke closed page", ptrace(PTRACE_POKEDATA, child, &page[1], (void *)43));
  printf("peek again: %ld\n", ptrace(PTRACE_PEEKDATA, child, &page[1], 0));
  go(PTRACE_CONT, child, SIGKILL);
  printf("killed: %s\n", text(next(child)));
  munmap(page, 65536);
}

static void refusals(void) {
  const pid_t child = traced(calls_body);
  next(child);
  answer("peek nowhere", ptrace(PTRACE_PEEKTEXT, child, 0, 0));
  answer("poke nowhere", ptrace(PTRACE_POKETEXT, child, 0, 0));
  answer("signal 200", ptrace(PTRACE_CONT, child, 0, 200));
  answer("request", ptrace(0x7777, child, 0, 0));
  answer("register 999", ptrace(PTRACE_POKEUSER, child, 999, 0));
  answer("nobody", ptrace(PTRACE_CONT, 31999, 0, 0));
  go(PTRACE_CONT, child, SIGKILL);
  printf("killed: %s\n", text(next(child)));
}

int main(int argc, char **argv) {
  if (argc > 1) return atoi(argv[1]);
  self = argv[0];
  breakpoint();
  signals();
  calls();
  broken_off();
  children();
  exec_stops();
  end();
  attaching();
  closed_page();
  refusals();
  return 0;
}
