/* HP-UX Reference, signal(5), sigaction(2). */
#pragma once
#include <sys/types.h>
typedef struct {
  unsigned sigset[8];
} sigset_t;
typedef void (*sighandler_t)(int);
struct sigaction {
  sighandler_t sa_handler;
  sigset_t sa_mask;
  int sa_flags;
};
enum { SA_RESETHAND = 4, SA_NODEFER = 0x20, SA_RESTART = 0x40 };
enum { SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2 };
enum {
  SIGHUP = 1,
  SIGINT,
  SIGQUIT,
  SIGILL,
  SIGABRT = 6,
  SIGFPE = 8,
  SIGKILL,
  SIGSEGV = 11,
  SIGPIPE = 13,
  SIGALRM,
  SIGTERM,
  SIGUSR1,
  SIGCHLD = 18
};
/* POSIX.1's members. Their order and the numbers are guesses. */
union sigval {
  int sival_int;
  void* sival_ptr;
};
struct sigevent {
  int sigev_notify, sigev_signo;
  union sigval sigev_value;
};
enum { SIGEV_NONE = 0, SIGEV_SIGNAL = 1 };
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_HOLD ((sighandler_t)3) /* as in 4BSD: HP's number is not public */
#define SIG_ERR ((sighandler_t)-1)
sighandler_t signal(int, sighandler_t), sigset(int, sighandler_t);
int sighold(int), sigrelse(int), sigignore(int);
int sigaction(int, const struct sigaction*, struct sigaction*), kill(pid_t, int), raise(int);
int sigprocmask(int, const sigset_t*, sigset_t*), sigemptyset(sigset_t*), sigfillset(sigset_t*);
int sigaddset(sigset_t*, int), sigdelset(sigset_t*, int), sigismember(const sigset_t*, int);
int sigsuspend(const sigset_t*), sigpending(sigset_t*);
