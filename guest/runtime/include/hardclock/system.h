/* What a guest's system has, and which ones it is related to. guest() of guest.bzl includes one
   file of ../systems first, which says by _OS_... which system that is, defines what its own
   compiler or headers define, and has the numbers of its calls. Without such a file the headers
   describe only what all systems share.

   The headers of this folder are C89, so that C89 programs can include them. */
#ifndef HARDCLOCK_SYSTEM_H
#define HARDCLOCK_SYSTEM_H

/* System V.4 and its relatives, which share much of their numbering: Linux on MIPS does, too. */
#if defined(_OS_SOLARIS) || defined(_OS_IRIX) || defined(_OS_LINUX)
#define _OS_SVR4 1
#endif
/* V7's interface: open() without flags, signal() alone. */
#if defined(_OS_V7) || defined(_OS_BSD41)
#define _OS_EARLY 1
#endif
/* 4.2BSD's signals, with no sigaction() in the kernel. */
#if defined(_OS_BSD42) || defined(_OS_BSD43)
#define _OS_BSD42_SIGNALS 1
#endif

/* Calls, or what the library makes of others. */
#ifdef SYS_sigaction
#define _HAVE_SIGACTION 1
#endif
#if defined(SYS_wait4) || defined(SYS_waitid) || defined(SYS_waitpid)
#define _HAVE_WAITPID 1
#endif
#ifdef SYS_sigvec
#define _HAVE_SIGVEC 1
#endif
#ifdef SYS_mmap
#define _HAVE_MMAP 1
#endif
#ifdef SYS_vfork
#define _HAVE_VFORK 1
#endif
#ifdef SYS_gettimeofday
#define _HAVE_GETTIMEOFDAY 1
#endif
/* What times() counts is 1/60 s on V7 and the BSDs, CLK_TCK elsewhere. */
#ifdef SYS_times
#define _HAVE_TIMES 1
#endif
#ifdef SYS_setitimer
#define _HAVE_ITIMER 1
#endif
#if defined(SYS_time) || defined(SYS_gettimeofday)
#define _HAVE_TIME 1
#endif
#if defined(SYS_alarm) || defined(SYS_setitimer)
#define _HAVE_ALARM 1
#endif
#if defined(SYS_sprofil) || defined(_SYSSGI_SPROFIL)
#define _HAVE_SPROFIL 1
#endif
#if defined(SYS_pcsample) && !defined(_OS_SOLARIS25)
#define _HAVE_PCSAMPLE 1
#endif
#ifdef SYS_lwp_create
#define _HAVE_LWP 1
#endif

/* Where a function's code begins. On PA-RISC a pointer with bit 30 set is the address of two words,
   the first of which is the code's. */
#ifdef __hppa
#define _CODE_OF(function)                                                             \
  (((unsigned long)(function)&2) ? *(unsigned long*)((unsigned long)(function) & ~3UL) \
                                 : (unsigned long)(function))
#else
#define _CODE_OF(function) ((unsigned long)(function))
#endif

#endif
