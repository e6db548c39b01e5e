// Calls with pointers and sizes that no program means: an error's number, and never a crash.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/profil.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

static char buffer[256];

// Where the bad pointer goes.
enum { POINTER = 0x5bad5bad };

static const struct {
  int number;
  long arguments[4];
  const char* what;
} calls[] = {
    {SYS_read, {0, POINTER, 16, 0}, "read"},
    {SYS_write, {1, POINTER, 16, 0}, "write"},
    {SYS_open, {POINTER, 0, 0, 0}, "open"},
    {SYS_unlink, {POINTER, 0, 0, 0}, "unlink"},
    {SYS_execve, {POINTER, 0, 0, 0}, "execve"},
#ifdef SYS_creat
    {SYS_creat, {POINTER, 0, 0, 0}, "creat"},
#endif
#ifdef SYS_execv
    {SYS_execv, {POINTER, 0, 0, 0}, "execv"},
#endif
#ifdef SYS_times
    {SYS_times, {POINTER, 0, 0, 0}, "times"},
#endif
#ifdef SYS_gettimeofday
    {SYS_gettimeofday, {POINTER, 0, 0, 0}, "gettimeofday"},
#endif
#ifdef SYS_setitimer
    {SYS_getitimer, {0, POINTER, 0, 0}, "getitimer"},
    {SYS_setitimer, {0, POINTER, 0, 0}, "setitimer"},
    {SYS_setitimer, {0, 0, POINTER, 0}, "setitimer, the old value"},
#endif
#ifdef SYS_sigvec
    {SYS_sigvec, {SIGTERM, POINTER, 0, 0}, "sigvec"},
    {SYS_sigvec, {SIGTERM, 0, POINTER, 0}, "sigvec, the old action"},
#endif
#if defined(SYS_sigaction) && !defined(_OS_BSD211)
    {SYS_sigaction, {SIGTERM, POINTER, 0, 0}, "sigaction"},
    {SYS_sigaction, {SIGTERM, 0, POINTER, 0}, "sigaction, the old action"},
#elif defined(SYS_sigaction)
    {SYS_sigaction, {0, SIGTERM, POINTER, 0}, "sigaction"},
    {SYS_sigaction, {0, SIGTERM, 0, POINTER}, "sigaction, the old action"},
#endif
#if defined(SYS_sigprocmask) && !defined(_OS_BSD44)
    {SYS_sigprocmask, {SIG_BLOCK, POINTER, 0, 0}, "sigprocmask"},
    {SYS_sigprocmask, {SIG_BLOCK, 0, POINTER, 0}, "sigprocmask, the old mask"},
    {SYS_sigsuspend, {POINTER, 0, 0, 0}, "sigsuspend"},
#endif
#ifdef SYS_lwp_create
    {SYS_lwp_create, {POINTER, 0, 0, 0}, "lwp_create"},
#endif
#ifdef _OS_SOLARIS
    {SYS_context, {1, POINTER, 0, 0}, "setcontext"},
#endif
#ifdef SYS_sprofil
    {SYS_sprofil, {POINTER, 1, 0, PROF_USHORT}, "sprofil"},
#endif
};

// Each of these is EFAULT: a structure at an address that is not there, at the ends of the user's
// and of all addresses, and across the end of the heap.
static void test_bad_pointers(void) {
  char* const end = sbrk(0);
  char* const edge = (char*)(((unsigned int)end + 0xfff) & ~0xfffu);
#ifdef _OS_HPUX
  // The page that the break is in belongs to the heap.
  char* const beyond = edge + 0x1000;
#else
  char* const beyond = edge;
#endif
  const unsigned int addresses[] = {BAD_ADDRESS, 0xfffffffe, 0x80000000, (unsigned int)beyond - 2};
  brk(edge);
  memset(end, 'a', (size_t)(beyond - end));
  for (size_t i = 0; i < ARRAY_LENGTH(calls); ++i) {
    int wrong = 0;
    for (size_t j = 0; j < ARRAY_LENGTH(addresses); ++j) {
      long a[4];
      for (int k = 0; k < 4; ++k) {
        const long given = calls[i].arguments[k];
        a[k] = given == POINTER ? (long)addresses[j] : given;
      }
      const struct outcome outcome = raw_call(calls[i].number, a[0], a[1], a[2], a[3]);
      if (outcome.error != EFAULT) wrong = outcome.error == 0 ? -1 : outcome.error;
    }
    check_number(wrong, 0, calls[i].what);
  }
  brk(end);
}

static void test_sizes(void) {
  int fds[2];
  pipe(fds);
  check(read(fds[0], buffer, 0xffffffffu) == -1, "read of 4 GiB fails");
  check_error(read(fds[0], buffer, 0x7fffffff), EFAULT, "read of 2 GiB into a small buffer");
  check(write(fds[1], buffer, 0xffffffffu) == -1, "write of 4 GiB fails");
  check_number(write(fds[1], buffer, 0), 0, "write of nothing");
  close(fds[0]);
  close(fds[1]);
  check_error(brk((void*)0x80000000), ENOMEM, "brk to the end of the addresses");
  check_error(brk((void*)0xffffffff), ENOMEM, "brk to the highest address");
#ifdef SYS_mmap
  check(raw_call(SYS_mmap, 0, (long)0xffffffff, 3, 2).error != 0, "mmap of 4 GiB fails");
  check(raw_call(SYS_mmap, (long)0xfffff000, 0x2000, 3, 0x116).error != 0,
        "mmap around the end fails");
  check(raw_call(SYS_munmap, (long)0xfffff000, 0x2000, 0, 0).error != 0, "so does munmap");
  check(raw_call(SYS_mprotect, (long)0xfffff000, 0x2000, 0, 0).error != 0, "and mprotect");
#endif
#ifdef SYS_dup
  check_error(dup(0x7fffffff), EBADF, "dup of a huge descriptor");
  check_error(dup(-1), EBADF, "dup of descriptor -1");
  check_error((long)lseek(-1, 0, SEEK_SET), EBADF, "lseek of descriptor -1");
#endif
  check_error(close(-1), EBADF, "close of descriptor -1");
  check_error(kill(0x7fffffff, SIGTERM), ESRCH, "kill of the highest process");
}

// Arguments from the fifth on are on the stack, which may be anywhere.
static void test_bad_stack(void) {
#ifdef SYS_mmap
#ifdef __hppa
  register long r22 __asm__("%r22") = SYS_mmap;
  register long r28 __asm__("%r28") = 0;
  __asm__ volatile(
      "copy %%r30,%%r3\n\tldil L%%0xffff0000,%%r30\n\tldi 0,%%r26\n\tldil L%%4096,%%r25\n\t"
      "ldi 3,%%r24\n\tldi 2,%%r23\n\tldil L%%0xc0000000,%%r1\n\tble 4(%%sr7,%%r1)\n\tnop\n\t"
      "copy %%r3,%%r30"
      : "+r"(r22), "+r"(r28)
      :
      : "%r1", "%r3", "%r23", "%r24", "%r25", "%r26", "%r29", "%r31", "memory");
  check(r22 != 0 && r28 == EFAULT, "a call with its arguments nowhere");
#else
  register long v0 __asm__("$2") = SYS_mmap;
  register long a3 __asm__("$7") = 2;
  __asm__ volatile(
      "move $16,$29\n\tlui $29,0xffff\n\tmove $4,$0\n\tli $5,4096\n\tli $6,3\n\tsyscall\n\t"
      "move $29,$16"
      : "+r"(v0), "+r"(a3)
      :
      : "$3", "$4", "$5", "$6", "$16", "memory");
  check(a3 != 0 && v0 == EFAULT, "a call with its arguments nowhere");
#endif
#endif
}

// A number that is no call's. Kernels without ENOSYS have EINVAL for it (V7 trap.c, 4.2BSD
// kern_xxx.c nosys()).
static void test_unknown_calls(void) {
  signal(SIGSYS, SIG_IGN);
#if defined(_OS_EARLY) || defined(_OS_BSD42_SIGNALS)
  const int expected = EINVAL;
#elif defined(ENOSYS)
  const int expected = ENOSYS;
#else
  const int expected = EINVAL;
#endif
  check_number(raw_call(SYS_exit + 900, 0, 0, 0, 0).error, expected, "a number beyond the table");
  check_number(raw_call(-1, -1, -1, -1, -1).error, expected, "number -1");
#ifdef _OS_SOLARIS25
  check_number(raw_call(SYS_pcsample, 0, 0, 0, 0).error, expected, "pcsample came with 2.6");
#endif
  signal(SIGSYS, SIG_DFL);
}

void test_hostile_calls(void) {
  test_bad_pointers();
  test_sizes();
  test_bad_stack();
  test_unknown_calls();
}

// ---- All numbers, any arguments.
static unsigned int state;

static unsigned int next_random(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static unsigned int area[1024];

// Small numbers, pointers into memory, edges of the address space, anything.
static long argument(void) {
  static const unsigned int edges[] = {0x7fffffff, 0x80000000, 0xffffffff, 0x7ffffffe, 0xfffff000,
                                       0x7ffffff0, 0x00400000, 0x0000f000, 0x00000003, 0x00010000};
  const unsigned int value = next_random();
  const unsigned int pick = value >> 12;
  switch (value >> 8 & 7) {
    case 0:
    case 1:
      return (long)(value & 15);
    case 2:
    case 3:
      return (long)((char*)area + pick % sizeof area);
    case 4:
      return (long)(area + (pick & 0x3f0));
    case 5:
      return (long)edges[pick % ARRAY_LENGTH(edges)];
    case 6:
      return (long)(1u << (pick & 31));
    default:
      return (long)value;
  }
}

// Mostly numbers that are in the tables.
static int call_number(void) {
  const unsigned int value = next_random();
  const unsigned int limit = (value & 7) == 0 ? 600 : (value & 1) == 0 ? 60 : 210;
  return _SYS((int)((value >> 8) % limit));
}

static void make_calls(int count) {
  for (size_t i = 0; i < ARRAY_LENGTH(area); ++i) area[i] = (unsigned int)argument();
  for (; count > 0; --count) {
    int number = call_number();
    // Waiting for a signal that nobody sends would be all that is tried.
#ifdef SYS_pause
    if (number == SYS_pause) number = SYS_getpid;
#endif
    syscall(number, argument(), argument(), argument(), argument(), argument(), argument());
  }
}

int random_calls(unsigned int seed, int processes) {
  enum { CALLS = 40 };
  for (; processes > 0; --processes) {
    if (fork() == 0) {
      state = (seed * 1000 + (unsigned int)processes) * 2654435769u;
      make_calls(CALLS);
      _exit(0);
    }
    spin_ticks(2);
  }
  return 0;
}
