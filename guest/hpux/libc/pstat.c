/* pstat(2), by hardclock's own numbers of its functions (syscalls/hpux/pstat_calls.cc). */
#include <sys/pstat.h>

#include "kernel.h"

enum { static_status = 0x68630000, static_status_64, dynamic_status, dynamic_status_64 };

int pstat_getstatic(struct pst_static* buffer, size_t size, size_t count, int index) {
  return _hc_pstat(static_status, buffer, size, count, index);
}
int pstat_getdynamic(struct pst_dynamic* buffer, size_t size, size_t count, int index) {
  return _hc_pstat(dynamic_status, buffer, size, count, index);
}

#if __SIZEOF_LONG__ == 4 /* the structures of 64-bit programs */
int __pstat_getstatic64(void* buffer, size_t size, size_t count, int index) {
  return _hc_pstat(static_status_64, buffer, size, count, index);
}
int __pstat_getdynamic64(void* buffer, size_t size, size_t count, int index) {
  return _hc_pstat(dynamic_status_64, buffer, size, count, index);
}
#endif
