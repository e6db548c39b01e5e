/* 4.2BSD. Numbers: init_sysent.c. */
#define BSD 42

#define _OS_BSD42 1

#define SYS_creat 8
#define SYS_execv 11
#define SYS_time 13
#define SYS_brk 17
#define SYS_lseek 19
#define SYS_getuid 24
#define SYS_alarm 27
#define SYS_pause 29
#define SYS_dup 41
#define SYS_times 43
#define SYS_getgid 47
#define SYS_vfork 66
#define SYS_setitimer 83
#define SYS_wait 84
#define SYS_getitimer 86
#define SYS_sigvec 108
#define SYS_sigblock 109
#define SYS_sigsetmask 110
#define SYS_sigpause 111
#define SYS_gettimeofday 116
#define SYS_sigreturn 139
