/* Solaris 2.6 and later; 2.5 but for what it says itself. Numbers: sys/syscall.h of illumos. */
#define __sun 1
#define __svr4__ 1
#ifndef _OS_SOLARIS25
#define __SunOS_5_8 1
#endif

#define _OS_SOLARIS 1

#define SYS_wait 7
#define SYS_creat 8
#define SYS_execv 11
#define SYS_time 13
#define SYS_brk 17
#define SYS_lseek 19
#define SYS_getuid 24
#define SYS_pcsample 26
#define SYS_alarm 27
#define SYS_pause 29
#define SYS_dup 41
#define SYS_times 43
#define SYS_getgid 47
#define SYS_sigprocmask 95
#define SYS_sigsuspend 96
#define SYS_sigaction 98
#define SYS_context 100
#define SYS_waitid 107
#define SYS_mmap 115
#define SYS_mprotect 116
#define SYS_munmap 117
#define SYS_vfork 119
#define SYS_gettimeofday 156
#define SYS_getitimer 157
#define SYS_setitimer 158
#define SYS_lwp_create 159
#define SYS_lwp_exit 160
#define SYS_lwp_self 164
