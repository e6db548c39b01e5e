#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H

#include <hardclock/system.h>
#include <siginfo.h>
#include <sys/types.h>

/* The status word is V7's on every system. */
#define WIFEXITED(status) (((status) & 0xff) == 0)
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WIFSIGNALED(status) (((status) & 0x7f) != 0 && ((status) & 0x7f) != 0x7f)
#define WTERMSIG(status) ((status) & 0x7f)

#ifdef _OS_SVR4
#define WNOHANG 0x40
#define WUNTRACED 4
#else
#define WNOHANG 1
#define WUNTRACED 2
#endif

pid_t wait(int *status);
#ifdef _HAVE_WAITPID
pid_t waitpid(pid_t pid, int *status, int options);
#endif
#ifdef SYS_waitid
#define P_PID 0
#define P_PGID 2
#define P_ALL 7
#define WEXITED 1
#define WSTOPPED WUNTRACED
#define WCONTINUED 8
int waitid(int id_type, pid_t id, siginfo_t *info, int options);
#endif

#endif
