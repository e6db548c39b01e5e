/* Signals by the systems' own numbers (their <signal.h>), and the calls that they have. signal() is
   the system's: V7's rule on V7, 4.1BSD and AIX (the call itself), and on Solaris, IRIX and HP-UX
   (sigaction() with SA_RESETHAND and SA_NODEFER); a handler that stays on the other BSDs. */
#ifndef _SIGNAL_H
#define _SIGNAL_H

#include <hardclock/system.h>
#include <siginfo.h>
#include <sys/types.h>

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGIOT 6
#define SIGABRT 6
#define SIGEMT 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15

#if defined(_OS_SVR4)
#define SIGUSR1 16
#define SIGUSR2 17
#define SIGCLD 18
#define SIGCHLD 18
#define SIGPWR 19
#define SIGWINCH 20
#define SIGURG 21
#define SIGPOLL 22
#define SIGSTOP 23
#define SIGTSTP 24
#define SIGCONT 25
#define SIGTTIN 26
#define SIGTTOU 27
#define SIGVTALRM 28
#define SIGPROF 29
#elif defined(_OS_HPUX)
#define SIGUSR1 16
#define SIGUSR2 17
#define SIGCHLD 18
#define SIGCLD 18
#define SIGPWR 19
#define SIGVTALRM 20
#define SIGPROF 21
#define SIGIO 22
#define SIGWINCH 23
#define SIGSTOP 24
#define SIGTSTP 25
#define SIGCONT 26
#define SIGTTIN 27
#define SIGTTOU 28
#define SIGURG 29
#elif !defined(_OS_V7) && !defined(_OS_AIX)
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGCHLD 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGXCPU 24
#define SIGXFSZ 25
#ifndef _OS_BSD41
#define SIGURG 16
#define SIGIO 23
#define SIGVTALRM 26
#define SIGPROF 27
#ifndef _OS_BSD42
#define SIGWINCH 28
#define SIGUSR1 30
#define SIGUSR2 31
#endif
#endif
#endif

#if defined(_OS_V7)
#define NSIG 17
#elif defined(_OS_SOLARIS)
#define NSIG 46
#elif defined(_OS_IRIX)
#define NSIG 65
#elif defined(_OS_HPUX)
#define NSIG 45
#elif defined(_OS_AIX)
#define NSIG 16
#else
#define NSIG 32
#endif

typedef void (*_handler)(int);
#define SIG_DFL ((_handler)0)
#define SIG_IGN ((_handler)1)
#define SIG_ERR ((_handler)-1)

_handler signal(int sig, _handler handler);
int kill(pid_t pid, int sig);

#ifdef _HAVE_SIGACTION
/* Signal n is bit (n - 1) % 32 of word (n - 1) / 32. */
#if defined(_OS_SVR4)
typedef struct {
  unsigned int _bits[4];
} sigset_t;
#elif defined(_OS_HPUX)
typedef struct {
  unsigned int _bits[8];
} sigset_t;
#else
typedef struct {
  unsigned int _bits[1];
} sigset_t;
#endif

#if defined(_OS_SVR4)
struct sigaction {
  int sa_flags;
  union {
    _handler handler;
    void (*action)(int, siginfo_t *, void *);
  } _function;
  sigset_t sa_mask;
  int sa_resv[2];
};
#define sa_handler _function.handler
#define sa_sigaction _function.action
#define SA_RESETHAND 2
#define SA_RESTART 4
#define SA_SIGINFO 8
#define SA_NODEFER 0x10
#else
struct sigaction {
  _handler sa_handler;
  sigset_t sa_mask;
  int sa_flags;
};
#ifdef _OS_HPUX
#define SA_RESETHAND 4
#define SA_SIGINFO 0x10
#define SA_NODEFER 0x20
#define SA_RESTART 0x40
#else
#define SA_RESTART 2
#endif
#endif

#ifdef _OS_HPUX
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#else
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#endif

int sigaction(int sig, const struct sigaction *action, struct sigaction *old);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int sigsuspend(const sigset_t *mask);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int sig);
int sigismember(const sigset_t *set, int sig);
#endif

#ifdef _OS_IRIX
/* What a handler without SA_SIGINFO gets as its third argument. */
struct sigcontext {
  unsigned int sc_regmask;
  unsigned int sc_status;
  __extension__ unsigned long long sc_pc;
  __extension__ unsigned long long sc_regs[32];
  __extension__ unsigned long long sc_fpregs[32];
  unsigned int sc_ownedfp;
  unsigned int sc_fpc_csr;
  unsigned int sc_fpc_eir;
  unsigned int sc_ssflags;
  __extension__ unsigned long long sc_mdhi;
  __extension__ unsigned long long sc_mdlo;
  __extension__ unsigned long long sc_cause;
  __extension__ unsigned long long sc_badvaddr;
  __extension__ unsigned long long sc_triggersave;
  sigset_t sc_sigset;
  __extension__ unsigned long long sc_fp_rounded_result;
  __extension__ unsigned long long sc_pad[31];
};
#endif

#ifdef _HAVE_SIGVEC
struct sigvec {
  _handler sv_handler;
  int sv_mask;
#ifdef _OS_BSD42
  int sv_onstack;
#else
  int sv_flags;
#endif
};
#define sigmask(sig) (1 << ((sig)-1))
#ifdef _OS_HPUX
#define SV_RESETHAND 4
int sigvector(int sig, const struct sigvec *action, struct sigvec *old);
#else
#ifdef _OS_BSD43
#define SV_INTERRUPT 2
#endif
int sigvec(int sig, const struct sigvec *action, struct sigvec *old);
#endif
int sigblock(int mask);
int sigsetmask(int mask);
int sigpause(int mask);
#endif

#endif
