#include "environment.h"

status _hc_get_status(void) {
  status now;
  __asm__ volatile("mov %0 = ar.fpsr" : "=r"(now));
  return now;
}

void _hc_set_status(status wanted) {
  __asm__ volatile("mov ar.fpsr = %0" : : "r"(wanted));
}
