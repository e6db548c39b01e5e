/* Which system a guest is compiled for, and what that system has. The macros looked at are those of
   the systems' own compilers or headers; guest() of guest.bzl defines them (README.md of the
   guests, "Systems"). Without one of them the headers describe only what all systems share.

   The headers of this folder are C89, so that C89 programs can include them. */
#ifndef HARDCLOCK_SYSTEM_H
#define HARDCLOCK_SYSTEM_H

#if defined(__sgi)
#define _OS_IRIX 1
#elif defined(__hpux)
#define _OS_HPUX 1
#elif defined(__sun)
#define _OS_SOLARIS 1
#ifdef __SunOS_5_5
#define _OS_SOLARIS25 1
#endif
#elif defined(_AIX)
#define _OS_AIX 1
#elif defined(V7)
#define _OS_V7 1
#elif defined(BSD2_11)
#define _OS_BSD211 1
#elif defined(BSD) && BSD == 41
#define _OS_BSD41 1
#elif defined(BSD) && BSD == 42
#define _OS_BSD42 1
#elif defined(BSD) && BSD == 43
#define _OS_BSD43 1
#elif defined(BSD) && BSD == 199306
#define _OS_BSD44 1
#endif

/* System V.4 and its relatives, which share much of their numbering. */
#if defined(_OS_SOLARIS) || defined(_OS_IRIX)
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

#if defined(_OS_SVR4) || defined(_OS_HPUX) || defined(_OS_BSD211) || defined(_OS_BSD44)
#define _HAVE_SIGACTION 1
#define _HAVE_WAITPID 1
#endif
#if defined(_OS_BSD42_SIGNALS) || defined(_OS_HPUX)
#define _HAVE_SIGVEC 1
#endif
#if defined(_OS_SVR4) || defined(_OS_HPUX) || defined(_OS_BSD44) || defined(_OS_AIX)
#define _HAVE_MMAP 1
#endif
#if !defined(_OS_V7) && !defined(_OS_IRIX) && !defined(_OS_AIX)
#define _HAVE_VFORK 1
#endif
#if !defined(_OS_EARLY) && !defined(_OS_AIX)
#define _HAVE_GETTIMEOFDAY 1
#endif
/* times(); what it counts is 1/60 s on V7 and the BSDs, CLK_TCK elsewhere. */
#if !defined(_OS_BSD211) && !defined(_OS_BSD44) && !defined(_OS_AIX)
#define _HAVE_TIMES 1
#endif
#if !defined(_OS_EARLY) && !defined(_OS_AIX)
#define _HAVE_ITIMER 1
#endif
#ifndef _OS_AIX
#define _HAVE_TIME 1
#define _HAVE_ALARM 1
#endif
#if defined(_OS_IRIX) || defined(_OS_HPUX)
#define _HAVE_SPROFIL 1
#endif
#if defined(_OS_SOLARIS) && !defined(_OS_SOLARIS25)
#define _HAVE_PCSAMPLE 1
#endif
#if defined(_OS_SOLARIS) || defined(_OS_HPUX)
#define _HAVE_LWP 1
#endif

#endif
