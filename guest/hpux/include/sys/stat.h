/* HP-UX Reference, stat(5); the layout of 32-bit programs is that of Linux's hpux_stat, that of 64-bit
 * ones Ski's. */
#pragma once
#include <sys/types.h>
struct stat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
  unsigned short st_old_uid, st_old_gid;
  dev_t st_rdev;
  off_t st_size;
  time_t st_atime;
  long st_spare1;
  time_t st_mtime;
  long st_spare2;
  time_t st_ctime;
  long st_spare3;
  long st_blksize, st_blocks;
  unsigned st_pad : 30, st_acl : 1, st_remote : 1;
  dev_t st_netdev;
  ino_t st_netino;
  unsigned short st_cnode, st_rcnode, st_netsite;
  short st_fstype;
  dev_t st_realdev;
  unsigned short st_basemode, st_spareshort;
  uid_t st_uid;
  gid_t st_gid;
  int st_spare4[2];
  long st_spare5;
};
enum { S_IFMT = 0170000, S_IFDIR = 0040000, S_IFCHR = 0020000, S_IFREG = 0100000 };
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
int stat(const char*, struct stat*), fstat(int, struct stat*), mkdir(const char*, mode_t);
