#pragma once
#include <long_double.h>
#include <stddef.h>
typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;
enum { RAND_MAX = 32767 };
void abort(void) __attribute__((noreturn)), exit(int) __attribute__((noreturn));
int atexit(void (*)(void)), atoi(const char*), abs(int), rand(void), system(const char*);
int putenv(char*), mkstemp(char*);
char* realpath(const char*, char*);
long atol(const char*), labs(long), random(void);
double atof(const char*), strtod(const char*, char**), drand48(void);
float strtof(const char*, char**);
quad strtold(const char*, char**);
long long atoll(const char*), llabs(long long);
lldiv_t lldiv(long long, long long);
int rand_r(unsigned*), setenv(const char*, const char*, int), unsetenv(const char*);
char *_ldecvt(quad, int, int*, int*), *_ldfcvt(quad, int, int*, int*), *_ldgcvt(quad, int, char*);
long strtol(const char*, char**, int), lrand48(void), mrand48(void);
unsigned long strtoul(const char*, char**, int);
long long strtoll(const char*, char**, int);
unsigned long long strtoull(const char*, char**, int);
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void*, size_t), free(void*);
void srand(unsigned), srandom(unsigned), srand48(long), lcong48(unsigned short*);
unsigned short* seed48(unsigned short*);
long nrand48(unsigned short*), jrand48(unsigned short*), a64l(const char*);
double erand48(unsigned short*);
char *l64a(long), *ecvt(double, int, int*, int*), *fcvt(double, int, int*, int*), *gcvt(double, int, char*);
int getsubopt(char**, char*const*, char**);
void encrypt(char*, int), setkey(const char*);
void *memalign(size_t, size_t), *valloc(size_t);
void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
char *getenv(const char*), *mktemp(char*);
int mblen(const char*, size_t), mbtowc(wchar_t*, const char*, size_t), wctomb(char*, wchar_t);
size_t mbstowcs(wchar_t*, const char*, size_t), wcstombs(char*, const wchar_t*, size_t);
div_t div(int, int);
ldiv_t ldiv(long, long);

#ifdef _HC_LIBRARY
/* A program may have its own, which the library then uses, too. Calls into a program go through
 * pointers: its code expects what $$dyncall leaves, and in ELF programs the loader fills them in. */
extern void *(*_hc_malloc)(size_t), *(*_hc_calloc)(size_t, size_t), (*_hc_free)(void *);
#define malloc(size) _hc_malloc(size)
#define calloc(count, size) _hc_calloc(count, size)
#define free(place) _hc_free(place)
#endif
