/* 4.4BSD. Numbers: syscalls.master. */
#define BSD 199306

#define _OS_BSD44 1

#define SYS_wait4 7
#define SYS_creat 8
#define SYS_brk 17
#define SYS_getuid 24
#define SYS_getppid 39
#define SYS_dup 41
#define SYS_sigaction 46
#define SYS_getgid 47
#define SYS_sigprocmask 48
#define SYS_vfork 66
#define SYS_munmap 73
#define SYS_mprotect 74
#define SYS_setitimer 83
#define SYS_getitimer 86
#define SYS_sigreturn 103
#define SYS_sigsuspend 111
#define SYS_gettimeofday 116
#define SYS_mmap 197
#define SYS_lseek 199
