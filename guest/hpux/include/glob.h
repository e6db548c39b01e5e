/* HP-UX Reference, glob(3C). GLOB_MARK, GLOB_NOSORT, GLOB_NOMATCH and the first two members are as
 * programs have them (Java Service Wrapper); the other numbers are musl's. */
#pragma once
#include <stddef.h>
typedef struct {
  size_t gl_pathc;
  char** gl_pathv;
  size_t gl_offs;
} glob_t;
#define GLOB_ERR 0x01
#define GLOB_MARK 0x02
#define GLOB_NOSORT 0x04
#define GLOB_DOOFFS 0x08
#define GLOB_NOCHECK 0x10
#define GLOB_APPEND 0x20
#define GLOB_NOESCAPE 0x40
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
int glob(const char*, int, int (*)(const char*, int), glob_t*);
void globfree(glob_t*);
