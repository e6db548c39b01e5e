/* HP-UX Reference, utmpx(4), getutx(3C). */
#pragma once
#include <sys/time.h>
#include <utmp.h>
struct utmpx {
  char ut_user[24], ut_id[4], ut_line[12];
  pid_t ut_pid;
  short ut_type;
  struct exit_status ut_exit;
  unsigned short ut_reserved1;
  struct timeval ut_tv;
  char ut_host[64];
  unsigned long ut_addr;
  char ut_reserved2[12];
};
struct utmpx *getutxent(void), *getutxid(const struct utmpx*), *getutxline(const struct utmpx*);
struct utmpx* pututxline(const struct utmpx*);
void setutxent(void), endutxent(void);
