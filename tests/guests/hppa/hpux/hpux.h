// The HP-UX system interface as the guests use it: constants and structures by HP-UX's names, of
// 32-bit and of 64-bit programs.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef long off_t;
typedef long ssize_t;
typedef int32_t pid_t;
typedef long time_t;
typedef int32_t clock_t;

extern int errno;

enum {
  ENOENT = 2,
  EINTR = 4,
  EBADF = 9,
  ECHILD = 10,
  EFAULT = 14,
  EEXIST = 17,
  EINVAL = 22,
  EPIPE = 32,
  ENOTEMPTY = 247,
  ENOSYS = 251,
};
enum { O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_CREAT = 0400, O_TRUNC = 01000, O_EXCL = 02000 };
enum { SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2 };
enum { SIGILL = 4, SIGFPE = 8, SIGSEGV = 11, SIGALRM = 14, SIGUSR1 = 16, SIGUSR2 = 17 };
enum { SIGCHLD = 18, SIGPROF = 21 };
enum { SV_BSDSIG = 2, SA_SIGINFO = 0x10 };
enum { SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2 };
enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 0x10 };
enum { F_GETFD = 1, F_SETFD = 2 };
enum { PROF_USHORT = 1, PROF_UINT = 2 };

typedef void (*sighandler_t)(int signal, int code, void* context);
struct sigvec {
  sighandler_t sv_handler;
  int32_t sv_mask;
  int32_t sv_flags;
};
typedef struct {
  uint32_t word[8];
} sigset_t;
struct sigaction {
  sighandler_t sa_handler;
  sigset_t sa_mask;
  int32_t sa_flags;
};
#define EITHER_SIZE(of_32_bits, of_64_bits) (sizeof(long) == 8 ? (of_64_bits) : (of_32_bits))
_Static_assert(sizeof(struct sigaction) == EITHER_SIZE(40, 48), "struct sigaction");

struct timeval {
  time_t tv_sec;
  long tv_usec;
};
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};
struct tms {
  clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
struct prof {
  void* pr_base;
  uint32_t pr_size;
  uintptr_t pr_offset;
  uint32_t pr_scale;
};
_Static_assert(sizeof(struct prof) == EITHER_SIZE(16, 32), "struct prof");

struct stat {
  int32_t st_dev;
  unsigned long st_ino;
  uint16_t st_mode;
  int16_t st_nlink;
  uint16_t old_uid, old_gid;
  int32_t st_rdev;
  off_t st_size;
  time_t st_atime;
  int32_t spare1;
  time_t st_mtime;
  int32_t spare2;
  time_t st_ctime;
  int32_t spare3;
  long st_blksize, st_blocks;
  uint32_t st_flags;
  int32_t st_netdev;
  unsigned long st_netino;
  uint16_t st_cnode, st_rcnode, st_netsite;
  int16_t st_fstype;
  int32_t st_realdev;
  uint16_t st_basemode, spareshort;
  int32_t st_uid, st_gid, spare4[3];
};
_Static_assert(sizeof(struct stat) == EITHER_SIZE(104, 160), "struct stat");

struct direct {
  uint32_t d_ino;
  uint16_t d_reclen, d_namlen;
  char d_name[256];
};

struct dirent {
  int64_t d_off;
  uint32_t d_ino;
  int16_t d_reclen, d_namlen;
  char d_name[256];
};

void _exit(int status) __attribute__((noreturn));
ssize_t read(int fd, void* buffer, size_t size);
ssize_t write(int fd, const void* buffer, size_t size);
int open(const char* path, int flags, int mode);
int close(int fd);
int unlink(const char* path);
int execv(const char* path, char* const argv[]);
int brk(void* end);
off_t lseek(int fd, off_t offset, int whence);
int64_t lseek64(int fd, int64_t offset, int whence);
pid_t getpid(void);
unsigned alarm(unsigned seconds);
int pause(void);
int access(const char* path, int how);
int kill(pid_t pid, int signal);
int stat(const char* path, struct stat* status);
int fstat(int fd, struct stat* status);
clock_t times(struct tms* times);
void profil(uint16_t* buffer, size_t size, size_t offset, uint32_t scale);
int sprofil(struct prof* regions, int count, struct timeval* tick, uint32_t flags);
int utssys(void* buffer, int argument, int type);
int fcntl(int fd, int command, int argument);
void* mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);
int munmap(void* address, size_t length);
int dup2(int fd, int to);
int setitimer(int which, const struct itimerval* value, struct itimerval* old);
int sigvector(int signal, const struct sigvec* vector, struct sigvec* old);
int sigaction(int signal, const struct sigaction* action, struct sigaction* old);
int sigprocmask(int how, const sigset_t* set, sigset_t* old);
int sigblock(int mask);
int rename(const char* from, const char* to);
int sysconf(int name);
int mkdir(const char* path, int mode);
int rmdir(const char* path);
int getdirentries(int fd, char* buffer, size_t size, long* position);
int getdents(int fd, char* buffer, size_t size);
pid_t waitpid(pid_t pid, int* status, int options);
pid_t fork(void);
pid_t vfork(void);
int pipe(int fds[2]);
int unknown_call(void);
int lightweight_call(void);
void null_store(void);
void trapping_break(void);

// Where a function's code begins. On PA-RISC in 32 bits a pointer to a function is a plabel, whose
// bit 30 says that it is the address of two words, the first of which is the code's; in 64 bits it
// is the address of four doublewords, the third of which is. On IA-64 it is the address of two
// doublewords, the first of which is, in either width.
static inline uintptr_t code_of(const void* function) {
  const uintptr_t plabel = (uintptr_t)function;
#ifdef __ia64__
  return (uintptr_t) * (const uint64_t*)plabel;
#endif
  if (sizeof plabel == 8) return *(const uintptr_t*)(plabel + 16);
  return (plabel & 2) != 0 ? *(const uintptr_t*)(plabel & ~3UL) : plabel;
}
