/* struct statvfs: members and order by statvfs(2), HP-UX Reference 11i v1 (00/12), where all are longs.
 * struct statvfs64 of 32-bit programs: members, types and order by statvfs(2) of 11i v3. That these orders
 * are those in memory is a guess: no program was found that says so. The 16 characters of f_basetype are
 * System V.4's. */
#pragma once
#include <sys/types.h>
struct statvfs {
  unsigned long f_bsize, f_frsize, f_blocks, f_size, f_bfree, f_bavail;
  unsigned long f_files, f_ffree, f_favail, f_fsid;
  char f_basetype[16];
  unsigned long f_flag, f_namemax;
  char f_fstr[32];
  time_t f_time;
};
int statvfs(const char*, struct statvfs*), fstatvfs(int, struct statvfs*);
#if __SIZEOF_LONG__ == 4
struct statvfs64 {
  unsigned long long f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
  unsigned long f_bsize, f_frsize, f_size, f_fsid;
  char f_basetype[16];
  unsigned long f_flag, f_namemax;
  char f_fstr[32];
  time_t f_time;
};
int statvfs64(const char*, struct statvfs64*), fstatvfs64(int, struct statvfs64*);
#endif
