/* HP-UX Reference, multibyte(3C), wcstring(3C), wctype(3C): a wide character has 32 bits. */
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
typedef unsigned wint_t;
#define WEOF ((wint_t)-1)
typedef unsigned wctype_t;
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
