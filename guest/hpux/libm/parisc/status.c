/* Storing fr0 waits for what is under way, and forgets a trap that waits: what is loaded must not bring it back. */
#include "environment.h"

enum { trap_waits = 0x40 }; /* the T bit */

union both {
  unsigned half[2];
  double whole;
};

status _hc_get_status(void) {
  union both now;
  __asm__ volatile("fstd %%fr0,0(%1)" : "=m"(now) : "r"(&now));
  return now.half[0] & ~trap_waits;
}

void _hc_set_status(status wanted) {
  union both now;
  __asm__ volatile("fstd %%fr0,0(%1)" : "=m"(now) : "r"(&now));
  now.half[0] = wanted;
  __asm__ volatile("fldd 0(%0),%%fr0" : : "r"(&now), "m"(now));
}
