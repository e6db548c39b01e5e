#!/bin/bash
# glibc's profil(3) charges a tick to another signal's handler that has not run yet.
#
# Versions: Debian 12, glibc 2.36, GCC 12.2; Linux, x86-64.
# profil(3) is a timer and a handler of SIGPROF, which counts the pc in its ucontext. If Linux delivers a second signal
# in the same return to user mode, it stacks the handlers: the signal with the lower number is set up first, and SIGPROF
# "interrupts" the first instruction of that signal's handler. SIGPROF is 27, so SIGUSR1 (10), SIGALRM (14) and SIGVTALRM
# (26) steal the tick, SIGWINCH (28) and SIGIO (29) do not. Kernels with a profil(2) of their own charge the program.
source "$(dirname "$(readlink -f "$0")")/unpack"
unpack "${native_gcc[@]}"

cat >main.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned short counts[65536];  /* a counter for 4 bytes from &other on */
static void other(int signal) { (void)signal; }

/* SIGPROF and SIGNAL at once: whether the tick went to the first instruction of other(). */
static int steals(int signal_number) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGPROF);
  sigaddset(&both, signal_number);
  signal(signal_number, other);
  memset(counts, 0, sizeof counts);
  profil(counts, sizeof counts, (size_t)other, 0x8000);
  sigprocmask(SIG_BLOCK, &both, NULL);
  kill(getpid(), SIGPROF);
  kill(getpid(), signal_number);
  sigprocmask(SIG_UNBLOCK, &both, NULL);
  profil(NULL, 0, 0, 0);
  return counts[0] != 0;
}

int main(void) {
  const int numbers[] = {SIGUSR1, SIGALRM, SIGVTALRM, SIGWINCH, SIGIO};
  for (int i = 0; i < 5; ++i) printf("%d: %s\n", numbers[i], steals(numbers[i]) ? "the other handler" : "the program");
  return 0;
}
END
gcc-12 --sysroot="$work/root" -B"$work/root/usr/bin/" -D_GNU_SOURCE -O1 -static -o program main.c
./program | tee found
printf '%s: the other handler\n' 10 14 26 >expected
printf '%s: the program\n' 28 29 >>expected
cmp -s expected found || fail "ticks go elsewhere now"
