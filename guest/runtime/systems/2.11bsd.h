/* 2.11BSD. Numbers: init_sysent.c. */
#define BSD2_11 1

#define _OS_BSD211 1

#define SYS_wait4 7
#define SYS_execv 11
#define SYS_lseek 19
#define SYS_getuid 24
#define SYS_getppid 27
#define SYS_sigaction 31
#define SYS_sigprocmask 32
#define SYS_dup 41
#define SYS_getgid 47
#define SYS_vfork 66
#define SYS_brk 69
#define SYS_setitimer 83
#define SYS_getitimer 86
#define SYS_sigreturn 103
#define SYS_sigsuspend 107
#define SYS_gettimeofday 116
