/* HP-UX Reference, multibyte(3C), wcstring(3C), wctype(3C): a wide character has 32 bits. */
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
typedef unsigned wint_t;
#define WEOF ((wint_t)-1)
typedef unsigned wctype_t;
typedef struct {
  unsigned char kept[4], count, rest[3]; /* the first bytes of a character, by libc/wide_states.c */
} mbstate_t;
wint_t btowc(int);
int wctob(wint_t), mbsinit(const mbstate_t*);
size_t mbrlen(const char*, size_t, mbstate_t*), mbrtowc(wchar_t*, const char*, size_t, mbstate_t*);
size_t wcrtomb(char*, wchar_t, mbstate_t*), mbsrtowcs(wchar_t*, const char**, size_t, mbstate_t*);
size_t wcsrtombs(char*, const wchar_t**, size_t, mbstate_t*), wcsxfrm(wchar_t*, const wchar_t*, size_t);
wchar_t *wmemchr(const wchar_t*, wchar_t, size_t), *wmemcpy(wchar_t*, const wchar_t*, size_t);
wchar_t *wmemmove(wchar_t*, const wchar_t*, size_t), *wmemset(wchar_t*, wchar_t, size_t);
wchar_t* wcswcs(const wchar_t*, const wchar_t*);
int wmemcmp(const wchar_t*, const wchar_t*, size_t);
wint_t getwc(FILE*), putwc(wint_t, FILE*), getwchar(void), putwchar(wint_t);
long long wcstoll(const wchar_t*, wchar_t**, int);
unsigned long long wcstoull(const wchar_t*, wchar_t**, int);
float wcstof(const wchar_t*, wchar_t**);
size_t wcslen(const wchar_t*), wcsspn(const wchar_t*, const wchar_t*);
size_t wcscspn(const wchar_t*, const wchar_t*);
wchar_t *wcscpy(wchar_t*, const wchar_t*), *wcsncpy(wchar_t*, const wchar_t*, size_t);
wchar_t *wcscat(wchar_t*, const wchar_t*), *wcsncat(wchar_t*, const wchar_t*, size_t);
wchar_t *wcschr(const wchar_t*, wchar_t), *wcsrchr(const wchar_t*, wchar_t);
wchar_t *wcsstr(const wchar_t*, const wchar_t*), *wcspbrk(const wchar_t*, const wchar_t*);
wchar_t* wcstok(wchar_t*, const wchar_t*, wchar_t**);
int wcscmp(const wchar_t*, const wchar_t*), wcsncmp(const wchar_t*, const wchar_t*, size_t);
int wcscoll(const wchar_t*, const wchar_t*);
long wcstol(const wchar_t*, wchar_t**, int);
unsigned long wcstoul(const wchar_t*, wchar_t**, int);
double wcstod(const wchar_t*, wchar_t**);
int iswalpha(wint_t), iswalnum(wint_t), iswcntrl(wint_t), iswdigit(wint_t), iswgraph(wint_t);
int iswlower(wint_t), iswprint(wint_t), iswpunct(wint_t), iswspace(wint_t), iswupper(wint_t);
int iswxdigit(wint_t), iswblank(wint_t), iswctype(wint_t, wctype_t);
wctype_t wctype(const char*);
wint_t towlower(wint_t), towupper(wint_t), fgetwc(FILE*), fputwc(wint_t, FILE*);
wchar_t* fgetws(wchar_t*, int, FILE*);
int fputws(const wchar_t*, FILE*), vfwprintf(FILE*, const wchar_t*, va_list);
int vwprintf(const wchar_t*, va_list), vswprintf(wchar_t*, size_t, const wchar_t*, va_list);
int fwprintf(FILE*, const wchar_t*, ...), wprintf(const wchar_t*, ...);
int swprintf(wchar_t*, size_t, const wchar_t*, ...);
