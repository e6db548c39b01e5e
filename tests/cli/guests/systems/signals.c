// kill, handlers and their return, and each system's calls about signals.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

extern char _ftext[], _etext[];

static volatile int seen;
static volatile int last_signal;
static volatile int nested;

static void count_signal(int sig) {
  ++seen;
  last_signal = sig;
}

static int nothing(void) {
  return 0;
}

// kill(2)
static void test_kill(void) {
  signal(SIGTERM, count_signal);
  check_number(kill(getpid(), SIGTERM), 0, "kill of oneself");
  check(seen == 1 && last_signal == SIGTERM, "runs the handler with the signal's number");
  check_number(kill(getpid(), 0), 0, "kill with signal 0");
  check_number(seen, 1, "only checks");
  check_error(kill(32000, SIGTERM), ESRCH, "kill of a process that is not");
#ifdef _OS_EARLY
  // V7 sig.c psignal() and 4.1BSD's: "if((unsigned)sig >= NSIG) return".
  check_number(kill(getpid(), NSIG), 0, "kill with no signal's number does nothing");
#else
  check_error(kill(getpid(), 1000), EINVAL, "kill with no signal's number");
#endif
  check_error((long)signal(SIGKILL, count_signal), EINVAL, "SIGKILL cannot be caught");
  check_error((long)signal(0, count_signal), EINVAL, "there is no signal 0");
  check_error((long)signal(1000, count_signal), EINVAL, "nor signal 1000");
#ifdef SIGSTOP
  check_error((long)signal(SIGSTOP, count_signal), EINVAL, "SIGSTOP cannot be caught");
#endif
}

#ifdef __hppa
static void use_all_registers(int sig) {
  count_signal(sig);
  __asm__ volatile(
      "ldi 1,%%r19\n\tldi 1,%%r20\n\tldi 1,%%r21\n\tldi 1,%%r22\n\tldi 1,%%r23\n\t"
      "ldi 1,%%r24\n\tldi 1,%%r29\n\tldi 1,%%r31\n\tldi 1,%%r1\n\tmtsar %%r1" ::
          : "%r1", "%r19", "%r20", "%r21", "%r22", "%r23", "%r24", "%r29", "%r31");
}

// A handler's return gives the interrupted program its registers back.
static void test_registers(void) {
  unsigned int sum, shift;
  signal(SIGTERM, use_all_registers);
  register long r26 __asm__("%r26") = getpid();
  register long r25 __asm__("%r25") = SIGTERM;
  __asm__ volatile(
      "ldi 0x101,%%r19\n\tldi 0x202,%%r20\n\tldi 0x404,%%r21\n\tldi 0x808,%%r23\n\t"
      "ldi 0x1010,%%r24\n\tldi 0x15,%%r1\n\tmtsar %%r1\n\t"
      "ldil L%%0xc0000000,%%r1\n\tble 4(%%sr7,%%r1)\n\tldi %4,%%r22\n\t"
      "mfctl %%sar,%1\n\t"
      "add %%r19,%%r20,%%r19\n\tadd %%r19,%%r21,%%r19\n\tadd %%r19,%%r23,%%r19\n\t"
      "add %%r19,%%r24,%0"
      : "=&r"(sum), "=&r"(shift)
      : "r"(r26), "r"(r25), "i"(SYS_kill)
      : "%r1", "%r19", "%r20", "%r21", "%r22", "%r23", "%r24", "%r28", "%r29", "%r31", "memory");
  check(sum == 0x1f1f && shift == 0x15, "a handler leaves the registers alone");
}
#else
static void use_all_registers(int sig) {
  count_signal(sig);
  __asm__ volatile(
      ".set push\n\t.set noat\n\tli $1,1\n\t.set pop\n\t"
      "li $2,1\n\tli $3,1\n\tli $8,1\n\tli $9,1\n\tli $10,1\n\tli $11,1\n\tli $12,1\n\tli $13,1\n\t"
      "li $14,1\n\tli $15,1\n\tli $24,1\n\tli $25,1\n\tmult $25,$25" ::
          : "$2", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi",
            "lo");
}

// A handler's return gives the interrupted program its registers back.
static void test_registers(void) {
  unsigned int sum, high, low;
  signal(SIGTERM, use_all_registers);
  register long v0 __asm__("$2") = SYS_kill;
  register long a0 __asm__("$4") = getpid();
  register long a1 __asm__("$5") = SIGTERM;
  __asm__ volatile(
      "li $8,0x101\n\tli $9,0x202\n\tli $10,0x404\n\tli $11,0x808\n\tli $12,0x1010\n\t"
      "li $13,0x2020\n\tli $14,0x4040\n\tli $15,0x8080\n\tli $24,0x10000\n\tli $25,0x20000\n\t"
      "mtlo $14\n\tmthi $15\n\t"
      "syscall\n\t"
      "mflo %1\n\tmfhi %2\n\t"
      "addu $8,$8,$9\n\taddu $8,$8,$10\n\taddu $8,$8,$11\n\taddu $8,$8,$12\n\taddu $8,$8,$13\n\t"
      "addu $8,$8,$14\n\taddu $8,$8,$15\n\taddu $8,$8,$24\n\taddu %0,$8,$25"
      : "=&r"(sum), "=&r"(low), "=&r"(high), "+r"(v0)
      : "r"(a0), "r"(a1)
      : "$3", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo",
        "memory");
  check(sum == 0x3ffff && low == 0x4040 && high == 0x8080, "a handler leaves the registers alone");
}
#endif

#if defined(_OS_EARLY) || defined(_OS_SVR4) || defined(_OS_HPUX)
static void send_again(int sig) {
  ++seen;
  if (seen >= 3) return;
  signal(sig, send_again);
  kill(getpid(), sig);
  nested = seen;
}

// V7 sig.c psig(): the action falls back to the default, but for SIGILL and SIGTRAP, and nothing is
// blocked. signal(2) of System V is the same.
static void test_v7_rules(void) {
  signal(SIGTERM, count_signal);
  kill(getpid(), SIGTERM);
  check(signal(SIGTERM, count_signal) == SIG_DFL, "a handler is gone once it has been called");
  check(signal(SIGTERM, SIG_IGN) == count_signal, "signal returns the old action");
  kill(getpid(), SIGTERM);
  check(signal(SIGTERM, SIG_DFL) == SIG_IGN, "SIG_IGN stays");
#ifdef _OS_EARLY
  signal(SIGILL, count_signal);
  kill(getpid(), SIGILL);
  check(signal(SIGILL, SIG_DFL) == count_signal, "SIGILL keeps its handler");
  signal(SIGTRAP, count_signal);
  kill(getpid(), SIGTRAP);
  check(signal(SIGTRAP, SIG_DFL) == count_signal, "SIGTRAP keeps its handler");
#endif
  seen = 0;
  signal(SIGTERM, send_again);
  kill(getpid(), SIGTERM);
  check(seen == 3 && nested == 3, "a handler can be entered again before it returns");
}
#endif

#if defined(_HAVE_SIGACTION) || defined(_HAVE_SIGVEC)
static void stay_blocked(int sig) {
  static volatile int entered;
  if (entered == 0) {
    entered = 1;
    kill(getpid(), sig);
    nested = entered;
  }
  ++entered;
  ++seen;
  // A second instance came only after the first one's return.
  nested = nested == 1 && entered == 3 ? 2 : nested;
}

static int kill_by_default(void) {
  kill(getpid(), SIGTERM);
  return 0;
}
#endif

#ifdef _HAVE_SIGACTION
static void catch (int sig, void (*handler)(int), int flags, int masked) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (masked != 0) sigaddset(&action.sa_mask, masked);
  sigaction(sig, &action, NULL);
}

static void send_masked(int sig) {
  (void)sig;
  kill(getpid(), SIGINT);
  nested = seen;
}

// sigaction(2)
static void test_sigaction(void) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  catch (SIGTERM, count_signal, 0, SIGINT);
  check(sigaction(SIGTERM, NULL, &old) == 0 && old.sa_handler == count_signal &&
            sigismember(&old.sa_mask, SIGINT) && !sigismember(&old.sa_mask, SIGTERM),
        "sigaction reports the action");
  seen = 0;
  kill(getpid(), SIGTERM);
  kill(getpid(), SIGTERM);
  check_number(seen, 2, "a handler stays");
  seen = nested = 0;
  catch (SIGTERM, stay_blocked, 0, 0);
  kill(getpid(), SIGTERM);
  check(seen == 2 && nested == 2, "its signal waits until it has returned");
  catch (SIGINT, count_signal, 0, 0);
  catch (SIGTERM, send_masked, 0, SIGINT);
  seen = 0;
  nested = 9;
  kill(getpid(), SIGTERM);
  check(nested == 0 && seen == 1, "sa_mask blocks another one meanwhile");
#ifdef SA_RESETHAND
  catch (SIGTERM, count_signal, SA_RESETHAND, 0);
  kill(getpid(), SIGTERM);
  sigaction(SIGTERM, NULL, &old);
  check(old.sa_handler == SIG_DFL, "SA_RESETHAND");
  catch (SIGTERM, send_again, SA_NODEFER, 0);
  seen = nested = 0;
  kill(getpid(), SIGTERM);
  check(seen == 3 && nested == 3, "SA_NODEFER");
#endif
  action.sa_handler = count_signal;
  check_error(sigaction(SIGKILL, &action, NULL), EINVAL, "sigaction of SIGKILL");
  check_error(sigaction(SIGSTOP, &action, NULL), EINVAL, "sigaction of SIGSTOP");
  check_error(sigaction(NSIG, &action, NULL), EINVAL, "sigaction beyond the signals");
  check_error(sigaction(SIGTERM, BAD_POINTER, NULL), EFAULT, "sigaction from a bad address");
  check_error(sigaction(SIGTERM, NULL, BAD_POINTER), EFAULT, "sigaction to a bad address");
}

// sigprocmask(2), sigsuspend(2)
static void test_mask(void) {
  sigset_t set, old, none;
  sigemptyset(&set);
  sigemptyset(&none);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGKILL);
  sigaddset(&set, SIGSTOP);
  catch (SIGTERM, count_signal, 0, 0);
  seen = 0;
  check_number(sigprocmask(SIG_BLOCK, &set, NULL), 0, "sigprocmask SIG_BLOCK");
  kill(getpid(), SIGTERM);
  check_number(seen, 0, "a blocked signal waits");
  check_error(sigsuspend(&none), EINTR, "sigsuspend ends with EINTR");
  check_number(seen, 1, "after the handler of what had waited");
  sigprocmask(SIG_BLOCK, &none, &old);
  check(sigismember(&old, SIGTERM), "and the mask is the old one");
  check(!sigismember(&old, SIGKILL) && !sigismember(&old, SIGSTOP),
        "in which SIGKILL and SIGSTOP cannot be");
  kill(getpid(), SIGTERM);
  check(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0 && seen == 2, "SIG_UNBLOCK delivers");
  sigprocmask(SIG_SETMASK, &set, NULL);
  check(sigprocmask(SIG_SETMASK, &none, &old) == 0 && sigismember(&old, SIGTERM), "SIG_SETMASK");
  check_error(sigprocmask(77, &set, NULL), EINVAL, "sigprocmask with an unknown how");
#ifndef _OS_BSD44
  check_error(sigprocmask(SIG_BLOCK, BAD_POINTER, NULL), EFAULT, "sigprocmask from a bad address");
  check_error(sigprocmask(SIG_BLOCK, NULL, BAD_POINTER), EFAULT, "sigprocmask to a bad address");
  check_error(sigsuspend(BAD_POINTER), EFAULT, "sigsuspend with a bad address");
#endif
}
#endif

#ifdef _HAVE_SIGVEC
#ifdef _OS_HPUX
#define sigvec_call sigvector
#else
#define sigvec_call sigvec
#endif

static void catch_with_vector(int sig, void (*handler)(int), int mask, int flags) {
  struct sigvec vector;
  memset(&vector, 0, sizeof vector);
  vector.sv_handler = handler;
  vector.sv_mask = mask;
#ifdef _OS_BSD42
  vector.sv_onstack = flags;
#else
  vector.sv_flags = flags;
#endif
  sigvec_call(sig, &vector, NULL);
}

static void send_to_mask(int sig) {
  (void)sig;
  kill(getpid(), SIGINT);
  nested = seen;
}

// sigvec(2) of 4.2BSD: the handler stays, its signal and sv_mask are blocked while it runs.
static void test_sigvec(void) {
  struct sigvec vector = {count_signal, 0, 0};
  struct sigvec old;
  catch_with_vector(SIGTERM, count_signal, sigmask(SIGINT), 0);
  check(sigvec_call(SIGTERM, NULL, &old) == 0 && old.sv_handler == count_signal &&
            old.sv_mask == sigmask(SIGINT),
        "sigvec reports the action");
  seen = 0;
  kill(getpid(), SIGTERM);
  kill(getpid(), SIGTERM);
  check_number(seen, 2, "a handler stays");
#ifndef _HAVE_SIGACTION
  seen = nested = 0;
  catch_with_vector(SIGTERM, stay_blocked, 0, 0);
  kill(getpid(), SIGTERM);
  check(seen == 2 && nested == 2, "its signal waits until it has returned");
#endif
  catch_with_vector(SIGINT, count_signal, 0, 0);
  catch_with_vector(SIGTERM, send_to_mask, sigmask(SIGINT), 0);
  seen = 0;
  nested = 9;
  kill(getpid(), SIGTERM);
  check(nested == 0 && seen == 1, "sv_mask blocks another one meanwhile");
#ifdef SV_RESETHAND
  catch_with_vector(SIGTERM, count_signal, 0, SV_RESETHAND);
  kill(getpid(), SIGTERM);
  sigvec_call(SIGTERM, NULL, &old);
  check(old.sv_handler == SIG_DFL, "SV_RESETHAND");
#endif
  check_error(sigvec_call(SIGKILL, &vector, NULL), EINVAL, "sigvec of SIGKILL");
  check_error(sigvec_call(SIGSTOP, &vector, NULL), EINVAL, "sigvec of SIGSTOP");
  check_error(sigvec_call(NSIG, &vector, NULL), EINVAL, "sigvec beyond the signals");
  check_error(sigvec_call(SIGTERM, BAD_POINTER, NULL), EFAULT, "sigvec from a bad address");
  check_error(sigvec_call(SIGTERM, NULL, BAD_POINTER), EFAULT, "sigvec to a bad address");
#ifdef _OS_BSD42_SIGNALS
  // kern_sig.c sigvec(): SIGCONT cannot be ignored.
  vector.sv_handler = SIG_IGN;
  check_error(sigvec_call(SIGCONT, &vector, NULL), EINVAL, "sigvec ignoring SIGCONT");
#endif
}

// sigblock(2), sigsetmask(2), sigpause(2): masks by value.
static void test_mask_by_value(void) {
  catch_with_vector(SIGTERM, count_signal, 0, 0);
  seen = 0;
  check_number(sigblock(sigmask(SIGTERM)), 0, "sigblock returns the old mask");
  kill(getpid(), SIGTERM);
  check_number(seen, 0, "a blocked signal waits");
  check_error(sigpause(0), EINTR, "sigpause ends with EINTR");
  check_number(seen, 1, "after the handler of what had waited");
  check_number(sigblock(sigmask(SIGINT)), sigmask(SIGTERM), "and the mask is the old one");
  check_number(sigsetmask(0), sigmask(SIGTERM) | sigmask(SIGINT), "sigblock adds to the mask");
  check_number(sigsetmask(-1), 0, "sigsetmask sets it");
#ifdef _OS_HPUX
  const int unmaskable = sigmask(SIGKILL) | sigmask(SIGSTOP);
#else
  // kern_sig.c: cantmask has SIGCONT, too.
  const int unmaskable = sigmask(SIGKILL) | sigmask(SIGSTOP) | sigmask(SIGCONT);
#endif
  check_number(sigsetmask(0) & unmaskable, 0, "some signals cannot be blocked");
}
#endif

#if !defined(_OS_V7) && !defined(_OS_AIX) && !defined(_OS_IRIX)
// A handler with all of its arguments, as one of those that signal() is declared to take.
typedef void (*handler)(int);
#define HANDLER(function) ((handler)(void (*)(void))(function))
#endif

#if defined(_OS_HPUX)
static volatile unsigned int context_mask, context_pc;

static void look_at_context(int sig, int code, ucontext_t* context) {
  (void)sig, (void)code;
  context_mask = context->uc_sigmask[0];
  context_pc = context->uc_state[CTX_PCOQ_HEAD];
}

static void test_context(void) {
  context_mask = 1;
  signal(SIGTERM, HANDLER(look_at_context));
  kill(getpid(), SIGTERM);
  check_number((long)context_mask, 0, "the context has the old mask");
  check(context_pc >= (unsigned int)_ftext && context_pc < (unsigned int)_etext,
        "and the interrupted pc");
  check_number((long)(context_pc & 3), 3, "at a user's privilege level");
}
#elif !defined(_OS_V7) && !defined(_OS_AIX) && !defined(_OS_SVR4)
// struct sigcontext of the BSDs begins with the stack's state and the mask; behind that the layout
// is 4.4BSD's for MIPS: the pc.
struct sigcontext_head {
  int onstack;
  unsigned int mask;
  unsigned int pc;
};
static volatile unsigned int context_mask, context_pc;

static void look_at_context(int sig, int code, struct sigcontext_head* context) {
  (void)sig, (void)code;
  context_mask = context->mask;
  context_pc = context->pc;
}

static void test_context(void) {
  context_mask = 1;
  signal(SIGTERM, HANDLER(look_at_context));
  kill(getpid(), SIGTERM);
  check_number((long)context_mask, 0, "the sigcontext has the old mask");
  check(context_pc >= (unsigned int)_ftext && context_pc < (unsigned int)_etext,
        "and the interrupted pc");
}
#elif defined(_OS_SOLARIS)
static volatile int info_signal;
static void* volatile info_address;
static volatile unsigned int context_pc;

static void look_at_context(int sig, int* info, ucontext_t* context) {
  (void)sig;
  info_address = info;
  info_signal = info == NULL ? 0 : *info;
  context_pc = context->uc_gregs[CTX_EPC];
}

// sigaction(2): without SA_SIGINFO there is no siginfo; the context is always passed.
static void test_context(void) {
  catch (SIGTERM, HANDLER(look_at_context), 0, 0);
  kill(getpid(), SIGTERM);
  check(info_address == NULL, "a handler without SA_SIGINFO gets no siginfo");
  check(context_pc >= (unsigned int)_ftext && context_pc < (unsigned int)_etext,
        "but the interrupted pc");
  catch (SIGTERM, HANDLER(look_at_context), SA_SIGINFO, 0);
  kill(getpid(), SIGTERM);
  check_number(info_signal, SIGTERM, "si_signo");
}
#endif

#ifndef _OS_AIX
// What a signal does to a read that waits: the result of read.
static int read_interrupted(void) {
  int fds[2];
  char byte;
  pipe(fds);
  const pid_t parent = getpid();
  if (fork() == 0) {
    spin_ticks(3);
    kill(parent, SIGTERM);
    // Long enough for the parent's turn to come before the byte does.
    spin_ticks(40);
    write(fds[1], "x", 1);
    _exit(0);
  }
  seen = 0;
  const int result = read(fds[0], &byte, 1);
  const int error = errno;
  wait(NULL);
  close(fds[0]);
  close(fds[1]);
  errno = error;
  return seen == 1 ? result : -2;
}

static void test_interrupted_read(void) {
  signal(SIGTERM, count_signal);
#if defined(_OS_EARLY) || defined(_OS_SVR4) || defined(_OS_HPUX)
  check_error(read_interrupted(), EINTR, "a handler ends a read that waits");
#else
  // 4.2BSD sigvec(2): "the call is restarted"; the signal() of 2.11BSD and 4.4BSD asks for that.
  check_number(read_interrupted(), 1, "a read that waits goes on after a handler");
#endif
#ifdef SV_INTERRUPT
  catch_with_vector(SIGTERM, count_signal, 0, SV_INTERRUPT);
  check_error(read_interrupted(), EINTR, "but with SV_INTERRUPT it ends");
#endif
#ifdef _HAVE_SIGACTION
  catch (SIGTERM, count_signal, 0, 0);
  check_error(read_interrupted(), EINTR, "without SA_RESTART it ends");
  catch (SIGTERM, count_signal, SA_RESTART, 0);
  check_number(read_interrupted(), 1, "with SA_RESTART it goes on");
#endif
}
#endif

#ifdef SIGCHLD
static void test_child_signal(void) {
  signal(SIGCHLD, count_signal);
  seen = 0;
  status_of(nothing);
  check_number(seen, 1, "a child's end sends SIGCHLD");
  signal(SIGCHLD, SIG_DFL);
}
#endif

void test_signals(void) {
  test_kill();
  test_registers();
#if defined(_OS_EARLY) || defined(_OS_SVR4) || defined(_OS_HPUX)
  test_v7_rules();
#endif
#ifdef _HAVE_SIGACTION
  test_sigaction();
  test_mask();
#endif
#ifdef _HAVE_SIGVEC
  test_sigvec();
  test_mask_by_value();
#endif
#if !defined(_OS_V7) && !defined(_OS_AIX) && !defined(_OS_IRIX)
  test_context();
#endif
#ifdef SIGCHLD
  test_child_signal();
#else
  check_number(status_of(nothing), 0, "a child");
#endif
#ifndef _OS_AIX
  test_interrupted_read();
#endif
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
#if defined(_HAVE_SIGACTION) || defined(_HAVE_SIGVEC)
  check_number(status_of(kill_by_default), SIGTERM, "the default action kills");
#endif
}

// ---- What signals do by default (signal.h and psignal() or psig() of each kernel; signal(5)).
// Stop signals are not here: the machine has no job control, and then they do nothing.
static int signal_to_send;

static int send_it(void) {
  kill(getpid(), signal_to_send);
  return 0;
}

static const unsigned char deadly[] = {
    1,  2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
#if defined(_OS_V7)
    16,
#elif defined(_OS_SVR4)
    16, 17, 22, 28, 29,
#elif defined(_OS_HPUX)
    16, 17, 20, 21,
#elif !defined(_OS_AIX)
    24, 25,
#ifndef _OS_BSD41
    26, 27,
#ifndef _OS_BSD42
    30, 31,
#endif
#endif
#endif
};

static const unsigned char harmless[] = {
#if defined(_OS_SVR4)
    18, 19, 20, 21, 25,
#elif defined(_OS_HPUX)
    18, 19, 22, 23, 26,
#elif !defined(_OS_V7) && !defined(_OS_AIX)
    19, 20, 23,
#ifndef _OS_BSD41
    16,
#ifndef _OS_BSD42
    28,
#endif
#endif
#ifdef _OS_BSD44
    29,
#endif
#else
    0,
#endif
};

void test_default_signals(void) {
  int wrong = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(deadly); ++i) {
    signal_to_send = deadly[i];
    if ((status_of(send_it) & 0177) != signal_to_send) wrong = signal_to_send;
  }
  check_number(wrong, 0, "signals that kill");
  for (size_t i = 0; i < ARRAY_LENGTH(harmless); ++i) {
    signal_to_send = harmless[i];
    if (status_of(send_it) != 0) wrong = signal_to_send;
  }
  check_number(wrong, 0, "signals that do nothing");
}
