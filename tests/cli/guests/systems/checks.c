#include "tests/cli/guests/systems/checks.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int checks;
static int failures;

int check(int condition, const char* what) {
  ++checks;
  if (!condition) ++failures;
  printf("%s %d - %s\n", condition ? "ok" : "not ok", checks, what);
  return condition;
}

int check_number(long seen, long expected, const char* what) {
  if (check(seen == expected, what)) return 1;
  printf("# %ld (0x%lx); expected %ld\n", seen, seen, expected);
  return 0;
}

int check_error(long result, int error, const char* what) {
  const int seen = errno;
  if (check(result == -1 && seen == error, what)) return 1;
  printf("# returned %ld with errno %d; expected -1 with errno %d\n", result, seen, error);
  return 0;
}

int finish_checks(void) {
  printf("1..%d\n", checks);
  return failures == 0 ? 0 : 1;
}

struct outcome raw_call(int number, long a0, long a1, long a2, long a3) {
  register long v0 __asm__("$2") = number;
  register long v1 __asm__("$3") = 0;
  register long r4 __asm__("$4") = a0;
  register long r5 __asm__("$5") = a1;
  register long r6 __asm__("$6") = a2;
  register long r7 __asm__("$7") = a3;
  __asm__ volatile("syscall" : "+r"(v0), "+r"(v1), "+r"(r7) : "r"(r4), "r"(r5), "r"(r6) : "memory");
  struct outcome outcome = {v0, v1, 0};
  if (r7 != 0) outcome = (struct outcome){-1, v1, (int)v0};
  return outcome;
}

__asm__(
    "	.section .text.spin,\"ax\",@progbits\n"
    "	.set	push\n"
    "	.set	noreorder\n"
    "	.align	6\n"
    "	.globl	spin\n"
    "spin:	addiu	$4,$4,-1\n"
    "	bnez	$4,spin\n"
    "	nop\n"
    "	jr	$31\n"
    "	nop\n"
    "	.align	6\n"
    "	.set	pop\n"
    "	.text\n");

// A tick at 60 Hz is 16667 cycles of 1 MHz, and a round 3.
void spin_ticks(int ticks) {
  spin(5600L * ticks);
}

int status_of(int (*child)(void)) {
  int status = -1;
  const pid_t pid = fork();
  if (pid == 0) _exit(child());
  if (wait(&status) != pid) return -1;
  return status;
}
