// HP-UX, 32 bits on PA-RISC and 64 bits on IA-64: numbers as in arch/parisc/hpux of Linux,
// structures of the HP-UX Reference (stat(5), directory(3C), sigaction(2)).
#include "system.h"

#include "kernel.h"

enum {
  NR_exit = 1, NR_fork, NR_read, NR_write, NR_open, NR_close, NR_chdir = 12, NR_brk = 17,
  NR_getpid = 20, NR_access = 33, NR_kill = 37, NR_stat, NR_lstat = 40, NR_pipe = 42, NR_times,
  NR_ioctl = 54, NR_execve = 59, NR_umask, NR_fcntl = 62, NR_sigaction = 188,
  NR_getdirentries = 195, NR_waitpid = 200,
};
enum { O_APPEND = 010, O_CREAT = 0400, O_TRUNC = 01000, O_EXCL = 02000, TCGETA = 0x40125401 };

#include "common.inc"
#include "wait_status.inc"

const int ticks_per_second = 100;

const char* const signal_names[] = {
    "EXIT", "HUP",  "INT",   "QUIT", "ILL",  "TRAP", "ABRT", "EMT",  "FPE",  "KILL",   "BUS",
    "SEGV", "SYS",  "PIPE",  "ALRM", "TERM", "USR1", "USR2", "CHLD", "PWR",  "VTALRM", "PROF",
    "IO",   "WINCH", "STOP", "TSTP", "CONT", "TTIN", "TTOU", "URG",  "LOST",
};
const int signal_count = sizeof signal_names / sizeof signal_names[0];

// In 64 bits the kernel stores both, too.
long sys_pipe(int ends[2]) {
  const long result = CALL1(NR_pipe, ends);
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

long sys_wait(long child, int* status) {
  uint32_t word = 0;
  const long result = CALL3(NR_waitpid, child, &word, 0);
  *status = shell_status(word);
  return result;
}

struct kernel_status {
  int32_t device;
  unsigned long inode;
  uint16_t mode;
  int16_t links;
  uint16_t old_owner, old_group;
  int32_t rdev;
  long size, accessed;
  int32_t spare1;
  long modified;
  int32_t spare2;
  long changed;
  int32_t spare3;
  long block_size, blocks;
  uint32_t flags;
  int32_t net_device;
  unsigned long net_inode;
  uint16_t node, remote_node, net_site;
  int16_t file_system;
  int32_t real_device;
  uint16_t base_mode, spare_short;
  int32_t owner, group, spare4[3];
};
_Static_assert(sizeof(struct kernel_status) == (sizeof(long) == 8 ? 160 : 104), "struct stat");

long sys_status(const char* path, bool follow, struct file_status* status) {
  struct kernel_status of;
  const long result = CALL2(follow ? NR_stat : NR_lstat, path, &of);
  if (result < 0) return result;
  status->mode = of.mode;
  status->device = (uint32_t)of.device;
  status->inode = of.inode;
  status->size = of.size;
  status->modified = of.modified;
  return 0;
}

// clock_t has 32 bits.
long sys_times(struct process_times* times) {
  uint32_t ticks[4] = {0};
  const long result = CALL1(NR_times, ticks);
  *times = (struct process_times){ticks[0], ticks[1], ticks[2], ticks[3]};
  return result;
}

struct kernel_action {
  signal_handler handler;
  uint32_t mask[8];
  int32_t flags;
};
_Static_assert(sizeof(struct kernel_action) == (sizeof(long) == 8 ? 48 : 40), "struct sigaction");

long sys_signal(int signal, signal_handler handler) {
  const struct kernel_action action = {.handler = handler};
  return CALL3(NR_sigaction, signal, &action, 0);
}

signal_handler sys_handler_of(int signal) {
  struct kernel_action action = {.handler = SIGNAL_DEFAULT};
  CALL3(NR_sigaction, signal, 0, &action);
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
  uint16_t bytes, name_bytes;
  char name[];
};

long sys_entries(int directory, void* buffer, size_t bytes) {
  long position;
  return CALL4(NR_getdirentries, directory, buffer, bytes, &position);
}

const char* sys_entry_name(const void* at, size_t* entry_bytes) {
  const struct kernel_entry* entry = at;
  *entry_bytes = entry->bytes;
  return entry->inode == 0 ? NULL : entry->name;
}
