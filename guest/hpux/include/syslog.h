#pragma once
enum { LOG_ERR = 3, LOG_USER = 1 << 3, LOG_PID = 1, LOG_CONS = 2, LOG_FACMASK = 0x3f8 };
void openlog(const char*, int, int), syslog(int, const char*, ...), closelog(void);
int setlogmask(int);
void vsyslog(int, const char*, __builtin_va_list);
