/* signal(2), sigaction(2), sigset operations. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "kernel.h"

int sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  _hc_prepare_handlers();
  return _hc_sigaction(number, action, old);
}

/* System V's: a handler is called once, and its signal is not held meanwhile. */
sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESETHAND | SA_NODEFER}, old;
  return sigaction(number, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

enum { word_bits = 32, last_signal = 64 };

static int is_signal(int number) {
  if (number >= 1 && number <= last_signal) return 1;
  errno = EINVAL;
  return 0;
}

int sigemptyset(sigset_t* set) {
  memset(set, 0, sizeof *set);
  return 0;
}

int sigfillset(sigset_t* set) {
  memset(set, 0xff, sizeof *set);
  return 0;
}

int sigaddset(sigset_t* set, int number) {
  if (!is_signal(number)) return -1;
  set->sigset[(number - 1) / word_bits] |= 1u << (number - 1) % word_bits;
  return 0;
}

int sigdelset(sigset_t* set, int number) {
  if (!is_signal(number)) return -1;
  set->sigset[(number - 1) / word_bits] &= ~(1u << (number - 1) % word_bits);
  return 0;
}

int sigismember(const sigset_t* set, int number) {
  if (!is_signal(number)) return -1;
  return set->sigset[(number - 1) / word_bits] >> (number - 1) % word_bits & 1;
}
