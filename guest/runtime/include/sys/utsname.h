/* IRIX: nuname(2), which uname(2) of its C library calls. */
#ifndef _SYS_UTSNAME_H
#define _SYS_UTSNAME_H

#include <hardclock/system.h>

#ifdef SYS_nuname
struct utsname {
  char sysname[257];
  char nodename[257];
  char release[257];
  char version[257];
  char machine[257];
  char reserved[8][257];
};

int nuname(struct utsname *name);
#endif

#endif
