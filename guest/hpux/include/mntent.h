/* HP-UX Reference, getmntent(3X). */
#pragma once
#include <stdio.h>
struct mntent {
  char *mnt_fsname, *mnt_dir, *mnt_type, *mnt_opts;
  int mnt_freq, mnt_passno;
  long mnt_time;
};
FILE* setmntent(const char*, const char*);
struct mntent* getmntent(FILE*);
int addmntent(FILE*, const struct mntent*), endmntent(FILE*);
char* hasmntopt(const struct mntent*, const char*);
