// signal() and its relatives on the calls that the system has.
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lwp.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(_OS_SVR4) && !defined(_OS_LINUX)
_Static_assert(sizeof(struct sigaction) == 32, "struct sigaction");
_Static_assert(sizeof(siginfo_t) == 128, "siginfo_t");
_Static_assert(sizeof(ucontext_t) == 512, "ucontext_t");
#endif
#ifdef _OS_IRIX
_Static_assert(offsetof(struct sigcontext, sc_mdhi) == 544, "struct sigcontext");
_Static_assert(sizeof(struct sigcontext) == 856, "struct sigcontext");
#endif

#ifdef _HAVE_SIGACTION
#if defined(_OS_IRIX)
void _trampoline(void);
int _sigaction(int sig, const struct sigaction* action, struct sigaction* old,
               void (*return_by)(void));

int sigaction(int sig, const struct sigaction* action, struct sigaction* old) {
  return _sigaction(sig, action, old, _trampoline);
}
#elif defined(_OS_BSD211)
void _trampoline(void);
int _sigaction(void (*return_by)(void), int sig, const struct sigaction* action,
               struct sigaction* old);

int sigaction(int sig, const struct sigaction* action, struct sigaction* old) {
  return _sigaction(_trampoline, sig, action, old);
}
#elif defined(_OS_LINUX)
int _sigaction(int sig, const struct sigaction* action, struct sigaction* old, size_t set_size);
int _sigprocmask(int how, const sigset_t* set, sigset_t* old, size_t set_size);
int _sigsuspend(const sigset_t* mask, size_t set_size);

int sigaction(int sig, const struct sigaction* action, struct sigaction* old) {
  return _sigaction(sig, action, old, sizeof(sigset_t));
}

int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  return _sigprocmask(how, set, old, sizeof(sigset_t));
}

int sigsuspend(const sigset_t* mask) {
  return _sigsuspend(mask, sizeof(sigset_t));
}
#else
int _sigaction(int sig, const struct sigaction* action, struct sigaction* old);

int sigaction(int sig, const struct sigaction* action, struct sigaction* old) {
  return _sigaction(sig, action, old);
}
#endif

// System V's signal() is V7's; the BSDs' handlers stay, and interrupted calls go on.
_handler signal(int sig, _handler handler) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
#ifdef SA_RESETHAND
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
#else
  action.sa_flags = SA_RESTART;
#endif
  return sigaction(sig, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

int sigemptyset(sigset_t* set) {
  memset(set, 0, sizeof *set);
  return 0;
}

int sigaddset(sigset_t* set, int sig) {
  set->_bits[(sig - 1) / 32] |= 1u << (sig - 1) % 32;
  return 0;
}

int sigismember(const sigset_t* set, int sig) {
  return (int)(set->_bits[(sig - 1) / 32] >> (sig - 1) % 32 & 1);
}

#ifdef _OS_BSD44
unsigned int _sigprocmask(int how, unsigned int mask);
int _sigsuspend(unsigned int mask);

int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  // Without a set: block nothing.
  const unsigned int mask = set == NULL ? 0 : set->_bits[0];
  const int seen = (int)_sigprocmask(set == NULL ? SIG_BLOCK : how, mask);
  if (seen == -1) return -1;
  if (old != NULL) old->_bits[0] = (unsigned int)seen;
  return 0;
}

int sigsuspend(const sigset_t* mask) {
  return _sigsuspend(mask->_bits[0]);
}
#endif

#ifndef SYS_pause
int pause(void) {
  sigset_t mask;
  if (sigprocmask(SIG_BLOCK, NULL, &mask) != 0) return -1;
  return sigsuspend(&mask);
}
#endif

#elif defined(_OS_BSD42_SIGNALS)
_handler signal(int sig, _handler handler) {
  struct sigvec action, old;
  memset(&action, 0, sizeof action);
  action.sv_handler = handler;
  return sigvec(sig, &action, &old) == 0 ? old.sv_handler : SIG_ERR;
}
#endif

#ifdef _HAVE_LWP
int _lwp_create_call(ucontext_t* context, unsigned long flags, lwpid_t* new_lwp);
extern int errno;

int _lwp_create(ucontext_t* context, unsigned long flags, lwpid_t* new_lwp) {
  return _lwp_create_call(context, flags, new_lwp) == -1 ? errno : 0;
}

#ifdef _OS_HPUX
// The stack grows up and begins with the frame marker of the start function's caller.
void _lwp_makecontext(ucontext_t* context, void (*start)(void*), void* argument, void* private,
                      caddr_t stack, size_t stack_size) {
  enum { RP = 2, ARG0 = 26, DP = 27, SP = 30, FRAME = 64 };
  register unsigned int dp __asm__("%r27");
  (void)private, (void)stack_size;
  memset(context, 0, sizeof *context);
  context->uc_state[RP] = (unsigned int)_CODE_OF(_lwp_exit);
  context->uc_state[ARG0] = (unsigned int)argument;
  context->uc_state[DP] = dp;
  context->uc_state[SP] = (((unsigned int)stack + FRAME - 1) & ~(FRAME - 1u)) + FRAME;
  context->uc_state[CTX_PCOQ_HEAD] = (unsigned int)_CODE_OF(start);
  context->uc_state[CTX_PCOQ_TAIL] = (unsigned int)_CODE_OF(start) + 4;
}
#else
void _lwp_makecontext(ucontext_t* context, void (*start)(void*), void* argument, void* private,
                      caddr_t stack, size_t stack_size) {
  enum { A0 = 4, T9 = 25, SP = 29, RA = 31, HOME = 16 };
  (void)private;
  memset(context, 0, sizeof *context);
  context->uc_gregs[A0] = (unsigned int)argument;
  context->uc_gregs[T9] = context->uc_gregs[CTX_EPC] = (unsigned int)start;
  context->uc_gregs[SP] = (((unsigned int)stack + stack_size) & ~15u) - HOME;
  context->uc_gregs[RA] = (unsigned int)_lwp_exit;
}
#endif
#endif
