#include "tests/cli/guests/systems/checks.h"

#include <sys/wait.h>
#include <unistd.h>

#ifdef __hppa
struct outcome raw_call(int number, long a0, long a1, long a2, long a3) {
  register long r22 __asm__("%r22") = number;
  register long r26 __asm__("%r26") = a0;
  register long r25 __asm__("%r25") = a1;
  register long r24 __asm__("%r24") = a2;
  register long r23 __asm__("%r23") = a3;
  register long r28 __asm__("%r28") = 0;
  register long r29 __asm__("%r29") = 0;
  __asm__ volatile("ldil L%%0xc0000000,%%r1\n\tble 4(%%sr7,%%r1)\n\tnop"
                   : "+r"(r22), "+r"(r28), "+r"(r29)
                   : "r"(r26), "r"(r25), "r"(r24), "r"(r23)
                   : "%r1", "%r31", "memory");
  struct outcome outcome = {r28, r29, 0};
  if (r22 != 0) outcome = (struct outcome){-1, r29, (int)r28};
  return outcome;
}

__asm__(
    "	.section .text.spin,\"ax\",@progbits\n"
    "	.align	64\n"
    "	.export	spin,entry\n"
    "spin:\n"
    "	nop\n"
    "	addib,<>	-1,%r26,spin\n"
    "	nop\n"
    "	bv,n	%r0(%r2)\n"
    "	.align	64\n"
    "	.text\n");

// A tick at 100 Hz is 10000 cycles of 1 MHz, and a round 3.
void spin_ticks(int ticks) {
  spin(5600L * ticks);
}
#else
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
#endif

int status_of(int (*child)(void)) {
  int status = -1;
  const pid_t pid = fork();
  if (pid == 0) _exit(child());
  if (wait(&status) != pid) return -1;
  return status;
}
