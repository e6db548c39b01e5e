#ifndef _SYS_TIMES_H
#define _SYS_TIMES_H

#include <hardclock/system.h>
#include <sys/types.h>

struct tms {
  clock_t tms_utime;
  clock_t tms_stime;
  clock_t tms_cutime;
  clock_t tms_cstime;
};

#ifdef _HAVE_TIMES
/* V7 and the BSDs give no time of their own as the result. */
clock_t times(struct tms *buffer);
#endif

#endif
