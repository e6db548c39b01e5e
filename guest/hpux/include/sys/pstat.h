/* pstat(2). The offsets are those in programs (syscalls/hpux/pstat_calls.cc says in which); the members
 * without a name are not known. */
#pragma once
#include <stddef.h>
struct pst_static {
  long unknown[3], boot_time, physical_memory, page_size, more[86];
};
struct pst_dynamic {
  long psd_proc_cnt, unknown[15], psd_free;
  double psd_avg_1_min, psd_avg_5_min, psd_avg_15_min;
};
int pstat_getstatic(struct pst_static*, size_t, size_t, int);
int pstat_getdynamic(struct pst_dynamic*, size_t, size_t, int);
