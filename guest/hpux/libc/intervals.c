/* ualarm(2), usleep(2). */
#include <stddef.h>

#include "kernel.h"

int setitimer(int which, const void* value, void* old);

enum { itimer_real = 0, millions = 1000000 };
struct timer {
  long every_seconds, every_microseconds, seconds, microseconds;
};

unsigned ualarm(unsigned first, unsigned every) {
  const struct timer wanted = {every / millions, every % millions, first / millions, first % millions};
  struct timer left;
  if (setitimer(itimer_real, &wanted, &left) < 0) return -1;
  return left.seconds * millions + left.microseconds;
}

int usleep(unsigned microseconds) {
  const struct {
    long seconds, nanoseconds;
  } time = {microseconds / millions, microseconds % millions * 1000};
  return _hc_nanosleep(&time, NULL);
}
