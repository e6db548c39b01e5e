/* System V's and BSD's signals: sigset(2V), sigvector(2). */
#include <signal.h>
#include <stddef.h>

int sigvector(int, const void*, void*);

static int change_mask(int how, int number) {
  sigset_t only;
  sigemptyset(&only);
  return sigaddset(&only, number) < 0 ? -1 : sigprocmask(how, &only, NULL);
}

int sighold(int number) {
  return change_mask(SIG_BLOCK, number);
}
int sigrelse(int number) {
  return change_mask(SIG_UNBLOCK, number);
}
int sigignore(int number) {
  return sigset(number, SIG_IGN) == SIG_ERR ? -1 : 0;
}

/* The signal is held while its handler runs, and is not held afterwards. */
sighandler_t sigset(int number, sighandler_t handler) {
  struct sigaction old, action = {.sa_handler = handler};
  sigset_t mask;
  const int holds = handler == SIG_HOLD;
  if (sigaction(number, holds ? NULL : &action, &old) < 0) return SIG_ERR;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  change_mask(holds ? SIG_BLOCK : SIG_UNBLOCK, number);
  return sigismember(&mask, number) ? SIG_HOLD : old.sa_handler;
}

/* 4.2BSD's; sigvector() has its structure. */
int sigvec(int number, const void* vector, void* old) {
  return sigvector(number, vector, old);
}
