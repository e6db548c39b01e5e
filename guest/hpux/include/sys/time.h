/* HP-UX Reference, gettimeofday(2), clocks(2). */
#pragma once
#include <sys/types.h>
struct timeval {
  time_t tv_sec;
  long tv_usec;
};
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
int gettimeofday(struct timeval*, void*);
