#pragma once
enum {
  O_RDONLY = 0,
  O_WRONLY = 1,
  O_RDWR = 2,
  O_NDELAY = 04,
  O_APPEND = 010,
  O_CREAT = 0400,
  O_TRUNC = 01000,
  O_EXCL = 02000,
  O_LARGEFILE = 04000
};
enum { F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, FD_CLOEXEC = 1 };
int open(const char*, int, ...), fcntl(int, int, ...), creat(const char*, int);
