/* HP-UX Reference, getgrent(3C). */
#pragma once
#include <stdio.h>
#include <sys/types.h>
struct group {
  char *gr_name, *gr_passwd;
  int gr_gid;
  char** gr_mem;
};
struct group *getgrgid(gid_t), *getgrnam(const char*), *getgrent(void);
void setgrent(void), endgrent(void);
struct group* fgetgrent(FILE*);
int initgroups(const char*, gid_t);
int getgrnam_r(const char*, struct group*, char*, size_t, struct group**);
int getgrgid_r(gid_t, struct group*, char*, size_t, struct group**);
