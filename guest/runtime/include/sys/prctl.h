/* IRIX: sproc(2). */
#ifndef _SYS_PRCTL_H
#define _SYS_PRCTL_H

#include <hardclock/system.h>
#include <sys/types.h>

#ifdef _OS_IRIX
#define PR_SPROC 1
#define PR_SFDS 2
#define PR_SDIR 4
#define PR_SUMASK 8
#define PR_SULIMIT 0x10
#define PR_SID 0x20
#define PR_SADDR 0x40
#define PR_SALL 0x7f

/* The process begins in the function with this argument, and ends when that returns. */
pid_t sproc(void (*entry)(void *), unsigned int share, ...);
#endif

#endif
