#ifndef _SYS_TIME_H
#define _SYS_TIME_H

#include <hardclock/system.h>
#include <sys/types.h>

struct timeval {
  long tv_sec;
  long tv_usec;
};

struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};

#ifdef _HAVE_GETTIMEOFDAY
/* The second argument is a struct timezone * or null; Solaris, IRIX and HP-UX ignore it. */
int gettimeofday(struct timeval *now, void *zone);
#endif

#ifdef _HAVE_ITIMER
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};
int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *value, struct itimerval *old);
#endif

#endif
