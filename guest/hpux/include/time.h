#pragma once
#include <sys/time.h>
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
enum { CLOCKS_PER_SEC = 1000000 };
time_t time(time_t*), mktime(struct tm*);
struct tm *gmtime(const time_t*), *localtime(const time_t*);
struct tm *gmtime_r(const time_t*, struct tm*), *localtime_r(const time_t*, struct tm*);
char *asctime(const struct tm*), *ctime(const time_t*);
char *asctime_r(const struct tm*, char*), *ctime_r(const time_t*, char*);
char* strptime(const char*, const char*, struct tm*);
size_t strftime(char*, size_t, const char*, const struct tm*);
double difftime(time_t, time_t);
clock_t clock(void);
void tzset(void);
extern long timezone;
extern int daylight;
extern char* tzname[2];
enum { CLOCK_REALTIME = 1 }; /* GNAT, s-osinte__hpux-dce.ads; GNU gzip for HP-UX on IA-64 */
int clock_gettime(int, struct timespec*), clock_getres(int, struct timespec*);
int clock_settime(int, const struct timespec*), nanosleep(const struct timespec*, struct timespec*);
/* timers(2). That a timer is an int, and TIMER_ABSTIME, are guesses. */
typedef int timer_t;
struct itimerspec {
  struct timespec it_interval, it_value;
};
enum { TIMER_ABSTIME = 1 };
struct sigevent;
int timer_create(int, struct sigevent*, timer_t*), timer_delete(timer_t), timer_getoverrun(timer_t);
int timer_settime(timer_t, int, const struct itimerspec*, struct itimerspec*);
int timer_gettime(timer_t, struct itimerspec*);
struct tm* getdate(const char*);
extern int getdate_err;
