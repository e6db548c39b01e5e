/* IRIX. Numbers: irix5sys.S of Linux. */
#define __sgi 1

#define _OS_IRIX 1

#define _SYS(number) (1000 + (number))
#define SYS_syscall _SYS(0)
#define SYS_creat _SYS(8)
#define SYS_time _SYS(13)
#define SYS_brk _SYS(17)
#define SYS_lseek _SYS(19)
#define SYS_getuid _SYS(24)
#define SYS_alarm _SYS(27)
#define SYS_pause _SYS(29)
#define SYS_syssgi _SYS(40)
#define SYS_dup _SYS(41)
#define SYS_times _SYS(43)
#define SYS_getgid _SYS(47)
#define SYS_sigreturn _SYS(88)
#define SYS_getitimer _SYS(125)
#define SYS_setitimer _SYS(126)
#define SYS_gettimeofday _SYS(128)
#define SYS_sproc _SYS(129)
#define SYS_mmap _SYS(134)
#define SYS_munmap _SYS(135)
#define SYS_mprotect _SYS(136)
#define SYS_nuname _SYS(157)
#define SYS_sigaction _SYS(162)
#define SYS_sigprocmask _SYS(164)
#define SYS_sigsuspend _SYS(165)
#define SYS_waitid _SYS(170)
#define _SYSSGI_SPROFIL 55 /* a request of syssgi() */
