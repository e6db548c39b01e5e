/* HP-UX 10's <setjmp.h>: 200 bytes in 32-bit programs for PA-RISC. The others' lengths are this
 * library's own: HP's are longer. */
#pragma once
#if defined __ia64__
typedef long double jmp_buf[33];
#elif __SIZEOF_POINTER__ == 8
typedef double jmp_buf[50];
#else
typedef double jmp_buf[25];
#endif
#define sigjmp_buf jmp_buf
int setjmp(jmp_buf) __attribute__((returns_twice));
int sigsetjmp(sigjmp_buf, int) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
void siglongjmp(sigjmp_buf, int) __attribute__((noreturn));
