// What the shell needs of the system that it is built for.
//
// A call's result is not negative; a negative one is the number of an error negated. The numbers of
// errors that the shell looks at are the same in all systems.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENOENT = 2, EINTR = 4, ENOEXEC = 8, ECHILD = 10, EACCES = 13, EINVAL = 22 };

enum open_how { open_read, open_write, open_append, open_both };

enum {
  mode_format = 0170000,
  mode_fifo = 0010000,
  mode_character = 0020000,
  mode_directory = 0040000,
  mode_block = 0060000,
  mode_regular = 0100000,
  mode_link = 0120000,
};

struct file_status {
  uint32_t mode;
  uint64_t device, inode;
  int64_t size;      // bytes
  int64_t modified;  // seconds of the system's time
};

struct process_times {
  unsigned long user, system, child_user, child_system;  // ticks of the clock
};

typedef void (*signal_handler)(int signal);
#define SIGNAL_DEFAULT ((signal_handler)0)
#define SIGNAL_IGNORE ((signal_handler)1)

enum { SIGHUP = 1, SIGINT = 2, SIGQUIT = 3, SIGKILL = 9, SIGTERM = 15 };

// By number, without SIG; from 0, which is EXIT.
extern const char* const signal_names[];
extern const int signal_count;
extern const int ticks_per_second;  // of sys_times

void sys_exit(int status) __attribute__((noreturn));
long sys_read(int file, void* buffer, size_t bytes);
long sys_write(int file, const void* buffer, size_t bytes);
long sys_open(const char* path, enum open_how how, bool exclusive);
long sys_close(int file);
// The lowest free descriptor from `lowest` on; with or without close-on-exec.
long sys_duplicate(int file, int lowest);
long sys_close_on_exec(int file);
long sys_pipe(int ends[2]);
long sys_fork(void);
long sys_execve(const char* path, char* const* arguments, char* const* environment);
// Waits for any child if `child` is -1; the status as a shell sees it: 128 and the number for a
// signal. The result is the child's id.
long sys_wait(long child, int* status);
long sys_chdir(const char* path);
long sys_umask(int mask);
long sys_kill(long process, int signal);
long sys_getpid(void);
long sys_getppid(void);
long sys_status(const char* path, bool follow, struct file_status* status);
long sys_access(const char* path, int how);
bool sys_is_terminal(int file);
long sys_times(struct process_times* times);
long sys_signal(int signal, signal_handler handler);
signal_handler sys_handler_of(int signal);
// The end of the data; 0 asks where it is.
uintptr_t sys_break(uintptr_t end);

// Entries of an open directory into the buffer: their bytes, 0 at the end.
long sys_entries(int directory, void* buffer, size_t bytes);
// The name of the entry at `at`, and where the next one is; null for an entry that is none.
const char* sys_entry_name(const void* at, size_t* entry_bytes);
