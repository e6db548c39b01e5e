#ifndef _FCNTL_H
#define _FCNTL_H

#include <hardclock/system.h>
#include <sys/types.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
/* V7 and 4.1BSD have no flags: creat() makes files. */
#if defined(_OS_SVR4) || defined(_OS_HPUX) || defined(_OS_AIX)
#define O_APPEND 0x8
#define O_CREAT 0x100
#define O_TRUNC 0x200
#define O_EXCL 0x400
#elif !defined(_OS_EARLY)
#define O_APPEND 0x8
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#endif

int open(const char *path, int flags, ...);
int creat(const char *path, mode_t mode);

#endif
