/* HP-UX Reference, ftw(3C). The manual page has no numbers: those that ftw() gives are System V's of old, the others and
 * the flags those of its Release 4. */
#pragma once
#include <sys/stat.h>
enum { FTW_F, FTW_D, FTW_DNR, FTW_NS, FTW_SL, FTW_DP = 6, FTW_SLN };
enum { FTW_PHYS = 1, FTW_MOUNT = 2, FTW_CHDIR = 4, FTW_DEPTH = 8 };
struct FTW {
  int base, level;
};
int ftw(const char*, int (*)(const char*, const struct stat*, int), int);
int nftw(const char*, int (*)(const char*, const struct stat*, int, struct FTW*), int, int);
