/* The numbers of the calls, for C and for the assembly of the library: written down from the
   systems' own lists, not from hardclock's tables, so that a wrong number in these is seen. V7
   usr/sys/sys/sysent.c; init_sysent.c of 4.1BSD to 4.3BSD and of 2.11BSD; syscalls.master of
   4.4BSD; sys/syscall.h of illumos; the lists for HP-UX of Linux and aeriebsd; irix5sys.S of
   Linux. AIX has no numbers; its are hardclock's (syscalls/aix/aix.master). */
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H

#include <hardclock/system.h>

#ifdef _OS_IRIX
#define _SYS(number) (1000 + (number))
#else
#define _SYS(number) (number)
#endif

/* V7's, which all systems kept. */
#define SYS_exit _SYS(1)
#define SYS_fork _SYS(2)
#define SYS_read _SYS(3)
#define SYS_write _SYS(4)
#define SYS_open _SYS(5)
#define SYS_close _SYS(6)
#define SYS_unlink _SYS(10)
#define SYS_brk _SYS(17)
#define SYS_getpid _SYS(20)
#define SYS_kill _SYS(37)
#define SYS_pipe _SYS(42)
#define SYS_profil _SYS(44)
#define SYS_execve _SYS(59)
#if !defined(_OS_BSD44) && !defined(_OS_AIX)
#define SYS_lseek _SYS(19)
#endif
#ifndef _OS_AIX
#define SYS_getuid _SYS(24)
#define SYS_dup _SYS(41)
#define SYS_getgid _SYS(47)
#endif
#if !defined(_OS_BSD211) && !defined(_OS_AIX)
#define SYS_creat _SYS(8)
#endif
#if !defined(_OS_BSD211) && !defined(_OS_BSD44) && !defined(_OS_AIX)
#define SYS_time _SYS(13)
#define SYS_alarm _SYS(27)
#define SYS_pause _SYS(29)
#define SYS_times _SYS(43)
#endif
#if !defined(_OS_IRIX) && !defined(_OS_BSD44) && !defined(_OS_AIX)
#define SYS_execv _SYS(11)
#endif

#if defined(_OS_BSD211) || defined(_OS_BSD44)
#define SYS_wait4 7
#elif defined(_OS_BSD42_SIGNALS)
#define SYS_wait 84
#elif !defined(_OS_IRIX)
#define SYS_wait 7
#endif

#if defined(_OS_EARLY) || defined(_OS_AIX)
#define SYS_signal 48
#endif
#if defined(_HAVE_VFORK) && defined(_OS_SOLARIS)
#define SYS_vfork 119
#elif defined(_HAVE_VFORK)
#define SYS_vfork 66
#endif

#if defined(_OS_BSD42_SIGNALS) || defined(_OS_HPUX)
#define SYS_sigvec 108
#define SYS_sigblock 109
#define SYS_sigsetmask 110
#define SYS_sigpause 111
#endif
#if defined(_OS_BSD42_SIGNALS) || defined(_OS_BSD211) || defined(_OS_BSD44) || defined(_OS_HPUX)
#define SYS_gettimeofday 116
#define SYS_setitimer 83
#define SYS_getitimer 86
#endif

#if defined(_OS_BSD211)
#undef SYS_brk
#define SYS_brk 69
#define SYS_getppid 27
#define SYS_sigaction 31
#define SYS_sigprocmask 32
#define SYS_sigreturn 103
#define SYS_sigsuspend 107
#elif defined(_OS_BSD44)
#define SYS_getppid 39
#define SYS_sigaction 46
#define SYS_sigprocmask 48
#define SYS_munmap 73
#define SYS_mprotect 74
#define SYS_sigreturn 103
#define SYS_sigsuspend 111
#define SYS_mmap 197
#define SYS_lseek 199
#elif defined(_OS_BSD42)
#define SYS_sigreturn 139
#elif defined(_OS_BSD43)
#define SYS_sigreturn 103
#elif defined(_OS_SOLARIS)
#define SYS_pcsample 26
#define SYS_sigprocmask 95
#define SYS_sigsuspend 96
#define SYS_sigaction 98
#define SYS_context 100
#define SYS_waitid 107
#define SYS_mmap 115
#define SYS_mprotect 116
#define SYS_munmap 117
#define SYS_gettimeofday 156
#define SYS_getitimer 157
#define SYS_setitimer 158
#define SYS_lwp_create 159
#define SYS_lwp_exit 160
#define SYS_lwp_self 164
#elif defined(_OS_IRIX)
#define SYS_syssgi _SYS(40)
#define SYS_sigreturn _SYS(88)
#define SYS_getitimer _SYS(125)
#define SYS_setitimer _SYS(126)
#define SYS_gettimeofday _SYS(128)
#define SYS_sproc _SYS(129)
#define SYS_mmap _SYS(134)
#define SYS_munmap _SYS(135)
#define SYS_mprotect _SYS(136)
#define SYS_sigaction _SYS(162)
#define SYS_sigprocmask _SYS(164)
#define SYS_sigsuspend _SYS(165)
#define SYS_waitid _SYS(170)
#define SGI_SPROFIL 55
#elif defined(_OS_HPUX)
#define SYS_mmap 71
#define SYS_munmap 73
#define SYS_mprotect 74
#define SYS_wait3 84
#define SYS_lwp_self 147
#define SYS_sigprocmask 185
#define SYS_sigsuspend 187
#define SYS_sigaction 188
#define SYS_waitpid 200
#define SYS_lwp_create 389
#define SYS_lwp_exit 402
#define SYS_sprofil 540
#elif defined(_OS_AIX)
#define SYS_mmap 71
#define SYS_munmap 73
#define SYS_mprotect 74
#define SYS_sigreturn 103
#endif

#ifndef __ASSEMBLER__
/* The call with this number and up to six arguments. Returns the first result, or -1 with errno. */
int syscall(int number, ...);
#endif

#endif
