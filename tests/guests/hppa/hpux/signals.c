// Signal handlers: what they are told, and that everything comes back with their return; for
// signals that are sent, that a trap causes and that interrupt a call.
#include "guest/runtime/guest.h"

// In the context that a handler gets: where struct save_state lies, and in its words the front of
// the queue of instruction addresses, and the back. In 64 bits the doublewords from SS_WIDE on
// count, which are in the words' order.
enum {
  SAVE_STATE = sizeof(long) == 8 ? 80 : 56,
  PCOQ_HEAD = 132,
  PCOQ_TAIL = 140,
  SS_WIDE = 640,
};

extern const char null_store_instruction[];

static volatile int seen, seen_code, count;
static volatile uintptr_t seen_pc;
static volatile int skips;

static uintptr_t* context_word(void* context, int offset) {
  const int place = sizeof(long) == 8 ? SS_WIDE + 2 * offset : offset;
  return (uintptr_t*)((char*)context + SAVE_STATE + place);
}

// It uses many registers, so that they must be saved.
static void handler(int signal, int code, void* context) {
  double product = 1.5;
  for (int i = 0; i < signal; ++i) product *= 1.25;
  seen = signal + (product < 0);
  seen_code = code;
  seen_pc = *context_word(context, PCOQ_HEAD);
  ++count;
  if (skips) {
    *context_word(context, PCOQ_HEAD) = *context_word(context, PCOQ_TAIL);
    *context_word(context, PCOQ_TAIL) += 4;
  }
}

static void on(int signal, sighandler_t function, int flags) {
  const struct sigvec vector = {function, 0, flags};
  check(sigvector(signal, &vector, NULL) == 0, "sigvector");
}

static void test_sent(void) {
  on(SIGUSR1, handler, 0);
  double before = 3.25;
  __asm__ volatile("" : "+f"(before));
  check(kill(getpid(), SIGUSR1) == 0, "kill returns after the handler");
  __asm__ volatile("" : "+f"(before));
  check(seen == SIGUSR1 && count == 1 && before == 3.25, "the handler ran, registers came back");
  struct sigvec old;
  check(sigvector(SIGUSR1, NULL, &old) == 0 && old.sv_handler == handler, "sigvector tells it");
}

static void test_trap(void) {
  on(SIGSEGV, handler, 0);
  skips = 1;
  null_store();
  check(seen == SIGSEGV && (seen_code == 15 || seen_code == 18 || seen_code == 26),
        "SIGSEGV, with a data trap's number");
  check((seen_pc & ~3UL) == (uintptr_t)null_store_instruction, "and the instruction's address");
  check((seen_pc & 3) == 3, "at a user's privilege level");
  on(SIGILL, handler, 0);
  trapping_break();
  check(seen == SIGILL && seen_code == 9, "BREAK 0,0 is SIGILL with code 9");
  skips = 0;
}

static void test_mask(void) {
  const sigset_t usr1 = {{1U << (SIGUSR1 - 1)}};
  sigset_t old;
  check(sigprocmask(SIG_BLOCK, &usr1, NULL) == 0, "sigprocmask");
  count = 0;
  kill(getpid(), SIGUSR1);
  check(count == 0, "a blocked signal waits");
  check(sigprocmask(SIG_UNBLOCK, &usr1, &old) == 0 && count == 1, "until it is unblocked");
  check(old.word[0] == usr1.word[0], "the old mask");
}

static void test_interrupted_call(void) {
  const struct sigaction action = {handler, {{0}}, 0};
  check(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
  alarm(1);
  check_error(pause(), EINTR, "pause ends with a handler");
  check(seen == SIGALRM, "SIGALRM");
  int ends[2];
  char byte;
  pipe(ends);
  alarm(1);
  check_error(read(ends[0], &byte, 1), EINTR, "so does a read");
}

// With SV_BSDSIG a call that a handler interrupts is made again.
static int write_end;
static void writer(int signal, int code, void* context) {
  (void)code;
  (void)context;
  seen = signal;
  write(write_end, "x", 1);
}

static void test_restart(void) {
  int ends[2];
  char byte = 0;
  pipe(ends);
  write_end = ends[1];
  on(SIGALRM, writer, SV_BSDSIG);
  alarm(1);
  check(read(ends[0], &byte, 1) == 1 && byte == 'x', "SV_BSDSIG restarts a read");
}

int main(void) {
  test_sent();
  test_trap();
  test_mask();
  test_interrupted_call();
  test_restart();
  return finish_checks();
}
