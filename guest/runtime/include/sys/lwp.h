/* Solaris: _lwp_create(2), _lwp_makecontext(3), _lwp_exit(2), _lwp_self(2). HP-UX's arguments are
   not public; hardclock has Solaris's there too (syscalls/hpux/hpux.master). */
#ifndef _SYS_LWP_H
#define _SYS_LWP_H

#include <hardclock/system.h>
#include <sys/types.h>
#include <ucontext.h>

#ifdef _HAVE_LWP
typedef unsigned int lwpid_t;

#define LWP_DETACHED 0x40
#define LWP_SUSPENDED 0x80

/* 0, or the number of the error. */
int _lwp_create(ucontext_t *context, unsigned long flags, lwpid_t *new_lwp);
/* The LWP starts in the function with this argument; when that returns the LWP ends. `private` is
   not used. */
void _lwp_makecontext(ucontext_t *context, void (*start)(void *), void *argument, void *private,
                      caddr_t stack, size_t stack_size);
void _lwp_exit(void);
lwpid_t _lwp_self(void);
#endif

#endif
