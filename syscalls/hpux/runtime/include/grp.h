/* HP-UX Reference, getgrent(3C). */
#pragma once
#include <sys/types.h>
struct group {
  char *gr_name, *gr_passwd;
  int gr_gid;
  char** gr_mem;
};
struct group *getgrgid(gid_t), *getgrnam(const char*), *getgrent(void);
void setgrent(void), endgrent(void);
