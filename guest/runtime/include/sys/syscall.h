/* The numbers of the calls, for C and for the assembly of the library: written down from the
   systems' own lists, not from hardclock's tables, so that a wrong number in these is seen. V7
   usr/sys/sys/sysent.c; init_sysent.c of 4.1BSD to 4.3BSD and of 2.11BSD; syscalls.master of
   4.4BSD; sys/syscall.h of illumos; the lists for HP-UX of Linux and aeriebsd; irix5sys.S of
   Linux. AIX has no numbers; its are hardclock's (syscalls/aix/aix.master). */
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H

#include <hardclock/system.h>

#ifndef _SYS
#define _SYS(number) (number)
#endif

/* V7's, which all systems kept. Those of each system are in ../../systems. */
#define SYS_exit _SYS(1)
#define SYS_fork _SYS(2)
#define SYS_read _SYS(3)
#define SYS_write _SYS(4)
#define SYS_open _SYS(5)
#define SYS_close _SYS(6)
#define SYS_unlink _SYS(10)
#define SYS_getpid _SYS(20)
#define SYS_kill _SYS(37)
#define SYS_pipe _SYS(42)
#define SYS_profil _SYS(44)
#ifndef SYS_execve
#define SYS_execve _SYS(59)
#endif

#ifndef __ASSEMBLER__
/* The call with this number and up to six arguments. Returns the first result, or -1 with errno. */
int syscall(int number, ...);
#ifdef SYS_syscall
/* The same through the kernel's own indirect call, with any number of arguments. */
int indirect_syscall(int number, ...);
#endif
#endif

#endif
