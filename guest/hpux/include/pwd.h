/* HP-UX Reference, getpwent(3C). */
#pragma once
#include <stdio.h>
#include <sys/types.h>
struct passwd {
  char *pw_name, *pw_passwd;
  int pw_uid, pw_gid;
  char *pw_age, *pw_comment, *pw_gecos, *pw_dir, *pw_shell;
  long pw_audid;
  int pw_audflg;
};
struct passwd *getpwuid(uid_t), *getpwnam(const char*), *getpwent(void);
void setpwent(void), endpwent(void);
struct passwd* fgetpwent(FILE*);
int putpwent(const struct passwd*, FILE*);
int getpwnam_r(const char*, struct passwd*, char*, size_t, struct passwd**);
int getpwuid_r(uid_t, struct passwd*, char*, size_t, struct passwd**);
