/* Numbers: HP-UX Reference, errno(2). */
#pragma once
extern int errno;
enum {
  EPERM = 1,
  ENOENT = 2,
  ESRCH = 3,
  EINTR = 4,
  EIO = 5,
  E2BIG = 7,
  ENOEXEC = 8,
  EBADF = 9,
  ECHILD = 10,
  EAGAIN = 11,
  ENOMEM = 12,
  EACCES = 13,
  EEXIST = 17,
  ENOTDIR = 20,
  EISDIR = 21,
  EINVAL = 22,
  EMFILE = 24,
  ENOTTY = 25,
  ENOSPC = 28,
  ESPIPE = 29,
  EPIPE = 32,
  EDOM = 33,
  ERANGE = 34,
  EILSEQ = 47,
  EOVERFLOW = 72,
  EAFNOSUPPORT = 225,
  ENAMETOOLONG = 248,
  ELOOP = 249,
  ENOSYS = 251
};
