/* Solaris 2.6 and later: pcsample(2). */
#ifndef _PCSAMPLE_H
#define _PCSAMPLE_H

#include <hardclock/system.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef _HAVE_PCSAMPLE
long pcsample(uintptr_t samples[], long count);
#endif

#endif
