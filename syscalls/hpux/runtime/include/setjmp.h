/* HP-UX 10's <setjmp.h>: 200 bytes, aligned for floating-point registers. */
#pragma once
typedef double jmp_buf[25];
int setjmp(jmp_buf) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
