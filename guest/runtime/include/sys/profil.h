/* IRIX: sprofil(2) and the flags that SGI's libprof passes and the IRIX 6.2 kernel looks at. HP-UX:
   sprofil(2), whose values are not published (syscalls/profil/hpux.h says which are hardclock's). */
#ifndef _SYS_PROFIL_H
#define _SYS_PROFIL_H

#include <hardclock/system.h>
#include <sys/time.h>
#include <sys/types.h>

#ifdef _HAVE_SPROFIL
struct prof {
  void* pr_base;
  unsigned int pr_size; /* in bytes */
#ifdef _OS_HPUX
  void* pr_offset;
#else
  unsigned long pr_off;
#endif
  unsigned int pr_scale;
};

#ifdef _OS_HPUX
#define PROF_USHORT 1
#define PROF_UINT 2
#define PROF_UINT64 4
#else
#define PROF_USHORT 1
#define PROF_UINT 2
#define PROF_FAST 4
#endif

int sprofil(struct prof* regions, int count, struct timeval* tick, unsigned int flags);
#endif

#endif
