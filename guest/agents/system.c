#if CONFORM_SYSTEM <= BSD_2_11
#define IS_EARLY 1
#else
#define IS_EARLY 0
#endif

#if CONFORM_SYSTEM == GLIBC
/* Where the compiler is told to be strict, the headers are, too. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include <limits.h>
#if ULONG_MAX == 0xffffffffUL
#error "the cases of glibc are those of 64-bit programs; compile without -m32"
#endif
#include <signal.h>
#endif

#include <errno.h>
#if !IS_EARLY || defined(__hardclock_guest__)
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#else
extern int errno;
extern int fork(void), vfork(void), wait(int*), execv(char*, char**), write(int, char*, int);
extern int brk(char*), profil(char*, int, int, int);
extern char* sbrk(int);
extern void _exit(int);
#endif
#if HAS_CLOCK
#include <sys/time.h>
#endif
#if HAS_MMAP
#include <fcntl.h>
#include <sys/mman.h>
#endif
#if HAS_SPROFIL
#include <sys/profil.h>
#endif
#if HAS_SPROC
#include <sys/prctl.h>
#endif
#if HAS_PCSAMPLE
#include <pcsample.h>
#endif

/* profil() returns nothing on some systems, and its buffer has several types. */
#if IS_EARLY || CONFORM_SYSTEM == BSD_4_4
typedef char* profil_buffer;
#elif CONFORM_SYSTEM == AIX
typedef short* profil_buffer;
#else
typedef unsigned short* profil_buffer;
#endif
#if CONFORM_SYSTEM == HP_UX || CONFORM_SYSTEM == SOLARIS || CONFORM_SYSTEM == SOLARIS_2_5
#define RESULT_OF(call) ((call), 0)
#else
#define RESULT_OF(call) (call)
#endif

/* The bits of a word in which the kernel looks at a pc. */
#if CONFORM_SYSTEM == V7_UNIX || CONFORM_SYSTEM == BSD_2_11
#define WORD 0xffffUL
#elif CONFORM_SYSTEM == GLIBC
#define WORD (~0UL)
#else
#define WORD 0xffffffffUL
#endif

/* A plain address of text; a pointer to a function is that of a descriptor on some machines. */
unsigned long text_address(void (*function)(unsigned long)) {
  unsigned long address = (unsigned long)function;
#if defined(__hppa) && !defined(__LP64__)
  if (address & 2) address = *(unsigned long*)(address & ~3UL);
#elif defined(__hppa)
  address = ((unsigned long*)address)[2];
#elif defined(__ia64) || defined(_AIX) && !defined(__hardclock_guest__)
  address = *(unsigned long*)address;
#endif
  return address;
}

/* Standard output, the Test Anything Protocol. */

void put_text(const char* text) {
  const char* end = text;
  while (*end != 0) ++end;
  while (text < end) {
    long n = (long)write(1, (char*)text, (int)(end - text));
    if (n <= 0) return;
    text += n;
  }
}

/* `digits` has room for 12 bytes. */
char* decimal(unsigned long value, char* digits) {
  char* at = digits + 11;
  value &= 0xffffffffUL;
  *at = 0;
  do {
    *--at = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return at;
}

unsigned long number_in(const char* digits) {
  unsigned long value = 0;
  while (*digits >= '0' && *digits <= '9') value = value * 10 + (unsigned long)(*digits++ - '0');
  return value;
}

void put_number(long value) {
  char digits[12];
  if (value < 0) put_text("-");
  put_text(decimal(value < 0 ? 0UL - (unsigned long)value : (unsigned long)value, digits));
}

/* What the process makes of its case: its exit status. */
#define STATUS_OK 0
#define STATUS_FAILED 1
#define STATUS_SKIPPED 2
int status = STATUS_OK;

/* Whether a signal is to end the process: then nobody asks for its exit status. */
int is_doomed;

/* One line that says what is wrong. */
void fail(const char* what, long expected, long seen) {
  status = STATUS_FAILED;
  put_text("# ");
  put_text(what);
  put_text(": ");
  put_number(expected);
  put_text(" expected, ");
  put_number(seen);
  put_text(" seen\n");
  if (is_doomed) _exit(status);
}

/* The case cannot be performed by this program where it happens to lie in memory. */
void give_up(const char* why) {
  put_text("# skipped: ");
  put_text(why);
  put_text("\n");
  _exit(STATUS_SKIPPED);
}
