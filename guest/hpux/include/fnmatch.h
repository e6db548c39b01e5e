/* HP-UX Reference, fnmatch(3C). The flags' numbers are musl's. */
#pragma once
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_NOMATCH 1
int fnmatch(const char*, const char*, int);
