#pragma once
#include <sys/types.h>
struct utimbuf {
  time_t actime, modtime;
};
int utime(const char*, const struct utimbuf*);
