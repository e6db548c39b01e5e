// The IRIX system interface as the guests use it: numbers, constants and structures by their IRIX
// names, and one function for each system call of the first call set. A function returns what the
// IRIX manual says; -1 with `errno` set for an error.
//
// The structures are those of o32, n32 and n64, whichever the guest is compiled for (_MIPS_SIM): in
// n32 off_t and registers have 64 bits, in n64 longs and pointers besides, but not time_t (NetBSD,
// sys/compat/irix/irix_types.h).
#pragma once

#include <stddef.h>
#include <stdint.h>

#if _MIPS_SIM == _ABI64
typedef int64_t long_t;  // long; in o32 and n32 printf takes it for an int
#else
typedef int32_t long_t;
#endif
#if _MIPS_SIM == _ABIO32
typedef int32_t off_t;
#else
typedef int64_t off_t;
#endif
typedef ptrdiff_t ssize_t;
typedef int32_t pid_t;
typedef int32_t time_t;
typedef long_t clock_t;

extern int errno;
extern char** environ;

enum {
  EPERM = 1,
  ENOENT = 2,
  ESRCH = 3,
  EINTR = 4,
  E2BIG = 7,
  ENOEXEC = 8,
  EBADF = 9,
  ECHILD = 10,
  ENOMEM = 12,
  EACCES = 13,
  EFAULT = 14,
  EEXIST = 17,
  ENODEV = 19,
  EISDIR = 21,
  EINVAL = 22,
  ESPIPE = 29,
  EPIPE = 32,
  ENAMETOOLONG = 78,
  ENOSYS = 89,
};

enum { O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_APPEND = 8 };
enum { O_CREAT = 0x100, O_TRUNC = 0x200, O_EXCL = 0x400 };
enum { SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2 };

enum {
  SIGILL = 4,
  SIGTRAP = 5,
  SIGFPE = 8,
  SIGKILL = 9,
  SIGBUS = 10,
  SIGSEGV = 11,
  SIGSYS = 12,
  SIGPIPE = 13,
  SIGALRM = 14,
  SIGUSR1 = 16,
  SIGUSR2 = 17,
  SIGCLD = 18,
  SIGVTALRM = 28,
  SIGPROF = 29,
};

enum { SA_SIGINFO = 8 };

typedef struct {
  uint32_t word[4];  // signal n is bit (n - 1) % 32 of word (n - 1) / 32
} sigset_t;

typedef void (*sighandler_t)(int signal, void* info, void* context);
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)

struct sigaction {
  uint32_t sa_flags;
  sighandler_t sa_handler;
  sigset_t sa_mask;
  uint32_t sa_resv[2];
};
_Static_assert(sizeof(struct sigaction) == (sizeof(void*) == 8 ? 40 : 32), "struct sigaction");

// A handler without SA_SIGINFO gets (signal, code, struct sigcontext *), one with SA_SIGINFO
// (signal, siginfo *, struct ucontext *).
typedef struct {
  int32_t si_signo;
  int32_t si_code;
  int32_t si_errno;
  union {
    struct {
      pid_t pid;
      clock_t utime;
      int32_t status;
      clock_t stime;
    } child;
    void* address;
    uint32_t words[sizeof(void*) == 8 ? 28 : 29];
  } data;
} siginfo_t;
_Static_assert(sizeof(siginfo_t) == 128, "siginfo_t");

#if _MIPS_SIM == _ABIO32
struct ucontext {
  uint32_t uc_flags;
  struct ucontext* uc_link;
  sigset_t uc_sigmask;
  uint32_t uc_stack[3];
  uint32_t uc_padding;
  uint32_t uc_gregs[36];  // 0-31 general registers, 32 LO, 33 HI, 34 cause, 35 EPC
  uint32_t uc_fpregs[32];
  uint32_t uc_fpcsr;
  uint32_t uc_fpeir;
  uint32_t uc_filler[47];
  uint32_t uc_triggersave;
};
_Static_assert(sizeof(struct ucontext) == 512, "struct ucontext");
#else
struct ucontext {
  unsigned long uc_flags;
  struct ucontext* uc_link;
  sigset_t uc_sigmask;
  struct {
    void* ss_sp;
    uint32_t ss_size;
    int32_t ss_flags;
  } uc_stack;
  uint64_t uc_gregs[37];  // as o32's; 36 status
  uint64_t uc_fpregs[32];
  uint32_t uc_fpcsr;
  uint32_t uc_fpeir;
  long uc_filler[47];
  int32_t uc_triggersave;
};
#endif
#define UCONTEXT_PC(context) (((struct ucontext*)(context))->uc_gregs[35])

struct sigcontext {
  uint32_t sc_regmask;
  uint32_t sc_status;
  uint64_t sc_pc;
  uint64_t sc_regs[32];
  uint64_t sc_fpregs[32];
  uint32_t sc_ownedfp;
  uint32_t sc_fpc_csr;
  uint32_t sc_fpc_eir;
  uint32_t sc_ssflags;
  uint64_t sc_mdhi;
  uint64_t sc_mdlo;
  uint64_t sc_cause;
  uint64_t sc_badvaddr;
  uint64_t sc_triggersave;
  sigset_t sc_sigset;
  uint64_t sc_fp_rounded_result;
  uint64_t sc_pad[31];
};
_Static_assert(offsetof(struct sigcontext, sc_mdhi) == 544, "struct sigcontext");
_Static_assert(sizeof(struct sigcontext) == 856, "struct sigcontext");

void _exit(int status) __attribute__((noreturn));
ssize_t read(int fd, void* buffer, size_t size);
ssize_t write(int fd, const void* buffer, size_t size);
int open(const char* path, int flags, ...);  // the third argument, mode, only with O_CREAT
int close(int fd);
off_t lseek(int fd, off_t offset, int whence);
pid_t getpid(void);
int kill(pid_t pid, int signal);
int sigaction(int signal, const struct sigaction* action, struct sigaction* old);

enum { SA_RESTART = 4 };
enum { WNOHANG = 0x40, WEXITED = 1 };
enum { P_PID = 0, P_PGID = 2, P_ALL = 7 };
enum { CLD_EXITED = 1, CLD_KILLED = 2 };
enum { SIG_BLOCK = 1, SIG_UNBLOCK = 2, SIG_SETMASK = 3 };
enum { PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 0x10 };
enum { ITIMER_REAL = 0, ITIMER_VIRTUAL = 1, ITIMER_PROF = 2 };
enum { RUSAGE_SELF = 0, RUSAGE_CHILDREN = -1 };
enum { SGI_SYSCONF = 22, SGI_SPROFIL = 55, SGI_RUSAGE = 56 };
enum { _SC_CLK_TCK = 3, _SC_PAGESIZE = 11 };
#define MAP_FAILED ((void*)-1)

struct timeval {
  time_t tv_sec;
  long_t tv_usec;
};
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};
struct tms {
  clock_t tms_utime;
  clock_t tms_stime;
  clock_t tms_cutime;
  clock_t tms_cstime;
};
struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long_t ru_counts[14];
};
_Static_assert(sizeof(struct rusage) == (sizeof(long) == 8 ? 144 : 72), "struct rusage");
struct utsname {  // as nuname(2) fills it
  char sysname[257];
  char nodename[257];
  char release[257];
  char version[257];
  char machine[257];
  char reserved[8][257];
};

pid_t fork(void);
pid_t getppid(void);
int execve(const char* path, char* const argv[], char* const envp[]);
int waitsys(int idtype, pid_t id, siginfo_t* info, int options, struct rusage* usage);
int pipe(int fds[2]);
int brk(void* end);
time_t time(time_t* result);
int BSD_getime(struct timeval* now);
clock_t times(struct tms* times);
int sigprocmask(int how, const sigset_t* set, sigset_t* old);
int setitimer(int which, const struct itimerval* value, struct itimerval* old);
int getitimer(int which, struct itimerval* value);
void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);
int munmap(void* address, size_t length);
int nuname(struct utsname* name);
int syssgi(int request, ...);

// syscall(2): the call with this number (the 1000 included), through IRIX's indirect call 1000.
int syscall(int number, ...);
// The call with this number in v0 and three arguments.
int direct_call(int number, int a0, int a1, int a2);
