/* The error numbers of the systems' own <errno.h>. The first 34 are V7's, and everybody's. */
#ifndef _ERRNO_H
#define _ERRNO_H

#include <hardclock/system.h>

extern int errno;

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define ENOEXEC 8
#define EBADF 9
#define ECHILD 10
#ifdef _OS_BSD44
#define EDEADLK 11
#define EAGAIN 35
#else
#define EAGAIN 11
#endif
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define ENOTBLK 15
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define ETXTBSY 26
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EDOM 33
#define ERANGE 34

#if defined(_OS_SVR4)
#define EWOULDBLOCK EAGAIN
#define ENAMETOOLONG 78
#define EOVERFLOW 79
#define ENOSYS 89
#define ELOOP 90
#define ENOTEMPTY 93
#define EOPNOTSUPP 122
#elif defined(_OS_HPUX)
#define EOVERFLOW 72
#define EOPNOTSUPP 223
#define EWOULDBLOCK 246
#define ENOTEMPTY 247
#define ENAMETOOLONG 248
#define ELOOP 249
#define ENOSYS 251
#elif defined(_OS_BSD42) || defined(_OS_BSD43) || defined(_OS_BSD211) || defined(_OS_BSD44)
#define EWOULDBLOCK 35
#define EOPNOTSUPP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#if defined(_OS_BSD211) || defined(_OS_BSD44)
#define ENOSYS 78
#endif
#endif

#endif
