/* 4.1BSD. Numbers: init_sysent.c. */
#define BSD 41

#define _OS_BSD41 1

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
#define SYS_vfork 66
