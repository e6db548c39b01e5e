// Linux on MIPS (o32), PA-RISC (32 bits) and IA-64: numbers, flags and structures of the kernel's
// headers, arch/*/include/uapi/asm (Linux 6.1).
#include "system.h"

#include "kernel.h"

#if defined(__mips__)
enum {
  NR_exit = 4001, NR_fork, NR_read, NR_write, NR_open, NR_close, NR_execve = 4011, NR_chdir,
  NR_getpid = 4020, NR_access = 4033, NR_kill = 4037, NR_pipe = 4042, NR_times, NR_brk = 4045,
  NR_ioctl = 4054, NR_fcntl, NR_umask = 4060, NR_getppid = 4064, NR_wait4 = 4114,
  NR_rt_sigaction = 4194, NR_stat = 4213, NR_lstat, NR_getdents = 4219,
};
enum { O_APPEND = 8, O_CREAT = 0x100, O_TRUNC = 0x200, O_EXCL = 0x400, TCGETA = 0x5401 };

struct kernel_status {
  uint32_t device, pad1[3];
  uint64_t inode;
  uint32_t mode, links, owner, group, rdev, pad2[3];
  int64_t size;
  int32_t accessed, accessed_part, modified, modified_part, changed, changed_part;
  uint32_t block_size, pad3;
  int64_t blocks;
};
_Static_assert(sizeof(struct kernel_status) == 104, "struct stat64");

struct kernel_action {
  uint32_t flags;
  signal_handler handler;
  uint32_t mask[4];
};
enum { mask_bytes = 16, SA_RESTART = 0x10000000 };

#include "mips_signals.inc"

#elif defined(__hppa__)
enum {
  NR_exit = 1, NR_fork, NR_read, NR_write, NR_open, NR_close, NR_execve = 11, NR_chdir,
  NR_getpid = 20, NR_access = 33, NR_kill = 37, NR_pipe = 42, NR_times, NR_brk = 45, NR_ioctl = 54,
  NR_fcntl, NR_umask = 60, NR_getppid = 64, NR_stat = 101, NR_wait4 = 114, NR_rt_sigaction = 174,
  NR_lstat = 198, NR_getdents = 201,
};
enum { O_APPEND = 010, O_CREAT = 0400, O_TRUNC = 01000, O_EXCL = 02000, TCGETA = 0x40125401 };

struct kernel_status {
  uint64_t device;
  uint32_t pad1, short_inode, mode, links, owner, group;
  uint64_t rdev;
  uint32_t pad2;
  int64_t size;
  int32_t block_size;
  int64_t blocks;
  int32_t accessed, accessed_part, modified, modified_part, changed, changed_part;
  uint64_t inode;
};
_Static_assert(sizeof(struct kernel_status) == 104, "struct stat64");

struct kernel_action {
  signal_handler handler;
  uint32_t flags, mask[2];
};
enum { mask_bytes = 8, SA_RESTART = 0x10000000 };

const char* const signal_names[] = {
    "EXIT", "HUP",  "INT",  "QUIT", "ILL",  "TRAP", "ABRT",   "STKFLT", "FPE",  "KILL",  "BUS",
    "SEGV", "XCPU", "PIPE", "ALRM", "TERM", "USR1", "USR2",   "CHLD",   "PWR",  "VTALRM", "PROF",
    "IO",   "WINCH", "STOP", "TSTP", "CONT", "TTIN", "TTOU",  "URG",    "XFSZ", "SYS",
};
const int signal_count = sizeof signal_names / sizeof signal_names[0];

#elif defined(__ia64__)
enum {
  NR_exit = 1025, NR_read, NR_write, NR_open, NR_close, NR_execve = 1033, NR_chdir,
  NR_getpid = 1041, NR_getppid, NR_access = 1049, NR_kill = 1053, NR_pipe = 1058, NR_times, NR_brk,
  NR_ioctl = 1065, NR_fcntl, NR_umask, NR_wait4 = 1126, NR_rt_sigaction = 1177, NR_stat = 1210,
  NR_lstat, NR_clone2 = 1213, NR_getdents,
};
enum { O_APPEND = 02000, O_CREAT = 0100, O_TRUNC = 01000, O_EXCL = 0200, TCGETA = 0x5405 };

struct kernel_status {
  uint64_t device, inode, links;
  uint32_t mode, owner, group, pad;
  uint64_t rdev;
  int64_t size, accessed, accessed_part, modified, modified_part, changed, changed_part;
  int64_t block_size, blocks, unused[3];
};
_Static_assert(sizeof(struct kernel_status) == 144, "struct stat");

struct kernel_action {
  signal_handler handler;
  uint64_t flags, mask[1];
};
enum { mask_bytes = 8, SA_RESTART = 0x10000000 };

const char* const signal_names[] = {
    "EXIT", "HUP",    "INT",  "QUIT", "ILL",  "TRAP", "ABRT", "BUS",    "FPE",  "KILL",  "USR1",
    "SEGV", "USR2",   "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP",  "TTIN",
    "TTOU", "URG",    "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO",  "PWR",  "SYS",
};
const int signal_count = sizeof signal_names / sizeof signal_names[0];
#endif

#include "common.inc"
#include "wait_status.inc"

#if defined(__ia64__)
const int ticks_per_second = 1024;
#else
const int ticks_per_second = 100;
#endif

#if defined(__hppa__)
long sys_pipe(int ends[2]) {
  return CALL1(NR_pipe, ends);
}
#else
long sys_pipe(int ends[2]) {
  const long result = CALL0(NR_pipe);
  if (result < 0) return result;
  ends[0] = (int)result;
  ends[1] = (int)kernel_second;
  return 0;
}
#endif

// Not SIGCHLD of <asm/signal.h> alone: fork() is a clone2() without flags.
long sys_fork(void) {
#if defined(__ia64__)
  return CALL1(NR_clone2, 17);
#else
  return CALL0(NR_fork);
#endif
}

long sys_getppid(void) {
  return CALL0(NR_getppid);
}

long sys_wait(long child, int* status) {
  uint32_t word = 0;
  const long result = CALL4(NR_wait4, child, &word, 0, 0);
  *status = shell_status(word);
  return result;
}

long sys_status(const char* path, bool follow, struct file_status* status) {
  struct kernel_status of;
  const long result = CALL2(follow ? NR_stat : NR_lstat, path, &of);
  if (result < 0) return result;
  status->mode = of.mode;
  status->device = of.device;
  status->inode = of.inode;
  status->size = of.size;
  status->modified = of.modified;
  return 0;
}

long sys_times(struct process_times* times) {
  return CALL1(NR_times, times);
}

long sys_signal(int signal, signal_handler handler) {
  const struct kernel_action action = {.handler = handler};
  return CALL4(NR_rt_sigaction, signal, &action, 0, mask_bytes);
}

signal_handler sys_handler_of(int signal) {
  struct kernel_action action = {.handler = SIGNAL_DEFAULT};
  CALL4(NR_rt_sigaction, signal, 0, &action, mask_bytes);
  return action.handler;
}

uintptr_t sys_break(uintptr_t end) {
  return (uintptr_t)CALL1(NR_brk, end);
}

struct kernel_entry {
  uint64_t inode;
  int64_t offset;
  uint16_t bytes;
  uint8_t type;
  char name[];
};

long sys_entries(int directory, void* buffer, size_t bytes) {
  return CALL3(NR_getdents, directory, buffer, bytes);
}

const char* sys_entry_name(const void* at, size_t* entry_bytes) {
  const struct kernel_entry* entry = at;
  *entry_bytes = entry->bytes;
  return entry->name;
}
