// IRIX 5, o32: numbers and structures as NetBSD's sys/compat/irix (irix_types.h, irix_syscall.h)
// and Linux's irix5sys.S have them.
#include "system.h"

#include "kernel.h"

enum {
  NR_exit = 1001, NR_fork, NR_read, NR_write, NR_open, NR_close, NR_chdir = 1012, NR_brk = 1017,
  NR_getpid = 1020, NR_access = 1033, NR_kill = 1037, NR_pipe = 1042, NR_times, NR_ioctl = 1054,
  NR_execve = 1059, NR_umask, NR_fcntl = 1062, NR_getdents = 1081, NR_xstat = 1158, NR_lxstat,
  NR_sigaction = 1162, NR_waitsys = 1170,
};
enum { O_APPEND = 8, O_CREAT = 0x100, O_TRUNC = 0x200, O_EXCL = 0x400, TCGETA = 0x5401 };

#include "common.inc"
#include "mips_signals.inc"

const int ticks_per_second = 100;

long sys_pipe(int ends[2]) {
  const long result = CALL0(NR_pipe);
  if (result < 0) return result;
  ends[0] = (int)result;
  ends[1] = (int)kernel_second;
  return 0;
}

// The second result is not 0 in the child.
long sys_fork(void) {
  const long result = CALL0(NR_fork);
  return result > 0 && kernel_second != 0 ? 0 : result;
}

// The second result of getpid().
long sys_getppid(void) {
  CALL0(NR_getpid);
  return kernel_second;
}

enum { P_PID = 0, P_ALL = 7, WEXITED = 1, CLD_EXITED = 1 };

struct child_info {
  int32_t signal, code, error, process, user_time, status, system_time, rest[25];
};
_Static_assert(sizeof(struct child_info) == 128, "siginfo_t");

long sys_wait(long child, int* status) {
  struct child_info info = {0};
  const long result = CALL5(NR_waitsys, child < 0 ? P_ALL : P_PID, child < 0 ? 0 : child, &info,
                            WEXITED, 0);
  *status = info.code == CLD_EXITED ? info.status & 0xff : 128 + (info.status & 0x7f);
  return result < 0 ? result : info.process;
}

struct kernel_status {
  uint32_t device, pad1[3], inode, mode, links, owner, group, rdev, pad2[2];
  int32_t size, pad3, accessed, accessed_part, modified, modified_part, changed, changed_part;
  int32_t block_size, blocks;
  char file_system[16];
  int32_t project, pad4[7];
};
_Static_assert(sizeof(struct kernel_status) == 136, "struct stat");

long sys_status(const char* path, bool follow, struct file_status* status) {
  enum { version = 2 };
  struct kernel_status of;
  const long result = CALL3(follow ? NR_xstat : NR_lxstat, version, path, &of);
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

struct kernel_action {
  uint32_t flags;
  signal_handler handler;
  uint32_t mask[4], reserved[2];
};
_Static_assert(sizeof(struct kernel_action) == 32, "struct sigaction");

extern char signal_trampoline[];

long sys_signal(int signal, signal_handler handler) {
  const struct kernel_action action = {.handler = handler};
  return CALL4(NR_sigaction, signal, &action, 0, signal_trampoline);
}

signal_handler sys_handler_of(int signal) {
  struct kernel_action action = {.handler = SIGNAL_DEFAULT};
  CALL4(NR_sigaction, signal, 0, &action, signal_trampoline);
  return action.handler;
}

// The kernel does not say where the end is: that of the program's data at first.
uintptr_t sys_break(uintptr_t end) {
  extern char _end[];
  static uintptr_t now;
  if (now == 0) now = (uintptr_t)_end;
  if (end != 0 && CALL1(NR_brk, end) >= 0) now = end;
  return now;
}

struct kernel_entry {
  uint32_t inode;
  int32_t offset;
  uint16_t bytes;
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
