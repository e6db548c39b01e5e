#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H

#include <hardclock/system.h>
#include <stddef.h>

typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;

typedef int ssize_t;
typedef int pid_t;
typedef unsigned int mode_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef long time_t;
typedef long clock_t;
typedef char *caddr_t;
#ifdef _OS_BSD44
__extension__ typedef long long off_t;
#else
typedef long off_t;
#endif

#endif
