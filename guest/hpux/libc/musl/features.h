/* Before musl's sources: what their own headers define. */
#pragma once
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#define hidden __attribute__((visibility("hidden")))
#define weak_alias(old, new) extern int _hc_no_alias
#define LCTRANS_CUR(text) (text)
#define MB_CUR_MAX 1
#define GLOB_PERIOD 0
#define GLOB_TILDE 0
#define GLOB_TILDE_CHECK 0
#define FNM_LEADING_DIR 0
#define FNM_CASEFOLD 0
#define assert(condition) ((void)0)
struct __tab;
struct hsearch_data { /* of one table alone */
  struct __tab* __tab;
};
hidden char* __crypt_des(const char*, const char*, char*);
struct passwd;
char* __strchrnul(const char*, int);
int getpwnam_r(const char*, struct passwd*, char*, size_t, struct passwd**);
int getpwuid_r(int, struct passwd*, char*, size_t, struct passwd**);
static inline size_t _hc_strnlen(const char* text, size_t size) {
  const char* end = memchr(text, 0, size);
  return end == NULL ? size : (size_t)(end - text);
}
#define strnlen _hc_strnlen
