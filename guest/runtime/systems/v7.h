/* The Seventh Edition. Numbers: V7 usr/sys/sys/sysent.c. */
#define V7 1

#define _OS_V7 1

#define SYS_wait 7
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
#define SYS_signal 48
