/* AIX, which numbers no calls: these numbers are hardclock's. See syscalls/aix/aix.master. */
#define _AIX 1

#define _OS_AIX 1

#define SYS_wait 7
#define SYS_brk 17
#define SYS_signal 48
#define SYS_mmap 71
#define SYS_munmap 73
#define SYS_mprotect 74
#define SYS_sigreturn 103
