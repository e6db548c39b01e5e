#ifndef _TIME_H
#define _TIME_H

#include <hardclock/system.h>
#include <sys/types.h>

#ifdef _HAVE_TIME
time_t time(time_t *result);
#endif

#endif
