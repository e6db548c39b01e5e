/* System V.4: what waitid(2) and signal handlers with SA_SIGINFO are told (System V ABI, MIPS RISC
   Processor Supplement, chapter 6). */
#ifndef _SIGINFO_H
#define _SIGINFO_H

#include <hardclock/system.h>
#include <sys/types.h>

#ifdef _OS_SVR4
typedef struct siginfo {
  int si_signo;
  int si_code;
  int si_errno;
  union {
    struct {
      pid_t pid;
      clock_t utime;
      int status;
      clock_t stime;
    } child;
    caddr_t address;
    int words[29];
  } _data;
} siginfo_t;

#define si_pid _data.child.pid
#define si_status _data.child.status
#define si_addr _data.address

/* si_code of SIGCLD. */
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#endif

#endif
