/* Linux on MIPS: what the programs use that qemu-mips runs, too. Numbers: Linux,
   arch/mips/kernel/syscalls/syscall_o32.tbl. */
#define __linux__ 1

#define _OS_LINUX 1

#define _SYS(number) (4000 + (number))
#define SYS_execve _SYS(11)
#define SYS_lseek _SYS(19)
#define SYS_alarm _SYS(27)
#define SYS_pause _SYS(29)
#define SYS_times _SYS(43)
#define SYS_getppid _SYS(64)
#define SYS_prctl _SYS(192)
/* Those whose names begin with rt_. */
#define SYS_sigaction _SYS(194)
#define SYS_sigprocmask _SYS(195)
#define SYS_sigsuspend _SYS(199)
