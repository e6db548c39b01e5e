/* IRIX: syssgi(2). */
#ifndef _SYS_SYSSGI_H
#define _SYS_SYSSGI_H

#include <hardclock/system.h>

#ifdef SYS_syssgi
#define SGI_SYSCONF 22
#define SGI_SPROFIL _SYSSGI_SPROFIL
#define SGI_RUSAGE 56

int syssgi(int request, ...);
#endif

#endif
