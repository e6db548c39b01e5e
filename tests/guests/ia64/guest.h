// Programs for Linux on IA-64 without a C library. Structures and numbers are those of the kernel's
// headers: arch/ia64/include/uapi/asm, include/uapi/asm-generic (Linux 6.1).
#pragma once

typedef unsigned long ulong;

enum {
  EBADF = 9, ECHILD = 10, EFAULT = 14, EINVAL = 22, ENOSYS = 38, ETIMEDOUT = 110,
  SIGILL = 4, SIGTRAP = 5, SIGFPE = 8, SIGUSR1 = 10, SIGSEGV = 11, SIGUSR2 = 12, SIGCHLD = 17,
  SIGPROF = 27,
};

// start.S
long kernel(long number, long a, long b, long c, long d, long e, long f);
extern long second_result;
long thread(long flags, void* stack, long size, long* word, void (*run)(void));
long pass_nats(void (*between)(void));
void break_divide(void);

#define CALL0(n) kernel(n, 0, 0, 0, 0, 0, 0)
#define CALL1(n, a) kernel(n, (long)(a), 0, 0, 0, 0, 0)
#define CALL2(n, a, b) kernel(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define CALL3(n, a, b, c) kernel(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL4(n, a, b, c, d) kernel(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define CALL6(n, a, b, c, d, e, f) \
  kernel(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

enum {
  NR_exit = 1025, NR_read = 1026, NR_write = 1027, NR_open = 1028, NR_close = 1029,
  NR_unlink = 1032, NR_execve = 1033, NR_lseek = 1040, NR_getpid = 1041, NR_getppid = 1042,
  NR_kill = 1053, NR_pipe = 1058, NR_brk = 1060, NR_setitimer = 1118, NR_wait4 = 1126,
  NR_munmap = 1152, NR_uname = 1130, NR_mmap = 1151, NR_mprotect = 1155, NR_mmap2 = 1172,
  NR_sigaltstack = 1176, NR_rt_sigaction = 1177, NR_stat = 1210, NR_clone2 = 1213,
  NR_futex = 1230, NR_clock_gettime = 1254,
};

struct sigaction {
  void (*handler)(int, void*, void*);
  ulong flags;
  ulong mask;
};
enum { SA_SIGINFO = 4, SA_ONSTACK = 0x08000000, SA_NODEFER = 0x40000000 };

struct stack {
  void* base;
  int flags;
  ulong size;
};

struct siginfo {
  int number, error, code, pad;
  ulong address;
};

struct sigcontext {
  ulong flags, nat;
  struct stack stack;
  ulong ip, cfm, um, rsc, bsp, rnat, ccv, unat, fpsr, pfs, lc, pr, br[8], gr[32];
};

void print(const char* text);
void print_number(long number);

// Checks by the Test Anything Protocol, as tests/guests/tap.h has them.
int check(int condition, const char* what);
int check_number(long seen, long expected, const char* what);
int finish_checks(void);

int same_text(const char* a, const char* b);
void catch_signal(int signal, void (*handler)(int, void*, void*), ulong flags);

// The words behind argc: argv, the environment, the auxiliary vector.
int guest_main(int argc, char** argv, ulong* behind);
